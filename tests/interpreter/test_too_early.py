"""What is settled before the game asks for players, options and components; anything else is an error at its place."""

from __future__ import annotations

from contextlib import suppress

import pytest

from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import read_text
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.play.random_games import simulate_games
from rulesrun.interpreter.reference.table import set_up_table
from tests.interpreter.made import FLOW, program, table

REQUIRE = """
option n: 1..6 = {default}
card Card: rank 1..20
require players * n <= count of Card because "there are not enough cards"
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
setup
  shuffle all Card into deck
  deal n from deck to each hand
phase play: one turn each from 1
  choose lay
action lay(card from hand)
  move card to bottom of deck
score at end
  points = sum of rank over hand
ranking: highest total, ties share
"""


def test_a_requirement_may_count_components() -> None:
    rules = program(REQUIRE.format(default=6), "2..5")
    assert simulate_games(set_up_table(rules, 3), 0, 2).decisions == 6
    with pytest.raises(RefusedTable, match="there are not enough cards"):
        set_up_table(rules, 4)


def test_an_option_may_count_components() -> None:
    made = table(REQUIRE.format(default="count of (Card where rank < 4)"), 2)
    assert made.options == {"n": 3}
    made = table(REQUIRE.format(default=2).replace("1..6", "1..(count of Card div players)"), 5)
    assert made.options == {"n": 2}
    with pytest.raises(RefusedTable):
        set_up_table(made.program, 5, {"n": 5})


CLEAN = {
    "players": "2", "option": "option n: 1..6 = 2", "values": "1..3", "rank": "1..3", "where": "", "copies": "2",
    "computed": "0", "cell": "1", "row copies": "1", "table": "1..4", "capacity": "9", "sort": "", "key": "1..2",
    "bound": "9", "number": "0..9", "order": "1..3", "require": "", "rule": "yes",
}  # fmt: skip
PLACES = {
    "option": "option n: 1..6 = {}", "values": "1..({})", "rank": "1..({})", "where": " where rank <= ({})",
    "copies": "({})", "computed": "{}", "cell": "{}", "row copies": "({})", "table": "1..({})", "capacity": "({})",
    "sort": ", sorted by ({})", "key": "1..({})", "bound": "({})", "number": "0..({})", "order": "1..({})",
    "require": "require ({}) < 99",
}  # fmt: skip
IN_PLAY = (
    "count of deck", "heat", "rank of top of row_of", "lay[1]", "round", "count of opponents", "points", "points of 1",
    "total of 1", "place of 1", "times(seen)", "if can lay_it then 1 else 2", "if player = 1 then 1 else 2",
    "if phase = play then 1 else 2", "warm(1)", "if starter = 1 then 1 else 2", "counted(points) of 1",
)  # fmt: skip
SETTLED = ("players", "3", "count of players", "count of {4, 7}", "largest(2, players)", "count of Colour")
OF_ITSELF = {
    "where": ("count of Card", "highest of rank over c in Card", "tens"), "computed": ("tens", "later_tens"),
    "rank": ("count of Card", "tens of (item 1 of Card)"), "copies": ("count of Card",), "option": ("n", "later"),
    "values": ("count of Level",), "cell": ("count of Goal", "bonus of first"), "row copies": ("count of Goal",),
}  # fmt: skip
WHOLE = """
{option}
option later: 1..3 = 1
values Level: {values}
values Colour: red, blue
card Card: colour Colour, rank {rank}{where}, {copies} of each
  tens 0..99 = {computed}
  later_tens 0..99 = 3
card Goal: bonus 0..99, rule met
  first: {cell}, {rule}, {row copies} of each
table tab(n {table}): 1: 1, otherwise: 2
zone deck: pile of Card, hidden
zone goals: set of Goal, public, up to {capacity}
zone row_of: row of Card, public{sort}
zone shelf[{key}]: set of Card, public
number heat: {number} = 0
marker lay: order of {order}
memory seen
define warm(k 1..9) = heat + k
{require}
setup
  shuffle all Card into deck
phase play: one turn each from 1
  choose lay_it
action lay_it(c from deck)
  heat becomes heat
score at end
  points = tab(1) + later
ends within {bound} turns "few"
ranking: highest total, ties share
"""


