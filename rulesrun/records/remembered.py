"""How a position came about, for who asks what a player remembers. Takes answers, plays them again when it is asked.

Most positions are never asked: only then are the answers since the last one that was asked played again.
"""

from __future__ import annotations

import json
from typing import Any, Generic, Protocol, TypeVar

from attrs import define, field

from rulesrun.interpreter.model.values import EVENTS, PC, SHOWN, Slots, State
from rulesrun.interpreter.play.player_memory import MomentWatcher, is_asked_after_others
from rulesrun.interpreter.play.step import Decision, PlayerDecision, Sheet, apply_answer, decode_sheet, pending_decision
from rulesrun.interpreter.play.visibility import SightWriter, shown_entry_to_json
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.records.recall import Observation, Recall, offered_entry

Path = tuple[Any, ...]  # all answers since the beginning: those before, the last ones; none
Told = tuple[State, Recall]
Where = TypeVar("Where")


class RecallEngine(Protocol[Where]):
    """An engine that plays answers again: a position of its own, and what everybody remembers there."""

    def begin_game(self) -> tuple[Where, Recall]: ...

    def follow_answer(self, told: tuple[Where, Recall], index: int) -> tuple[Where, Recall]: ...


@define(eq=False, slots=True)
class AnswerHistory(Generic[Where]):
    """The answers that led here and what was before them, or, once somebody has asked, what both led to."""

    before: AnswerHistory[Where] | None = None
    answers: tuple[int, ...] = ()
    told: tuple[Where, Recall] | None = None
    path: Path = field(default=())

    def extend(self, answers: tuple[int, ...]) -> AnswerHistory[Where]:
        return AnswerHistory(self, answers, None, (self.path, answers))

    def replay_with(self, engine: RecallEngine[Where]) -> tuple[Where, Recall]:
        """What everybody remembers here."""
        missing: list[AnswerHistory[Where]] = []
        known: AnswerHistory[Where] | None = self
        while known is not None and known.told is None:
            missing.append(known)
            known = known.before
        told = known.told if known is not None else None
        for one in reversed(missing):
            told = engine.begin_game() if told is None else told
            for index in one.answers:
                told = engine.follow_answer(told, index)
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
class ReferenceRecall:
    """The reference engine plays the answers again. One table; any number of threads may ask. `first`: 0 where who only
    watches is followed too. `keeps_offers`: what there was to choose from is noted with each choice."""

    table: Table
    first: int = 1
    keeps_offers: bool = True
    _moments: MomentWatcher = field(init=False)
    _sights: SightWriter = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._moments, self._sights = MomentWatcher(self.table, note_moment), SightWriter(self.table, self.first)

    def begin_game(self) -> Told:
        return self.run_to_question(self.table.new_slots(), Recall.empty(self.table, self.first))

    def follow_answer(self, told: Told, index: int, question: Decision | None = None) -> Told:
        """`question`: what is answered, where the caller knows it."""
        state, recall = told
        question = question or pending_decision(self.table, state)
        if isinstance(question, PlayerDecision):
            recall = recall.with_choice(self.table.waits[state.slots[PC]], question, index, self.keeps_offers)
        S = self.table.to_slots(state)
        apply_answer(self.table, S, index)
        return self.run_to_question(S, recall)

    def run_to_question(self, S: Slots, recall: Recall) -> Told:
        """Moment by moment to the next question."""
        S[EVENTS] = []
        wait = self._moments.run_to_question(S)
        sheets: list[Sheet] = []
        shown = 0
        for event in S[EVENTS]:
            if event[0] == "score":
                sheets.append(decode_sheet(self.table, event[1]))
            elif event[0] == "moment":
                recall, sheets = recall.with_moment(sheets, self._sights.write_all_sights(event[1])), []
                for one in event[1][SHOWN][shown:]:
                    recall, shown = self.add_shown(recall, one), shown + 1
        if not isinstance(wait, ChanceWait) and not is_asked_after_others(wait, S):
            recall = recall.with_question(self._sights.write_all_sights(S))
        return self.table.to_state(S), recall

    def add_shown(self, recall: Recall, one: tuple[int | None, int, Any]) -> Recall:
        to, slot, content = one
        if to is None:
            return recall
        text = json.dumps(shown_entry_to_json(self.table, slot, content), ensure_ascii=False)
        return recall.with_shown(
            [text if to in {0, player} else None for player in range(self.first, self.table.players + 1)]
        )

    def observe(self, told: Told, question: Decision, player: int) -> Observation:
        """What the player may know where this is asked."""
        state, recall = told
        now = self._sights.write_all_sights(self.table.to_slots(state))[player - self.first]
        if isinstance(question, PlayerDecision) and question.player in (0, player):
            return recall.make_observation(player, now, offered_entry(question))
        return recall.make_observation(player, now, None)


def note_moment(S: Slots) -> None:
    """What the position is when a moment is over."""
    S[EVENTS].append(("moment", list(S)))
