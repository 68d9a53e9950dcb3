"""Places that are alike: what is merged adds up exactly, and where the rules tell places apart nothing is merged."""

from __future__ import annotations

from itertools import permutations

import pytest

from rulesrun.interpreter.explore.breadth_first import Explored, explore_table
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.symmetries import find_symmetry_group
from tests.exploring import counted
from tests.exploring.made import bundled, plainly, small_table, table_of

PITS = """rules 1
game "Pits"
players 2

number stones[1..3]: 0..2 = 0
number taken of player: 0..9 = 0

phase play: turns from 1 until (sum of stones[p] over p in 1..3) >= 5
  choose put

action put(pit in 1..3)
  needs stones[pit] < 2
  stones[pit] increases by 1

score at end
  points = taken

ranking: highest total, ties share
"""
BODY = "  stones[pit] increases by 1\n"


def together(table: Table) -> Explored:
    return explore_table(table, group=find_symmetry_group(table))


def test_the_board_of_tic_tac_toe_has_eight_symmetries() -> None:
    found = together(bundled("classics/tic_tac_toe"))
    boards = counted.tic_tac_toe()
    assert len(found.group.members) + 1 == 8
    assert found.size == 765 == len({min(counted.images_of_board(one)) for one in boards})
    assert found.whole == sum(found.sizes) == 5478
    ends = {min(counted.images_of_board(one)) for one, following in boards.items() if not following}
    assert found.overs == len(ends) == 138


WITHOUT_DIAGONALS = """rules 1
# Three in a row or a column.
game "No diagonals"
players 2
marker owner[1..3, 1..3]: player or nothing
phase play: turns from 1 until every r in 1..3 has every c in 1..3 has owner[r, c] is not nothing
  choose mark
action mark(row in 1..3, column in 1..3)
  needs owner[row, column] is nothing
  owner[row, column] becomes player
  if three
    end game
define three = (some r in 1..3 has every c in 1..3 has owner[r, c] = player)
    or (some c in 1..3 has every r in 1..3 has owner[r, c] = player)
score at end
  outcome = if three then 1 else if some p in opponents has three of p then -1 else 0
ranking: highest total, ties share
"""


def test_without_diagonals_rows_and_columns_may_be_put_in_any_order() -> None:
    found = together(table_of(WITHOUT_DIAGONALS))
    boards = counted.reachable([(0,) * 9], after_mark_without_diagonals)
    assert len(found.group.members) + 1 == 72
    assert found.whole == len(boards)
    assert found.size == len({min(rows_and_columns(one)) for one in boards})


def after_mark_without_diagonals(board: tuple[int, ...]) -> list[tuple[int, ...]]:
    if any(board[a] and board[a] == board[b] == board[c] for a, b, c in counted.LINES[:6]):
        return []
    turn = 1 if board.count(1) == board.count(2) else 2
    return [(*board[:at], turn, *board[at + 1 :]) for at in range(9) if not board[at]]


def rows_and_columns(board: tuple[int, ...]) -> set[tuple[int, ...]]:
    orders = list(permutations(range(3)))
    found = {tuple(board[3 * r + c] for r in rows for c in columns) for rows in orders for columns in orders}
    return found | {tuple(one[3 * c + r] for r in range(3) for c in range(3)) for one in found}


@pytest.mark.parametrize("heaps", [(3, 3, 3), (2, 4, 2), (1, 2, 3)])
def test_equal_heaps_of_nim(heaps: tuple[int, ...]) -> None:
    found = together(bundled("classics/nim", heaps=list(heaps)))
    positions = counted.nim(heaps)
    equal = [order for order in permutations(range(3)) if all(heaps[at] == heaps[to] for at, to in enumerate(order))]
    images = {min((tuple(left[at] for at in order), player) for order in equal) for left, player in positions}
    assert (found.size, found.whole) == (len(images), len(positions))


# ---- made-up rules: what is merged adds up

