"""What is tried when a game is made smaller: answers that are written down, then first ones, or any.

A judge plays candidates of one table and looks for one failure; here by the reference. Another judge must say the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol

from attrs import define, field, frozen

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import (
    LEAK,
    AnsweredGame,
    AnswerSource,
    FailureKind,
    GameChecker,
    ListedAnswers,
    ListedThenRandomAnswers,
    SeededAnswers,
)
from rulesrun.interpreter.search.biased_search import BiasedAnswers
from rulesrun.interpreter.search.effort import EffortShare


@frozen
class Candidate:
    """`answers`, then first ones; with a `seed` random ones, that lean towards what is rare when `leans`.

    With a `row`, that is what is chosen, and `answers` are those of chance alone.
    """

    answers: tuple[int, ...] = ()
    row: tuple[int, ...] | None = None
    seed: int | None = None
    leans: bool = False

    def make_answers(self, used: Counter[tuple[int, int]]) -> AnswerSource:
        if self.row is not None:
            return RowAnswers(self.answers, self.row)
        if self.seed is None:
            return ListedAnswers(self.answers)
        streams = Streams(self.seed)
        following = BiasedAnswers(streams, used) if self.leans else SeededAnswers(streams)
        return ListedThenRandomAnswers(ListedAnswers(self.answers), following) if self.answers else following


@frozen(eq=False)
class TriedCandidate:
    """What came of a candidate. `game`: None where it is certain that it did not fail.

    `spent`: the effort; `width`: how many options there were at the last choice of the row.
    """

    spent: int
    choices: int
    game: AnsweredGame | None
    width: int = 0

    def failing_game(self, kind: FailureKind) -> AnsweredGame | None:
        return self.game if self.game is not None and self.game.find_failure(kind) is not None else None


class CandidateJudge(Protocol):
    def reset_bias(self) -> None:
        """Nothing has been done often yet."""
        ...

    def try_candidate(self, candidate: Candidate, limit: int, most: int) -> TriedCandidate:
        """`limit`: so many choices; `most`: so many answers of players and chance."""
        ...


Judges = Callable[[Table, FailureKind, EffortShare], CandidateJudge]


@define(eq=False)
class ReferenceJudge:
    table: Table
    kind: FailureKind
    exchanges: bool = True
    player: GameChecker = field(init=False)
    used: Counter[tuple[int, int]] = field(init=False, factory=Counter)

    def __attrs_post_init__(self) -> None:
        self.player = GameChecker(self.table, 0, self.kind, self.kind.name == LEAK, self.exchanges)

    def reset_bias(self) -> None:
        self.used.clear()

    def try_candidate(self, candidate: Candidate, limit: int, most: int) -> TriedCandidate:
        answering, before = candidate.make_answers(self.used), self.player.spent
        game = self.player.play_game(answering, limit, most)
        width = answering.width if isinstance(answering, RowAnswers) else 0
        return TriedCandidate(self.player.spent - before, len(game.choices), game, width)


def make_reference_judge(table: Table, kind: FailureKind, effort: EffortShare) -> CandidateJudge:
    return ReferenceJudge(table, kind)


def make_deal_judge(table: Table, kind: FailureKind, effort: EffortShare) -> CandidateJudge:
    """Of leaks: any deal that makes the difference is enough for it."""
    return ReferenceJudge(table, kind, exchanges=False)


@define(eq=False)
class RowAnswers:
    """The answers up to the first decision, then these choices; after that only first outcomes."""

    start: tuple[int, ...]
    row: tuple[int, ...]
    width: int = 0
    _at: int = 0
    _made: int = 0

    def pick_option(self, S: object, wait: object, options: Sequence[object]) -> int:
        self._made += 1
        if self._made > len(self.row):
            return 0
        self.width = len(options) if self._made == len(self.row) else 0
        return self.row[self._made - 1] % len(options)

    def pick_outcome(self, S: object, wait: object) -> int:
        self._at += 1
        return self.start[self._at - 1] if self._at <= len(self.start) else 0
