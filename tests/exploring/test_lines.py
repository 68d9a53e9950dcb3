"""Lines picked by lot: what is merged adds up to what is found one by one, and the same is found."""

from __future__ import annotations

import pytest

from rulesrun.files.loading import read_text
from rulesrun.interpreter.explore.breadth_first import Explored, explore_table
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.symmetry.symmetries import find_symmetry_group
from tests.exploring.made import merged, plainly, table_of
from tests.exploring.made_lines import LineMaker

MOST = 4_000

LOOKED_AT = """rules 1
game "Looked at"
players 2
values Colour: red, blue
card Card: colour Colour, rank 1..2
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: set of Card, public
number again: 0..1 = 0
setup
  shuffle all Card into stock
  deal 1 from stock to each hand
phase play: turns from starter until stock is empty
  choose take or reset
action take
  draw 1 from stock to hand
action reset
  needs again = 0
  again becomes 1
  move all Card to stock
  {line}
  shuffle stock
score at end
  points = count of hand
ranking: highest total, ties share
"""


@pytest.mark.parametrize("line", [
    "move top of stock to heap",
    "move bottom of stock to heap",
    "each c in stock where position(c, stock) = 1\n    move c to heap",
    "move first of stock to heap\n  again becomes 1",
    "do look_below\n\nstep look_below\n  move first of stock to heap",
])
def test_a_pile_that_is_looked_at_before_it_is_shuffled_has_an_order(line: str) -> None:
    """The words were put down in their order: what lies on top tells them apart."""
    table = table_of(LOOKED_AT.replace("{line}", line))
    assert merged(table).whole == len(plainly(table).keys)


def test_the_pile_that_was_shuffled_is_no_other() -> None:
    text = LOOKED_AT.replace("zone stock: pile of Card, hidden", "zone stock: pile of Card, hidden\n"
                             "zone box of player: pile of Card, hidden").replace("{line}", "")
    text = text.replace("move all Card to stock", "move all Card to box of 1\n  shuffle box of 2\n"
                        "  move top of box of 1 to heap\n  move all box of 1 to stock")
    table = table_of(text)
    assert merged(table).whole == len(plainly(table).keys)


def make_table(seed: int) -> Table | None:
    text = LineMaker(seed).game()
    program = read_text(text, "made.rules").program
    return set_up_table(program, 2 if "players 2\n" in text else 3, {}) if program is not None else None


def kinds_found(explored: Explored) -> set[str]:
    return {type(one).__name__ for one in explored.findings}


def compare(seed: int) -> None:
    table = make_table(seed)
    group = find_symmetry_group(table) if table is not None else None
    if table is None or group is None or not group.members:
        return
    apart = explore_table(table, MOST)
    if len(apart.keys) < MOST:
        together = explore_table(table, MOST, group=group)
        assert together.whole == len(apart.keys), LineMaker(seed).game()
        assert kinds_found(together) == kinds_found(apart), LineMaker(seed).game()


@pytest.mark.parametrize("seed", range(60))
def test_what_is_merged_adds_up(seed: int) -> None:
    compare(seed)


@pytest.mark.long
def test_what_is_merged_adds_up_in_many_games() -> None:
    for seed in range(60, 3_000):
        compare(seed)
