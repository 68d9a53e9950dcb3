"""What a seat may be told of why something is so: only what is worked out from what it sees.

A reason that looks at a hidden card would tell the card, be it by its words or by coming before another reason. So a
condition counts here only when all that it reads lies open to the seat; what the rules say (`because`, the line
itself) is everybody's knowledge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from rulesrun.dsl.contents import causes
from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.model.domains import argument_to_external
from rulesrun.interpreter.model.values import PLAYER, Fault, Slots, State
from rulesrun.interpreter.play.refusals import text_at
from rulesrun.interpreter.reference.options import CompiledAction, CompiledChoice
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.secrets import is_told_whole
from rulesrun.interpreter.stories.reasons import comparable_text, is_true


@frozen
class Reason:
    """`key` and `values`: the sentence; `because`: the author's own words in its place; `span`: the rule."""

    key: str
    values: Mapping[str, Any] = field(factory=dict)
    because: str | None = None
    span: Span | None = None


def find_open_reason(
    table: Table, state: State, seat: int, action: str, arguments: Mapping[str, Any],
    offered: frozenset[str] = frozenset(),
) -> Reason:
    """Why this is not among the options of a seat that is asked, by what the seat itself can see. `offered`: actions
    that it may choose."""
    actions = {one.name.text: one for one in table.bench.actions}
    declared = actions.get(action)
    if declared is None:
        return Reason("no-such-action", {"action": action, "actions": ", ".join(actions)})
    elsewhere = find_other_offer(table, action, offered)
    if elsewhere is not None:
        return Reason("not-offered", span=elsewhere)
    S = table.to_slots(state)
    if seat:  # what is one's own is nobody's where the team is asked
        S[PLAYER] = seat
    ready = table.actions.compiled_action(declared)
    is_own = bool(seat) and not ready.rebinds_player
    found = _find_wrong_choice(table, S, (ready, is_own), arguments)
    found = found or _find_failed_need(table, S, ready, is_own)
    if found is None or found.key == "not-offered":
        key = "not-possible" if is_asked_for(table, action, offered) else "not-offered"
        return Reason(key, span=find_offer(table, ready))
    return found


def find_offer(table: Table, ready: CompiledAction) -> Span:
    """Where the rules offer it at all: that is the same whatever lies where."""
    return next((span for span, names in list_offers(table) if ready.action.name.text in names), ready.action.span)


def find_other_offer(table: Table, action: str, offered: frozenset[str]) -> Span | None:
    """The first place that may have asked for what is offered, where none of these asks for this action. It follows
    from what the seat is offered, not from where the game is."""
    fitting = [(span, names) for span, names in list_offers(table) if offered <= names] if offered else []
    if not fitting or any(action in names for _, names in fitting):
        return None
    return fitting[0][0]


def is_asked_for(table: Table, action: str, offered: frozenset[str]) -> bool:
    """Whether every place that may have asked for what is offered asks for this action, too."""
    fitting = [names for _, names in list_offers(table) if offered and offered <= names]
    return bool(fitting) and all(action in names for names in fitting)


def list_offers(table: Table) -> Iterator[tuple[Span, frozenset[str]]]:
    """Every `choose` of the rules, with its actions."""
    for offer in causes.list_offers(table.program.game):
        yield offer.span, frozenset(offer.actions)


def _find_wrong_choice(
    table: Table, S: Slots, of: tuple[CompiledAction, bool], arguments: Mapping[str, Any]
) -> Reason | None:
    ready, is_own = of
    names = [choice.choice.name.text for choice in ready.choices]
    action = ready.action.name.text
    unknown = [name for name in arguments if name not in names]
    if unknown:
        return Reason("no-such-choice", {"action": action, "choice": unknown[0]}, span=ready.action.span)
    for choice, name in zip(ready.choices, names, strict=True):
        is_open = is_told_whole(table, choice.choice.domain, is_own)
        if name not in arguments:
            if is_open and _is_empty(choice, S):
                rule = text_at(table, choice.choice.span)
                return Reason("choice-is-empty", {"choice": name, "rule": rule}, span=choice.choice.span)
            return Reason("choice-is-missing", {"action": action, "choice": name}, span=choice.choice.span)
        if not is_open:
            return Reason("not-offered", span=find_offer(table, ready))
        wanted = comparable_text(arguments[name])
        try:
            possible = choice.values(S)
        except (Fault, TypeError):
            return Reason("not-offered", span=find_offer(table, ready))
        for value in possible:
            if comparable_text(argument_to_external(table.bench, choice.choice, value)) == wanted:
                S[choice.slot] = value
                if choice.locate is not None:
                    choice.locate(S, value)
                if choice.is_player:
                    S[PLAYER] = value
                break
        else:
            rule = text_at(table, choice.choice.span)
            told = {"choice": name, "value": arguments[name], "rule": rule}
            return Reason("choice-is-impossible", told, span=choice.choice.span)
    return None


def _is_empty(choice: CompiledChoice, S: Slots) -> bool:
    try:
        return not choice.values(S)
    except (Fault, TypeError):
        return False


def _find_failed_need(
    table: Table, S: Slots, ready: CompiledAction, is_own: bool
) -> Reason | None:
    for _level, need, code in ready.needs:
        if is_told_whole(table, need.condition, is_own) and not is_true(S, code):
            words = need.because or text_at(table, need.condition.span)
            return Reason("because", because=words, span=need.span)
    return None
