"""A zone with a limit that is given more than it can hold: a fault, at the same statement in both engines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.step import begin_game, next_step
from rulesrun.interpreter.reference.table import Table
from tests.interpreter.made import table
from tests.native.both import differences, quick_engine, quick_positions

ZONES = """
card Card: rank 1..7
zone stock: pile of Card, hidden
zone reserve: pile of Card, hidden, up to {limit}
zone few: set of Card, hidden, up to {limit}
zone heap: pile of Card, public
setup
  shuffle all Card into stock
  draw 2 from stock to heap
"""
PLAY = """
phase play: one turn each from 1
  choose rest
action rest
score at end
  points = count of reserve
ranking: highest total, ties share
"""
DRAWN, RESTS = 2, 2  # answers before the line that is tried, and after it
FIVE, SEVEN = 5, 7  # in the stock after two were drawn; all of them
GIVEN = {  # and how many there would be
    "a shuffled pile on it": ("  move all stock to reserve", FIVE),
    "a shuffled pile under it": ("  move all stock to bottom of reserve", FIVE),
    "with known ones on top": ("  move all heap to stock\n  move all stock to reserve", SEVEN),
    "with known ones at the bottom": ("  move all heap to bottom of stock\n  move all stock to reserve", SEVEN),
    "on what lies there": ("  move all heap to reserve\n  move all stock to reserve", SEVEN),
    "under what lies there": ("  move all heap to reserve\n  move all stock to bottom of reserve", SEVEN),
    "a pile mixed in": ("  shuffle stock into reserve", FIVE),
    "mixed with what lies there": ("  move all heap to reserve\n  shuffle stock into reserve", SEVEN),
    "everything mixed in": ("  shuffle all Card into reserve", SEVEN),
    "more mixed in after the others": ("  move all stock to reserve\n  shuffle heap into reserve", SEVEN),
    "drawn one by one": ("  draw 4 from stock to reserve", 4),
    "into a set": ("  shuffle stock into few", FIVE),
    "everything into a set": ("  shuffle all Card into few", SEVEN),
}


def made(given: str, limit: int) -> Table:
    return table(ZONES.format(limit=limit) + given + "\n" + PLAY)


def ends(begin: Callable[[], Any], go_on: Callable[[Any], Any], most: int) -> tuple[int, str | None]:
    """The answer with which the game gets stuck, and why; else the one with which it is over."""
    answers, state = 0, begin().state
    try:
        while answers < most:
            answers += 1
            state = go_on(state).state
    except Fault as fault:
        return answers, fault.diagnostic.code
    return answers, None


@pytest.mark.parametrize("room", [-1, 0])
@pytest.mark.parametrize("given", GIVEN)
def test_a_zone_that_cannot_hold_them_is_a_fault(given: str, room: int) -> None:
    line, amount = GIVEN[given]
    rules = made(line, amount + room)
    positions, last = quick_positions(rules), DRAWN + (amount if line.startswith("  draw") else 0)
    most = last + RESTS
    found = ends(lambda: begin_game(rules), lambda state: next_step(rules, state, 0), most)
    assert found == ((last, "zone-full") if room < 0 else (most, None))
    assert ends(positions.begin_game, lambda state: positions.next_step(state, 0), most) == found
    assert differences(rules, 10, engine=quick_engine(rules)) == []
