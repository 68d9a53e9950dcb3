"""Whether players play for points: what one wins the others pay, now more, now less. Takes a table.

Who loses little is better off there than who loses much, though neither has won. It is seen in a few random games, in
which all scores must add up to nothing; where scores are no amounts, no game is played for it. Nor is a lead an amount:
`discs - discs of opponent` says who has won and how clearly, but nobody pays for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.types import PlayerOf
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.game_loop import play_game, random_picker
from rulesrun.interpreter.play.step import GameOver
from rulesrun.interpreter.reference.table import Table

GAMES, FEWEST_GAMES, DECISIONS = 12, 2, 400  # so many games, fewer where they are long
LONGEST_GAME = 1000

_found: WeakKeyDictionary[Table, bool] = WeakKeyDictionary()


def has_stakes(table: Table) -> bool:
    found = _found.get(table)
    if found is None:
        found = _found[table] = may_pay_amounts(table) and pays_amounts(table)
    return found


def may_pay_amounts(table: Table) -> bool:
    """Whether a score may be below zero, and is more than won or lost, and no lead."""
    values = [value for score in table.bench.scores for line in score.lines for value in outcomes(line.value)]
    amounts = [value for value in values if not is_lead(table.bench, value)]
    is_paid = any(is_subtraction(part) for value in amounts for part in walk(value))
    return table.players > 1 and is_paid and not all(map(is_fixed, amounts))


def is_lead(bench: Workbench, value: ast.Expr) -> bool:
    """What one has, less what another one has of the same."""
    return isinstance(value, ast.Arithmetic) and value.operator == "-" and is_same_of_another(
        bench, value.left, value.right
    )


def is_same_of_another(bench: Workbench, left: ast.Expr, right: ast.Expr) -> bool:
    """Both written alike, but for the player of whom it is asked."""
    left, right = strip_player(bench, left), strip_player(bench, right)
    if isinstance(left, ast.Of) and isinstance(right, ast.Of):
        return repr(left.subject) == repr(right.subject) and is_same_of_another(bench, left.owner, right.owner)
    return repr(left) == repr(right)


def strip_player(bench: Workbench, node: ast.Expr) -> ast.Expr:
    while isinstance(node, ast.Of) and isinstance(bench.type_of(node.owner), PlayerOf):
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


def pays_amounts(table: Table) -> bool:
    """Played at random until it is seen."""
    amounts, decisions = set[float](), 0
    for number in range(GAMES):
        if number >= FEWEST_GAMES and decisions > DECISIONS:
            break
        try:
            steps = list(play_game(table, random_picker(Streams(number)), LONGEST_GAME))
        except Fault:
            return False
        decisions += len(steps)
        over = steps[-1].question
        assert isinstance(over, GameOver)
        if sum(over.scores.values()):
            return False
        amounts.update(abs(float(score)) for score in over.scores.values())
    return len(amounts - {0.0}) > 1
