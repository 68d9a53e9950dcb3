"""Trees counted level by level in machine code: the same counts as the reference, node for node."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.interpreter.native.form import CannotCompile
from rulesrun.interpreter.native.positions import positions_for
from rulesrun.interpreter.native.tree_levels import count_levels
from rulesrun.interpreter.table import Table, set_up
from rulesrun.interpreter.tree import count_tree
from rulesrun.loading import read_rules
from tests.interpreter.made import table

MOST = 2_500_000


def bundled(name: str, players: int, options: dict[str, Any]) -> Table:
    program = read_rules(name).program
    assert program is not None
    return set_up(program, players, options)


def compared(rules: Table) -> None:
    ours, theirs = count_levels(positions_for(rules), MOST), count_tree(rules)
    assert ours is not None
    for name in ("decisions", "chance", "together", "terminals", "max_depth", "information_sets", "expected_scores"):
        assert getattr(ours, name) == getattr(theirs, name), name


@pytest.mark.parametrize(("name", "players", "options"), [
    ("classics/kuhn", 2, {}), ("classics/kuhn", 3, {}), ("classics/leduc", 2, {}),
    ("classics/goofspiel", 2, {"cards": 4, "prizes": "descending"}), ("classics/goofspiel", 2, {"cards": 3}),
    ("classics/goofspiel", 3, {"cards": 3, "last_by_itself": "no"}),
    ("classics/pig", 2, {"die": 2, "target": 4, "length": 6}), ("classics/nim", 2, {"heaps": "{2, 3}"}),
    ("classics/rock_paper_scissors", 2, {"throws": 2}),
])
def test_the_same_counts(name: str, players: int, options: dict[str, Any]) -> None:
    compared(bundled(name, players, options))


def test_the_whole_tree_of_a_board() -> None:
    found = count_levels(positions_for(bundled("classics/tic_tac_toe", 2, {})), MOST)
    assert found is not None
    assert (found.histories, found.decisions, found.terminals) == (549_946, 294_778, 255_168)
    assert found.information_sets == {1: 180_361, 2: 114_417}
    assert found.expected_scores == {1: Fraction(187, 630), 2: Fraction(-187, 630)}


SECRETS = """
values Colour: red, blue
card Card: colour Colour, rank 1..2, 2 of each
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone line: row of Card, public
number mark of player: 0..3 = 0, private
number hint: 0..2 = 0
setup
  shuffle all Card into stock
  deal 1 from stock to each hand
phase play: one turn each from 1
  choose lay, whisper or note
phase together
  all choose note where mark = 0
action lay(card from hand)
  move card to line
action whisper(value in 1..2), secret
  mark becomes value
action note(value in 1..2)
  needs value > hint
  hint becomes 1
  mark becomes 3
score at end
  points = mark + (sum of rank over hand) * (if line is empty then 1 else rank of top of line)
"""


def test_secret_choices_equal_components_and_private_numbers() -> None:
    compared(table(SECRETS.replace("note where", "note or whisper where")))


def test_more_histories_than_are_wanted() -> None:
    assert count_levels(positions_for(bundled("classics/leduc", 2, {})), 100) is None


def test_what_is_shown_is_left_to_the_reference() -> None:
    with pytest.raises(CannotCompile, match="shown"):
        count_levels(positions_for(table(SECRETS.replace("  mark becomes 3", "  show hand").replace(
            "note where", "note or whisper where"))), MOST)
