"""The same deal at two tables in machine code: what differs, and from where on, as the reference's contrast says."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.measure.first_difference import Contrast, compare_games
from rulesrun.interpreter.model.random import game_seed
from rulesrun.interpreter.native.measure import first_difference
from rulesrun.interpreter.native.measure.first_difference import SeenDifference, TablePairs
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.run import engine_choice
from tests.command_line import run_here
from tests.interpreter.made import program
from tests.native.made_up import made_up
from tests.native.test_trees import bundled

QUICKLY = 0


def as_seen(found: Contrast) -> SeenDifference:
    longest = max(found.decisions)
    shared = longest if found.parting is None else found.parting.decisions
    return SeenDifference(
        found.parting is not None, found.changes_the_scores, found.changes_the_winner, longest, shared
    )


def compared(left: Table, right: Table, games: int = 12) -> list[SeenDifference]:
    """All deals that machine code has judged; none of them gets stuck."""
    pair, found = TablePairs(None, QUICKLY).make_pair(left, right), []
    for number in range(games):
        seed = game_seed(11, number)
        slow, quick = compare_games(left, right, seed), pair.compare_deal(seed)
        if quick is None:
            assert slow.endings[0].stuck or slow.endings[1].stuck
        else:
            assert quick == as_seen(slow), seed
            found.append(quick)
    return found


OPTIONS = [
    ("zero", 3, "zero_when", ("turn_or_exchange", "turn")), ("collection", 3, "goals", ("none", "round")),
    ("the_game", 2, "stuck_when", ("card", "minimum")), ("tokens", 2, "excess_back", ("turn_end", "each_bonus")),
]
MORE_OPTIONS = [
    ("zero", 2, "wrong_calls", ("no", "yes")), ("the_game", 3, "first", ("team", "seat")),
    ("hourglass", 4, "discard_when", ("all_three", "all_started")),
    ("classics/goofspiel", 2, "prizes", ("random", "ascending")),
]


@pytest.mark.parametrize(
    ("name", "players", "option", "values"),
    [*OPTIONS, *(pytest.param(*one, marks=pytest.mark.long) for one in MORE_OPTIONS)],
)
def test_readings_and_options_of_bundled_games(name: str, players: int, option: str, values: tuple[str, str]) -> None:
    left, right = (bundled(name, players, {option: value}) for value in values)
    assert len(compared(left, right)) == 12


SUBTLE = """
option kind: none, choices, points, winner, dice, team, order, late, handful = none
values Colour: red, blue
card Card: colour Colour, rank 1..2, 2 of each
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
number bonus of player: 0..9 = 0
number die: 1..3
marker coin: yes or no = no
marker layout: order of 1..4
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
phase play: turns from 1 until count of stock = 0
  roll die with chances 3, 2, 1
  if kind = order and die = 1
    shuffle layout
  if kind = dice and die = 2
    roll coin
  if kind = team and die = 3
    team chooses rest
  choose take, tell or rest
  if kind = late and die = 3
    all choose rest
action take(value in 1..(if kind = choices then 3 else 2))
  draw 1 from stock to hand
  bonus becomes smallest(value, 2)
action tell(1..3 cards from hand)
  needs kind = handful or (sum of rank over cards) mod 2 = 1
  bonus becomes count of cards
action rest
score at end
  points = (sum of rank over hand) / 3 + (if kind = points and die = 2 then 1 else 0) + bonus
ranking: highest (if kind = winner then bonus else total), ties share
"""


@pytest.mark.parametrize(("one", "other"), list(combinations(
    ["none", "choices", "points", "winner", "dice", "team", "order", "late", "handful"], 2))[::5])
def test_every_part_of_a_record_counts(one: str, other: str) -> None:
    rules = program(SUBTLE)
    found = compared(set_up_table(rules, 2, {"kind": one}), set_up_table(rules, 2, {"kind": other}), 30)
    assert any(seen.differs for seen in found)


def test_several_at_once_are_one_option() -> None:
    rules = program(SUBTLE)
    same, other = (set_up_table(rules, 2, {"kind": kind}) for kind in ("none", "handful"))
    assert not any(seen.differs for seen in compared(same, same, 20))
    assert all(seen.differs for seen in compared(same, other, 20))


LISTS = """
option most: 2..3 = 2
number bonus of player: 0..99 = 0
phase play: repeat 3 times
  choose take
