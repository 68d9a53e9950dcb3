"""Why something cannot be done: takes an option somebody tries, gives the first condition that fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.model.values import PC, PLAYER, Slots, State
from rulesrun.interpreter.play.step import argument_outside
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.options import ReadyAction
from rulesrun.interpreter.reference.table import Table


@frozen
class Refusal:
    """`reason` is for people: the `because` of the rules, or the text of the condition.

    `condition`: what does not hold, with the position in which it was asked.
    """

    reason: str
    span: Span
    condition: ast.Expr | None = None
    state: State | None = None


def why_not(table: Table, state: State, action: str, arguments: Mapping[str, Any]) -> Refusal | None:
    """None when it is legal. The position stays as it is."""
    wait = table.waits[state.slots[PC]]
    game = table.program.game.span
    declared = next((one for one in table.bench.of_class(ast.Action) if one.name.text == action), None)
    if declared is None:
        return Refusal(f"there is no action `{action}`", game)
    if not isinstance(wait, DecisionWait):
        return Refusal("nobody is asked to choose now", game)
    ready = table.actions.of(declared)
    if ready.number not in wait.offers:
        return Refusal(f"`{action}` is not offered now", wait.node.span)
    S = table.opened(state)
    return refused_choice(table, S, ready, arguments) or refused_need(table, S, ready)


def refused_choice(table: Table, S: Slots, ready: ReadyAction, arguments: Mapping[str, Any]) -> Refusal | None:
    unknown = set(arguments) - {choice.choice.name.text for choice in ready.choices}
    if unknown:
        return Refusal(f"there is nothing to choose called `{min(unknown)}`", ready.action.span)
    for choice in ready.choices:
        name = choice.choice.name.text
        if name not in arguments:
            return Refusal(f"`{name}` is not chosen", choice.choice.span)
        for value in choice.values(S):
            if argument_outside(table, choice.choice, value) == arguments[name]:
                S[choice.slot] = value
                if choice.is_player:
                    S[PLAYER] = value
                break
        else:
            return Refusal(f"`{name}` cannot be {arguments[name]}: {text_of(table, choice.choice.span)}",
                           choice.choice.span)
    return None


def refused_need(table: Table, S: Slots, ready: ReadyAction) -> Refusal | None:
    for _level, need, code in ready.needs:
        if not table.asked(code.run, S, need):
            reason = need.because or text_of(table, need.condition.span)
            return Refusal(reason, need.span, need.condition, table.closed(S))
    return None


def text_of(table: Table, span: Span) -> str:
    """The words of the rules at this place, on one line."""
    for source in table.program.sources:
        if source.file == span.file:
            return " ".join(source.text[span.start : span.end].split())
    return ""
