"""What is tried when a game is made smaller: answers that are written down, then first ones, or any.

A judge plays candidates of one table and looks for one failure; here by the reference. Another judge must say the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from attrs import define, field, frozen

from rulesrun.interpreter.model.domains import find_range
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import Table, set_up_table
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


# ---- plainer tables
# Tables that differ from one in a single option: nearer to what the rules have, or with less of something.
#
# Takes a table, gives tables; those that the rules do not allow are left out.


MOST_STEPS_DOWN = 3


def tables_with_usual_option(table: Table) -> Iterator[Table]:
    """One option that was set is as the rules have it."""
    settled = unusual_options(table)
    for name in settled:
        found = set_up_with_options(table, {other: value for other, value in settled.items() if other != name})
        if found is not None:
            yield found


def unusual_options(table: Table) -> dict[str, object]:
    """The options that are not as the rules have them."""
    usual = set_up_with_options(table, {})
    if usual is None:
        return dict(table.options)
    return {name: value for name, value in table.options.items() if value != usual.options.get(name)}


def tables_with_lower_option(table: Table) -> Iterator[Table]:
    """One option that is a number is lower: the lowest first, then half of it, then one less."""
    for option in table.bench.options:
        value = table.options.get(option.name.text)
        numbers = find_range(table.bench, option.type)
        if numbers is None or isinstance(value, bool) or not isinstance(value, int):
            continue
        lowest = numbers.start
        for other in sorted({lowest, (lowest + value) // 2, value - 1})[:MOST_STEPS_DOWN]:
            found = set_up_with_options(table, {**table.options, option.name.text: other}) if other < value else None
            if found is not None:
                yield found


def set_up_with_options(table: Table, options: Mapping[str, object]) -> Table | None:
    try:
        return set_up_table(
            table.program, table.players, {name: format_option_value(value) for name, value in options.items()}
        )
    except RefusedTable:
        return None


def format_option_value(value: object) -> object:
    """As it is said on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(str(one) for one in value) if isinstance(value, list | tuple) else str(value)
