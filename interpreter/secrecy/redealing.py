"""Exchanges of two things that a seat cannot see: takes what the seat knows and a position, gives other positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from rulesrun.interpreter.bots.consistent_deals import possible_values
from rulesrun.interpreter.bots.observation import UNKNOWN, Observation
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import Slots
from rulesrun.interpreter.reference.table import Table

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
