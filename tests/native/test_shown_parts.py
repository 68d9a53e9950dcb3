"""`show` of what is no whole zone: who is shown it observes just that, until the next answer; nobody else does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.api.position import Position
from rulesrun.files.loading import read_text
from rulesrun.interpreter.reference.table import set_up_table
from tests.native.single import Pair, quick_blocks, started, walk

RULES = """
rules 1
game "Shown"
players 3
values Colour: red, blue
card Card: rank 1..4
token Token: colour Colour, 2 of each
zone stock: pile of Card, hidden
zone bag: pile of Token, hidden
zone hand of player: set of Card, private
zone purse of player: set of Token, private
zone line: row of Card, hidden
marker picked: Card or nothing, hidden
marker who: player or nothing
setup
  move all Card to line
  move all (line where rank <= 2) to hand of 1
  move all Token to bag
  move 2 of (bag where colour = blue) to purse of 1
phase play: turns from 1 until no
  choose part, top_one, bottom_one, tokens, both, chosen, none, to_nobody or rest
action part
  show (hand of 1 where rank > 1) to 2
action top_one
  show last of line to 2
action bottom_one
  show first of line
action tokens
  show (purse of 1 where colour = blue) to 3
action both
  show (hand of 1 where rank > 1) to 2
  show (hand of 1 where rank = 1) to 3
  show line to 3
action chosen(card from hand)
  show card to left of player
action none
  show (line where rank = 1)
action to_nobody
  show (hand of 1 where rank > 1) to who
action rest
score at end
  points = 0
ranking: highest total, ties share
"""
SHOWN: dict[str, list[list[list[str]]]] = {  # by seat
    "part": [[], [["2"]], []],
    "top_one": [[], [["4"]], []],
    "bottom_one": [[["3"]], [["3"]], [["3"]]],
    "tokens": [[], [], [["blue", "blue"]]],
    "chosen": [[], [["1"]], []],
    "none": [[[]], [[]], [[]]],
    "to_nobody": [[], [], []],
    "rest": [[], [], []],
}


@pytest.fixture(scope="module")
def start() -> Pair:
    reading = read_text(RULES, "shown")
    assert reading.program is not None
    made = set_up_table(reading.program, 3, {})
    return started(reading, made, quick_blocks(made))


def shown(position: Position, seat: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = position.observe(seat).now["shown"]
    return found


@pytest.mark.parametrize("name", SHOWN)
def test_who_is_shown_it_sees_it_and_nobody_else(start: Pair, name: str) -> None:
    for position in start:
        which = next(at for at, one in enumerate(position.legal()) if getattr(one, "action", "") == name)
        after = position.apply(which)
        assert [shown(after, seat) for seat in (1, 2, 3)] == [
            [{"zone": None, "components": names} for names in own] for own in SHOWN[name]
        ]
        later = after.apply(len(after.legal()) - 1)
        assert [shown(later, seat) for seat in (1, 2, 3)] == [[], [], []]


def test_zones_and_parts_side_by_side(start: Pair) -> None:
    for position in start:
        which = next(at for at, one in enumerate(position.legal()) if getattr(one, "action", "") == "both")
        after = position.apply(which)
        assert shown(after, 1) == []
        assert shown(after, 2) == [{"zone": None, "components": ["2"]}]
        assert shown(after, 3) == [
            {"zone": None, "components": ["1"]}, {"zone": "line", "components": ["3", "4"]},
        ]


def test_both_engines_observe_the_same(start: Pair) -> None:
    assert len(walk(start, Random(1).randrange, 60)) > 50
