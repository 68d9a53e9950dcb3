"""How good a position is for everyone. Takes a position, gives a number from 0 to 1 a player.

A game that is not over is looked at as if it ended now: the points are counted, the players ranked.
"""

from __future__ import annotations

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.scoring import Places
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import EVENTS, PLACES, SHEETS, Fault, Slots

FOR_PLACES = 0.75  # of the worth; the rest is for points
LITTLE = 0.005  # less than a place among the most players


@define(eq=False)
class Judge:
    """Learns from what it is shown how large differences in points are."""

    table: Table
    is_common: bool = field(init=False)  # all win or lose together
    sign: int = field(init=False)
    scale: float = field(init=False, default=1.0)
    low: float = field(init=False, default=float("inf"))
    high: float = field(init=False, default=float("-inf"))
    _seen: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        bench = self.table.bench
        self.is_common = bench.players == 1 or bool(bench.of_class(ast.Result))
        self.sign = 1 if self.table.scoring.criteria[0][0].direction == "highest" else -1

    def at_end(self, S: Slots) -> list[float]:
        scores = self.table.scoring.scores(S)
        return self.worth(S[PLACES], [float(score) for score in scores.values()])

    def exactly(self, S: Slots) -> list[float]:
        """Of an end, always the same for the same end: the place, and a little for the lead."""
        scores = [float(score) for score in self.table.scoring.scores(S).values()]
        if self.is_common:
            return [self.sign * score for score in scores]
        leads = [self.sign * (score * len(scores) - sum(scores)) for score in scores]
        places = by_place(S[PLACES], len(scores))
        return [place + LITTLE * lead / (1 + abs(lead)) for place, lead in zip(places, leads, strict=True)]

    def now(self, S: Slots) -> list[float]:
        """As if the game ended here."""
        ended = S.copy()
        ended[EVENTS] = None
        scoring = self.table.scoring
        for number in range(len(scoring.lines)):
            try:
                scoring.counting(number)(ended)
            except (Fault, TypeError, RecursionError, OverflowError):
                continue  # cannot be counted here: what has been counted must do
        if ended[SHEETS] is S[SHEETS]:
            return self.worth(self.all_alike(), self.points(S))
        try:
            places = scoring.places(ended)
        except (Fault, TypeError, RecursionError, OverflowError):
            places = self.all_alike()
        return self.worth(places, self.points(ended))

    def all_alike(self) -> Places:
        return (tuple(range(1, self.table.players + 1)),)

    def points(self, S: Slots) -> list[float]:
        return [float(score) for score in self.table.scoring.scores(S).values()]

    def worth(self, places: Places, scores: list[float]) -> list[float]:
        if self.is_common:
            return [self.between(self.sign * scores[0])] * len(scores)
        placed = by_place(places, len(scores))
        gained = self.ahead(scores)
        return [FOR_PLACES * place + (1 - FOR_PLACES) * points for place, points in zip(placed, gained, strict=True)]

    def between(self, score: float) -> float:
        """Where it lies between the worst and the best seen so far."""
        self.low, self.high = min(self.low, score), max(self.high, score)
        return (score - self.low) / (self.high - self.low) if self.high > self.low else 0.5

    def ahead(self, scores: list[float]) -> list[float]:
        """The lead over the others' mean, small leads counting most."""
        total, others = sum(scores), len(scores) - 1
        leads = [self.sign * (score - (total - score) / others) for score in scores]
        self._seen += 1
        self.scale += (max(abs(lead) for lead in leads) - self.scale) / min(self._seen + 1, 1000)
        return [0.5 + 0.5 * lead / (abs(lead) + self.scale + 1e-9) for lead in leads]


def by_place(places: Places, players: int) -> list[float]:
    """The share of the others who are behind; a tie counts half."""
    found, behind = [0.5] * players, players
    for group in places:
        behind -= len(group)
        for player in group:
            found[player - 1] = (behind + (len(group) - 1) / 2) / (players - 1)
    return found


