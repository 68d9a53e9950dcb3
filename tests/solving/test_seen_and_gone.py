"""Information sets that differ in what was seen and is gone again are told apart where they are printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulesrun.interpreter.solve.solve import solve_game
from rulesrun.report.solve_text import play_text
from tests.bots.tables import table_of
from tests.command_line import run_here

GAME = """rules 1
game "Seen and gone"
players 2
values Letter: a, b
card Card: letter Letter
zone deck: pile of Card, hidden
zone table: set of Card, public
zone secret: set of Card, hidden
zone hand of player: set of Card, private
number height: 0..9 = 0
marker guess: Letter or nothing
setup
  shuffle all Card into deck
SETUP
phase play
  choose say
action say(letter in Letter)
  guess becomes letter
define found_out = some c in secret has letter of c = guess
score at end
  points = if found_out = (player = 1) then 1 else -1
ranking: highest total, ties share
"""
LAID_OUT = "  draw 1 from deck to table\n  move all table to secret"
SHOWN = "  draw 1 from deck to secret\n  show secret"
SHOWN_TO_ONE = "  draw 1 from deck to secret\n  show secret to 1\n  show deck to 2"


def solved(folder: Path, setup: str) -> tuple[list[str], list[dict[str, Any]]]:
    """The lines of the strategy of who guesses, and the same as JSON."""
    (folder / "gone.rules").write_text(GAME.replace("SETUP", setup), "utf-8")
    done = run_here("solve", "gone.rules", "--players", "2", folder=folder)
    told = run_here("solve", "gone.rules", "--players", "2", "--json", folder=folder)
    assert done.returncode == told.returncode == 0, done.stdout + done.stderr
    return done.stdout.split("How to play\n")[1].splitlines(), json.loads(told.stdout)["strategy"]


def best(play: dict[str, Any]) -> str:
    return str(max(play["choose"], key=lambda one: one["share"])["option"]["letter"])


def test_a_card_that_lay_on_the_table_is_told(tmp_path: Path) -> None:
    """Who has seen the card guesses it."""
    lines, plays = solved(tmp_path, LAID_OUT)
    assert len(lines) == len(set(lines)) == len(plays) == 2
    for letter in "ab":
        line = next(one for one in lines if f"saw table {letter}" in one)
        assert f"say({letter}) 100" in line or f"say({letter}) 99" in line
        play = next(one for one in plays if {"saw": {"table": [letter]}} in one["seen"])
        assert best(play) == letter


@pytest.mark.parametrize("setup", [SHOWN, SHOWN_TO_ONE])
def test_a_card_that_was_shown_is_told(tmp_path: Path, setup: str) -> None:
    lines, plays = solved(tmp_path, setup)
    assert len(lines) == len(set(lines)) == len(plays) == 2
    for letter in "ab":
        play = next(one for one in plays if best(one) == letter)
        assert {"shown": [{"zone": "secret", "components": [letter]}]} in play["seen"]
        line = next(one for one in lines if f"was shown {letter}" in one)
        assert f"say({letter}) 100" in line or f"say({letter}) 99" in line
        assert line.count("was shown") == 1


def test_what_was_seen_longer_ago_or_twice_is_told(tmp_path: Path) -> None:
    """Four ways: which card was laid out first, and which after a new shuffle."""
    setup = "  draw 1 from deck to table\n  move all table to deck\n  shuffle deck\n" + LAID_OUT
    lines, plays = solved(tmp_path, setup)
    assert len(lines) == len(set(lines)) == len(plays) == 4
    seen = {tuple(one["saw"]["table"][0] for one in play["seen"] if one["saw"].get("table")) for play in plays}
    assert seen == {("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")}


def test_a_number_that_was_higher_is_told(tmp_path: Path) -> None:
    setup = "  draw 1 from deck to secret\n  if some c in secret has letter of c = a\n"
    setup += "    height increases by 3\n  height becomes 0"
    lines, plays = solved(tmp_path, setup)
    assert len(lines) == len(set(lines)) == len(plays) == 2
    assert any("saw height 3" in line and "say(a)" in line for line in lines)


def test_what_still_lies_there_is_not_said_twice(tmp_path: Path) -> None:
    lines, plays = solved(tmp_path, "  draw 1 from deck to table\n  draw 1 from deck to secret")
    assert len(set(lines)) == len(plays) == 2
    assert not any("seen" in play for play in plays)
    assert not any("saw" in line for line in lines)


@pytest.mark.long
def test_no_two_sets_of_a_whole_game_are_printed_alike() -> None:
    """In Goofspiel with four cards the prizes that were won or lost before lie in places without order."""
    made = table_of("classics/goofspiel", cards=4)
    answer = solve_game(made, 0.5)
    lines = [play_text(made, play)[0].rsplit(": ", 1)[0] for play in answer.plays]
    assert sum(bool(play.seen) for play in answer.plays) > 0
    assert len(lines) == len(set(lines))
