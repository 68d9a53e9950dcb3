"""Seats of games of turns, changed in one line each: where no seat is named they are merged, else nothing is."""

from __future__ import annotations

import pytest

from tests.exploring.made import plainly, table_of
from tests.exploring.made_turns import CLIMB, SWAPS, changed, counted_alike, orders, together

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
    assert {title: merged.distance_of(at) for title, at in merged.happened.items()} == {
        title: apart.distance_of(at) for title, at in apart.happened.items()
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