def found_in(**changed: str) -> list[tuple[str, str]]:
    """Codes and severities; the table is set up where there is no error, and must not go wrong but as a refusal."""
    rules = WHOLE.format(**{**CLEAN, **changed})
    reading = read_text('rules 1\ngame "Early"\nplayers 2..3\n' + rules)
    if isinstance(reading.program, Program):
        for players in (2, 3):
            with suppress(RefusedTable):
                simulate_games(set_up_table(reading.program, players), 0, 1)
    return [(one.code, one.severity) for one in reading.diagnostics]


@pytest.mark.parametrize("place", PLACES)
def test_what_is_settled_before_the_game_asks_for_nothing_in_play(place: str) -> None:
    for expression in IN_PLAY:
        found = found_in(**{place: PLACES[place].format(expression)})
        assert ("asked-too-early", "error") in found, expression
    for expression in SETTLED:
        found = found_in(**{place: PLACES[place].format(expression)})
        assert not [code for code, severity in found if severity == "error"], expression


@pytest.mark.parametrize("place", OF_ITSELF)
def test_nothing_rests_on_itself(place: str) -> None:
    for expression in OF_ITSELF[place]:
        codes = [code for code, _ in found_in(**{place: PLACES[place].format(expression)})]
        assert "asked-too-early" in codes or "recursive-definition" in codes, expression


def test_rules_that_hold_while_playing_may_ask_for_anything() -> None:
    assert ("asked-too-early", "error") not in found_in(rule="count of deck > heat")


CHANGING = """rules 1
game "Early"
players 2
option few: 1..3 = 2
values Face: one, two
card Card: face Face, rank 1..3
zone hand of player: set of Card, public
zone stock: pile of Card, hidden
number heat: 1..3 = 1, clamped
marker face: Face
define warm = heat + 1
define cool = few + 1
table cost(k 0..9):
  {key}: 5
  otherwise: 1
step pay(amount 0..{most})
  heat becomes amount
setup
  shuffle all Card into stock
  deal 1 from stock to each hand
phase play: one turn each from 1
  choose stop
action stop
  roll face with chances {chance}, 1
  do pay(cost(1))
  if some c in hand has c in {{one {rank}}}
    heat becomes 2
"""
SAME = {"key": "3", "most": "9", "chance": "2", "rank": "1"}


@pytest.mark.parametrize("place", SAME)
@pytest.mark.parametrize(("expression", "changes"), [
    ("few", False), ("cool", False), ("few + 1", False), ("heat", True), ("warm", True), ("warm + few", True),
])  # fmt: skip
def test_what_stays_the_same_asks_for_nothing_that_changes(
    place: str, expression: str, changes: bool
) -> None:
    if place == "rank" and "+" in expression:
        return  # in braces stand names and numbers
    found = read_text(CHANGING.format(**{**SAME, place: expression})).diagnostics
    errors = [one for one in found if one.severity == "error"]
    assert [one.code for one in errors] == ["asked-too-early"] * changes, errors


def test_who_may_play_rests_on_nothing() -> None:
    reading = read_text('rules 1\ngame "Early"\noption most: 2..4 = 3\nplayers 2..most\n' + FLOW)
    assert [one.code for one in reading.diagnostics if one.severity == "error"] == ["asked-too-early"]


@pytest.mark.parametrize(("value", "codes"), [("count of deck", ["asked-too-early"]), ("count of Card div 10", [])])
def test_an_example_sets_an_option_before_the_game(value: str, codes: list[str]) -> None:
    rules = REQUIRE.format(default=6) + f'example "set"\n  set n = {value}\n  given turn of 1\n  then n = 2\n'
    reading = read_text('rules 1\ngame "Early"\nplayers 2\n' + rules)
    assert [one.code for one in reading.diagnostics if one.severity == "error"] == codes
    assert not codes or reading.program is None


@pytest.mark.parametrize(
    "choice", ["1..(heat / 3) cards from deck", "(heat / 3)..4 cards from deck", "n in 1..(heat / 3), card from deck"]
)
def test_a_fraction_where_a_whole_number_is_needed_is_a_fault(choice: str) -> None:
    rules = (
        "card Card: rank 1..4\nzone deck: set of Card, public\nnumber heat: 0..9 = 4\nsetup\n  move all Card to deck\n"
        f"phase play: one turn each from 1\n  choose lay\naction lay({choice})\n  heat becomes heat\n"
        "score at end\n  points = heat\nranking: highest total, ties share\n"
    )
    assert simulate_games(table(rules), 0, 1).faulty_games == {"not-whole": 1}
