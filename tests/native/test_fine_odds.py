"""Odds that no word holds: expected scores of long chance, against what mathematics says."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

import numpy
from hypothesis import given
from hypothesis import strategies as some

from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.native.tree import levels
from rulesrun.interpreter.native.tree.counting import count_tree_natively
from rulesrun.interpreter.native.tree.levels import FineOdds, WeightedSums, compile_tree_positions, divide_odds
from rulesrun.interpreter.play.game_tree import count_tree
from tests.interpreter.made import table
from tests.native.test_trees import MOST, as_counted

BAG = """
values Colour: red, blue
token Token: colour Colour, 35 of each
zone bag: pile of Token, hidden
zone taken: set of Token, public
setup
  shuffle all Token into bag
  draw DRAWN from bag to taken
score at end
  points = (count of taken where colour = red) * (count of taken where colour = red)
"""


@pytest.mark.parametrize(("drawn", "jobs"), [(12, 1), (12, 2), (14, 2)])
def test_the_square_of_how_many_are_drawn(drawn: int, jobs: int) -> None:
    """One after the other, of 70 equal ones: a denominator of 70·69·68…, above 2 to the 73rd."""
    found = count_tree_natively(compile_tree_positions(table(BAG.replace("DRAWN", str(drawn)))), MOST, jobs)
    ways = [comb(35, reds) * comb(35, drawn - reds) for reds in range(drawn + 1)]
    expected = sum(Fraction(reds * reds * many, comb(70, drawn)) for reds, many in enumerate(ways))
    assert found.expected_scores == {1: expected, 2: expected}
    assert (found.chance, found.terminals) == (2**drawn - 1, 2**drawn)


WALK = """
number steps: 0..120 = 0
number die: 1..2
phase walk: repeat until die = 2 or steps = 120
  steps increases by 1
  roll die with chances 999983, 1000003
score at end
  points = steps / 7
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_how_long_a_walk_goes_on(jobs: int) -> None:
    """Each step with the same odds: at the end a denominator of two thousand bits."""
    found = count_tree_natively(compile_tree_positions(table(WALK)), MOST, jobs)
    on = Fraction(999983, 999983 + 1000003)
    assert found.expected_scores[1] == (1 - on**120) / (1 - on) / 7
    assert (found.chance, found.terminals) == (120, 121)


CHOICES = """
number steps: 0..30 = 0
phase play: turns from 1 until steps = 30
  choose wander
action wander(way in 1..61)
  steps increases by 1
  if way > 2
    end game
score at end
  points = steps
"""


def test_many_choices_in_a_row() -> None:
    """Two of 61 ways go on: 61 to the 12th is above 2 to the 71st."""
    rules = table(CHOICES.replace("30", "12"))
    found = count_tree_natively(compile_tree_positions(rules), MOST)
    assert found.expected_scores[1] == sum(Fraction(2, 61) ** step for step in range(12))
    assert found.decisions == 2**12 - 1


def test_the_same_as_the_reference() -> None:
    """Different odds that meet again, choices and chance, points that are fractions and below zero."""
    rules = table("""
number sum_so_far: -400..400 = 0
number die: 1..3
number turns_done: 0..9 = 0
phase play: turns from 1 until turns_done = 9
  turns_done increases by 1
  roll die with chances 997, 889, 2
  if die = 2
    end game
  if die = 3
    choose up or down
action up
  sum_so_far increases by 3
  end game
action down
  sum_so_far decreases by turns_done
score at end
  points = sum_so_far / 3 - 1
""")
    ours = count_tree_natively(compile_tree_positions(rules), MOST)
    assert as_counted(ours) == as_counted(count_tree(rules))
    assert max(score.denominator for score in ours.expected_scores.values()) > 1 << 60


def test_weights_beyond_a_word_are_refused() -> None:
    one = numpy.ones(1, dtype=numpy.int64)
    with pytest.raises(CannotCompile, match="too large"):
        FineOdds().make_divisible((one - 1, one, one), 1 << 61)


def test_only_so_many_different_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "MOST_DIFFERENT", 3)
    with pytest.raises(CannotCompile, match="different odds"):
        count_tree_natively(compile_tree_positions(table(WALK)), MOST)


# ---- the sums alone, of any numbers

@given(
    steps=some.lists(some.lists(some.tuples(some.integers(1, 1 << 20), some.integers(0, 1 << 20)), min_size=3,
                                max_size=3), min_size=1, max_size=8),
    points=some.lists(some.tuples(some.integers(-(1 << 60), 1 << 60), some.integers(-3, 3)), min_size=3, max_size=3),
    many=some.sampled_from([1, 1 << 16]),
)
def test_sums_are_exact(steps: list[list[tuple[int, int]]], points: list[tuple[int, int]], many: int) -> None:
    def numbers(values: Any) -> Any:
        return numpy.array(list(values), dtype=numpy.int64)

    fine, exact = FineOdds(), [Fraction(1)] * 3
    odds = numbers([0, 0, 0]), numbers([1, 1, 1]), numbers([1, 1, 1])
    for step in steps:
        weights, totals = [weight for weight, _ in step], [weight + more for weight, more in step]
        odds = divide_odds(fine.make_divisible(odds, max(totals)), numbers(weights), numbers(totals))
        exact = [one * Fraction(weight, total) for one, weight, total in zip(exact, weights, totals, strict=True)]
    sums = WeightedSums(fine, 2)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(levels, "MANY_SUMS", many)
        for _ in range(2):
            sums.add_values(numpy.array(points, dtype=numpy.int64), odds)
    wanted = [sum(2 * one * Fraction(points[at][column]) for at, one in enumerate(exact)) for column in range(2)]
    assert sums.column_sums() == wanted
