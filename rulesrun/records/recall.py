"""What each player has seen and done since the beginning. Takes moments and answers of a game, gives observations.

An entry is one line of JSON: what a moment has changed of what lies open, something shown, a counting of points, the
whole view where somebody is asked and it is another, an announced choice, an own choice with what was offered. Two
courses of a game give a player equal observations exactly when the player cannot tell them apart
(`interpreter.play.player_memory` says what is remembered).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from attrs import define, field, frozen

from rulesrun.interpreter.model.values import EVENTS, PC, SHOWN, Slots, State
from rulesrun.interpreter.play.player_memory import MomentWatcher, announcement, is_asked_after_others
from rulesrun.interpreter.play.step import (
    Decision,
    Option,
    PlayerDecision,
    Sheet,
    apply_answer,
    decode_sheet,
    pending_decision,
)
from rulesrun.interpreter.play.visibility import ENCODE, Sight, SightWriter, format_part, shown_entry_to_json
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table
from rulesrun.records.traces import legal_json, option_json, score_event

History = tuple[str, ...]
SAW, VIEW = '{"saw"', '{"view"'


@frozen
class Observation:
    """What one player may know. It holds plain values, and nothing that leads to the position."""

    player: int
    history: History = field(repr=False)

    @property
    def now(self) -> dict[str, Any]:
        """What the player sees at this moment."""
        last = next(entry for entry in reversed(self.history) if entry.startswith(VIEW))
        view: dict[str, Any] = json.loads(last)["view"]
        return view

    @property
    def offered(self) -> list[dict[str, Any]]:
        """What the player may choose now. Empty when it is not this player's choice."""
        last = json.loads(self.history[-1]) if self.history else {}
        offered: list[dict[str, Any]] = last.get("offered", [])
        return offered

    def events(self) -> list[dict[str, Any]]:
        """Everything the player has seen and done, in order."""
        return [json.loads(entry) for entry in self.history]


@frozen
class Recall:
    """One history a player, in seating order; what lay open to each of them last. `first`: 0 where who only watches is
    followed too, before the first player."""

    histories: tuple[History, ...]
    sights: tuple[Sight | None, ...] = field(eq=False)
    first: int = 1

    @staticmethod
    def empty(table: Table, first: int = 1) -> Recall:
        amount = table.players + 1 - first
        return Recall(((),) * amount, (None,) * amount, first)

    def with_moment(self, sheets: Sequence[Sheet], sights: Sequence[Sight]) -> Recall:
        """A moment is over: what was counted, then what each player sees."""
        heard = tuple(_entry_text({"score": score_event(sheet)}) for sheet in sheets)
        found = []
        told: dict[str, str] = {}  # what several have seen is kept once
        for history, before, now in zip(self.histories, self.sights, sights, strict=True):
            if before is not None and now.has_same_open_parts(before):
                found.append((*history, *heard))
            else:
                entry = now.format_changes(before)
                found.append((*history, *heard, told.setdefault(entry, entry)))
        return Recall(tuple(found), tuple(sights), self.first)

    def with_shown(self, shown: Sequence[str | None]) -> Recall:
        """What each player is shown; nothing: somebody else is."""
        found = [
            (*history, f'{{"shown": {"null" if text is None else text}}}')
            for history, text in zip(self.histories, shown, strict=True)
        ]
        return Recall(tuple(found), self.sights, self.first)

    def with_question(self, sights: Sequence[Sight]) -> Recall:
        """Somebody is to choose, or the game is over: the whole view, where it is another."""
        found = []
        for history, now in zip(self.histories, sights, strict=True):
            is_just_seen = bool(history) and history[-1].startswith(SAW)  # the view says it, with all else
            found.append((*history[:-1], now.format_view()) if is_just_seen else _add_view(history, now))
        return Recall(tuple(found), tuple(sights), self.first)

    def with_choice(self, wait: Wait, question: PlayerDecision, index: int, keeps_offers: bool = True) -> Recall:
        """The chooser remembers the choice, the others what is announced of it."""
        option = question.options[index]
        own = (offered_entry(question), chosen_entry(option)) if keeps_offers else (chosen_entry(option),)
        return self.with_announcement(
            question.player, own, heard_entries(wait, question.player, question.together is not None, option)
        )

    def with_announcement(self, chooser: int, own: History, announced: History) -> Recall:
        found = tuple(
            (*history, *(own if player and chooser in (0, player) else announced))
            for player, history in enumerate(self.histories, self.first)
        )
        return Recall(found, self.sights, self.first)

    def make_observation(self, player: int, now: Sight, offer: str | None) -> Observation:
        """`now`: what the player sees at this moment; `offer`: what the player may choose."""
        history = _add_view(self.histories[player - self.first], now)
        return Observation(player, history if offer is None else (*history, offer))

    def to_json(self) -> list[list[str]]:
        return [list(history) for history in self.histories]

    @staticmethod
    def from_json(table: Table, document: object) -> Recall:
        if not isinstance(document, list) or len(document) != table.players:
            raise ValueError("the recall has not one history a player")
        histories = tuple(tuple(str(entry) for entry in history) for history in document)
        return Recall(histories, tuple(map(_find_last_sight, histories)))


def _add_view(history: History, now: Sight) -> History:
    """The same view again adds nothing, where nothing else lay open in between."""
    entry = now.format_view()
    for before in reversed(history):
        if before == entry:
            return history
        if before.startswith((SAW, VIEW)):
            break
    return (*history, entry)


def _find_last_sight(history: History) -> Sight | None:
    """What lay open last, put together again from what was seen."""
    head: dict[str, str] = {}
    parts: dict[str, dict[str, str]] = {"zones": {}, "variables": {}}
    for entry in history:
        if not entry.startswith((SAW, VIEW)):
            continue
        (seen,) = json.loads(entry).values()
        for name, value in seen.items():
            if name in parts:
                parts[name].update({one: format_part(one, its) for one, its in value.items()})
            elif name not in {"player", "shown"}:
                head[name] = format_part(name, value)
    found = (tuple(one.values()) for one in (head, *parts.values()))
    return Sight("", *found) if head else None


def offered_entry(question: PlayerDecision) -> str:
    return _entry_text({"offered": legal_json(question)})


def chosen_entry(option: Option) -> str:
    return _entry_text({"chose": option_json(option)})


def heard_entries(wait: Wait, player: int, is_together: bool, option: Option) -> History:
    """Components stay unsaid: the zones show what may be seen of them. Of a choice made together nothing is heard."""
    if is_together or not isinstance(wait, DecisionWait) or announcement(wait, option.key) is None:
        return ()
    choices = wait.offers[option.key[0]].action.choices
    said = {
        name: value
        for (name, value), choice in zip(option_json(option).items(), (None, *choices), strict=True)
        if choice is None or not choice.is_component
    }
    return (_entry_text({"heard": said, "player": player}),)


def _entry_text(event: Mapping[str, Any]) -> str:
    return ENCODE(event)


# ---- remembered
# How a position came about, for who asks what a player remembers. Takes answers, plays them again when it is asked.
#
# Most positions are never asked: only then are the answers since the last one that was asked played again.


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
