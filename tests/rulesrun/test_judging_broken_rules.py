"""A game that gets stuck is judged as far as it goes: no command takes the fault of the rules for its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run_here

BROKEN = Path(__file__).parents[1] / "broken"
STUCK = ("a08_kuhn_fold_at_once", "a10_leduc_double_raise")
COMMANDS = [
    ("assess", "--work", "0.3"),
    ("ladder", "--games", "2", "--budget", "2", "--seconds", "2"),
    ("deadweight", "--games", "4", "--seconds", "2"),
    ("simulate", "--games", "20", "--seats", "greedy"),
    ("solve", "--seconds", "2"),
    ("tree",),
    ("trace", "--seats", "greedy"),
    ("report", "--games", "20", "--seconds", "3", "--html", "page.html"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize("name", STUCK)
def test_a_fault_of_the_rules_is_told_as_theirs(name: str, command: tuple[str, ...], tmp_path: Path) -> None:
    done = run_here(command[0], str(BROKEN / f"{name}.rules"), *command[1:], folder=tmp_path)
    assert done.returncode in (0, 1, 2)
    assert "bug" not in done.stdout + done.stderr
    assert command[0] != "report" or (tmp_path / "page.html").stat().st_size > 10_000


def test_nobody_plays_the_solution_of_a_game_that_gets_stuck(tmp_path: Path) -> None:
    done = run_here("simulate", str(BROKEN / "a08_kuhn_fold_at_once.rules"), "--seats", "solution", folder=tmp_path)
    assert done.returncode == 2
    assert "nobody can play the solution: the game can get stuck: there is no highest one" in done.stderr
