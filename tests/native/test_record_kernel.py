"""The record of a game made of a few bytes: written by machine code, by plain Python, and by the lines below."""

from __future__ import annotations

from random import Random

import numpy
import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.model.random import GOLDEN, MASK, mix_word
from rulesrun.interpreter.native.measure import record_kernels as words
from rulesrun.interpreter.native.positions.block_kernels import DRAWN, EVENLY
from tests.native import byte_game as game
from tests.native.form_in_python import signed
from tests.native.kernel_memory import KernelMemory

ROOM, MOST, STREAMS, SEATS = 700, 20, 8, 2
WIDTH = 4
COLUMNS = [game.ANSWERED, game.MIXED, game.FIRST, game.SECOND]  # where the numbers of an option are
GUARDS = [(0, 0), (0, 0), (0, 0), (2, 1)]
ACTIONS = [(7, 1, 4), (5, 1, 2), (6, 2, 4), (3, 1, 1)]  # by entry: its number, its first column, where they end
ORIGINS, TARGETS, VALUES, WEIGHTS = [20, 21], [30, 31, 32], [40, 41, 42, 43], [3, 1, 2, 5]
Row = dict[int, int]


@pytest.fixture
def rows() -> list[Row]:
    chance = {words.IS_CHANCE: 1, words.STREAM: 1, words.TELLS: 1}
    drawn = chance | {words.WEIGHING: DRAWN, words.WHAT: 50}
    even = chance | {words.WEIGHING: EVENLY, words.WHAT: 51, words.TOTAL: 3, words.TELLS: 0}
    rolled = chance | {words.WEIGHING: 0, words.WHAT: 52, words.STREAM: 3}
    alone = {words.SEATS_AT: -1, words.WIDTH: WIDTH, words.ASKED_UP: 56}
    return [{}, drawn, even, rolled, alone]


def byte(position: bytearray, at: int) -> int:
    return signed(position[at], 8)


def play(
    rows: list[Row], first: list[int], sheets: list[int], key: int, room: int, most: int
) -> list[list[int]] | None:
    """The moments, each in numbers; None: left to the reference."""
    found: list[list[int]] = []
    position, decisions = bytearray(first) + bytearray(game.END - game.SIZE), 0
    streams = [mix_word(name ^ key & MASK) for name in range(STREAMS)]

    def below(stream: int, limit: int) -> int:
        streams[stream] = streams[stream] + GOLDEN & MASK
        return mix_word(streams[stream]) * limit >> 64

    while True:
        position[game.TOLD] = 0
        asked, counted, used = game.run(position), position[game.TOLD], sum(len(one) for one in found)
        if asked < 0 or position[game.FAULT] or len(found) >= most or used + counted + 256 > room:
            return None
        told, row = [counted, *sheets[:counted]], rows[asked]
        if asked == 0:
            places = [byte(position, game.FIRST), byte(position, game.SECOND)]
            return [*found, [words.AT_THE_END, *told, SEATS, *places, byte(position, game.THIRD)]]
        if row.get(words.IS_CHANCE):
            game.tell(position)
            spoken = [position[game.TELLING], position[game.TELLING + 8]]
            amount, weighing = game.count(position), row[words.WEIGHING]
            weights = {DRAWN: [position[game.TELLING + 16 * which + 8] for which in range(amount)],
                       EVENLY: [1] * row.get(words.TOTAL, 0), 0: WEIGHTS[:amount]}[weighing]
            number = below(row[words.STREAM] + spoken[row[words.TELLS]], sum(weights))
            answer = next(which for which in range(len(weights)) if number < sum(weights[: which + 1]))
            value = {DRAWN: 10 * answer, EVENLY: answer, 0: VALUES[answer]}[weighing]
            names = [ORIGINS[spoken[0]], TARGETS[spoken[1]]]
            found.append([words.AT_CHANCE, *told, row[words.WHAT], *names, value, weights[answer], sum(weights)])
        else:
            decisions += 1
            before, amount = bytes(position), game.count(position)
            chooser = 0 if row.get(words.IS_TEAM) else byte(position, game.ANSWERED)
            many = byte(position, row[words.ASKED_AT]) if row[words.SEATS_AT] >= 0 else 0
            seats = [byte(position, row[words.SEATS_AT] + at) for at in range(many)]
            found.append([words.AT_DECISION, *told, chooser, many, *seats, amount])
            for option in range(amount):
                game.settle(position, option)
                found[-1] += list_option(position)
            if used + len(found[-1]) > room or decisions > 3:
                return None
            answer = below(chooser, amount)
            position[:] = before
        game.settle(position, answer)


