"""Smaller tables that are proposed: they are rules, games end there, and what the game is about still happens."""

from __future__ import annotations

from itertools import islice

import pytest

from rulesrun.dsl import ast
from rulesrun.dsl.contents.small_tables import find_dimensions, make_proposal
from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import read_rules
from rulesrun.interpreter.explore.growing import GAMES, grow_tables, try_table
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.exploring.made import program_of

SEVENS = """rules 1
game "Sevens"
players 2
values Colour: red, blue, green, black
card Card: colour Colour, rank 1..9
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
setup
  shuffle all Card into stock
  deal 7 from stock to each hand
phase play: one turn each from 1
  choose show_off or pass
action show_off
  needs many because "it takes five of a colour"
  show hand
action pass
define many = some c in Colour has (count of hand where colour = c) >= 5
score at end
  points = count of hand
ranking: highest total, ties share
"""


def seat(program: Program) -> Table | None:
    try:
        return set_up_table(program, 2, {})
    except RefusedTable:
        return None


def actions(table: Table) -> set[str]:
    numbers = [one for one in try_table(table).reached if isinstance(one, int)]
    return {table.bench.actions[number].name.text for number in numbers}


def test_what_may_be_smaller() -> None:
    assert {one.name: (one.least, one.whole) for one in find_dimensions(program_of(SEVENS))} == {
        "values Colour": (2, 4), "rank of Card": (2, 9), "deals of the setup": (1, 7), "5 in many": (2, 5),
    }


def test_a_size_is_said_as_it_would_be_written() -> None:
    program = program_of(SEVENS)
    made = make_proposal(program, 2, {"values Colour": 3, "rank of Card": 4, "deals of the setup": 2, "5 in many": 2})
    assert made is not None
    assert made.shrunk == (
        "values Colour: red, blue, green", "card Card: rank 1..4", "deals in the setup: 2 at most",
        "define many: 2 instead of 5",
    )
    table = seat(made.program)
    assert table is not None
    assert len(table.bench.kinds[id(table.bench.declarations(ast.Components)[0])].all_components()) == 12
    assert make_proposal(program, 2, {}) is None


def test_a_table_grows_until_the_rare_happens() -> None:
    (smallest, *others) = islice(grow_tables(program_of(SEVENS), 2, seat), 3)
    assert smallest.sizes["deals of the setup"] == 1  # nobody has two of a colour
    first, second = seat(smallest.program), seat(others[0].program)
    assert first is not None
    assert second is not None
    assert actions(first) == {"pass"}
    assert actions(second) == {"pass", "show_off"}
    assert try_table(second).finished == GAMES


@pytest.mark.parametrize(("name", "action"), [("zero", "zero"), ("hourglass", "capture"), ("collection", "play")])
def test_of_bundled_games_what_they_are_about_is_kept(name: str, action: str) -> None:
    program = read_rules(name).program
    assert program is not None
    tables = [seat(one.program) for one in islice(grow_tables(program, 2, seat), 3)]
    assert any(action in actions(table) for table in tables if table is not None)
