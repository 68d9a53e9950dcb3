"""Makes a legal position into the one an example speaks of. Takes a position and `given` lines, changes the position.

Components are exchanged with other places, so that the others keep their number of components.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from attrs import define, field

from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import ComponentOf, OptionalOf
from rulesrun.interpreter.model.compile_context import Workbench, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core_lowering import lower_assigned
from rulesrun.interpreter.model.domains import find_marked_kinds
from rulesrun.interpreter.model.example_lowering import GivenContents, GivenValue
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.locations import locate_first_of_kind, locate_if_still_there, place_of_spot
from rulesrun.interpreter.model.places import (
    compile_slot,
    count_components,
    find_zone,
    flatten_content,
    remove_component,
)
from rulesrun.interpreter.model.values import ROUND, SHEETS, Code, Fault, Slots, constant, fault
from rulesrun.interpreter.reference.collections import compile_literal
from rulesrun.interpreter.reference.score_lookups import total_points
from rulesrun.interpreter.reference.statements import compile_assignment
from rulesrun.interpreter.reference.table import Table


@define(eq=False)
class WantedContent:
    """What one `given` line says of one zone."""

    line: GivenContents
    room: ZoneRoom
    slot: int
    kinds: list[int]


@define(eq=False)
class PositionArranger:
    table: Table
    S: Slots
    wanted: dict[int, WantedContent] = field(factory=dict)  # by slot

    def arrange_components(self, lines: list[GivenContents]) -> None:
        for line in lines:
            wanted = self.read_given_line(line)
            self.wanted[wanted.slot] = wanted
        self.check_amounts()
        for wanted in self.wanted.values():
            self.bring_components(wanted)
        self.check_dice()
        for wanted in self.wanted.values():
            self.S[wanted.slot] = arrange_content(wanted)
        self.update_marker_places()

    def read_given_line(self, line: GivenContents) -> WantedContent:
        bench = self.table.bench
        room = find_zone(bench, line.place)
        if room is None:
            raise fault("impossible-given", message("this is not a place for components"), line.span)
        kinds = [compile_literal(bench, item).run(self.S) for item in line.items]
        if room.capacity is not None and len(kinds) > room.capacity:
            raise fault(
                "impossible-given", message("only {capacity} have room there", capacity=room.capacity), line.span
            )
        return WantedContent(line, room, compile_slot(bench, line.place).run(self.S), kinds)

    def check_amounts(self) -> None:
        """There must be as many of each kind as are asked for in all lines together."""
        asked: Counter[tuple[int, int]] = Counter()
        for wanted in self.wanted.values():
            for kind in wanted.kinds:
                asked[id(wanted.room.kinds), kind] += 1
                copies = wanted.room.kinds.copies[kind]
                if asked[id(wanted.room.kinds), kind] > copies:
                    raise self.refuse_amount(wanted, kind, copies)

    def refuse_amount(self, wanted: WantedContent, kind: int, copies: int) -> Fault:
        """More than there are: in this line, or in several."""
        name = wanted.room.kinds.names[kind]
        sentence = message("there are only {copies} of {name}", copies=copies, name=name)
        if copies == 1:
            sentence = message("there is one {name}, and it is given twice", name=name)
        others = [
            one.line for one in self.wanted.values()
            if one is not wanted and one.room.kinds is wanted.room.kinds and kind in one.kinds
        ]  # fmt: skip
        place = text_of_expression(others[0].place) if others else None
        hint = message("it is also given in `{place}`", place=place) if place is not None else None
        return fault("impossible-given", sentence, wanted.line.span, hint)

    def check_dice(self) -> None:
        """Every face is there as often as there are dice, so that they have to be counted: those out of the box."""
        for wanted in self.wanted.values():
            kinds = wanted.room.kinds
            if kinds.declaration.noun == "die":
                self.check_dice_of(kinds, wanted.line)

    def check_dice_of(self, kinds: Kinds, line: GivenContents) -> None:
        rooms = [room for room in self.table.bench.zones.values() if room.kinds is kinds]
        lying = [(room, at) for room in rooms for at in range(room.amount) if self.S[room.base + at]]
        copies = max(kinds.copies)
        if sum(len(flatten_content(self.S[room.base + at])) for room, at in lying) > copies:
            sentence = message("there are only {copies} of {name}", copies=copies, name=kinds.declaration.name.text)
            others = [
                write_place(room.names[at], room.declaration.per_player)
                for room, at in lying if room.base + at not in self.wanted
            ]
            hint = message("say what else there is: `given {place}: nothing`", place=others[0]) if others else None
            raise fault("impossible-given", sentence, line.span, hint)

    def bring_components(self, wanted: WantedContent) -> None:
        """Exchanges what is missing for what is too much; what is left over goes to the largest hidden pile."""
        S, slot, kinds = self.S, wanted.slot, wanted.room.kinds
        present = Counter(flatten_content(S[slot]))
        needed = Counter(wanted.kinds)
        surplus = list((present - needed).elements())
        for kind in (needed - present).elements():
            source = self.find_source(wanted, kind)
            if surplus:
                extra = surplus.pop()
                S[slot] = remove_component(S[slot], extra)
                self.exchange_component(source, kind, extra)
            else:
                self.refill_source(kinds, source, kind, slot)
            S[slot] = (*S[slot], kind)
        for extra in surplus:
            S[slot] = remove_component(S[slot], extra)
            self.lay_component(self.find_store(kinds, slot), extra)

    def find_source(self, wanted: WantedContent, kind: int) -> int:
        """Where one of this kind can be taken from: where it is not given to lie."""
        kinds, S = wanted.room.kinds, self.S
        slots = [slot for slot in all_zone_slots(self.table.bench, kinds) if slot != wanted.slot]
        store = self.find_store(kinds, wanted.slot)
        for slot in [store, *slots]:
            others = self.wanted.get(slot)
            kept = others.kinds.count(kind) if others is not None and slot != wanted.slot else 0
            if flatten_content(S[slot]).count(kind) > kept:
                return slot
        raise fault(
            "impossible-given", message("there is no {names} left to take", names=kinds.names[kind]), wanted.line.span
        )

    def find_store(self, kinds: Kinds, besides: int) -> int:
        """The largest hidden pile that no line speaks of; else the box."""
        piles = [
            room.base + number
            for room in self.table.bench.zones.values()
            for number in range(room.amount)
            if room.kinds is kinds and room.declaration.visibility == "hidden" and room.capacity is None
        ]
        free = [slot for slot in piles if slot not in self.wanted and slot != besides]
        return max(
            free, key=lambda slot: count_components(self.S[slot]), default=self.table.bench.boxes[id(kinds.declaration)]
        )

    def refill_source(self, kinds: Kinds, source: int, kind: int, besides: int) -> None:
        """Another place that had to give something gets something else instead, when the store has any."""
        store, S = self.find_store(kinds, besides), self.S
        asked = {kind for wanted in self.wanted.values() for kind in wanted.kinds if wanted.room.kinds is kinds}
        spare = next((kind for kind in flatten_content(S[store]) if kind not in asked), None)
        may_give = source in {store, self.table.bench.boxes[id(kinds.declaration)]} or source in self.wanted
        if may_give or spare is None:
            S[source] = remove_component(S[source], kind)
        else:
            S[store] = remove_component(S[store], spare)
            self.exchange_component(source, kind, spare)

    def exchange_component(self, slot: int, kind: int, instead: int) -> None:
        """Another component lies where this one lay."""
        room, content = self.room_of(slot), self.S[slot]
        at = next(at for at, part in enumerate(content) if part == kind or (isinstance(part, tuple) and kind in part))
        if isinstance(content[at], tuple):
            part = list(content[at])
            part[part.index(kind)] = instead
            self.S[slot] = (*content[:at], tuple(sorted(part)), *content[at + 1 :])
        elif room is None or room.declaration.kind == "set" or room.sort_key is not None:
            self.S[slot] = remove_component(content, kind)
            self.lay_component(slot, instead)
        else:
            self.S[slot] = (*content[:at], instead, *content[at + 1 :])

    def lay_component(self, slot: int, kind: int) -> None:
        """Into a place, where its order allows; into the box, where they lie as they are declared."""
        room = self.room_of(slot)
        self.S[slot] = (
            insert_component(room, self.S[slot], kind) if room is not None else tuple(sorted((*self.S[slot], kind)))
        )

    def room_of(self, slot: int) -> ZoneRoom | None:
        rooms = self.table.bench.zones.values()
        return next((room for room in rooms if room.base <= slot < room.base + room.amount), None)

    def update_marker_places(self) -> None:
        """A marker that stands on one of equal components stands on the first such, unless it lies where it lay."""
        bench, S = self.table.bench, self.S
        for variable, room in bench.variables.items():
            if variable in bench.marked:
                first, kinds = bench.marked[variable], find_marked_kinds(bench, room)
                for number in range(room.amount):
                    kind, where = S[room.base + number], S[first + number]
                    spot = locate_if_still_there(S, kind, where)
                    if spot is None and kind is not None:
                        spots = (locate_first_of_kind(S, slot, kind) for slot in all_zone_slots(bench, kinds))
                        spot = next((one for one in spots if one is not None), None)
                    S[first + number] = place_of_spot(spot)

    # ---- values

    def compile_given(self, line: GivenValue) -> Callable[[Slots], None]:
        """The value is asked once, so that it can be set again when the turn's things have been set back."""
        bench, value = self.table.bench, compile_given_value(self.table.bench, line).run(self.S)
        if line.owner is not None:
            if not bench.scores:
                raise fault("impossible-given", message("nothing is counted in this game"), line.span)
            owner = bench.compile(line.owner).run
            return lambda S: self.set_total(owner(S), value)
        if line.what == "round":
            return lambda S: S.__setitem__(ROUND, value)
        change = compile_assignment(bench, lower_assigned(bench, line.target))

        def assign(S: Slots) -> None:
            change(S, value)
            self.update_marker_places()

        return assign

    def set_total(self, player: int, value: Any) -> None:
        """What has been counted comes to these totals; of single lines nothing is left."""
        lines = self.table.bench.scores[0].lines
        totals = [total_points(self.S[SHEETS], seat) for seat in range(1, self.table.players + 1)]
        totals[player - 1] = value
        nothing = (0,) * len(lines)
        self.S[SHEETS] = ((0, self.S[ROUND], tuple((*nothing, one) for one in totals)),)


