"""Several places of a board chosen at once, told as a set, combined: the same number of ways in both engines and as
counted by hand."""

from __future__ import annotations

from itertools import combinations

import pytest

from rulesrun.files.loading import read_text
from rulesrun.interpreter.play.step import PlayerDecision, begin_game, pending_decision
from rulesrun.interpreter.reference.table import set_up_table
from tests.native.both import differences, quick_positions

RULES = """rules 1
game "Spots"
players 2
board Square: 3 by 3
marker stone[Square]: player or nothing
number ways: 0..99
define weigh(s set of Square) = sum of row over s
phase play: turns from 1, at most 4 turns
  choose lay, else player loses
  ways becomes count of combinations of 2..3 from (Square where stone is not nothing)
action lay({few}..{many} spots in Square where stone is nothing)
  needs weigh(spots) < 6
  each s in spots
    stone[s] becomes player
figure ways_at_the_end: mean ways, at end of turn
"""


@pytest.mark.parametrize(("few", "many"), [(1, 1), (1, 2), (2, 2), (0, 3), (3, 9)])
def test_as_many_ways_as_can_be_counted(few: int, many: int) -> None:
    program = read_text(RULES.format(few=few, many=many)).program
    assert program is not None
    table = set_up_table(program, 2)
    rows = [row for row in (1, 2, 3) for _ in range(3)]
    ways = sum(sum(one) < 6 for amount in range(few, many + 1) for one in combinations(rows, amount))
    positions = quick_positions(table)
    asked = pending_decision(table, begin_game(table).state)
    assert isinstance(asked, PlayerDecision)
    assert len(asked.options) == ways
    assert positions.pending_decision(positions.begin_game().state) == asked
    assert not differences(table, 6)
