"""Components of several kinds in one zone, and a choice from several zones: beside programs written apart."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.interpreter.examples.examples import run_examples
from rulesrun.interpreter.explore.breadth_first import explore_table
from rulesrun.interpreter.play.game_tree import count_tree
from rulesrun.interpreter.symmetry.renaming import find_word_group
from tests.native.both import differences, quick_engine
from tests.words.twins import MOST, assert_alike, errors_of, is_laid_out, program_of, table_of

# Goods and coins lie side by side: who has a coin may buy, what is cheap is free.
MARKET = """rules 1
game "Made"
players 2

card Good: worth 1..3
token Coin: 3

zone market: pile of Good or Coin, hidden
zone stall: row of Good or Coin, public
zone basket of player: set of Good or Coin, public

setup
  shuffle all Good into market
  shuffle all Coin into market
  draw 2 from market to stall

phase day: turns from 1 until stall is empty
  choose take or buy, else end phase
  draw up to 1 from market to stall

action take(thing from stall)
  needs thing is a Coin or worth of thing = 1 because "it has its price"
  move thing to basket

action buy(coin from basket where it is a Coin, thing from stall where it is a Good and worth > 1)
  move coin to stall
  move thing to basket

score at end
  points = sum of (if one is a Good then worth of one else 1) over one in basket

ranking: highest total, ties share

example "coins buy what is dear"
  given turn of 1
  given stall: 3, Coin
  given basket of 1: Coin, 1
  then 1 can buy(Coin, 3)
  then 1 can take(Coin)
  then 1 cannot take(3)
  when 1: buy(Coin, 3)
  then basket of 1 = {3, 1} and (count of stall where it is a Coin) >= 2
"""
COIN = 0
Held = tuple[int, ...]


@cache
def played(market: Held, stall: Held, baskets: tuple[Held, Held], seat: int) -> tuple[int, Fraction, Fraction]:
    """Written apart: how many histories end, and what both players expect of random play."""

    def ended() -> tuple[int, Fraction, Fraction]:
        points = [sum(max(one, 1) for one in basket) for basket in baskets]
        return 1, Fraction(points[0]), Fraction(points[1])

    if not stall:
        return ended()
    ways = []
    for thing in sorted(set(stall)):
        rest = list(stall)
        rest.remove(thing)
        own = [*baskets[seat]]
        if thing in (COIN, 1):
            ways.append((tuple(rest), sorted([*own, thing])))
        elif COIN in own:
            own.remove(COIN)
            ways.append((tuple(sorted([*rest, COIN])), sorted([*own, thing])))
    if not ways:
        return ended()
    endings, one, other = 0, Fraction(0), Fraction(0)
    for left, own in ways:
        held = (tuple(own), baskets[1]) if seat == 0 else (baskets[0], tuple(own))
        for drawn in sorted(set(market)) if market else [None]:
            rest, share, lying = list(market), Fraction(1), left
            if drawn is not None:
                share = Fraction(market.count(drawn), len(market))
                rest.remove(drawn)
                lying = tuple(sorted([*left, drawn]))
            found = played(tuple(rest), lying, held, 1 - seat)
            endings += found[0]
            one += share / len(ways) * found[1]
            other += share / len(ways) * found[2]
    return endings, one, other


def test_a_market_beside_a_program_written_apart() -> None:
    things = (COIN, COIN, COIN, 1, 2, 3)
    endings, one, other = 0, Fraction(0), Fraction(0)
    for first in sorted(set(things)):
        rest = list(things)
        rest.remove(first)
        for second in sorted(set(rest)):
            left = list(rest)
            left.remove(second)
            share = Fraction(things.count(first), 6) * Fraction(rest.count(second), 5)
            found = played(tuple(left), tuple(sorted((first, second))), ((), ()), 0)
            endings, one, other = endings + found[0], one + share * found[1], other + share * found[2]
    table = table_of(MARKET)
    counted = count_tree(table, 10 * MOST)
    assert counted.terminals == endings
    assert counted.expectation is not None
    assert (counted.expectation.scores[1], counted.expectation.scores[2]) == (one, other)
    assert differences(table, 300, seed=1, engine=quick_engine(table), limit=200) == []


# The same with one kind, whose coins are worth nothing.
PLAIN = {
    "card Good: worth 1..3\ntoken Coin: 3\n":
        "card Thing: worth 0..3\n  Coin: 0, 3 of each\n  one: 1\n  two: 2\n  dear: 3\n",
    " of Good or Coin": " of Thing",
    "  shuffle all Good into market\n  shuffle all Coin into market\n": "  shuffle all Thing into market\n",
    "thing is a Coin": "worth of thing = 0",
    "it is a Coin": "worth = 0",
    "it is a Good and worth > 1": "worth > 1",
    "one is a Good": "worth of one > 0",
}


def test_two_kinds_are_one_of_which_some_are_coins() -> None:
    plain = MARKET[: MARKET.index("\nexample")]
    mixed = plain.replace("card Good: worth 1..3\ntoken Coin: 3\n", "token Coin: 3\ncard Good: worth 1..3\n")
    for new, old in PLAIN.items():
        assert new in plain
        plain = plain.replace(new, old)
    assert_alike(mixed, plain)


def test_examples_and_layout() -> None:
    assert is_laid_out(MARKET)
    assert [one.verdict for one in run_examples(program_of(MARKET))] == ["passed"]
    lines = MARKET.replace("is a Coin", "is not a Good").replace("is a Good", "is not a Coin")
    assert is_laid_out(lines)
    assert_alike(lines, MARKET)


# Storms among what is loaded: a step for each, a marker for each load, a table for each kind, two zones at once.
HARBOUR = """rules 1
game "Made"
players 2

