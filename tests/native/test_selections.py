"""Several chosen at once, of large hands: what can no longer be legal is not gone through, nothing legal is missed."""

from __future__ import annotations

from itertools import combinations

import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.native.expressions.combinations import is_antitone
from rulesrun.interpreter.play.step import PlayerDecision
from tests.interpreter.made import table
from tests.native.both import differences, quick_engine, quick_positions

RULES = """
values Suit: red, blue, green
card Card: suit Suit, rank 1..5COPIES
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
number limit: 0..9 = 4
setup
  shuffle all Card into stock
  deal 5 from stock to each hand
phase play: turns from 1, at most 6 turns
  draw up to 1 from stock to hand
  choose lay or pass
action lay(AMOUNT cards from hand)
  needs NEED
  move all cards to heap
action pass
  limit becomes (limit + 3) mod 10
define is_set(s set of Card, most 1..9) = (count of distinct rank over c in s) = 1 and count of s <= most
define low_sum(s set of Card) = sum of rank over c in s where rank of c > 1
score at end
  points = count of hand
ranking: lowest total, ties share
"""
NEEDS = {
    "(count of distinct rank over c in cards) = 1": True,
    "(count of distinct suit over c in cards) <= 2": True,
    "(count of distinct rank over c in (cards where rank > 3)) = 1": False,
    "(sum of distinct (rank of c - 1) over c in cards) = 1": False,
    "(sum of distinct (rank of c div 5) over c in cards) <= 1": True,
    "is_set(cards, 2)": True,
    "every c in cards has rank of c < limit": True,
    "no c in (cards where suit = red) has rank of c = 2": True,
    "(sum of rank over c in cards) < limit and count of cards < 4": True,
    "(sum of rank over c in cards) < limit and count of cards > 1": False,
    "limit >= count of cards or limit = 1": True,
    "(sum of rank over c in cards) = limit": False,
    "(sum of (limit - rank of c) over c in cards) < 3": False,
    "low_sum(cards) > limit": False,
    "some c in cards has rank of c > limit": False,
    "every c in cards has (count of cards where rank = rank of c) >= 2": False,
    "(sum of (6 div (rank of c - 3)) over c in cards) < 9": False,
}


@pytest.mark.parametrize(("need", "expected"), NEEDS.items())
def test_what_adding_a_card_never_makes_legal(need: str, expected: bool) -> None:
    made = table(RULES.replace("NEED", need).replace("COPIES", "").replace("AMOUNT", "1..4"))
    lay = next(one for one in made.bench.actions if one.name.text == "lay")
    condition = next(one.condition for one in lay.needs)
    assert is_antitone(made.bench, condition, lay.choices[0]) is expected


@pytest.mark.parametrize("need", NEEDS)
@pytest.mark.parametrize(("copies", "amount"), [("", "1..4"), (", 2 of each", "1..3"), ("", "0..5"), ("", "2")])
def test_the_same_selections_by_both_engines(need: str, copies: str, amount: str) -> None:
    made = table(RULES.replace("NEED", need).replace("COPIES", copies).replace("AMOUNT", amount))
    assert differences(made, 30, engine=quick_engine(made)) == []


def test_all_sets_of_a_large_hand() -> None:
    """Thirteen cards of three suits and five ranks: as many sets as among all ways to take one to four."""
    rules = RULES.replace("NEED", "(count of distinct rank over c in cards) = 1").replace("AMOUNT", "1..4")
    made = table(
        rules.replace("COPIES", "").replace("  shuffle all Card into stock\n", "  move all Card to stock\n")
        .replace("  deal 5 from stock to each hand\n", "  move all stock to hand of 1\n")
        .replace("  draw up to 1 from stock to hand\n", "  move all hand where rank = 5 and suit is not red to heap\n")
    )
    cards = [(suit, rank) for suit in range(3) for rank in range(1, 6) if rank < 5 or suit == 0]
    legal = [ways for size in range(1, 5) for ways in combinations(cards, size) if len({rank for _, rank in ways}) == 1]
    assert len(legal) == 4 * 7 + 1
    positions = quick_positions(made)
    asked = positions.pending_decision(positions.begin_game().state)
    assert isinstance(asked, PlayerDecision)
    assert len(asked.options) == len(legal) + 1
    assert differences(made, 20, engine=quick_engine(made)) == []
