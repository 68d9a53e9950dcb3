"""The bot that searches: Monte-Carlo tree search over information sets, within a budget of games or of time."""

from __future__ import annotations

from attrs import frozen

from rulesrun.interpreter.bots.bot import Chance
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.search import Search

GAMES = 200


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
        search = Search(seen, Chance.of(seen).below, self.ahead)
        search.run(self.games, self.seconds)
        return search.best()
