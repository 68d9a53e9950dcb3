"""Every bundled rulebook: checks without a word, is laid out canonically, plays, and its recorded games replay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulesrun.files.sources import bundled_names
from tests.rulesrun.conftest import Run

NAMES = bundled_names()


def test_the_eight_games_and_three_house_rules_are_trun() -> None:
    classics = {"goofspiel", "kuhn", "leduc", "nim", "pig", "rock_paper_scissors", "tic_tac_toe"}
    assert {"zero", *(f"classics/{name}" for name in classics)} <= set(NAMES)
    assert len([name for name in NAMES if name.startswith("variants/zero_")]) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_it_checks_without_a_word_and_keeps_its_layout(run: Run, name: str) -> None:
    done = run("check", "--json", name)
    assert json.loads(done.stdout)["files"][0]["diagnostics"] == []
    assert done.returncode == 0
    layout = run("fmt", "--check", name)
    assert layout.returncode == 0, layout.stdout


@pytest.mark.parametrize("name", NAMES)
def test_the_whole_rulebook_of_it_is_a_rulebook_again(run: Run, name: str, tmp_path: Path) -> None:
    expanded = run("fmt", "--expanded", name)
    assert expanded.returncode == 0, expanded.stdout + expanded.stderr
    (tmp_path / "whole.rules").write_text(expanded.stdout, "utf-8")
    done = run("check", "whole.rules")
    assert done.returncode == 0, done.stdout
    assert run("fmt", "--expanded", "whole.rules").stdout == expanded.stdout


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.long) if name.startswith("gallery/") else name  # `.ci/run` runs each whole
    for name in NAMES
])
def test_its_examples_pass_and_its_properties_hold(run: Run, name: str) -> None:
    done = run(name, "--games", "5", "--json")
    (file,) = json.loads(done.stdout)["files"]
    assert file["ok"], json.dumps(file, indent=1)[:3000]
    assert done.returncode == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_game_of_it_replays(run: Run, name: str, tmp_path: Path) -> None:
    trace = run("trace", name, "--seed", "11")
    assert trace.returncode == 0, trace.stderr
    (tmp_path / "game.jsonl").write_text(trace.stdout, "utf-8")
    done = run("replay", name, "game.jsonl")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("variants/")])
def test_the_whole_rulebook_of_a_variant_plays_the_same_games(run: Run, name: str, tmp_path: Path) -> None:
    (tmp_path / "whole.rules").write_text(run("fmt", "--expanded", name).stdout, "utf-8")
    games = [run("trace", rules, "--seed", "1").stdout.splitlines() for rules in (name, "whole.rules")]
    assert len(games[0]) > 5
    assert games[0][1:] == games[1][1:]
