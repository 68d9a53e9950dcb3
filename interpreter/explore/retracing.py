"""From a position back to a game that leads there: takes what was explored, gives the answers of a real game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from attrs import define, field

from rulesrun.interpreter.explore.breadth_first import NONE, Explored
from rulesrun.interpreter.model.values import Slots
from rulesrun.interpreter.play.position_keys import Key
from rulesrun.interpreter.play.successors import Answers, Way, Ways
from rulesrun.interpreter.reference.table import Table


def way_to(found: Explored, position: int) -> list[int]:
    """The positions on the shortest way, the first one first."""
    way: list[int] = []
    while position != NONE:
        way.append(position)
        position = found.parents[position]
    return way[::-1]


@define(eq=False)
class Walk:
    """A game played along positions that were found; `answers` are all its answers so far."""

    found: Explored
    table: Table = field(init=False)
    S: Slots = field(init=False)
    answers: Answers = ()

    def __attrs_post_init__(self) -> None:
        self.table = self.found.table
        self.take(next(iter(Ways(self.table).begin())))

    def take(self, way: Way) -> None:
        self.answers = (*self.answers, *way.answers)
        self.S = self.found.positions.settled(way.S)

    def to(self, position: int) -> Walk:
        """From the beginning to a position, as it was reached first."""
        for one in way_to(self.found, position)[1:]:
            self.take(nth(Ways(self.table), self.S, self.found.came[one]))
        return self

    def along(self, positions: Sequence[int]) -> Walk:
        """On to positions that are like these, one after the other."""
        for position in positions:
            key = self.alike(Walk(self.found).to(position).S)
            ways = Ways(self.table).all_from(self.S)
            self.take(next(way for way in ways if way.problem is None and self.leads_to(way, key)))
        return self

    def measured(self, steps: Sequence[tuple[int, int]], unit: str) -> Walk:
        """On to positions that are like these, by ways that make the game so much longer each."""
        for position, amount in steps:
            key, before = self.alike(Walk(self.found).to(position).S), self.S.copy()
            ways = (way for way in Ways(self.table).all_from(self.S) if way.problem is None)
            self.take(next(way for way in ways if way.added(unit, before) == amount and self.leads_to(way, key)))
        return self

    def leads_to(self, way: Way, key: Key) -> bool:
        return self.alike(self.found.positions.settled(way.S.copy())) == key

    def alike(self, S: Slots) -> Key:
        return self.found.group.least(S)[0]


def nth(ways: Ways, S: Slots, which: int) -> Way:
    """The way with this number out of a position."""
    return next(islice(ways.all_from(S), which, None))


def fill_in_keys(found: Explored) -> None:
    """The positions as the reference keeps them, where another engine has gone through them."""
    if len(found.keys) == found.size:
        return
    ways, number = Ways(found.table), 1  # the first position is always there
    for parent in range(found.expanded):
        if number < found.size and found.parents[number] == parent:
            for which, way in enumerate(ways.all_from(found.positions.slots(found.keys[parent]))):
                if number < found.size and found.parents[number] == parent and found.came[number] == which:
                    found.keys.append(found.positions.key(found.positions.settled(way.S)))
                    number += 1


def answers_to(found: Explored, position: int, then: Answers = ()) -> Answers:
    """The answers of the shortest game to a position, and on from there."""
    return (*Walk(found).to(position).answers, *then)
