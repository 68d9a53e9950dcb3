"""Several components under one name stay these, however they are gathered up: equal ones go one by one."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.play.saved_positions import state_to_json
from rulesrun.interpreter.play.step import start_state
from tests.interpreter.made import table

RULES = """card Card: rank 1..2, 2 of each
zone stock: pile of Card, hidden
zone line: pile of Card, public
setup
  shuffle all Card into stock
  move all stock to line
  let several = line where rank >= 1
  {gathered}
  move all several to line
phase play
  choose rest
action rest
score at end
  points = 0
ranking: highest total, ties share
"""


@pytest.mark.parametrize(
    "gathered", ["move all Card to stock", "move all line to stock", "shuffle all Card into stock"]
)
def test_all_of_them_come_back(gathered: str) -> None:
    made = table(RULES.format(gathered=gathered), 1)
    zones = state_to_json(made, start_state(made))["zones"]
    assert (zones["stock"], zones["line"]) == ([], ["1", "1", "2", "2"])
