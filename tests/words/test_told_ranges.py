"""A number that a definition, a table or a step is told is in the range of its parameter, or the game stops there."""

from __future__ import annotations

import pytest

from rulesrun.files.loading import read_text
from rulesrun.interpreter.play.random_games import simulate_games
from rulesrun.interpreter.reference.table import set_up_table
from tests.native.both import differences

RULES = """rules 1
game "Told"
players 2
option most: 1..9 = 5
values Level: 0..5
number heat: 0..9 = {heat}
marker seen: 0..9 or nothing
define twice(k {range}) = k + k
define known(k {range} or nothing) = k is nothing or k < 9
table cost(k {range}):
  3: 1
  otherwise: 2
step keep(k {range})
  seen becomes k
step pay(k {range})
  do keep(k)
phase play: one turn each from 1
  choose stop
action stop
  {line}
score
  points = 0
ranking: highest total, ties share
"""
TOLD = {
    "definition": "if twice(heat) > 3\n    seen becomes 1",
    "definition of two": "if twice(heat) > 3 and known(heat)\n    seen becomes 1",
    "table": "seen becomes cost(heat)",
    "step": "do keep(heat)",
    "step in a step": "do pay(heat)",
    "or nothing": "seen becomes heat\n  if known(seen)\n    seen becomes 1",
}
RANGES = {"0..5": range(6), "2..most": range(2, 6)}


@pytest.mark.parametrize("written", RANGES)
@pytest.mark.parametrize("told", TOLD)
def test_a_number_that_is_told_is_in_its_range(told: str, written: str) -> None:
    for heat in range(10):
        program = read_text(RULES.format(heat=heat, range=written, line=TOLD[told])).program
        assert program is not None
        table = set_up_table(program, 2)
        found = simulate_games(table, 0, 2)
        assert list(found.faulty_games) == ([] if heat in RANGES[written] else ["leaves-range"]), heat
        assert not differences(table, 2)


def test_nothing_is_in_the_range_of_what_may_be_nothing() -> None:
    program = read_text(RULES.format(heat=1, range="0..5", line="if known(seen)\n    seen becomes 1")).program
    assert program is not None
    assert not simulate_games(set_up_table(program, 2), 0, 2).faults
