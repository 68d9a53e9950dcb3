"""Options whose value is a word or a seat."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.examples.examples import run_examples
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.play.step import PlayerDecision, pending_decision, start_state
from tests.interpreter.made import program, table

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
    decision = pending_decision(seats, start_state(seats))
    assert isinstance(decision, PlayerDecision)
    assert decision.player == seat
    assert seats.options["first"] == (int(str(value)) if str(value).isdigit() else value)


@pytest.mark.parametrize("value", [0, 4, "player", -1])
def test_no_such_seat(value: object) -> None:
    with pytest.raises(RefusedTable):
        table(WHO_BEGINS, 3, first=value)


def test_a_seat_in_the_rules_themselves() -> None:
    set_in_example = WHO_BEGINS + 'example "the third begins"\n  players 3\n  set first = 3\n  then player = 3\n'
    (result,) = run_examples(program(set_in_example, "3"))
    assert result.verdict == "passed"
    default = table(WHO_BEGINS.replace("= anybody", "= 2"), 3)
    assert default.options["first"] == 2
