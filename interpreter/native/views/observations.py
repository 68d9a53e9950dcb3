"""What one seat sees of many positions, as an array with a name for every part. Takes rows, copies what is seen alone.

Nothing of what the seat cannot see has a say in any byte: of a hidden place there is the number of components, no more.
What `show` lays open for a moment is there where the machine notes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
from attrs import define, field

from rulesrun.interpreter.form.form import Field
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.native.layout.plan import Store
from rulesrun.interpreter.native.positions.batches import KINDS, Batch, Rows
from rulesrun.interpreter.native.views.shown_rows import ShownRows
from rulesrun.interpreter.play.visibility import can_see
from rulesrun.interpreter.reference.decisions import TogetherWait

NONE = -1  # where no component lies
Seen = numpy.ndarray[Any, numpy.dtype[Any]]
Read = Callable[[Rows], Any]


@define(eq=False)
class BatchObserver:
    """What a seat sees of the positions of a batch."""

    batch: Batch
    seat: int
    kind: numpy.dtype[Any] = field(init=False)
    _parts: list[tuple[str, Any, tuple[int, ...], Read]] = field(init=False, factory=list)
    _together: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        table = self.batch.positions.table
        self._together = [
            number
            for number, (_, wait) in self.batch.positions.questions_by_number.items()
            if isinstance(wait, TogetherWait)
        ]
        self.add_part("whose turn", numpy.int8, (), self.whose_turn)
        for name in ("round", "starter", "phase"):
            self.add_field(name, self.plan.fields[name], 0, 1, ())
        for name in ("total", "latest total"):
            self.add_field(name, self.plan.fields[name], 0, table.players, (table.players,))
        for name in ("counted", "latest"):
            place = self.plan.fields[name]
            self.add_field(name, place, 0, place.amount, (place.amount // table.players, table.players))
        for room in table.bench.zones.values():
            for number in range(room.amount):
                self.add_zone(room, number)
        for variable in table.bench.variables.values():
            place = self.plan.variables[id(variable.declaration)]
            each = place.amount // variable.amount
            for number in range(variable.amount):
                if can_see(variable, number, self.seat):
                    shape = (each,) if each > 1 else ()
                    self.add_field(variable.names[number], place, number * each, each, shape)
        for part in ShownRows(self.batch, self.seat).view_parts():
            self.add_part(*part)
        self.kind = numpy.dtype([(name, kind, shape) for name, kind, shape, _ in self._parts])

    @property
    def plan(self) -> Any:
        return self.batch.positions.form.plan

    def observe_rows(self, rows: Rows) -> Seen:
        self.batch.check_rows(rows)
        found = numpy.zeros(len(rows), dtype=self.kind)
        for name, _, shape, read in self._parts:
            value = read(rows)
            found[name] = value.reshape((len(rows), *shape))
        return found

    # ---- parts

    def add_part(self, name: str, kind: Any, shape: tuple[int, ...], read: Read) -> None:
        known = {one for one, _, _, _ in self._parts}
        self._parts.append((name if name not in known else f"{name} ({len(known)})", kind, shape, read))

    def add_field(self, name: str, place: Field, first: int, amount: int, shape: tuple[int, ...]) -> None:
        self.add_part(name, KINDS[place.bits], shape, lambda rows: self.read_field_part(rows, place, first, amount))

    def read_field_part(self, rows: Rows, place: Field, first: int, amount: int) -> Any:
        return self.batch.read_field(rows, place)[:, first : first + amount]

    def whose_turn(self, rows: Rows) -> Any:
        """While several choose at once, whose answer is being taken is nobody's knowledge."""
        player = self.read_field_part(rows, self.plan.fields["player"], 0, 1)[:, 0]
        asked = self.read_field_part(rows, self.plan.fields["pc"], 0, 1)[:, 0]
        return numpy.where(numpy.isin(asked, self._together), 0, player)

    def add_zone(self, room: ZoneRoom, number: int) -> None:
        store, name = self.plan.stores[id(room.declaration)], room.names[number]
        if room.declaration.visibility == "public top":
            self.add_part(f"top of {name}", numpy.int16, (), lambda rows: self.known_top(rows, store, number))
        elif can_see(room, number, self.seat):
            self.add_contents(name, store, number)
            if store.shape != "row":
                return
        self.add_part(f"count of {name}", numpy.int16, (), lambda rows: self.count_components(rows, store, number))

    def add_contents(self, name: str, store: Store, number: int) -> None:
        many = len(store.kinds)
        if store.shape == "row":
            self.add_part(
                name, numpy.int16, (max(store.capacity, 1),), lambda rows: self.read_row_items(rows, store, number)
            )
        else:
            self.add_part(name, numpy.uint8, (many,), lambda rows: self.count_kinds(rows, store, number))

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
