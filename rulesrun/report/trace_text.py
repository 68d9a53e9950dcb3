"""A trace with words: events in, the same events with a sentence each. Identifiers and formats stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.play.game_loop import random_picker
from rulesrun.interpreter.reference.table import Table
from rulesrun.records.traces import Event, record_game, start_event
from rulesrun.report.languages import Language
from rulesrun.terminal.output import one_line_json


def trace_with_words(reading: Reading, table: Table, seed: int, with_states: bool, language: Language) -> Iterator[str]:
    """A whole trace of one random game; the first line has every label, the others a sentence."""
    yield one_line_json(start_event(reading, table, seed) | {"labels": dict(language.labels)})
    for event in record_game(table, random_picker(Streams(seed)), with_states):
        sentence = describe_event(event)
        yield one_line_json(event | ({"text": language.translate_line(sentence)} if sentence else {}))


def describe_event(event: Event) -> str:
    match event["event"]:
        case "chance":
            return _chance_words(event)
        case "decision":
            who = f"player {event['player']}" if event["player"] else "the team"
            return f"{who}: {_option_words(event['chosen'])}"
        case "score":
            return f"points of round {event['round']}; " + "; ".join(
                f"player {player}: " + ", ".join(f"{line} {value}" for line, value in sheet.items())
                for player, sheet in event["sheet"].items()
            )
        case "end":
            return _end_words(event)
        case _:
            return ""


def _chance_words(event: Event) -> str:
    brought = " ".join(_value_words(one) for one in event["outcome"])
    if event["what"] == "lot":
        return f"the lot falls on player {brought}"
    if "from" in event:
        return f"from {event['from']} to {event['to']}: {brought}"
    return f"{event['what']}: {brought}"


def _option_words(chosen: dict[str, Any]) -> str:
    values = ", ".join(f"{name} {_value_words(value)}" for name, value in chosen.items() if name != "action")
    return f"{chosen['action']} ({values})" if values else str(chosen["action"])


def _value_words(value: object) -> str:
    return " ".join(str(one) for one in value) if isinstance(value, list) else str(value)


def _end_words(event: Event) -> str:
    scores = ", ".join(f"{player} – {score}" for player, score in event["scores"].items())
    first = ", ".join(str(player) for player in event["places"][0])
    told = f"the game is over; scores: {scores}; first place: {first}"
    return told + (f"; result: {event['result']}" if event["result"] is not None else "")
