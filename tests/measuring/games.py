"""Small rulebooks whose figures are known exactly, and short ways to measure them."""

from __future__ import annotations

from fractions import Fraction

from rulesrun.interpreter.measure.duel import Duel, ReferenceMeasurer
from rulesrun.interpreter.measure.totals import Totals
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import bundled, program

COIN = """
values Side: heads, tails
marker coin: Side
option heads_weight: 1..9 = 3
option tails_weight: 1..9 = 1

phase play
  choose throw

action throw
  roll coin with chances heads_weight, tails_weight

score at end
  points = if player = 1 and coin = heads then 1 else if player = 2 and coin = tails then 1 else 0
ranking: highest total, ties share
"""


def coin(heads: int = 3, tails: int = 1) -> Table:
    """Seat 1 wins with heads over heads and tails."""
    weights = f"coin with chances {heads}, {tails}"
    return set_up_table(program(COIN.replace("coin with chances heads_weight, tails_weight", weights)), 2)


def kuhn() -> Table:
    return set_up_table(bundled("classics/kuhn"), 2)


def leduc() -> Table:
    return set_up_table(bundled("classics/leduc"), 2)


def small_pig() -> Table:
    return set_up_table(bundled("classics/pig"), 2, {"die": 2, "target": 4, "length": 6})


def totals(table: Table, games: int, seed: int = 0) -> Totals:
    return ReferenceMeasurer(table, seed).totals(0, games)


def duel(left: Table, right: Table, games: int, seed: int = 0) -> Duel:
    found = Duel(left, right, seed)
    for number in range(games):
        found.play_deal(number)
    return found


# Under random play, from the trees of the games.
KUHN_SCORE = Fraction(1, 8)
KUHN_DECISIONS = Fraction(9, 4)  # pass-pass and bet-answer take two (3/4), pass-bet-answer three (1/4)
LEDUC_SCORE = Fraction(-5, 64)
PIG_SCORE = Fraction(37, 1024)
