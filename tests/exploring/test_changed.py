"""What a house rule says otherwise must be reached by a small table that proves anything of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run_here

GAME = """rules 1
game "Steps"
players 2
card Card: rank 1..9
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
number height: 0..30 = 0
number fines of player: 0..99 = 0
define worth(c Card) = rank of c + 1
define dear(c Card) = rank of c * 2
table bonus(n 1..9): 1: 0, 2: 1, otherwise: 2
setup
  shuffle all Card into stock
  deal 4 from stock to each hand
phase play: repeat 4 times
  one turn each from 1
    choose lay
action lay(given from hand)
  height increases by bonus(rank of given)
  if rank of given > 5
    fines becomes dear(given)
  move given to heap
score at end
  points = sum of worth(c) over c in heap
ranking: highest total, ties share
small "two cards"
  card Card: rank 1..2
  setup
    shuffle all Card into stock
    deal 1 from stock to each hand
  phase play: repeat 1 times
"""
# what the variant says, what of it no position of the small table can tell about
CHANGES = {
    "a definition that is asked for": ("change define worth(c Card) = rank of c + 2", []),
    "one that only high cards ask for": ("change define dear(c Card) = rank of c * 3", [("define", "dear")]),
    "an entry that is looked up": ("change table bonus(n 1..9): 1: 0, 2: 2, otherwise: 2", []),
    "one that is not": ("change table bonus(n 1..9): 1: 0, 2: 1, otherwise: 3", [("entry", "3 of bonus")]),
    "a range whose end is never met": ("change number height: 0..40 = 0", [("number", "height")]),
    "a range whose end is met": ("change number height: 0..1 = 0", []),
    "where a number begins": ("change number height: 0..30 = 1", []),
    "a kind that the small table replaces": ("change card Card: rank 1..8", [("component", "Card")]),
    "a zone where nothing ever lies": ("add zone spare: set of Card, public", [("zone", "spare")]),
    "what the game is called": ('words ru\n  lay: "положить"', []),
}  # fmt: skip


def explored(folder: Path, change: str, *more: str) -> str:
    (folder / "steps.rules").write_text(GAME, "utf-8")
    change = change.removeprefix("add ")
    (folder / "own.rules").write_text(f'rules 1\nvariant "Own" of "steps.rules"\n{change}\n', "utf-8")
    done = run_here("explore", "own.rules", "--engine", "reference", "--players", "2", *more, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_house_rule_changes_is_reached_or_not_proved(tmp_path: Path, name: str) -> None:
    change, expected = CHANGES[name]
    told = json.loads(explored(tmp_path, change, "--json"))["not_reached"]
    unchanged = json.loads(explored(tmp_path, "", "--json"))["not_reached"]
    assert [(one["kind"], one["name"]) for one in told if one not in unchanged] == expected


def test_of_what_is_not_reached_nothing_is_proved(tmp_path: Path) -> None:
    told = explored(tmp_path, "change define dear(c Card) = rank of c * 3")
    assert "everything holds" not in told
    assert "             define dear (own.rules:3)\n" in told.replace("(line 3)", "(own.rules:3)")


WITH_PASSING = GAME.replace("choose lay\n", "choose lay or pass\n").replace(
    "score at end\n", "action pass\n  needs height = 0\nscore at end\n  fine = 0 - fines of player\n"
)
ONLY_LAY = """change phase play: repeat 4 times
  one turn each from 1
    choose lay
remove action pass"""
WITHOUT_HEIGHT = """change action lay(given from hand)
  if rank of given > 5
    fines becomes dear(given)
  move given to heap"""
WITHOUT_FINES = "change action lay(given from hand)\n  height increases by bonus(rank of given)\n  move given to heap"
REMOVALS = {  # what the variant says, and what of the base it leaves out that the small table would not have met
    "a statement that is done": (WITHOUT_HEIGHT, []),
    "one that only high cards bring about": (WITHOUT_FINES, ["action lay"]),
    "an action that is legal": (ONLY_LAY, []),
    "a score line": ("change score at end\n  points = sum of worth(c) over c in heap", []),
}  # fmt: skip


@pytest.mark.parametrize("name", REMOVALS)
def test_what_a_house_rule_leaves_out_would_have_been_met_or_is_not_proved(tmp_path: Path, name: str) -> None:
    change, expected = REMOVALS[name]
    (tmp_path / "steps.rules").write_text(WITH_PASSING, "utf-8")
    (tmp_path / "own.rules").write_text(f'rules 1\nvariant "Own" of "steps.rules"\n{change}\n', "utf-8")
    done = run_here("explore", "own.rules", "--engine", "reference", "--players", "2", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    told = [one["name"] for one in json.loads(done.stdout)["not_reached"] if one["kind"] == "removed"]
    assert told == expected


def test_an_action_that_was_never_legal_leaves_nothing_proved(tmp_path: Path) -> None:
    rules = WITH_PASSING.replace("  needs height = 0\n", "  needs some c in hand has rank of c = 9\n")
    (tmp_path / "steps.rules").write_text(rules, "utf-8")
    (tmp_path / "own.rules").write_text(f'rules 1\nvariant "Own" of "steps.rules"\n{ONLY_LAY}\n', "utf-8")
    done = run_here("explore", "own.rules", "--engine", "reference", "--players", "2", folder=tmp_path)
    assert "everything holds" not in done.stdout
    assert "at these tables the base never does the following" in done.stdout
    assert "action pass: `pass`" in done.stdout
