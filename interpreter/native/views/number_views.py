"""What one seat sees of many positions, as rows of whole numbers, all parts one after the other; with their layout.

Seen from the seat itself on request: the seat is number 1 then, whoever sits to its left number 2, and what belongs to
seats stands in that order, so that every seat's numbers mean the same.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy
from attrs import define, field, frozen

from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compile_text, has_pdep
from rulesrun.interpreter.native.positions.batches import Batch, Rows
from rulesrun.interpreter.native.views.observations import BatchObserver
from rulesrun.interpreter.native.views.part_kernel import (
    BITS,
    COPY,
    COUNT_BITS,
    TURN,
    WIDTH,
    copy_parts_function,
    join_copies,
)
from rulesrun.interpreter.native.views.shown_rows import SEAT, CopiedNumbers, ObservedPart


@frozen
class LayoutPart:
    """So many numbers from `offset` on, each from `low` to `high`. `kind`: what they are: count, kind (of a component,
    -1 for none), word, seat, truth, number. Where there may be nothing, `low` stands for it."""

    name: str
    offset: int
    amount: int
    low: int
    high: int
    kind: str


@define(eq=False)
class SeatParts:
    """The parts of one seat in their order, and what the loop must know of them. `is_relative`: seen from the seat."""

    observer: BatchObserver
    is_relative: bool
    layout: tuple[LayoutPart, ...] = field(init=False)
    width: int = field(init=False)
    beside: list[tuple[LayoutPart, ObservedPart]] = field(init=False, factory=list)  # those that Python reads
    records: list[tuple[int, ...]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        parts = sorted(self.observer.parts, key=self.place_of) if self.is_relative else self.observer.parts
        layout: list[LayoutPart] = []
        at = 0
        for part in parts:
            name = self.seen_name(part) if self.is_relative else part.name
            found = LayoutPart(name, at, part.amount, part.bounds.low, part.bounds.high, part.bounds.meaning)
            layout.append(found)
            if not part.copied:
                self.beside.append((found, part))
            for one in part.copied:
                self.records.extend(self.list_records(part, one, at))
            at += part.amount
        self.layout, self.width, self.records = tuple(layout), at, join_copies(self.records)

    @property
    def players(self) -> int:
        return self.observer.batch.positions.table.players

    # ---- seen from the seat

    def role_of(self, seat: int) -> int:
        """1 for the seat itself, then to the left."""
        return (seat - self.observer.seat) % self.players + 1

    def place_of(self, part: ObservedPart) -> tuple[int, int]:
        return part.group, self.role_of(part.owner) if part.owner else 0

    def seen_name(self, part: ObservedPart) -> str:
        if not part.owner:
            return part.name
        role = self.role_of(part.owner)
        word = "me" if role == 1 else f"left {role - 1}"
        return re.sub(rf"\[{part.owner}(?=[,\]])", f"[{word}", part.name)

    # ---- for machine code

    def list_records(self, part: ObservedPart, one: CopiedNumbers, at: int) -> list[tuple[int, ...]]:
        step, is_bits = one.place.bits // 8, one.what in (BITS, COUNT_BITS)
        first = one.place.at + one.first * step
        gate = (0, 0, 0)
        if one.gate is not None:
            place, number = one.gate
            gate = (place.at + number * (place.bits // 8), 64 - place.bits, 1)
        turns = self.is_relative and part.bounds.meaning == SEAT and one.what in (COPY, TURN)
        turn = (self.observer.seat, self.players) if turns else (0, 0)
        rest = (step, 64 - one.place.bits if not is_bits else 0, part.bounds.low, *gate, *turn)
        if self.is_relative and part.is_by_seat:
            return [
                (one.what, at + self.place_by_seat(which), 1, first + which * step, *rest)
                for which in range(one.amount)
            ]
        return [(one.what, at, one.amount, first, *rest)]

    def place_by_seat(self, which: int) -> int:
        line, seat = divmod(which, self.players)
        return line * self.players + self.role_of(seat + 1) - 1


@define(eq=False)
class NumberView:
    """What several seats see, each in the same number of columns: `seats[k]` is seen under number k."""

    seats: tuple[SeatParts, ...]
    cache: Cache | None = None
    width: int = field(init=False)
    _starts: Any = field(init=False)
    _records: Any = field(init=False)
    _together: Any = field(init=False)
    _code: MachineCode = field(init=False)
    _copy: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.width = self.seats[0].width
        if any(one.width != self.width for one in self.seats):
            raise ValueError("these seats do not see the same number of things")
        records = [record for one in self.seats for record in one.records]
        self._starts = numpy.cumsum([0, *(len(one.records) for one in self.seats)], dtype=numpy.int64)
        self._records = numpy.array(records or [(0,) * WIDTH], dtype=numpy.int64)
        asked = self.batch.positions.questions_by_number
        self._together = numpy.zeros(len(asked) + 1, dtype=numpy.int64)
        self._together[self.seats[0].observer.together] = 1
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._code = compile_text(ModuleText(has_pdep()).format_module([copy_parts_function()]), self.cache)
        self._copy = self._code.function(
            "copy parts", None, pointer, number, number, pointer, pointer, pointer, number, number, pointer, pointer,
            number,
        )

    @property
    def batch(self) -> Batch:
        return self.seats[0].observer.batch

    @property
    def layout(self) -> tuple[LayoutPart, ...]:
        return self.seats[0].layout

    def observe_rows(self, rows: Rows, whose: Any = None) -> Any:
        """`whose`: for each row the number of the seat that looks; the first unless told."""
        self.batch.check_rows(rows)
        whose = numpy.zeros(len(rows), dtype=numpy.int64) if whose is None else numpy.ascontiguousarray(whose)
        if whose.shape != (len(rows),) or whose.dtype != numpy.int64 or not self.are_seats(whose):
            raise ValueError("of each position must be said who looks at it")
        found = numpy.empty((len(rows), self.width), dtype=numpy.int32)
        self.observe_into(rows, whose, found)
        return found

    def are_seats(self, whose: Any) -> bool:
        return bool((whose.min(initial=0) >= 0) and (whose.max(initial=0) < len(self.seats)))

    def observe_into(self, rows: Rows, whose: Any, found: Any) -> None:
        """The same without a look at what is given."""
        self.bind_copies(rows, whose, found)()
        for number, seat in enumerate(self.seats):
            if seat.beside:
                self.read_beside(seat, rows, numpy.flatnonzero(whose == number), found)

    @property
    def is_in_machine_code(self) -> bool:
        """Whether `bind_copies` is all that there is to do."""
        return not any(seat.beside for seat in self.seats)

    def bind_copies(self, rows: Rows, whose: Any, found: Any) -> Callable[[], None]:
        """What machine code does of it, as a call on arrays that stay where they are, and are kept."""
        pc = self.batch.positions.form.plan.fields["pc"]
        return partial(
            self._copy, rows.ctypes.data, self.batch.size, len(rows), whose.ctypes.data, self._starts.ctypes.data,
            self._records.ctypes.data, pc.at, 64 - pc.bits, self._together.ctypes.data, found.ctypes.data, self.width,
        )

    def read_beside(self, seat: SeatParts, rows: Rows, own: Any, found: Any) -> None:
        """Parts that speak of what is shown are read where something is: seldom."""
        shown = own
        if any(part.is_of_shown for _, part in seat.beside):
            shown = own[self.batch.read_named_field(rows, "shown")[own, 0] > 0]
        for place, part in seat.beside:
            columns = slice(place.offset, place.offset + place.amount)
            if part.is_of_shown and place.low < 0:
                found[own, columns] = place.low
            there = shown if part.is_of_shown else own
            if len(there):
                told = part.read(numpy.ascontiguousarray(rows[there]))
                found[there, columns] = told.reshape(len(there), place.amount)
