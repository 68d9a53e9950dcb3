"""How a position came about, for who asks what a player remembers. Takes answers, plays them again when it is asked.

Most positions are never asked: only then are the answers since the last one that was asked played again.
"""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar

from attrs import define, field

from rulesrun.interpreter.step import Decision, PlayerDecision, begin, follow, pending
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import PC, State
from rulesrun.recall import Recall

Path = tuple[Any, ...]  # all answers since the beginning: those before, the last ones; none
Told = tuple[State, Recall]
Where = TypeVar("Where")


class Retelling(Protocol[Where]):
    """An engine that plays answers again: a position of its own, and what everybody remembers there."""

    def begun(self) -> tuple[Where, Recall]: ...

    def followed(self, told: tuple[Where, Recall], index: int) -> tuple[Where, Recall]: ...


@define(eq=False, slots=True)
class Remembered(Generic[Where]):
    """The answers that led here and what was before them, or, once somebody has asked, what both led to."""

    before: Remembered[Where] | None = None
    answers: tuple[int, ...] = ()
    told: tuple[Where, Recall] | None = None
    path: Path = field(default=())

    def then(self, answers: tuple[int, ...]) -> Remembered[Where]:
        return Remembered(self, answers, None, (self.path, answers))

    def asked(self, engine: Retelling[Where]) -> tuple[Where, Recall]:
        """What everybody remembers here."""
        missing: list[Remembered[Where]] = []
        known: Remembered[Where] | None = self
        while known is not None and known.told is None:
            missing.append(known)
            known = known.before
        told = known.told if known is not None else None
        for one in reversed(missing):
            told = engine.begun() if told is None else told
            for index in one.answers:
                told = engine.followed(told, index)
        assert told is not None
        self.told, self.before = told, None
        return told


def answers_of(path: Path) -> tuple[int, ...]:
    """All answers since the beginning."""
    parts: list[tuple[int, ...]] = []
    while path:
        path, last = path
        parts.append(last)
    return tuple(index for part in reversed(parts) for index in part)


@define(eq=False)
class ByReference:
    """The reference engine plays the answers again."""

    table: Table

    def begun(self) -> Told:
        step = begin(self.table)
        return step.state, Recall.empty(self.table).after(self.table, step)

    def followed(self, told: Told, index: int) -> Told:
        state, recall = told
        question: Decision = pending(self.table, state)
        if isinstance(question, PlayerDecision):
            recall = recall.chosen(self.table.waits[state.slots[PC]], question, index)
        step = follow(self.table, state, index)
        return step.state, recall.after(self.table, step)
