"""Steps of single positions with their chance, for a game made of a few bytes: in machine code, in plain Python, and by
the lines below."""

from __future__ import annotations

from random import Random

import numpy
import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.model.random import GOLDEN, MASK, mix_word
from rulesrun.interpreter.native.positions import block_kernels as words
from tests.native.byte_game import END, SIZE, TELLING, TOLD, count, run, settle, tell
from tests.native.kernel_memory import KernelMemory

QUESTIONS = [words.NO_CHANCE, words.DRAWN, words.EVENLY, 1, 3]  # by question, how chance weighs
FACES = [0, 3, 1, 2, 5, 1, 4]
SOURCES = [0, 0, 0, 0, 1, 1, 3, 0, 4, 1]  # of each its first stream, and which number that is told is added
STREAMS = 8


def play(position: bytearray, answer: int, streams: list[int]) -> tuple[int, list[int]]:
    """What is given, and the answers of chance; the position and the streams go on."""
    answers: list[int] = []
    while True:
        if answer >= 0:
            settle(position, answer)
            if run(position) < 0 or position[1]:
                return words.STUCK, answers
        asked, before = QUESTIONS[position[0]], bytes(position[:SIZE])
        if asked == words.NO_CHANCE:
            return count(position) + words.COUNTED * bool(position[TOLD]), answers
        tell(position)
        first, added = SOURCES[2 * position[0] : 2 * position[0] + 2]
        stream = first + position[TELLING + 8 * added]
        amount = count(position)
        weights = {
            words.DRAWN: [position[TELLING + 16 * which + 8] for which in range(amount)],
            words.EVENLY: [1] * amount,
        }.get(asked, FACES[asked : asked + amount] if asked > 0 else [])
        streams[stream] = streams[stream] + GOLDEN & MASK
        below = mix_word(streams[stream]) * sum(weights) >> 64
        answer = next(which for which in range(amount) if below < sum(weights[: which + 1]))
        answers.append(answer)
        position[:SIZE] = before


@pytest.mark.parametrize("seed", range(60))
def test_steps_of_a_made_up_game(seed: int) -> None:
    chance, memory = Random(seed), KernelMemory()
    space, first = memory.put([0] * END, numpy.uint8), [0, 0, chance.randrange(251), 0, 0, 0, 0, 0]
    luck, out = [chance.getrandbits(64) for _ in range(STREAMS)], memory.put([0] * (SIZE + 8 * STREAMS), numpy.uint8)
    plan, answers = [0] * words.PLAN, memory.put([-9] * 64)
    plan[words.SIZE], plan[words.TOLD], plan[words.TELLING], plan[words.OUT] = SIZE, TOLD, TELLING, out.ctypes.data
    plan[words.PC], plan[words.PC_UP], plan[words.FAULT], plan[words.FAULT_UP] = 0, 56, 1, 56
    for at, function, numbers in (
        (words.AMOUNT, count, 0), (words.SETTLE, settle, 1), (words.RUN, run, 0), (words.WHERE, tell, 0),
    ):  # fmt: skip
        plan[at] = memory.add_function(function, numbers)
    for at, table in ((words.CHANCES, QUESTIONS), (words.FACES, FACES), (words.SOURCES, SOURCES)):
        plan[at] = memory.put(table).ctypes.data
    answer, block, told = chance.randrange(-1, 3), memory.put(first, numpy.uint8), memory.put(plan)
    streams = memory.put(luck, numpy.uint64)
    given = (space, block, answer, told, streams, STREAMS, answers)
    found = memory.run(words.block_kernels(), "step with luck", *given)
    expected = bytearray(first) + bytearray(END - SIZE)
    result, chosen = play(expected, answer, luck)
    assert found == result
    if result != words.STUCK:
        assert answers[: len(chosen) + 1].tolist() == [len(chosen), *chosen]
        assert out[:SIZE].tolist() == list(expected[:SIZE])
        assert out[SIZE:].view(numpy.uint64).tolist() == luck
    alone = memory.run(words.block_kernels(), "step alone", space, block, 1, told)
    expected = bytearray(first) + bytearray(END - SIZE)
    settle(expected, 1)
    is_stuck = run(expected) < 0 or expected[1]
    assert alone == (words.STUCK if is_stuck else count(expected) + words.COUNTED * bool(expected[TOLD]))
