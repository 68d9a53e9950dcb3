"""Positions as JSON, there and back. Takes a table and a state, gives a document that can be read again exactly.

`zones`, `variables` and the rest are for people; `slots` is the position itself, by number.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.domains import to_external
from rulesrun.interpreter.model.values import PC, PLAYER, ROUND, STARTER, Fault, Slots, State
from rulesrun.interpreter.play.step import GameOver, next_state, pending_decision
from rulesrun.interpreter.play.visibility import situation_to_json
from rulesrun.interpreter.reference.statements import RecordCounts
from rulesrun.interpreter.reference.table import Table

SAVED = 1
MOST_NESTING = 6


class WrongPosition(Exception):
    """The document is not a position of this table; the message says why."""


def state_to_json(table: Table, state: State) -> dict[str, Any]:
    S = table.to_slots(state)
    zones = {
        name: content_to_json(room, S[room.base + number])
        for room in table.bench.zones.values()
        for number, name in enumerate(room.names)
    }
    variables = {
        name: to_external(table.bench, room.declaration.type, S[room.base + number])
        for room in table.bench.variables.values()
        for number, name in enumerate(room.names)
    }
    return {
        **situation_to_json(table, S), "player": S[PLAYER], "zones": zones, "variables": variables,
        "position": {"saved": SAVED, "slots": [pack_value(value) for value in state.slots]},
    }


def content_to_json(room: ZoneRoom, content: tuple[Any, ...]) -> list[Any]:
    """By name; an unordered part of a pile is a list of its own."""
    names = room.kinds.names
    return [[names[kind] for kind in part] if isinstance(part, tuple) else names[part] for part in content]


def pack_value(value: Any) -> Any:
    """What JSON has no word for gets a name."""
    if isinstance(value, tuple):
        return [pack_value(one) for one in value]
    if isinstance(value, Fraction):
        return {"fraction": [value.numerator, value.denominator]}
    if isinstance(value, RecordCounts):
        return {"counts": [[pack_value(key), times] for key, times in value.items()]}
    return value


def unpack_value(value: Any, depth: int = 0) -> Any:
    if depth > MOST_NESTING:
        raise WrongPosition(message("the position is nested too deeply"))
    match value:
        case list():
            return tuple(unpack_value(one, depth + 1) for one in value)
        case {"fraction": [int(above), int(below)]} if below > 1 and len(value) == 1:
            return Fraction(above, below)
        case {"counts": list(pairs)} if len(value) == 1:
            return RecordCounts(unpack_count(pair, depth) for pair in pairs)
        case None | bool() | int() | str():
            return value
        case _:
            raise WrongPosition(message("the position holds something that is no value of the rules"))


def unpack_count(pair: Any, depth: int) -> tuple[Any, int]:
    match pair:
        case [list(key), int(times)] if times > 0:
            return unpack_value(key, depth + 1), times
        case _:
            raise WrongPosition(message("a memory holds something it cannot hold"))


def state_from_json(table: Table, document: object) -> State:
    """Raises `WrongPosition` for what is not a position of this table."""
    match document:
        case {"position": {"saved": int(saved), "slots": list(slots)}} if saved == SAVED and isinstance(document, dict):
            values = [unpack_value(value) for value in slots]
        case _:
            raise WrongPosition(message("this is not a saved position"))
    if len(values) != len(table.blank):
        raise WrongPosition(message("the position belongs to other rules, options or another number of players"))
    check_flow(table, values)
    check_components(table, values)
    check_variables(table, values)
    state = State(tuple(values))
    check_names(table, state, document)
    check_playable(table, state)
    return state


def check_playable(table: Table, state: State) -> None:
    """The question can be asked, and a first answer carried out."""
    try:
        if not isinstance(pending_decision(table, state), GameOver):
            next_state(table, state, 0)
    except Fault:
        return  # the rules have their own word on that
    except (LookupError, TypeError, ValueError, AttributeError) as problem:
        raise WrongPosition(message("the position holds values that contradict each other")) from problem


def check_flow(table: Table, values: list[Any]) -> None:
    if type(values[PC]) is not int or values[PC] not in table.waits:
        raise WrongPosition(message("the position does not say what has to be chosen"))
    seats = range(1, table.players + 1)
    if values[PLAYER] not in seats or values[STARTER] not in seats or type(values[ROUND]) is not int:
        raise WrongPosition(message("the position names a player or a round that does not exist"))


def check_components(table: Table, values: list[Any]) -> None:
    """Every component is somewhere, once."""
    found: dict[int, dict[int, int]] = {id(kinds): {} for kinds in table.bench.kinds.values()}
    places = [(room.kinds, range(room.base, room.base + room.amount)) for room in table.bench.zones.values()]
    boxes = table.bench.boxes
    places += [(kinds, range(boxes[key], boxes[key] + 1)) for key, kinds in table.bench.kinds.items()]
    for kinds, slots in places:
        for slot in slots:
            for kind in components_in(values[slot]):
                found[id(kinds)][kind] = found[id(kinds)].get(kind, 0) + 1
    for kinds in table.bench.kinds.values():
        if found[id(kinds)] != {kind: copies for kind, copies in enumerate(kinds.copies) if copies}:
            raise WrongPosition(
                message(
                    "{component} is missing, or is there too often", component=with_article(kinds.declaration.name.text)
                )
            )


def components_in(content: Any) -> Slots:
    if not isinstance(content, tuple):
        raise WrongPosition(message("a zone does not hold components"))
    found: list[Any] = []
    for part in content:
        found.extend(part if isinstance(part, tuple) else [part])
    if any(type(kind) is not int for kind in found):
        raise WrongPosition(message("a zone does not hold components"))
    return found


def check_variables(table: Table, values: list[Any]) -> None:
    for room in table.bench.variables.values():
        for slot in range(room.base, room.base + room.amount):
            value = values[slot]
            if room.low is not None and (type(value) is not int or not room.low <= value <= (room.high or 0)):
                raise WrongPosition(message("`{name}` is outside its range", name=room.names[slot - room.base]))


def check_names(table: Table, state: State, document: Mapping[Any, Any]) -> None:
    """What is written for people must say the same as the position."""
    try:
        again = state_to_json(table, state)
    except (LookupError, TypeError, ValueError) as problem:
        raise WrongPosition(message("the position holds a value that does not exist")) from problem
    for part in ("zones", "variables"):
        if part in document and document[part] != again[part]:
            raise WrongPosition(message("the {part} do not match the position", part=part))
