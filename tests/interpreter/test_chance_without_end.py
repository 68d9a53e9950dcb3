"""Rules that ask chance again and again, and never a player: whatever plays games comes to an end, and says so."""

from __future__ import annotations

from typing import Any

import pytest

from rulesrun.files.loading import read_text
from rulesrun.interpreter.measure.duel import ReferenceMeasurer
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.game_loop import MOST_BY_CHANCE
from rulesrun.interpreter.play.game_tree import count_tree
from rulesrun.interpreter.play.random_games import simulate_games
from rulesrun.interpreter.reference.table import set_up_table
from tests.command_line import run_here

RULES = """rules 1
game "Seven on a die"
players 2
number face: 1..6
number laid: 0..20 = 0
phase play: turns from starter until laid > 9
  choose lay or pass
  face becomes 1
  repeat until face > 6 or laid > 3
    roll face
action lay
  laid increases by 1
action pass
  laid increases by 2
score at end
  points = laid
ranking: lowest total
always "few": laid < 15
"""


def table() -> Any:
    program = read_text(RULES, "seven.rules").program
    assert program is not None
    return set_up_table(program, 2)


def test_random_games_get_stuck() -> None:
    found = simulate_games(table(), 0, 2)
    assert found.faulty_games == {"too-long": 2}
    assert f"not ended after {MOST_BY_CHANCE} chance events" in found.faults[0][1].message


def test_the_clock_is_looked_at() -> None:
    found = simulate_games(table(), 0, 2, seconds=0.0)
    assert found.unfinished == found.games == 1


def test_measured_games_get_stuck() -> None:
    assert [record.stuck for record in ReferenceMeasurer(table(), 0).records(0, 2)] == ["too-long"] * 2


def test_so_much_chance_is_enough_for_any_die() -> None:
    """Of dice with a thousand faces one in e^80 is rolled so often for one face."""
    assert MOST_BY_CHANCE >= 80 * 1000


LONG = pytest.mark.long
COMMANDS = [["--games", "2"], ["simulate", "--games", "2"]]
SLOW_COMMANDS = [["trace"], ["test"]]


@pytest.mark.parametrize("command", [*COMMANDS, *(pytest.param(one, marks=LONG) for one in SLOW_COMMANDS)])
def test_every_command_ends(command: list[str], tmp_path: Any) -> None:
    path = tmp_path / "seven.rules"
    path.write_text(RULES)
    words = [*command, str(path)] if command[0].startswith("--") else [command[0], str(path), *command[1:]]
    assert run_here(*words, folder=tmp_path).returncode in (0, 1)


CERTAIN = """rules 1
game "Back and forth"
players 2
card Card: rank 1..1
zone stock: pile of Card, hidden
zone other: pile of Card, hidden
number done: 0..1 = 0
setup
  shuffle all Card into stock
phase p: repeat until done = 1
  draw 1 from stock to other
  move all other to stock
score at end
  points = 0
"""


def test_chance_with_one_outcome_gets_stuck_too() -> None:
    program = read_text(CERTAIN, "certain.rules").program
    assert program is not None
    with pytest.raises(Fault) as stuck:
        count_tree(set_up_table(program, 2))
    assert stuck.value.diagnostic.code == "too-long"
    assert simulate_games(set_up_table(program, 2), 0, 1).faulty_games == {"too-long": 1}


CASES = [("tree", "too-long"), ("simulate --games 1", "endless"), ("explore", "no-way-out"), ("trace", "too-long")]


@pytest.mark.parametrize(("command", "code", "engine"), [
    *((*case, "native") for case in CASES[:3]),
    *(pytest.param(*case, "reference", marks=LONG) for case in CASES),
    pytest.param(*CASES[3], "native", marks=LONG),
])  # fmt: skip
def test_certain_chance_without_end_is_told(command: str, code: str, engine: str, tmp_path: Any) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite")
    (tmp_path / "certain.rules").write_text(CERTAIN)
    name, *rest = command.split()
    done = run_here(name, "certain.rules", "--engine", engine, *rest, folder=tmp_path)
    assert done.returncode == 1
    assert code in done.stdout + done.stderr
