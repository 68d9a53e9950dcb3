"""A made-up game of tricks, all cards dealt out: the table that is proposed has shorter hands and as many tricks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulesrun.cli import main
from rulesrun.dsl.contents.small_tables import find_dimensions, make_proposal
from rulesrun.interpreter.play.step import GameOver, PlayerDecision, next_state, pending_decision, start_state
from rulesrun.interpreter.reference.table import set_up_table
from tests.exploring.made import program_of

TRICKS = """rules 1
game "Thirteen tricks"
players 4
values Suit: clubs, diamonds, hearts, spades
card Card: suit Suit, rank 2..14
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone trick: row of Card, public
zone won of player: set of Card, public
marker trump: Suit
marker leader: player = 1
marker best: player = 1
marker best_card: Card or nothing
number done: 0..13 = 0, each round
rounds 4, starter moves left
setup round
  shuffle all Card into deck
  roll trump
  deal 13 from deck to each hand
  leader becomes starter
phase tricks: {loop}
  one turn each from leader
    choose lead or follow
  leader becomes best
  done increases by 1
  move all trick to won of leader
define beats(one Card, other Card) = (suit of one = suit of other and rank of one > rank of other) or
    (suit of one = trump and suit of other is not trump)
action lead(given from hand)
  needs trick is empty
  move given to trick
  best becomes player
  best_card becomes given
action follow(given from hand)
  needs trick is not empty
  needs suit of given = suit of first of trick or no c in hand has suit of c = suit of first of trick
  if best_card is not nothing and beats(given, best_card)
    best becomes player
    best_card becomes given
  move given to trick
score each round
  points = count of won
ranking: highest total, ties share
can happen "a trump wins": trick is not empty and suit of last of trick = trump and suit of first of trick is not trump
"""
LOOPS = ["repeat 13 times", "repeat until done = 13"]


@pytest.mark.parametrize("loop", LOOPS)
def test_hands_and_tricks_shrink_together(loop: str) -> None:
    program = program_of(TRICKS.format(loop=loop))
    assert {one.name: (one.least, one.whole) for one in find_dimensions(program)} == {
        "values Suit": (2, 4), "rank of Card": (2, 13), "rounds": (1, 4), "deals of the setup round": (1, 13),
    }
    made = make_proposal(program, 4, {"values Suit": 2, "rank of Card": 4, "rounds": 1, "deals of the setup round": 2})
    assert made is not None
    assert "tricks: 2 instead of 13 times" in made.shrunk
    table = set_up_table(made.program, 4, {})
    state, decisions = start_state(table), 0
    while not isinstance(question := pending_decision(table, state), GameOver):
        decisions += isinstance(question, PlayerDecision)
        state = next_state(table, state, 0)
    assert decisions == 2 * 4


@pytest.mark.parametrize("loop", [LOOPS[0], pytest.param(LOOPS[1], marks=pytest.mark.long)])
def test_a_table_is_proposed_of_which_all_is_looked_at(
    loop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tricks.rules"
    file.write_text(TRICKS.format(loop=loop), "utf-8")
    assert main(["explore", str(file), "--json"]) == 0
    whole, smaller = json.loads(capsys.readouterr().out)["tables"]
    assert not whole["complete"]
    assert smaller["complete"]
    assert [one["name"] for one in smaller["happens"]] == ["a trump wins"]
    assert not [one for one in smaller["never"] if one["kind"] == "action"]
