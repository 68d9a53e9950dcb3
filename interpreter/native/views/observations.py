"""What one seat sees of many positions, as an array with a name for every part. Takes rows, copies what is seen alone.

Nothing of what the seat cannot see has a say in any byte: of a hidden place there is the number of components, no more.
What `show` lays open for a moment is there where the machine notes it.
"""

from __future__ import annotations

from typing import Any

import numpy
from attrs import define, evolve, field

from rulesrun.interpreter.form.form import Field
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.domains import find_value_span
from rulesrun.interpreter.native.layout.plan import Store
from rulesrun.interpreter.native.positions.batches import KINDS, Batch, Rows
from rulesrun.interpreter.native.views.part_kernel import ADD, BITS, COPY, COUNT_BITS, TALLY, TURN
from rulesrun.interpreter.native.views.shown_rows import (
    COUNT,
    KIND,
    NUMBER,
    SEAT,
    TRUTH,
    WIDEST,
    WORD,
    Bounds,
    CopiedNumbers,
    ObservedPart,
    ShownRows,
)
from rulesrun.interpreter.play.visibility import can_see
from rulesrun.interpreter.reference.decisions import TogetherWait

NONE = -1  # where no component lies
MEANINGS = {"number": NUMBER, "truth": TRUTH, "seat": SEAT, "word": WORD, "component": KIND, "list": NUMBER}
Seen = numpy.ndarray[Any, numpy.dtype[Any]]


