"""Chance: exact odds, shuffled piles that have no order until drawn from, random orders."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.step import next_state, order_at, order_number, start_state
from tests.interpreter.made import FLOW, chance, odds, table

TOKENS = """
values Colour: red, blue
token Token: colour Colour, 3 of each
zone bag: pile of Token, hidden
zone board: row of Token, public
zone hand of player: set of Token, private
"""


def test_what_nothing_tells_apart_is_one_outcome() -> None:
    made = table(TOKENS + "setup\n  shuffle all Token into bag\n  draw 2 from bag to board\n" + FLOW)
    state = start_state(made)
    assert odds(made, state) == {"red": 3, "blue": 3}
    assert odds(made, next_state(made, state, 0)) == {"red": 2, "blue": 3}


def test_what_is_put_under_a_shuffled_pile_is_known_to_be_there() -> None:
    setup = """setup
  move all Token where colour = red to bag
  shuffle bag
  draw 2 from bag to board
  move all Token where colour = blue to bottom of bag
  draw 2 from bag to board
"""
    made = table(TOKENS + setup + FLOW)
    state = start_state(made)
    assert odds(made, state) == {"red": 3}
    state = next_state(made, next_state(made, state, 0), 0)
    assert odds(made, state) == {"red": 1}
    assert odds(made, next_state(made, state, 0)) == {"blue": 1}


def test_a_deal_goes_seat_by_seat() -> None:
    made = table(TOKENS + "setup\n  shuffle all Token into bag\n  deal 2 from bag to each hand\n" + FLOW)
    state, targets = start_state(made), []
    for _ in range(4):
        targets.append(chance(made, state).target)
        state = next_state(made, state, 0)
    assert targets == ["hand[1]", "hand[1]", "hand[2]", "hand[2]"]


def test_drawing_from_an_empty_pile_is_a_fault_unless_up_to() -> None:
    setup = "setup\n  shuffle all Token into bag\n  draw 7 from bag to board\n"
    made = table(TOKENS + setup.replace("draw 7", "draw up to 7") + FLOW)
    state = start_state(made)
    for _ in range(6):
        state = next_state(made, state, 0)
    made = table(TOKENS + "number most: 0..9 = 7\n" + setup.replace("draw 7", "draw most") + FLOW)
    state = start_state(made)
    for _ in range(5):
        state = next_state(made, state, 0)
    with pytest.raises(Fault) as found:
        next_state(made, state, 0)
    assert found.value.diagnostic.code == "empty-zone"


def test_a_draw_under_a_condition_is_one_event_among_what_fits() -> None:
    setup = "setup\n  shuffle all Token into bag\n  draw 1 from bag where colour = blue to board\n"
    made = table(TOKENS + setup + FLOW)
    assert odds(made, start_state(made)) == {"blue": 3}


def test_dice_with_chances_and_lots() -> None:
    made = table(
        "number die: 1..3\nmarker leader: player\nsetup\n  roll die with chances 3, 0, 1\n  draw lots for leader\n"
        + FLOW,
        4,
    )
    state = start_state(made)
    assert odds(made, state) == {1: 3, 3: 1}
    assert chance(made, state).what == "roll"
    state = next_state(made, state, 1)
    assert odds(made, state) == {1: 1, 2: 1, 3: 1, 4: 1}
    assert chance(made, state).what == "lot"


def test_a_random_order_is_one_event() -> None:
    made = table("marker layout: order of 1..3\nsetup\n  shuffle layout\n" + FLOW)
    decision = chance(made, start_state(made))
    assert (decision.what, decision.size, decision.total) == ("order", 6, 6)
    assert [tuple(decision.outcome(index)) for index in range(6)] == list(permutations((1, 2, 3)))
    assert decision.index_of([3, 1, 2]) == 4
    assert decision.index_of([3, 1, 1]) is None


def test_cards_put_in_order_are_drawn_from_the_top() -> None:
    pieces = "card Card: rank 1..4\nzone pile_of: pile of Card, hidden\nzone drawn: row of Card, public\n"
    setup = "setup\n  move all Card to pile_of in order of rank\n  draw 2 from pile_of to drawn\n"
    made = table(pieces + setup + FLOW)
    state = start_state(made)
    assert odds(made, state) == {"4": 1}
    assert odds(made, next_state(made, state, 0)) == {"3": 1}


@given(st.integers(1, 7).flatmap(lambda n: st.permutations(list(range(n)))))
def test_an_order_and_its_number_belong_together(order: list[int]) -> None:
    number = order_number(order, range(len(order)))
    assert number is not None
    assert order_at(number, len(order)) == tuple(order)


def test_streams_are_fair_and_of_their_own() -> None:
    streams = Streams(seed=5)
    counted = Counter(streams.random_below(6, "die") for _ in range(6000))
    assert set(counted) == set(range(6))
    assert max(abs(amount - 1000) for amount in counted.values()) < 150
    # what another source draws in between changes nothing
    alone, disturbed = Streams(9, 3), Streams(9, 3)
    wanted = [alone.random_below(10, "stock") for _ in range(20)]
    found = []
    for number in range(20):
        disturbed.random_below(number + 2, "somebody else")
        found.append(disturbed.random_below(10, "stock"))
    assert found == wanted
    assert wanted != [Streams(10, 3).random_below(10, "stock") for _ in range(20)]


def test_streams_reach_beyond_64_bits() -> None:
    streams, limit = Streams(1), 2**200
    values = [streams.random_below(limit, "order") for _ in range(50)]
    assert all(0 <= value < limit for value in values)
    assert min(values) < limit // 2 < max(values)
    assert len({value % 1024 for value in values}) > 30




def test_a_roll_never_gives_nothing() -> None:
    made = table("values Suit: clubs, hearts\nmarker trump: Suit or nothing\nsetup\n  roll trump\n" + FLOW)
    assert odds(made, start_state(made)) == {"clubs": 1, "hearts": 1}
