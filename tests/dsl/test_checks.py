"""What the checker finds beyond names and types, and where it keeps silent: names, conditions, numbers, size."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rulesrun.dsl.typing.program import Program
from tests.dsl.marked import CARDS, PLAY, checked, complaints, expect

ZERO = Path(__file__).parents[2] / "games" / "zero.rules"


def test_a_game_without_fault_is_silent() -> None:
    expect(CARDS + PLAY)


def test_what_is_never_used_is_said() -> None:
    expect(
        CARDS
        + PLAY
        + """zone aside: pile of Card, public #! unused-name
number level: 0..3 #! unused-name
option fast: yes or no = no #! unused-name
define worthless(c Card, d Card) = rank of c > 3 #! unused-name, unused-name
step never_done #! unused-name
  move all heap to stock
values Fruit: apple, pear #! unused-name
table sizes(n 1..2): 5, 6 #! unused-name
phase more
  draw 1 from stock to heap as new #! unused-name
"""
    )


def test_a_label_of_nothing_is_said() -> None:
    labels = """words de
  game: "Karten"
  stock: "Stapel"
  red: "rot"
  total: "Summe"
  stokc: "Stapel" #! unknown-label
"""
    expect(CARDS + PLAY + labels)


@pytest.mark.parametrize(
    ("question", "mark"),
    [
        ("sum of chips over players < 20", "same-for-all"),
        ("every p in players has chips < 20", "same-for-all"),
        ("(the p in players with highest chips) = 1", "same-for-all"),
        ("sum of chips of p over p in players < 20", ""),
        ("sum of 2 over p in players < 20", ""),
        ("highest of rank over heap < 6", ""),
        ("highest of (sum of rank over hand of p) over p in players < 20", ""),
        ("highest of (sum of rank over hand) over p in players < 20", "same-for-all"),
        ("some c in heap has chips = 2", "same-for-all"),
        ("(count of players where chips > 0) < 3", "same-for-all"),
        ("some p in players where chips = 2 has chips of p = 1", "same-for-all"),
        ("(count of players where chips of it > 0) < 3", ""),
        ("(count of players where it is not starter) < 3", ""),
        ("(count of players where chips of 1 > 0) < 3", ""),
        ("some p in players where chips of p = 2 has chips of p = 1", ""),
    ],
)
def test_what_is_asked_of_each_must_be_asked_of_it(question: str, mark: str) -> None:
    marked = f" #! {mark}" if mark else ""
    pieces = f"{CARDS}{PLAY}number chips of player: 0..9\n"
    expect(f'{pieces}always "held": {question}{marked}\nalways "two": chips = chips of 1\n')


def test_nothing_is_called_unused_while_a_name_is_unknown() -> None:
    expect(CARDS + PLAY + "number level: 0..3\nphase more\n  levle increases by 1 #! unknown-name\n")


def test_a_name_that_hides_another_is_said_with_both_places() -> None:
    text = CARDS + PLAY + "define big(stock Card) = rank of stock > 3 #! shadowed-name\nscore at end\n"
    [found] = expect(text + "  x = count of (hand where big(it))\n")
    assert len(found.related) == 1


def test_a_name_that_hides_the_total_is_told() -> None:
    hiding = "define total = count of hand #! shadowed-name\nscore at end\n  x = count of hand\n"
    text = CARDS.replace("highest 1", "highest total") + PLAY + hiding
    expect(text)


@pytest.mark.parametrize(
    ("condition", "mark"),
    [
        ("rank of top of heap > 5", "always-false"),
        ("rank of top of heap <= 5", "always-true"),
        ("players = 1", "always-false"),
        ("count of heap >= 0", "always-true"),
        ("level = 4", "always-false"),
        ("level is not 4", "always-true"),
        ("level = 1 and level = 2", "always-false"),
        ("level > 2 and level < 2", "always-false"),
        ("kept = red and kept = blue", "always-false"),
        ("level = level", "always-true"),
        ("level = 1 or level = 2", None),
        ("level < 2 and level > 0", None),
        ("players > 3", None),
        ("kept = red or kept = blue", None),
        ("count of hand = 15", None),
    ],
)
def test_conditions_that_are_certain(condition: str, mark: str | None) -> None:
    marked = f"#! {mark}" if mark else ""
    expect(
        CARDS
        + PLAY
        + "number level: 0..3\nmarker kept: Colour\nphase more: one turn each from 1\n  roll level\n  roll kept\n"
        + f"  if {condition} {marked}\n"
        + "    end game\n"
    )


def test_the_choice_stands_on_both_sides() -> None:
    choices = "colour in Colour, given from hand where colour = colour) #! always-true"
    expect(CARDS + PLAY.replace("given from hand)", choices))
    expect(CARDS + PLAY.replace("given from hand)", "colour in Colour, given from hand where colour of it = colour)"))


@pytest.mark.parametrize(
    ("statement", "mark"),
    [
        ("level becomes 4", "leaves-range"),
        ("level becomes 0 - 1", "leaves-range"),
        ("level increases by 9", "leaves-range"),
        ("level increases by 1", "may-leave-range"),
        ("if level < 4\n    level increases by 1", "may-leave-range"),
        ("if level < 3\n    level increases by 1", None),
        ("if level > 0\n    level decreases by 1", None),
        ("level becomes 3", None),
    ],
)
def test_numbers_keep_their_range(statement: str, mark: str | None) -> None:
    marked = f" #! {mark}" if mark else ""
    action = f"phase more: turns from 1 until heap is empty\n  choose climb\naction climb\n  {statement}{marked}\n"
    action += "  move all heap to stock\n"
    text = CARDS + PLAY + "number level: 0..3\n" + action
    if statement.startswith("if level < 4"):
        assert {one.code for one in complaints(text)} == {"always-true"}
    else:
        expect(text)


def test_starts_defaults_and_examples_keep_the_range_too() -> None:
    text = """number level: 0..3 = 4 #! leaves-range
