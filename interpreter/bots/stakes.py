"""Whether players play for points: what one wins the others pay, now more, now less. Takes a table.

Who loses little is better off there than who loses much, though neither has won. It is seen in a few random games, in
which all scores must add up to nothing; where scores are no amounts, no game is played for it. Nor is a lead an amount:
`discs - discs of opponent` says who has won and how clearly, but nobody pays for it.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from rulesrun.dsl.contents.amounts import may_pay_amounts
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
        found = _found[table] = table.players > 1 and may_pay_amounts(table.program) and pays_amounts(table)
    return found


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
