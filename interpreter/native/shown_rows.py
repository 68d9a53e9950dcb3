"""What `show` lays open to a seat in many positions: rows of a machine that notes it in, arrays out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
from attrs import frozen

from rulesrun.interpreter.native.batches import Batch, Rows
from rulesrun.interpreter.native.showing import shown_zones
from rulesrun.interpreter.workbench import ZoneRoom

Part = tuple[str, Any, tuple[int, ...], Callable[[Rows], Any]]
NONE = -1  # where no component lies, or nothing is shown


@frozen(eq=False)
class ShownRows:
    """Of a zone that was shown more than once since the last answer, what was shown last."""

    batch: Batch
    seat: int

    def parts(self) -> list[Part]:
        """Two of every zone that may be shown: whether it is, and what lay there."""
        plan = self.batch.positions.form.plan
        if "shown" not in plan.fields:
            return []
        return [part for room in shown_zones(plan) for at in range(room.amount) for part in self.parts_of(room, at)]

    def parts_of(self, room: ZoneRoom, at: int) -> list[Part]:
        store, slot, name = self.batch.positions.form.plan.stores[id(room.declaration)], room.base + at, room.names[at]
        many, capacity = len(store.kinds), max(store.capacity, 1)
        is_shown: Part = (f"is shown {name}", numpy.bool_, (), lambda rows: self.entry(rows, slot) >= 0)
        if store.shape == "row":
            shape, kind = (capacity,), numpy.int16
            return [is_shown, (f"shown {name}", kind, shape, lambda rows: self.in_order(rows, slot, capacity))]
        return [is_shown, (f"shown {name}", numpy.uint8, (many,), lambda rows: self.amounts(rows, slot, many))]

    def entry(self, rows: Rows, slot: int) -> Any:
        """Which of the notes speaks of this zone."""
        amount, to, place = (self.batch.values(rows, name) for name in ("shown", "shown to", "shown place"))
        found = numpy.full(len(rows), NONE)
        for at in range(int(amount.max(initial=0))):
            is_seen = (to[:, at] == 0) | (to[:, at] == self.seat)
            found[(at < amount[:, 0]) & is_seen & (place[:, at] == slot)] = at
        return found

    def in_order(self, rows: Rows, slot: int, capacity: int) -> Any:
        entry, found = self.entry(rows, slot), numpy.full((len(rows), capacity), NONE, dtype=numpy.int16)
        first, many = (self.batch.values(rows, name) for name in ("shown from", "shown many"))
        kinds, here = self.batch.values(rows, "shown kinds"), numpy.nonzero(entry >= 0)[0]
        first, many = first[here, entry[here]], many[here, entry[here]]
        for step in range(int(many.max(initial=0))):
            there = step < many
            found[here[there], step] = kinds[here[there], first[there] + step]
        return found

    def amounts(self, rows: Rows, slot: int, kinds: int) -> Any:
        """How many of each kind."""
        found = numpy.zeros((len(rows), kinds), dtype=numpy.uint8)
        for column in self.in_order(rows, slot, self.longest(rows)).T:
            there = numpy.nonzero(column >= 0)[0]
            found[there, column[there]] += 1
        return found

    def longest(self, rows: Rows) -> int:
        return max(int(self.batch.values(rows, "shown many").max(initial=0)), 1)
