"""Why something is as it is at a position: why an option is not legal, how a score comes about, who is ahead.

Takes a table and a position, gives data. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from rulesrun.dsl.contents.causes import list_offers
from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.model.domains import argument_to_external, number_to_external
from rulesrun.interpreter.model.values import EVENTS, PC, PLAYER, Code, Fault, Slots, State
from rulesrun.interpreter.play.explanation import ExplainedValue, explain_expression
from rulesrun.interpreter.play.refusals import Refusal, find_refusal, find_refused_choice, text_at
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.options import CompiledAction, CompiledChoice
from rulesrun.interpreter.reference.rounds import EndWait
from rulesrun.interpreter.reference.scoring import split_group
from rulesrun.interpreter.reference.table import Table


@frozen
class NeedReasons:
    """One condition of an action, at a position and with values chosen."""

    span: Span
    because: str | None
    holds: bool
    values: tuple[ExplainedValue, ...]


@frozen
class OfferReasons:
    """A `choose` that names an action, and each condition around it with its value now."""

    span: Span
    conditions: tuple[NeedReasons, ...]


@frozen
class OptionReasons:
    """`refusal` None: it is legal. `needs`: every condition, when the choices themselves are possible; else `possible`:
    what there is to choose from; `offers`: where the rules offer the action, when they do not do so here."""

    refusal: Refusal | None
    needs: tuple[NeedReasons, ...]
    possible: tuple[ExplainedValue, ...] = ()
    offers: tuple[OfferReasons, ...] = ()


@frozen
class LineReasons:
    name: str
    value: Any
    values: tuple[ExplainedValue, ...]
    span: Span


@frozen
class CriterionReasons:
    """`values` by player; `groups`: who is still level after it, the best first. `used`: its `when` holds."""

    text: str
    values: Mapping[int, Any]
    groups: tuple[tuple[int, ...], ...]
    used: bool


# ---- options


def explain_option(table: Table, state: State, action: str, texts: Mapping[str, Any]) -> OptionReasons:
    """`texts`: what is chosen, each as a trace writes it, numbers as text too."""
    arguments = resolve_arguments(table, state, action, texts)
    refusal = find_refusal(table, state, action, arguments)
    declared = next((one for one in table.bench.actions if one.name.text == action), None)
    wait = table.waits[state.slots[PC]]
    if declared is None or not isinstance(wait, DecisionWait):
        return OptionReasons(refusal, ())
    ready = table.actions.compiled_action(declared)
    if ready.number not in wait.offers:
        return OptionReasons(refusal, (), offers=tuple(explain_offers(table, state, action)))
    S = table.to_slots(state)
    refused = find_refused_choice(table, S, ready, arguments)
    if refused is not None:
        chosen = table.to_state(S)
        domains = [one.choice.domain for one in ready.choices if one.choice.span == refused.span]
        return OptionReasons(
            refusal, (), tuple(part for one in domains for part in explain_expression(table, chosen, one))
        )
    return OptionReasons(refusal, explain_needs(table, S, ready))


def explain_offers(table: Table, state: State, action: str) -> Iterator[OfferReasons]:
    for offer in list_offers(table.program.game):
        if action in offer.actions:
            told = []
            for condition, expected in offer.conditions:
                try:
                    holds = bool(table.bench.compile(condition).run(table.to_slots(state))) is expected
                except (Fault, TypeError, RecursionError, OverflowError):
                    told.append(NeedReasons(condition.span, None, False, ()))
                    continue
                told.append(NeedReasons(condition.span, None, holds, explain_expression(table, state, condition)))
            yield OfferReasons(offer.span, tuple(told))


def resolve_arguments(table: Table, state: State, action: str, texts: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are written so; what is none of the possible ones stays as it is."""
    declared = next((one for one in table.bench.actions if one.name.text == action), None)
    found = dict(texts)
    if declared is None:
        return found
    S = table.to_slots(state)
    for choice in table.actions.compiled_action(declared).choices:
        name = choice.choice.name.text
        for value in values_known_so_far(choice, S):
            outside = argument_to_external(table.bench, choice.choice, value)
            if name in texts and comparable_text(outside) == comparable_text(texts[name]):
                found[name] = outside
                S[choice.slot] = value
                break
    return found


def values_known_so_far(choice: CompiledChoice, S: Slots) -> Iterable[Any]:
    """None where they depend on an earlier choice for which nothing, or nothing possible, was given."""
    try:
        found: Iterable[Any] = choice.values(S)
        return found
    except (Fault, TypeError, RecursionError, OverflowError):
        return ()


def comparable_text(value: Any) -> Any:
    return sorted(str(one) for one in value) if isinstance(value, list | tuple) else str(value)


def explain_needs(table: Table, S: Slots, ready: CompiledAction) -> tuple[NeedReasons, ...]:
    chosen = table.to_state(S)
    return tuple(
        NeedReasons(need.span, need.because, is_true(S, code), explain_expression(table, chosen, need.condition))
        for _level, need, code in ready.needs
    )


def is_true(S: Slots, code: Code) -> bool:
    """What cannot be asked because an earlier condition does not hold does not hold either."""
    try:
        return bool(code.run(S))
    except (Fault, TypeError, RecursionError, OverflowError):
        return False


# ---- scores


def explain_score(table: Table, state: State, seat: int) -> tuple[LineReasons, ...]:
    """Every line of the score sheets for this player, as they would be counted now."""
    S = table.to_slots(state)
    S[PLAYER] = seat
    asked = table.to_state(S)
    found = []
    for score in table.bench.scores:
        for line in score.lines:
            values = explain_expression(table, asked, line.value)
            try:
                value = number_to_external(table.bench.compile(line.value).run(S))
            except (Fault, TypeError, RecursionError, OverflowError):
                value = None
            found.append(LineReasons(line.name.text, value, values, line.span))
    return tuple(found)


# ---- the winner


def explain_winner(table: Table, state: State) -> tuple[bool, tuple[CriterionReasons, ...]]:
    """Whether the game is over, and every criterion in turn; before the end, as if points were counted now.

    Raises the fault that there is where they cannot be counted yet.
    """
    S = table.to_slots(state)
    S[EVENTS] = None
    is_over = isinstance(table.waits[state.slots[PC]], EndWait)
    try:
        if not is_over:
            count_points_now(table, S)
        return is_over, tuple(explain_criteria(table, S))
    except (TypeError, RecursionError, OverflowError) as problem:
        raise table.translate_error(problem, table.program.game) from problem


def explain_criteria(table: Table, S: Slots) -> Iterator[CriterionReasons]:
    groups: list[tuple[int, ...]] = [tuple(range(1, table.players + 1))]
    for one in table.scoring.criteria:
        used = one.when is None or bool(one.when(S))
        values = table.scoring.evaluate_for_all(S, one.value)
        if used:
            groups = [part for group in groups for part in split_group(group, values, one.is_highest_first)]
        words = text_at(table, one.criterion.span) if one.criterion is not None else "highest total"
        yield CriterionReasons(words, {p: number_to_external(v) for p, v in values.items()}, tuple(groups), used)


def count_points_now(table: Table, S: Slots) -> None:
    for number, _ in enumerate(table.bench.scores):
        table.scoring.compile_counting(number)(S)
