"""From a position back to a game that leads there: takes what was explored, gives the answers of a real game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from attrs import define, field

from rulesrun.interpreter.explore.breadth_first import NONE, Explored
from rulesrun.interpreter.model.values import Slots
from rulesrun.interpreter.play.position_keys import Key
from rulesrun.interpreter.play.successors import Answers, Successor, Successors
from rulesrun.interpreter.reference.table import Table


def path_to(found: Explored, position: int) -> list[int]:
    """The positions on the shortest way, the first one first."""
    way: list[int] = []
    while position != NONE:
        way.append(position)
        position = found.parents[position]
    return way[::-1]


@define(eq=False)
class RetracedGame:
    """A game played along positions that were found; `answers` are all its answers so far."""

    found: Explored
    table: Table = field(init=False)
    ways: Successors = field(init=False)
    S: Slots = field(init=False)
    answers: Answers = ()

    def __attrs_post_init__(self) -> None:
        self.table = self.found.table
        self.ways = Successors(self.table)
        self.take_successor(next(iter(self.ways.first_successors())))

    def take_successor(self, way: Successor) -> None:
        self.answers = (*self.answers, *way.answers)
        self.S = self.found.positions.normalize_position(way.S)

    def walk_to(self, position: int) -> RetracedGame:
        """From the beginning to a position, as it was reached first."""
        for one in path_to(self.found, position)[1:]:
            self.take_successor(nth_successor(self.ways, self.S, self.found.came[one]))
        return self

    def walk_along(self, positions: Sequence[int]) -> RetracedGame:
        """On to positions that are like these, one after the other."""
        for position in positions:
            key = self.canonical_key(RetracedGame(self.found).walk_to(position).S)
            ways = self.ways.successors_of(self.S)
            self.take_successor(next(way for way in ways if way.problem is None and self.leads_to(way, key)))
        return self

    def walk_measured(self, steps: Sequence[tuple[int, int]], unit: str) -> RetracedGame:
        """On to positions that are like these, by ways that make the game so much longer each."""
        for position, amount in steps:
            key, before = self.canonical_key(RetracedGame(self.found).walk_to(position).S), self.S.copy()
            ways = (way for way in self.ways.successors_of(self.S) if way.problem is None)
            self.take_successor(
                next(way for way in ways if way.added_length(unit, before) == amount and self.leads_to(way, key))
            )
        return self

    def leads_to(self, way: Successor, key: Key) -> bool:
        return self.canonical_key(self.found.positions.normalize_position(way.S.copy())) == key

    def canonical_key(self, S: Slots) -> Key:
        return self.found.group.canonical_key(S)[0]


def nth_successor(ways: Successors, S: Slots, which: int) -> Successor:
    """The way with this number out of a position."""
    return next(islice(ways.successors_of(S), which, None))


def fill_in_keys(found: Explored) -> None:
    """The positions as the reference keeps them, where another engine has gone through them."""
    if len(found.keys) == found.size:
        return
    ways, number = Successors(found.table), 1  # the first position is always there
    for parent in range(found.expanded):
        if number < found.size and found.parents[number] == parent:
            for which, way in enumerate(ways.successors_of(found.positions.slots_of_key(found.keys[parent]))):
                if number < found.size and found.parents[number] == parent and found.came[number] == which:
                    found.keys.append(found.positions.key_of(found.positions.normalize_position(way.S)))
                    number += 1


def answers_to(found: Explored, position: int, then: Answers = ()) -> Answers:
    """The answers of the shortest game to a position, and on from there."""
    return (*RetracedGame(found).walk_to(position).answers, *then)
