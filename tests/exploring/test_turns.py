"""Seats of games of turns: what is merged is what is counted apart, by other means."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.interpreter.explore.breadth_first import Explored, explore_table
from rulesrun.interpreter.explore.findings import analyze_endings
from rulesrun.interpreter.native.explore.exploration import compile_exploration, make_native_engine
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.symmetries import find_symmetry_group
from rulesrun.run.explore_engines import Explorer
from tests.exploring import counted_turns as counted
from tests.exploring.counted import Position
from tests.exploring.made import EXCHANGES, plainly, table_of
from tests.exploring.made_turns import BETS, BOASTS, CLIMB, FIRST, SWAPS, changed, counted_alike, orders, together
from tests.native.explored import told


def says_the_same(table: Table, merged: Explored) -> bool:
    return told(
        explore_table(table, group=find_symmetry_group(table), engine=make_native_engine(compile_exploration(table), 1))
    ) == told(merged)


# ---- counted apart


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_around_the_table(players: int) -> None:
    """A deal that goes on is one position for all who may begin; then all move on together."""
    table = table_of(CLIMB, players)
    found, every = together(table), set(counted.climb(players, 5))
    assert orders(table) == players
    assert found.whole == sum(found.sizes) == len(every)
    assert found.size == len({min(counted.climb_moved_on(one, by, players) for by in range(players)) for one in every})
    assert says_the_same(table, found)


@pytest.mark.parametrize(("players", "ranks"), [(2, 3), pytest.param(3, 4, marks=pytest.mark.long)])
def test_deals_in_every_round(players: int, ranks: int) -> None:
    table = table_of(BOASTS.replace("rank 1..3", f"rank 1..{ranks}"), players)
    found, every = together(table), set(counted.boasts(players, ranks))
    assert found.whole == sum(found.sizes) == len(every)
    assert found.size == len({min(counted.boasts_moved_on(one, by, players) for by in range(players)) for one in every})
    assert says_the_same(table, found)


@pytest.mark.parametrize("players", [2, 3])
def test_all_orders_where_nobody_sits_beside_another(players: int) -> None:
    """Who has been drawn, the chips; at the end nobody is drawn any more."""
    table = table_of(BETS, players)
    found, every = together(table), set(counted.bets(players))
    assert orders(table) == len(list(permutations(range(players))))
    assert found.whole == len(every)
    assert found.size == len({min(counted.bets_reseated(one, order) for order in permutations(range(players)))
                              for one in every})
    assert says_the_same(table, found)


@pytest.mark.parametrize("players", [2, 3])
def test_exchanges_with_a_beginner_who_was_drawn(players: int) -> None:
    """A small game of exchanging: colours and seats together."""
    text = EXCHANGES.replace("players 2\n", "players 2..3\n").replace("from 1 ", "from starter ")
    text = text.replace("setup\n", "setup\n  draw lots for starter\n").replace("red, blue, green", "red, blue")
    text = text.replace("rank 1..2", f"rank 1..{players}").replace("deal 2 from", "deal 1 from")
    table = table_of(text, players)
    found, every = together(table), set(counted.drawn_exchanges(players, 2, players))
    assert len(found.group.members) + 1 == 2 * players
    assert found.whole == len(every)
    images: Iterable[set[Position]] = (
        {counted.exchanges_moved_on(counted.recoloured(one, swap), by, players)
         for by in range(players) for swap in (False, True)} for one in every
    )
    assert found.size == len({frozenset(several) for several in images})
    assert says_the_same(table, found)


# ---- where the beginning names a seat


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_reached_is_counted_where_the_beginner_is_known(players: int) -> None:
    """Of positions that are alike not all are reached then: only those from which the first seat began."""
    table = table_of(FIRST, players)
    found, every = together(table), set(counted.climb(players, 5, from_seat=0))
    assert counted_alike(table) == players
    assert found.whole == sum(found.sizes) == len(every)
    classes = {counted.climb_alike_once_begun(one, players) for one in every}
    assert found.size == len(classes) < len(every)
    assert says_the_same(table, found)


def test_what_is_itself_again_when_all_move_on_counts_once() -> None:
    """Two seats that bet or not; nobody has a turn at the end, and both may have the same then."""
    text = """rules 1
game "Same"
players 2

number chips of player: 0..1 = 0

phase play: one turn each from 1
  choose bet or stay

action bet
  chips becomes 1

action stay

score at end
  points = chips

ranking: highest total, ties share
"""
    found = together(table_of(text))
    # the first turn; the second with 0 or 1 chip of the first; four ends, two of which are alike
    assert (found.size, found.whole, sorted(found.sizes)) == (6, 7, [1, 1, 1, 1, 1, 2])


def test_circles_are_counted_as_often_as_they_are_reached() -> None:
    table = table_of(SWAPS)
    merged, apart = together(table), plainly(table)
    assert merged.whole == apart.size > merged.size
    circles = [analyze_endings(found).circle for found in (merged, apart)]
    assert circles[0] is not None
    assert circles[1] is not None
    assert circles[0].members == circles[1].members


# ---- together with other exchanges


def test_colours_and_seats_only_where_no_exchange_of_both_could_leave_a_deal_as_it_is() -> None:
    """Before anybody has been drawn every exchange leaves all but the hands as it is: colours alone are exchanged."""
    text = EXCHANGES.replace("from 1 ", "from starter ").replace("red, blue, green", "red, blue")
    late = text.replace("\n\nphase", "\n  draw lots for starter\n\nphase")
    soon = text.replace("setup\n", "setup\n  draw lots for starter\n")
    assert [orders(table_of(one)) for one in (late, soon)] == [2, 2]
    assert [len(find_symmetry_group(table_of(one)).members) + 1 for one in (late, soon)] == [2, 4]
    for one in (late, soon):
        table = table_of(one)
        assert together(table).whole == plainly(table).size


def test_seats_beside_each_other_are_alike_for_two() -> None:
    """With three they may only move on, and a rule that counts from the right is the same then."""
    text = changed("  move given to heap\n", "  move given to heap\n" + "  move all hand to hand of right of player\n")
    assert [orders(table_of(text, players)) for players in (2, 3, 4)] == [2, 3, 4]


def test_what_goes_in_circles_is_counted_one_by_one_where_cards_are_dealt() -> None:
    text = changed("  passes increases by 1\n", "  passes becomes 1 - passes\n")
    table = table_of(text)
    found, told_ends = Explorer("reference", 1).explore(table, 10_000, find_symmetry_group(table))
    apart = plainly(table)
    assert together(table).size < apart.size
    assert told_ends.circle is not None
    assert found.size == apart.size
