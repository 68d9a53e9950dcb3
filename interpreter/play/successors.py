"""What can follow a position: every option, every outcome of chance, every joint choice. Changes no position.

A certain outcome is no question, so it is followed at once; choices made at the same moment are one way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import define, evolve, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model.values import EVENTS, PC, ROUND, Fault, Jump, Slots, fault
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table

MOST_CERTAIN = 100_000
MOST_WAYS = 200_000

Answers = tuple[int, ...]  # one for each question: the number of the option or of the outcome


@frozen(eq=False)
class Successor:
    """The answers given, and the position at the next question; or the fault that it led to, and where."""

    answers: Answers
    S: Slots
    broken: tuple[Any, ...] = ()  # properties of a moment that did not hold on the way, with their positions
    problem: Fault | None = None
    decisions: int = 0  # among the answers

    def added_length(self, unit: str, before: Slots) -> int:
        """By how much the game has become longer: turns that are over, rounds, decisions."""
        if unit == "turns":
            return sum(event[0] == "turn" for event in self.S[EVENTS] or ())
        return self.S[ROUND] - before[ROUND] if unit == "rounds" else self.decisions


@define(eq=False)
class Successors:
    """Follows positions; notes which operations have ever been carried out."""

    table: Table
    done: set[int] = field(factory=set)
    chosen: set[int] = field(factory=set)  # actions by their number
    scored: set[tuple[int, int]] = field(factory=set)  # lines that were not 0: the sheet, the line

    def __attrs_post_init__(self) -> None:
        steps: list[Jump] = []
        for number, step in enumerate(self.table.steps):
            steps.append(note_first_time(step, number, self.done, steps))
        self.table = evolve(self.table, steps=tuple(steps))

    def first_successors(self) -> Iterator[Successor]:
        """The ways to the first position; one, for the certain is followed."""
        yield self.follow_answer(self.table.new_slots(), (), lambda S: None)

    def successors_of(self, S: Slots) -> Iterator[Successor]:
        wait = self.table.waits[S[PC]]
        if isinstance(wait, TogetherWait):
            yield from self.follow_joint_choices(wait, S)
        elif isinstance(wait, DecisionWait):
            yield from self.follow_options(wait, S)
        elif isinstance(wait, ChanceWait):
            for number, (value, _) in enumerate(wait.outcomes(S)):
                yield self.follow_answer(S, (number,), applying_answer(wait, value))

    def follow_options(self, wait: DecisionWait, S: Slots) -> Iterator[Successor]:
        for number, option in enumerate(wait.list_options(S.copy())):
            self.chosen.add(option[0])
            yield self.follow_answer(S, (number,), applying_answer(wait, option), 1)

    def follow_joint_choices(self, wait: TogetherWait, S: Slots) -> Iterator[Successor]:
        """Every joint choice: seat after seat chooses on the same position."""
        open_ways = [self.follow_options(wait, S)]
        before: list[Answers] = [()]
        amount = 0
        while open_ways:
            choice = next(open_ways[-1], None)
            if choice is None:
                open_ways.pop()
                before.pop()
                continue
            answers, seats = (*before[-1], *choice.answers), choice.S[wait.seats]
            if choice.problem is None and choice.S[PC] == wait.pc and seats and choice.S[wait.chosen]:
                open_ways.append(self.follow_options(wait, choice.S))
                before.append(answers)
                continue
            amount += 1
            if amount > MOST_WAYS:
                raise fault("too-many-options", message("these are too many joint choices"), wait.node.span)
            yield Successor(answers, choice.S, choice.broken, choice.problem, len(open_ways))

    def follow_answer(
        self, S: Slots, answers: Answers, settle: Callable[[Slots], None], decisions: int = 0
    ) -> Successor:
        """Answers one question, goes on to the next one that has more than one answer."""
        S = S.copy()
        S[EVENTS] = []
        certain = 0
        try:
            settle(S)
            wait = self.table.run_to_question(S)
            while isinstance(wait, ChanceWait):
                outcomes = wait.outcomes(S)
                if len(outcomes) > 1 or len(answers) + certain > MOST_CERTAIN:
                    break
                wait.apply_answer(S, outcomes[0][0])
                certain += 1
                wait = self.table.run_to_question(S)
        except Fault as problem:
            return Successor((*answers, *[0] * certain), S, self.collect_broken(S), problem, decisions)
        return Successor((*answers, *[0] * certain), S, self.collect_broken(S) if S[EVENTS] else (), None, decisions)

    def collect_broken(self, S: Slots) -> tuple[Any, ...]:
        """The properties of a moment that did not hold; of points that were counted it is noted which there were."""
        broken = []
        for event in S[EVENTS]:
            if event[0] == "broken":
                broken.append(event[1:])
            elif event[0] == "score":
                number, _, values = event[1]
                self.scored.update((number, line) for own in values for line, points in enumerate(own) if points)
        return tuple(broken)


def note_first_time(step: Jump, number: int, done: set[int], steps: list[Jump]) -> Jump:
    """Notes the first time, and then steps aside."""

    def noted(S: Slots) -> int:
        done.add(number)
        steps[number] = step
        return step(S)

    return noted


def applying_answer(wait: Any, value: Any) -> Callable[[Slots], None]:
    return lambda S: wait.apply_answer(S, value)