@define(eq=False)
class BatchObserver:
    """What a seat sees of the positions of a batch."""

    batch: Batch
    seat: int
    kind: numpy.dtype[Any] = field(init=False)
    parts: list[ObservedPart] = field(init=False, factory=list)
    together: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        table, n = self.batch.positions.table, self.batch.positions.table.players
        self.together = [
            number
            for number, (_, wait) in self.batch.positions.questions_by_number.items()
            if isinstance(wait, TogetherWait)
        ]
        turn = CopiedNumbers(TURN, self.plan.fields["player"], 0, 1)
        self.add_part(ObservedPart("whose turn", numpy.int8, (), self.whose_turn, Bounds(SEAT, 0, n), (turn,)))
        phases = len(table.bench.phases)
        for name, bounds in (
            ("round", Bounds(NUMBER, 0, 1 << 30)), ("starter", Bounds(SEAT, 0, n)), ("phase", Bounds(WORD, 0, phases)),
        ):
            self.add_field(name, self.plan.fields[name], 0, 1, (), bounds)
        points = Bounds(NUMBER, -WIDEST, WIDEST)
        for name in ("total", "latest total"):
            self.add_field(name, self.plan.fields[name], 0, n, (n,), points, is_by_seat=True)
        for name in ("counted", "latest"):
            place = self.plan.fields[name]
            self.add_field(name, place, 0, place.amount, (place.amount // n, n), points, is_by_seat=True)
        for group, room in enumerate(table.bench.zones_at_table, start=1):
            for number in range(room.amount):
                self.add_zone(room, number, group)
        for group, variable in enumerate(table.bench.variables.values(), start=len(table.bench.zones) + 1):
            for number in range(variable.amount):
                if can_see(variable, number, self.seat):
                    self.add_variable(variable, number, group)
        for part in ShownRows(self.batch, self.seat).view_parts(self.bounds_of_variable):
            self.add_part(part)
        self.kind = numpy.dtype([(part.name, part.kind, part.shape) for part in self.parts])

    @property
    def plan(self) -> Any:
        return self.batch.positions.form.plan

    def observe_rows(self, rows: Rows) -> Seen:
        self.batch.check_rows(rows)
        found = numpy.zeros(len(rows), dtype=self.kind)
        for part in self.parts:
            found[part.name] = part.read(rows).reshape((len(rows), *part.shape))
        return found

    # ---- parts

    def add_part(self, part: ObservedPart) -> None:
        known = {one.name for one in self.parts}
        self.parts.append(part if part.name not in known else evolve(part, name=f"{part.name} ({len(known)})"))

    def add_field(
        self, name: str, place: Field, first: int, amount: int, shape: tuple[int, ...], bounds: Bounds, group: int = 0,
        owner: int = 0, is_by_seat: bool = False,
    ) -> None:
        def read(rows: Rows) -> Any:
            return self.read_field_part(rows, place, first, amount)

        copied = (CopiedNumbers(COPY, place, first, amount),)
        self.add_part(ObservedPart(name, KINDS[place.bits], shape, read, bounds, copied, group, owner, is_by_seat))

    def add_variable(self, variable: VariableRoom, number: int, group: int) -> None:
        place = self.plan.variables[id(variable.declaration)]
        each = place.amount // variable.amount
        shape, owner = ((each,) if each > 1 else ()), owner_of(variable, number)
        self.add_field(
            variable.names[number], place, number * each, each, shape, self.bounds_of_variable(variable), group, owner
        )

    def bounds_of_variable(self, room: VariableRoom) -> Bounds:
        place = self.plan.variables[id(room.declaration)]
        span = find_value_span(self.batch.positions.table.bench, room.declaration.type)
        widest = min((1 << (place.bits - 1)) - 1, WIDEST)
        low, high = (-widest, widest) if span.sort == "list" else (span.low, span.high)
        return Bounds(MEANINGS[span.sort], low - int(span.is_optional), high)

    def read_field_part(self, rows: Rows, place: Field, first: int, amount: int) -> Any:
        return self.batch.read_field(rows, place)[:, first : first + amount]

    def whose_turn(self, rows: Rows) -> Any:
        """While several choose at once, whose answer is being taken is nobody's knowledge."""
        player = self.read_field_part(rows, self.plan.fields["player"], 0, 1)[:, 0]
        asked = self.read_field_part(rows, self.plan.fields["pc"], 0, 1)[:, 0]
        return numpy.where(numpy.isin(asked, self.together), 0, player)

    def add_zone(self, room: ZoneRoom, number: int, group: int) -> None:
        store, name, owner = self.plan.stores[id(room.declaration)], room.names[number], owner_of(room, number)
        if room.declaration.visibility == "public top":
            self.add_part(ObservedPart(
                f"top of {name}", numpy.int16, (), lambda rows: self.known_top(rows, store, number),
                Bounds(KIND, NONE, len(store.kinds) - 1), (), group, owner,
            ))
        elif can_see(room, number, self.seat):
            self.add_contents(name, store, number, group, owner)
            if store.shape != "row":
                return
        self.add_part(ObservedPart(
            f"count of {name}", numpy.int16, (), lambda rows: self.count_components(rows, store, number),
            Bounds(COUNT, 0, sum(store.kinds.copies)), self.copied_count(store, number), group, owner,
        ))

    def add_contents(self, name: str, store: Store, number: int, group: int, owner: int) -> None:
        many = len(store.kinds)
        if store.shape == "row":
            self.add_part(ObservedPart(
                name, numpy.int16, (max(store.capacity, 1),), lambda rows: self.read_row_items(rows, store, number),
                Bounds(KIND, NONE, many - 1), self.copied_items(COPY, store, number), group, owner,
            ))
        else:
            self.add_part(ObservedPart(
                name, numpy.uint8, (many,), lambda rows: self.count_kinds(rows, store, number),
                Bounds(COUNT, 0, max(store.kinds.copies, default=0)), self.copied_kinds(store, number), group, owner,
            ))

    def copied_items(self, what: int, store: Store, number: int) -> tuple[CopiedNumbers, ...]:
        assert store.items is not None
        assert store.length is not None
        many = max(store.capacity, 1)
        return (CopiedNumbers(what, store.items, number * many, many, (store.length, number)),)

    def copied_kinds(self, store: Store, number: int) -> tuple[CopiedNumbers, ...]:
        many = len(store.kinds)
        if store.shape == "row":
            return self.copied_items(TALLY, store, number)
        if store.shape == "bag":
            return tuple(one for part in parts_of(store) for one in self.copied_kinds(part, number))
        assert store.members is not None
        if store.shape == "bits":
            return (CopiedNumbers(BITS, store.members, number, many),)
        return (CopiedNumbers(ADD, store.members, number * many, many),)

    def copied_count(self, store: Store, number: int) -> tuple[CopiedNumbers, ...]:
        if store.shape == "bag":
            return tuple(one for part in parts_of(store) for one in self.copied_count(part, number))
        if store.shape == "bits":
            assert store.members is not None
            return (CopiedNumbers(COUNT_BITS, store.members, number, len(store.kinds)),)
        place = store.size if store.shape == "counts" else store.length
        assert place is not None
        return (CopiedNumbers(ADD, place, number, 1),)

    def count_kinds(self, rows: Rows, store: Store, number: int) -> Any:
        """How many of each kind lie there."""
        many = len(store.kinds)
        if store.shape == "bits":
            assert store.members is not None
            step = store.members.bits // 8
            at = store.members.at + number * step
            return numpy.unpackbits(rows[:, at : at + step], axis=1, bitorder="little")[:, :many]
        if store.shape == "counts":
            assert store.members is not None
            return self.read_field_part(rows, store.members, number * many, many)
        found = numpy.zeros((len(rows), many), dtype=numpy.uint8)
        if store.shape == "row":
            items = self.read_row_items(rows, store, number)
            for at in range(items.shape[1]):
                there = items[:, at] >= 0
                found[numpy.nonzero(there)[0], items[there, at]] += 1
            return found
        for part in (store.bottom, store.inner, store.top):
            found = found if part is None else found + self.count_kinds(rows, part, number)
        return found

    def read_row_items(self, rows: Rows, store: Store, number: int) -> Any:
        """From the left, or the bottom."""
        assert store.items is not None
        many = max(store.capacity, 1)
        items = self.read_field_part(rows, store.items, number * many, many).astype(numpy.int16)
        items[numpy.arange(many)[None, :] >= self.count_components(rows, store, number)[:, None]] = NONE
        return items

    def count_components(self, rows: Rows, store: Store, number: int) -> Any:
        if store.shape == "bits":
            return self.count_kinds(rows, store, number).sum(axis=1, dtype=numpy.int16)
        if store.shape == "bag":
            parts = [part for part in (store.bottom, store.inner, store.top) if part is not None]
            return sum(self.count_components(rows, part, number).astype(numpy.int16) for part in parts)
        place = store.size if store.shape == "counts" else store.length
        assert place is not None
        return self.read_field_part(rows, place, number, 1)[:, 0]

    def known_top(self, rows: Rows, store: Store, number: int) -> Any:
        """The kind on top; none where nothing lies, or nobody knows what."""
        found = numpy.full(len(rows), NONE, dtype=numpy.int16)
        is_open = numpy.ones(len(rows), dtype=bool)
        parts = (store.top, store.inner, store.bottom) if store.shape == "bag" else (store,)
        for part in parts:
            if part is None:
                continue
            size = self.count_components(rows, part, number)
            here = is_open & (size > 0)
            if part.shape == "row":
                items, last = self.read_row_items(rows, part, number), numpy.maximum(size, 1) - 1
                found[here] = items[numpy.arange(len(rows)), last][here]
            else:
                alone = here & (size == 1)
                found[alone] = self.count_kinds(rows, part, number).argmax(axis=1)[alone]
            is_open &= ~here
        return found


def owner_of(room: ZoneRoom | VariableRoom, number: int) -> int:
    """The seat whose instance this is; 0 where it is nobody's."""
    return number // room.per_player + 1 if room.declaration.per_player else 0


def parts_of(store: Store) -> list[Store]:
    """Of a pile that was shuffled: what lies under, in and on it."""
    return [part for part in (store.bottom, store.inner, store.top) if part is not None]
