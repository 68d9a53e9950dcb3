"""Why something cannot be done: takes an option somebody tries, gives the first condition that fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.domains import argument_to_external
from rulesrun.interpreter.model.values import PC, PLAYER, Slots, State
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.options import CompiledAction
from rulesrun.interpreter.reference.table import Table


@frozen
class Refusal:
    """`reason` is for people: the `because` of the rules, or the text of the condition.

    `condition`: what does not hold, with the position in which it was asked.
    """

    reason: str
    span: Span
    condition: Operand | None = None
    state: State | None = None


def find_refusal(table: Table, state: State, action: str, arguments: Mapping[str, Any]) -> Refusal | None:
    """None when it is legal. The position stays as it is."""
    wait = table.waits[state.slots[PC]]
    game = table.program.game.span
    declared = next((one for one in table.bench.actions if one.name.text == action), None)
    if declared is None:
        return Refusal(message("there is no action `{action}`", action=action), game)
    if not isinstance(wait, DecisionWait):
        return Refusal(message("nobody has to choose now"), game)
    ready = table.actions.compiled_action(declared)
    if ready.number not in wait.offers:
        return Refusal(message("`{action}` is not offered now", action=action), wait.node.span)
    S = table.to_slots(state)
    return find_refused_choice(table, S, ready, arguments) or find_failed_need(table, S, ready)


def find_refused_choice(table: Table, S: Slots, ready: CompiledAction, arguments: Mapping[str, Any]) -> Refusal | None:
    unknown = set(arguments) - {choice.choice.name.text for choice in ready.choices}
    if unknown:
        return Refusal(
            message("there is nothing to choose called `{unknown}`", unknown=min(unknown)), ready.action.span
        )
    for choice in ready.choices:
        name = choice.choice.name.text
        if name not in arguments:
            return Refusal(message("`{name}` is not chosen", name=name), choice.choice.span)
        for value in choice.values(S):
            if argument_to_external(table.bench, choice.choice, value) == arguments[name]:
                S[choice.slot] = value
                if choice.is_player:
                    S[PLAYER] = value
                break
        else:
            return Refusal(
                message(
                    "`{name}` cannot be {arguments}: {text}",
                    name=name,
                    arguments=arguments[name],
                    text=text_at(table, choice.choice.span),
                ),
                choice.choice.span,
            )
    return None


def find_failed_need(table: Table, S: Slots, ready: CompiledAction) -> Refusal | None:
    for _level, need, code in ready.needs:
        if not table.evaluate(code.run, S, need):
            reason = need.because or text_at(table, need.condition.span)
            return Refusal(reason, need.span, need.condition, table.to_state(S))
    return None


def text_at(table: Table, span: Span) -> str:
    """The words of the rules at this place, on one line."""
    for source in table.program.sources:
        if source.file == span.file:
            return " ".join(source.text[span.start : span.end].split())
    return ""
