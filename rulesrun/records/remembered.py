"""How a position came about, for who asks what a player remembers. Takes answers, plays them again when it is asked.

Most positions are never asked: only then are the answers since the last one that was asked played again.
"""

from __future__ import annotations

import json
from typing import Any, Generic, Protocol, TypeVar

from attrs import define, field

from rulesrun.interpreter.model.values import EVENTS, PC, SHOWN, Slots, State
from rulesrun.interpreter.play.player_memory import Moments, is_among_others
from rulesrun.interpreter.play.step import Decision, PlayerDecision, Sheet, answer, pending, sheet_of
from rulesrun.interpreter.play.visibility import Sights, shown_by_name
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.records.recall import Observation, Recall, offer

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
    """The reference engine plays the answers again. One table; any number of threads may ask."""

    table: Table
    _moments: Moments = field(init=False)
    _sights: Sights = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._moments, self._sights = Moments(self.table, note), Sights(self.table)

    def begun(self) -> Told:
        return self.going_on(self.table.fresh(), Recall.empty(self.table))

    def followed(self, told: Told, index: int) -> Told:
        state, recall = told
        question: Decision = pending(self.table, state)
        if isinstance(question, PlayerDecision):
            recall = recall.chosen(self.table.waits[state.slots[PC]], question, index)
        S = self.table.opened(state)
        answer(self.table, S, index)
        return self.going_on(S, recall)

    def going_on(self, S: Slots, recall: Recall) -> Told:
        """Moment by moment to the next question."""
        S[EVENTS] = []
        wait = self._moments.run(S)
        sheets: list[Sheet] = []
        shown = 0
        for event in S[EVENTS]:
            if event[0] == "score":
                sheets.append(sheet_of(self.table, event[1]))
            elif event[0] == "moment":
                recall, sheets = recall.looked(sheets, self._sights.of_all(event[1])), []
                for one in event[1][SHOWN][shown:]:
                    recall, shown = self.showed(recall, one), shown + 1
        if not isinstance(wait, ChanceWait) and not is_among_others(wait, S):
            recall = recall.asked(self._sights.of_all(S))
        return self.table.closed(S), recall

    def showed(self, recall: Recall, one: tuple[int | None, int, Any]) -> Recall:
        to, slot, content = one
        if to is None:
            return recall
        text = json.dumps(shown_by_name(self.table, slot, content), ensure_ascii=False)
        return recall.showed([text if to in {0, player} else None for player in range(1, self.table.players + 1)])

    def observed(self, told: Told, question: Decision, player: int) -> Observation:
        """What the player may know where this is asked."""
        state, recall = told
        now = self._sights.of_all(self.table.opened(state))[player - 1]
        if isinstance(question, PlayerDecision) and question.player in (0, player):
            return recall.observed(player, now, offer(question))
        return recall.observed(player, now, None)


def note(S: Slots) -> None:
    """What the position is when a moment is over."""
    S[EVENTS].append(("moment", list(S)))
