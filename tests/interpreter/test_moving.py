"""Moving components, assigning values, remembering positions: what each statement changes."""

from __future__ import annotations

from typing import Any

import pytest

from rulesrun.dsl import ast
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.saved_positions import state_to_json
from rulesrun.interpreter.play.step import next_state, start_state
from rulesrun.interpreter.reference.table import set_up_table
from tests.interpreter.made import FLOW, first_options, over, program, table

PIECES = """
values Colour: red, blue
card Card: colour Colour, rank 1..3
token Token: colour Colour, 3 of each
zone stock: pile of Card, hidden
zone board: row of Card, public
zone sorted_board: row of Card, public, sorted by rank
zone spot: place of Card, public
zone hand of player: set of Card, private
zone pool: set of Token, public
zone prize of player: set of Token, public
zone column[Colour]: row of Card, public
number level: 0..5 = 2
number held: 0..5 = 2, clamped
marker layout: order of 1..3
"""


def after(setup: str) -> dict[str, Any]:
    made = table(f"{PIECES}\nsetup\n{setup}\n{FLOW}")
    return state_to_json(made, start_state(made))


@pytest.mark.parametrize(
    ("setup", "zone", "content"),
    [
        ("  move all Card where colour = red to board", "board", ["red-1", "red-2", "red-3"]),
        ("  move all Card where colour = red to board in reverse order of rank", "board", ["red-3", "red-2", "red-1"]),
        (
            "  move all Card where rank = 1 to stock\n  move all Card where rank = 2 to bottom of stock",
            "stock", ["blue-2", "red-2", "red-1", "blue-1"],
        ),
        (
            "  move all Card where rank = 1 to stock\n  move all Card where rank = 2 to top of stock",
            "stock", ["red-1", "blue-1", "red-2", "blue-2"],
        ),
        (
            "  move all Card where rank = 3 to sorted_board\n  move all Card where rank = 1 to sorted_board",
            "sorted_board", ["red-1", "blue-1", "red-3", "blue-3"],
        ),
        ("  shuffle all Card into stock", "stock", [["red-1", "red-2", "red-3", "blue-1", "blue-2", "blue-3"]]),
        (
            "  move all Card where rank > 1 to board\n  move all board where rank = 2 to hand of 2\n"
            "  move first of board to spot",
            "board", ["blue-3"],
        ),
        ("  move all Card where rank = 2 to board\n  move top of board to spot", "spot", ["blue-2"]),
        (
            "  move all Token to pool\n  move 2 of (pool where colour = blue) to prize of 2",
            "prize[2]", ["blue", "blue"],
        ),
        (
            "  each c in Colour\n    move all Card where colour = c and rank = 1 to column[c]",
            "column[blue]", ["blue-1"],
        ),
        ("  each player\n    move all Card where rank = 3 to hand", "hand[2]", ["red-3", "blue-3"]),
        ("  move all board to spot", "spot", []),
    ],
)
def test_what_lies_where(setup: str, zone: str, content: list[Any]) -> None:
    assert after(setup)["zones"][zone] == content


@pytest.mark.parametrize(
    ("setup", "code"),
    [
        ("  move all Card where rank = 1 to spot", "zone-full"),
        ("  move all Token to pool\n  move 2 of pool to prize of 1", "not-alike"),
        ("  move all Token where colour = red to pool\n  move (level + 2) of pool to prize of 1", "too-few"),
        ("  repeat 4 times\n    level increases by 1", "leaves-range"),
        ("  repeat 3 times\n    level decreases by 1", "leaves-range"),
    ],
)
def test_what_cannot_be_done_is_a_fault(setup: str, code: str) -> None:
    with pytest.raises(Fault) as found:
        after(setup)
    assert found.value.diagnostic.code == code
    assert found.value.diagnostic.span.file == "made.rules"


@pytest.mark.parametrize(
    "lines", ["move all stock to few", "move all stock to bottom of few", "shuffle stock into few"]
)
def test_a_shuffled_pile_is_not_put_where_it_has_no_room(lines: str) -> None:
    pile = f"{PIECES}\nzone few: pile of Card, hidden, up to 5\nsetup\n  shuffle all Card into stock\n  "
    with pytest.raises(Fault) as found:
        start_state(table(f"{pile}{lines}\n{FLOW}"))
    assert found.value.diagnostic.code == "zone-full"
    assert "`few` holds at most 5, not 6" in found.value.diagnostic.message
    start_state(table(f"{pile}{lines}\n{FLOW}".replace("up to 5", "up to 6")))


def test_a_draw_that_is_left_out_names_nothing() -> None:
    lines = "setup\n  shuffle all Card into stock\n  draw 1 from stock to board as new\n  move new to spot"
    made = program(f"{PIECES}\n{lines}\n{FLOW}")
    draw = next(one for one in made.game.declarations if isinstance(one, ast.Setup)).body[1]
    without = set_up_table(made, 2, {}, left_out={id(draw)})
    with pytest.raises(Fault) as found:
        start_state(without)
    assert found.value.diagnostic.code == "nothing-used"


def test_a_clamped_number_stops_at_its_bounds() -> None:
    assert after("  held increases by 9")["variables"]["held"] == 5
    assert after("  held increases by 9\n  held decreases by 4\n  held decreases by 4")["variables"]["held"] == 0


MEMORY = """
rounds 2
number place_of_stone: 0..2 = 0, each round
memory seen, each round
phase play: turns from 1
  record place_of_stone in seen
  if times(seen) = 3
    end round
  choose step_on or wait
action step_on
  place_of_stone becomes (place_of_stone + 1) mod 3
action wait
score each round
  points = place_of_stone
ranking: highest total, ties share
"""


def test_a_memory_counts_positions_and_forgets_them_each_round() -> None:
    made = table(MEMORY)
    state = start_state(made)
    for answer in (0, 0, 0, 1, 0, 1, 1):
        # 0 1 2 0 0 (the third time), and in the next round 0 1 1 1
        assert first_options(made, state) == [("step_on",), ("wait",)]
        state = next_state(made, state, answer)
    assert over(made, state).scores == {1: 1, 2: 1}


def test_several_chosen_at_once_are_moved_together() -> None:
    made = table("""
card Card: rank 1..4
zone hand of player: set of Card, private
zone heap: pile of Card, public
setup
  each player from 2
    move all Card to hand
phase play
  choose lay
action lay(2..3 cards from hand)
  needs sum of rank over cards = 6
  move all cards to heap
score at end
  points = count of hand
ranking: highest total, ties share
""")
    state = start_state(made)
    assert first_options(made, state) == [("lay", ["2", "4"]), ("lay", ["1", "2", "3"])]
    assert state_to_json(made, next_state(made, state, 1))["zones"]["heap"] == ["1", "2", "3"]
