"""Equal components that are followed while players choose and chance decides: both engines, game by game and position
by position. What they must be like is in `tests.orders`, beside plain lists."""

from __future__ import annotations

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.interpreter.explore.breadth_first import explore_table
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.native.think.thinking import compile_mind
from tests.interpreter.made import table
from tests.native.both import differences, quick_engine
from tests.native.explored import by_machine
from tests.native.test_pairs_natively import unlike
from tests.orders.labelled import rulebook
from tests.orders.playing import made

CHOSEN = """
card Card: rank 1..3, 2 of each
zone deck: pile of Card, hidden
zone line: row of Card, public
zone out: row of Card, public
number at: 0..99 = 0
setup
  shuffle all Card into deck
  draw 4 from deck to line
phase play: repeat 2 times
  choose two, one or rest
action two(1..2 cards from line where position(it, line) > 1)
  draw up to 1 from deck to line as new
  move last of line to bottom of deck
  choose rest or last_one
  move all cards to out
  at becomes position(new, line)
action one(c from line)
  move first of line to deck
  draw 1 from deck to line
  move c to out
action last_one
  move last of line to deck
action rest
  shuffle deck
score at end
  points = at + sum of (rank of c * position(c, line)) over c in line
ranking: highest total, ties share
"""
GONE_THROUGH = CHOSEN.split("phase play")[0] + """
marker first_of_them: Card or nothing, each turn
marker gives: yes or no
phase play: repeat 2 times
  each c in line where rank of c > 1 in reverse order of position(c, line)
    choose keep or give
    draw up to 1 from deck to line as new
    if gives
      first_of_them becomes c
      move c to out
    at becomes (at + position(first_of_them, out) + position(new, line)) mod 7
action keep
  gives becomes no
action give
  move all (line where rank = 1) to bottom of deck
  gives becomes yes
score at end
  points = at
ranking: highest total, ties share
"""


@pytest.mark.parametrize("text", [CHOSEN, GONE_THROUGH])
def test_through_choices_and_draws(text: str) -> None:
    rules = table(text, 1)
    assert differences(rules, 60, engine=quick_engine(rules)) == []
    small = table(text.replace("repeat 2 times", "repeat 1 times"), 1)
    assert by_machine(small, 100_000).size == explore_table(small).size


@pytest.mark.parametrize("seed", range(2))
def test_luck_that_two_games_share(seed: int) -> None:
    assert unlike(made(rulebook(seed, actions=4)), 15) == []


def test_who_thinks_leaves_it_to_the_reference() -> None:
    """A position of the reference is not written into machine code with what is followed in it."""
    with pytest.raises(CannotCompile, match="players that think"):
        compile_mind(table(GONE_THROUGH, 1), care=0)