values Ware: salt, silk
card Load: ware Ware, worth 1..2
card Storm: worth 1..1, step effect
  squall: 1, lose(1)
  gale: 1, lose(2)
  calm: 1, nothing, 2 of each

zone sea: pile of Load or Storm, hidden
zone quay: row of Load or Storm, public
zone hold of player: set of Load, private
zone past: pile of Load or Storm, public

marker wet of Load: yes or no
number coins of player: 0..9 = 3
marker last: Storm or nothing
marker kept: Load
table price(l Load): 1, 1, 2, 4
table harm(s Storm): squall: 1, gale: 2, calm: 0

setup
  shuffle all Load into sea
  shuffle all Storm into sea

phase play: turns from 1 until sea is empty
  draw 1 from sea to quay as drawn
  look at up to 1 of sea
  show drawn to left of player
  if drawn is a Storm
    do effect of drawn
    last becomes drawn
    move drawn to past
  otherwise
    wet of drawn becomes worth of drawn > 1
    choose load if possible

action load(thing from quay or hold where it is a Load and not wet of it)
  if thing in quay
    move thing to hold
    kept becomes thing
  otherwise
    wet of thing becomes yes
    coins becomes smallest(coins + price(thing), 9)

step lose(amount 1..2)
  coins decreases by smallest(amount, coins)

score at end
  points = coins + (sum of price(l) over l in hold) + (if last is a Storm then harm(last) else 0) + price(kept)
  wares = count of distinct ware over hold

ranking: highest total, ties share
"""


def test_mixed_kinds_with_everything_that_is_said_of_one() -> None:
    table = table_of(HARBOUR)
    assert differences(table, 300, seed=1, engine=quick_engine(table), limit=200) == []


# A hand and what was won: what lies in both may be laid.
HANDS = """rules 1
game "Made"
players 2

values Suit: red, blue
card Card: suit Suit, rank 1..2, 2 of each

zone stock: pile of Card, hidden
zone hand of player: set of Card, public
zone won of player: KIND of Card, public
zone table: row of Card, public

setup
  shuffle all Card into stock
  deal 1 from stock to each hand
  draw 1 from stock to won of 1
  draw 1 from stock to won of 2

phase play: turns from 1 until hand is empty and won is empty
  choose lay or keep

action lay(card from hand or wonWHERE)
  move card to table

action keep(card from hand)
  move card to won

score at end
  points = sum of rank over one in table where suit = red

