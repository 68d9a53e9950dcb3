"""A set may be written of what components are called where it stands, not only of components by name."""

from __future__ import annotations

import rulesrun

RULES = """rules 1
game "Pairs"
players 1
card Card: colour Colour, rank 1..3
values Colour: red, blue
zone hand of player: set of Card, public
setup
  move all Card to hand
phase play
  choose lay
action lay(c from hand, d from hand)
  needs c is not d because "two cards"
  needs CONDITION because "a third red one"
score at end
  points = 0
ranking: highest total, ties share
"""


def ways(condition: str) -> int:
    return len(rulesrun.loads(RULES.replace("CONDITION", condition)).start(1).legal())


def test_a_set_of_parameters_and_of_names() -> None:
    assert ways("some e in hand has e not in {c, d} and colour of e = red") == 6 * 5
    assert ways("c in {d, red 1}") == 5
    assert ways("every e in {c, d} has colour of e = red") == 3 * 2
