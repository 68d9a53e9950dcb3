"""Expressions: what each is worth, from the reference of the language and from arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rulesrun.interpreter.model.values import Fault
from tests.interpreter.made import asked

PIECES = """
values Colour: red, blue, green
card Card: colour Colour, rank 1..3
zone row_of_cards: row of Card, public
zone hand of player: set of Card, private
zone stock: pile of Card, hidden
number chips of player: 0..9 = 4
marker friend: player or nothing
marker layout: order of 1..3
table prize(n 1..5): 1: 10, 2..3: 20, otherwise: 5
table doubled(n 1..5): 1: n + n, otherwise: n * 2
define twice(n 0..9) = n * 2
define own_rank = if player = 1 then 1 else 2
setup
  move all Card where colour = red to row_of_cards in reverse order of rank
  each player
    move all Card where colour = blue and (rank = own_rank or rank = own_rank + 1) to hand
    chips becomes own_rank + 2
"""


@pytest.mark.parametrize(
    ("question", "worth"),
    [
        ("7 div 2", 3),
        ("-7 div 2", -4),
        ("-7 mod 3", 2),
        ("7 / 2", Fraction(7, 2)),
        ("6 / 2", 3),
        ("7 / 2 + 1 / 2", 4),
        ("2 + 3 * 4 - 1", 13),
        ("if 1 < 2 and not (2 < 1) then 5 else 6", 5),
        ("count of row_of_cards", 3),
        ("count of hand of 1", 1),
        ("rank of top of row_of_cards", 1),
        ("rank of first of row_of_cards", 3),
        ("rank of item 2 of row_of_cards", 2),
        ("sum of rank over row_of_cards", 6),
        ("sum of rank of c over c in row_of_cards where rank of c > 1", 5),
        ("highest of rank over row_of_cards", 3),
        ("list of rank over row_of_cards", (3, 2, 1)),
        ("sorted of rank over row_of_cards", (1, 2, 3)),
        ("count of distinct colour over c in Card", 3),
        ("sum of distinct rank over c in Card", 6),
        ("count of Card where rank = 2 and colour is not red", 2),
        ("some c in row_of_cards has rank = 2", True),
        ("every c in row_of_cards has rank < 3", False),
        ("no c in row_of_cards has colour = blue", True),
        ("rank of (the c in row_of_cards with lowest rank)", 1),
        ("count of (those c in Card with highest rank)", 3),
        ("count of (those p in players with lowest chips of p)", 1),
        ("smallest(3, 5) + largest(3, 5)", 8),
        ("position(top of row_of_cards, row_of_cards)", 3),
        ("left of 2", 1),
        ("right of 1", 2),
        ("chips of 1 + chips of 2", 7),
        ("chips", 3),
        ("count of opponents", 1),
        ("players", 2),
        ("sum of chips of p over p in players", 7),
        ("prize(1) + prize(3) + prize(5)", 35),
        ("doubled(1) + doubled(4)", 10),
        ("twice(twice(2))", 8),
        ("friend is nothing", True),
        ("layout[2]", 2),
        ("item 3 of layout", 3),
        ("2 in 1..3", True),
        ("3 / 2 in 1..3", False),
        ("4 not in {1, 3}", True),
        ("hand of 2 = {blue 3, blue 2}", True),
        ("hand of 2 = {blue 3, blue 1}", False),
        ("row_of_cards is not empty", True),
        ("count of (1..3 where it > 1)", 2),
        ("highest of count of (Card where colour = c) over c in Colour", 3),
    ],
)
def test_worth(question: str, worth: Any) -> None:
    assert asked(question, PIECES) == worth


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("1 div (chips of 1 - 3)", "division-by-zero"),
        ("highest of rank over stock", "of-nothing"),
        ("rank of first of stock", "of-nothing"),
        ("chips of friend", "nothing-used"),
        ("item 9 of layout", "no-such-item"),
    ],
)
def test_what_has_no_value_is_a_fault_of_the_rules(question: str, code: str) -> None:
    with pytest.raises(Fault) as found:
        asked(question, PIECES.replace("stock: pile of Card, hidden", "stock: row of Card, public"))
    assert found.value.diagnostic.code == code


def test_an_owner_is_asked_in_the_place_of_player() -> None:
    pieces = PIECES + "define richer = some o in opponents has chips of o < chips\n"
    assert asked("richer of 2 and not richer of 1", pieces) is True


def test_a_condition_on_an_element_may_speak_of_a_nearer_name() -> None:
    question = "count of (Card where rank = count of (row_of_cards where rank < 3))"
    assert asked(question, PIECES) == 3
