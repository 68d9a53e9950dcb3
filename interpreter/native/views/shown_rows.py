"""What `show` lays open to a seat in many positions: rows of a machine that notes it in, arrays out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
from attrs import frozen

from rulesrun.interpreter.form.form import Field
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.native.positions.batches import Batch, Rows
from rulesrun.interpreter.native.views.shown_components import (
    find_shown_variables,
    find_shown_zones,
    shown_part_kinds,
)

# ---- observed parts
# One part of what a seat sees of many positions: its name, its bounds, how it is read.


Read = Callable[[Rows], Any]
WIDEST = (1 << 31) - 1

COUNT, KIND, WORD, SEAT, TRUTH, NUMBER = "count", "kind", "word", "seat", "truth", "number"


@frozen(eq=False)
class Bounds:
    """What the numbers of a part say, and between what they lie. Nothing, where there may be nothing, is `low`."""

    meaning: str
    low: int
    high: int


@frozen(eq=False)
class CopiedNumbers:
    """How machine code reads some numbers of a part: `what` is done, from where, up to which gate."""

    what: int
    place: Field
    first: int  # of the field's numbers, or of the bytes of bits
    amount: int
    gate: tuple[Field, int] | None = None  # only so many are there


@frozen(eq=False)
class ObservedPart:
    """`owner`: the seat whose it is, and how many parts of it come before for that seat; 0 where it is nobody's."""

    name: str
    kind: Any
    shape: tuple[int, ...]
    read: Read
    bounds: Bounds
    copied: tuple[CopiedNumbers, ...] = ()  # empty where machine code does not read it
    group: int = 0
    owner: int = 0
    is_by_seat: bool = False  # the last axis goes by seats
    is_of_shown: bool = False  # where nothing is shown just now, there is nothing to read

    @property
    def amount(self) -> int:
        return int(numpy.prod(self.shape, dtype=int)) if self.shape else 1


# ---- shown rows


NONE = -1  # where no component lies, or nothing is shown


