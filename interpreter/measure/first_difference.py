"""The same deal at two tables of the same rules: takes both and a seed, gives where the games part and how each ends.

Both games ask the same streams of chance, and the players at random ask their own, so what comes
before the first difference is the same in both.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.measure.record import TOO_LONG
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import EVENTS, OPTIONS, PLACES, RESULT, SHEETS, Fault, Slots, State, fault
from rulesrun.interpreter.play.game_loop import (
    MOST_BY_CHANCE,
    MOST_DECISIONS,
    player_stream_name,
    too_much_chance_fault,
)
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, ValueWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.scoring import Places
from rulesrun.interpreter.reference.table import Table

Moment = tuple[Any, ...]  # what a record of the game would show


@frozen
class Ending:
    """How one of the two games ended; `stuck` is the code of the fault that stopped it, `stopped` the position where it
    was not over after very long."""

    places: Places
    result: str | None
    scores: dict[int, Any]
    stuck: str | None = None
    stopped: State | None = None

    def has_same_winners(self, other: Ending) -> bool:
        """The same first places and the same word for the table; a game that got stuck has neither."""
        own, others = self.places[:1], other.places[:1]
        return (own, self.result, self.stuck) == (others, other.result, other.stuck)


@frozen
class Parting:
    """The first moment at which the records differ: how many decisions both share, the two positions there."""

    decisions: int
    states: tuple[State, State]
    moments: tuple[Moment | None, Moment | None]


@frozen
class Contrast:
    parting: Parting | None  # None: the two records are the same
    endings: tuple[Ending, Ending]
    decisions: tuple[int, int]

    @property
    def changes_the_winner(self) -> bool:
        return not self.endings[0].has_same_winners(self.endings[1])

    @property
    def changes_the_scores(self) -> bool:
        return self.endings[0].scores != self.endings[1].scores


class OutOfTime(Exception):
    """The clock stopped a game before its end."""


@define(eq=False)
class Course:
    """One game, moment by moment; the position at hand is `S`."""

    table: Table
    streams: Streams
    until: float
    decisions: int = 0
    ending: Ending | None = None
    S: Slots = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.S = self.table.new_slots()
        self.S[EVENTS] = None

    def play_moments(self) -> Iterator[Moment]:
        try:
            yield from self.play_until_fault()
        except Fault as problem:
            code = problem.diagnostic.code
            self.ending = Ending((), None, {}, code, self.table.to_state(self.S) if code == TOO_LONG else None)
            yield ("stuck", problem.diagnostic.message)

    def play_until_fault(self) -> Iterator[Moment]:
        S, below, by_chance = self.S, self.streams.random_below, 0
        while True:
            wait = self.table.run_to_question(S)
            if isinstance(wait, DecisionWait):
                self.count_decision(wait)
                options, chooser = S[OPTIONS], wait.chooser(S)
                yield ("decision", chooser, wait.together_seats(S), options, S[SHEETS])
                wait.apply_answer(S, options[below(len(options), player_stream_name(chooser))])
            elif isinstance(wait, ChanceWait):
                by_chance += 1
                if by_chance > MOST_BY_CHANCE:
                    raise too_much_chance_fault(wait.node.span, self.decisions)
                total = wait.total_weight(S)
                value = wait.outcome_at(S, below(total, wait.stream_name(S)))
                yield (
                    "chance",
                    wait.what,
                    wait.place_names(S),
                    value,
                    outcome_weight(wait, S, value),
                    total,
                    S[SHEETS],
                )
                wait.apply_answer(S, value)
            else:
                self.ending = Ending(S[PLACES], S[RESULT], self.table.scoring.scores(S))
                yield ("end", S[PLACES], S[RESULT], S[SHEETS])
                return

    def count_decision(self, wait: DecisionWait) -> None:
        self.decisions += 1
        if self.decisions > MOST_DECISIONS:
            raise fault(
                "too-long",
                message("the game has not ended after {most_decisions} decisions", most_decisions=MOST_DECISIONS),
                wait.node.span,
            )
        if monotonic() > self.until:
            raise OutOfTime


def outcome_weight(wait: ChanceWait, S: Slots, value: Any) -> int:
    if isinstance(wait, DrawWait):
        return wait.candidates(S)[1].count(value)
    if isinstance(wait, ValueWait) and wait.what != "order":
        return sum(weight for one, weight in zip(wait.values, wait.weights, strict=True) if one == value)
    return 1


def compare_games(left: Table, right: Table, seed: int, until: float = float("inf")) -> Contrast:
    """Plays both games to their ends. Raises OutOfTime."""
    courses = Course(left, Streams(seed), until), Course(right, Streams(seed), until)
    parting = None if has_same_components(left, right) else make_parting(courses, (None, None))
    together = courses[0].play_moments(), courses[1].play_moments()
    while parting is None:
        moments = next(together[0], None), next(together[1], None)
        if moments[0] is None and moments[1] is None:
            break
        if moments[0] != moments[1]:
            parting = make_parting(courses, moments)
    for moments_left in together:
        for _ in moments_left:
            pass
    endings = courses[0].ending, courses[1].ending
    assert endings[0] is not None
    assert endings[1] is not None
    return Contrast(parting, (endings[0], endings[1]), (courses[0].decisions, courses[1].decisions))


def make_parting(courses: tuple[Course, Course], moments: tuple[Moment | None, Moment | None]) -> Parting:
    """A decision that is just being asked is not shared any more."""
    shared = [
        course.decisions - (moment is not None and moment[0] == "decision")
        for course, moment in zip(courses, moments, strict=True)
    ]
    left, right = (course.table.to_state(course.S) for course in courses)
    return Parting(min(shared), (left, right), moments)


def has_same_components(left: Table, right: Table) -> bool:
    """Whether a number means the same component at both."""
    names = [[kinds.names for kinds in table.bench.kinds.values()] for table in (left, right)]
    return names[0] == names[1]
