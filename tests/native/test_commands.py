"""The command line says the same whichever engine plays; only the clock and the name of the engine differ."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite")

OFTEN_STUCK = """rules 1
game "Often stuck"
players 2
number die: 1..6
number sum_so_far: 0..8 = 0
phase play: one turn each from 1
  choose go
action go
  roll die
  sum_so_far increases by die
always "never seven": sum_so_far is not 7
can happen "exactly eight": sum_so_far = 8
score at end
  points = sum_so_far
"""


def answer(*words: str) -> tuple[int, Any]:
    found = subprocess.run([sys.executable, "-m", "rulesrun", *words], capture_output=True, text=True, check=False)
    return found.returncode, json.loads(found.stdout)


def without_clock(document: Any) -> Any:
    if isinstance(document, dict):
        return {name: without_clock(one) for name, one in document.items() if name not in {"seconds", "engine"}}
    return [without_clock(one) for one in document] if isinstance(document, list) else document


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_game_that_often_gets_stuck(tmp_path: Path, jobs: str) -> None:
    path = tmp_path / "stuck.rules"
    path.write_text(OFTEN_STUCK)
    words = (str(path), "--games", "500", "--json", "--jobs", jobs)
    slow, quick = answer(*words, "--engine", "reference"), answer(*words, "--engine", "native")
    assert quick[0] == slow[0] == 1
    assert (slow[1]["engine"], quick[1]["engine"]) == ("reference", "native")
    assert without_clock(quick[1]) == without_clock(slow[1])


def test_a_bundled_rulebook() -> None:
    words = ("classics/leduc", "--games", "300", "--json")
    slow, quick = answer(*words, "--engine", "reference"), answer(*words, "--engine", "native")
    assert quick[0] == slow[0] == 0
    assert without_clock(quick[1]) == without_clock(slow[1])


LONG_STORY = """rules 1
game "Long story"
players 2..3
option goal: 6..9 = 8
number height: 0..9 = 0
number face: 1..6
memory heights
phase play: turns from 1 until height >= goal
  record height in heights
  roll face
  choose climb, slide or rest
action climb
  height increases by 1
action slide
  needs height > 0 and times(heights) < 40
  height decreases by 1
action rest
never "high, and a two": height = 6 and face = 2
score at end
  points = height
"""


def test_a_story_of_many_moves(tmp_path: Path) -> None:
    """Machine code makes the game small; going through all positions of a table is left to the reference here."""
    path = tmp_path / "long.rules"
    path.write_text(LONG_STORY)
    words = (str(path), "--games", "50", "--json", "--engine")
    slow, quick, mixed = (answer(*words, engine) for engine in ("reference", "native", "auto"))
    assert without_clock(quick[1]) == without_clock(mixed[1]) == without_clock(slow[1])
    (story,) = slow[1]["files"][0]["stories"]
    assert len(story["moves"]) == 6  # six times up


def test_a_tree() -> None:
    words = ("tree", "classics/kuhn", "--players", "3", "--json")
    slow, quick = answer(*words, "--engine", "reference"), answer(*words, "--engine", "native")
    assert (slow[1]["engine"], quick[1]["engine"]) == ("reference", "native")
    assert without_clock(quick[1]) == without_clock(slow[1])


def test_what_each_rule_weighs() -> None:
    """By chance alone: good players play as many games as their thinking costs, and that hangs on the engine."""
    words = ("deadweight", "classics/kuhn", "--players", "2", "--games", "20", "--json")
    slow, quick = answer(*words, "--engine", "reference"), answer(*words, "--engine", "native")
    assert (slow[1]["engine"], quick[1]["engine"]) == ("reference", "native")
    assert without_clock(quick[1]) | {"choices": None} == without_clock(slow[1]) | {"choices": None}


def test_a_command_without_a_native_engine_says_so() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "rulesrun", "test", "classics/kuhn", "--engine", "native"],
        capture_output=True, text=True, check=False,
    )
    assert found.returncode == 2
    assert "no native engine" in found.stderr
