"""Places that do not agree with what ranks them are noticed by machine code, and the reference is asked."""

from __future__ import annotations

import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.form.form import binary, number
from rulesrun.interpreter.native.flow import scores
from rulesrun.interpreter.native.flow.engine import compile_engine, simulate
from rulesrun.interpreter.native.layout.machine import Machine
from tests.interpreter.made import table
from tests.native.both import differences

DICE = """
number face of player: 1..6
number again of player: 1..6
setup
  each player
    roll face
    roll again
phase play: one turn each from 1
  choose pass
action pass
score at end
  points = face
ranking: {}, ties share
"""
RANKINGS = (
    "highest total", "lowest total, then highest again",
    "highest (list of (n * face) over n in 1..again), lowest total",
)


@pytest.mark.parametrize("ranking", [*RANKINGS, "highest again when face of 1 > 3, lowest total"])
def test_wrong_places_are_left_to_the_reference(ranking: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = table(DICE.format(ranking), 3)
    assert not differences(made, 60)
    right = scores.assign_places

    def turned_round(machine: Machine, no_ties: bool) -> None:
        right(machine, no_ties)
        place = machine.plan.fields["place"]
        for seat in range(3):
            machine.lines.store(place, binary("sub", number(4), machine.lines.load(place, number(seat))), number(seat))

    monkeypatch.setattr(scores, "assign_places", turned_round)
    wrong = simulate(compile_engine(made), 0, 60, checks=False)
    assert any(places[-1] in {(1,), (2,), (3,)} for places in wrong.places)
    assert not differences(made, 60)  # as soon as somebody looks, those games are played again
