"""Rulebooks made up at random: whatever they say, both engines make the same of it."""

from __future__ import annotations

import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.native.engine import engine_for
from rulesrun.interpreter.table import Table, set_up
from tests.interpreter.made import program
from tests.native.both import differences
from tests.native.made_up import made_up

GAMES = 40


def table(number: int) -> Table:
    return set_up(program(made_up(number), "2..3"), 2 + number % 2, {})


@pytest.mark.parametrize("number", range(8))
def test_the_same_of_a_rulebook_made_up(number: int) -> None:
    made = table(number)
    assert differences(made, GAMES, seed=number, engine=engine_for(made)) == []


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(5))
def test_the_same_of_many(hundred: int) -> None:
    for number in range(8 + 100 * hundred, 108 + 100 * hundred):
        made = table(number)
        assert differences(made, GAMES, seed=number, engine=engine_for(made)) == [], f"rulebook {number}"
