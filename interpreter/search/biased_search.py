"""Random search for what fails: many games, leaning towards what has been done rarely. Bounded by what is played.

Takes tables, gives one failing game for each different failure. Some games are plainly random, some prefer
rare actions, some are one-sided: a taste for some actions, for first or for last options, for some outcomes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import define, field

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Slots
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import AnsweredGame, FailureKind, GameChecker
from rulesrun.interpreter.search.effort import Effort

MOST_DECISIONS = 2_000
LEAK_DECISIONS = 100
PRECISION = 1 << 16
TASTES = 4


@define(eq=False)
class BiasedAnswers:
    """Answers of one game. `used` counts over all games how often each action was done at each place."""

    streams: Streams
    used: Counter[tuple[int, int]]
    _rare: bool = field(init=False)
    _taste: int = field(init=False)
    _loves: dict[int, int] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self._rare = self.streams.random_below(2, "rare") == 0
        self._taste = self.streams.random_below(TASTES, "taste")

    def pick_option(self, S: Slots, wait: DecisionWait, options: Sequence[Any]) -> int:
        first: dict[int, list[int]] = {}
        for index, option in enumerate(options):
            first.setdefault(option[0], []).append(index)
        action = self.pick_weighted([(action, self.action_weight(wait.pc, action)) for action in first])
        self.used[wait.pc, action] += 1
        return self.pick_index(first[action], "option")

    def action_weight(self, pc: int, action: int) -> int:
        love = self._loves.get(action)
        if love is None:
            love = self._loves[action] = 1 << self.streams.random_below(8 if self._taste else 1, "love")
        return love * PRECISION // (1 + self.used[pc, action]) + 1 if self._rare else love

    def pick_weighted(self, weights: list[tuple[int, int]]) -> int:
        if len(weights) == 1:
            return weights[0][0]
        number = self.streams.random_below(sum(weight for _, weight in weights), "action")
        for one, weight in weights:
            number -= weight
            if number < 0:
                return one
        raise AssertionError("the number lies below the total")

    def pick_index(self, indices: list[int], source: str) -> int:
        """Any of them; the first, or the last, for those with a taste for it."""
        if self._taste >= 2 and self.streams.random_below(4, "whim"):
            return indices[0] if self._taste == 2 else indices[-1]
        return indices[self.streams.random_below(len(indices), source)]

    def pick_outcome(self, S: Slots, wait: ChanceWait) -> int:
        if wait.what == "order":
            return self.streams.random_below(wait.total_weight(S), "chance")
        outcomes = wait.outcomes(S)
        if self._taste == 3 and self.streams.random_below(2, "whim"):
            return len(outcomes) - 1
        return self.pick_weighted([(index, weight) for index, (_, weight) in enumerate(outcomes)])


@define(eq=False)
class SearchResult:
    """What has been found so far: for each failure the game that came to it with the fewest decisions."""

    found: dict[FailureKind, AnsweredGame] = field(factory=dict)
    games: int = 0
    decisions: int = 0
    looked: int = 0  # decisions at which what the chooser cannot see was taken to be otherwise
    open: int = 0  # decisions at which nothing lay hidden from the chooser
    happened: Counter[str] = field(factory=Counter)  # games in which a `can happen` was true, by title
    endless: AnsweredGame | None = None  # one that was not over after very many decisions
    seconds: float = 0.0  # of work
    is_late: bool = False  # the clock stopped it before the effort was spent
    is_interrupted: bool = False

    def add_game(self, game: AnsweredGame) -> None:
        self.happened.update(game.happened)
        if game.is_cut and self.endless is None:
            self.endless = game
        for failure in game.failures:
            known = self.found.get(failure.kind)
            if known is None or rank_failing_game(game, failure.kind) < rank_failing_game(known, failure.kind):
                self.found[failure.kind] = game


def rank_failing_game(game: AnsweredGame, kind: FailureKind) -> tuple[int, int]:
    failure = game.find_failure(kind)
    assert failure is not None
    return game.table.players, failure.decisions


def search_failures(
    tables: Sequence[Table], seed: int, effort: Effort, games: int | None = None, leaks: bool = False
) -> SearchResult:
    """Plays at the tables in turn until the effort is spent, or until so many games have been played; Ctrl-C ends it
    with what was found."""
    found = SearchResult()
    players = [GameChecker(table, MOST_DECISIONS if not leaks else LEAK_DECISIONS, leaks=leaks) for table in tables]
    used: list[Counter[tuple[int, int]]] = [Counter() for _ in tables]
    watches = [player.watch for player in players if player.watch is not None]
    for watch in watches:
        watch.found_at = watches[0].found_at
    try:
        while (games is None or found.games < games) and not effort.is_over:
            at = found.games % len(players)
            before = players[at].spent
            game = players[at].play_game(BiasedAnswers(Streams(seed, found.games), used[at]))
            effort.spent += players[at].spent - before
            found.games += 1
            found.decisions += len(game.choices)
            found.add_game(game)
    except KeyboardInterrupt:
        found.is_interrupted = True
    found.looked, found.open = sum(one.looked for one in watches), sum(one.open for one in watches)
    found.seconds, found.is_late = effort.worked, effort.is_late
    return found
