"""A recorded game played again: every event is worked out by the rules anew and must be the one that was recorded.

Only chance and choices are taken from the record. When the record says from which seed it came, the
game of that seed must be this one, so that even a change to another lawful choice is found.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.values import Fault, RefusedTable
from rulesrun.interpreter.play.step import ChanceDecision, PlayerDecision
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.records.traces import (
    VERSION,
    Event,
    legal_json,
    option_json,
    record_game,
    start_event,
    strip_words,
    trace_random_game,
)
from rulesrun.terminal.arguments import SEEDS
from rulesrun.terminal.output import one_line_json
from rulesrun.terminal.trouble import Trouble

SHOWN = 160


class RefusedEvent(Exception):
    """The rules (or the seed) do not give this event. `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def replay_lines(reading: Reading, lines: Sequence[str], rules_only: bool = False) -> int:
    """How many events were held to the rules. Raises Refused, or Trouble when this is no trace."""
    events = [_parse_event(number, line) for number, line in enumerate(lines, 1)]
    if not events:
        raise Trouble(message("this is not a trace: it is empty"))
    if events[0].get("event") != "start":
        raise RefusedEvent(
            1, message('`event` is {found}, expected "start"', found=_short_json(events[0].get("event")))
        )
    table = _set_up_recorded_table(reading, events[0])
    _check_start(reading, table, events[0], rules_only)
    _Replay(table, events).check_events(reading)
    seed = events[0].get("seed")
    if isinstance(seed, int) and not rules_only:
        with_states = any(event.get("event") == "state" for event in events)
        _check_seed(lines, until_stuck(trace_random_game(reading, table, seed, with_states)))
    return len(events)


def _parse_event(number: int, line: str) -> Event:
    try:
        event = json.loads(line, object_pairs_hook=_refuse_double_keys)
    except (ValueError, RecursionError):
        raise Trouble(message("line {number} is not a JSON object, so this is not a trace", number=number)) from None
    if not isinstance(event, dict):
        raise Trouble(message("line {number} is not a JSON object, so this is not a trace", number=number))
    return strip_words(event)


def _refuse_double_keys(pairs: list[tuple[str, Any]]) -> Event:
    event = dict(pairs)
    if len(event) != len(pairs):
        raise ValueError(message("a key appears twice"))
    return event


def _set_up_recorded_table(reading: Reading, start: Event) -> Table:
    players, options = start.get("players"), start.get("options")
    if type(players) is not int or not isinstance(options, dict):
        raise RefusedEvent(1, message("the start event lacks the number of players or the options"))
    assert reading.program is not None
    try:
        return set_up_table(reading.program, players, options)
    except RefusedTable as refusal:
        raise RefusedEvent(1, "; ".join(found.message for found in refusal.diagnostics)) from None


def _check_start(reading: Reading, table: Table, start: Event, rules_only: bool) -> None:
    """A trace of other rules is refused at once, not in mid-game."""
    seed = start.get("seed")
    if seed is None and not rules_only:
        raise RefusedEvent(1, message(
            "the start event has no seed to check against (`--rules-only` checks only the rules)"
        ))
    if seed is not None and (type(seed) is not int or abs(seed) >= SEEDS):
        raise RefusedEvent(1, message("`seed` is {found}, expected a whole number", found=_short_json(seed)))
    expected = start_event(reading, table, seed)
    if start.get("trace") != VERSION:
        raise RefusedEvent(
            1,
            message(
                "this trace has version {found}; this version of rulesrun reads version {version}",
                found=_short_json(start.get("trace")),
                version=VERSION,
            ),
        )
    loose = {"file", "base", "with", "rules", "game"} if rules_only else set()
    for key in [*expected, *(key for key in start if key not in expected)]:
        if key not in loose and _canonical_json(start.get(key)) != _canonical_json(expected.get(key)):
            raise RefusedEvent(1, _difference_text(key, start, expected))


class _Replay:
    """Walks the record beside the game. `at` is the index of the next recorded event."""

    def __init__(self, table: Table, events: list[Event]) -> None:
        self.table = table
        self.events = events
        self.at = 1
        self.with_states = len(events) > 1 and events[1].get("event") == "state"

    def check_events(self, reading: Reading) -> None:
        try:
            for expected in record_game(self.table, self._pick_recorded, self.with_states):
                self._compare_event(expected)
        except Fault as fault:
            if self.at == len(self.events):
                return  # the record ends where the rules do not know what to do
            raise RefusedEvent(
                self.at + 1, message(
                    "here the rules do not say what happens: {problem}",
                    problem=fault.diagnostic.message)
            ) from None
        if self.at < len(self.events):
            raise RefusedEvent(self.at + 1, message("the game is over, but the trace goes on"))

    def _pick_recorded(self, wait: PlayerDecision | ChanceDecision) -> int:
        event = self._next_event()
        if isinstance(wait, PlayerDecision):
            return self._find_choice(wait, event)
        outcome = event.get("outcome")
        index = wait.index_of(outcome) if isinstance(outcome, list) else None
        if index is None or _canonical_json(wait.outcome(index)) != _canonical_json(outcome):
            raise RefusedEvent(
                self.at + 1,
                message(
                    "chance ({what}) cannot bring {found} here", what=wait.what, found=_short_json(event.get("outcome"))
                ),
            )
        return index

    def _find_choice(self, wait: PlayerDecision, event: Event) -> int:
        chosen = _canonical_json(event.get("chosen"))
        for index, option in enumerate(wait.options):
            if _canonical_json(option_json(option)) == chosen:
                return index
        who = message("player {player}", player=wait.player) if wait.player else message("the team")
        legal = ", ".join(one_line_json(option) for option in legal_json(wait)[:3])
        raise RefusedEvent(
            self.at + 1,
            message(
                "{who} cannot choose {found} here; legal: {legal}, …",
                who=who,
                found=_short_json(event.get("chosen")),
                legal=legal,
            ),
        )

    def _next_event(self) -> Event:
        if self.at >= len(self.events):
            raise RefusedEvent(self.at + 1, message("the trace ends here, but the game is not over"))
        return self.events[self.at]

    def _compare_event(self, expected: Event) -> None:
        event = self._next_event()
        if _canonical_json(event) != _canonical_json(expected):
            keys = [*expected, *(key for key in event if key not in expected)]
            wrong = next(
                key for key in keys if _canonical_json(event.get(key, "")) != _canonical_json(expected.get(key, ""))
            )
            raise RefusedEvent(self.at + 1, _difference_text(wrong, event, expected))
        self.at += 1


def until_stuck(lines: Iterator[str]) -> Iterator[str]:
    """A game that gets stuck ends there."""
    try:
        yield from lines
    except Fault:
        return


def _check_seed(lines: Sequence[str], again: Iterator[str]) -> None:
    for number, (line, made) in enumerate(zip_longest(lines, again), 1):
        if (
            line is None
            or made is None
            or _canonical_json(strip_words(json.loads(line))) != _canonical_json(json.loads(made))
        ):
            reason = message("the rules allow this, but the seed of the first line gives a different game")
            raise RefusedEvent(
                min(number, len(lines)), message("{reason} (`--rules-only` checks only the rules)", reason=reason)
            )


def _difference_text(key: str, event: Event, expected: Event) -> str:
    if key not in event:
        return message("`{key}` is missing, expected {expected}", key=key, expected=_short_json(expected[key]))
    if key not in expected:
        return message("`{key}` does not belong here", key=key)
    return message(
        "`{key}` is {found}, expected {expected}",
        key=key,
        found=_short_json(event[key]),
        expected=_short_json(expected[key]),
    )


def _canonical_json(value: object) -> str:
    """1, 1.0 and true are three different things in a record; the order of keys is none."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _short_json(value: object) -> str:
    text = one_line_json(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
