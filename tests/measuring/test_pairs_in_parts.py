"""Pairs of games from one process, from several, after one of them was ended: the same totals to the last digit."""

from __future__ import annotations

import os
import signal

import pytest

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.measure.pairs import PairTotals, merge_pairs, pairs_from_json, pairs_to_json
from rulesrun.interpreter.measure.suspects import find_suspects
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.run.measure_engines import PAIR_CHUNKS
from rulesrun.run.pair_ranges import PairOrder, make_duel, play_parts, split_deals
from rulesrun.run.ranges import Crew, make_order
from rulesrun.services.tables import seat_one
from rulesrun.terminal.requests import CompareRequest
from tests.interpreter.made import program
from tests.measuring.games import duel, kuhn
from tests.rulesrun.conftest import TINY

REQUEST = CompareRequest(players="2")


def pairs_with(jobs: int, deals: int, *, ends_one: bool = False, seats: str | None = None) -> PairTotals:
    """Pig to 100 points and to 30."""
    reading = read_rules("classics/pig")
    orders = []
    for settings in ({}, {"target": "30"}):
        table = seat_one(reading, REQUEST.but(settings=dict(settings)))
        orders.append((make_order(reading, table, 4, seats, ()), table))
    (left, left_table), (right, right_table) = orders
    order, found = PairOrder(left, right), PairTotals()
    with Crew(jobs) as crew:
        for part in play_parts(crew, order, make_duel(order, left_table, right_table), deals):
            found = merge_pairs(found, part)
            if ends_one and crew.pool is not None and found.games == 10:
                os.kill(next(iter(crew.pool._processes)), signal.SIGKILL)
    return found


def test_one_two_and_four_processes_give_the_same_pairs() -> None:
    alone = pairs_with(1, 45)
    assert (alone.games, alone.finished) == (45, 45)
    assert alone.differing > 0
    assert pairs_with(2, 45, ends_one=True) == alone
    assert pairs_with(4, 45) == alone


def test_bots_compare_the_same_in_any_process() -> None:
    assert pairs_with(2, 3, seats="last,first") == pairs_with(1, 3, seats="last,first")


def test_ranges_are_whole_whatever_their_sizes() -> None:
    for deals, seats in ((1, None), (45, None), (3, "greedy")):
        numbers = [number for first, games in split_deals(deals, seats) for number in range(first, first + games)]
        assert numbers == list(range(deals))


def test_pairs_as_plain_data_and_back() -> None:
    found = duel(kuhn(), kuhn(), 9).pairs
    assert pairs_from_json(pairs_to_json(found)) == found


# ---------------------------------------------------------------- without one thing


def without(text: str, of: str) -> tuple[float, float]:
    """The mean score of seat 1 with a rule and without it."""
    rules = program(text)
    table = set_up_table(rules, 2)
    suspect = next(one for one in find_suspects(rules, table) if one.text == of)
    found = duel(table, suspect.set_up_table(rules, 2, {}), 40).pairs
    left, right = (float(side.sums["score", "1"].total / side.finished) for side in (found.left, found.right))
    return left, right


def test_a_statement_an_action_a_tie_break_and_a_card_can_be_left_out() -> None:
    text = TINY.partition("\n")[2].replace('game "Tiny"\nplayers 2..3\n', "")
    kept = without(text, "action lay")
    assert kept[1] > kept[0]  # nobody lays a card: every hand keeps its points
    assert without(text, "lay: move give to table")[1] == kept[1]
    cards = [f"Card {rank}" for rank in range(1, 5)]
    rules = program(text)
    table = set_up_table(rules, 2)
    names = [one.text for one in find_suspects(rules, table) if one.is_component]
    assert names == cards
    fewer = next(one for one in find_suspects(rules, table) if one.text == "Card 4").set_up_table(rules, 2, {})
    for number in range(20):
        left, right = duel(table, fewer, 1, seed=number).pairs.left, duel(table, fewer, 1, seed=number).pairs.right
        assert ("kept", "4") not in right.sums
        assert left.finished == right.finished == 1


@pytest.mark.parametrize("criterion", ["lowest count of hand"])
def test_without_a_tie_break_those_who_are_level_share(criterion: str) -> None:
    text = TINY.partition("\n")[2].replace('game "Tiny"\nplayers 2..3\n', "")
    text = text.replace("points = sum of rank over c in hand", "points = 0")
    text = text.replace("highest total, ties", f"highest total, then {criterion}, ties")
    rules = program(text)
    table = set_up_table(rules, 2)
    suspect = next(one for one in find_suspects(rules, table) if one.what == "criterion")
    found = duel(table, suspect.set_up_table(rules, 2, {}), 30).pairs
    assert found.right.sums["tie",].total == 30
    assert found.left.sums["tie",].total < 30


def test_so_many_deals_that_the_clock_is_looked_at_soon() -> None:
    assert PAIR_CHUNKS.next_size(64, 5.0) == 1  # the reference had to play them
    assert PAIR_CHUNKS.next_size(64, PAIR_CHUNKS.seconds) == 64
    assert PAIR_CHUNKS.next_size(4, 0.0) == 4 * PAIR_CHUNKS.growth
    assert PAIR_CHUNKS.next_size(PAIR_CHUNKS.most, 0.0) == PAIR_CHUNKS.most
