"""Zones and values that only some see: what comes there is told, what lies there is a secret."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.secrecy.information_flow import flows_of, thing_name
from tests.exploring.test_unknown_constructs import table_of
from tests.words.twins import errors_of

SOME = """rules 1
game "Some"
players 3

card Card: rank 1..9

zone deck: set of Card, hidden
zone hand of player: set of Card, private
zone brow of player: row of Card, public except player
zone note of player: pile of Card, seen by left of player
zone away: pile of Card, hidden
zone heap: row of Card, public

number dark of player: 1..3, private
number heard of player: 0..9, seen by left of player
number said: 0..9

setup
  deal 1 from deck to each hand
  deal 2 from deck to each brow
  draw 3 from deck to heap
  each player
    roll dark

phase play: one turn each from 1
  choose act

action act
  LINE

score at end
  points = count of brow

ranking: highest total, ties share
"""

TOLD = {
    "move the c in hand of left of player with lowest rank of c to note": {("which", "hand")},
    "move the c in hand of left of player with highest rank of c to brow": {("which", "hand")},
    "move the c in brow with highest rank of c to away": {("which", "brow")},
    "move the c in brow with highest rank of c to heap": {("which", "brow")},
    "move item (smallest(dark, 1)) of brow to away": {("which", "dark")},
    "draw 1 from deck where rank > dark to note": {("which", "dark")},
    "draw 1 from deck where rank > dark to brow": {("which", "dark")},
    "draw 1 from brow where rank > dark to away": {("which", "dark")},
    "draw 1 from heap where rank > dark to away": {("which", "dark")},
    "draw 1 from hand of left of player where rank > dark to away": {("which", "dark")},
    "draw 1 from hand where rank > dark to away": set(),
    "move the c in hand of left of player with highest rank of c * (2 - dark) to away": {("which", "dark")},
    "heard becomes dark": {("value", "dark")},
    "heard of left of player becomes dark": {("value", "dark")},
    "if dark = 1\n    heard becomes 1": {("condition", "dark")},
    "if heard = 1\n    said becomes 1": set(),  # nothing was ever heard
    "if (sum of rank over c in brow) > 4\n    said becomes 1": {("condition", "brow")},
    "said becomes sum of rank over c in note": {("value", "note")},
    "move all hand to note in order of dark": {("which", "dark")},
    "move item 1 of brow to heap": set(),
    "move item 1 of brow to note": set(),
    "said becomes count of brow": set(),
    "heard becomes said": set(),
    "draw 1 from deck to note": set(),
}


@pytest.mark.parametrize("line", TOLD)
def test_what_is_told(line: str) -> None:
    text = SOME.replace("LINE", line)
    assert errors_of(text) == []
    disclosures = flows_of(table_of(text, players=3)).disclosures
    told = {(one.how, thing_name(thing)) for one in disclosures for thing in one.things}
    assert told >= TOLD[line]
    assert bool(told) is bool(TOLD[line]), told
