"""Whether options give away what the chooser cannot see. Takes positions of a game, gives the leaks.

At a decision, what the chooser cannot see is dealt anew; the same player must be asked and the same options must be
legal. What the chooser knows stays where it is. The smallest exchange that makes a difference is what is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.source import Span
from rulesrun.dsl.walk import walk
from rulesrun.interpreter.decisions import DecisionWait, OptionKey
from rulesrun.interpreter.places import flat
from rulesrun.interpreter.random import Streams
from rulesrun.interpreter.searching.changes import zone_slots
from rulesrun.interpreter.searching.known import Knowledge
from rulesrun.interpreter.step import Option, option_of
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import MOST_STEPS, OPTIONS, PC, PLAYER, TEAM, Fault, Slots
from rulesrun.interpreter.workbench import ZoneRoom

DEALS = 3
MOST_PAIRS = 1_500
CONTROL = {"unless", "jump"}

Offered = tuple[int, tuple[OptionKey, ...]]  # where somebody is asked, and the options


@frozen(eq=False)
class Spot:
    """One hidden component: its place, where in it, which."""

    slot: int
    at: int
    kind: int
    sort: int  # of components: cards are not exchanged with tokens


Dealt = list[tuple[Spot, int]]  # for each place the component that lies there instead


@frozen(eq=False)
class Leak:
    """`option`: legal only as things lie (or only otherwise); None: whether the player is asked at all."""

    player: int
    option: Option | None
    is_offered: bool
    swapped: tuple[tuple[str, str], ...]  # what lies where, that would have to lie elsewhere
    span: Span


@frozen(eq=False)
class Other:
    """What was dealt otherwise, what is offered then, and the position in which it is."""

    dealt: Dealt
    offered: Offered
    S: Slots


@frozen(eq=False)
class Asked:
    """The decision as it is in the game."""

    player: int
    wait: DecisionWait
    offered: Offered
    S: Slots


@define(eq=False)
class LeakWatch:
    """Follows one game. `before`: the position since which only conditions were looked at."""

    table: Table
    streams: Streams
    knowledge: list[Knowledge] = field(init=False)
    before: Slots = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self.knowledge = [Knowledge(self.table, player) for player in range(1, self.table.players + 1)]

    def run(self, S: Slots) -> Any:
        """As the table runs, but remembers the position before the last conditions."""
        steps, operations, pc = self.table.steps, self.table.operations, S[PC]
        self.before = kept(S, pc)
        for _ in range(MOST_STEPS):
            here, pc = pc, steps[pc](S)
            if pc < 0:
                S[PC] = ~pc
                return self.table.waits[~pc]
            if operations[here].kind not in CONTROL:
                self.before = kept(S, pc)
        raise AssertionError("such a game is stopped by the table itself")

    def look(self, S: Slots) -> None:
        for knowledge in self.knowledge:
            knowledge.look(S)

    def leak(self, S: Slots, wait: DecisionWait) -> Leak | None:
        """Deals anew a few times; the smallest exchange with which the player learns something."""
        player = wait.chooser(S)
        if player == TEAM:
            return None
        spots = list(self.spots(player))
        if len({(spot.slot, spot.kind) for spot in spots}) < 2:
            return None
        asked = Asked(player, wait, (S[PC], tuple(S[OPTIONS])), S)
        for _ in range(DEALS):
            other = self.differs(self.dealt(spots), player, asked.offered)
            if other is not None:
                return self.smallest(spots, other, asked)
        return None

    def spots(self, player: int) -> Iterator[Spot]:
        """What may as well lie otherwise, for all that the player knows; the unknown part of every hidden place."""
        knowledge = self.knowledge[player - 1]
        for slot, room in knowledge.unseen.items():
            left = dict(knowledge.known.get(slot, Counter()))
            for at, kind in enumerate(flat(self.before[slot])):
                if left.get(kind, 0) > 0:
                    left[kind] -= 1
                else:
                    yield Spot(slot, at, kind, id(room.kinds))

    def dealt(self, spots: list[Spot]) -> Dealt:
        found = []
        for sort in dict.fromkeys(spot.sort for spot in spots):
            own = [spot for spot in spots if spot.sort == sort]
            found += list(zip(own, self.shuffled([spot.kind for spot in own]), strict=True))
        return found

    def shuffled(self, kinds: list[int]) -> list[int]:
        for at in range(len(kinds) - 1, 0, -1):
            other = self.streams.below(at + 1, "deal")
            kinds[at], kinds[other] = kinds[other], kinds[at]
        return kinds

    # ---- the other position

    def differs(self, dealt: Dealt, player: int, expected: Offered) -> Other | None:
        """Where the game comes to, with which options, when that is something else; None when it is the same."""
        S = list(self.before)
        if not relaid(self.table, S, dealt):
            return None
        try:
            found = self.asked(S, player)
        except (Fault, TypeError):
            return None
        return Other(dealt, found, S) if found != expected else None

    def asked(self, S: Slots, player: int) -> Offered:
        """The decision that is reached by conditions alone, and what can be chosen there."""
        steps, operations, pc = self.table.steps, self.table.operations, S[PC]
        for _ in range(MOST_STEPS):
            here, pc = pc, steps[pc](S)
            if pc < 0:
                wait = self.table.waits[~pc]
                is_same = isinstance(wait, DecisionWait) and S[PLAYER] == player
                return (~pc, tuple(S[OPTIONS])) if is_same else (-1, ())
            if operations[here].kind not in CONTROL and here not in self.table.waits:
                return -1, ()
        return -1, ()

    def smallest(self, spots: list[Spot], whole: Other, asked: Asked) -> Leak | None:
        """An exchange of two that makes a difference; else all that was dealt otherwise."""
        for pair in pairs(spots):
            other = self.differs(pair, asked.player, asked.offered)
            if other is not None and is_allowed(self.table, self.before, other.dealt):
                return self.told(other, asked)
        if not is_allowed(self.table, self.before, whole.dealt):
            return None
        moved = [(spot, kind) for spot, kind in whole.dealt if spot.kind != kind]
        return self.told(Other(moved, whole.offered, whole.S), asked)

    def told(self, other: Other, asked: Asked) -> Leak:
        names = zone_slots(self.table)
        swapped = tuple(
            (names[spot.slot][0].kinds.names[spot.kind], names[spot.slot][1]) for spot, _ in other.dealt
        )
        if other.offered[0] != asked.offered[0]:
            return Leak(asked.player, None, True, swapped, asked.wait.node.span)
        here, there = set(asked.offered[1]), set(other.offered[1])
        is_offered = bool(here - there)
        key = min(here - there or there - here, key=repr)
        option = option_of(self.table, asked.wait, key)
        span = self.withheld_by(other.S if is_offered else asked.S, asked.wait, key)
        return Leak(asked.player, option, is_offered, swapped, span)

    def withheld_by(self, S: Slots, wait: DecisionWait, key: OptionKey) -> Span:
        """The condition, or else the choice, for which the option is not legal there."""
        ready, S = wait.offers[key[0]].action, list(S)
        for choice, value in zip(ready.choices, key[1:], strict=True):
            if value not in choice.values(S):
                return choice.choice.span
            S[choice.slot] = value
            if choice.is_player:
                S[PLAYER] = value
        failing = (need.span for _, need, code in ready.needs if not code.run(S))
        return next(failing, ready.action.span)


def kept(S: Slots, pc: int) -> Slots:
    copy = list(S)
    copy[PC] = pc
    return copy


def pairs(spots: list[Spot]) -> Iterator[Dealt]:
    """Every exchange of two, those of different places first."""
    tried = 0
    for is_apart in (True, False):
        for number, one in enumerate(spots):
            for other in spots[:number]:
                if (one.slot != other.slot) is is_apart and one.kind != other.kind and one.sort == other.sort:
                    yield [(one, other.kind), (other, one.kind)]
                    tried += 1
                    if tried >= MOST_PAIRS:
                        return


def relaid(table: Table, S: Slots, dealt: Dealt) -> bool:
    """The components as dealt; false when nothing is different. Components of different sorts keep apart."""
    by_slot: dict[int, list[tuple[int, int]]] = {}
    for spot, kind in dealt:
        by_slot.setdefault(spot.slot, []).append((spot.at, kind))
    rooms = zone_slots(table)
    is_changed = False
    for slot, changed in by_slot.items():
        content = laid_otherwise(rooms[slot][0], S[slot], dict(changed))
        is_changed = is_changed or content != S[slot]
        S[slot] = content
    return is_changed


def laid_otherwise(room: ZoneRoom, content: tuple[Any, ...], changed: dict[int, int]) -> tuple[Any, ...]:
    """By the number of a component, counted through unordered parts, what lies there now."""
    found: list[Any] = []
    at = 0
    for part in content:
        inner = part if isinstance(part, tuple) else (part,)
        new = tuple(changed.get(at + number, kind) for number, kind in enumerate(inner))
        at += len(inner)
        found.append(tuple(sorted(new)) if isinstance(part, tuple) else new[0])
    if room.declaration.kind == "set":
        return tuple(sorted(found))
    if room.sort_key is not None:
        return tuple(sorted(found, key=room.sort_key.__getitem__))
    return tuple(found)


def is_allowed(table: Table, before: Slots, moved: Dealt) -> bool:
    """Whether what always holds would hold there, too: else the player could work out how things lie.

    A property that asks what can be done says nothing of how things lie.
    """
    S = list(before)
    relaid(table, S, moved)
    for judged in table.watches.properties:
        asks = any(isinstance(one, ast.Can) for one in walk(judged.declaration.condition))
        if judged.declaration.word in {"always", "never"} and not asks:
            expected = judged.declaration.word == "always"
            try:
                if bool(judged.code.run(S)) is not expected and bool(judged.code.run(list(before))) is expected:
                    return False
            except (Fault, TypeError):
                continue
    return True
