"""How good a position is for everyone. Takes a position, gives a whole number a player: the same on every machine.

A game that is not over is looked at as if it ended now: the points are counted, the players ranked. Where players
win from each other the worth lies between 0 and `ONE`; where all win or lose together, or play for points, it grows
with the score.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from attrs import define, field

from rulesrun.dsl.contents.amounts import may_pay_amounts
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import EVENTS, PLACES, SHEETS, Fault, Slots
from rulesrun.interpreter.play.game_loop import play_game, random_picker
from rulesrun.interpreter.play.step import GameOver
from rulesrun.interpreter.reference.scoring import Places
from rulesrun.interpreter.reference.table import Table

# ---- stakes
# Whether players play for points: what one wins the others pay, now more, now less. Takes a table.
#
# Who loses little is better off there than who loses much, though neither has won. It is seen in a few random games,
# in which all scores must add up to nothing; where scores are no amounts, no game is played for it. Nor is a lead an
# amount: `discs - discs of opponent` says who has won and how clearly, but nobody pays for it.


GAMES, FEWEST_GAMES, DECISIONS = 12, 2, 400  # so many games, fewer where they are long
LONGEST_GAME = 1000

_found: WeakKeyDictionary[Table, bool] = WeakKeyDictionary()


def has_stakes(table: Table) -> bool:
    found = _found.get(table)
    if found is None:
        found = _found[table] = table.players > 1 and may_pay_amounts(table.program) and pays_amounts(table)
    return found


def pays_amounts(table: Table) -> bool:
    """Played at random until it is seen."""
    amounts, decisions = set[float](), 0
    for number in range(GAMES):
        if number >= FEWEST_GAMES and decisions > DECISIONS:
            break
        try:
            steps = list(play_game(table, random_picker(Streams(number)), LONGEST_GAME))
        except Fault:
            return False
        decisions += len(steps)
        over = steps[-1].question
        assert isinstance(over, GameOver)
        if sum(over.scores.values()):
            return False
        amounts.update(abs(float(score)) for score in over.scores.values())
    return len(amounts - {0.0}) > 1


# ---- evaluation


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
