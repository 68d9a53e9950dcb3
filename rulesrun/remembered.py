"""How a position came about, for who asks what a player remembers. Takes answers, plays them again when it is asked.

Most positions are never asked: only then are the answers since the last one that was asked played by the reference,
whichever engine made the positions.
"""

from __future__ import annotations

from attrs import define

from rulesrun.interpreter.step import Decision, PlayerDecision, begin, follow, pending
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import State
from rulesrun.recall import Recall

Told = tuple[State, Recall]


@define(eq=False)
class Remembered:
    """The answer that led here and what was before it, or, once somebody has asked, what both led to."""

    table: Table
    before: Remembered | None = None
    index: int = 0
    told: Told | None = None

    def then(self, index: int) -> Remembered:
        return Remembered(self.table, self, index)

    def asked(self) -> Told:
        """The position as the reference has it, and what everybody remembers there."""
        missing: list[Remembered] = []
        known: Remembered | None = self
        while known is not None and known.told is None:
            missing.append(known)
            known = known.before
        told = known.told if known is not None else None
        for one in reversed(missing):
            told = one.told = self.begun() if told is None else one.followed(*told)
            one.before = None
        assert told is not None
        return told

    def begun(self) -> Told:
        step = begin(self.table)
        return step.state, Recall.empty(self.table).after(self.table, step)

    def followed(self, state: State, recall: Recall) -> Told:
        question: Decision = pending(self.table, state)
        if isinstance(question, PlayerDecision):
            recall = recall.chosen(self.table, state, question, self.index)
        step = follow(self.table, state, self.index)
        return step.state, recall.after(self.table, step)
