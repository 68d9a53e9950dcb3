"""Reactions inside a turn: beside a program written apart, and beside the lines that they stand for."""

from __future__ import annotations

from functools import cache

import pytest

from rulesrun.interpreter.explore.breadth_first import explore_table
from rulesrun.interpreter.play.game_tree import count_tree
from tests.native.both import differences, quick_engine
from tests.words.twins import MOST, assert_alike, errors_of, is_laid_out, program_of, table_of

# Who claims more than the hand is worth may be doubted by the others, one after the other.
CLAIMS = """rules 1
game "Made"
players 3

card Card: strength 1..3

zone deck: pile of Card, hidden
zone hand of player: place of Card, private

number chips of player: 0..9 = 1, clamped
number claimed: 1..3 = 1, each turn
number asked: 0..2 = 0, each turn, clamped
marker doubted: yes or no = no, each turn

setup
  shuffle all Card into deck
  deal 1 from deck to each hand

phase play: one turn each from 2
  choose claim

action claim(n in 2..3)
  claimed becomes n
  ask each opponent from left: doubt or trust, until doubted
  if not doubted or strength of top of hand >= n
    chips increases by n

action doubt
  asked increases by 1
  doubted becomes yes

action trust
  asked increases by 1

score at end
  points = chips

ranking: highest total, ties share

ends within 3 turns "one turn each"
at end of turn "not everybody is asked when somebody doubts": asked = 2 or doubted
"""


@cache
def endings(turns: int) -> int:
    """Written apart: two claims; each is trusted by both, or doubted by the first or the second. Six deals."""
    return 6 if turns == 0 else 2 * 3 * endings(turns - 1)


def test_reactions_beside_a_program_written_apart() -> None:
    table = table_of(CLAIMS, 3)
    counted = count_tree(table, MOST)
    # A doubt by the first is one decision, the other two ways take two: 5 decisions for 3 endings, and the claim.
    assert counted.terminals == endings(3)
    assert counted.expectation is not None
    assert counted.expectation.decisions == 3 + 3 * (1 + 0.5)
    assert differences(table, 100, seed=1, engine=quick_engine(table), limit=200) == []


def test_reactions_are_no_turns() -> None:
    """Three turns and no more, whoever is asked in them; what is kept each turn stays until the next."""
    found = explore_table(table_of(CLAIMS, 3), MOST)
    assert found.is_complete
    assert found.findings == []


def test_they_stand_for_lines_of_older_words() -> None:
    asked = "  ask each opponent from left: doubt or trust, until doubted\n"
    lines = """  let who = player
  each player from left of player where player is not who
    if not doubted
      choose doubt or trust
"""
    assert_alike(CLAIMS, CLAIMS.replace(asked, lines), 3)
    everybody = CLAIMS.replace(asked, "  ask each player from 1 where chips < 3: doubt or trust\n")
    lines = """  each player from 1
    if chips < 3
      choose doubt or trust
"""
    assert_alike(everybody, everybody.replace("  ask each player from 1 where chips < 3: doubt or trust\n", lines), 3)


def test_it_is_laid_out_as_it_is_written() -> None:
    assert is_laid_out(CLAIMS)
    for said in ("opponent from right", "player from 2 where chips > 1", "opponent from left of left of player"):
        assert is_laid_out(CLAIMS.replace("opponent from left", said))
    assert is_laid_out(CLAIMS.replace(", until doubted", ""))
    assert program_of(CLAIMS.replace("ask each opponent from left:", "ask each opponent:"))


SLIPS = {
    "ask opponents: doubt or trust": "ask each opponent: …",
    "ask all opponents: doubt or trust": "ask each opponent: …",
    "ask every player: doubt or trust": "ask each opponent: …",
    "ask each other player: doubt or trust": "ask each opponent: …",
    "ask left of player: doubt or trust": "left of player chooses …",
    "ask each opponent to doubt or trust": "`:`",
    "ask each opponent doubt or trust": "`:`",
    "ask each opponent: doubt, trust": "or trust",
    "ask each opponent: may doubt": "remove `may`",
    "each opponent may doubt or trust": "ask each opponent: doubt or trust",
    "each opponent chooses doubt or trust": "ask each opponent: doubt or trust",
    "ask each opponent: doubt or trust, until asked": "a condition compares",
}


@pytest.mark.parametrize("wrong", SLIPS)
def test_slips_are_told_what_to_write(wrong: str) -> None:
    found = errors_of(CLAIMS.replace("ask each opponent from left: doubt or trust, until doubted", wrong))
    assert len(found) == 1
    assert SLIPS[wrong] in str(found[0].hint)