action take(run in {(list of n over n in 1..most), {1, 2}, {bonus}})
  bonus increases by sum of run
score at end
  points = bonus
ranking: highest total, ties share
"""


def test_lists_are_options_where_they_take_as_much_room_at_both_tables() -> None:
    rules = program(LISTS)
    left, right = (set_up_table(rules, 2, {"most": most}) for most in (2, 3))
    assert not any(seen.differs for seen in compared(left, left, 5))
    with pytest.raises(CannotCompile):
        TablePairs(None, QUICKLY).make_pair(left, right)


def test_an_option_that_nobody_takes_is_a_difference() -> None:
    rules = program(SUBTLE)
    found = compared(set_up_table(rules, 2, {"kind": "none"}), set_up_table(rules, 2, {"kind": "choices"}), 30)
    assert all(seen.differs and seen.shared == 0 for seen in found)
    assert any(not seen.changes_the_scores for seen in found)


@pytest.mark.parametrize("number", [0, 1, 4, 22])
def test_made_up_rulebooks_are_themselves(number: int) -> None:
    table = set_up_table(program(made_up(number), "2..3"), 2 + number % 2, {})
    assert not any(seen.differs for seen in compared(table, table, 6))


@pytest.mark.long
@pytest.mark.parametrize("ten", range(10))
def test_many_made_up_rulebooks(ten: int) -> None:
    for number in range(10 * ten, 10 * ten + 10):
        table = set_up_table(program(made_up(number), "2..3"), 2 + number % 2, {})
        try:
            assert not any(seen.differs for seen in compared(table, table, 20)), number
        except CannotCompile:
            continue


def test_what_is_too_long_to_write_down_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = bundled("the_game", 2, {})
    for name, few in (("ROOM", 400), ("MOMENTS", 3)):
        with monkeypatch.context() as patched:
            patched.setattr(first_difference, name, few)
            assert TablePairs(None, QUICKLY).make_pair(rules, rules).compare_deal(1) is None


def test_other_components_are_left() -> None:
    left, right = (bundled("classics/goofspiel", 2, {"cards": cards}) for cards in (3, 4))
    with pytest.raises(CannotCompile, match="component"):
        TablePairs().make_pair(left, right)


STUCK = """rules 1
game "Stuck"
players 2

## How far a step goes.
reading far: one, two = one
  "A step goes forward."

number place: 0..13 = 0
number die: 1..3

phase play: turns from 1 until place >= 12
  choose go or wait

action go
  roll die
  place increases by die * (if far = one then 1 else 2)

action wait

score at end
  points = place

ranking: highest points, ties share
"""


def without_clock(text: str) -> Any:
    document = json.loads(text)
    return document["engine"], {name: one for name, one in document.items() if name not in {"engine", "seconds"}}


def test_the_command_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stuck.rules").write_text(STUCK, "utf-8")
    monkeypatch.setattr(engine_choice, "LOOK", 0.0)
    monkeypatch.setattr(engine_choice, "MARGIN", 0.0)
    words = ("readings", "stuck.rules", "--games", "40", "--json", "--engine")
    slow, quick, mixed = (run_here(*words, one, folder=tmp_path) for one in ("reference", "native", "auto"))
    assert slow.returncode == quick.returncode == mixed.returncode == 1
    told = [without_clock(one.stdout) for one in (slow, quick, mixed)]
    assert [engine for engine, _ in told] == ["reference", "native", "native"]
    assert told[0][1] == told[1][1] == told[2][1]
    (played,) = told[0][1]["readings"][0]["pairs"][0]["played"]
    assert 0 < played["stuck"][1] < 40
