"""Symmetries as data for machine code: takes the reference's group, gives items, one for each field of a position
that any of them changes. What cannot be laid out so is left to the reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy
from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import CannotCompile, Field
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.values import PLACES, PLAYER, SHEETS, STARTER
from rulesrun.interpreter.native.explore.canonical_rows import IN_USE, ITEM, PLAIN, RECORDS, RECORDS_TOO
from rulesrun.interpreter.native.explore.machine import ExploredForm
from rulesrun.interpreter.native.explore.memory import Numbers, Worker
from rulesrun.interpreter.native.explore.record_chains import KNOWN
from rulesrun.interpreter.native.explore.record_maps import maps_of_records
from rulesrun.interpreter.native.explore.records import Remembered
from rulesrun.interpreter.native.explore.symmetry_items import Item, Map, Source, items_of_store
from rulesrun.interpreter.native.layout.plan import Plan, Store
from rulesrun.interpreter.native.layout.stores import order_in
from rulesrun.interpreter.play.position_keys import Positions
from rulesrun.interpreter.reference.decisions import TogetherWait
from rulesrun.interpreter.symmetry.canonical_positions import Group, Images, Relabelling, once_each
from rulesrun.interpreter.symmetry.value_maps import Change, Ordered, ReseatedSheets, Unordered

MOST_MEMBERS = 1 << 15
LARGEST_VALUE = 1 << 12


def lay_out_group(worker: Worker, group: Group) -> None:
    """Fills in what `exploring_alike` reads."""
    laid = Laying(worker.form, group).laid() if group.members else Laid()
    worker.control["group"] = len(group.members)
    worker.keep("stages", laid.stages(worker.form))
    worker.keep("inverses", numpy.array([0, *laid.inverses], dtype=numpy.uint16))
    worker.keep("survivors", numpy.zeros(len(group.members) + 1, dtype=numpy.uint32))
    worker.tables = laid.kept


@define(eq=False)
class Laid:
    items: list[Item] = field(factory=list)
    items_at: dict[int, list[Item]] = field(factory=dict)  # by the reference's question, where they are others
    inverses: list[int] = field(factory=list)
    kept: list[Numbers] = field(factory=list)
    known: dict[Any, int] = field(factory=dict)
    records_known: int = 0  # where is kept what is known of the memory that was laid out last

    def stages(self, form: ExploredForm) -> Numbers:
        """For every question, the end first: where its items lie, and how many."""
        usual = self.rows(self.items), len(self.items)
        known = {id(items): (self.rows(items), len(items)) for items in self.items_at.values()}
        others = {pc: known[id(items)] for pc, items in self.items_at.items()}
        ends = (form.waits[-1], *form.waits[:-1])
        return numpy.array([others.get(wait.pc, usual) for wait in ends], dtype=numpy.int64)

    def rows(self, items: list[Item]) -> int:
        """Where they lie."""
        rows = numpy.zeros((max(len(items), 1), len(ITEM)), dtype=numpy.int64)
        for row, item in zip(rows, items, strict=False):
            several = item.sources
            if item.becomes:
                row[:] = self.row_of_records(item)
                continue
            row[:] = (
                item.kind, item.bits, item.at, item.count, self.address(tuple(one.at for one in several)),
                self.address(tuple(self.table(one.becomes) for one in several)),
                self.address(item.in_use or tuple(one.length_at for one in several)), item.length_bits,
            )
        self.kept.append(rows)
        return int(rows.ctypes.data)

    def row_of_records(self, item: Item) -> tuple[int, ...]:
        """The tables of a symmetry are one for each value; both items of a memory share what is known of it."""
        tables = tuple(self.address(tuple(self.table(one) for one in maps)) if any(maps) else 0
                       for maps in item.becomes)
        if item.kind == RECORDS:
            self.kept.append(numpy.zeros(len(tables) * len(KNOWN), dtype=numpy.int64))
            self.records_known = int(self.kept[-1].ctypes.data)
        return (
            item.kind, item.bits, item.at, item.count, self.address(tuple(one.at for one in item.sources)),
            self.address(tables), self.records_known, 0,
        )

    def table(self, becomes: Map | None) -> int:
        return 0 if becomes is None else self.address((len(becomes), *becomes))

    def address(self, values: tuple[int, ...]) -> int:
        """Where these numbers lie in memory."""
        if values not in self.known:
            self.kept.append(numpy.array(values, dtype=numpy.int64))
            self.known[values] = int(self.kept[-1].ctypes.data)
        return self.known[values]


@define(eq=False)
class Laying:
    form: ExploredForm
    group: Group
    members: list[Relabelling] = field(init=False)
    positions: Positions = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.members = self.with_none(self.group.members)
        self.positions = self.group.positions
        if len(self.members) > MOST_MEMBERS:
            raise CannotCompile("there are too many symmetries")

    @property
    def plan(self) -> Plan:
        return self.form.plan

    def laid(self) -> Laid:
        found = Laid()
        images = {id(members): self.group.images_at[pc] for pc, members in self.group.elsewhere.items()}
        found.items_at = once_each(self.group.elsewhere, lambda members: self.elsewhere(members, images[id(members)]))
        self.members = self.with_none(self.group.members)
        found.items = self.items_for(self.group.images)
        found.inverses = [self.inverse(one) for one in self.group.members]
        return found

    def with_none(self, members: Sequence[Relabelling]) -> list[Relabelling]:
        """The one that changes nothing comes first."""
        size = len(self.form.table.blank)
        return [Relabelling(tuple(range(size)), (None,) * size), *members]

    def elsewhere(self, members: Sequence[Relabelling], images: Images) -> list[Item]:
        self.members = self.with_none(members)
        return self.items_for(images)

    def items_for(self, images: Images) -> list[Item]:
        return [item for slot, _ in images for item in self.items_of(slot) if item.changes]

    # ---- which symmetry undoes another

    def inverse(self, one: Relabelling) -> int:
        """By trying it on marks: at every place its own, then on all values."""
        for number, other in enumerate(self.members):
            if all(one.sources[other.sources[slot]] == slot for slot in range(len(one.sources))) and all(
                self.undoes(other.changes[slot], one.changes[other.sources[slot]], slot)
                for slot in range(len(one.sources))
            ):
                return number
        raise CannotCompile("a symmetry cannot be undone by another")

    def undoes(self, other: Change | None, one: Change | None, slot: int) -> bool:
        if other is None and one is None:
            return True
        return all(changed(other, changed(one, value)) == value for value in self.samples(slot))

    def samples(self, slot: int) -> Iterator[Any]:
        """Values that may lie at a slot."""
        place = self.zone_at(slot) or self.box_at(slot)
        if place is not None:
            yield from ((kind,) for kind in range(len(place.kinds)))
        variable = self.variable_at(slot)
        if variable is not None:
            yield from self.values_of(variable)
        if slot in (PLAYER, STARTER):
            yield from range(self.form.table.players + 1)

    # ---- fields

    def items_of(self, slot: int) -> Iterator[Item]:
        zone, variable, box = self.zone_at(slot), self.variable_at(slot), self.box_at(slot)
        if zone is not None:
            yield from self.items_of_zone(slot, zone)
        elif box is not None:
            maps = [self.kinds_become(one.changes[slot], len(box.kinds)) for one in self.members]
            yield from items_of_store(box, 0, [0] * len(self.members), maps)
        elif variable is not None:
            yield from self.items_of_variable(slot, variable)
        elif slot in (PLAYER, STARTER):
            yield self.single(slot, self.plan.fields["player" if slot == PLAYER else "starter"])
        elif slot in self.memories:
            yield from self.items_of_records(slot, self.memories[slot])
        elif slot == SHEETS:
            yield from self.items_of_sheets()
        elif slot == PLACES:
            yield from self.by_seat(self.plan.fields["place"], 1)
        elif slot in self.form.registers and self.form.registers[slot][0] != "each":
            yield self.single(slot, self.form.registers[slot][1][0])
        elif self.can_be_in_use(slot):
            raise CannotCompile("symmetries that change what only the reference keeps")

    def can_be_in_use(self, slot: int) -> bool:
        """At a question; those who choose at once choose on the same position."""
        own = {wait.chosen: wait.pc for wait in self.form.waits if isinstance(wait, TogetherWait)}
        own |= {one: wait.pc for wait in self.form.waits if isinstance(wait, TogetherWait)
                for one in (wait.seats, wait.before, wait.done)}
        memories = self.plan.bench.memories.values()
        return any(
            slot not in self.positions.dead[wait.pc] and own.get(slot) != wait.pc for wait in self.form.waits
        ) and slot not in memories

    @property
    def memories(self) -> dict[int, Remembered]:
        return {one.slot: one for one in self.form.memories}

    def items_of_records(self, slot: int, memory: Remembered) -> Iterator[Item]:
        if any(one.sources[slot] != slot for one in self.members):
            raise CannotCompile("symmetries that exchange memories")
        becomes = tuple(maps_of_records(memory, one.changes[slot]) for one in self.members)
        for step, kind in enumerate((RECORDS, RECORDS_TOO)):
            at = memory.again.at + 8 * step
            yield Item(kind, 64, at, tuple(Source(at) for _ in self.members), memory.number, becomes=becomes)

    def single(self, slot: int, place: Field) -> Item:
        """A field that lies where it lies."""
        if place.amount > 1 or any(one.sources[slot] != slot for one in self.members):
            raise CannotCompile("symmetries that move what is kept")
        asked, ends = self.plan.fields["pc"], (self.form.waits[-1], *self.form.waits[:-1])
        return Item(
            IN_USE, place.bits, place.at,
            tuple(Source(place.at, self.map_of(one.changes[slot])) for one in self.members),
            asked.at, asked.bits, tuple(int(slot not in self.positions.dead[wait.pc]) for wait in ends),
        )

    def map_of(self, change: Change | None) -> Map | None:
        """What becomes of single values; those that are not known are left as they are."""
        if change is None:
            return None
        found: list[int] = []
        for value in range(LARGEST_VALUE):
            try:
                found.append(int(change(value)))
            except (LookupError, TypeError):
                break
        return tuple(found)

    # ---- zones

    def zone_at(self, slot: int) -> ZoneRoom | None:
        zones = self.plan.bench.zones.values()
        return next((one for one in zones if one.base <= slot < one.base + one.amount), None)

    def box_at(self, slot: int) -> Store | None:
        boxes = self.plan.bench.boxes.items()
        return next((self.plan.stores[key] for key, one in boxes if one == slot), None)

    def items_of_zone(self, slot: int, zone: ZoneRoom) -> Iterator[Item]:
        store = self.plan.stores[id(zone.declaration)]
        sources = [one.sources[slot] - zone.base for one in self.members]
        if any(not 0 <= source < zone.amount for source in sources):
            raise CannotCompile("symmetries that exchange different zones")
        maps = [self.kinds_become(one.changes[slot], len(zone.kinds)) for one in self.members]
        yield from items_of_store(store, slot - zone.base, sources, maps)

    def kinds_become(self, change: Change | None, kinds: int) -> Map | None:
        if change is None:
            return None
        if not isinstance(change, Ordered | Unordered) or (isinstance(change, Unordered) and change.keys is not None):
            raise CannotCompile("symmetries of a zone that keeps an order of its own")
        return tuple(int(change((kind,))[0]) for kind in range(kinds))

    # ---- variables

    def variable_at(self, slot: int) -> VariableRoom | None:
        rooms = self.plan.bench.variables.values()
        return next((one for one in rooms if one.base <= slot < one.base + one.amount), None)

    def values_of(self, variable: VariableRoom) -> Iterator[Any]:
        place = self.plan.variables[id(variable.declaration)]
        wide = place.amount // variable.amount
        for value in range(LARGEST_VALUE):
            try:
                for one in self.group.members:
                    changed(one.changes[variable.base], (value,) * wide if self.is_order(variable) else value)
            except (LookupError, TypeError):
                return
            yield (value,) * wide if self.is_order(variable) else value

    def is_order(self, variable: VariableRoom) -> bool:
        return isinstance(variable.declaration.type, ast.OrderType)

    def items_of_variable(self, slot: int, variable: VariableRoom) -> Iterator[Item]:
        place = self.plan.variables[id(variable.declaration)]
        wide, step = place.amount // variable.amount, place.bits // 8
        starts = [one.sources[slot] - variable.base for one in self.members]
        if any(not 0 <= start < variable.amount for start in starts):
            raise CannotCompile("symmetries that exchange different variables")
        if not self.is_order(variable) and order_in(variable.declaration.type) is not None:
            raise CannotCompile("symmetries that change an order or nothing")
        maps = [self.map_of_variable(one.changes[slot], variable) for one in self.members]
        for at in range(wide):
            yield Item(
                PLAIN, place.bits, place.at + ((slot - variable.base) * wide + at) * step,
                tuple(Source(place.at + (start * wide + at) * step, becomes)
                      for start, becomes in zip(starts, maps, strict=True)),
            )

    def map_of_variable(self, change: Change | None, variable: VariableRoom) -> Map | None:
        if change is None or not self.is_order(variable):
            return self.map_of(change)
        return self.map_of(lambda value: change((value,))[0])

    # ---- points

    def items_of_sheets(self) -> Iterator[Item]:
        lines = sum(len(score.lines) for score in self.plan.bench.of_class(ast.Score))
        for name, many in (("counted", max(lines, 1)), ("latest", max(lines, 1)), ("total", 1), ("latest total", 1)):
            yield from self.by_seat(self.plan.fields[name], many)

    def by_seat(self, place: Field, lines: int) -> Iterator[Item]:
        n, step = self.form.table.players, place.bits // 8
        orders = [self.seats(one) for one in self.members]
        for line in range(lines):
            for seat in range(n):
                yield Item(PLAIN, place.bits, place.at + (line * n + seat) * step, tuple(
                    Source(place.at + (line * n + order.index(seat)) * step) for order in orders
                ))

    def seats(self, one: Relabelling) -> list[int]:
        """Where each seat goes, from 0."""
        change = one.changes[SHEETS]
        if change is None:
            return list(range(self.form.table.players))
        if not isinstance(change, ReseatedSheets):
            raise CannotCompile("symmetries of points of another kind")
        return [seat - 1 for seat in change.seats[1:]]


def changed(change: Change | None, value: Any) -> Any:
    return value if change is None else change(value)
