"""Exact values where nothing is hidden: takes a table, goes through every position once, from the ends back.

A hidden pile is no secret as long as all else lies open: what is in it can be counted, its order is chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from attrs import define, field

from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.values import EVENTS, OPTIONS, PC, Slots
from rulesrun.interpreter.play.visibility import sees
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, TogetherWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.bounds import Bounds, NoAnswer

MOST_POSITIONS = 250_000

Position = tuple[Any, ...]
Worths = tuple[Any, ...]  # by player, exact numbers unless somebody else says what an end is worth


class NotOpen(Exception):
    """Something is hidden, or chosen at the same moment."""


@define
class Opened:
    """A position on the way: whose choice it is (0: chance), how it goes on, and the odds."""

    key: Position
    whose: int
    options: tuple[OptionKey, ...]
    odds: tuple[Fraction, ...]
    following: list[Slots]
    worths: list[Worths] = field(factory=list)


@define(eq=False)
class LookingAhead:
    table: Table
    bounds: Bounds = field(factory=lambda: Bounds(MOST_POSITIONS))
    ends: Callable[[Slots], Sequence[Any]] | None = None  # what an end is worth to each player, when not the score
    worth: dict[Position, Worths] = field(init=False, factory=dict)  # by player
    choices: int = field(init=False, default=0)
    first: Opened | None = field(init=False, default=None)  # the first choice somebody has
    _hidden: list[tuple[int, list[int]]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        table = self.table
        if not is_open(table):
            raise NotOpen
        for kinds in table.bench.kinds.values():
            hidden = {
                room.base + number for room in table.bench.zones.values() for number in range(room.amount)
                if room.declaration.visibility in {"hidden", "public top"} and room.kinds is kinds
            }
            box = table.bench.boxes[id(kinds.declaration)]
            self._hidden.append((box, [slot for slot in all_zone_slots(table.bench, kinds) if slot in hidden]))

    def run(self, start: Slots | None = None) -> Worths:
        """What the game, or a position, is worth to every player when all play as well as they can."""
        S = self.table.fresh() if start is None else start.copy()
        S[EVENTS] = None
        key = self.reached(S)
        path, on_path = [], set()
        if key not in self.worth:
            path.append(self.opened(key, S))
            on_path.add(key)
        while path:
            top = path[-1]
            if len(top.worths) == len(top.following):
                self.worth[top.key] = self.settled(top)
                on_path.discard(path.pop().key)
                continue
            following = top.following[len(top.worths)]
            after = self.reached(following)
            if after in self.worth:
                top.worths.append(self.worth[after])
            elif after in on_path:
                raise NoAnswer("positions of this game can come round again, so it has no value of its own")
            else:
                path.append(self.opened(after, following))
                on_path.add(after)
        return self.worth[key]

    def reached(self, S: Slots) -> Position:
        """The next question; the worth of an end is known at once."""
        wait = self.table.run(S)
        key = tuple(S[: len(self.table.blank)])
        if not isinstance(wait, DecisionWait | ChanceWait) and key not in self.worth:
            self.worth[key] = self.worth_of_end(S)
        return key

    def worth_of_end(self, S: Slots) -> Worths:
        if self.ends is not None:
            return tuple(self.ends(S))
        scores = tuple(Fraction(score) for score in self.table.scoring.scores(S).values())
        self.bounds.ends_with(sum(scores))
        return scores

    def opened(self, key: Position, S: Slots) -> Opened:
        self.bounds.check(len(self.worth))
        wait = self.table.waits[S[PC]]
        if isinstance(wait, ChanceWait):
            total = wait.total(S)
            found = wait.outcomes(S)
            odds = tuple(Fraction(weight, total) for _, weight in found)
            return Opened(key, 0, (), odds, [settled(S, wait, value) for value, _ in found])
        assert isinstance(wait, DecisionWait)
        self.check_open(S)
        self.choices += 1
        options = tuple(S[OPTIONS])
        opened = Opened(key, wait.chooser(S), options, (), [settled(S, wait, option) for option in options])
        self.first = self.first or opened
        return opened

    def check_open(self, S: Slots) -> None:
        for box, hidden in self._hidden:
            filled = [slot for slot in hidden if S[slot]]
            if len(filled) + bool(S[box] and filled) > 1 or any(len(S[slot]) > 1 for slot in filled):
                raise NotOpen

    def settled(self, opened: Opened) -> Worths:
        if opened.whose == 0:
            return tuple(
                sum(share * worth[at] for share, worth in zip(opened.odds, opened.worths, strict=True))
                for at in range(self.table.players)
            )
        return max(opened.worths, key=lambda worth: worth[opened.whose - 1])


def settled(S: Slots, wait: ChanceWait | DecisionWait, value: Any) -> Slots:
    branch = S.copy()
    wait.settle(branch, value)
    return branch


def is_open(table: Table) -> bool:
    """Whether everybody sees everything, but for piles that may turn out to be no secret."""
    if any(isinstance(wait, TogetherWait) or (isinstance(wait, DecisionWait) and wait.is_team)
           for wait in table.waits.values()):
        return False
    if any(room.declaration.visibility == "private" for room in table.bench.zones.values()):
        return False
    return all(sees(room, number, 0) for room in table.bench.variables.values() for number in range(room.amount))
