"""`rulesrun ladder`, `rulesrun solve` and `--seats`, as they are called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulesrun.cli import main


def test_solve_says_the_value_and_how_to_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "classics/kuhn", "--json", "--within", "0.01"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["values"] == {"1": "-1/18", "2": "1/18"}  # Kuhn, 1950
    assert found["exploitability"] < 0.01
    assert found["information_sets"] == {"1": 6, "2": 6}
    assert len(found["strategy"]) == 12
    assert all(sum(one["share"] for one in place["choose"]) == pytest.approx(1) for place in found["strategy"])
    assert main(["solve", "classics/tic_tac_toe"]) == 0
    assert "player 1   0" in capsys.readouterr().out


@pytest.mark.parametrize(("words", "says"), [
    (["classics/kuhn", "--players", "3"], "two players"),
    (["zero", "--players", "2"], "wins what the other loses"),
    (["classics/pig", "--players", "2", "--seconds", "1"], "too large"),
])
def test_solve_refuses_in_words(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", *words]) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert not said.out


def test_the_ladder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", "classics/kuhn", "--players", "2", "--games", "10", "--budget", "10,20", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    pairs = [(rung["player"], rung["against"]) for rung in found["thinking"]]
    assert pairs == [
        ("greedy", "random"), ("mcts:10", "random"), ("mcts:10", "greedy"), ("mcts:20", "random"),
        ("mcts:20", "mcts:10"), ("mcts:20", "greedy"),
    ]
    assert {"first", "always bet", "always fold"} <= {rung["player"] for rung in found["habits"]}
    for rung in (*found["thinking"], *found["habits"]):
        low, high = rung["interval"]
        assert low <= rung["gain"] <= high  # points: what one wins the other pays
        assert -2 <= rung["gain"] <= 2
    assert found["games"] == sum(rung["games"] for rung in (*found["thinking"], *found["habits"]))


def test_the_ladder_of_a_game_that_is_won_or_lost(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["ladder", "classics/tic_tac_toe", "--games", "10", "--budget", "10", "--json"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    for rung in (*found["thinking"], *found["habits"]):
        low, high = rung["interval"]
        assert low <= rung["share"] <= high
        assert rung["fair_share"] == 0.5


def test_the_ladder_twice_is_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    shares = []
    for _ in range(2):
        assert main(["ladder", "classics/kuhn", "--players", "3", "--games", "6", "--budget", "5", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        shares.append([rung["gain"] for rung in (*found["thinking"], *found["habits"])])
    assert shares[0] == shares[1]


def test_the_ladder_is_the_same_for_any_number_of_jobs(capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for more in (["--jobs", "1"], ["--jobs", "2"], ["--engine", "reference"]):
        words = ["ladder", "classics/kuhn", "--players", "2", "--games", "9", "--budget", "8", "--json"]
        assert main([*words, "--seconds", "900", *more]) == 0
        told = json.loads(capsys.readouterr().out)
        for rung in (*told["thinking"], *told["habits"]):
            del rung["seconds_a_choice"]
        found.append((told["thinking"], told["habits"], told["games"]))
    assert found[0] == found[1] == found[2]


def test_the_ladder_says_why_nothing_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    """Few games of Kuhn's: a budget of time comes behind those in games, and is said to hang on the machine."""
    words = ["ladder", "classics/kuhn", "--players", "2", "--games", "10", "--budget", "0.001s,5"]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "mcts:0.001s        against mcts:5" in text
    assert "10 games do not show whether" in text
    assert "on a faster machine" in text
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    for rung in (*found["thinking"], *found["habits"]):
        assert ("games_to_know" in rung) == (rung["verdict"] == "not known")
        assert rung.get("games_to_know") is None or rung["games_to_know"] > rung["games"]


@pytest.mark.parametrize("budget", ["", "x", "0", "-5", "1,,2", "99999999", "0s", "nans", "4000s", "5s5"])
def test_a_wrong_budget(budget: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", "classics/kuhn", "--budget", budget]) == 2
    assert "--budget" in capsys.readouterr().err


def test_a_trace_of_thinkers_is_a_lawful_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "classics/leduc", "--seats", "greedy,mcts:20", "--seed", "3"]) == 0
    text = capsys.readouterr().out
    assert json.loads(text.splitlines()[0])["seed"] is None
    trace = tmp_path / "game.jsonl"
    trace.write_text(text)
    assert main(["replay", "classics/leduc", str(trace), "--rules-only"]) == 0
    capsys.readouterr()
    assert main(["trace", "classics/leduc", "--seats", "random", "--seed", "3"]) == 0
    alike = capsys.readouterr().out
    assert main(["trace", "classics/leduc", "--seed", "3"]) == 0
    assert capsys.readouterr().out == alike
    assert main(["trace", "classics/leduc", "--seats", "nobody"]) == 2
