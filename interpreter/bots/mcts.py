"""The bot that searches: Monte-Carlo tree search over information sets, within a budget of games or of time."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from attrs import evolve, field, frozen

from rulesrun.interpreter.bots.deliberation import Manner, Think, Thought
from rulesrun.interpreter.bots.evaluation import Judge
from rulesrun.interpreter.bots.greedy import select_best
from rulesrun.interpreter.bots.observation import UNKNOWN, Observation
from rulesrun.interpreter.bots.opponent_model import weigh_hidden_components
from rulesrun.interpreter.bots.tree_search import think_by_reference

GAMES = 200
MANNER = Manner()
PATIENCE = 12  # games an option should get: of more options those are left out that look worst at first
FEWEST_DEALS, MOST_DEALS = 6, 60  # of the first look
GAMES_A_DEAL = 16  # of the search, for one deal more
ENOUGH = 40  # games for each option: then nobody looks at more deals first
LOOKS_A_GAME = 4  # steps of the first look that take no longer than a game of the search
GAMES_A_SECOND = 20_000  # as far as is guessed
ENOUGH_TO_LISTEN = 800  # games: whoever searches less would take longer to weigh what others chose
FIRST_STRETCH, STRETCH_SECONDS = 8, 0.02  # games between two looks at the clock


@frozen
class MctsBot:
    """With a budget in games it always chooses the same; with one in time, as far as it gets."""

    games: int | None = GAMES
    seconds: float | None = None
    manner: Manner = MANNER
    looks: bool = True
    think: Think = field(default=think_by_reference, eq=False)

    @property
    def name(self) -> str:
        return f"mcts:{self.seconds:g}s" if self.seconds is not None else f"mcts:{self.games}"

    @property
    def expected_games(self) -> int:
        return self.games or int((self.seconds or 1) * GAMES_A_SECOND)

    @property
    def listens(self) -> bool:
        return self.expected_games >= ENOUGH_TO_LISTEN

    def choose(self, seen: Observation) -> int:
        return self.choose_among(seen, [True] * len(seen.options))

    def choose_among(self, seen: Observation, allowed: Sequence[bool]) -> int:
        if sum(allowed) == 1:
            return allowed.index(True)
        return most_visited(self.search_options(seen, allowed), allowed)

    def search_options(self, seen: Observation, allowed: Sequence[bool]) -> Thought:
        until = None if self.seconds is None else monotonic() + self.seconds
        games = self.expected_games
        if self.listens:
            half = None if self.seconds is None else monotonic() + self.seconds / 2
            seen = weigh_hidden_components(seen, self.think, games, half)
        deals = count_deals(seen, games)
        thought = self.think(seen, evolve(self.manner, hint=self.manner.hint * deals // FEWEST_DEALS))
        worths = thought.evaluate_options(deals, 0, allowed)
        thought.begin_search(worths, select_best(worths, max(games // PATIENCE, 2), allowed), games)
        if until is None:
            thought.search_games(self.games or GAMES)
            return thought
        stretch = FIRST_STRETCH
        while (began := monotonic()) < until:
            thought.search_games(stretch)
            if monotonic() - began < STRETCH_SECONDS:
                stretch *= 2
        return thought


def count_deals(seen: Observation, games: int) -> int:
    """Of the first look. Where something is hidden and there are few games for each option, the same deals for all
    options tell more than those games, each on a deal of its own. What is bad for all is seen too late for that."""
    is_hidden = bool(seen.groups) or UNKNOWN in seen.slots
    if not is_hidden or games >= ENOUGH * len(seen.options) or Judge(seen.table).is_common:
        return FEWEST_DEALS
    most = min(games // GAMES_A_DEAL, LOOKS_A_GAME * games // len(seen.options), MOST_DEALS)
    return max(most, FEWEST_DEALS)


def most_visited(thought: Thought, allowed: Sequence[bool]) -> int:
    """The option tried most often; of several alike the one that is worth most."""
    tried = thought.option_visits()
    return max((at for at, is_allowed in enumerate(allowed) if is_allowed), key=tried.__getitem__)
