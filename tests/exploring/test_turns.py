"""Seats of games of turns: what is merged is what plain counting says; where a seat is named nothing is merged."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

import pytest

from rulesrun.explored import Explorer
from rulesrun.interpreter.exploring.breadth import Explored, explore
from rulesrun.interpreter.exploring.endings import ends
from rulesrun.interpreter.exploring.symmetries import group_of
from rulesrun.interpreter.exploring.turns_alike import seats_in_turn
from rulesrun.interpreter.exploring.turns_begun import seats_once_begun
from rulesrun.interpreter.native.exploring import natively
from rulesrun.interpreter.native.exploring_code import exploring_code
from rulesrun.interpreter.table import Table
from tests.exploring import counted_turns as counted
from tests.exploring.made import EXCHANGES, plainly, table_of
from tests.native.explored import told

CLIMB = """rules 1
game "Climb"
players 2..4

card Card: rank 1..5

zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public

number passes: 0..2 = 0

setup
  draw lots for starter
  shuffle all Card into stock
  deal 1 from stock to each hand

phase play: turns from starter until passes = 2
  choose lay or pass

action lay(given from hand)
  needs heap is empty or rank of given > rank of top of heap
  move given to heap

action pass
  passes increases by 1

score at end
  points = count of hand

ranking: lowest total, ties share
"""
FIRST = CLIMB.replace("  draw lots for starter\n", "").replace("from starter", "from 1")
SWAPS = """rules 1
game "Swaps"
players 2..3

card Card: rank 1..4

zone stock: pile of Card, hidden
zone supply: set of Card, public
zone hand of player: set of Card, private

number passes: 0..2 = 0

setup
  shuffle all Card into stock
  deal 1 from stock to each hand
  draw 1 from stock to supply

phase exchanging: turns from 1 until passes = 2
  choose exchange or pass

action exchange(give from hand, take from supply)
  move give to supply
  move take to hand

action pass
  passes increases by 1

score at end
  points = sum of rank over hand

ranking: highest total, ties share
"""
BOASTS = """rules 1
game "Boasts"
players 2..3
rounds 2, starter moves left

card Card: rank 1..3

zone stock: pile of Card, hidden
zone hand of player: set of Card, private

number wins of player: 0..2 = 0
marker boasted: player or nothing, each round

setup
  draw lots for starter

setup round
  shuffle all Card into stock
  deal 1 from stock to each hand

phase play: one turn each from starter
  choose boast or hush

action boast
  needs boasted is nothing
  boasted becomes player

action hush

at end of round "nobody": count of stock <= 3

phase counting
  each player
    if boasted = player and (sum of rank over hand) = 3
      wins increases by 1

score at end
  points = wins

ranking: highest total, ties share
"""
BETS = """rules 1
game "Bets"
players 2..3

marker bettor: player or nothing
number chips of player: 0..2 = 1

setup
  draw lots for starter

phase play: repeat until some p in players has chips of p = 2
  draw lots for bettor
  bettor chooses bet or stay

action bet
  chips increases by 1

action stay
  bettor becomes nothing

score at end
  points = chips

