"""Whether a score is an amount that somebody pays: more than won or lost, and no lead. Read off its lines."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.typing.types import PlayerOf


def may_pay_amounts(program: Program) -> bool:
    """Whether a score may be below zero, and is more than won or lost, and no lead."""
    values = [value for score in program.game.scores for line in score.lines for value in outcomes(line.value)]
    amounts = [value for value in values if not is_lead(program, value)]
    is_paid = any(is_subtraction(part) for value in amounts for part in walk(value))
    return is_paid and not all(map(is_fixed, amounts))


def is_lead(program: Program, value: ast.Expr) -> bool:
    """What one has, less what another one has of the same."""
    return isinstance(value, ast.Arithmetic) and value.operator == "-" and is_same_of_another(
        program, value.left, value.right
    )


def is_same_of_another(program: Program, left: ast.Expr, right: ast.Expr) -> bool:
    """Both written alike, but for the player of whom it is asked."""
    left, right = strip_player(program, left), strip_player(program, right)
    if isinstance(left, ast.Of) and isinstance(right, ast.Of):
        return repr(left.subject) == repr(right.subject) and is_same_of_another(program, left.owner, right.owner)
    return repr(left) == repr(right)


def strip_player(program: Program, node: ast.Expr) -> ast.Expr:
    while isinstance(node, ast.Of) and isinstance(program.types.get(node.owner), PlayerOf):
        node = node.subject
    return node


def is_subtraction(part: ast.Node) -> bool:
    return isinstance(part, ast.Negate) or (isinstance(part, ast.Arithmetic) and part.operator == "-")


def is_fixed(value: ast.Expr) -> bool:
    return isinstance(value, ast.Number) or (isinstance(value, ast.Negate) and is_fixed(value.value))


def outcomes(value: ast.Expr) -> Iterator[ast.Expr]:
    if isinstance(value, ast.IfElse):
        yield from outcomes(value.then)
        yield from outcomes(value.otherwise)
    else:
        yield value
