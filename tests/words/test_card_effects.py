"""Cards that carry a step: beside a program written apart, and beside the cases that they stand for."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from rulesrun.interpreter.play.game_tree import count_tree
from tests.native.both import differences, quick_engine
from tests.words.twins import MOST, assert_alike, errors_of, is_laid_out, table_of, warnings_of

EVENTS = """rules 1
game "Made"
players 2

card Event: number 1..4, step effect
  harvest: 1, everybody_gains, 2 of each
  tax: 2, pay(2)
  gift: 3, give_all
  quiet: 4, nothing

zone deck: pile of Event, hidden
zone past: pile of Event, public

number coins of player: 0..20 = 3

setup
  shuffle all Event into deck

phase play: turns from 1 until deck is empty
  draw 1 from deck to past as event
  do effect of event

step everybody_gains
  each player
    coins becomes smallest(coins + 1, 20)

step pay(amount 1..3)
  coins decreases by smallest(amount, coins)

step give_all
  coins of left of player becomes smallest(coins of left of player + coins, 20)
  coins becomes 0

score at end
  points = coins

ranking: highest total, ties share
"""


def coins_after(events: tuple[str, ...]) -> list[int]:
    """Written apart."""
    coins = [3, 3]
    for at, event in enumerate(events):
        me, other = at % 2, 1 - at % 2
        if event == "harvest":
            coins = [coins[0] + 1, coins[1] + 1]
        elif event == "tax":
            coins[me] -= min(2, coins[me])
        elif event == "gift":
            coins[other], coins[me] = coins[other] + coins[me], 0
    return coins


def test_effects_beside_a_program_written_apart() -> None:
    table = table_of(EVENTS)
    orders = list(permutations(("harvest", "harvest", "tax", "gift", "quiet")))
    found = count_tree(table, MOST).expectation
    assert found is not None
    for seat in (1, 2):
        assert found.scores[seat] == Fraction(sum(coins_after(one)[seat - 1] for one in orders), len(orders))
    assert differences(table, 100, seed=1, engine=quick_engine(table), limit=200) == []


PLAYED = """rules 1
game "Made"
players 2

card Good: step use
  bread: eat, 3 of each
  axe: fell(2), 2 of each

card Coat: warmth 1..2, step use
  fur: 2, warm
  rag: 1, nothing

zone stock: pile of Good, hidden
zone hand of player: set of Good, private
zone used: pile of Good, public
zone coats: set of Coat, public

number coins of player: 0..20

setup
  shuffle all Good into stock
  move all Coat to coats
  deal 2 from stock to each hand

phase play: turns from 1 until count of used > 2
  choose use_one or try_on

action use_one(card from hand)
  move card to used
  do use of card

action try_on
  each one in coats
    do use of one
  do use of the one in coats with lowest warmth of one

step eat
  coins becomes smallest(coins + 2, 20)

step fell(trees 1..2)
  coins becomes smallest(coins + trees, 20)

step warm
  end phase

ranking: highest coins, ties share
"""

PLAIN = {
    "number 1..4, step effect": "number 1..4",
    ", everybody_gains, 2": ", 2",
    "2, pay(2)\n": "2\n",
    "3, give_all\n": "3\n",
    "4, nothing\n": "4\n",
    "  do effect of event\n": """  if event = harvest
    do everybody_gains
  otherwise if event = tax
    do pay(2)
  otherwise if event = gift
    do give_all
""",
}


def test_they_stand_for_cases() -> None:
    plain = EVENTS
    for new, old in PLAIN.items():
        assert plain.count(new) == 1
        plain = plain.replace(new, old)
    assert_alike(EVENTS, plain)


def test_which_kind_it_is_follows_from_where_it_lies() -> None:
    table = table_of(PLAYED)
    assert differences(table, 100, seed=2, engine=quick_engine(table), limit=200) == []
    unknown = PLAYED.replace("do use of card", "do use of (if coins > 1 then card else card)")
    (found,) = errors_of(unknown)
    assert found.message == "several kinds have a step `use`, it is not known which of them this is"


def test_it_is_laid_out_as_it_is_written() -> None:
    assert is_laid_out(EVENTS)
    assert is_laid_out(PLAYED)
    turned = EVENTS.replace("step effect", "effect step", 1)
    assert not is_laid_out(turned)
    assert errors_of(turned) == []


def test_a_column_that_is_never_done_is_told() -> None:
    text = PLAYED.replace("  each one in coats\n    do use of one\n", "").replace(
        "  do use of the one in coats with lowest warmth of one\n", "  coins becomes 0\n"
    )
    assert "the step `use` of Coat is never done" in warnings_of(text)


SLIPS = {
    "do effect of event": {
        "do effect(event)": "do effect of event",
        "do effect": "do effect of …",
        "do the effect of event": "remove `the`",
        "do event effect": "do effect of event",
        "do event.effect": "effect of event",
        "apply effect of event": "`do`",
        "do effect from event": "`of`",
        "do effects of event": "`effect`",
    },
    "  gift: 3, give_all": {
        "  gift: 3, do give_all": "remove `do`",
        "  gift: 3, give_al": "give_all",
        "  gift: 3, none": "nothing",
        "  gift: 3, pay": "pay(amount)",
        "  gift: 3": "number, effect",
        "  gift: 3, 1 + 1": "`gain`",
    },
}


@pytest.mark.parametrize(("right", "wrong"), [(right, wrong) for right, slips in SLIPS.items() for wrong in slips])
def test_slips_are_told_what_to_write(right: str, wrong: str) -> None:
    found = errors_of(EVENTS.replace(right, wrong, 1))
    assert len(found) == 1
    assert SLIPS[right][wrong] in str(found[0].hint)


def test_what_is_no_such_card_is_told() -> None:
    (found,) = errors_of(EVENTS.replace("do effect of event", "do effect of coins"))
    assert found.message == "expected an Event, found a number"
