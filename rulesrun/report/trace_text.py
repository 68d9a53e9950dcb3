"""A trace with words: events in, the same events with a sentence each. Identifiers and formats stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulesrun.dsl.text.messages import Message, Names, join_messages, message
from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.play.game_loop import random_picker
from rulesrun.interpreter.reference.table import Table
from rulesrun.locale.language import label_words, spoken_language, translate, use_words
from rulesrun.records.traces import Event, record_game, start_event
from rulesrun.terminal.output import one_line_json


def trace_with_words(reading: Reading, table: Table, seed: int, with_states: bool) -> Iterator[str]:
    """A whole trace of one random game; the first line has every label, the others a sentence."""
    use_words(reading.game)
    labels = label_words() | dict(spoken_language().labels)
    yield one_line_json(start_event(reading, table, seed) | {"labels": labels})
    for event in record_game(table, random_picker(Streams(seed)), with_states):
        sentence = describe_event(event)
        yield one_line_json(event | ({"text": translate(sentence)} if sentence else {}))


def describe_event(event: Event) -> Message | None:
    match event["event"]:
        case "chance":
            return _chance_words(event)
        case "decision":
            option = Names(_option_words(event["chosen"]))
            if event["player"]:
                return message("player {player}: {option}", player=event["player"], option=option)
            return message("the team: {option}", option=option)
        case "score":
            return _score_words(event)
        case "end":
            return _end_words(event)
        case _:
            return None


def _score_words(event: Event) -> Message:
    told = [
        message(
            "player {player}: {points}", player=player,
            points=[Names(f"{line} {value}") for line, value in sheet.items()],
        )
        for player, sheet in event["sheet"].items()
    ]  # fmt: skip
    return message("points of round {round}; {points}", round=event["round"], points=join_messages(told, "; "))


def _chance_words(event: Event) -> Message:
    brought = Names(" ".join(_value_words(one) for one in event["outcome"]))
    if event["what"] == "lot":
        return message("the lot falls on player {player}", player=brought)
    if "from" in event:
        return message(
            "from {origin} to {target}: {components}", origin=Names(event["from"]), target=Names(event["to"]),
            components=brought,
        )  # fmt: skip
    if event["what"] == "roll":
        return message("roll: {outcome}", outcome=brought)
    return message("order: {outcome}", outcome=brought)


def _option_words(chosen: dict[str, Any]) -> str:
    values = ", ".join(f"{name} {_value_words(value)}" for name, value in chosen.items() if name != "action")
    return f"{chosen['action']} ({values})" if values else str(chosen["action"])


def _value_words(value: object) -> str:
    return " ".join(str(one) for one in value) if isinstance(value, list) else str(value)


def _end_words(event: Event) -> Message:
    scores = ", ".join(f"{player} – {score}" for player, score in event["scores"].items())
    first = ", ".join(str(player) for player in event["places"][0])
    if event["result"] is None:
        return message("the game is over; scores: {scores}; first place: {first}", scores=scores, first=first)
    return message(
        "the game is over; scores: {scores}; first place: {first}; result: {result}", scores=scores, first=first,
        result=Names(event["result"]),
    )  # fmt: skip
