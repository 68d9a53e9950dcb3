"""`rulesrun readings`: shares against the mathematics of small games, and the games it names played again."""

from __future__ import annotations

import json
import math
import shlex
from pathlib import Path
from typing import Any

import pytest

from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import read_text
from rulesrun.interpreter.measure.first_difference import compare_games
from rulesrun.interpreter.play.properties import Share
from rulesrun.interpreter.reference.table import set_up_table
from tests.command_line import interrupting, run_here

DICE = """rules 1
game "Dice"
players 2

## A seat wins with a high throw.
reading high: three, four = three
  "A high throw wins."
reading idle: yes or no = no
  "Nobody ever asks."
option loud: yes or no = no

number face: 1..4

phase play
  roll face
  if face >= (if high = three then 3 else 4)
    team chooses cheer
  if loud and idle
    team chooses cheer

action cheer

score at end
  points = if (face >= (if high = three then 3 else 4)) = (player = 1) then 1 else 0

ranking: highest points

example "three is high"
  set high = three
  then points of 1 >= 0
"""


def program_of(text: str) -> Program:
    reading = read_text(text)
    assert reading.program is not None, [found.message for found in reading.diagnostics]
    return reading.program


def readings(tmp_path: Path, text: str, *words: str, code: int = 0) -> dict[str, Any]:
    (tmp_path / "dice.rules").write_text(text, "utf-8")
    done = run_here("readings", "dice.rules", "--json", *words, folder=tmp_path)
    assert (done.returncode, done.stderr) == (code, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_two_games_differ_exactly_when_the_die_shows_the_doubtful_face() -> None:
    program = program_of(DICE)
    left, right = (set_up_table(program, 2, {"high": value}) for value in ("three", "four"))
    found = [compare_games(left, right, seed) for seed in range(400)]
    differed = sum(one.parting is not None for one in found)
    assert all(one.changes_the_winner == (one.parting is not None) for one in found)
    low, high = Share(differed, 400).interval
    assert low < 0.25 < high


def test_the_same_rules_never_differ() -> None:
    program = program_of(DICE)
    left, right = (set_up_table(program, 2, {"idle": value}) for value in ("yes", "no"))
    assert all(compare_games(left, right, seed).parting is None for seed in range(50))


def test_the_report_lists_every_reading_with_what_it_says(tmp_path: Path) -> None:
    found = readings(tmp_path, DICE, "--games", "60")
    high, idle = found["readings"]
    assert (high["name"], high["values"], high["default"], high["examples"]) == ("high", ["three", "four"], "three", 1)
    assert high["sentence"] == "A high throw wins."
    assert idle["values"] == ["no", "yes"]
    assert found["engine"] == "reference"
    readings_, surroundings, both = 2, 3, 2  # the defaults, `loud` changed, the other reading changed
    assert found["games"] == readings_ * surroundings * both * 60


def test_a_reading_that_matters_only_where_another_option_is_set(tmp_path: Path) -> None:
    (pair,) = readings(tmp_path, DICE, "--games", "20")["readings"][1]["pairs"]
    by_option = {json.dumps(one["options"]): one["differed"]["games"] for one in pair["played"]}
    assert by_option == {"{}": 0, '{"loud": "yes"}': 20, '{"high": "four"}': 0}


def test_the_shortest_game_is_played_again_by_its_commands(tmp_path: Path) -> None:
    (pair,) = readings(tmp_path, DICE, "--games", "60")["readings"][0]["pairs"]
    shortest = pair["played"][0]["shortest"]
    traces = []
    for command in shortest["repeat"]:
        words = shlex.split(command)
        assert words[0] == "rulesrun"
        done = run_here(*words[1:], folder=tmp_path)
        traces.append([json.loads(line) for line in done.stdout.splitlines()][1:])
    assert traces[0] != traces[1]
    assert traces[0][0]["outcome"] == [3]
    assert shortest["same_decisions"] == 0
    assert max(sum(event["event"] == "decision" for event in trace) for trace in traces) == shortest["decisions"]


def test_a_reading_under_which_a_game_gets_stuck_is_told(tmp_path: Path) -> None:
    text = DICE.replace("  if loud and", "  if high = four\n    choose never\n  if loud and")
    text = text.replace("action cheer\n", "action cheer\n\naction never\n  needs face > 4\n")
    (pair,) = readings(tmp_path, text, "--games", "10", code=1)["readings"][0]["pairs"]
    assert pair["played"][0]["stuck"] == [0, 10]
    assert pair["played"][0]["shortest"]["then"][1].startswith("the game is stuck")


def test_interrupted_it_tells_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesrun.run.measure_engines.compare_games", interrupting(compare_games, 6))
    done = run_here("readings", "zero", "--json", "--engine", "reference", folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, "")
    document = json.loads(done.stdout)
    assert (document["partial"], document["games"]) == (True, 10)
    assert [one["name"] for one in document["readings"]] == ["zero_when"]


@pytest.mark.parametrize(("count", "games"), [(0, 20), (20, 20), (3, 50), (500, 1000), (1, 10_000)])
def test_the_interval_is_where_the_share_stops_being_believable(count: int, games: int) -> None:
    """Wilson's bounds are the p with |share - p| = 1.96 standard deviations of p."""
    low, high = Share(count, games).interval
    assert 0.0 <= low <= count / games <= high <= 1.0
    for bound in (low, high):
        if 0.0 < bound < 1.0:
            distance = abs(count / games - bound) / math.sqrt(bound * (1 - bound) / games)
            assert distance == pytest.approx(1.96, abs=0.001)


def test_an_interval_of_nothing_says_nothing() -> None:
    assert Share(0, 0).interval == (0.0, 1.0)
