"""What a seat sees of a position, as the line of JSON that the reference writes of it. Blocks in, text out.

A place is put into words once for each of its contents: where the same bytes lie, the same words stand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from struct import Struct
from typing import Any

from attrs import define, field

from rulesrun.interpreter.form.form import Field
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.domains import number_to_external, to_external
from rulesrun.interpreter.native.expressions import scales
from rulesrun.interpreter.native.layout.plan import Plan, Store
from rulesrun.interpreter.native.positions.blocks import SIGNED
from rulesrun.interpreter.native.positions.positions import NativePositions, read_content, read_variable, to_held_value
from rulesrun.interpreter.play.visibility import Sight, can_see, zone_to_json
from rulesrun.interpreter.reference.decisions import TogetherWait
from rulesrun.interpreter.reference.table import Table

MOST_KNOWN = 4096  # contents of a place that are kept in words
Word = Callable[[bytes], Any]


@define(eq=False)
class ViewPart:
    """One entry of a view: the bytes that it hangs on, and what it says of them."""

    name: str
    places: tuple[slice, ...]
    word: Word
    _known: dict[bytes, str] = field(init=False, factory=dict)

    def format_content(self, memory: bytes) -> str:
        places = self.places
        key = memory[places[0]] if len(places) == 1 else b"".join([memory[one] for one in places])
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[key] = f"{dump_json(self.name)}: {dump_json(self.word(memory))}"
        return found


@define(eq=False)
class ViewTexts:
    """The views of all seats of a table."""

    positions: NativePositions
    _head: list[ViewPart] = field(init=False, factory=list)
    _zones: dict[int, list[ViewPart]] = field(init=False, factory=dict)  # by seat
    _variables: dict[int, list[ViewPart]] = field(init=False, factory=dict)
    _last: tuple[bytes, list[Sight]] = field(init=False, default=(b"", []))

    def __attrs_post_init__(self) -> None:
        table = self.table
        self._head = [
            ViewPart("player", self.field_slices("player", "pc"), self.whose_turn),
            self.number_part("round"),
            self.number_part("starter"),
            ViewPart("phase", self.field_slices("phase"), self.phase_name),
            ViewPart("scores", self.field_slices("total"), self.scores_by_player),
        ]
        known: dict[tuple[str, bool], ViewPart] = {}
        for seat in range(1, table.players + 1):
            self._zones[seat] = [
                self.zone_part(room, at, can_see(room, at, seat), known)
                for room in table.bench.zones_at_table for at in range(room.amount)
            ]
            self._variables[seat] = [
                self.variable_part(room, at, known)
                for room in table.bench.variables.values() for at in range(room.amount) if can_see(room, at, seat)
            ]

    @property
    def table(self) -> Table:
        return self.positions.table

    @property
    def plan(self) -> Plan:
        return self.positions.form.plan

    def write_all_sights(self, memory: bytes) -> list[Sight]:
        """What everybody sees now."""
        before, found = self._last
        if before == memory:
            return found
        whose, *head = [part.format_content(memory) for part in self._head]
        open_to_all, shown = tuple(head), self.shown_texts(memory)
        found = [
            Sight(
                whose, open_to_all, tuple([part.format_content(memory) for part in self._zones[seat]]),
                tuple([part.format_content(memory) for part in self._variables[seat]]),
                tuple([text for to, text in shown if to in {0, seat}]),
            )
            for seat in self._zones
        ]
        self._last = memory, found
        return found

    def shown_texts(self, memory: bytes) -> list[tuple[int, str]]:
        """To whom what is shown."""
        fields, found = self.plan.fields, []
        if "shown" not in fields:
            return []
        for at in range(read_number(memory, fields["shown"])):
            to, slot, first, many = (
                read_number(memory, fields[name], at)
                for name in ("shown to", "shown place", "shown from", "shown many")
            )
            told = self.find_variable(slot)
            if told is not None:
                found.append((to, dump_json(self.told_value(told, slot, at, memory))))
                continue
            kinds = [read_number(memory, fields["shown kinds"], one) for one in range(first, first + many)]
            zone, names = self.shown_place(slot)
            found.append((to, dump_json({"zone": zone, "components": [names[kind] for kind in kinds]})))
        return found

    def find_variable(self, slot: int) -> VariableRoom | None:
        variables = self.table.bench.variables.values()
        return next((one for one in variables if one.base <= slot < one.base + one.amount), None)

    def told_value(self, room: VariableRoom, slot: int, at: int, memory: bytes) -> dict[str, Any]:
        value = to_held_value(room, read_number(memory, self.plan.fields["shown value"], at))
        told = to_external(self.table.bench, room.declaration.type, value)
        return {"variable": room.names[slot - room.base], "value": told}

    def shown_place(self, slot: int) -> tuple[str | None, Sequence[str]]:
        """The name of a zone, if all of it was shown; what its components are called."""
        for room in self.table.bench.zones.values():
            if room.base <= slot < room.base + room.amount:
                return room.names[slot - room.base], room.kinds.names
        return None, list(self.table.bench.kinds.values())[slot - len(self.table.blank)].names

    # ---- parts

    def field_slices(self, *names: str) -> tuple[slice, ...]:
        return tuple(field_slice(self.plan.fields[name]) for name in names)

    def number_part(self, name: str) -> ViewPart:
        return ViewPart(name, self.field_slices(name), lambda memory: read_number(memory, self.plan.fields[name]))

    def whose_turn(self, memory: bytes) -> int | None:
        """While several choose at once, whose answer is being taken is nobody's knowledge."""
        asked = self.positions.questions_by_number.get(read_number(memory, self.plan.fields["pc"]))
        is_together = asked is not None and isinstance(asked[1], TogetherWait)
        return None if is_together else read_number(memory, self.plan.fields["player"])

    def phase_name(self, memory: bytes) -> str | None:
        phases = self.table.bench.phases
        return phases[read_number(memory, self.plan.fields["phase"])].name.text if phases else None

    def scores_by_player(self, memory: bytes) -> dict[str, Any]:
        place, scale = self.plan.fields["total"], scales.scale_of_total(self.plan)
        return {
            str(seat + 1): number_to_external(scales.unscale(read_number(memory, place, seat), scale))
            for seat in range(self.table.players)
        }

    def zone_part(self, room: ZoneRoom, at: int, is_seen: bool, known: dict[tuple[str, bool], ViewPart]) -> ViewPart:
        key = (f"zone {room.names[at]}", is_seen)
        if key not in known:
            store = self.plan.stores[id(room.declaration)]

            def word(memory: bytes) -> Any:
                return zone_to_json(room, read_content(store, field_reader(self.plan, memory), memory, at), is_seen)

            known[key] = ViewPart(room.names[at], tuple(instance_slices(store, at)), word)
        return known[key]

    def variable_part(self, room: VariableRoom, at: int, known: dict[tuple[str, bool], ViewPart]) -> ViewPart:
        key = (f"variable {room.names[at]}", True)
        if key not in known:
            place = self.plan.variables[id(room.declaration)]
            step = field_slice(place).stop - field_slice(place).start
            each = step // room.amount

            def word(memory: bytes) -> Any:
                found = read_variable(self.table, self.plan, room, field_reader(self.plan, memory), at)
                return to_external(self.table.bench, room.declaration.type, found)

            known[key] = ViewPart(room.names[at], (slice(place.at + at * each, place.at + (at + 1) * each),), word)
        return known[key]


def dump_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def field_slice(place: Field) -> slice:
    return slice(place.at, place.at + place.amount * place.bits // 8)


def instance_slices(store: Store, at: int) -> list[slice]:
    """The bytes of one instance of a zone."""
    parts = [part for part in (store.bottom, store.inner, store.top) if part is not None]
    found = [one for part in parts for one in instance_slices(part, at)]
    for place in (store.members, store.size, store.items, store.length):
        if place is not None:
            each = place.amount // store.amount * place.bits // 8
            found.append(slice(place.at + at * each, place.at + (at + 1) * each))
    return found


def read_number(memory: bytes, place: Field, index: int = 0) -> int:
    found: int = Struct(SIGNED[place.bits]).unpack_from(memory, place.at + index * place.bits // 8)[0]
    return found


def field_reader(plan: Plan, memory: bytes) -> Callable[..., int]:
    """The numbers of a block by the names of their fields."""
    return lambda name, index=0: read_number(memory, plan.fields[name], index)
