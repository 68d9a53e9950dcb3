"""A small table proves nothing of rules that none of its positions reaches: that is said, not "everything holds"."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.command_line import run_here

GAME = """rules 1
game "Steps"
players 2
card Card: rank 1..9
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
setup
  shuffle all Card into stock
  deal 4 from stock to each hand
phase play: repeat 4 times
  one turn each from 1
    choose lay or leap, always possible
action lay(given from hand)
  move given to heap
action leap(given from hand)
  needs rank of given >= 4
  move given to heap
score at end
  points = count of heap
ranking: highest total, ties share
small "two cards"
  card Card: rank 1..2
  setup
    shuffle all Card into stock
    deal 1 from stock to each hand
  phase play: repeat 1 times
"""
LARGER = GAME + 'small "five cards"\n' + GAME.partition('small "two cards"\n')[2].replace("1..2", "1..5")
VARIANT = """rules 1
variant "Leaps cost" of "steps.rules"
number cost: 0..9 = 0
change action leap(given from hand)
  needs rank of given >= 4
  move given to heap
  cost increases by 1
"""


def explored(folder: Path, name: str, *more: str) -> CompletedProcess[str]:
    return run_here("explore", name, "--engine", "reference", *more, folder=folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "steps.rules").write_text(GAME, "utf-8")
    return tmp_path


def test_what_no_small_table_reaches_is_said(folder: Path) -> None:
    done = explored(folder, "steps.rules")
    assert done.returncode == 0
    assert "everything holds" not in done.stdout
    assert "not proved" in done.stdout
    assert "action leap (line 16)" in done.stdout
    told = json.loads(explored(folder, "steps.rules", "--json").stdout)
    assert [(one["kind"], one["name"]) for one in told["not_reached"]] == [("action", "leap")]


def test_a_second_table_that_reaches_it_is_enough(folder: Path) -> None:
    (folder / "steps.rules").write_text(LARGER, "utf-8")
    done = explored(folder, "steps.rules")
    assert "everything holds" in done.stdout
    assert "not proved" not in done.stdout


def test_what_a_house_rule_changes_must_be_reached(folder: Path) -> None:
    (folder / "leaps.rules").write_text(VARIANT, "utf-8")
    done = explored(folder, "leaps.rules")
    assert "everything holds" not in done.stdout
    assert "action leap" in done.stdout


def test_a_whole_table_leaves_nothing_open(folder: Path) -> None:
    whole = GAME.partition("small")[0].replace("1..9", "1..3").replace("deal 4", "deal 1")
    (folder / "steps.rules").write_text(whole.replace("repeat 4 times\n  one", "repeat 1 times\n  one"), "utf-8")
    done = explored(folder, "steps.rules")
    assert "never      action leap" in done.stdout
    assert "everything holds" in done.stdout


RARE = GAME.replace("rank 1..9", "rank 1..30").replace("  needs rank of given >= 4\n", "").replace(
    "    choose lay or leap, always possible\n",
    "    choose lay or leap, always possible\n    if count of heap = 9\n      choose finish\n",
).replace("repeat 4 times", "repeat 40 times").replace("deal 4", "deal 15").replace(
    "score at end", "action finish\n  move all heap to hand\nscore at end", 1
)  # fmt: skip
OF_FOUR = """rules 1
variant "Four leap far" of "steps.rules"
change players 2..4
change card Card: rank 1..16
change action leap(given from hand)
  move given to heap
  if players = 4
    move all heap to hand
"""


def test_an_action_that_random_games_do_not_reach_either_is_not_proved(folder: Path) -> None:
    """Nine cards of thirty on the heap: never on a table of two cards."""
    text = RARE.replace("count of heap = 9", "count of heap = 9 and rank of top of heap = 30")
    (folder / "rare.rules").write_text(text, "utf-8")
    done = explored(folder, "rare.rules")
    assert "everything holds" not in done.stdout
    assert "action finish" in done.stdout


def test_lines_for_other_numbers_of_players_are_not_proved(folder: Path) -> None:
    (folder / "four.rules").write_text(OF_FOUR, "utf-8")
    told = json.loads(explored(folder, "four.rules", "--json", "--players", "2").stdout)
    assert ("line", 8) in [(one["kind"], one["line"]) for one in told["not_reached"]]
