"""Options whose value is a word or a seat."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.step import PlayerDecision, pending, start
from rulesrun.interpreter.values import RefusedTable
from tests.interpreter.made import table

WHO_BEGINS = """option first: anybody, seat or player = anybody
setup
  starter becomes seat(first)
phase talk: one turn each from starter
  choose speak
action speak
"""


@pytest.mark.parametrize(("value", "seat"), [("anybody", 1), ("seat", 1), (3, 3), ("2", 2)])
def test_a_seat_or_a_word(value: object, seat: int) -> None:
    seats = table(WHO_BEGINS, 3, first=value)
    decision = pending(seats, start(seats))
    assert isinstance(decision, PlayerDecision)
    assert decision.player == seat
    assert seats.options["first"] == (int(str(value)) if str(value).isdigit() else value)


@pytest.mark.parametrize("value", [0, 4, "player", -1])
def test_no_such_seat(value: object) -> None:
    with pytest.raises(RefusedTable):
        table(WHO_BEGINS, 3, first=value)
