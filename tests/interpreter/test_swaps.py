"""`swap A with B`: all that lies in one zone and all that lies in another change places, both taken up at once.

What equal cards do that somebody remembers is in `tests.orders`, beside plain lists.
"""

from __future__ import annotations

from typing import Any

import pytest

from rulesrun.dsl.check import check_game
from rulesrun.dsl.format.format import format_file
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.variants.extend import assemble_game
from rulesrun.interpreter.explore.breadth_first import explore_table
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.saved_positions import state_to_json
from rulesrun.interpreter.play.step import start_state
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.symmetries import find_symmetry_group
from tests.interpreter.made import FLOW, table

PIECES = """
values Colour: red, blue
card Card: colour Colour, rank 1..3
token Token: colour Colour, 3 of each
zone stock: pile of Card, hidden
zone heap: pile of Card, public
zone board: row of Card, public
zone tidy: row of Card, public, sorted by rank
zone spot: place of Card, public
zone hand of player: set of Card, private
zone pool: set of Token, public
zone cell[0..3]: row of Card, public
"""
RED = ["red-1", "red-2", "red-3"]
BLUE = ["blue-1", "blue-2", "blue-3"]


def after(setup: str) -> dict[str, Any]:
    made = table(f"{PIECES}\nsetup\n{setup}\n{FLOW}")
    found: dict[str, Any] = state_to_json(made, start_state(made))
    return found


@pytest.mark.parametrize(("setup", "zones"), [
    ("  move all Card where colour = red to board\n  move all Card where colour = blue to heap\n"
     "  swap board with heap", {"board": BLUE, "heap": RED}),
    ("  move all Card where colour = red to board in reverse order of rank\n  swap board with heap",
     {"board": [], "heap": RED[::-1]}),
    ("  move all Card where colour = red to board in reverse order of rank\n  swap board with tidy",
     {"board": [], "tidy": RED}),
    ("  move all Card where colour = red to board\n  swap board with board", {"board": RED}),
    ("  move all Card where colour = red to hand of 1\n  move all Card where rank = 1 to hand of 2\n"
     "  swap hand of 1 with hand of 2", {"hand[1]": ["red-1", "blue-1"], "hand[2]": ["red-2", "red-3"]}),
    ("  shuffle all (Card where colour = red) into stock\n  move all Card where colour = blue to heap\n"
     "  swap stock with heap", {"stock": BLUE, "heap": [RED]}),
    ("  move all Card where rank = 3 to board\n  move first of board to spot\n  move all Card where rank = 1 to board\n"
     "  swap board with spot\n", None),
])  # fmt: skip
def test_what_lies_there_afterwards(setup: str, zones: dict[str, Any] | None) -> None:
    if zones is None:
        with pytest.raises(Fault, match="zone-full"):
            after(setup)
        return
    found = after(setup)
    assert {name: found["zones"][name] for name in zones} == zones


def test_which_places_are_meant_is_settled_before_anything_is_taken_up() -> None:
    """Three lie on the board: that place is meant, though none lies there any more when its own is taken up."""
    setup = "  move all Card where colour = red to board\n  move all Card where colour = blue to cell[3]\n"
    for line in ("swap board with cell[count of board]", "swap cell[count of board] with board"):
        found = after(f"{setup}  {line}\n")["zones"]
        assert (found["board"], found["cell[3]"], found["cell[0]"]) == (BLUE, RED, [])


@pytest.mark.parametrize(("line", "code"), [
    ("swap board with pool", "wrong-zone-component"), ("swap first of board with board", "not-a-zone"),
    ("swap board with level", "not-a-zone"),
])  # fmt: skip
def test_only_zones_of_the_same_components_change_places(line: str, code: str) -> None:
    text = f'rules 1\ngame "Made"\nplayers 2\n{PIECES}number level: 0..5\nsetup\n  {line}\n{FLOW}'
    source = Source("made.rules", text)
    found = check_game(assemble_game("made.rules", [(source, parse_source(source))]).game, (source,))
    assert not isinstance(found, Program)
    assert code in {one.code for one in found.diagnostics}


def test_how_it_is_laid_out() -> None:
    text = f'rules 1\ngame "Made"\nplayers 2\n{PIECES}\nsetup\n  swap   board   with cell[ 2 ]\n{FLOW}'
    source = Source("made.rules", text)
    assert "\n  swap board with cell[2]\n" in format_file(source, parse_source(source))


CELLS = """
values Colour: red, blue, green
card Card: colour Colour, 1 of each
zone stock: pile of Card, hidden
zone cell[1..3]: place of Card, public
number done: 0..2 = 0
setup
  shuffle all Card into stock
  draw 1 from stock to cell[1]
  draw 1 from stock to cell[2]
  draw 1 from stock to cell[3]
phase play: turns from 1 until done = 2
  choose exchange
action exchange(i in 1..3, j in 1..3)
  swap cell[i] with cell[j]
  done increases by 1
score at end
  points = done
ranking: highest total, ties share
"""


def cells() -> Table:
    return table(CELLS, 2)


def test_positions_that_differ_by_colours_are_one() -> None:
    """Three cards in three cells: six arrangements, before the first exchange and before the second; the colours may
    be exchanged, so that each time they are one."""
    made = cells()
    plain, merged = explore_table(made), explore_table(made, group=find_symmetry_group(made))
    assert plain.decisions == 6 + 6
    assert merged.decisions == 1 + 1
    assert merged.whole == plain.size


def test_machine_code_comes_to_the_same_positions() -> None:
    pytest.importorskip("llvmlite")
    from tests.native.explored import differences

    assert differences(cells(), 1_000, merges=True) == []
