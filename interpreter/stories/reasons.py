"""Why something is as it is at a position: why an option is not legal, how a score comes about, who is ahead.

Takes a table and a position, gives data. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.model.domains import plain_number
from rulesrun.interpreter.model.values import EVENTS, PC, PLAYER, Code, Fault, Slots, State
from rulesrun.interpreter.play.explanation import Explained, explain
from rulesrun.interpreter.play.refusals import Refusal, refused_choice, text_of, why_not
from rulesrun.interpreter.play.step import argument_outside
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.options import ReadyAction
from rulesrun.interpreter.reference.rounds import EndWait
from rulesrun.interpreter.reference.scoring import split
from rulesrun.interpreter.reference.table import Table


@frozen
class Need:
    """One condition of an action, at a position and with values chosen."""

    span: Span
    because: str | None
    holds: bool
    values: tuple[Explained, ...]


@frozen
class Offer:
    """A `choose` that names an action, and each condition around it with its value now."""

    span: Span
    conditions: tuple[Need, ...]


@frozen
class OptionReasons:
    """`refusal` None: it is legal. `needs`: every condition, when the choices themselves are possible; else `possible`:
    what there is to choose from; `offers`: where the rules offer the action, when they do not do so here."""

    refusal: Refusal | None
    needs: tuple[Need, ...]
    possible: tuple[Explained, ...] = ()
    offers: tuple[Offer, ...] = ()


@frozen
class LineReasons:
    name: str
    value: Any
    values: tuple[Explained, ...]
    span: Span


@frozen
class CriterionReasons:
    """`values` by player; `groups`: who is still level after it, the best first. `used`: its `when` holds."""

    text: str
    values: Mapping[int, Any]
    groups: tuple[tuple[int, ...], ...]
    used: bool


# ---- options


def why_option(table: Table, state: State, action: str, texts: Mapping[str, Any]) -> OptionReasons:
    """`texts`: what is chosen, each as a trace writes it, numbers as text too."""
    arguments = meant(table, state, action, texts)
    refusal = why_not(table, state, action, arguments)
    declared = next((one for one in table.bench.of_class(ast.Action) if one.name.text == action), None)
    wait = table.waits[state.slots[PC]]
    if declared is None or not isinstance(wait, DecisionWait):
        return OptionReasons(refusal, ())
    ready = table.actions.of(declared)
    if ready.number not in wait.offers:
        return OptionReasons(refusal, (), offers=tuple(offers_of(table, state, action)))
    S = table.opened(state)
    refused = refused_choice(table, S, ready, arguments)
    if refused is not None:
        chosen = table.closed(S)
        domains = [one.choice.domain for one in ready.choices if one.choice.span == refused.span]
        return OptionReasons(refusal, (), tuple(part for one in domains for part in explain(table, chosen, one)))
    return OptionReasons(refusal, needs_of(table, S, ready))


def offers_of(table: Table, state: State, action: str) -> Iterator[Offer]:
    for piece in (*table.bench.of_class(ast.Phase), *table.bench.of_class(ast.Step), *table.bench.of_class(ast.Action)):
        for choose, conditions in chooses_in(piece.body):
            if any(name.text == action for name in choose.actions):
                yield Offer(choose.span, tuple(condition_now(table, state, *one) for one in conditions))


Conditions = tuple[tuple[ast.Expr, bool], ...]  # and what each must be


def chooses_in(body: tuple[ast.Statement, ...], around: Conditions = ()) -> Iterator[tuple[ast.Choose, Conditions]]:
    for statement in body:
        match statement:
            case ast.Choose(otherwise=otherwise):
                yield statement, around
                yield from chooses_in((otherwise,) if otherwise is not None else (), around)
            case ast.If(branches=branches):
                before: Conditions = ()
                for branch in branches:
                    own: Conditions = ((branch.condition, True),) if branch.condition is not None else ()
                    yield from chooses_in(branch.body, (*around, *before, *own))
                    before += tuple((one, False) for one, _ in own)
            case ast.ForEach(body=inner) | ast.EachPlayer(body=inner) | ast.Turns(body=inner) | ast.Repeat(body=inner):
                yield from chooses_in(inner, around)
            case _:
                pass


def condition_now(table: Table, state: State, condition: ast.Expr, expected: bool) -> Need:
    try:
        value = bool(table.bench.expression(condition).run(table.opened(state)))
    except (Fault, TypeError, RecursionError, OverflowError):
        return Need(condition.span, None, False, ())
    return Need(condition.span, None, value is expected, explain(table, state, condition))


def meant(table: Table, state: State, action: str, texts: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are written so; what is none of the possible ones stays as it is."""
    declared = next((one for one in table.bench.of_class(ast.Action) if one.name.text == action), None)
    found = dict(texts)
    if declared is None:
        return found
    S = table.opened(state)
    for choice in table.actions.of(declared).choices:
        name = choice.choice.name.text
        for value in choice.values(S):
            outside = argument_outside(table, choice.choice, value)
            if name in texts and plain_text(outside) == plain_text(texts[name]):
                found[name] = outside
                S[choice.slot] = value
                break
    return found