def compile_given_value(bench: Workbench, line: GivenValue) -> Code:
    """A single attribute may stand for the component that has it."""
    wanted, node = bench.type_of(line.target), line.value
    if isinstance(wanted, OptionalOf):
        wanted = wanted.item
    is_component = isinstance(bench.type_of(node), ComponentOf)
    if not isinstance(wanted, ComponentOf) or is_component or not line.is_short:
        return bench.compile(node)
    kinds = bench.kinds_called(wanted.kind)
    written = (bench.constant_value(node),)
    parts = [one for one in kinds.parts if one.declaration.name.text in wanted.members]
    found = next((one.by_written[written] for one in parts if written in one.by_written), None)
    if found is None:
        raise fault(
            "impossible-given", message("there is no such {noun} at this table", noun=kinds.declaration.noun), node.span
        )
    return constant(found)


def write_place(name: str, has_owner: bool) -> str:
    """As an example writes `heap[2,red]`: `heap[red] of 2`."""
    zone, _, keys = name.rstrip("]").partition("[")
    owner, _, others = keys.partition(",") if has_owner else ("", "", keys)
    return zone + (f"[{others}]" if others else "") + (f" of {owner}" if owner else "")


def insert_component(room: ZoneRoom, content: tuple[Any, ...], kind: int) -> tuple[Any, ...]:
    if room.declaration.kind == "set":
        return tuple(sorted((*content, kind)))
    if room.sort_key is not None:
        keys = room.sort_key
        return tuple(sorted((*content, kind), key=keys.__getitem__))
    for at, part in enumerate(content):
        if isinstance(part, tuple):
            return (*content[:at], tuple(sorted((*part, kind))), *content[at + 1 :])
    if room.is_shuffled and len(content) == 1:
        return (tuple(sorted((*content, kind))),)
    return (kind, *content)


def arrange_content(wanted: WantedContent) -> tuple[Any, ...]:
    """As the line says: left to right, or from the bottom; a shuffled pile that nobody sees has no order."""
    kinds, room = tuple(wanted.kinds), wanted.room
    if room.sort_key is not None:
        return tuple(sorted(kinds, key=room.sort_key.__getitem__))
    if room.is_shuffled and room.declaration.visibility == "hidden":
        return (tuple(sorted(kinds)),) if len(kinds) > 1 else kinds
    return tuple(sorted(kinds)) if room.declaration.kind == "set" else kinds
