"""What each player has seen and done since the beginning. Takes steps of a game, gives observations.

An entry is one line of JSON: a view when it changed, an announced choice, an own choice with what
was offered, a counting of points. Two courses of a game give a player equal observations exactly
when the player cannot tell them apart.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from rulesrun.interpreter.decisions import DecisionWait
from rulesrun.interpreter.graph import Wait
from rulesrun.interpreter.player_memory import announcement
from rulesrun.interpreter.step import ChanceDecision, GameOver, Option, PlayerDecision, Sheet, Step
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.visibility import view_json
from rulesrun.traces import legal_json, option_json, score_event

History = tuple[str, ...]


@frozen
class Observation:
    """What one player may know. Plain values only: there is no way from here to the position."""

    player: int
    history: History = field(repr=False)

    @property
    def now(self) -> dict[str, Any]:
        """What the player sees now."""
        views = [entry for entry in self.events() if "view" in entry]
        view: dict[str, Any] = views[-1]["view"]
        return view

    @property
    def offered(self) -> list[dict[str, Any]]:
        """What the player may choose now; nothing when others choose."""
        last = json.loads(self.history[-1]) if self.history else {}
        offered: list[dict[str, Any]] = last.get("offered", [])
        return offered

    def events(self) -> list[dict[str, Any]]:
        """Everything seen and done, in order."""
        return [json.loads(entry) for entry in self.history]


@frozen
class Recall:
    """One history a player, in seating order."""

    histories: tuple[History, ...]

    @staticmethod
    def empty(table: Table) -> Recall:
        return Recall(((),) * table.players)

    def after(self, table: Table, step: Step) -> Recall:
        """What everybody sees of what has happened."""
        S = table.opened(step.state)
        views = [view_json(table, S, player) for player in range(1, table.players + 1)]
        return self.seeing(
            [found for found in step.events if isinstance(found, Sheet)],
            [(_entry({"view": view}), bool(view["shown"])) for view in views],
        )

    def seeing(self, sheets: Sequence[Sheet], views: Sequence[tuple[str, bool]]) -> Recall:
        """What was counted, then what each player sees, and whether anything is shown in it."""
        heard = tuple(_entry({"score": score_event(sheet)}) for sheet in sheets)
        return Recall(
            tuple(_seeing((*history, *heard), *view) for history, view in zip(self.histories, views, strict=True))
        )

    def chosen(self, wait: Wait, question: PlayerDecision, index: int) -> Recall:
        """The chooser remembers the choice, the others what is announced of it."""
        option = question.options[index]
        own = (_offer(question), chose(option))
        return self.told(question.player, own, heard(wait, question.player, question.together is not None, option))

    def told(self, chooser: int, own: History, announced: History) -> Recall:
        return Recall(
            tuple(
                (*history, *(own if chooser in (0, player) else announced))
                for player, history in enumerate(self.histories, 1)
            )
        )

    def observation(self, question: PlayerDecision | ChanceDecision | GameOver, player: int) -> Observation:
        if isinstance(question, PlayerDecision) and question.player in (0, player):
            return self.observed(player, _offer(question))
        return self.observed(player, None)

    def observed(self, player: int, offer: str | None) -> Observation:
        """`offer`: what the player may choose now."""
        history = self.histories[player - 1]
        return Observation(player, history if offer is None else (*history, offer))

    def to_json(self) -> list[list[str]]:
        return [list(history) for history in self.histories]

    @staticmethod
    def from_json(table: Table, document: object) -> Recall:
        if not isinstance(document, list) or len(document) != table.players:
            raise ValueError("the recall has not one history a player")
        return Recall(tuple(tuple(str(entry) for entry in history) for history in document))


def _seeing(history: History, entry: str, is_shown: bool) -> History:
    """The same view again adds nothing, unless something is shown."""
    last = next((before for before in reversed(history) if before.startswith('{"view"')), None)
    return history if entry == last and not is_shown else (*history, entry)


def _offer(question: PlayerDecision) -> str:
    return _entry({"offered": legal_json(question)})


def chose(option: Option) -> str:
    return _entry({"chose": option_json(option)})


def heard(wait: Wait, player: int, is_together: bool, option: Option) -> History:
    """Components stay unsaid: the zones show what may be seen of them. Of a choice made together nothing is heard."""
    if is_together or not isinstance(wait, DecisionWait) or announcement(wait, option.key) is None:
        return ()
    choices = wait.offers[option.key[0]].action.choices
    said = {
        name: value
        for (name, value), choice in zip(option_json(option).items(), (None, *choices), strict=True)
        if choice is None or not choice.is_component
    }
    return (_entry({"heard": said, "player": player}),)


def _entry(event: Mapping[str, Any]) -> str:
    return json.dumps(event, ensure_ascii=False)