def plain_text(value: Any) -> Any:
    return sorted(str(one) for one in value) if isinstance(value, list | tuple) else str(value)


def needs_of(table: Table, S: Slots, ready: ReadyAction) -> tuple[Need, ...]:
    chosen = table.closed(S)
    return tuple(
        Need(need.span, need.because, is_so(S, code), explain(table, chosen, need.condition))
        for _level, need, code in ready.needs
    )


def is_so(S: Slots, code: Code) -> bool:
    """What cannot be asked because an earlier condition does not hold does not hold either."""
    try:
        return bool(code.run(S))
    except (Fault, TypeError, RecursionError, OverflowError):
        return False


# ---- scores


def why_score(table: Table, state: State, seat: int) -> tuple[LineReasons, ...]:
    """Every line of the score sheets for this player, as they would be counted now."""
    S = table.opened(state)
    S[PLAYER] = seat
    asked = table.closed(S)
    found = []
    for score in table.bench.of_class(ast.Score):
        for line in score.lines:
            values = explain(table, asked, line.value)
            try:
                value = plain_number(table.bench.expression(line.value).run(S))
            except (Fault, TypeError, RecursionError, OverflowError):
                value = None
            found.append(LineReasons(line.name.text, value, values, line.span))
    return tuple(found)


# ---- the winner


def why_winner(table: Table, state: State) -> tuple[bool, tuple[CriterionReasons, ...]]:
    """Whether the game is over, and every criterion in turn; before the end, as if points were counted now.

    Raises the fault that there is where they cannot be counted yet.
    """
    S = table.opened(state)
    S[EVENTS] = None
    is_over = isinstance(table.waits[state.slots[PC]], EndWait)
    try:
        if not is_over:
            count_now(table, S)
        return is_over, tuple(criteria_of(table, S))
    except (TypeError, RecursionError, OverflowError) as problem:
        raise table.complaint(problem, table.program.game) from problem


def criteria_of(table: Table, S: Slots) -> Iterator[CriterionReasons]:
    groups: list[tuple[int, ...]] = [tuple(range(1, table.players + 1))]
    for criterion, value, when in table.scoring.criteria:
        used = when is None or bool(when(S))
        values = table.scoring.asked_of_all(S, value)
        if used:
            groups = [part for group in groups for part in split(group, values, criterion.direction)]
        words = text_of(table, criterion.span) or f"{criterion.direction} total"
        yield CriterionReasons(words, {p: plain_number(v) for p, v in values.items()}, tuple(groups), used)


def count_now(table: Table, S: Slots) -> None:
    for number, _ in enumerate(table.bench.of_class(ast.Score)):
        table.scoring.counting(number)(S)