ranking: lowest total, ties share
"""


@cache
def laid(hands: tuple[Held, Held], won: tuple[Held, Held], seat: int) -> int:
    """Written apart: of equal cards in both places the one in the hand is laid. How many histories end."""
    if not hands[1 - seat] and not won[1 - seat]:
        return 1
    endings = 0
    for one in sorted({*hands[seat], *won[seat]}):
        own, kept = list(hands[seat]), list(won[seat])
        (own if one in own else kept).remove(one)
        endings += laid(replaced(hands, seat, own), replaced(won, seat, kept), 1 - seat)
    for one in sorted({*hands[seat]}):
        own = list(hands[seat])
        own.remove(one)
        endings += laid(replaced(hands, seat, own), replaced(won, seat, [*won[seat], one]), 1 - seat)
    return endings


def replaced(both: tuple[Held, Held], seat: int, new: list[int]) -> tuple[Held, Held]:
    own = tuple(sorted(new))
    return (own, both[1]) if seat == 0 else (both[0], own)


@pytest.mark.parametrize("kind", ["set", "row", "pile"])
def test_a_choice_from_two_zones_beside_a_program_written_apart(kind: str) -> None:
    text = HANDS.replace("KIND", kind).replace("WHERE", "")
    table = table_of(text)
    endings = sum(
        laid(((a,), (b,)), ((c,), (d,)), 0)
        for a in range(4) for b in range(4) for c in range(4) for d in range(4)
        if max((a, b, c, d).count(one) for one in range(4)) <= 2
    )  # fmt: skip
    assert count_tree(table, 10 * MOST).terminals == endings
    assert differences(table, 200, seed=1, engine=quick_engine(table), limit=200) == []


WHERES = ("", " where rank = 2", " where suit = red or rank = 1")
ALIKE = {
    "hand or won": ("won or hand", "hand or won or hand", "hand or won of player"),
    "card from hand": ("card from hand",),
}


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(("set", "row", "pile")), st.sampled_from(WHERES), st.sampled_from((*ALIKE["hand or won"],)))
def test_both_engines_choose_alike(kind: str, where: str, said: str) -> None:
    text = HANDS.replace("KIND", kind).replace("WHERE", where).replace("hand or won", said)
    table = table_of(text.replace("choose lay or keep", "choose lay or keep, else end phase"))
    assert differences(table, 60, seed=3, engine=quick_engine(table), limit=200) == []


def test_words_stay_symmetric() -> None:
    """What is merged is what can be renamed: the suits, though coins have none."""
    text = HANDS.replace("KIND", "set").replace("WHERE", "")
    for old, new in {
        "rank 1..2, 2 of each\n": "rank 1..2\ntoken Coin: 2\n",
        "zone won of player: set of Card": "zone won of player: set of Card or Coin",
        "  draw 1 from stock to won of 1\n  draw 1 from stock to won of 2": "  move all Coin to won of 1",
        "table: row of Card": "table: row of Card or Coin", " where suit = red": "",
        "sum of rank over one in table": "count of distinct suit over one in table where it is a Card",
    }.items():  # fmt: skip
        assert old in text
        text = text.replace(old, new)
    table = table_of(text.replace("keep(card from hand)", "keep(card from hand)\n  needs rank of card = 1"))
    group = find_word_group(table)
    assert len(group.members) == 1
    merged, apart = explore_table(table, MOST, group=group), explore_table(table, MOST)
    assert merged.is_complete
    assert apart.is_complete
    assert merged.size < apart.size


SLIPS = {
    "stall: row of Good or Coin": {
        "stall: row of Good, Coin": "write `Good or Coin`",
        "stall: row of Good and Coin": "write `Good or Coin`",
        "stall: row of Good or Coins": "did you mean `Coin`?",
    },
    "needs thing is a Coin or": {
        "needs thing is Coin or": "for its kind, write `is a Coin`",
        "needs thing = Coin or": "write `thing is a Coin`",
        "needs thing isa Coin or": "did you mean `is a`?",
    },
    "if one is a Good then worth of one else 1": {
        "worth of one": "ask first: `if … is a Good`, or `… where it is a Good and …`",
        "if one is not a Coin then worth of one else worth of one": "None",
        "if one is a Goood then 1 else 1": "did you mean `Good`?",
        "if worth of the g in stall with highest count of stall > 1 then 1 else 1": "ask first",
    },
}


@pytest.mark.parametrize(("right", "wrong"), [(right, wrong) for right, slips in SLIPS.items() for wrong in slips])
def test_slips_are_told_what_to_write(right: str, wrong: str) -> None:
    assert right in MARKET
    found = errors_of(MARKET.replace(right, wrong, 1))
    assert len(found) == 1
    assert SLIPS[right][wrong] in str(found[0].hint)


OF_ZONES = {
    "card from hand and won": "write `hand or won`",
    "card from hand or from won": "remove the second `from`",
    "card from hand or (won where rank > 1)": "only zones are joined by `or`",
}


@pytest.mark.parametrize("wrong", OF_ZONES)
def test_slips_in_choices_are_told_what_to_write(wrong: str) -> None:
    text = HANDS.replace("KIND", "set").replace("WHERE", "")
    found = errors_of(text.replace("card from hand or won", wrong, 1))
    assert len(found) == 1
    assert OF_ZONES[wrong] in str(found[0].hint)


def test_what_keeps_to_itself_is_told() -> None:
    die = MARKET.replace("token Coin: 3\n", "die Coin: 1..3, 3 of each\n")
    assert "a die lies only among dice" in [one.message for one in errors_of(die)]
    board = MARKET.replace("token Coin: 3\n", "board Coin: 2 by 2\n")
    assert "`Coin` is a board: its places lie where they are" in [one.message for one in errors_of(board)]
    rules = MARKET.replace("token Coin: 3\n", "token Coin: rule met\n  penny: count of stall > 1\n")
    assert "`Coin` carries a `rule`: it lies only among its own" in [one.message for one in errors_of(rules)]
