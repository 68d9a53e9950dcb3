"""How many there are of each component, by its attributes: against arithmetic."""

from __future__ import annotations

from fractions import Fraction

from rulesrun.interpreter.play.game_tree import count_tree
from tests.interpreter.made import table

PLAY = """
zone stock: pile of Card, hidden
zone seen: set of Card, public
setup
  shuffle all Card into stock
phase play
  draw 1 from stock to seen
score at end
  points = sum of worth of c over c in seen
ranking: highest total, ties share
"""


def test_copies_by_a_table_of_the_attributes() -> None:
    """A wild one is worth 1: 16 of 28."""
    counted = count_tree(table(
        "values Symbol: zero, skip, wild\ntable how_many(s Symbol): 1, 2, 4\n"
        "card Card: colour 1..4, symbol Symbol, (how_many(symbol)) of each\n"
        f"  worth 0..1 = if symbol = wild then 1 else 0\n{PLAY}"
    ))  # fmt: skip
    assert counted.expected_scores == {1: Fraction(16, 28), 2: Fraction(16, 28)}
    assert (counted.chance, counted.terminals) == (1, 12)


def test_a_component_of_which_there_is_none() -> None:
    counted = count_tree(table(f"card Card: worth 0..3, (3 - worth) of each\n{PLAY}"))
    assert counted.expected_scores[1] == Fraction(0 * 3 + 1 * 2 + 2 * 1, 6)
    assert counted.terminals == 3