option size: 1..3 = 0 #! leaves-range
score at end
  x = level + size
example "out of range"
  set size = 5 #! leaves-range
  given level = 9 #! leaves-range
  then x of 1 = 0
"""
    expect(CARDS + PLAY + text)


def test_how_many_may_play_is_said() -> None:
    text = 'rules 1\ngame "A test" #! missing-players\nphase p: one turn each from 1\n  choose a\naction a\n'
    expect(text)


def test_what_is_clamped_may_run_into_its_bounds() -> None:
    action = "phase more: turns from 1 until heap is empty\n  choose climb\naction climb\n  level increases by 1\n"
    expect(CARDS + PLAY + "number level: 0..3 = 0, clamped\n" + action + "  move all heap to stock\n")


def test_steps_in_steps_do_not_multiply_without_end() -> None:
    steps = "".join(f"step s{n}\n  do s{n + 1}\n  do s{n + 1}\n" for n in range(40))
    text = CARDS + PLAY + steps + "step s40\n  move all heap to stock\nphase more\n  do s0\n"
    assert {one.code for one in complaints(text)} == {"too-long"}


def test_a_rulebook_is_checked_at_once() -> None:
    text = ZERO.read_text(encoding="utf-8")
    best = 9.0
    for _ in range(3):
        start = time.process_time()
        assert isinstance(checked(text), Program)
        best = min(best, time.process_time() - start)
    assert best < 0.5


def test_very_many_mistakes_are_cut_short() -> None:
    found = complaints(CARDS + PLAY + "".join(f"define d{n} = x{n}\n" for n in range(500)))
    assert "too-many-errors" in {one.code for one in found}
    assert len(found) <= 201


def test_a_big_rulebook_does_not_keep_the_checks_busy() -> None:
    chain = "".join(f"define d{n} = d{n + 1} + 1\n" for n in range(1500)) + "define d1500 = count of heap\n"
    phases = "".join(f"phase p{n}: repeat until d{n} = 3\n  choose lay if possible\n" for n in range(1500))
    start = time.process_time()
    assert isinstance(checked(CARDS + PLAY + chain + phases), Program)
    assert time.process_time() - start < 10
