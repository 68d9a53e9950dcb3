"""Points that are a fraction of the sum that they are added to, against plain Python."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

from rulesrun.cli import main
from rulesrun.interpreter.measure.duel import ReferenceMeasurer
from rulesrun.interpreter.native.measure.measurement import NativeMeasurer, compile_measuring_engine
from rulesrun.interpreter.reference.table import Table
from tests.interpreter.made import table
from tests.native import explored
from tests.native.both import differences, quick_engine

RULES = """
number got of player: 0..9 = 0
rounds {rounds}
phase play: one turn each from 1
  choose take
action take(n in 0..2)
  got becomes n
score each round
  bonus = total / 3
  points = got
  more = (counted(points) - total of left of player) / 2 + latest(bonus)
ranking: highest total, ties share
always "small": total of 1 < 6
"""


def made(rounds: int) -> Table:
    return table(RULES.format(rounds=rounds))


def totals(rounds: tuple[tuple[int, ...], ...]) -> tuple[Fraction, Fraction]:
    """Of both players, after these numbers were taken."""
    counted, points, bonus = [Fraction(0)] * 2, [Fraction(0)] * 2, [Fraction(0)] * 2
    for taken in rounds:
        own = [counted[seat] / 3 for seat in (0, 1)]
        more = [(points[seat] - counted[1 - seat]) / 2 + bonus[seat] for seat in (0, 1)]
        counted = [counted[seat] + own[seat] + taken[seat] + more[seat] for seat in (0, 1)]
        points = [points[seat] + taken[seat] for seat in (0, 1)]
        bonus = own
    return counted[0], counted[1]


def test_expected_points_are_those_of_plain_python(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "own.rules"
    rules.write_text('rules 1\n# Made up for a test.\ngame "Own sum"\nplayers 2\n' + RULES.format(rounds=3))
    assert main(["tree", str(rules), "--engine", "native", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["engine"] == "native"
    games = [totals(one) for one in product(product(range(3), repeat=2), repeat=3)]
    for seat in (0, 1):
        assert Fraction(told["expected_scores"][str(seat + 1)]) == sum(one[seat] for one in games) / len(games)


def test_both_engines_play_count_and_explore_the_same() -> None:
    few = made(3)
    assert differences(few, 40, engine=quick_engine(few)) == []
    assert NativeMeasurer(compile_measuring_engine(few), 3).totals(0, 40) == ReferenceMeasurer(few, 3).totals(0, 40)
    assert explored.differences(few, 2_000) == []


def test_what_has_no_room_is_left_to_the_reference() -> None:
    """After thirty rounds the totals have a denominator of 2 and 3 to the thirtieth."""
    many = made(30)
    engine = quick_engine(many)
    assert differences(many, 10, engine=engine) == []
    assert engine.left
