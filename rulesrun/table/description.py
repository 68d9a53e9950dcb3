"""What everybody at a table knows before the game: a table in; its places, components, numbers and actions out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulesrun.dsl.contents.written_values import kind_of_values
from rulesrun.dsl.format.format import text_of_expression, text_of_type
from rulesrun.dsl.text.keywords import ASIDE, column_name
from rulesrun.dsl.text.looks import is_unseen
from rulesrun.dsl.typing.types import EITHER, ComponentOf, item_of
from rulesrun.files.excerpts import line_of
from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.boards import straight_lines
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.components import Kinds, Part
from rulesrun.interpreter.model.domains import to_external
from rulesrun.interpreter.play.refusals import text_at
from rulesrun.interpreter.reference.options import CompiledChoice
from rulesrun.interpreter.reference.table import Table
from rulesrun.locale.language import Language
from rulesrun.records.traces import value_to_json

Json = dict[str, Any]
Owners = dict[str, tuple[int, str, tuple[str, ...]]]


def describe_table(reading: Reading, table: Table, seat: int, language: Language) -> Json:
    """The first message of every feed."""
    return {
        "kind": "table",
        "title": language.labels.get("game", reading.title),
        "file": reading.file_name,
        "rules": reading.digest,
        "language": language.code,
        "players": table.players,
        "you": seat,
        "options": describe_options(table, language),
        "labels": dict(language.labels),
        "look": table.program.game.list_looks(),
        "components": [
            describe_components(table, kinds, part) for kinds in table.bench.kinds.values()
            if kinds.declaration.board is None for part in kinds.parts
        ],
        "zones": [describe_zone(room) for room in table.bench.zones_at_table],
        "variables": [describe_variable(table, room) for room in table.bench.variables.values()],
        "actions": list(describe_actions(table)),
        "phases": [one.name.text for one in table.bench.phases],
        "scores": [
            {
                "when": score.when, "name": line.name.text, "notes": list(line.notes or score.notes),
                "rule": text_at(table, line.span), "line": line_of(line.span, reading.sources),
            }
            for score in table.bench.scores for line in score.lines
        ],
        "ranking": [
            text_at(table, one.span)
            for ranking in table.bench.rankings for one in ranking.criteria
        ],
    }  # fmt: skip


def describe_options(table: Table, language: Language) -> list[Json]:
    return [
        {
            "name": one.name.text, "value": value_to_json(table.options[one.name.text]), "is_reading": one.is_reading,
            "notes": list(one.notes), "label": language.label(one.name.text),
        }
        for one in table.bench.options
    ]  # fmt: skip


def describe_components(table: Table, kinds: Kinds, part: Part) -> Json:
    """Every different component of a declaration with its attributes; how many there are of each."""
    declared = part.declaration
    fixed = (*declared.attributes, *declared.computed)
    plain = [one for one in fixed if one.type is not None and id(one) in kinds.attributes]
    return {
        "name": declared.name.text,
        "noun": declared.noun,
        "attributes": [one.name.text for one in plain],
        "kinds": [
            {
                "name": kinds.names[kind], "copies": kinds.copies[kind],
                "attributes": {
                    one.name.text: to_external(table.bench, one.type, kinds.attributes[id(one)][kind])
                    for one in plain if one.type is not None
                },
            }
            for kind in part.numbers
        ],
    }  # fmt: skip


def describe_zone(room: ZoneRoom) -> Json:
    declared = room.declaration
    return {
        "name": declared.name.text,
        "kind": declared.kind,
        "component": EITHER.join(one.text for one in declared.kinds),
        "visibility": declared.visibility or "public",
        "per_player": declared.per_player,
        "capacity": room.capacity,
        "sorted": declared.sort_key is not None,
        "keys": [text_of_type(key) for key in declared.keys],
        "notes": list(declared.notes),
        "places": describe_places(room),
    }


def describe_variable(table: Table, room: VariableRoom) -> Json:
    declared = room.declaration
    return {
        "name": declared.name.text,
        "type": kind_of_values(declared.type),
        "low": room.low,
        "high": room.high,
        "start": start_value(table, room),
        "visibility": declared.visibility,
        "per_player": declared.per_player,
        "reset": declared.reset,
        "keys": [text_of_type(key) for key in declared.keys],
        "board": (board := describe_board(table, room)),
        "notes": list(declared.notes),
        "places": [
            {**place, "cell": board["cells"].get(place["keys"][-1])} if board is not None else place
            for place in describe_places(room)
        ],
    }


def describe_board(table: Table, room: VariableRoom) -> Json | None:
    """Of what stands on the places of a board, how it is drawn: its rows from the top, its columns, where each place
    is, its lines where they are written out. None where there is no board, or its places have no rows and columns."""
    key = room.declaration.keys[0] if len(room.declaration.keys) == 1 else None
    boards = (one for one in table.bench.kinds.values() if one.declaration.board is not None)
    name = kind_of_values(key) if key is not None else ""
    kinds = next((one for one in boards if one.declaration.name.text == name), None)
    if kinds is None or kinds.declaration.board is None or not kinds.declaration.attributes:
        return None
    board, places = kinds.declaration.board, kinds.written
    has_lines = bool(board.lines) or board.rings is not None
    rows = sorted({row for row, _ in places}, reverse=not board.is_hexagonal)
    columns = sorted({column for _, column in places})
    return {
        "name": kinds.declaration.name.text,
        "shape": name_shape(board.is_hexagonal, has_lines, places),
        "rows": [str(row) for row in rows],
        "columns": [column_name(column) for column in columns],
        "cells": {
            name: [str(row), column_name(column)] for name, (row, column) in zip(kinds.names, places, strict=True)
        },
        "lines": [[kinds.names[place] for place in line] for line in straight_lines(kinds)] if has_lines else [],
    }  # fmt: skip


def name_shape(is_hexagonal: bool, has_lines: bool, places: Sequence[tuple[int, ...]]) -> str:
    """Where only every other square is a place, the others are drawn, too: `checkered`."""
    if is_hexagonal:
        return "hexagons"
    if has_lines:
        return "lines"
    return "checkered" if len(places) > 1 and len({(row + column) % 2 for row, column in places}) == 1 else "squares"


def start_value(table: Table, room: VariableRoom) -> Any:
    """What it holds at the beginning, where that is the same in every game."""
    try:
        return value_to_json(to_external(table.bench, room.declaration.type, table.blank[room.base]))
    except (TypeError, IndexError, KeyError):
        return None


def describe_actions(table: Table) -> Iterator[Json]:
    for ready in map(table.actions.compiled_action, table.bench.actions):
        action = ready.action
        yield {
            "name": action.name.text,
            "notes": list(action.notes),
            "secret": action.secret,
            "choices": [
                {
                    "name": one.choice.name.text, "component": one.is_component,
                    "several": one.choice.count is not None, "domain": text_of_expression(one.choice.domain),
                    "board": board_chosen_on(table, one),
                }
                for one in ready.choices
            ],
            "needs": [need.because or text_at(table, need.condition.span) for need in action.needs],
        }  # fmt: skip


def board_chosen_on(table: Table, ready: CompiledChoice) -> str | None:
    """The board of which a place is chosen."""
    found = item_of(table.program.types.get(ready.choice.domain))
    boards = {one.declaration.name.text for one in table.bench.kinds.values() if one.declaration.board is not None}
    return found.kind if isinstance(found, ComponentOf) and found.kind in boards else None


def describe_places(room: ZoneRoom | VariableRoom) -> list[Json]:
    """Each with whose it is (None: nobody's) and its keys, as the rules write them."""
    return [
        {"name": name, "owner": owner or None, "keys": list(keys)} for name, owner, keys in split_names(room)
    ]


def split_names(room: ZoneRoom | VariableRoom) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    declared = room.declaration
    for number, name in enumerate(room.names):
        inner = name[len(declared.name.text) :].strip("[]")
        parts = tuple(part.strip() for part in inner.split(",")) if inner else ()
        owner = number // room.per_player + 1 if declared.per_player else 0
        yield name, owner, parts[1:] if owner else parts


def place_owners(table: Table) -> Owners:
    """Of every place and every value by its name: whose it is, what it is called, its keys."""
    rooms: Sequence[ZoneRoom | VariableRoom] = [*table.bench.zones.values(), *table.bench.variables.values()]
    return {
        name: (owner, room.declaration.name.text, keys) for room in rooms for name, owner, keys in split_names(room)
    }


def value_types(table: Table) -> dict[str, str]:
    rooms = table.bench.variables.values()
    return {name: kind_of_values(room.declaration.type) for room in rooms for name in room.names}


def passing_values(table: Table) -> frozenset[str]:
    """Values of which nobody is told how they change: those that the rules call unseen, those set anew each turn."""
    layouts = table.program.game.list_looks().get("layout", {})
    return frozenset(
        name for room in table.bench.variables.values() for name in room.names
        if room.declaration.reset == "turn" or is_unseen(layouts, room.declaration.name.text)
    )  # fmt: skip


def choice_counts(table: Table) -> dict[str, int]:
    """Of each action, how many things are chosen for it."""
    return {one.name.text: len(one.choices) for one in table.bench.actions}


def place_kinds(table: Table) -> dict[str, str]:
    return {name: room.kinds.declaration.name.text for room in table.bench.zones.values() for name in room.names}


def places_looked_at(table: Table) -> frozenset[str]:
    """The piles whose top the rules let somebody look at."""
    rooms = {room.declaration.name.text: room for room in table.bench.zones.values()}
    piles = (rooms[name.removeprefix(ASIDE)] for name, room in rooms.items() if room.declaration.is_aside)
    return frozenset(name for pile in piles for name in pile.names)
