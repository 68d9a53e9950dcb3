"""From a position back to a game that leads there: takes what was explored, gives the answers of a real game.

Where positions that are alike were merged, the way is walked again and the answer that leads on is looked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulesrun.interpreter.exploring.breadth import NONE, Explored
from rulesrun.interpreter.exploring.ways import Answers, Way, Ways
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import Slots


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

    def along(self, positions: Sequence[int]) -> Walk:
        """On to these positions, one after the other."""
        for position in positions:
            key = self.found.keys[position]
            self.take(next(way for way in Ways(self.table).all_from(self.S) if self.leads_to(way, key)))
        return self

    def leads_to(self, way: Way, key: bytes) -> bool:
        if way.problem is not None:
            return False
        return self.found.group.least(self.found.positions.settled(way.S.copy()))[0] == key


def answers_to(found: Explored, position: int, then: Answers = ()) -> Answers:
    """The answers of the shortest game to a position, and on from there."""
    walk = Walk(found).along(way_to(found, position)[1:])
    return (*walk.answers, *retraced(walk, position, then))


def retraced(walk: Walk, position: int, then: Answers) -> Answers:
    """Answers given at the position that stands for this one, as they are given here."""
    if not then or not walk.found.group.members:
        return then
    found = walk.found
    stands = found.positions.slots(found.keys[position])
    wanted = next(way for way in Ways(found.table).all_from(stands) if way.answers == then)
    return next(way for way in Ways(found.table).all_from(walk.S) if is_like(found, way, wanted)).answers


def is_like(found: Explored, way: Way, wanted: Way) -> bool:
    """Whether two ways out of positions that are alike are alike themselves."""
    if (way.problem is None) != (wanted.problem is None):
        return False
    if way.problem is not None and wanted.problem is not None:
        return way.problem.diagnostic.span == wanted.problem.diagnostic.span
    if [one[0] for one in way.broken] != [one[0] for one in wanted.broken]:
        return False
    least, settled = found.group.least, found.positions.settled
    return least(settled(way.S.copy()))[0] == least(settled(wanted.S.copy()))[0]
