"""Choices that can be empty where nothing is said about it.

Silent where a condition around the choice speaks of something that decides the actions: there the author has
thought of it, and playing will tell. Silent too for an action that asks only for a card, outside endless loops.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.checks.reading import Reading
from rulesrun.dsl.diagnostics import Diagnostic
from rulesrun.dsl.flow import Loop, Place
from rulesrun.dsl.program import BuiltinMeaning, Meaning


def empty_choices(reading: Reading) -> Iterator[Diagnostic]:
    for place in reading.flow.places:
        choose = place.statement
        if isinstance(choose, ast.Choose) and not choose.if_possible and choose.otherwise is None:
            yield from _choice(reading, place, choose)


def _choice(reading: Reading, place: Place, choose: ast.Choose) -> Iterator[Diagnostic]:
    actions = [meaning for name in choose.actions if isinstance(meaning := reading.meaning(name), ast.Action)]
    if len(actions) < len(choose.actions) or any(_is_always_legal(action) for action in actions):
        return
    conditions, loops = reading.flow.around(place)
    if choose.condition is not None:
        conditions.append(choose.condition)
    if not any(action.needs for action in actions) and not any(_is_endless(loop) for loop in loops):
        return
    if _decided_by(reading, actions) & _spoken_of(reading, conditions):
        return
    names = " and ".join(f"`{name.text}`" for name in choose.actions)
    yield Diagnostic(
        "empty-choice", f"when {names} {'is' if len(actions) == 1 else 'are'} not legal there is nothing to choose",
        choose.span, "add `if possible`, or `, else …` with what happens then", "warning",
    )


def _is_always_legal(action: ast.Action) -> bool:
    return not action.needs and all(_is_never_empty(choice) for choice in action.choices)


def _is_never_empty(choice: ast.Choice) -> bool:
    """A type, the players, a set of values; a range may turn out empty when its bounds vary."""
    match choice.domain:
        case ast.Name() | ast.SetOf():
            return choice.word == "in" and choice.count is None
        case ast.Range(low=ast.Number(), high=high):
            return choice.count is None and isinstance(high, ast.Number | ast.Name)
        case _:
            return False


def _is_endless(loop: Loop) -> bool:
    return (isinstance(loop, ast.Turns) and not loop.once) or (isinstance(loop, ast.Repeat) and loop.times is None)


def _decided_by(reading: Reading, actions: list[ast.Action]) -> set[Meaning]:
    found: set[Meaning] = set(actions)
    for action in actions:
        for part in (*action.needs, *action.choices):
            found |= reading.flow.mentions(part)
    return {meaning for meaning in found if _can_vary(meaning)}


def _can_vary(meaning: Meaning) -> bool:
    return isinstance(meaning, ast.Zone | ast.Variable | ast.Action | ast.Memory | ast.Define) or (
        isinstance(meaning, BuiltinMeaning) and meaning.name in {"round", "starter"}
    )


def _spoken_of(reading: Reading, conditions: list[ast.Expr]) -> set[Meaning]:
    return {meaning for condition in conditions for meaning in reading.flow.mentions(condition)}