ALIKE = {
    "as it is": PITS,
    "the fullest": PITS.replace("points = taken", "points = taken + highest of stones[p] over p in 1..3"),
    "a count of those": PITS.replace("points = taken", "points = count of (1..3 where stones[it] = 2)"),
    "every two of them": PITS
    + 'never "it": some p in 1..3 has every q in 1..3 has p = q or stones[p] > stones[q] + 1\n',
    "all emptied": PITS.replace(BODY, f"{BODY}  if (sum of stones[p] over p in 1..3) = 3 and taken < 3\n"
                                "    taken increases by 3\n    each p in 1..3\n      stones[p] becomes 0\n"),
    "a definition": PITS.replace(BODY, f"{BODY}  if full(pit) and taken < 9\n    taken increases by 1\n")
    + "define full(p 1..3) = stones[p] = 2 and no q in 1..3 has q is not p and stones[q] = 2\n",
}
NOT_ALIKE = {
    "one is named": PITS.replace(BODY, f"{BODY}  if pit = 1 and taken < 9\n    taken increases by 1\n"),
    "its number counts": PITS.replace(BODY, f"{BODY}  if taken < 7\n    taken increases by pit\n"),
    "it is remembered": PITS.replace(BODY, f"{BODY}  last becomes pit\n") + "number last: 0..3 = 0\n",
    "the first one": PITS.replace("points = taken", "points = lowest of p over p in 1..3 where stones[p] > 0"),
    "in their order": PITS.replace("points = taken", "points = first of list of stones[p] over p in 1..3"),
    "neighbours": PITS + 'never "it": some p in 1..2 has stones[p] = 2 and stones[p + 1] = 2 and stones[1] = 0\n',
    "one after the other": PITS.replace(BODY, f"{BODY}  each p in 1..3\n    if stones[p] = 2 and taken = 0\n"
                                        "      stones[p] becomes 0\n      taken becomes 1\n"),
    "what is remembered while a die is thrown": PITS.replace(
        BODY, "  roll coin\n  if coin = 1 and pit = 2 and taken < 9\n    taken increases by 1\n" + BODY
    ) + "marker coin: 1..2\n",
    "a weight for each": PITS.replace("points = taken", "points = sum of (stones[p] * weight(p)) over p in 1..3")
    + "table weight(p 1..3): 1, 2, 3\n",
    "a table that asks another one": PITS.replace(
        BODY, f"{BODY}  if first(0) = 2 and taken < 9\n    taken increases by 1\n"
    ) + "table first(k 0..1): 0: second(k), otherwise: 0\ntable second(k 0..1): 0: stones[1], otherwise: 0\n",
}


@pytest.mark.parametrize("name", ALIKE)
def test_what_does_not_look_at_places_leaves_them_alike(name: str) -> None:
    table = table_of(ALIKE[name])
    merged, apart = together(table), plainly(table)
    assert len(merged.group.members) + 1 == 6
    assert merged.whole == apart.size
    assert merged.size < apart.size
    assert merged.depth == apart.depth
    assert [one.title for one in merged.findings] == [one.title for one in apart.findings]


@pytest.mark.parametrize("name", NOT_ALIKE)
def test_what_tells_places_apart_keeps_them_apart(name: str) -> None:
    table = table_of(NOT_ALIKE[name])
    merged, apart = together(table), plainly(table)
    assert len(merged.group.members) + 1 < 6
    assert merged.whole == apart.size


def test_rows_that_are_named_in_pairs() -> None:
    """Two rows that rise and two that fall: each pair may be exchanged, though the rules name all four of them."""
    assert len(find_symmetry_group(bundled("the_game")).members) + 1 == 2 * 2


@pytest.mark.parametrize(("name", "number"), [
    ("tokens", 0),
    pytest.param("hourglass", 1, marks=pytest.mark.long),
    pytest.param("zero", 1, marks=pytest.mark.long),
])
def test_words_and_places_of_the_small_tables_add_up(name: str, number: int) -> None:
    table = small_table(name, number)
    assert together(table).whole == plainly(table).size
