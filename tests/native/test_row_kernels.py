"""Rows of a game made of a few bytes: kernels in machine code, in plain Python, and the lines below say the same."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.form.form import NUMBER, Field, Function, Line, local, number
from rulesrun.interpreter.form.memory import call_address
from rulesrun.interpreter.model.random import GOLDEN, MASK, mix_word
from rulesrun.interpreter.native.positions.block_kernels import DRAWN, EVENLY
from rulesrun.interpreter.native.positions.row_kernels import CHANCE, ILLEGAL, row_kernels
from tests.native import byte_game as game
from tests.native.kernel_memory import KernelMemory

ROWS, MOST = 6, 4
KINDS = [EVENLY, DRAWN, EVENLY, 1, EVENLY]  # by question
CHOOSERS = [-2, CHANCE, CHANCE, CHANCE, 1]
FACES = [0, 3, 1, 2, 5]

# Options that are pairs of two values, then some of one.
WIDE, HIGH, OPTIONS = 3, 2, 9
FIRST_WORTHS, SECOND_WORTHS, GATED = [0, 10], [0, 100, 300], [5000, 7000]


def settle_pair(position: Any, answer: int) -> int:
    position[game.ANSWERED] = answer >= HIGH * WIDE
    position[game.FIRST], position[game.SECOND] = answer // WIDE % HIGH, answer % WIDE
    return 0


def count_pairs(position: Any) -> int:
    return OPTIONS if position[game.MIXED] % 3 else HIGH * WIDE - 1


def grid(position: Any, entry: int) -> int:
    game.write_word(position, game.TELLING, HIGH)
    return 0 if entry else WIDE


def number_of(row: list[int], answer: int) -> int:
    """By hand: an action that begins at 1000, and one at 2000 of which the last value only stands behind a gate."""
    if answer < HIGH * WIDE:
        return 1000 + FIRST_WORTHS[answer // WIDE] + SECOND_WORTHS[answer % WIDE]
    return 2000 + (GATED[answer % WIDE % 2] if row[game.THIRD] > 2 else 0)


def table_functions(
    memory: KernelMemory, functions: dict[str, tuple[Callable[..., int], bool]]
) -> tuple[Function, ...]:
    """As a table has them; each calls what stands at an address."""
    found = []
    for name, (function, takes) in functions.items():
        given = ("given",) if takes else ()
        address = number(memory.add_function(function, len(given)))
        line = Line("return", (call_address(address, *map(local, given), gives=NUMBER),))
        found.append(Function(name, given, NUMBER, [line]))
    return tuple(found)


class Rows:
    """Random rows in memory, and the kernels."""

    def __init__(self, seed: int, count: Any = game.count, settle: Any = game.settle) -> None:
        self.chance, self.memory = Random(seed), KernelMemory()
        self.space = self.memory.put([0] * game.END, numpy.uint8)
        limits = (game.QUESTIONS, 1, 251, 4, 4, 4, 4, 4)
        self.before = [[self.chance.randrange(limit) for limit in limits] for _ in range(ROWS)]
        self.rows = self.memory.put(self.before, numpy.uint8)
        fields = {name: Field(name, bits, 1, at) for name, bits, at in (
            ("pc", 8, game.ASKED), ("entry", 8, game.ANSWERED), ("telling", 64, game.TELLING),
        )}  # fmt: skip
        functions = {"amount": (count, False), "settle": (settle, True), "run": (game.run, False), "grid": (grid, True)}
        form: Any = SimpleNamespace(
            plan=SimpleNamespace(fields=fields, size=game.SIZE), functions=table_functions(self.memory, functions)
        )
        self.kernels = (*form.functions, *row_kernels(form))
        self.answers = [self.chance.randrange(-1, 4) for _ in self.before]

    def run(self, name: str, *given: Any) -> int:
        """With the position first, and as many numbers as there are rows."""
        return self.memory.run(self.kernels, name, self.space, self.rows, ROWS, *given)

    def positions(self) -> list[bytearray]:
        return [bytearray(row) + bytearray(game.END - game.SIZE) for row in self.before]

    def numbers(self, values: Any = (-9,) * ROWS, kind: Any = numpy.int64) -> Any:
        return self.memory.put(values, kind)


def rows_of(positions: list[bytearray]) -> list[list[int]]:
    return [list(position[: game.SIZE]) for position in positions]


@pytest.mark.parametrize("seed", range(10))
def test_answers_to_rows(seed: int) -> None:
    rows, positions = Rows(seed), Rows(seed).positions()
    counted, asked = rows.numbers(), rows.numbers()
    rows.run("count many", counted)
    assert counted.tolist() == [game.count(position) for position in positions]
    expected = []
    for position, answer in zip(positions, rows.answers, strict=True):
        is_legal = 0 <= answer < game.count(position)
        if is_legal:
            game.settle(position, answer)
        expected.append(game.run(position) if is_legal else ILLEGAL)
    rows.run("follow many", rows.numbers(rows.answers), asked)
    assert (asked.tolist(), rows.rows.tolist()) == (expected, rows_of(positions))
    rows.run("settle many", rows.numbers([2] * ROWS))
    stuck = rows.run("run many")
    for position in positions:
        game.settle(position, 2)
    assert stuck == sum(game.run(position) < 0 for position in positions)
    assert rows.rows.tolist() == rows_of(positions)


def pick(position: bytearray, word: int) -> int:
    amount, kind = game.count(position), KINDS[position[game.ASKED]]
    weights = {DRAWN: [position[game.TELLING + 16 * which + 8] for which in range(amount)], EVENLY: [1] * amount}
    own = weights.get(kind, FACES[1 : 1 + amount])
    return next(which for which in range(amount) if word * sum(own) >> 64 < sum(own[: which + 1]))


@pytest.mark.parametrize("seed", range(20))
def test_chance_of_rows(seed: int) -> None:
    rows, positions = Rows(seed), Rows(seed).positions()
    words = [rows.chance.getrandbits(64) for _ in positions]
    found, tables = rows.numbers(), [rows.numbers(table) for table in (CHOOSERS, KINDS, FACES)]
    rows.run("answers at random", rows.numbers(words, numpy.uint64), *tables[1:], found)
    assert found.tolist() == [pick(position, word) for position, word in zip(positions, words, strict=True)]
    streams, expected, given = rows.numbers(words, numpy.uint64), [], rows.numbers(rows.answers)
    for which, (position, answer) in enumerate(zip(positions, rows.answers, strict=True)):
        asked = position[game.ASKED]
        if answer >= game.count(position):
            expected.append(ILLEGAL)
            continue
        if answer >= 0:
            game.settle(position, answer)
            asked = game.run(position)
        done = 0
        while asked > 0 and CHOOSERS[asked] == CHANCE and done < MOST:
            words[which] = words[which] + GOLDEN & MASK
            game.settle(position, pick(position, mix_word(words[which])))
            asked, done = game.run(position), done + 1
        expected.append(-1 if asked > 0 and CHOOSERS[asked] == CHANCE else asked)
    rows.run("play on", given, streams, *tables, MOST, found)
    assert (found.tolist(), streams.tolist()) == (expected, words)
    assert rows.rows.tolist() == rows_of(positions)


@pytest.mark.parametrize("seed", range(10))
def test_numbers_of_options(seed: int) -> None:
    rows, actions = Rows(seed, count_pairs, settle_pair), 8000
    width = rows.chance.choice([OPTIONS, 7])
    always, gate = (game.FIRST, 56, -(1 << 62)), (game.THIRD, 56, 2)
    columns = [(game.FIRST, 56, 0, 1, *always), (game.SECOND, 56, 0, 3, *always), (game.SECOND, 56, 0, 6, *gate)]
    worths = [0, *FIRST_WORTHS, *SECOND_WORTHS, *GATED, GATED[0]]
    tables = [[-1, -1, 0, -1, 0], [[1000, 0, 2], [2000, 2, 3]], columns, worths]
    ids, amounts = rows.numbers([[-5] * width] * ROWS, numpy.int32), rows.numbers()
    rows.run("number options", *(rows.numbers(table) for table in tables), ids, width, amounts)
    many = [count_pairs(row) if row[game.ASKED] in (2, 4) else 0 for row in rows.before]
    expected = [[number_of(row, at) if at < own else -5 for at in range(width)]
                for row, own in zip(rows.before, many, strict=True)]
    assert (amounts.tolist(), ids.tolist()) == (many, expected)
    fits = [min(own, width) for own in many]
    wanted = [rows.chance.choice([3, *own[:fit]]) for own, fit in zip(expected, fits, strict=True)]
    amounts, found, marks = rows.numbers(fits), rows.numbers(), rows.numbers([[0] * actions] * 1, numpy.int8)
    given = (ids, width, amounts, ROWS, rows.numbers(wanted), found)
    rows.memory.run(rows.kernels, "find numbers", *given)
    assert found.tolist() == [
        next((at for at in range(fit) if own[at] == one), ILLEGAL)
        for own, fit, one in zip(expected, fits, wanted, strict=True)
    ]
    before = rows.numbers([[17, 18]], numpy.int32)
    marks[0, [17, 18, 19]] = 1
    rows.memory.run(
        rows.kernels, "move marks", before, 2, rows.numbers([2]), ids, width, amounts, 1, marks, actions
    )
    assert numpy.flatnonzero(marks[0]).tolist() == sorted({19, *expected[0][: fits[0]]})


@pytest.mark.parametrize("seed", range(10))
def test_what_is_read_of_rows(seed: int) -> None:
    rows = Rows(seed)
    offsets, masks = [0, 3, 1], [rows.chance.getrandbits(63) for _ in range(3)]
    padded = rows.numbers([*(byte for row in rows.before for byte in row), *[0] * 8], numpy.uint8)
    found = rows.numbers([0] * ROWS, numpy.uint64)
    given = (padded, ROWS, rows.numbers(offsets), rows.numbers(masks), 3, found)
    rows.memory.run(rows.kernels, "view many", *given)
    for which, mixed in enumerate(found.tolist()):
        expected = 7046029254386353131
        for offset, mask in zip(offsets, masks, strict=True):
            at = which * game.SIZE + offset
            seen = (expected ^ (int.from_bytes(padded[at : at + 8].tobytes(), "little") & mask)) * GOLDEN & MASK
            expected = (seen ^ seen >> 32) * 0xBF58476D1CE4E5B9 & MASK
        assert mixed == expected ^ expected >> 29
    listed, places = rows.numbers([[0] * 2] * 3), rows.numbers([[game.ANSWERED, 56], [game.MIXED, 48]])
    rows.space[game.MIXED] = 200
    rows.memory.run(rows.kernels, "list options", rows.space, 3, places, 2, listed)
    assert listed.tolist() == [[option, 200 + 256 * option] for option in range(3)]
