"""Behind the table, for who writes the rules: what lies hidden, why something is legal, the position as an example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulesrun.dsl import ast
from rulesrun.files.excerpts import WHOLE, excerpt, place_text, values_text
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.domains import default_start
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import PC, PHASE, PLAYER, ROUND, State
from rulesrun.interpreter.play.saved_positions import state_to_json
from rulesrun.interpreter.play.written_values import write_component, write_value
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.stories.example import format_place
from rulesrun.interpreter.stories.reasons import NeedReasons, explain_option
from rulesrun.locale.language import say
from rulesrun.records.traces import value_to_json
from rulesrun.table.session import Session


def whole_view(session: Session) -> Mapping[str, Any]:
    """A view in which nothing is hidden."""
    found: Any = value_to_json(state_to_json(session.table, session.position))
    return {name: value for name, value in found.items() if name != "position"} | {"shown": []}


def reason_lines(session: Session, seat: int, action: str, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Every condition of an option with what its parts are worth, whatever they look at. `seat`: who would choose it;
    of several at once each is asked on the same position."""
    slots = list(session.position.slots)
    if not session.asks_team:
        slots[PLAYER] = seat
    reasons = explain_option(session.table, State(tuple(slots)), action, arguments)
    sources = session.reading.sources
    if reasons.refusal is None:
        yield say("It is legal here.")
    else:
        yield say("It is not legal here: {reason}", reason=reasons.refusal.reason)
    yield from (f"     {line}" for line in values_text(reasons.possible, sources, WHOLE))
    for need in reasons.needs:
        yield from need_lines(session, need)
    for offer in reasons.offers:
        place = place_text(offer.span, session.reading.name, sources)
        yield say("It is offered at {place}: {rule}", place=place, rule=excerpt(offer.span, sources, WHOLE))
        for condition in offer.conditions:
            yield from need_lines(session, condition)


def need_lines(session: Session, need: NeedReasons) -> Iterator[str]:
    sources = session.reading.sources
    place = place_text(need.span, session.reading.name, sources)
    rule = excerpt(need.span, sources, WHOLE)
    yield "   " + (say("holds: {rule} ({place})", rule=rule, place=place) if need.holds
                   else say("fails: {rule} ({place})", rule=rule, place=place))  # fmt: skip
    if not need.holds:
        yield from (f"     {line}" for line in values_text(need.values, sources, WHOLE))


# ---- the position as an example


def example_lines(session: Session) -> Iterator[str]:
    """To be pasted into the rules; what lies in hidden piles comes as `next` says."""
    table, S = session.table, session.position.slots
    yield f'example "from the table, after {session.decisions} decisions"'
    yield f"  players {table.players}"
    for option in table.bench.declarations(ast.Option):
        shown = table.bench.option_values[id(option)]
        if shown != table.bench.constant_value(option.default):
            yield f"  set {option.name.text} = {write_value(table, option.type, shown)}"
    phases, wait = table.bench.declarations(ast.Phase), table.waits[S[PC]]
    is_turn = isinstance(wait, DecisionWait) and not isinstance(wait, TogetherWait) and not wait.is_team
    if len(phases) > 1:
        yield f"  given phase {phases[S[PHASE]].name.text}"
    if S[ROUND] > 1:
        yield f"  given round = {S[ROUND]}"
    if is_turn:
        yield f"  given turn of {S[PLAYER]}"
    for room in table.bench.zones.values():
        yield from (f"  given {line}" for line in zone_lines(table, room, S))
    for variable in table.bench.variables.values():
        yield from (f"  given {line}" for line in variable_lines(table, variable, S))


def zone_lines(table: Table, room: ZoneRoom, S: tuple[Any, ...]) -> Iterator[str]:
    if room.declaration.visibility == "hidden":
        return
    for number in range(room.amount):
        content = flatten_content(S[room.base + number])
        place = format_place(table, room.declaration, room.keys, number, room.per_player)
        told = ", ".join(write_component(table, room.kinds, kind) for kind in content)
        yield f"{place}: {told or 'nothing'}"


def variable_lines(table: Table, room: VariableRoom, S: tuple[Any, ...]) -> Iterator[str]:
    """What is not as it is at the beginning of a turn."""
    declared = room.declaration
    if declared.reset == "turn":
        return
    start = table.blank[room.base] if declared.start is not None else default_start(table.bench, declared.type)
    for number in range(room.amount):
        value = S[room.base + number]
        if value != start:
            place = format_place(table, declared, room.keys, number, room.per_player)
            yield f"{place} = {write_value(table, declared.type, value)}"
