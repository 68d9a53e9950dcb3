"""Stories name the cause: what every action lacks, whom the turns ask, where a pile went; long ones are summed up."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.command_line import run_here

HEAD = """rules 1
game "Made"
players 2
card Card: rank 1..{cards}
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
setup
  shuffle all Card into deck
  deal {dealt} from deck to each hand
"""
TAIL = """score at end
  points = count of hand
ranking: highest total, ties share
"""
LAYING = """phase play: repeat 4 times
  one turn each from 1
    choose lay or bow
action lay(card from hand)
  move card to heap
action bow
  needs high_enough because "only from ten cards on"
define high_enough = count of heap >= 10
"""
DRAWING = """phase play: repeat 200 times
  one turn each from 1
    draw 1 from deck to hand
    choose lay
action lay(card from hand)
  move card to heap
"""
SKIPPING = """phase play: turns from 1 skipping count of heap > 20 until count of heap = 7
  choose lay
action lay(card from hand)
  move card to heap
"""


def story(folder: Path, rules: str) -> str:
    (folder / "made.rules").write_text(rules, "utf-8")
    done = run_here("made.rules", "--engine", "reference", "--trace", "stuck.jsonl", folder=folder)
    assert done.returncode == 1
    return done.stdout.partition("story 1")[2]


def test_of_each_action_it_is_said_why_not(tmp_path: Path) -> None:
    told = story(tmp_path, HEAD.format(cards=12, dealt=3) + LAYING + TAIL)
    assert "      lay: nothing to choose for card from hand\n           hand = {}" in told
    assert '      bow: not allowed: high_enough because "only from ten cards on"' in told
    assert "count of heap = 6" in told
    rules = re.findall(r"rule line (\d+)", told)
    assert rules == ["17", "18", "13"]  # the need, what it is defined as, the choice


def test_why_comes_to_the_position_where_nothing_is_legal(tmp_path: Path) -> None:
    story(tmp_path, HEAD.format(cards=12, dealt=3) + LAYING + TAIL)
    done = run_here("why", "made.rules", "stuck.jsonl", folder=tmp_path)
    assert done.stdout.startswith("player 1: somebody must choose `lay` or `bow`, but nothing is legal (line 13)\n")
    assert "  lay: nothing to choose for card from hand\n" in done.stdout
    told = json.loads(run_here("why", "made.rules", "stuck.jsonl", "--json", folder=tmp_path).stdout)
    assert [(lack["action"], lack["empty"]) for lack in told["asked"]["lacks"]] == [("lay", True), ("bow", False)]
    done = run_here("why", "made.rules", "stuck.jsonl", "--option", "bow", folder=tmp_path)
    assert done.stdout.startswith("bow is not legal here: only from ten cards on\n")


@pytest.mark.parametrize(("cards", "turns"), [(20, 14), (60, 54)])
def test_a_pile_that_runs_out_is_told_as_a_sum(tmp_path: Path, cards: int, turns: int) -> None:
    told = story(tmp_path, HEAD.format(cards=cards, dealt=3) + DRAWING + TAIL)
    assert f"drawn so far: 6 + {turns} = {cards}; there are no more" in told
    assert f"        6 by line 10: deal 3 from deck to each hand\n        {turns} by line 13: draw 1 from deck" in told


def test_a_long_story_is_summed_up_but_for_its_last_moves(tmp_path: Path) -> None:
    told = story(tmp_path, HEAD.format(cards=60, dealt=3) + DRAWING + TAIL)
    assert "    46 moves; deck 53 to 7, heap 0 to 46\n    now\n" in told
    assert re.findall(r"^ +(\d+)\. player", told, re.MULTILINE) == [str(number) for number in range(47, 55)]


def test_whom_the_turns_do_not_leave_out_is_blamed(tmp_path: Path) -> None:
    told = story(tmp_path, HEAD.format(cards=12, dealt=3) + SKIPPING + TAIL)
    assert re.findall(r"rule line (\d+): (.*)", told)[0] == ("11", "count of heap > 20")


def test_cards_that_decide_are_named_however_many_there_are(tmp_path: Path) -> None:
    rules = HEAD.format(cards=30, dealt=14) + """phase play: one turn each from 1
  choose drop
action drop
  move all hand to heap
always "the thirteen stays in hand": no c in heap has rank of c = 13 and heap is not empty
"""
    told = story(tmp_path, rules + TAIL)
    moved = re.search(r"^ +(.*): hand\[\d\] to heap", told, re.MULTILINE)
    assert moved is not None
    assert "13" in moved[1].split(" and ")[0].split(", ")


UNTIL_THREE = """rules 1
game "Made"
players 3
number steps of player: 0..3 = 0
define is_last = place = players
phase play: turns from 1 until some p in players has steps of p = 3
  choose climb
action climb
  steps increases by 1
score at end
  points = steps
ranking: highest total, ties share
at end of game "nobody is last": no p in players has is_last of p or total of p = 3
"""


def test_a_property_without_a_meaning_yet_does_not_change_whose_turn_it_is(tmp_path: Path) -> None:
    """Places are known at the end alone: asked before, the question stops while it looks at player 1."""
    told = story(tmp_path, UNTIL_THREE)
    moves = re.findall(r"^ +\d+\. player (\d): climb", told, re.MULTILINE)
    assert moves == ["1", "2", "3"] * 2 + ["1"]