@frozen(eq=False)
class ShownRows:
    """Of a zone that was shown more than once since the last answer, what was shown last."""

    batch: Batch
    seat: int

    def view_parts(self, bounds_of: Callable[[VariableRoom], Bounds]) -> list[ObservedPart]:
        """Two of every zone and value that may be shown, and of every kind of which some may be: whether, and what it
        was."""
        plan = self.batch.positions.form.plan
        if "shown" not in plan.fields:
            return []
        first = len(plan.bench.zones) + len(plan.bench.variables) + 1
        zones = [
            part
            for group, room in enumerate(find_shown_zones(plan), start=first)
            for at in range(room.amount)
            for part in self.zone_parts(room, at, group)
        ]
        beside = shown_part_kinds(plan).items()
        told = [
            part
            for group, room in enumerate(find_shown_variables(plan), start=first + len(find_shown_zones(plan)))
            for at in range(room.amount)
            for part in self.value_parts(room, at, group, bounds_of(room))
        ]
        return [*zones, *told, *(part for slot, kinds in beside for part in self.kind_parts(slot, kinds))]

    def value_parts(self, room: VariableRoom, at: int, group: int, bounds: Bounds) -> list[ObservedPart]:
        """A number or marker that may be told: whether, and what it said last; `nothing` as one less than the least."""
        slot, name = room.base + at, room.names[at]
        owner = at // room.per_player + 1 if room.declaration.per_player else 0
        is_shown = self.whether_shown(name, slot, group, owner)
        return [is_shown, ObservedPart(
            f"shown {name}", numpy.int32, (), lambda rows: self.told_values(rows, slot, bounds), bounds, group=group,
            owner=owner, is_of_shown=True,
        )]

    def told_values(self, rows: Rows, slot: int, bounds: Bounds) -> Any:
        """What was told last; where nothing was, the least."""
        entry, values = self.last_note(rows, slot), self.batch.read_named_field(rows, "shown value")
        found = values[numpy.arange(len(rows)), numpy.maximum(entry, 0)].astype(numpy.int64)
        return numpy.where(entry >= 0, numpy.maximum(found, bounds.low), bounds.low).astype(numpy.int32)

    def kind_parts(self, slot: int, kinds: Kinds) -> list[ObservedPart]:
        """Shown beside whole zones: how many of each, of all together."""
        name, many, last = kinds.declaration.name.text, len(kinds), 1 << 30
        counts = Bounds(COUNT, 0, max(kinds.copies, default=0))
        return [
            self.whether_shown(name, slot, last, 0),
            ObservedPart(
                f"shown {name}", numpy.uint8, (many,), lambda rows: self.count_all_shown_kinds(rows, slot, many),
                counts, group=last, is_of_shown=True,
            ),
        ]

    def zone_parts(self, room: ZoneRoom, at: int, group: int) -> list[ObservedPart]:
        store, slot, name = self.batch.positions.form.plan.stores[id(room.declaration)], room.base + at, room.names[at]
        many, capacity = len(store.kinds), max(store.capacity, 1)
        owner = at // room.per_player + 1 if room.declaration.per_player else 0
        is_shown = self.whether_shown(name, slot, group, owner)
        if store.shape == "row":
            return [is_shown, ObservedPart(
                f"shown {name}", numpy.int16, (capacity,), lambda rows: self.shown_items(rows, slot, capacity),
                Bounds(KIND, NONE, many - 1), group=group, owner=owner, is_of_shown=True,
            )]
        return [is_shown, ObservedPart(
            f"shown {name}", numpy.uint8, (many,), lambda rows: self.count_shown_kinds(rows, slot, many),
            Bounds(COUNT, 0, max(store.kinds.copies, default=0)), group=group, owner=owner, is_of_shown=True,
        )]

    def whether_shown(self, name: str, slot: int, group: int, owner: int) -> ObservedPart:
        return ObservedPart(
            f"is shown {name}", numpy.bool_, (), lambda rows: self.last_note(rows, slot) >= 0, Bounds(TRUTH, 0, 1),
            group=group, owner=owner, is_of_shown=True,
        )

    def last_note(self, rows: Rows, slot: int) -> Any:
        """The last of the notes that speak of this place."""
        found = numpy.full(len(rows), NONE)
        for at, which in enumerate(self.rows_by_note(rows, slot)):
            found[which] = at
        return found

    def rows_by_note(self, rows: Rows, slot: int) -> list[Any]:
        """For each of the notes, in which rows it speaks of this place to this seat."""
        amount, to, place = (self.batch.read_named_field(rows, name) for name in ("shown", "shown to", "shown place"))
        every = range(int(amount.max(initial=0)))
        return [
            (at < amount[:, 0]) & ((to[:, at] == 0) | (to[:, at] == self.seat)) & (place[:, at] == slot)
            for at in every
        ]

    def shown_items(self, rows: Rows, slot: int, capacity: int) -> Any:
        return self.note_items(rows, self.last_note(rows, slot), capacity)

    def note_items(self, rows: Rows, entry: Any, capacity: int) -> Any:
        """What stands in one of the notes of each row."""
        found = numpy.full((len(rows), capacity), NONE, dtype=numpy.int16)
        first, many = (self.batch.read_named_field(rows, name) for name in ("shown from", "shown many"))
        kinds, here = self.batch.read_named_field(rows, "shown kinds"), numpy.nonzero(entry >= 0)[0]
        first, many = first[here, entry[here]], many[here, entry[here]]
        for step in range(int(many.max(initial=0))):
            there = step < many
            found[here[there], step] = kinds[here[there], first[there] + step]
        return found

    def count_shown_kinds(self, rows: Rows, slot: int, kinds: int) -> Any:
        """How many of each kind."""
        return self.count_kinds(self.shown_items(rows, slot, self.max_note_length(rows)), kinds)

    def count_all_shown_kinds(self, rows: Rows, slot: int, kinds: int) -> Any:
        """The same, of all that the notes say together."""
        found = numpy.zeros((len(rows), kinds), dtype=numpy.uint8)
        for at, which in enumerate(self.rows_by_note(rows, slot)):
            found += self.count_kinds(
                self.note_items(rows, numpy.where(which, at, NONE), self.max_note_length(rows)), kinds
            )
        return found

    def count_kinds(self, several: Any, kinds: int) -> Any:
        found = numpy.zeros((len(several), kinds), dtype=numpy.uint8)
        for column in several.T:
            there = numpy.nonzero(column >= 0)[0]
            found[there, column[there]] += 1
        return found

    def max_note_length(self, rows: Rows) -> int:
        return max(int(self.batch.read_named_field(rows, "shown many").max(initial=0)), 1)
