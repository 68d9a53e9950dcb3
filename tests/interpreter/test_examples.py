"""Worked examples: which pass, which fail, and why."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.examples.examples import ExampleResult, run_examples
from tests.interpreter.made import bundled, program

RULES = """
option extra: yes or no = no
values Colour: red, blue
card Card: colour Colour, rank 1..4
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone board: row of Card, public
number passed: 0..2 = 0
setup
  shuffle all Card into deck
  deal 2 from deck to each hand
phase play: turns from 1 until passed = 2
  choose lay or pass
phase rest: one turn each from 2
  choose pass
action lay(card from hand)
  needs rank of card > count of board because "too low"
  move card to board
  draw 1 from deck to hand
action pass
  passed increases by 1 when_possible
score at end
  points = (sum of rank over hand) + (if extra then 10 else 0)
ranking: highest total, ties share
""".replace("passed increases by 1 when_possible", "if passed < 2\n    passed increases by 1")


def only(lines: str) -> ExampleResult:
    text = "\n".join(f"  {line}" for line in lines.strip().splitlines())
    results = run_examples(program(f'{RULES}\nexample "it"\n{text}\n'))
    assert len(results) == 1
    return results[0]


PASSING = [
    "given hand of 1: red 4, blue 4\nthen points of 1 = 8",
    "set extra = yes\ngiven hand of 1: red 4, blue 4\nthen points of 1 = 18",
    "given hand of 1: red 1, red 2\ngiven hand of 2: blue 1, blue 2\nthen count of deck = 4\nthen count of board = 0",
    "given board: red 4, blue 1\nthen count of hand of 1 = 2\nthen count of hand of 2 = 2\nthen count of deck = 2",
    "given turn of 2\nthen player = 2\nwhen 2: pass\nthen player = 1\nthen passed = 1",
    "given phase rest\nthen phase = rest\nthen player = 2\nwhen 2: pass\nthen player = 1",
    "given hand of 1: red 3, blue 1\nnext: blue 4\nwhen 1: lay(red 3)\n"
    "then board = {red 3}\nthen hand of 1 = {blue 1, blue 4}",
    "given hand of 1: red 1, blue 2\ngiven board: red 4\n"
    "then 1 cannot lay(red 1)\nthen 1 can lay(blue 2)\nthen 2 cannot pass",
    "given passed = 1\nwhen 1: pass\nthen phase = rest\nwhen 2: pass\nwhen 1: pass\nthen place of 1 >= 1",
    "given hand of 1:\nthen hand of 1 is empty\nthen 1 cannot lay",
]


@pytest.mark.parametrize("lines", PASSING)
def test_an_example_that_holds(lines: str) -> None:
    result = only(lines)
    assert result.verdict == "passed", result.diagnostic


@pytest.mark.parametrize(
    ("lines", "verdict", "words"),
    [
        ("given hand of 1: red 4, blue 4\nthen points of 1 = 7", "failed", "does not hold"),
        ("when 2: pass", "failed", "not this player's choice"),
        ("given hand of 1: red 1, red 2\ngiven board: red 4\nwhen 1: lay(red 1)", "failed", "too low"),
        ("given hand of 1: red 1, red 2\nthen 1 can lay(blue 1)", "failed", "cannot be blue-1"),
        ("then 1 cannot pass", "failed", "can be done"),
        ("given hand of 1: red 3, red 4\nnext: red 4\nwhen 1: lay(red 3)", "failed", "chance cannot bring this"),
        ("given hand of 1: red 1, red 1", "broken", "there is one red-1, and it is given twice"),
        ("todo\nthen 1 cannot pass", "todo", ""),
    ],
)
def test_an_example_that_does_not(lines: str, verdict: str, words: str) -> None:
    result = only(lines)
    assert result.verdict == verdict
    assert words in (result.diagnostic.message if result.diagnostic is not None else "")


def test_a_failing_example_shows_the_values_of_its_parts() -> None:
    result = only("given hand of 1: red 4, blue 4\nthen points of 1 = (count of hand of 1) + 5")
    assert [value.text for value in result.values if value.depth == 0] == ["no", "8", "7", "2", "{red-4, blue-4}"]


@pytest.mark.parametrize("name", ["zero", "classics/kuhn", "classics/leduc", "classics/pig", "classics/goofspiel",
                                  "classics/nim", "classics/tic_tac_toe", "classics/rock_paper_scissors"])
def test_bundled_examples_pass(name: str) -> None:
    results = run_examples(bundled(name))
    assert results
    assert [result.example.title for result in results if result.verdict != "passed"] == []


FEW = """
card Card: rank 1..12
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone pile_up: row of Card, public
setup
  shuffle all Card into deck
  deal 2 from deck to each hand
phase play: turns from 1 until count of pile_up >= 1
  choose lay
action lay(card from hand where rank < 2)
  move card to pile_up
score at end
  points = 0
ranking: highest total, ties share
example "asked"
"""


@pytest.mark.parametrize(
    ("lines", "verdict", "code"),
    [
        ("given hand of 1: 1, 2\nthen 1 can lay(1)\nthen 1 cannot lay(2)", "passed", None),
        ("given turn of 2\ngiven hand of 2: 1, 2\nwhen 2: lay(1)\nthen count of pile_up = 1", "passed", None),
        ("given hand of 1: 5, 2", "failed", "empty-choice"),
        ("given turn of 1\ngiven hand of 1: 5, 2\nthen 1 cannot lay(5)", "failed", "empty-choice"),
    ],
)
def test_a_choice_among_nothing_counts_in_the_given_position_alone(lines: str, verdict: str, code: str | None) -> None:
    """Most deals leave nothing to choose from; what is said of the position decides."""
    [result] = run_examples(program(FEW + "\n".join(f"  {line}" for line in lines.split("\n")) + "\n"))
    assert result.verdict == verdict
    assert (result.diagnostic.code if result.diagnostic is not None else None) == code
