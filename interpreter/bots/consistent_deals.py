"""Positions that fit to what a seat knows. Takes an observation and chance, gives one of them, to be played on.

Unseen components are dealt out group by group, hidden values are any of their type, choices not yet seen any legal.
Dice are thrown anew: those of a group that do not lie in the box show any face, each as likely, and the box has the
rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.bots.observation import NEUTRAL, UNKNOWN, Observation, OneOf
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.domains import find_range, list_values
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import EVENTS, PLAYER, RefusedTable, Slots, fault
from rulesrun.interpreter.reference.decisions import TogetherWait
from rulesrun.interpreter.reference.table import Table

Below = Callable[[int], int]
SHUFFLED = -1  # a group that is no throw of dice
SWEEPS = 3  # times that every component of which something is told may change its place with another one


@define(eq=False)
class Dealer:
    """Makes positions from one observation."""

    seen: Observation
    thrown: list[int] = field(init=False)
    gaps: list[tuple[int, ZoneRoom | None]] = field(init=False)
    unknown: list[tuple[int, Sequence[Any] | None]] = field(init=False)
    remembered: list[int] = field(init=False)
    secret: list[TogetherWait] = field(init=False)
    weighed: list[WeighedMark] = field(init=False)
    _weights: dict[tuple[int, int], dict[int, int]] = field(init=False)  # by group and place in its stack

    def __attrs_post_init__(self) -> None:
        table, slots = self.seen.table, self.seen.slots
        rooms, self.thrown = zones_by_slot(table), count_thrown(self.seen)
        self.gaps = [
            (slot, rooms.get(slot)) for kinds in table.bench.kinds.values() for slot in component_slots(table, kinds)
            if any(mark < 0 for mark in flatten_content(slots[slot]))
        ]
        self.unknown = [
            (slot, possible_values(table, room))
            for room in table.bench.variables.values() for slot in range(room.base, room.base + room.amount)
            if slots[slot] is UNKNOWN
        ]
        self.remembered = [slot for slot, value in enumerate(slots) if is_remembered(value)]
        self.secret = [
            wait for wait in table.waits.values()
            if isinstance(wait, TogetherWait) and UNKNOWN in (slots[wait.chosen] or ())
        ]
        self.weighed = find_weighed_marks(self.seen)
        by_slot = {slot: dict(own) for slot, own in self.seen.weights}
        self._weights = {(one.group, one.at): by_slot[one.slot] for one in self.weighed}

    def deal(self, below: Below) -> Slots:
        """A position to be worked on; it may be played on at once."""
        slots = list(self.seen.slots)
        stacks = [
            shuffle_kinds(list(group), below) if thrown == SHUFFLED else throw_faces(group, thrown, below)
            for group, thrown in zip(self.seen.groups, self.thrown, strict=True)
        ]
        for _ in range(SWEEPS if self.weighed else 0):
            for one in self.weighed:
                self.exchange_mark(stacks[one.group], one, below)
        for slot, room in self.gaps:
            slots[slot] = fill_marks(slots[slot], stacks, room)
        for slot, values in self.unknown:
            slots[slot] = values[below(len(values))] if values else self.seen.table.blank[slot]
        for slot in self.remembered:
            slots[slot] = self.recall_value(slots, slots[slot], below)
        S = [*slots, *self.seen.table.scratch_slots()]
        S[EVENTS] = None
        for wait in self.secret:
            self.choose_unseen(S, wait, below)
        return S

    def exchange_mark(self, stack: list[int], one: WeighedMark, below: Below) -> None:
        """Of both ways to lay it and another component, one as often as what is told of it says."""
        here, there = one.at, below(len(stack) - 1)
        there += there >= here
        own = self._weights[one.group, here]
        other = self._weights.get((one.group, there), {})
        kind, another = stack[here], stack[there]
        stay = own.get(kind, NEUTRAL) * other.get(another, NEUTRAL)
        go = own.get(another, NEUTRAL) * other.get(kind, NEUTRAL)
        if below(stay + go) < go:
            stack[here], stack[there] = another, kind

    def recall_value(self, slots: Slots, value: Any, below: Below) -> Any:
        if isinstance(value, tuple):
            return tuple(self.recall_value(slots, one, below) for one in value)
        if not isinstance(value, OneOf):
            return value
        if value.among:
            return value.among[below(len(value.among))]
        lying = flatten_content(slots[value.slot])
        return lying[below(len(lying))]

    def choose_unseen(self, S: Slots, wait: TogetherWait, below: Below) -> None:
        kept, chosen = S[PLAYER], []
        for seat, option in zip(S[wait.seats], S[wait.chosen], strict=True):
            S[PLAYER] = seat
            options = wait.list_options(S) if option is UNKNOWN else [option]
            if not options:
                raise fault("empty-choice", message("no deal fits what was chosen unseen"), wait.node.span)
            chosen.append(options[below(len(options))])
        S[PLAYER], S[wait.chosen] = kept, tuple(chosen)


@frozen
class WeighedMark:
    """A mark in a place of which something is told; `at`: where in the stack of its group lies what it will get."""

    group: int
    at: int
    slot: int


def find_weighed_marks(seen: Observation) -> list[WeighedMark]:
    """Stacks are handed out from their end, place by place."""
    if not seen.weights:
        return []
    told, found = {slot for slot, _ in seen.weights}, []
    left, thrown = [len(group) for group in seen.groups], count_thrown(seen)
    for kinds in seen.table.bench.kinds.values():
        for slot in component_slots(seen.table, kinds):
            for mark in flatten_content(seen.slots[slot]):
                if mark < 0:
                    left[-mark - 1] -= 1
                    if slot in told and thrown[-mark - 1] == SHUFFLED and len(seen.groups[-mark - 1]) > 1:
                        found.append(WeighedMark(-mark - 1, left[-mark - 1], slot))
    return found


def component_slots(table: Table, kinds: Kinds) -> list[int]:
    return all_zone_slots(table.bench, kinds)


def zones_by_slot(table: Table) -> dict[int, ZoneRoom]:
    return {
        slot: room for room in table.bench.zones.values() for slot in range(room.base, room.base + room.amount)
    }


def possible_values(table: Table, room: VariableRoom) -> Sequence[Any] | None:
    """What a hidden variable may hold; None where that is too much to go through."""
    bench, written = table.bench, room.declaration.type
    try:
        return find_range(bench, written) or list_values(bench, written)
    except RefusedTable:
        return None


def is_remembered(value: Any) -> bool:
    return isinstance(value, OneOf) or (isinstance(value, tuple) and any(isinstance(one, OneOf) for one in value))


def shuffle_kinds(kinds: list[int], below: Below) -> list[int]:
    for last in range(len(kinds) - 1, 0, -1):
        other = below(last + 1)
        kinds[last], kinds[other] = kinds[other], kinds[last]
    return kinds


def count_thrown(seen: Observation) -> list[int]:
    """By group: `SHUFFLED`, or how many dice of it do not lie in the box."""
    bench, found = seen.table.bench, [SHUFFLED] * len(seen.groups)
    for kinds in bench.kinds.values():
        if kinds.declaration.noun == "die":
            box = flatten_content(seen.slots[bench.boxes[id(kinds.declaration)]])
            in_box = Counter(mark for mark in box if mark < 0)
            for mark, many in in_box.items():
                found[-mark - 1] = len(seen.groups[-mark - 1]) - many
    return found


def throw_faces(faces: Sequence[int], thrown: int, below: Below) -> list[int]:
    """So many dice from the box, last, as they are handed out first; each shows any face that the box still has."""
    left, drawn = Counter(faces), list[int]()
    for _ in range(thrown):
        possible = [face for face, many in left.items() if many]
        drawn.append(possible[below(len(possible))])
        left[drawn[-1]] -= 1
    return [*left.elements(), *reversed(drawn)]


def fill_marks(content: tuple[Any, ...], stacks: list[list[int]], room: ZoneRoom | None) -> tuple[Any, ...]:
    """The content with components for its marks, laid out as such a zone keeps them."""

    def one(mark: int) -> int:
        return mark if mark >= 0 else stacks[-mark - 1].pop()

    found = tuple(tuple(sorted(map(one, part))) if isinstance(part, tuple) else one(part) for part in content)
    if room is None or room.declaration.kind == "set":
        return tuple(sorted(found))
    if room.sort_key is not None:
        return tuple(sorted(found, key=room.sort_key.__getitem__))
    return found
