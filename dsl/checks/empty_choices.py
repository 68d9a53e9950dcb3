"""Choices that can be empty where nothing is said about it.

Silent where a condition around the choice speaks of something that decides the actions: there the author has
thought of it, and playing will tell. Silent where the conditions of the actions leave nothing out, and, outside endless
loops, for an action that is legal as long as there is a component to choose ("follow suit if you can").
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.flow.checked_game import CheckedGame, Loop, StatementPlace
from rulesrun.dsl.flow.legality import is_legal_with_any, is_legal_with_none
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import BuiltinMeaning, Meaning

MOST_ATOMS = 8
OPPOSITES = {"is not": "=", ">=": "<", "<=": ">"}


def check_empty_choices(reading: CheckedGame) -> Iterator[Diagnostic]:
    for place in reading.flow.places:
        choose = place.statement
        if isinstance(choose, ast.Choose) and not (choose.if_possible or choose.is_promised or choose.otherwise):
            yield from _check_choice(reading, place, choose)


def _check_choice(reading: CheckedGame, place: StatementPlace, choose: ast.Choose) -> Iterator[Diagnostic]:
    actions = [meaning for name in choose.actions if isinstance(meaning := reading.meaning(name), ast.Action)]
    if len(actions) < len(choose.actions) or any(_is_always_legal(reading, action) for action in actions):
        return
    conditions, loops = reading.flow.find_surroundings(place)
    if choose.condition is not None:
        conditions.append(choose.condition)
    if any(is_legal_with_any(reading, action) for action in actions) and not any(_is_endless(loop) for loop in loops):
        return
    if _deciding_meanings(reading, actions) & _mentioned_meanings(reading, conditions):
        return
    if _is_one_always_legal(actions):
        return
    names = ", ".join(f"`{name.text}`" for name in choose.actions)
    when = (
        message("{names} is not legal", names=names)
        if len(actions) == 1
        else message("none of {names} is legal", names=names)
    )
    hint = message(
        "say what happens then: add `if possible`, or `, else …`; if it cannot come to that, add `, always possible`"
    )
    found = Diagnostic(
        "empty-choice", message("there is nothing to choose when {when}", when=when), choose.span, hint, "warning"
    )
    yield found.with_edits(Edit(choose.span.end, choose.span.end, " if possible"))


def _is_always_legal(reading: CheckedGame, action: ast.Action) -> bool:
    return is_legal_with_none(reading, action) or (
        not action.needs and all(_is_never_empty(choice) for choice in action.choices)
    )


def _is_one_always_legal(actions: list[ast.Action]) -> bool:
    """Whether the conditions of some actions, which choose from what is never empty, leave nothing out.

    `needs not can bid` leaves nothing out where `bid` can be chosen, too.
    """
    open_ones = [action for action in actions if all(_is_never_empty(choice) for choice in action.choices)]
    needs = [[need.condition for need in action.needs] for action in open_ones]
    atoms = list(dict.fromkeys(atom for conditions in needs for one in conditions for atom in _list_atoms(one)))
    if not needs or len(atoms) > MOST_ATOMS:
        return False
    others = {repr(ast.Can(action.name, span=action.span)) for action in actions} & set(atoms)
    worlds = (dict(zip(atoms, values, strict=True)) for values in product((True, False), repeat=len(atoms)))
    return all(
        any(world[other] for other in others)
        or any(all(_evaluate_condition(one, world) for one in conditions) for conditions in needs)
        for world in worlds
    )


def _list_atoms(condition: ast.Expr) -> Iterator[str]:
    match condition:
        case ast.Not(value):
            yield from _list_atoms(value)
        case ast.And(parts) | ast.Or(parts):
            for part in parts:
                yield from _list_atoms(part)
        case _:
            yield _normalize_atom(condition)[0]


def _normalize_atom(condition: ast.Expr) -> tuple[str, bool]:
    """What is asked, and whether it is asked the right way round: `a >= b` is not `a < b`."""
    if isinstance(condition, ast.Compare) and condition.operator in OPPOSITES:
        return repr((OPPOSITES[condition.operator], condition.left, condition.right)), False
    if isinstance(condition, ast.Compare):
        return repr((condition.operator, condition.left, condition.right)), True
    return repr(condition), True


def _evaluate_condition(condition: ast.Expr, world: dict[str, bool]) -> bool:
    match condition:
        case ast.Not(value):
            return not _evaluate_condition(value, world)
        case ast.And(parts):
            return all(_evaluate_condition(part, world) for part in parts)
        case ast.Or(parts):
            return any(_evaluate_condition(part, world) for part in parts)
        case _:
            atom, is_right = _normalize_atom(condition)
            return world[atom] is is_right


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


def _deciding_meanings(reading: CheckedGame, actions: list[ast.Action]) -> set[Meaning]:
    found: set[Meaning] = set(actions)
    for action in actions:
        for part in (*action.needs, *action.choices):
            found |= reading.flow.collect_mentions(part)
    return {meaning for meaning in found if _can_vary(meaning)}


def _can_vary(meaning: Meaning) -> bool:
    return isinstance(meaning, ast.Zone | ast.Variable | ast.Action | ast.Memory | ast.Define) or (
        isinstance(meaning, BuiltinMeaning) and meaning.name in {"round", "starter"}
    )


def _mentioned_meanings(reading: CheckedGame, conditions: list[ast.Expr]) -> set[Meaning]:
    return {meaning for condition in conditions for meaning in reading.flow.collect_mentions(condition)}
