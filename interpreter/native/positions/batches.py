"""Many positions at once, as rows of an array: questions, answers, fields. For learners and search.

A row is one position, `size` bytes. Arrays go in and out; nothing is copied that need not be.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy
from attrs import define, field

from rulesrun.interpreter.form.form import Field
from rulesrun.interpreter.model.values import TEAM
from rulesrun.interpreter.native.expressions import scales
from rulesrun.interpreter.native.positions.block_kernels import DRAWN, EVENLY
from rulesrun.interpreter.native.positions.positions import NativePositions, Position
from rulesrun.interpreter.native.positions.row_kernels import CHANCE
from rulesrun.interpreter.play.step import PlayerDecision
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait, ValueWait
from rulesrun.interpreter.reference.decisions import DecisionWait

Rows = numpy.ndarray[Any, numpy.dtype[numpy.uint8]]
Numbers = numpy.ndarray[Any, numpy.dtype[numpy.int64]]

OVER, STUCK = 0, -1
MOST_CHANCE_IN_A_ROW = 100_000  # answers of chance without a question to anybody: such a game is stuck
NOBODY = -2  # who decides, where it is neither a seat nor chance
KINDS = {8: numpy.int8, 16: numpy.int16, 32: numpy.int32, 64: numpy.int64}


@define(eq=False)
class Batch:
    """Positions of one table, many at a time. Each thread needs one of its own."""

    positions: NativePositions
    size: int = field(init=False)
    _follow: Any = field(init=False)
    _count: Any = field(init=False)
    _at_random: Any = field(init=False)
    _play_on: Any = field(init=False)
    _choosers: Any = field(init=False)  # by question: chance, the team, or 1 for who is `player`
    _weighing: tuple[Any, Any] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.size = self.positions.form.plan.size
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._follow = self.positions.code.function("follow many", None, pointer, pointer, number, pointer, pointer)
        self._count = self.positions.code.function("count many", None, pointer, pointer, number, pointer)
        self._at_random = self.positions.code.function(
            "answers at random", None, pointer, pointer, number, pointer, pointer, pointer, pointer,
        )
        self._play_on = self.positions.code.function(
            "play on", None, pointer, pointer, number, pointer, pointer, pointer, pointer, pointer, number, pointer,
        )
        self._choosers, self._weighing = self.compute_choosers(), self.compute_weighing()

    def compute_choosers(self) -> Any:
        found = numpy.full(len(self.positions.questions_by_number) + 1, NOBODY, dtype=numpy.int64)
        for at, (_, wait) in self.positions.questions_by_number.items():
            is_team = isinstance(wait, DecisionWait) and wait.is_team
            found[at] = CHANCE if isinstance(wait, ChanceWait) else TEAM if is_team else 1
        return found

    def compute_weighing(self) -> tuple[Any, Any]:
        """For every question how its answers are weighed, and all weights that never change."""
        kinds, faces = numpy.full(len(self.positions.questions_by_number) + 1, EVENLY, dtype=numpy.int64), [0]
        for at, (_, wait) in self.positions.questions_by_number.items():
            if isinstance(wait, DrawWait):
                kinds[at] = DRAWN
            elif isinstance(wait, ValueWait) and not isinstance(wait, OrderWait) and len(set(wait.weights)) > 1:
                kinds[at] = len(faces)
                faces.extend(weight for weight in wait.weights if weight)
        return kinds, numpy.array(faces, dtype=numpy.int64)

    def start(self, amount: int) -> Rows:
        """So many games at their first question."""
        position: Any = self.positions.begin_game().state
        first = numpy.frombuffer(position.memory, dtype=numpy.uint8)
        return numpy.repeat(first[None, :], amount, axis=0)

    def options(self, rows: Rows) -> Numbers:
        """How many answers there are to the question of each position; 0 when the game is over."""
        self.check_rows(rows)
        found: Numbers = numpy.empty(len(rows), dtype=numpy.int64)
        self._count(self.positions.address, rows.ctypes.data, len(rows), found.ctypes.data)
        return found

    def apply_answers(self, rows: Rows, answers: Numbers) -> Numbers:
        """Answers the question of each position, in place; gives the number of its next question.

        0: the game is over; -1: the rules lead to a fault there; `ILLEGAL`: there is no such answer.
        """
        self.check_rows(rows)
        answers = numpy.ascontiguousarray(answers, dtype=numpy.int64)
        if answers.shape != (len(rows),):
            raise ValueError("there must be one answer for each position")
        found = numpy.empty(len(rows), dtype=numpy.int64)
        self._follow(self.positions.address, rows.ctypes.data, len(rows), answers.ctypes.data, found.ctypes.data)
        return found

    def at_random(self, rows: Rows, words: Any) -> Numbers:
        """An answer for each position, by a random word of 64 bits each: chance by its weights, options all alike."""
        self.check_rows(rows)
        words = numpy.ascontiguousarray(words, dtype=numpy.uint64)
        if words.shape != (len(rows),):
            raise ValueError("there must be one random word for each position")
        kinds, faces = self._weighing
        found = numpy.zeros(len(rows), dtype=numpy.int64)
        self._at_random(
            self.positions.address, rows.ctypes.data, len(rows), words.ctypes.data, kinds.ctypes.data,
            faces.ctypes.data, found.ctypes.data,
        )
        return found

    def play_on(self, rows: Rows, answers: Numbers, streams: Any) -> Numbers:
        """Answers the question of each position, in place, and then all that chance decides; below zero: chance alone.

        `streams`: 64 bits a row, from which chance takes its words; moves on. Gives what `apply_answers` gives.
        """
        self.check_rows(rows)
        answers = numpy.ascontiguousarray(answers, dtype=numpy.int64)
        if answers.shape != (len(rows),) or streams.shape != (len(rows),) or streams.dtype != numpy.uint64:
            raise ValueError("there must be one answer and one stream of chance for each position")
        found: Numbers = numpy.empty(len(rows), dtype=numpy.int64)
        self.bind_play(rows, answers, streams, found)()
        return found

    def bind_play(self, rows: Rows, answers: Numbers, streams: Any, found: Numbers) -> Callable[[], None]:
        """The same as a call on arrays that stay where they are, without a look at what is given. They must be kept as
        long as it is."""
        kinds, faces = self._weighing
        return partial(
            self._play_on, self.positions.address, rows.ctypes.data, len(rows), answers.ctypes.data,
            streams.ctypes.data, self._choosers.ctypes.data, kinds.ctypes.data, faces.ctypes.data,
            MOST_CHANCE_IN_A_ROW, found.ctypes.data,
        )

    def list_keys(self, row: Any) -> list[tuple[Any, ...]]:
        """The options of one position, as the reference has them; of chance and at the end none."""
        question = self.positions.pending_decision(Position(row.tobytes()))
        return [one.key for one in question.options] if isinstance(question, PlayerDecision) else []

    def deciding(self, rows: Rows) -> Numbers:
        """Whose decision it is: a seat, 0 for the team, `CHANCE`, or `NOBODY` when the game is over."""
        asked: Numbers = self._choosers[self.read_named_field(rows, "pc")[:, 0]]
        return numpy.where(asked == 1, self.read_named_field(rows, "player")[:, 0], asked)

    def is_over(self, rows: Rows) -> Any:
        found: Any = self.read_named_field(rows, "pc")[:, 0] == OVER
        return found

    def scores(self, rows: Rows) -> Any:
        """What every player has so far, by seat; numbers with a point where points may be fractions."""
        times = scales.scale_of_total(self.positions.form.plan)
        found: Any = self.read_named_field(rows, "total").copy()
        return found if times == 1 else found / times

    def places(self, rows: Rows) -> Any:
        """The final place of every player, from 1, by seat; 0 while the game goes on."""
        found: Any = self.read_named_field(rows, "place").copy()
        return found

    def check_rows(self, rows: Rows) -> None:
        if rows.dtype != numpy.uint8 or rows.ndim != 2 or rows.shape[1] != self.size or not rows.flags.c_contiguous:
            raise ValueError(f"positions are rows of {self.size} bytes, one after the other")

    def read_named_field(self, rows: Rows, name: str) -> Any:
        """One field of all positions, as an array that looks into the rows; `player`, `pc`, `total`, a variable."""
        return self.read_field(rows, self.positions.form.plan.fields[name])

    def read_field(self, rows: Rows, place: Field) -> Any:
        if not len(rows):
            return numpy.zeros((0, place.amount), KINDS[place.bits])
        return numpy.ndarray(
            (len(rows), place.amount), KINDS[place.bits], rows.data, offset=place.at,
            strides=(rows.strides[0], place.bits // 8),
        )
