"""What stays with a component: positions and transitions, against an enumeration written apart."""

from __future__ import annotations

import pytest

from rulesrun.dsl import ast
from rulesrun.interpreter.symmetry.symmetric_words import WordSymmetryProof
from tests.dsl.marked import TABLE
from tests.exploring.made import merged, plainly, table_of
from tests.native.both import differences, quick_engine

RULES = TABLE.replace("2..4", "2") + """values Colour: red, blue
card Card: colour Colour, rank 1..2
zone supply: set of Card, public
zone hand of player: set of Card, public
marker told of Card: yes or no
number wear of Card: 0..2, clamped
setup
  move all Card to supply
phase play: turns from 1 until count of supply = 0
  choose tell, take or use
action tell(c from supply where not told of it)
  told of c becomes yes
action take(c from supply where told of it)
  move c to hand
action use(c from hand where wear of it < 2)
  wear of c increases by 1
  told of c becomes no
score at end
  points = sum of wear of c over c in hand
"""
Four = tuple[int, int, int, int]
Position = tuple[Four, Four, Four, int]  # where each card lies, whether it is told, its wear; whose turn it is


def put(values: Four, at: int, value: int) -> Four:
    a, b, c, d = [value if place == at else old for place, old in enumerate(values)]
    return a, b, c, d


def list_following(position: Position) -> list[Position]:
    where, told, wear, player = position
    found: list[Position] = []
    for card in range(4 if 0 in where else 0):
        if where[card] == 0 and not told[card]:
            found.append((where, put(told, card, 1), wear, 3 - player))
        if where[card] == 0 and told[card]:
            found.append((put(where, card, player), told, wear, 3 - player))
        if where[card] == player and wear[card] < 2:
            found.append((where, put(told, card, 0), put(wear, card, wear[card] + 1), 3 - player))
    return found


def enumerate_positions() -> dict[Position, list[Position]]:
    none = (0, 0, 0, 0)
    found: dict[Position, list[Position]] = {}
    waiting: list[Position] = [(none, none, none, 1)]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found[one] = list_following(one)
            waiting += found[one]
    return found


def exchange_colours(position: Position) -> Position:
    *kept, player = position
    where, told, wear = ((*one[2:], *one[:2]) for one in kept)
    return where, told, wear, player


def test_positions_and_transitions() -> None:
    expected, found = enumerate_positions(), plainly(table_of(RULES))
    assert found.is_complete
    assert len(found.keys) == len(expected) == 2221
    assert found.transitions == sum(map(len, expected.values()))
    assert found.overs == sum(not following for following in expected.values())


def test_colours_take_what_is_kept_with_them() -> None:
    found = merged(table_of(RULES))
    assert len(found.keys) == len({min(one, exchange_colours(one)) for one in enumerate_positions()})


@pytest.mark.parametrize(("old", "new"), [
    ("  move all Card to supply\n", "  move all Card to supply\n  told of (red 1) becomes yes\n"),
    ("where told of it", "where told of it or wear of (red 2) > 0"),
])  # fmt: skip
def test_colours_are_not_alike_where_one_card_is_named(old: str, new: str) -> None:
    assert old in RULES
    table = table_of(RULES.replace(old, new))
    assert len(WordSymmetryProof(table, table.bench.declarations(ast.Values)[0]).free_words) < 2
    assert len(merged(table).keys) == len(plainly(table).keys)


def test_both_engines_play_the_same() -> None:
    pytest.importorskip("llvmlite")
    for rules in (RULES, RULES.replace("told of Card: yes or no", "told of Card: yes or no, each turn")):
        table = table_of(rules)
        assert differences(table, 60, engine=quick_engine(table), limit=200) == []
