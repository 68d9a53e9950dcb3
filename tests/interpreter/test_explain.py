"""Explanations: through definitions with what they were asked of, to the element that decides."""

from __future__ import annotations

import pytest

from rulesrun.dsl import ast
from rulesrun.interpreter.play.explanation import ExplainedValue, explain_expression
from rulesrun.interpreter.play.step import start_state
from tests.interpreter.made import table

RULES = """
values Colour: red, blue
card Card: colour Colour, rank 1..4
zone deck: pile of Card, hidden
zone hand of player: set of Card, public
setup
  move all (Card where rank <= 2) to hand of 1
  move all (Card where rank > 2) to hand of 2
define high(c Card, least 1..9) = rank of c >= least
define best = highest of rank over hand
define strong(least 1..4) = some c in hand has high(c, least)
define worth(c Card) = if colour of c = red then 10 else rank of c
phase play: one turn each from 1
  choose pass
action pass
score at end
  points = sum of worth(c) over c in hand
ranking: highest total, ties share
"""


def explained(condition: str, player: int = 1) -> list[ExplainedValue]:
    made = table(RULES + f'always "asked": {condition}\n')
    state = start_state(made)
    [judged] = made.watches.properties
    assert isinstance(judged.declaration, ast.Property)
    return list(explain_expression(made, state, judged.declaration.condition))


def words(made: list[ExplainedValue], of: str) -> list[str]:
    return [one.text for one in made if one.of == of]


def test_a_definition_with_parameters_is_asked_of_its_arguments() -> None:
    found = explained("high(the c in hand with highest rank of c, 4)")
    assert found[0].text == "no"
    assert words(found, "c = red-2, least = 4")[:2] == ["no", "2"]


def test_definitions_inside_definitions_and_of_another_player() -> None:
    found = explained("strong(4) of 2")
    assert "yes" in words(found, "player 2, least = 4")
    assert words(found, "c = red-4")[0] == "yes"  # the witness, no other card
    assert not words(found, "c = red-3")
    assert words(found, "c = red-4, least = 4")[:2] == ["yes", "4"]


@pytest.mark.parametrize(
    ("condition", "witness", "others"),
    [
        ("every p in players has best of p > 3", "p = 1", ["p = 2"]),
        ("no p in players has best of p > 3", "p = 2", ["p = 1"]),
        ("some p in players has best of p > 3", "p = 2", ["p = 1"]),
    ],
)
def test_the_element_that_decides_is_named(condition: str, witness: str, others: list[str]) -> None:
    found = explained(condition)
    assert words(found, witness)
    assert not any(words(found, other) for other in others)


def test_where_no_element_decides_the_first_few_are_shown() -> None:
    found = explained("some p in players has best of p > 4")
    assert words(found, "p = 1")[0] == words(found, "p = 2")[0] == "no"


def test_of_and_what_fails_of_or_what_holds() -> None:
    both = [one.text for one in explained("best > 1 and best > 5 and best > 9")]
    assert both.count("no") == 2  # the whole, and the first that fails
    assert "yes" not in both
    assert [one.text for one in explained("best > 5 or best > 1 or best > 0")][:2] == ["yes", "yes"]


def test_a_sum_says_what_each_gives() -> None:
    found = explained("points of 2 = 0")
    assert "10 for red-3, 10 for red-4, 3 for blue-3, 4 for blue-4" in [one.text for one in found]
    assert "2 for red-2" in explained("best = 0")[-1].text


def test_only_the_branch_that_is_taken() -> None:
    found = explained("worth(the c in hand with highest rank of c) = 1")
    assert words(found, "c = red-2") == ["10", "yes", "red", "red-2"]


def test_long_explanations_end() -> None:
    inner = "some d in hand of p has high(d, rank of c) and best = 9"
    found = explained(f"no p in players has some c in hand of p has {inner}")
    assert 0 < len(found) <= 60


def test_the_position_stays_as_it_is() -> None:
    made = table(RULES + 'always "asked": strong(4) of 2\n')
    state = start_state(made)
    before = state.slots
    explain_expression(made, state, made.watches.properties[0].declaration.condition)
    assert state.slots == before
