"""A game as a list of numbers: the answers to its questions, in order. Takes answers, gives what failed on the way.

Every game is played through the real rules. An answer that is too large is taken round the end; when
the list is over, the first option and the first outcome are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from attrs import define, field, frozen

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.model.moments import JudgedProperty
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import EVENTS, OPTIONS, Fault, Slots, State
from rulesrun.interpreter.play.game_loop import player_stream_name
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.rounds import EndWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.effort import DEAL, EXCHANGES, LOOK, THOROUGH_LOOK
from rulesrun.interpreter.secrecy.leaks import Leak, LeakWatcher

LEAK = "secret-leak"
MOST_ANSWERS = 80_000  # of one game, as when it is traced; a die that is rolled until it shows a six may never do so


@frozen
class FailureKind:
    """What makes two failures the same: the property, or the code and the place of a fault."""

    name: str
    file: str
    start: int


@frozen(eq=False)
class Failure:
    """What does not hold. `decisions` and `answers`: how far the game had come by then."""

    kind: FailureKind
    span: Span
    state: State
    decisions: int
    answers: int
    diagnostic: Diagnostic | None = None  # of a fault
    title: str = ""  # of a property
    judged: JudgedProperty | None = None  # of a property that is written
    leak: Leak | None = None


@frozen(eq=False)
class AnsweredGame:
    """A game that was played: its answers, which of them were choices, what failed."""

    table: Table
    answers: tuple[int, ...]
    choices: tuple[int, ...]  # the indices of the answers that were players' choices
    failures: tuple[Failure, ...]
    is_cut: bool = False  # it was not over after as many decisions, or answers, as were allowed
    happened: frozenset[str] = frozenset()  # the `can happen` that were true, by title
    stopped_at: State | None = None  # the position at which it was cut

    def find_failure(self, kind: FailureKind) -> Failure | None:
        return next((one for one in self.failures if one.kind == kind), None)


class AnswerSource(Protocol):
    def pick_option(self, S: Slots, wait: DecisionWait, options: Sequence[Any]) -> int: ...

    def pick_outcome(self, S: Slots, wait: ChanceWait) -> int: ...


@define(eq=False)
class ListedAnswers:
    """The answers as they are written down."""

    answers: Sequence[int]
    at: int = 0

    def next_answer(self, amount: int) -> int:
        self.at += 1
        return self.answers[self.at - 1] % amount if self.at <= len(self.answers) else 0

    def pick_option(self, S: Slots, wait: DecisionWait, options: Sequence[Any]) -> int:
        return self.next_answer(len(options))

    def pick_outcome(self, S: Slots, wait: ChanceWait) -> int:
        return self.next_answer(count_outcomes(S, wait))


@define(eq=False)
class SeededAnswers:
    """The answers of the random game with this seed, the same as everywhere."""

    streams: Streams

    def pick_option(self, S: Slots, wait: DecisionWait, options: Sequence[Any]) -> int:
        return self.streams.random_below(len(options), player_stream_name(wait.chooser(S)))

    def pick_outcome(self, S: Slots, wait: ChanceWait) -> int:
        number = self.streams.random_below(wait.total_weight(S), wait.stream_name(S))
        if wait.what == "order":
            return number
        value = wait.outcome_at(S, number)
        return next(index for index, (one, _) in enumerate(wait.outcomes(S)) if one == value)


@define(eq=False)
class ListedThenRandomAnswers:
    """Some answers as written, then chance and choices at random."""

    listed: ListedAnswers
    following: AnswerSource

    def pick_option(self, S: Slots, wait: DecisionWait, options: Sequence[Any]) -> int:
        if self.listed.at < len(self.listed.answers):
            return self.listed.pick_option(S, wait, options)
        return self.following.pick_option(S, wait, options)

    def pick_outcome(self, S: Slots, wait: ChanceWait) -> int:
        if self.listed.at < len(self.listed.answers):
            return self.listed.pick_outcome(S, wait)
        return self.following.pick_outcome(S, wait)


def count_outcomes(S: Slots, wait: ChanceWait) -> int:
    return wait.total_weight(S) if wait.what == "order" else len(wait.outcomes(S))


def outcome_at(S: Slots, wait: ChanceWait, index: int) -> Any:
    return wait.outcome_at(S, index) if wait.what == "order" else wait.outcomes(S)[index][0]


@define(eq=False)
class GameChecker:
    """Plays games at one table and notes what fails. `only`: stops at this failure, looks for nothing else.

    `exchanges`: whether the smallest change that tells something is looked for wherever a secret leaks.
    """

    table: Table
    limit: int
    only: FailureKind | None = None
    leaks: bool = False  # whether to look for options that give away what is hidden
    exchanges: bool = True
    watch: LeakWatcher | None = field(init=False, default=None)
    guard: PropertyGuard = field(init=False)
    answers: list[int] = field(init=False, factory=list)
    choices: list[int] = field(init=False, factory=list)
    failures: dict[FailureKind, Failure] = field(init=False, factory=dict)
    is_cut: bool = field(init=False, default=False)
    _answered: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        self.guard = PropertyGuard(self.table)
        if self.leaks and self.only is not None:
            self.watch = LeakWatcher(self.table, True, (self.only.file, self.only.start), self.exchanges)
        elif self.leaks:
            self.watch = LeakWatcher(self.table)

    def play_game(self, answering: AnswerSource, limit: int | None = None, most: int = MOST_ANSWERS) -> AnsweredGame:
        self.answers, self.choices, self.failures, self.is_cut = [], [], {}, False
        self.guard.begin_game()
        if self.watch is not None:
            self.watch.begin_game()
        S = self.table.new_slots()
        S[EVENTS] = []
        try:
            self.play_to_end(S, answering, self.limit if limit is None else limit, most)
        except Fault as problem:
            self.guard.note_events(S[EVENTS])
            self.note_properties()
            self.note_fault(problem.diagnostic, self.table.to_state(S))
        self._answered += 1 + len(self.answers)
        answers, choices, failures = tuple(self.answers), tuple(self.choices), tuple(self.failures.values())
        stopped_at = self.table.to_state(S) if self.is_cut else None
        happened = frozenset(self.guard.happened)
        return AnsweredGame(self.table, answers, choices, failures, self.is_cut, happened, stopped_at)

    @property
    def spent(self) -> int:
        """The effort of all its games so far."""
        if self.watch is None:
            return self._answered
        if self.only is None:
            return self._answered + LOOK * self.watch.looked + self.watch.tried // EXCHANGES
        return self._answered + THOROUGH_LOOK * self.watch.looked + DEAL * self.watch.dealt + self.watch.tried

    def play_to_end(self, S: Slots, answering: AnswerSource, limit: int, most: int) -> None:
        guard, watch = self.guard, self.watch
        run, settle = (
            (self.table.run_to_question, apply_answer) if watch is None else (watch.run_to_question, watch.apply_answer)
        )
        while self.only not in self.failures or self.only is None:
            wait = run(S)
            if isinstance(wait, ChanceWait):
                if len(self.answers) >= most:
                    self.is_cut = True
                    return
                self.answers.append(answering.pick_outcome(S, wait))
                settle(S, wait, outcome_at(S, wait, self.answers[-1]))
                continue
            guard.check_position(S, at_end=isinstance(wait, EndWait))
            if guard.broken:
                self.note_properties()
                if self.only in self.failures:
                    return
            if not isinstance(wait, DecisionWait):
                return
            if watch is not None and self.note_leak(watch, S, wait):
                return
            if len(self.choices) >= limit or len(self.answers) >= most:
                self.is_cut = True
                return
            options = S[OPTIONS]
            self.choices.append(len(self.answers))
            self.answers.append(answering.pick_option(S, wait, options))
            settle(S, wait, options[self.answers[-1]])

    def note_properties(self) -> None:
        for title, broken in self.guard.broken.items():
            kind = FailureKind(title, broken.span.file, broken.span.start)
            if kind not in self.failures:
                self.failures[kind] = Failure(
                    kind, broken.span, broken.state, len(self.choices), len(self.answers),
                    title=title, judged=find_judged(self.table, title),
                )

    def note_leak(self, watch: LeakWatcher, S: Slots, wait: DecisionWait) -> bool:
        """Whether the one failure that is looked for has been found."""
        leak = watch.find_leak(S, wait)
        if leak is not None:
            kind = FailureKind(LEAK, leak.span.file, leak.span.start)
            if kind not in self.failures:
                self.failures[kind] = Failure(
                    kind, leak.span, self.table.to_state(S), len(self.choices), len(self.answers), leak=leak
                )
        return self.only is not None and self.only in self.failures

    def note_fault(self, diagnostic: Diagnostic, state: State) -> None:
        kind = fault_kind(diagnostic)
        self.failures[kind] = Failure(
            kind, diagnostic.span, state, len(self.choices), len(self.answers), diagnostic=diagnostic
        )


def apply_answer(S: Slots, wait: DecisionWait | ChanceWait, value: Any) -> None:
    wait.apply_answer(S, value)


def fault_kind(diagnostic: Diagnostic) -> FailureKind:
    return FailureKind(diagnostic.code, diagnostic.span.file, diagnostic.span.start)


def find_judged(table: Table, title: str) -> JudgedProperty | None:
    titled = (one for one in table.watches.properties if one.declaration.title == title)
    return next((one for one in titled if one.declaration.word != "can happen"), None)
