"""Many positions at once, as rows of an array: questions, answers, fields. For learners and search.

A row is one position, `size` bytes. Arrays go in and out; nothing is copied that need not be.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy
from attrs import define, field

from rulesrun.interpreter.native.form import Field
from rulesrun.interpreter.native.positions import Positions

Rows = numpy.ndarray[Any, numpy.dtype[numpy.uint8]]
Numbers = numpy.ndarray[Any, numpy.dtype[numpy.int64]]

ILLEGAL = -2  # what `follow` gives for an answer that there is not; the row stays as it was
KINDS = {8: numpy.int8, 16: numpy.int16, 32: numpy.int32, 64: numpy.int64}


@define(eq=False)
class Batch:
    """Positions of one table, many at a time. Each thread needs one of its own."""

    positions: Positions
    size: int = field(init=False)
    _follow: Any = field(init=False)
    _count: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.size = self.positions.form.plan.size
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._follow = self.positions.code.function("follow_many", None, pointer, pointer, number, pointer, pointer)
        self._count = self.positions.code.function("count_many", None, pointer, pointer, number, pointer)

    def start(self, amount: int) -> Rows:
        """So many games at their first question."""
        position: Any = self.positions.begin().state
        first = numpy.frombuffer(position.memory, dtype=numpy.uint8)
        return numpy.repeat(first[None, :], amount, axis=0)

    def options(self, rows: Rows) -> Numbers:
        """How many answers there are to the question of each position; 0 when the game is over."""
        self.check(rows)
        found = numpy.empty(len(rows), dtype=numpy.int64)
        self._count(self.positions.address, rows.ctypes.data, len(rows), found.ctypes.data)
        return found

    def follow(self, rows: Rows, answers: Numbers) -> Numbers:
        """Answers the question of each position, in place; gives the number of its next question.

        0: the game is over; -1: the rules lead to a fault there; `ILLEGAL`: there is no such answer.
        """
        self.check(rows)
        answers = numpy.ascontiguousarray(answers, dtype=numpy.int64)
        if answers.shape != (len(rows),):
            raise ValueError("there must be one answer for each position")
        found = numpy.empty(len(rows), dtype=numpy.int64)
        self._follow(self.positions.address, rows.ctypes.data, len(rows), answers.ctypes.data, found.ctypes.data)
        return found

    def check(self, rows: Rows) -> None:
        if rows.dtype != numpy.uint8 or rows.ndim != 2 or rows.shape[1] != self.size or not rows.flags.c_contiguous:
            raise ValueError(f"positions are rows of {self.size} bytes, one after the other")

    def values(self, rows: Rows, name: str) -> Any:
        """One field of all positions, as an array that looks into the rows; `player`, `pc`, `total`, a variable."""
        place: Field = self.positions.form.plan.fields[name]
        kind = KINDS[place.bits]
        step = place.bits // 8
        return numpy.ndarray(
            (len(rows), place.amount), kind, rows.data, offset=place.at, strides=(rows.strides[0], step)
        )
