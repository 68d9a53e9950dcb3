"""A position of a recorded game: the lines of a trace and the number of an event in, table and position out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.values import PC, RefusedTable, State
from rulesrun.interpreter.play.step import ChanceDecision, PlayerDecision
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.stories.story import find_choice
from rulesrun.records.traces import find_position_before, option_json
from rulesrun.terminal.trouble import Trouble


def find_recorded_position(
    reading: Reading, lines: Sequence[str], at: int | None, name: str
) -> tuple[Table, State, Diagnostic | None]:
    """The position before event `at`; without a number the last one. `name`: of the trace, for complaints.

    Where the game got stuck there: the position at the choice that has no legal option, and what is said of it.
    """
    events = [_parse_event(number, line, name) for number, line in enumerate(lines, 1)]
    if not events or events[0].get("event") != "start":
        raise Trouble(message("{name}:1: this is not a trace: the first event is not `start`", name=name))
    table = _set_up_recorded_table(reading, events[0], name)
    recorded = enumerate(events[1:], 2)
    answers = [(line, event) for line, event in recorded if event.get("event") in ("chance", "decision")]
    numbers = [event["i"] for event in events[1:] if isinstance(event.get("i"), int)]
    if at is not None and at not in numbers:
        raise Trouble(
            message(
                "`--at {at}`: the trace has events {first} to {last}",
                at=at,
                first=min(numbers, default=0),
                last=max(numbers, default=0),
            )
        )
    state, fault = find_position_before(
        table, _RecordedAnswers(answers, name, other_title_note(reading, events[0])).pick_answer, at
    )
    if fault is None:
        return table, state, None
    wait = find_choice(table, fault.diagnostic.span) if fault.diagnostic.code == "empty-choice" else None
    if wait is None:
        raise Trouble(message("here the rules do not say what happens: {problem}", problem=fault.diagnostic.message))
    slots = list(state.slots)
    slots[PC] = wait.pc
    return table, State(tuple(slots)), fault.diagnostic


def other_title_note(reading: Reading, start: dict[str, Any]) -> str:
    """Of what game the trace is, when it says another than the rules."""
    game = start.get("game")
    if game in (None, reading.title):
        return ""
    return message("; the trace is of `{game}`, the rules are `{title}`", game=game, title=reading.title)


class _RecordedAnswers:
    def __init__(self, events: list[tuple[int, dict[str, Any]]], name: str, other: str) -> None:
        self.events = events
        self.at = 0
        self.name, self.other = name, other

    def pick_answer(self, question: PlayerDecision | ChanceDecision) -> int | None:
        """None when nothing more is recorded."""
        if self.at >= len(self.events):
            return None
        line, event = self.events[self.at]
        self.at += 1
        index = self._find_index(question, event)
        if index is None:
            found = message(
                "event {event} does not follow the rules; `rulesrun replay` says more", event=event.get("i")
            )
            raise Trouble(join_messages([f"{self.name}:{line}: ", found, self.other], ""))
        return index

    def _find_index(self, question: PlayerDecision | ChanceDecision, event: dict[str, Any]) -> int | None:
        if isinstance(question, PlayerDecision):
            chosen = event.get("chosen")
            found = (number for number, one in enumerate(question.options) if option_json(one) == chosen)
            return next(found, None)
        outcome = event.get("outcome")
        return question.index_of(outcome) if isinstance(outcome, list) else None


def _parse_event(number: int, line: str, name: str) -> dict[str, Any]:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        raise Trouble(
            message("{name}:{number}: this line is not a JSON object, so this is not a trace", name=name, number=number)
        ) from None
    if not isinstance(event, dict):
        raise Trouble(
            message("{name}:{number}: this line is not a JSON object, so this is not a trace", name=name, number=number)
        )
    return event


def _set_up_recorded_table(reading: Reading, start: dict[str, Any], name: str) -> Table:
    players, options = start.get("players"), start.get("options")
    if type(players) is not int or not isinstance(options, dict) or reading.program is None:
        raise Trouble(message("{name}:1: the start event lacks the number of players or the options", name=name))
    try:
        return set_up_table(reading.program, players, options)
    except RefusedTable as refusal:
        said = "; ".join(found.message for found in refusal.diagnostics)
        raise Trouble(join_messages([f"{name}:1: ", said, other_title_note(reading, start)], "")) from None
