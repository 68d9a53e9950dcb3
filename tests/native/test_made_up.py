"""Rulebooks made up at random: whatever they say, both engines make the same of it."""

from __future__ import annotations

from contextlib import suppress

import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.native.flow.engine import compile_engine
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import program
from tests.native.both import differences, quick_engine
from tests.native.fuzzing import look_at_many
from tests.native.made_up import made_up

GAMES = 40


def table(number: int) -> Table:
    return set_up_table(program(made_up(number), "2..3"), 2 + number % 2, {})


@pytest.mark.parametrize("number", range(8))
def test_the_same_of_a_rulebook_made_up(number: int) -> None:
    made = table(number)
    assert differences(made, GAMES, seed=number, engine=quick_engine(made), limit=200) == []


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(5))
def test_the_same_of_many(hundred: int) -> None:
    for number in range(8 + 100 * hundred, 108 + 100 * hundred):
        made = table(number)
        with suppress(CannotCompile):  # few are refused
            engine = compile_engine(made)
            assert differences(made, GAMES, seed=number, engine=engine, limit=1000) == [], f"rulebook {number}"


def test_none_of_some_brings_the_process_down() -> None:
    found = look_at_many(0, 12)
    assert found.wrong == []
    assert found.counts["made up"] == 12


@pytest.mark.long
@pytest.mark.parametrize("thousand", range(20))
def test_none_of_twenty_thousand_brings_the_process_down(thousand: int) -> None:
    found = look_at_many(1000 * (thousand + 1), 1000)
    assert found.wrong == []
    assert found.counts["made up"] == 1000
