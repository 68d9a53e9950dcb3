"""What each player has seen and done since the beginning. Takes moments and answers of a game, gives observations.

An entry is one line of JSON: what a moment has changed of what lies open, something shown, a counting of points, the
whole view where somebody is asked and it is another, an announced choice, an own choice with what was offered. Two
courses of a game give a player equal observations exactly when the player cannot tell them apart
(`interpreter.play.player_memory` says what is remembered).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from rulesrun.interpreter.model.flow_graph import Wait
from rulesrun.interpreter.play.player_memory import announcement
from rulesrun.interpreter.play.step import Option, PlayerDecision, Sheet
from rulesrun.interpreter.play.visibility import ENCODE, Sight, format_part
from rulesrun.interpreter.reference.decisions import DecisionWait
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