ranking: highest total, ties share
"""


def together(table: Table) -> Explored:
    return explore(table, group=group_of(table))


def orders(table: Table) -> int:
    found = seats_in_turn(table, 120)
    return len(found.members) + 1 if found is not None else 1


def says_the_same(table: Table, merged: Explored) -> bool:
    return told(explore(table, group=group_of(table), engine=natively(exploring_code(table), 1))) == told(merged)


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
    images: Iterable[set[counted.Position]] = (
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


def counted_alike(table: Table) -> int:
    found = seats_once_begun(table, 120)
    return len(found.members) + 1 if found is not None else 1


def test_circles_are_counted_as_often_as_they_are_reached() -> None:
    table = table_of(SWAPS)
    merged, apart = together(table), plainly(table)
    assert merged.whole == apart.size > merged.size
    circles = [ends(found).circle for found in (merged, apart)]
    assert circles[0] is not None
    assert circles[1] is not None
    assert circles[0].members == circles[1].members


# ---- in both directions


def changed(old: str, new: str, text: str = CLIMB) -> str:
    assert old in text
    return text.replace(old, new)


SETUP = "  draw lots for starter\n  shuffle all Card into stock\n  deal 1 from stock to each hand\n"
WIDE = CLIMB.replace("rank 1..5", "rank 1..9")
LAY = "  move given to heap\n"
PASS = "  passes increases by 1\n"
BEGUN = {
    "as it is": SWAPS,
    "the beginning names seats": changed("setup\n", "setup\n  last becomes 2\n", changed(
        PASS, PASS + "  last becomes nothing\n", SWAPS)) + "marker last: player or nothing = 1\n",
    "the drawn one begins": changed("from 1 ", "from dealer ", changed(
        "setup\n", "setup\n  draw lots for dealer\n", changed(PASS, PASS + "  dealer becomes nothing\n", SWAPS)))
    + "marker dealer: player or nothing\n",
    "the end of the game ends all turns": changed(
        PASS, PASS + "  if passes = 2\n    end game\n", changed(" until passes = 2", "", SWAPS)),
    "a second phase goes on from somebody": changed(
        "score at end", "phase second: one turn each from left of last\n  choose exchange or settle\n\naction settle\n"
        "  last becomes player\n\nscore at end", changed(PASS, PASS + "  last becomes player\n", SWAPS))
    + "marker last: player or nothing\n",
}
NOT_BEGUN = {
    "the end of the game in the middle of a turn, or not": changed(
        PASS, PASS + "  if supply is empty\n    end game\n", SWAPS),
    "the end of the game is looked at by somebody": SWAPS + 'never "it": player = starter and passes = 2\n',
    "a rule for one seat": changed("  move give to supply\n", "  needs player = 1 or passes = 0\n"
                                   "  move give to supply\n", SWAPS),
    "in every round": SWAPS + "rounds 2\n",
    "a second phase begins at a seat": changed(
        "score at end", "phase second: one turn each from 1\n  choose exchange or settle\n\naction settle\n\n"
        "score at end", SWAPS),
    "somebody chooses out of turn": changed(
        "score at end", "phase second\n  choose settle\n\naction settle\n\nscore at end", SWAPS),
}
ALIKE = {
    "as it is": CLIMB,
    "dealt before the beginner is drawn": changed(
        SETUP, "  shuffle all Card into stock\n  deal 1 from stock to each hand\n  draw lots for starter\n"),
    "a deal to all and one to the table": changed(SETUP, SETUP + "  draw 1 from stock to heap\n"),
    "the neighbour is given a card": changed(LAY, LAY + "  move all hand to hand of left of player\n"),
    "the left one of the drawn one begins": changed("  draw lots for starter\n", "  draw lots for dealer\n"
                                                   "  starter becomes left of dealer\n")
    + "marker dealer: player or nothing\n",
    "somebody is remembered": changed(LAY, LAY + "  last becomes player\n") + "marker last: player or nothing\n",
    "set back to nothing each turn": changed(LAY, LAY + "  last becomes player\n")
    + "marker last: player or nothing, each turn\n",
    "a player is chosen": changed(LAY, LAY + "  liked becomes friend\n", changed("given from hand)", "given from hand, "
                                  "friend in opponents)")) + "marker liked: player or nothing\n",
    "one after the other from the beginner on": changed(
        LAY, LAY + "  each player from starter\n    if sum_laid < 3\n      sum_laid increases by 1\n"
        "      marked becomes player\n") + "number sum_laid: 0..3 = 0\nmarker marked: player or nothing\n",
    "the end of a turn is judged": CLIMB + 'at end of turn "few": count of hand <= 1\n',
    "after an action": CLIMB + 'after lay "more": count of heap = before (count of heap) + 1\n',
    "what one can do": changed("  choose lay or pass\n", "  if can lay\n    choose lay or pass\n  otherwise\n"
                               "    choose pass\n"),
    "one is asked out of turn": changed(LAY, LAY + "  left of player chooses pass\n"),
    "an option that may name a seat does not": changed(
        "  draw lots for starter\n", "  if first = lot\n    draw lots for starter\n  otherwise\n"
        "    starter becomes seat(first)\n") + "option first: lot, seat or player = lot\n",
}
NOT_ALIKE = {
    "the beginner is known": changed("  draw lots for starter\n", "  starter becomes 1\n"),
    "the first seat begins": changed("from starter", "from 1"),
    "an option names a seat": changed(
        "  draw lots for starter\n", "  if first = lot\n    draw lots for starter\n  otherwise\n"
        "    starter becomes seat(first)\n") + "option first: lot, seat or player = seat\n",
    "drawn or not": changed("  draw lots for starter\n", "  roll coin\n  if coin = 1\n    draw lots for starter\n")
    + "marker coin: 1..2\n",
    "a tie is broken for a seat": changed("lowest total,", "lowest total, then lowest (if player = 1 then 0 else 1),"),
    "a property names a seat": CLIMB + 'never "it": hand of 2 is empty\n',
    "something that can happen names a seat": CLIMB + 'can happen "it": starter = 1 and passes = 1\n',
    "a rule for one seat": changed("  needs heap is empty", "  needs player = 1 or heap is empty"),
    "one after the other from the first seat on": changed(
        LAY, LAY + "  each player\n    if sum_laid < 3\n      sum_laid increases by 1\n      marked becomes player\n")
    + "number sum_laid: 0..3 = 0\nmarker marked: player or nothing\n",
    "the first of several seats": changed(
        LAY, LAY + "  marked becomes the p in players with lowest count of hand of p\n")
    + "marker marked: player or nothing\n",
    "a seat that comes again by itself": CLIMB + "marker last: player, each turn\n",
    "something is known of the pile": changed(
        "  deal 1", "  draw 1 from stock to heap\n  move top of heap to stock\n  deal 1"),
    "as many as there are": changed("  deal 1 from", "  deal up to 1 from"),
    "dealt to hands that hold cards": changed(SETUP, SETUP + "  deal 1 from stock to each hand\n", WIDE),
    "as many as the dice say": changed("  deal 1 from", "  roll many\n  deal many from") + "marker many: 1..2\n",
    "a seat in the numbers of a table": changed("points = count of hand", "points = count of hand + worth(player)")
    + "table worth(p player): 1: 1, otherwise: 0\n",
    "somebody chooses before anybody has begun": changed("setup\n", "setup\n  choose pass\n"),
}


@pytest.mark.parametrize("name", ALIKE)
@pytest.mark.parametrize("players", [2, 3])
def test_what_names_no_seat_leaves_them_alike(name: str, players: int) -> None:
    table = table_of(ALIKE[name], players)
    merged, apart = together(table), plainly(table)
    assert orders(table) == players
    assert merged.whole == apart.size > merged.size
    assert merged.depth == apart.depth
    assert [one.title for one in merged.findings] == [one.title for one in apart.findings]
    assert {title: merged.distance(at) for title, at in merged.happened.items()} == {
        title: apart.distance(at) for title, at in apart.happened.items()
    }


@pytest.mark.parametrize("name", NOT_ALIKE)
def test_what_tells_seats_apart_keeps_them_apart(name: str) -> None:
    assert orders(table_of(NOT_ALIKE[name])) == 1


@pytest.mark.parametrize("name", BEGUN)
@pytest.mark.parametrize("players", [2, 3])
def test_once_begun_a_game_may_treat_seats_alike(name: str, players: int) -> None:
    table = table_of(BEGUN[name], players)
    merged, apart = together(table), plainly(table)
    assert (orders(table), counted_alike(table)) == (1, players)
    assert merged.whole == apart.size > merged.size
    assert [one.title for one in merged.findings] == [one.title for one in apart.findings]


@pytest.mark.parametrize("name", NOT_BEGUN)
def test_what_tells_seats_apart_later_on_keeps_them_apart(name: str) -> None:
    assert (orders(table_of(NOT_BEGUN[name])), counted_alike(table_of(NOT_BEGUN[name]))) == (1, 1)


def test_colours_and_seats_only_where_no_exchange_of_both_could_leave_a_deal_as_it_is() -> None:
    """Before anybody has been drawn every exchange leaves all but the hands as it is: colours alone are exchanged."""
    text = EXCHANGES.replace("from 1 ", "from starter ").replace("red, blue, green", "red, blue")
    late = text.replace("\n\nphase", "\n  draw lots for starter\n\nphase")
    soon = text.replace("setup\n", "setup\n  draw lots for starter\n")
    assert [orders(table_of(one)) for one in (late, soon)] == [2, 2]
    assert [len(group_of(table_of(one)).members) + 1 for one in (late, soon)] == [2, 4]
    for one in (late, soon):
        table = table_of(one)
        assert together(table).whole == plainly(table).size


def test_seats_beside_each_other_are_alike_for_two() -> None:
    """With three they may only move on, and a rule that counts from the right is the same then."""
    text = changed(LAY, LAY + "  move all hand to hand of right of player\n")
    assert [orders(table_of(text, players)) for players in (2, 3, 4)] == [2, 3, 4]


def test_what_goes_in_circles_is_counted_one_by_one_where_cards_are_dealt() -> None:
    text = changed("  passes increases by 1\n", "  passes becomes 1 - passes\n")
    table = table_of(text)
    found, told_ends = Explorer("reference", 1).explored(table, 10_000, group_of(table))
    apart = plainly(table)
    assert together(table).size < apart.size
    assert told_ends.circle is not None
    assert found.size == apart.size
