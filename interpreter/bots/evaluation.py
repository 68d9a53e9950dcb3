"""How good a position is for everyone. Takes a position, gives a whole number a player: the same on every machine.

A game that is not over is looked at as if it ended now: the points are counted, the players ranked. Where players
win from each other the worth lies between 0 and `ONE`; where all win or lose together, or play for points, it grows
with the score.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulesrun.interpreter.bots.stakes import has_stakes
from rulesrun.interpreter.model.values import EVENTS, PLACES, SHEETS, Fault, Slots
from rulesrun.interpreter.reference.scoring import Places
from rulesrun.interpreter.reference.table import Table

ONE = 1 << 20
MOST_POINTS = 1 << 16  # farther apart makes no difference
FOR_POINTS = 1 << 10  # what a point is worth where all win together; how finely leads are told apart
MOST_STAKES = 1 << 12  # the same, where players play for points
FOR_STAKES = 1 << 14  # what a point is worth there
MEMORY = 1000  # leads after which a new one hardly counts


@define(eq=False)
class Judge:
    """Learns from what it is shown how large differences in points are."""

    table: Table
    is_common: bool = field(init=False)  # all win or lose together
    has_stakes: bool = field(init=False)  # what one wins the others pay
    sign: int = field(init=False)
    scale: int = field(init=False)
    shown: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        bench = self.table.bench
        self.is_common = bench.players == 1 or bool(bench.results)
        self.has_stakes = not self.is_common and has_stakes(self.table)
        self.sign = 1 if self.table.scoring.criteria[0].is_highest_first else -1
        self.scale = max(bench.players - 1, 1) * FOR_POINTS

    @property
    def in_points(self) -> bool:
        """Whether players want points, not places."""
        return self.is_common or self.has_stakes

    def shows_lead(self, S: Slots) -> bool:
        """Whether somebody would be ahead if the game ended here. Where what one wins the others pay, what does not add
        up to nothing is no end."""
        worths = self.worth_now(S)
        is_end = not self.has_stakes or sum(worths) == len(worths) * ONE // 2
        return is_end and worths.count(worths[0]) < len(worths)

    def worth_at_end(self, S: Slots) -> list[int]:
        return self.compute_worth(S[PLACES], self.points(S))

    def worth_now(self, S: Slots) -> list[int]:
        """As if the game ended here."""
        ended = S.copy()
        ended[EVENTS] = None
        scoring = self.table.scoring
        for number in range(len(scoring.lines)):
            try:
                scoring.compile_counting(number)(ended)
            except (Fault, TypeError, RecursionError, OverflowError):
                continue  # cannot be counted here: what has been counted must do
        if ended[SHEETS] is S[SHEETS]:
            return self.compute_worth(self.equal_places(), self.points(S))
        try:
            places = scoring.rank_players(ended)
        except (Fault, TypeError, RecursionError, OverflowError):
            places = self.equal_places()
        return self.compute_worth(places, self.points(ended))

    def equal_places(self) -> Places:
        return (tuple(range(1, self.table.players + 1)),)

    def points(self, S: Slots) -> list[Any]:
        return list(self.table.scoring.scores(S).values())

    def compute_worth(self, places: Places, scores: list[Any]) -> list[int]:
        """Three parts for the place, one for the lead; where players play for points, these alone."""
        scores = [self.sign * min(max(score, -MOST_POINTS), MOST_POINTS) for score in scores]
        if self.is_common:
            return [scores[0] * FOR_POINTS // 1] * len(scores)
        if self.has_stakes:
            return [ONE // 2 + min(max(score, -MOST_STAKES), MOST_STAKES) * FOR_STAKES // 1 for score in scores]
        placed, gained = place_worth(places, len(scores)), self.lead_worth(scores)
        return [(3 * place + points) // 4 for place, points in zip(placed, gained, strict=True)]

    def lead_worth(self, scores: list[Any]) -> list[int]:
        """The lead over the others, small leads counting most."""
        total = sum(scores)
        leads = [(score * len(scores) - total) * FOR_POINTS // 1 for score in scores]
        self.shown = min(self.shown + 1, MEMORY)
        self.scale += (max(abs(lead) for lead in leads) - self.scale) // (self.shown + 1)
        return [ONE // 2 + ONE // 2 * lead // (abs(lead) + self.scale + 1) for lead in leads]


def place_worth(places: Places, players: int) -> list[int]:
    """The share of the others who are behind; a tie counts half."""
    found, behind = [ONE // 2] * players, players
    for group in places:
        behind -= len(group)
        for player in group:
            found[player - 1] = (2 * behind + len(group) - 1) * ONE // (2 * (players - 1))
    return found
