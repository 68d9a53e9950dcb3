"""Trees that are not whole: machine code counts the first histories as the reference does, or tells its fault."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.native.positions.positions import NativePositions
from rulesrun.interpreter.native.tree import counting, levels
from rulesrun.interpreter.native.tree.counting import count_in_order, count_tree_natively
from rulesrun.interpreter.native.tree.levels import compile_tree_positions
from rulesrun.interpreter.play.game_tree import TreeCount, TreeCounter
from rulesrun.interpreter.reference.table import Table
from rulesrun.services import tree
from tests.command_line import run_here
from tests.interpreter.made import table
from tests.native.test_trees import COUNTS, SECRETS, SHOWN, bundled, made

Told = dict[str, Any] | str


def told(found: TreeCount) -> Told:
    return {name: getattr(found, name) for name in (*COUNTS, "is_complete")}


def by_the_reference(rules: Table, most: int) -> Told:
    try:
        return told(TreeCounter(rules, most).count_tree())
    except Fault as fault:
        return repr(fault.diagnostic)


def by_machine_code(positions: NativePositions, most: int, jobs: int) -> Told:
    try:
        return told(count_tree_natively(positions, most, jobs))
    except Fault as fault:
        return repr(fault.diagnostic)
    except CannotCompile:
        return "left to the reference"


def compared(rules: Table, *mosts: int) -> None:
    positions = compile_tree_positions(rules)
    for most in mosts:
        slow = by_the_reference(rules, most)
        for jobs in (1, 2) if most == max(mosts) else (1,):
            assert by_machine_code(positions, most, jobs) in (slow, "left to the reference"), (most, jobs)


@pytest.mark.parametrize(("name", "mosts"), [
    ("kuhn", (1, 29, 57, 58)), ("leduc", (1_938, 1_939)), ("goofspiel", (29, 400)), ("tic_tac_toe", (1, 10, 1_000)),
])
def test_the_first_of_many_histories(name: str, mosts: tuple[int, ...]) -> None:
    compared(bundled(f"classics/{name}", 2, {}), *mosts)


def test_secret_choices_and_choices_at_once() -> None:
    compared(table(SECRETS.replace("note where", "note or whisper where")), 15, 16, 17, 18, 19, 777)
    compared(table(SHOWN, 3), 99, 1_000)


@pytest.mark.parametrize(("name", "players"), [
    ("zero", 2), ("the_game", 1), pytest.param("collection", 3, marks=pytest.mark.long),
    pytest.param("hourglass", 2, marks=pytest.mark.long),
])
def test_games_that_are_too_large(name: str, players: int) -> None:
    compared(bundled(name, players, {}), 301, 1_500)


LONG_WAY = """
number steps: 0..400 = 0
phase play: turns from 1 until steps >= 400
  choose stop or go
ACTIONS
score at end
  points = steps
"""
STOP, GO = "action stop\n  end game\n", "action go\n  steps increases by 1\n"


@pytest.mark.parametrize(("actions", "met"), [(GO + STOP, 301), (STOP + GO, 601)])
def test_too_deep_or_too_many_is_what_the_reference_meets_first(actions: str, met: int) -> None:
    """301 histories lie on the way to the one that is too deep; 300 endings, where one comes first at each of them."""
    rules = table(LONG_WAY.replace("ACTIONS", actions))
    positions = compile_tree_positions(rules)
    assert "too-deep" in by_machine_code(positions, met, 1)
    compared(rules, met - 1, met)


FALLING = """
card Card: rank 1..4
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone line: row of Card, public, up to 3
setup
  shuffle all Card into stock
  deal 1 from stock to each hand
phase play: turns from 1 until count of stock = 0
  choose lay, take or wait
  all choose lay or wait
action lay(card from hand)
  move card to line
action take
  draw 1 from stock to hand
action wait
score at end
  points = sum of rank over hand
"""


def test_a_fault_counts_where_it_is_met() -> None:
    """In many ways the line is too full; the first that is met is told."""
    rules = table(FALLING)
    assert isinstance(by_the_reference(rules, 8), dict)
    assert "zone-full" in by_the_reference(rules, 300)
    compared(rules, *range(1, 40, 3), 300)


def test_a_fault_before_the_first_question() -> None:
    late = "number late: 0..players = 2\nsetup\n  late increases by 1\n"
    rules = table(late + LONG_WAY.replace("ACTIONS", STOP + GO))
    compared(rules, 1, 10)
    assert "late" in by_the_reference(rules, 10)


@pytest.mark.parametrize("number", [3, 9])
def test_rulebooks_made_up(number: int) -> None:
    compared(made(number), 5, 30, 500)


@pytest.mark.long
@pytest.mark.parametrize("ten", range(1, 11))
def test_many_rulebooks_made_up(ten: int) -> None:
    for number in range(10 * ten, 10 * ten + 10):
        with suppress(CannotCompile):  # few are refused
            compared(made(number), 2, 7, 40, 150 + number, 1_000)


def test_a_whole_tree_in_order_has_the_same_counts() -> None:
    rules = bundled("classics/leduc", 2, {})
    found = told(count_in_order(compile_tree_positions(rules), 10_000, 1))
    theirs = by_the_reference(rules, 10_000)
    assert isinstance(theirs, dict)
    assert found == theirs | {"expectation": None}


def test_who_gives_up_hope_too_soon_still_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "HOPELESS", 0)
    compared(bundled("classics/leduc", 2, {}), 1_938, 1_939)


def test_wrong_guesses_cost_time_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "FEW", 1)
    monkeypatch.setattr(counting, "SURPRISE", 1)
    compared(bundled("classics/tic_tac_toe", 2, {}), 700)


def test_too_many_odds_matter_only_where_the_tree_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "MOST_DENOMINATOR", 100)
    monkeypatch.setattr(levels, "MOST_DIFFERENT", 2)
    positions = compile_tree_positions(bundled("classics/leduc", 2, {}))
    with pytest.raises(CannotCompile, match="different odds"):
        count_tree_natively(positions, 1_939)
    assert not count_tree_natively(positions, 1_938).is_complete


def test_the_command_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_HISTORIES", 3_000)
    for game, code in (("the_game", 2), ("zero", 2)):
        slow, quick = (run_here("tree", game, "--engine", one, folder=tmp_path) for one in ("reference", "native"))
        assert (quick.returncode, quick.stdout, quick.stderr) == (slow.returncode, slow.stdout, slow.stderr)
        assert slow.returncode == code
    document = json.loads(run_here("tree", "the_game", "--engine", "native", "--json", folder=tmp_path).stdout)
    assert (document["engine"], document["partial"], document["histories"]) == ("native", True, 3_000)
