"""Behind the table, for who writes the rules: what lies hidden, why something is legal, the position as an example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulesrun.files.excerpts import WHOLE, excerpt, place_text, values_text
from rulesrun.interpreter.model.values import PLAYER, State
from rulesrun.interpreter.play.saved_positions import state_to_json
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
