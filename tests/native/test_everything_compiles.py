"""Rules that once were left to the reference: they become machine code, and both engines make the same of them."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import table as small_table
from tests.native.both import differences, quick_engine
from tests.native.explored import differences as differences_explored

RULES = Path(__file__).parent / "rules"
TABLES: dict[str, list[tuple[int, dict[str, int]]]] = {
    "lines_of_boards": [(2, {})],
    "pairs_of_places": [(2, {})],
    "markers_of_places": [(2, {})],
    "define_in_where": [(2, {"kinds": 3}), (2, {"kinds": 1})],
    "set_of_sets": [(1, {})],
    "order_or_nothing": [(2, {})],
    "table_of_orders": [(2, {})],
    "sorted_pile": [(1, {}), (2, {"copies": 1}), (2, {"copies": 3})],
    "position_of_type": [(2, {"kinds": 8}), (3, {"kinds": 3, "copies": 2}), (6, {})],
}


def table(name: str, players: int, options: dict[str, int]) -> Table:
    program = read_rules(str(RULES / f"{name}.rules")).program
    assert program is not None
    return set_up_table(program, players, options)


@pytest.mark.parametrize("name", TABLES)
def test_machine_code_plays_the_games_of_the_reference(name: str) -> None:
    for players, options in TABLES[name]:
        made = table(name, players, options)
        assert differences(made, 40, engine=quick_engine(made)) == []


# Nobody holds a card that could be compared with the top of an empty pile.
NOTHING_TO_COMPARE = """
card Card: suit Suit, rank 1..4
values Suit: red, blue
zone stock: pile of Card, hidden
zone hand of player: set of Card, public
zone heap: pile of Card, public
number seen: 0..9 = 0
setup
  shuffle all Card into stock
phase play: turns from 1, at most 4 turns
  choose lay or wait
  draw up to 1 from stock to hand of 1
action lay(card from hand)
  needs rank of card > 1 or rank of card = rank of top of heap
  move card to stock
action wait
  if some c in hand where rank > 3 has CONDITION
    seen increases by 1
  seen increases by count of (hand where CONDITION)
score at end
  points = seen
ranking: highest total, ties share
"""


@pytest.mark.parametrize("condition", [
    "rank > rank of top of heap", "rank of top of heap > 2", "suit = suit of top of heap",
    "(rank = 2 and suit = suit of top of heap)",
])
def test_what_might_go_wrong_is_asked_where_there_is_something_to_ask_it_of(condition: str) -> None:
    """And then it goes wrong on both engines."""
    text = NOTHING_TO_COMPARE.replace("CONDITION", condition)
    for whose in ("hand of 1", "hand of 2"):
        made = small_table(text.replace("hand of 1\n", f"{whose}\n"), 2)
        assert differences(made, 40, engine=quick_engine(made)) == []
        assert differences_explored(made, 500) == []
