"""A game made of a few bytes, for kernels that call the functions of a table: nobody could play it."""

from __future__ import annotations

from typing import Any

# Bytes of a position: what is asked, whether it is a fault, how it goes on, what was answered, some more to be told.
ASKED, FAULT, MIXED, ANSWERED, FIRST, SECOND, THIRD = range(7)
SIZE, QUESTIONS = 8, 5
TOLD, TELLING, SHEETS, END = 16, 24, 128, 192  # beside it: points that were counted, what is told of a question
DRAWING = 1  # the question at which something is drawn


def count(position: Any) -> int:
    amount = int(position[2]) % 4 + 1
    if position[ASKED] == DRAWING:
        for which in range(amount):  # what may be drawn, and its weight
            write_word(position, TELLING + 16 * which, 10 * which)
            write_word(position, TELLING + 16 * which + 8, (position[2] + which) % 3 + (which == 0))
    return amount


def settle(position: Any, answer: int) -> int:
    position[3] = answer
    return 0


def run(position: Any) -> int:
    position[2] = (position[2] * 5 + position[3] * 3 + 1) % 251
    position[0], position[1] = position[2] % QUESTIONS, position[2] == 77
    position[4], position[5], position[6] = position[2] % 3, position[3], position[2] % 5
    write_word(position, TOLD, int.from_bytes(position[TOLD : TOLD + 8], "little") + (position[2] % 7 == 0))
    return -1 if position[2] == 13 else int(position[0])


def tell(position: Any) -> int:
    write_word(position, TELLING, position[2] % 2)
    write_word(position, TELLING + 8, position[2] % 3)
    return 0


def write_word(position: Any, at: int, value: int) -> None:
    position[at : at + 8] = value.to_bytes(8, "little")
