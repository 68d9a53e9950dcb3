"""Symmetries as data for machine code: takes the reference's group, gives items, one for each field of a position
that any of them changes. What cannot be laid out so is left to the reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy
from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import CannotCompile, Field
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.values import PLACES, PLAYER, SHEETS, STARTER
from rulesrun.interpreter.native.explore.canonical_rows import IN_ROW, IN_USE, ITEM, PLAIN, RECORDS, RECORDS_TOO, SET
from rulesrun.interpreter.native.explore.machine import ExploredForm
from rulesrun.interpreter.native.explore.memory import ExplorationWorker, Numbers
from rulesrun.interpreter.native.explore.record_chains import KNOWN
from rulesrun.interpreter.native.explore.record_maps import list_record_maps
from rulesrun.interpreter.native.explore.records import RecordedMemory
from rulesrun.interpreter.native.layout.plan import Plan, Store
from rulesrun.interpreter.play.position_keys import PositionKeys
from rulesrun.interpreter.reference.decisions import TogetherWait
from rulesrun.interpreter.symmetry.canonical_positions import (
    Change,
    Images,
    OrderedMap,
    Relabelling,
    SheetMap,
    SymmetryGroup,
    UnorderedMap,
    map_distinct_members,
)

# ---- symmetry items
# What symmetries do to the places of components: items for one store, one for each of its fields.


Map = tuple[int, ...]


@frozen
class ValueSource:
    """For one symmetry: the byte where a field's value comes from, and what becomes of each value."""

    at: int
    becomes: Map | None = None
    length_at: int = 0


@frozen
class SymmetryItem:
    kind: int
    bits: int
    at: int
    sources: tuple[ValueSource, ...]
    count: int = 0
    length_bits: int = 0
    in_use: tuple[int, ...] = ()  # by question, where it is in use at some of them alone
    becomes: tuple[tuple[Map | None, ...], ...] = ()  # of records: by symmetry, by value

    @property
    def has_changes(self) -> bool:
        return any(any(maps) for maps in self.becomes) or any(one != self.sources[0] for one in self.sources)


def items_of_store(store: Store, at: int, sources: list[int], maps: list[Map | None]) -> Iterator[SymmetryItem]:
    pairs = list(zip(sources, maps, strict=True))
    if store.shape == "bag":
        for part in (store.bottom, store.inner, store.top):
            if part is not None:
                yield from items_of_store(part, at, sources, maps)
    elif store.shape == "bits":
        yield from items_of_bits(store, at, pairs)
    elif store.shape == "counts":
        yield from items_of_counts(store, at, pairs)
    else:
        yield from items_of_row(store, at, pairs)


