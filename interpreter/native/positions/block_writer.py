"""A position of the reference as a block of memory, registers of the flow and all; `positions` reads one back.

Takes slots as a seat knows them: where a component is not known, what is to be put there stands in a list instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import NOTHING, CannotCompile, Constants, Field
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.values import PC, PHASE, PLAYER, ROUND, SHEETS, STARTER
from rulesrun.interpreter.native.expressions import kept_lists, locations
from rulesrun.interpreter.native.flow.questions import Question, list_waits
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Plan, Store
from rulesrun.interpreter.native.positions import recorded_positions
from rulesrun.interpreter.native.positions.dealing import BIT, COUNTED, LAID, SORTED, WIDTHS, sorted_row_stores
from rulesrun.interpreter.reference.decisions import TogetherWait
from rulesrun.interpreter.reference.score_lookups import total_points
from rulesrun.interpreter.reference.table import Table

Slots = tuple[Any, ...]
FLOW = (("player", PLAYER), ("round", ROUND), ("starter", STARTER), ("phase", PHASE))


class CannotWrite(Exception):
    """This position has no such form; the reference must do."""


@frozen
class Gap:
    """A component of a group: what is to be done with it, and where."""

    group: int
    what: int
    at: int


@define(eq=False)
class BlockDraft:
    """A block being written, and its gaps: components of a group, variables (by slot) that nobody knows."""

    memory: bytearray
    gaps: list[Gap] = field(factory=list)
    hidden: list[int] = field(factory=list)

    def put(self, place: Field, index: int, value: int) -> None:
        step = place.bits // 8
        at = place.at + index * step
        self.memory[at : at + step] = (value & ((1 << place.bits) - 1)).to_bytes(step, "little")


Write = Callable[[BlockDraft, Any], None]


@define(eq=False)
class BlockWriter:
    """Makes blocks of one table. `questions`: the machine's, beside the reference's waits."""

    table: Table
    plan: Plan
    start: Constants
    machine: Machine
    asked: dict[int, Question] = field(init=False)  # by the reference's number
    variables: dict[int, tuple[Field, int]] = field(init=False, factory=dict)  # by slot
    _writers: list[tuple[int, Any, Write]] = field(init=False, factory=list)
    _sorted: list[Store] = field(init=False)
    _blank: bytes = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._sorted, self._blank = sorted_row_stores(self.plan), bytes(self.start.values)[: self.plan.size]
        if locations.followed_statements(self.plan).always:
            bench = self.table.bench
            variables = (room.declaration for room in bench.variables.values())
            marker = next((one for one in variables if id(one) in bench.marked), None)
            raise CannotCompile(
                message("players that think do not follow equal components from one question to the next"), marker,
                message("keep the `position` as a number, before anything is drawn or asked"),
            )
        questions: list[Question] = self.machine.waits
        self.asked = {wait.pc: one for wait, one in zip(list_waits(self.table, questions), questions, strict=True)}
        for slot, store, index in self.zones_in_deal_order():
            self.add_slot_writer(slot, self.content_writer(store, index))
        for room in self.table.bench.variables.values():
            for number in range(room.amount):
                self.variables[room.base + number] = (self.plan.variables[id(room.declaration)], number)
                self.add_slot_writer(room.base + number, self.variable_writer(room, number))
        self.add_name_writers()
        self.add_register_writers()
        for memory in self.table.bench.declared_memories:
            self.add_slot_writer(
                self.table.bench.memories[id(memory)], recorded_positions.memory_writer(self.plan, memory)
            )

    def add_slot_writer(self, slot: int, write: Write) -> None:
        self._writers.append((slot, self.table.blank[slot], write))

    def write_block(self, slots: Slots, unknown: object = None) -> BlockDraft:
        """`unknown` stands for a hidden value."""
        page = BlockDraft(bytearray(self._blank))
        question = self.asked.get(slots[PC])
        if question is None:
            raise CannotWrite("nobody is asked here")
        self.put_flow(page, slots, question)
        for slot, blank, write in self._writers:
            value = slots[slot]
            if unknown is not None and value is unknown:
                page.hidden.append(slot)
            elif value is not blank and value != blank:
                write(page, value)
        return page

    # ---- where it is in the game

    def put_flow(self, page: BlockDraft, slots: Slots, question: Question) -> None:
        fields = self.plan.fields
        page.put(fields["pc"], 0, question.number)
        for name, slot in FLOW:
            page.put(fields[name], 0, slots[slot])
        self.put_sheets(page, slots[SHEETS])
        for wait in self.table.waits.values():
            if isinstance(wait, TogetherWait) and slots[wait.chosen]:
                raise CannotWrite("some have chosen already")

    def put_sheets(self, page: BlockDraft, sheets: tuple[Any, ...]) -> None:
        fields, n = self.plan.fields, self.table.players
        firsts, first = [], 0
        for score in self.table.bench.scores:
            firsts.append(first)
            first += len(score.lines)
        counted: dict[int, int] = {}
        for number, _, values in sheets:
            for seat, own in enumerate(values):
                for at, value in enumerate(own):
                    place = (firsts[number] + at) * n + seat
                    counted[place] = counted.get(place, 0) + value
                    page.put(fields["latest"], place, value)
                page.put(fields["latest total"], seat, sum(own))
        for place, value in counted.items():
            page.put(fields["counted"], place, value)
        for seat in range(n) if sheets else ():
            page.put(fields["total"], seat, total_points(sheets, seat + 1))

    # ---- components

    def zones_in_deal_order(self) -> list[tuple[int, Store, int]]:
        """In the order in which deals are made."""
        bench, found = self.table.bench, {}
        for room in bench.zones.values():
            for number in range(room.amount):
                found[room.base + number] = (self.plan.stores[id(room.declaration)], number)
        for key, box in bench.boxes.items():
            found[box] = (self.plan.stores[key], 0)
        return [(slot, *found[slot]) for kinds in bench.kinds.values() for slot in all_zone_slots(bench, kinds)]

    def content_writer(self, store: Store, index: int) -> Write:
        match store.shape:
            case "bits":
                return lambda page, content: self.put_bits(page, store, index, flatten_content(content))
            case "counts":
                return lambda page, content: self.put_counts(page, store, index, flatten_content(content))
            case "row":
                return lambda page, content: self.put_row(page, store, index, content)
            case _:
                return lambda page, content: self.put_bag(page, store, index, content)

    def put_bits(self, page: BlockDraft, store: Store, index: int, kinds: Slots) -> None:
        place = store.members
        assert place is not None
        at, members = place.at + index * place.bits // 8, 0
        for kind in kinds:
            if kind >= 0:
                members |= 1 << kind
            else:
                page.gaps.append(Gap(-kind - 1, BIT, at))
        page.put(place, index, members)

    def put_counts(self, page: BlockDraft, store: Store, index: int, kinds: Slots) -> None:
        place, many = store.members, len(store.kinds)
        assert place is not None
        assert store.size is not None
        first, counts = index * many, [0] * many
        for kind in kinds:
            if kind >= 0:
                counts[kind] += 1
            else:
                page.gaps.append(Gap(-kind - 1, COUNTED + WIDTHS.index(place.bits), place.at * 8 // place.bits + first))
        for kind, count in enumerate(counts):
            page.put(place, first + kind, count)
        page.put(store.size, index, len(kinds))

    def put_row(self, page: BlockDraft, store: Store, index: int, content: Slots) -> None:
        place = store.items
        assert place is not None
        assert store.length is not None
        known = [kind for kind in content if kind >= 0] if store.sort_key is not None else content
        first = index * max(store.capacity, 1)
        for at, kind in enumerate(known, start=first):
            if kind >= 0:
                page.put(place, at, kind)
            else:
                page.gaps.append(Gap(-kind - 1, LAID + WIDTHS.index(place.bits), place.at * 8 // place.bits + at))
        if store.sort_key is not None:
            what = SORTED + self._sorted.index(store)
            page.gaps += [Gap(-kind - 1, what, index) for kind in content if kind < 0]
        page.put(store.length, index, len(known))

    def put_bag(self, page: BlockDraft, store: Store, index: int, content: Slots) -> None:
        mixed = [at for at, part in enumerate(content) if isinstance(part, tuple)]
        if len(mixed) > 1:
            raise CannotWrite("a pile with two shuffled parts")
        under, on = (content[: mixed[0]], content[mixed[0] + 1 :]) if mixed else ((), content)
        if mixed:
            self.put_part(page, store.bottom, index, under)
            self.put_part(page, store.inner, index, content[mixed[0]])
        elif store.top is None:
            return self.put_part(page, store.inner, index, on)
        return self.put_part(page, store.top, index, on)

    def put_part(self, page: BlockDraft, store: Store | None, index: int, content: Slots) -> None:
        if store is None and content:
            raise CannotWrite("a pile that was not expected to be put on")
        if store is not None and content:
            self.content_writer(store, index)(page, content)

    # ---- variables, names, registers

    def variable_writer(self, room: VariableRoom, number: int) -> Write:
        place = self.plan.variables[id(room.declaration)]
        if room.holds_order:
            many = place.amount // room.amount
            return lambda page, value: put_values(
                page, place, number * many, (None,) * many if value is None else value
            )
        return lambda page, value: page.put(place, number, encode_value(value))

    def add_name_writers(self) -> None:
        """What choices, `each` and draws have set; what a machine has no room for is never asked for."""
        bench = self.table.bench
        for key, place in self.plan.fixed_names.items():
            slot = bench.registers.get(key)
            if slot is None or slot >= len(self.table.blank) or slot < 0:
                continue
            own = self.plan.lists.get(key)
            if place.amount != 1 and own is None:
                raise CannotCompile(message(
                    "thinking about several components chosen at once needs the reference engine"
                ))
            self.add_slot_writer(slot, value_writer(place) if own is None else list_writer(own))

    def add_register_writers(self) -> None:
        for slot, places in self.machine.registers.items():
            write = value_writer(places[0]) if len(places) == 1 else several_writer(places[0], places[-1])
            self.add_slot_writer(slot, write)


def list_writer(register: kept_lists.KeptList) -> Write:
    def write(page: BlockDraft, value: Any) -> None:
        cells = kept_lists.packed(value, register.levels, register.wide)
        if cells is None:
            raise CannotWrite("a list that is longer than was expected")
        put_values(page, register.cells, 0, cells)

    return write


def value_writer(place: Field) -> Write:
    return lambda page, value: page.put(place, 0, encode_value(value))


def several_writer(values: Field, amount: Field) -> Write:
    """Those that are still to come."""
    def write(page: BlockDraft, several: Any) -> None:
        put_values(page, values, 0, several or ())
        page.put(amount, 0, len(several or ()))

    return write


def put_values(page: BlockDraft, place: Field, first: int, values: Slots) -> None:
    for at, value in enumerate(values, start=first):
        page.put(place, at, encode_value(value))


def encode_value(value: Any) -> int:
    if value is None:
        return NOTHING
    if not isinstance(value, int):
        raise CannotWrite("a value that is no number")
    return int(value)


def flatten_content(content: Slots) -> Slots:
    found: list[int] = []
    for part in content:
        found.extend(part) if isinstance(part, tuple) else found.append(part)
    return tuple(found)
