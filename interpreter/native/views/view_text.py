"""What a seat sees of a position, as the line of JSON that the reference writes of it. Blocks in, text out.

A place is put into words once for each of its contents: where the same bytes lie, the same words stand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from struct import Struct
from typing import Any

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import Field
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.domains import outside, plain_number
from rulesrun.interpreter.native.expressions import scales
from rulesrun.interpreter.native.layout.plan import Plan, Store
from rulesrun.interpreter.native.positions.block_reader import content, value
from rulesrun.interpreter.native.positions.blocks import SIGNED
from rulesrun.interpreter.native.positions.positions import Positions
from rulesrun.interpreter.play.visibility import Sight, sees, zone_json
from rulesrun.interpreter.reference.decisions import TogetherWait
from rulesrun.interpreter.reference.table import Table

MOST_KNOWN = 4096  # contents of a place that are kept in words
Word = Callable[[bytes], Any]


@define(eq=False)
class Part:
    """One entry of a view: the bytes that it hangs on, and what it says of them."""

    name: str
    places: tuple[slice, ...]
    word: Word
    _known: dict[bytes, str] = field(init=False, factory=dict)

    def text(self, memory: bytes) -> str:
        places = self.places
        key = memory[places[0]] if len(places) == 1 else b"".join([memory[one] for one in places])
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[key] = f"{dumped(self.name)}: {dumped(self.word(memory))}"
        return found


@define(eq=False)
class ViewTexts:
    """The views of all seats of a table."""

    positions: Positions
    _head: list[Part] = field(init=False, factory=list)
    _zones: dict[int, list[Part]] = field(init=False, factory=dict)  # by seat
    _variables: dict[int, list[Part]] = field(init=False, factory=dict)
    _last: tuple[bytes, list[Sight]] = field(init=False, default=(b"", []))

    def __attrs_post_init__(self) -> None:
        table = self.table
        self._head = [
            Part("player", self.fields("player", "pc"), self.whose), self.plain("round"), self.plain("starter"),
            Part("phase", self.fields("phase"), self.phase), Part("scores", self.fields("total"), self.scores),
        ]
        known: dict[tuple[str, bool], Part] = {}
        for seat in range(1, table.players + 1):
            self._zones[seat] = [
                self.zone(room, at, sees(room, at, seat), known)
                for room in table.bench.zones.values() for at in range(room.amount)
            ]
            self._variables[seat] = [
                self.variable(room, at, known)
                for room in table.bench.variables.values() for at in range(room.amount) if sees(room, at, seat)
            ]

    @property
    def table(self) -> Table:
        return self.positions.table

    @property
    def plan(self) -> Plan:
        return self.positions.form.plan

    def of(self, memory: bytes) -> list[Sight]:
        """What everybody sees now."""
        before, found = self._last
        if before == memory:
            return found
        whose, *head = [part.text(memory) for part in self._head]
        open_to_all, shown = tuple(head), self.shown(memory)
        found = [
            Sight(
                whose, open_to_all, tuple([part.text(memory) for part in self._zones[seat]]),
                tuple([part.text(memory) for part in self._variables[seat]]),
                tuple([text for to, text in shown if to in {0, seat}]),
            )
            for seat in self._zones
        ]
        self._last = memory, found
        return found

    def shown(self, memory: bytes) -> list[tuple[int, str]]:
        """To whom what is shown."""
        fields, found = self.plan.fields, []
        if "shown" not in fields:
            return []
        for at in range(number_at(memory, fields["shown"])):
            to, slot, first, many = (
                number_at(memory, fields[name], at) for name in ("shown to", "shown place", "shown from", "shown many")
            )
            kinds = [number_at(memory, fields["shown kinds"], one) for one in range(first, first + many)]
            zone, names = self.place_shown(slot)
            found.append((to, dumped({"zone": zone, "components": [names[kind] for kind in kinds]})))
        return found

    def place_shown(self, slot: int) -> tuple[str | None, Sequence[str]]:
        """The name of a zone, if all of it was shown; what its components are called."""
        for room in self.table.bench.zones.values():
            if room.base <= slot < room.base + room.amount:
                return room.names[slot - room.base], room.kinds.names
        return None, list(self.table.bench.kinds.values())[slot - len(self.table.blank)].names

    # ---- parts

    def fields(self, *names: str) -> tuple[slice, ...]:
        return tuple(whole(self.plan.fields[name]) for name in names)

    def plain(self, name: str) -> Part:
        return Part(name, self.fields(name), lambda memory: number_at(memory, self.plan.fields[name]))

    def whose(self, memory: bytes) -> int | None:
        """While several choose at once, whose answer is being taken is nobody's knowledge."""
        asked = self.positions.asked.get(number_at(memory, self.plan.fields["pc"]))
        is_together = asked is not None and isinstance(asked[1], TogetherWait)
        return None if is_together else number_at(memory, self.plan.fields["player"])

    def phase(self, memory: bytes) -> str | None:
        phases = self.table.bench.of_class(ast.Phase)
        return phases[number_at(memory, self.plan.fields["phase"])].name.text if phases else None

    def scores(self, memory: bytes) -> dict[str, Any]:
        place, scale = self.plan.fields["total"], scales.scale_of_total(self.plan)
        return {
            str(seat + 1): plain_number(scales.read(number_at(memory, place, seat), scale))
            for seat in range(self.table.players)
        }

    def zone(self, room: ZoneRoom, at: int, is_seen: bool, known: dict[tuple[str, bool], Part]) -> Part:
        key = (f"zone {room.names[at]}", is_seen)
        if key not in known:
            store = self.plan.stores[id(room.declaration)]

            def word(memory: bytes) -> Any:
                return zone_json(room, content(store, reading(self.plan, memory), memory, at), is_seen)

            known[key] = Part(room.names[at], tuple(instance(store, at)), word)
        return known[key]

    def variable(self, room: VariableRoom, at: int, known: dict[tuple[str, bool], Part]) -> Part:
        key = (f"variable {room.names[at]}", True)
        if key not in known:
            place = self.plan.variables[id(room.declaration)]
            step = whole(place).stop - whole(place).start
            each = step // room.amount

            def word(memory: bytes) -> Any:
                found = value(self.table, self.plan, room, reading(self.plan, memory), at)
                return outside(self.table.bench, room.declaration.type, found)

            known[key] = Part(room.names[at], (slice(place.at + at * each, place.at + (at + 1) * each),), word)
        return known[key]


def dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def whole(place: Field) -> slice:
    return slice(place.at, place.at + place.amount * place.bits // 8)


def instance(store: Store, at: int) -> list[slice]:
    """The bytes of one instance of a zone."""
    parts = [part for part in (store.bottom, store.inner, store.top) if part is not None]
    found = [one for part in parts for one in instance(part, at)]
    for place in (store.members, store.size, store.items, store.length):
        if place is not None:
            each = place.amount // store.amount * place.bits // 8
            found.append(slice(place.at + at * each, place.at + (at + 1) * each))
    return found


def number_at(memory: bytes, place: Field, index: int = 0) -> int:
    found: int = Struct(SIGNED[place.bits]).unpack_from(memory, place.at + index * place.bits // 8)[0]
    return found


def reading(plan: Plan, memory: bytes) -> Callable[..., int]:
    """The numbers of a block by the names of their fields."""
    return lambda name, index=0: number_at(memory, plan.fields[name], index)
