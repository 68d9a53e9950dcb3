"""Whether players play for points: what one wins the others pay, now more, now less. Takes a table.

Who loses little is better off there than who loses much, though neither has won. It is seen in a few random games, in
which all scores must add up to nothing; where scores are no amounts, no game is played for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
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
    """Whether a score may be below zero, and is more than won or lost."""
    lines = [line.value for score in table.bench.scores for line in score.lines]
    is_paid = any(is_subtraction(part) for line in lines for part in walk(line))
    return table.players > 1 and is_paid and not all(is_fixed(value) for line in lines for value in outcomes(line))


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
