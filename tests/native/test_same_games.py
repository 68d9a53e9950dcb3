"""Every bundled rulebook, with its options and numbers of players: machine code plays the reference's games.

`python -m tests.native.same_games` plays two thousand games of every table.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

pytest.importorskip("llvmlite")

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.native.flow.engine import compile_engine
from rulesrun.interpreter.native.positions.positions import compile_positions
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import table
from tests.native.both import differences
from tests.native.bundled import TABLES, bundled
from tests.native.same_games import REFERENCE, ROOT, all_tables, sources, table_of
from tests.native.twins import Twins

SHORT, LONG = 25, 2000
FEW, MANY = 5, 300  # games of each table

@pytest.mark.parametrize(("name", "players", "options"), TABLES)
def test_the_same_findings(name: str, players: int, options: dict[str, Any]) -> None:
    program = read_rules(name).program
    assert program is not None
    assert differences(set_up_table(program, players, options), SHORT, seed=3) == []


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "options"), TABLES)
def test_the_same_findings_for_long(name: str, players: int, options: dict[str, Any]) -> None:
    program = read_rules(name).program
    assert program is not None
    assert differences(set_up_table(program, players, options), LONG, seed=11) == []


@pytest.mark.parametrize("at", range(len(TABLES)))
def test_event_by_event(at: int) -> None:
    twins = Twins(*bundled(at))
    assert [twins.game(seed) for seed in range(FEW)] == [None] * FEW
    assert twins.events > FEW


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "options"), list(all_tables()))
def test_event_by_event_for_long(name: str, players: int, options: dict[str, Any]) -> None:
    made = table_of(name, players, options)
    if made is not None:
        twins = Twins(made, compile_positions(made), compile_engine(made))
        assert [twins.game(seed) for seed in range(MANY)] == [None] * MANY


# ---- a difference is found wherever it is

RULES = """
values Colour: red, blue
card Card: colour Colour, rank 1..4
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: row of Card, public
number sum_so_far of player: 0..99 = 0
marker last: Colour or nothing
number die: 1..6
setup
  shuffle all Card into stock
  deal 3 from stock to each hand
phase play: turns from 1 until no p in players has hand of p is not empty
  choose lay or keep
  roll die
action lay(given from hand, times in 1..2)
  needs rank of given <= 4
  sum_so_far increases by times
  last becomes colour of given
  move given to heap
action keep
  move top of heap to stock
  move all hand to heap in order of rank
score at end
  points = sum_so_far
ranking: highest total, ties share
""".replace("  move top of heap to stock\n", "")


@cache
def reference() -> Table:
    return table(RULES)


def test_rules_are_like_themselves() -> None:
    made = reference()
    twins = Twins(made, compile_positions(made), compile_engine(made))
    assert [twins.game(seed) for seed in range(40)] == [None] * 40


@pytest.mark.parametrize(("right", "wrong", "said"), [
    ("deal 3 from", "deal 2 from", "where"),
    ("each hand\n", "each hand\n  draw 1 from stock to heap\n", "question"),
    ("rank of given <= 4", "rank of given <= 3", "options"),
    ("times in 1..2", "times in 1..3", "options"),
    ("increases by times", "increases by 1", "`sum_so_far`"),
    ("last becomes colour of given\n", "last becomes red\n", "`last`"),
    ("move given to heap", "move given to bottom of heap", "`heap`"),
    ("in order of rank", "in reverse order of rank", "`heap`"),
    ("turns from 1", "turns from 2", "player"),
    ("points = sum_so_far", "points = sum_so_far + 1", "points"),
    ("highest total", "lowest total", "the end"),
])
def test_a_difference_is_found(right: str, wrong: str, said: str) -> None:
    """Machine code of other rules beside the reference of these."""
    assert right in RULES
    made = reference()
    twins = Twins(made, compile_positions(table(RULES.replace(right, wrong))))
    found = [one for seed in range(40) if (one := twins.game(seed)) is not None]
    assert found
    assert said in found[0]


@pytest.mark.parametrize(("right", "wrong"), [
    ("roll die", "roll die with chances 1, 2, 1, 1, 1, 1"),
    ("increases by times", "increases by 1"),
    ("times in 1..2", "times in 1..3"),
    ("move given to heap", "move given to bottom of heap"),
    ("points = sum_so_far", "points = sum_so_far + 1"),
    ("highest total", "lowest total"),
])
def test_a_difference_is_found_where_machine_code_plays_alone(right: str, wrong: str) -> None:
    made = reference()
    twins = Twins(made, compile_positions(made), compile_engine(table(RULES.replace(right, wrong))))
    assert any(twins.game(seed) is not None for seed in range(40))


RECORDS = """
memory positions
number n: 0..9 = 0
phase play: repeat 1100 times
  record n in positions
  choose next
action next
  n becomes (n + 1) mod 10
score at end
  points = times(positions)
ranking: highest total, ties share
"""


def test_a_bound_of_machine_code_alone_leaves_the_game_to_the_reference() -> None:
    made = table(RECORDS)
    twins = Twins(made, compile_positions(made), compile_engine(made))
    assert twins.game(0) is None
    assert twins.told == 1
    assert 1000 < twins.events < 1100


def test_what_was_compared_is_known_again_by_all_that_has_a_say() -> None:
    assert len(sources()) == 64
    assert all(list((ROOT / "interpreter" / folder).glob("*.py")) for folder in REFERENCE)
