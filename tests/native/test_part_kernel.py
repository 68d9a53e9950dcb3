"""What a seat sees, copied part by part: machine code, plain Python and a few lines written apart say the same."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy
import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.form.form import NOTHING
from rulesrun.interpreter.native.views.part_kernel import (
    ADD,
    BITS,
    COPY,
    COUNT_BITS,
    TALLY,
    TURN,
    WIDTH,
    copy_parts_function,
)
from tests.native.kernel_memory import KernelMemory

SIZE, WIDE, ROWS = 64, 12, 5
PC = 48  # two bytes: which question is asked
GATE = 50  # a byte
SMALL = 52  # bytes from 0 to 3


def random_part(chance: Random) -> list[int]:
    what, bytes_each = chance.choice([COPY, BITS, ADD, COUNT_BITS, TALLY, TURN]), chance.choice([1, 2, 4])
    to, at = chance.randrange(6), SMALL if what == TALLY else chance.randrange(20)
    if what == TALLY:
        bytes_each = 1
    turn = [chance.randrange(4), 4] if chance.random() < 0.5 else [0, 0]
    gate = [GATE, 56, 1] if chance.random() < 0.5 else [0, 0, 0]
    return [what, to, chance.randrange(1, 6), at, bytes_each, 64 - 8 * bytes_each, -7, *gate, *turn]


def see_part(row: bytes, part: list[int], seen: list[int], together: list[int]) -> None:
    """The same, from the page of words on parts."""
    what, to, amount, at, apart, _, none, gate_at, _, has_gate, by, seats = part
    numbers = [int.from_bytes(row[at + k * apart : at + (k + 1) * apart], "little", signed=True) for k in range(amount)]
    there = int.from_bytes(row[gate_at : gate_at + 1], "little", signed=True) if has_gate else amount
    bits = [row[at + k // 8] >> k % 8 & 1 for k in range(amount)]

    def name_seat(seat: int) -> int:
        """The seat `by` is number 1, and those to its left follow."""
        if seat <= 0 or not seats:
            return seat
        return seat - by + 1 + (seats if seat < by else 0)

    for k, value in enumerate(numbers):
        if what == COPY:
            seen[to + k] = none if value == NOTHING or k >= there else name_seat(value)
        elif what == BITS:
            seen[to + k] += bits[k]
        elif what == ADD:
            seen[to + k] += value
        elif what == TALLY and k < there:
            seen[to + value] += 1
    if what == COUNT_BITS:
        seen[to] += sum(bits)
    elif what == TURN:
        asked = int.from_bytes(row[PC : PC + 2], "little")
        seen[to] = 0 if together[asked] else name_seat(numbers[0])


@pytest.mark.parametrize("seed", range(40))
def test_parts_of_random_rows(seed: int) -> None:
    chance, memory = Random(seed), KernelMemory()
    rows = [bytearray(chance.randbytes(SIZE)) for _ in range(ROWS)]
    for row in rows:
        row[PC : PC + 2] = chance.randrange(3).to_bytes(2, "little")
        row[GATE] = chance.randrange(6)
        row[SMALL : SMALL + 6] = bytes(chance.randrange(4) for _ in range(6))
        if chance.random() < 0.5:
            row[:4] = (NOTHING & 0xFFFFFFFF).to_bytes(4, "little")
    parts, together = [random_part(chance) for _ in range(8)], [0, 1, 0]
    starts, whose = [0, 5, 8], [chance.randrange(2) for _ in rows]
    expected = numpy.zeros((ROWS, WIDE), dtype=numpy.int64)
    for row, who, seen in zip(rows, whose, expected, strict=True):
        told: list[int] = seen.tolist()
        for part in parts[starts[who] : starts[who + 1]]:
            see_part(bytes(row), part, told, together)
        seen[:] = told
    found: Any = memory.put(numpy.full((ROWS, WIDE), 99), numpy.int32)
    assert len(parts[0]) == WIDTH
    memory.run(
        [copy_parts_function()], "copy parts", memory.put([list(row) for row in rows], numpy.uint8), SIZE, ROWS,
        memory.put(whose), memory.put(starts), memory.put(parts), PC, 48, memory.put(together), found, WIDE,
    )  # fmt: skip
    assert found.tolist() == expected.astype(numpy.int32).tolist()
