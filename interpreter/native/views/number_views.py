"""What one seat sees of many positions, as rows of whole numbers, all parts one after the other; with their layout.

Seen from the seat itself on request: the seat is number 1 then, whoever sits to its left number 2, and what belongs to
seats stands in that order, so that every seat's numbers mean the same.
"""

from __future__ import annotations

import ctypes
import re
from typing import Any

import numpy
from attrs import define, field, frozen

from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compile_text
from rulesrun.interpreter.native.positions.batches import Batch, Rows
from rulesrun.interpreter.native.views.observations import BatchObserver
from rulesrun.interpreter.native.views.observed_parts import SEAT, CopiedNumbers, ObservedPart
from rulesrun.interpreter.native.views.part_kernel import BITS, COPY, COPY_PARTS, COUNT_BITS, TURN


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
class NumberView:
    """The numbers of a seat. `is_relative`: seen from it."""

    observer: BatchObserver
    is_relative: bool
    cache: Cache | None = None
    layout: tuple[LayoutPart, ...] = field(init=False)
    width: int = field(init=False)
    _beside: list[tuple[LayoutPart, ObservedPart]] = field(init=False, factory=list)  # those that Python reads
    _records: Any = field(init=False)
    _together: Any = field(init=False)
    _code: MachineCode = field(init=False)
    _copy: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        parts = sorted(self.observer.parts, key=self.place_of) if self.is_relative else self.observer.parts
        layout: list[LayoutPart] = []
        records: list[tuple[int, ...]] = []
        at = 0
        for part in parts:
            name = self.seen_name(part) if self.is_relative else part.name
            found = LayoutPart(name, at, part.amount, part.bounds.low, part.bounds.high, part.bounds.meaning)
            layout.append(found)
            if not part.copied:
                self._beside.append((found, part))
            for one in part.copied:
                records.extend(self.list_records(part, one, at))
            at += part.amount
        self.layout, self.width = tuple(layout), at
        self._records = numpy.array(records or [(0,) * 12], dtype=numpy.int64)
        asked = self.batch.positions.questions_by_number
        self._together = numpy.zeros(len(asked) + 1, dtype=numpy.int64)
        self._together[self.observer.together] = 1
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._code = compile_text(COPY_PARTS, self.cache)
        self._copy = self._code.function(
            "copy_parts", None, pointer, number, number, pointer, number, number, number, pointer, pointer, number
        )

    @property
    def batch(self) -> Batch:
        return self.observer.batch

    def observe_rows(self, rows: Rows) -> Any:
        self.batch.check_rows(rows)
        found = numpy.empty((len(rows), self.width), dtype=numpy.int32)
        self.observe_into(rows, found)
        return found

    def observe_into(self, rows: Rows, found: Any) -> None:
        """The same without a look at what is given."""
        pc = self.batch.positions.form.plan.fields["pc"]
        self._copy(
            rows.ctypes.data, self.batch.size, len(rows), self._records.ctypes.data, len(self._records), pc.at,
            64 - pc.bits, self._together.ctypes.data, found.ctypes.data, self.width,
        )
        for place, part in self._beside:
            found[:, place.offset : place.offset + place.amount] = part.read(rows).reshape(len(rows), place.amount)

    # ---- seen from the seat

    def role_of(self, seat: int) -> int:
        """1 for the seat itself, then to the left."""
        return (seat - self.observer.seat) % self.batch.positions.table.players + 1

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
        players = self.batch.positions.table.players
        turn = (self.observer.seat, players) if turns else (0, 0)
        rest = (step, 64 - one.place.bits if not is_bits else 0, part.bounds.low, *gate, *turn)
        if self.is_relative and part.is_by_seat:
            return [
                (one.what, at + self.place_by_seat(which, players), 1, first + which * step, *rest)
                for which in range(one.amount)
            ]
        return [(one.what, at, one.amount, first, *rest)]

    def place_by_seat(self, which: int, players: int) -> int:
        line, seat = divmod(which, players)
        return line * players + self.role_of(seat + 1) - 1