def items_of_bits(store: Store, at: int, pairs: list[tuple[int, Map | None]]) -> Iterator[SymmetryItem]:
    assert store.members is not None
    first, step = store.members.at, store.members.bits // 8
    for word in range(step // 8):
        yield SymmetryItem(
            SET, 64, first + at * step + word * 8,
            tuple(ValueSource(first + source * step, becomes) for source, becomes in pairs),
            step // 8, word,
        )


def items_of_counts(store: Store, at: int, pairs: list[tuple[int, Map | None]]) -> Iterator[SymmetryItem]:
    assert store.members is not None
    assert store.size is not None
    kinds, members, size = len(store.kinds), store.members, store.size
    step, wide = members.bits // 8, size.bits // 8
    yield SymmetryItem(
        PLAIN, size.bits, size.at + at * wide, tuple(ValueSource(size.at + one * wide) for one, _ in pairs)
    )
    for kind in range(kinds):
        places = [
            source * kinds + (kind if becomes is None else becomes.index(kind)) for source, becomes in pairs
        ]
        yield SymmetryItem(
            PLAIN, members.bits, members.at + (at * kinds + kind) * step,
            tuple(ValueSource(members.at + place * step) for place in places),
        )


def items_of_row(store: Store, at: int, pairs: list[tuple[int, Map | None]]) -> Iterator[SymmetryItem]:
    assert store.items is not None
    assert store.length is not None
    items, length, many = store.items, store.length, max(store.capacity, 1)
    step, wide = items.bits // 8, length.bits // 8
    lengths = [length.at + source * wide for source, _ in pairs]
    yield SymmetryItem(PLAIN, length.bits, length.at + at * wide, tuple(ValueSource(one) for one in lengths))
    for place in range(many):
        sources = tuple(
            ValueSource(items.at + (source * many + place) * step, becomes, length_at)
            for (source, becomes), length_at in zip(pairs, lengths, strict=True)
        )
        yield SymmetryItem(IN_ROW, items.bits, items.at + (at * many + place) * step, sources, place, length.bits)


# ---- symmetry tables


MOST_MEMBERS = 1 << 15
LARGEST_VALUE = 1 << 12


def lay_out_group(worker: ExplorationWorker, group: SymmetryGroup) -> None:
    """Fills in what `canonical_rows` reads."""
    laid = GroupLayout(worker.form, group).lay_out_tables() if group.members else GroupTables()
    worker.control["group"] = len(group.members)
    worker.keep_array("stages", laid.stage_table(worker.form))
    worker.keep_array("inverses", numpy.array([0, *laid.inverses], dtype=numpy.uint16))
    worker.keep_array("survivors", numpy.zeros(len(group.members) + 1, dtype=numpy.uint32))
    worker.tables = laid.kept


@define(eq=False)
class GroupTables:
    items: list[SymmetryItem] = field(factory=list)
    items_at: dict[int, list[SymmetryItem]] = field(factory=dict)  # by the reference's question, where they are others
    inverses: list[int] = field(factory=list)
    kept: list[Numbers] = field(factory=list)
    known: dict[Any, int] = field(factory=dict)
    records_known: int = 0  # where is kept what is known of the memory that was laid out last

    def stage_table(self, form: ExploredForm) -> Numbers:
        """For every question, the end first: where its items lie, and how many."""
        usual = self.place_items(self.items), len(self.items)
        known = {id(items): (self.place_items(items), len(items)) for items in self.items_at.values()}
        others = {pc: known[id(items)] for pc, items in self.items_at.items()}
        ends = (form.waits[-1], *form.waits[:-1])
        return numpy.array([others.get(wait.pc, usual) for wait in ends], dtype=numpy.int64)

    def place_items(self, items: list[SymmetryItem]) -> int:
        """Where they lie."""
        rows = numpy.zeros((max(len(items), 1), len(ITEM)), dtype=numpy.int64)
        for row, item in zip(rows, items, strict=False):
            several = item.sources
            if item.becomes:
                row[:] = self.record_row(item)
                continue
            row[:] = (
                item.kind, item.bits, item.at, item.count, self.place_numbers(tuple(one.at for one in several)),
                self.place_numbers(tuple(self.table_address(one.becomes) for one in several)),
                self.place_numbers(item.in_use or tuple(one.length_at for one in several)), item.length_bits,
            )
        self.kept.append(rows)
        return int(rows.ctypes.data)

    def record_row(self, item: SymmetryItem) -> tuple[int, ...]:
        """The tables of a symmetry are one for each value; both items of a memory share what is known of it."""
        tables = tuple(self.place_numbers(tuple(self.table_address(one) for one in maps)) if any(maps) else 0
                       for maps in item.becomes)
        if item.kind == RECORDS:
            self.kept.append(numpy.zeros(len(tables) * len(KNOWN), dtype=numpy.int64))
            self.records_known = int(self.kept[-1].ctypes.data)
        return (
            item.kind, item.bits, item.at, item.count, self.place_numbers(tuple(one.at for one in item.sources)),
            self.place_numbers(tables), self.records_known, 0,
        )

    def table_address(self, becomes: Map | None) -> int:
        return 0 if becomes is None else self.place_numbers((len(becomes), *becomes))

    def place_numbers(self, values: tuple[int, ...]) -> int:
        """Where these numbers lie in memory."""
        if values not in self.known:
            self.kept.append(numpy.array(values, dtype=numpy.int64))
            self.known[values] = int(self.kept[-1].ctypes.data)
        return self.known[values]


@define(eq=False)
class GroupLayout:
    form: ExploredForm
    group: SymmetryGroup
    members: list[Relabelling] = field(init=False)
    positions: PositionKeys = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.members = self.with_identity(self.group.members)
        self.positions = self.group.positions
        if len(self.members) > MOST_MEMBERS:
            raise CannotCompile(message("there are too many symmetries"))

    @property
    def plan(self) -> Plan:
        return self.form.plan

    def lay_out_tables(self) -> GroupTables:
        found = GroupTables()
        images = {id(members): self.group.images_at[pc] for pc, members in self.group.elsewhere.items()}
        found.items_at = map_distinct_members(
            self.group.elsewhere, lambda members: self.items_elsewhere(members, images[id(members)])
        )
        self.members = self.with_identity(self.group.members)
        found.items = self.items_of_images(self.group.images)
        found.inverses = [self.find_inverse(one) for one in self.group.members]
        return found

    def with_identity(self, members: Sequence[Relabelling]) -> list[Relabelling]:
        """The one that changes nothing comes first."""
        size = len(self.form.table.blank)
        return [Relabelling(tuple(range(size)), (None,) * size), *members]

    def items_elsewhere(self, members: Sequence[Relabelling], images: Images) -> list[SymmetryItem]:
        self.members = self.with_identity(members)
        return self.items_of_images(images)

    def items_of_images(self, images: Images) -> list[SymmetryItem]:
        return [item for slot, _ in images for item in self.items_of_slot(slot) if item.has_changes]

    # ---- which symmetry undoes another

    def find_inverse(self, one: Relabelling) -> int:
        """By trying it on marks: at every place its own, then on all values."""
        for number, other in enumerate(self.members):
            if all(one.sources[other.sources[slot]] == slot for slot in range(len(one.sources))) and all(
                self.is_inverse_at(other.changes[slot], one.changes[other.sources[slot]], slot)
                for slot in range(len(one.sources))
            ):
                return number
        raise CannotCompile(message("a symmetry cannot be undone by another"))

    def is_inverse_at(self, other: Change | None, one: Change | None, slot: int) -> bool:
        if other is None and one is None:
            return True
        return all(apply_change(other, apply_change(one, value)) == value for value in self.sample_values(slot))

    def sample_values(self, slot: int) -> Iterator[Any]:
        """Values that may lie at a slot."""
        place = self.zone_at(slot) or self.box_at(slot)
        if place is not None:
            yield from ((kind,) for kind in range(len(place.kinds)))
        variable = self.variable_at(slot)
        if variable is not None:
            yield from self.sample_variable(variable)
        if slot in (PLAYER, STARTER):
            yield from range(self.form.table.players + 1)

    # ---- fields

    def items_of_slot(self, slot: int) -> Iterator[SymmetryItem]:
        zone, variable, box = self.zone_at(slot), self.variable_at(slot), self.box_at(slot)
        if zone is not None:
            yield from self.items_of_zone(slot, zone)
        elif box is not None:
            maps = [self.kind_map(one.changes[slot], len(box.kinds)) for one in self.members]
            yield from items_of_store(box, 0, [0] * len(self.members), maps)
        elif variable is not None:
            yield from self.items_of_variable(slot, variable)
        elif slot in (PLAYER, STARTER):
            yield self.single_item(slot, self.plan.fields["player" if slot == PLAYER else "starter"])
        elif slot in self.memories_by_slot:
            yield from self.items_of_records(slot, self.memories_by_slot[slot])
        elif slot == SHEETS:
            yield from self.items_of_sheets()
        elif slot == PLACES:
            yield from self.items_by_seat(self.plan.fields["place"], 1)
        elif not self.can_be_in_use(slot):
            return
        elif slot in self.form.registers and self.form.registers[slot][0] != "each":
            yield self.single_item(slot, self.form.registers[slot][1][0])
        else:
            raise CannotCompile(message("symmetries that change what only the reference keeps"))

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
    def memories_by_slot(self) -> dict[int, RecordedMemory]:
        return {one.slot: one for one in self.form.memories}

    def items_of_records(self, slot: int, memory: RecordedMemory) -> Iterator[SymmetryItem]:
        if any(one.sources[slot] != slot for one in self.members):
            raise CannotCompile(message("symmetries that exchange memories"))
        becomes = tuple(list_record_maps(memory, one.changes[slot]) for one in self.members)
        for step, kind in enumerate((RECORDS, RECORDS_TOO)):
            at = memory.again.at + 8 * step
            yield SymmetryItem(
                kind, 64, at, tuple(ValueSource(at) for _ in self.members), memory.number, becomes=becomes
            )

    def single_item(self, slot: int, place: Field) -> SymmetryItem:
        """A field that lies where it lies."""
        if place.amount > 1 or any(one.sources[slot] != slot for one in self.members):
            raise CannotCompile(message("symmetries that move what is kept"))
        asked, ends = self.plan.fields["pc"], (self.form.waits[-1], *self.form.waits[:-1])
        return SymmetryItem(
            IN_USE, place.bits, place.at,
            tuple(ValueSource(place.at, self.value_map(one.changes[slot])) for one in self.members),
            asked.at, asked.bits, tuple(int(slot not in self.positions.dead[wait.pc]) for wait in ends),
        )

    def value_map(self, change: Change | None) -> Map | None:
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

    def items_of_zone(self, slot: int, zone: ZoneRoom) -> Iterator[SymmetryItem]:
        store = self.plan.stores[id(zone.declaration)]
        sources = [one.sources[slot] - zone.base for one in self.members]
        if any(not 0 <= source < zone.amount for source in sources):
            raise CannotCompile(message("symmetries that exchange different zones"))
        maps = [self.kind_map(one.changes[slot], len(zone.kinds)) for one in self.members]
        yield from items_of_store(store, slot - zone.base, sources, maps)

    def kind_map(self, change: Change | None, kinds: int) -> Map | None:
        if change is None:
            return None
        if not isinstance(change, OrderedMap | UnorderedMap) or (
            isinstance(change, UnorderedMap) and change.keys is not None
        ):
            raise CannotCompile(message("symmetries of a zone that keeps an order of its own"))
        return tuple(int(change((kind,))[0]) for kind in range(kinds))

    # ---- variables

    def variable_at(self, slot: int) -> VariableRoom | None:
        rooms = self.plan.bench.variables.values()
        return next((one for one in rooms if one.base <= slot < one.base + one.amount), None)

    def sample_variable(self, variable: VariableRoom) -> Iterator[Any]:
        place = self.plan.variables[id(variable.declaration)]
        wide = place.amount // variable.amount
        for value in range(LARGEST_VALUE):
            try:
                for one in self.group.members:
                    apply_change(
                        one.changes[variable.base], (value,) * wide if variable.is_order else value
                    )
            except (LookupError, TypeError):
                return
            yield (value,) * wide if variable.is_order else value

    def items_of_variable(self, slot: int, variable: VariableRoom) -> Iterator[SymmetryItem]:
        place = self.plan.variables[id(variable.declaration)]
        wide, step = place.amount // variable.amount, place.bits // 8
        starts = [one.sources[slot] - variable.base for one in self.members]
        if any(not 0 <= start < variable.amount for start in starts):
            raise CannotCompile(message("symmetries that exchange different variables"))
        if variable.holds_order and variable.is_optional:
            raise CannotCompile(message("symmetries that change an order or nothing"))
        maps = [self.variable_map(one.changes[slot], variable) for one in self.members]
        for at in range(wide):
            yield SymmetryItem(
                PLAIN, place.bits, place.at + ((slot - variable.base) * wide + at) * step,
                tuple(ValueSource(place.at + (start * wide + at) * step, becomes)
                      for start, becomes in zip(starts, maps, strict=True)),
            )

    def variable_map(self, change: Change | None, variable: VariableRoom) -> Map | None:
        if change is None or not variable.is_order:
            return self.value_map(change)
        return self.value_map(lambda value: change((value,))[0])

    # ---- points

    def items_of_sheets(self) -> Iterator[SymmetryItem]:
        lines = sum(len(score.lines) for score in self.plan.bench.scores)
        for name, many in (("counted", max(lines, 1)), ("latest", max(lines, 1)), ("total", 1), ("latest total", 1)):
            yield from self.items_by_seat(self.plan.fields[name], many)

    def items_by_seat(self, place: Field, lines: int) -> Iterator[SymmetryItem]:
        n, step = self.form.table.players, place.bits // 8
        orders = [self.seat_order(one) for one in self.members]
        for line in range(lines):
            for seat in range(n):
                yield SymmetryItem(PLAIN, place.bits, place.at + (line * n + seat) * step, tuple(
                    ValueSource(place.at + (line * n + order.index(seat)) * step) for order in orders
                ))

    def seat_order(self, one: Relabelling) -> list[int]:
        """Where each seat goes, from 0."""
        change = one.changes[SHEETS]
        if change is None:
            return list(range(self.form.table.players))
        if not isinstance(change, SheetMap):
            raise CannotCompile(message("symmetries of points of another kind"))
        return [seat - 1 for seat in change.seats[1:]]


def apply_change(change: Change | None, value: Any) -> Any:
    return value if change is None else change(value)
