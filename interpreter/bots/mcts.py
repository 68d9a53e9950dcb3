"""The bot that searches: Monte-Carlo tree search over information sets, within a budget of games or of time.

Where nothing is hidden and the rest of the game is small enough for the budget, all of the rest is looked through.
"""

from __future__ import annotations

from attrs import frozen

from rulesrun.interpreter.bots.bot import Chance
from rulesrun.interpreter.bots.deals import Dealer
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.search import Search
from rulesrun.interpreter.bots.worth import Judge
from rulesrun.interpreter.solving.bounds import Bounds, NoAnswer
from rulesrun.interpreter.solving.looking_ahead import LookingAhead, NotOpen, is_open
from rulesrun.interpreter.values import Fault

GAMES = 200
POSITIONS_FOR_A_GAME = 2  # they take about as long
MOST = 1_000_000


@frozen
class MctsBot:
    """With a budget in games it always chooses the same; with one in time, as far as it gets."""

    games: int | None = GAMES
    seconds: float | None = None
    ahead: int = 24
    looks: bool = True

    @property
    def name(self) -> str:
        return f"mcts:{self.seconds:g}s" if self.seconds is not None else f"mcts:{self.games}"

    def choose(self, seen: Observation) -> int:
        if len(seen.options) == 1:
            return 0
        if seen.seat and is_open(seen.table) and (best := self.looked_through(seen)) is not None:
            return best
        search = Search(seen, Chance.of(seen).below, self.ahead)
        search.run(self.games, self.seconds)
        return search.best()

    def looked_through(self, seen: Observation) -> int | None:
        """The best option, when every position that can follow fits into the budget."""
        most = POSITIONS_FOR_A_GAME * (self.games or GAMES)
        bounds = Bounds(most) if self.seconds is None else Bounds(MOST, self.seconds / 2)
        ahead = LookingAhead(seen.table, bounds, Judge(seen.table).exactly)
        try:
            ahead.run(Dealer(seen).deal(Chance.of(seen).below))
        except (NoAnswer, NotOpen, Fault):
            return None
        assert ahead.first is not None
        worths = [float(worth[seen.seat - 1]) for worth in ahead.first.worths]
        return worths.index(max(worths))
