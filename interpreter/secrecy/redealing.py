"""Exchanges of two things that a seat cannot see: takes what the seat knows and a position, gives other positions.

Which values a number or marker can ever hold is read off the rules where that can be: what is never written need not be
taken for possible. A bid of 1 to 3 is not 7, though the number may go to 9.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from rulesrun.interpreter.bots.consistent_deals import possible_values
from rulesrun.interpreter.bots.observation import UNKNOWN, Observation
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core import Assign, DrawValue, Operand
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import Slots
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.information_flow import VariableWrite, variable_of, writing_statements

MOST_PAIRS = 1_500
MOST_VALUES = 50


@frozen(eq=False)
class UnseenSpot:
    """One component that the seat cannot tell: its place, where in it, which, and what it may be taken for."""

    place: ComponentPlace
    at: int
    kind: int
    group: int


@frozen(eq=False)
class ComponentPlace:
    """Where components lie; `room` None: the box."""

    slot: int
    name: str
    kinds: Kinds
    room: ZoneRoom | None

    @property
    def has_order(self) -> bool:
        return self.room is not None and self.room.declaration.kind != "set" and self.room.sort_key is None


def list_places(table: Table) -> list[ComponentPlace]:
    found = []
    rooms = {room.base + number: (room, number) for room in table.bench.zones.values() for number in range(room.amount)}
    for kinds in table.bench.kinds.values():
        for slot in all_zone_slots(table.bench, kinds):
            room, number = rooms.get(slot, (None, 0))
            found.append(ComponentPlace(slot, room.names[number] if room is not None else "the box", kinds, room))
    return found


def find_unseen_spots(places: Sequence[ComponentPlace], seen: Observation, S: Slots) -> list[UnseenSpot]:
    found = []
    for place in places:
        marks, content = seen.slots[place.slot], S[place.slot]
        if any(mark < 0 for mark in flatten_content(marks)):
            found += list(unseen_spots_in(place, marks, content, seen.groups))
    return found


def unseen_spots_in(
    place: ComponentPlace, marks: tuple[Any, ...], content: tuple[Any, ...], groups: Sequence[tuple[int, ...]]
) -> Iterator[UnseenSpot]:
    """Part by part where there is an order; what could be of several groups is left out."""
    if not place.has_order:
        marks, content = (flatten_content(marks),), (flatten_content(content),)
    at = 0
    for own, part in zip(marks, content, strict=True):
        inner = part if isinstance(part, tuple) else (part,)
        own = own if isinstance(own, tuple) else (own,)
        known = Counter(mark for mark in own if mark >= 0)
        possible = sorted({-mark for mark in own if mark < 0})
        for number, kind in enumerate(inner):
            if known[kind] > 0:
                known[kind] -= 1
                continue
            fitting = [group for group in possible if kind in groups[group - 1]]
            if len(fitting) == 1:
                yield UnseenSpot(place, at + number, kind, fitting[0])
        at += len(inner)


def exchangeable_pairs(spots: Sequence[UnseenSpot]) -> Iterator[tuple[UnseenSpot, UnseenSpot]]:
    """Every two that could be exchanged unseen, those of different places first."""
    tried = 0
    for is_apart in (True, False):
        for number, one in enumerate(spots):
            for other in spots[:number]:
                is_possible = one.kind != other.kind and one.group == other.group
                if is_possible and (one.place.slot != other.place.slot) is is_apart:
                    yield one, other
                    tried += 1
                    if tried >= MOST_PAIRS:
                        return


def exchange_spots(S: Slots, one: UnseenSpot, other: UnseenSpot) -> Slots:
    """The position with these two exchanged."""
    found = list(S)
    changes: dict[int, dict[int, int]] = {}
    for spot, kind in ((one, other.kind), (other, one.kind)):
        changes.setdefault(spot.place.slot, {})[spot.at] = kind
    for place in {one.place.slot: one.place, other.place.slot: other.place}.values():
        found[place.slot] = replace_components(place, S[place.slot], changes[place.slot])
    return found


def replace_components(place: ComponentPlace, content: tuple[Any, ...], changed: dict[int, int]) -> tuple[Any, ...]:
    """By the number of a component, counted through unordered parts, what lies there now."""
    found: list[Any] = []
    at = 0
    for part in content:
        inner = part if isinstance(part, tuple) else (part,)
        new = tuple(changed.get(at + number, kind) for number, kind in enumerate(inner))
        at += len(inner)
        found.append(tuple(sorted(new)) if isinstance(part, tuple) else new[0])
    if place.has_order:
        return tuple(found)
    key = place.room.sort_key if place.room is not None else None
    return tuple(sorted(found) if key is None else sorted(found, key=key.__getitem__))


# ---- hidden values


def find_hidden_variables(table: Table, seen: Observation) -> Iterator[tuple[int, VariableRoom, str]]:
    """The variables whose value the seat does not know: their slot and name."""
    for room in table.bench.variables.values():
        for number, name in enumerate(room.names):
            if seen.slots[room.base + number] is UNKNOWN:
                yield room.base + number, room, name


def other_values(table: Table, room: VariableRoom, now: Any) -> list[Any]:
    return [value for value in (possible_values(table, room) or ())[:MOST_VALUES] if value != now]


# ---- which values a number or marker can ever hold


MOST = 1_000


def find_possible_values(table: Table) -> Mapping[int, frozenset[Any]]:
    """By variable; those of which nothing is known are left out."""
    found: dict[int, set[Any] | None] = {}
    for node in writing_statements(table):
        variable = variable_of(node.place)
        if variable is not None:
            so_far, values = found.setdefault(id(variable), set()), values_written(table, node)
            found[id(variable)] = None if so_far is None or values is None else so_far | {*values}
    return {
        id(room.declaration): frozenset({table.blank[room.base], *values})
        for room in table.bench.variables.values()
        if room.declaration.start is None or is_constant(table, room.declaration.start)
        if (values := found.get(id(room.declaration))) is not None
    }


def values_written(table: Table, node: VariableWrite) -> Iterable[Any] | None:
    """None: any of its type."""
    if isinstance(node, DrawValue) and node.what == "lot":
        return range(1, table.players + 1)
    if not isinstance(node, Assign):
        return None
    meaning = table.bench.meaning(node.value)
    if isinstance(meaning, core.Choice) and meaning.word == "in" and meaning.count is None:
        return next(constant_domains(table, meaning.domain), None)
    value = table.bench.ready.get(id(node.value))
    return [value[1].value] if value is not None and value[1].is_constant else None


def constant_domains(table: Table, domain: Operand) -> Iterator[Iterable[Any]]:
    """What may be chosen, where that is the same in every position."""
    known = table.bench.ready.get(id(domain))
    if known is not None and known[1].is_constant and isinstance(known[1].value, range | tuple):
        yield known[1].value[:MOST]


def is_constant(table: Table, node: Operand) -> bool:
    known = table.bench.ready.get(id(node))
    return known is not None and known[1].is_constant