def list_option(position: bytearray) -> list[int]:
    action, first, behind = ACTIONS[byte(position, COLUMNS[0])]
    found = [action]
    for at in range(1, WIDTH):
        guard, which = GUARDS[at]
        is_own = first <= at < behind and (not guard or which < found[guard])
        found.append(byte(position, COLUMNS[at]) if is_own else 0)
    return found


@pytest.mark.parametrize("seed", range(80))
def test_records_of_a_made_up_game(seed: int, rows: list[Row]) -> None:
    chance, memory = Random(seed), KernelMemory(1 << 15)
    if seed % 2:
        rows[4] |= {words.SEATS_AT: game.FIRST, words.SEAT_BYTES: 1, words.SEAT_UP: 56, words.ASKED_AT: game.THIRD}
        rows[4][words.IS_TEAM] = seed % 4 // 2
    first, key = [0, 0, chance.randrange(251), chance.randrange(3), 0, 0, 0, 0], chance.getrandbits(63)
    sheets, room, most = [chance.randrange(99) for _ in range(8)], chance.choice([ROOM, 290]), chance.choice([MOST, 2])
    expected = play(rows, first, sheets, key, room, most)
    space = memory.put([0] * game.END, numpy.uint8)
    space[game.SHEETS :] = memory.put(sheets).view(numpy.uint8)
    arrays = {
        words.ORIGINS: ORIGINS, words.TARGETS: TARGETS, words.VALUES: VALUES, words.WEIGHTS: WEIGHTS,
        words.COLUMNS: [number for at in COLUMNS for number in (at, 56)],
        words.ACTIONS: [number for action in ACTIONS for number in action],
        words.GUARDS: [number for guard in GUARDS for number in guard],
    }  # fmt: skip
    addresses = {at: int(memory.put(array).ctypes.data) for at, array in arrays.items()}
    table = memory.put([[(addresses | row).get(at, 0) for at in range(words.WIDE)] for row in rows])
    plan = dict.fromkeys((words.FAULT_UP, words.PC_UP, words.PLAYER_UP, words.PLACE_UP, words.RESULT_UP), 56) | {
        words.SIZE: game.SIZE, words.FAULT: game.FAULT, words.TOLD: game.TOLD, words.SHEETS: game.SHEETS,
        words.TELLING: game.TELLING, words.PLAYER: game.ANSWERED, words.PLACES: game.FIRST, words.SEATS: SEATS,
        words.RESULT: game.THIRD, words.STREAMS: STREAMS, words.MOST_DECISIONS: 3,
        words.QUESTIONS: table.ctypes.data, words.NAMES: memory.put(range(STREAMS)).ctypes.data,
        words.BEFORE: memory.put([0] * game.SIZE).ctypes.data, words.LUCK: memory.put([0] * STREAMS).ctypes.data,
        words.AMOUNT: memory.add_function(game.count, 0), words.SETTLE: memory.add_function(game.settle, 1),
        words.RUN: memory.add_function(game.run, 0), words.WHERE: memory.add_function(game.tell, 0),
    }  # fmt: skip
    record, starts = memory.put([0] * (ROOM + 300)), memory.put([0] * (MOST + 1))
    start, numbers = memory.put(first, numpy.uint8), memory.put([plan.get(at, 0) for at in range(words.PLAN)])
    found = memory.run([words.record_function()], "record", space, start, numbers, key, record, room, starts, most)
    if expected is None:
        assert found == words.BY_REFERENCE
        return
    assert found == len(expected)
    assert record[: sum(len(one) for one in expected)].tolist() == [number for one in expected for number in one]
    ends = numpy.cumsum([0, *(len(one) for one in expected)]).tolist()
    kinds = [one[0] == words.AT_DECISION for one in expected]
    assert starts[: found + 1].tolist() == [2 * at + kind for at, kind in zip(ends, [*kinds, False], strict=True)]
