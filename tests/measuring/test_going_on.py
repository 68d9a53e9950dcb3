"""Comparisons and ladders that are interrupted, by hand or by force, and go on: as if nothing had happened."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rulesrun.cli import main
from rulesrun.files.loading import read_rules
from rulesrun.interpreter.bots.bot import FirstBot, RandomBot
from rulesrun.interpreter.measure.ladder import Rung, play_rung
from rulesrun.report.measure_text import measurement_lines as simulated_lines
from rulesrun.services.measure import INTERRUPTED, MeasuredFile, MeasuredTable
from rulesrun.services.tables import Seating
from rulesrun.terminal.requests import SimulateRequest
from tests.bots.tables import table_of

PIG = ["compare", "classics/pig", "shorter.rules", "--players", "2", "--json"]
SHORTER = 'rules 1\nvariant "Pig, short" of "classics/pig"\nset target = 30\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shorter.rules").write_text(SHORTER, "utf-8")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(list(words)) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def tables(document: dict[str, Any]) -> list[dict[str, Any]]:
    """All that is told of the games; not how many of them an earlier run has played."""
    found: list[dict[str, Any]] = [table for one in document["comparisons"] for table in one["tables"]]
    return [{name: value for name, value in table.items() if name != "continued"} for table in found]


def ended(words: list[str], kept: Path, how: signal.Signals) -> tuple[int, str, str]:
    """Begins a long run and ends it when it has noted sums."""
    with subprocess.Popen(
        [sys.executable, "-m", "rulesrun", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        try:
            for _ in range(600):
                time.sleep(0.1)
                if kept.exists() and json.loads(kept.read_text())["sums"]:
                    break
            running.send_signal(how)
            answer, complaint = running.communicate(timeout=60)
        finally:
            running.kill()
    return running.returncode, answer, complaint


def deals_in(kept: Path) -> int:
    (sums,) = json.loads(kept.read_text())["sums"].values()
    deals: int = sums["games"]
    return deals


def test_a_comparison_in_pieces_is_the_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    """Two variants; first few deals, then more, then none more."""
    words = ["compare", "classics/pig", "classics/pig", "shorter.rules", "--players", "2", "--json"]
    whole = told(capsys, *words, "--games", "60")
    told(capsys, *words, "--games", "7", "--out", "sums.json")
    pieces = told(capsys, *words, "--games", "60", "--out", "sums.json")
    assert tables(pieces) == tables(whole)
    assert [table["continued"] for one in pieces["comparisons"] for table in one["tables"]] == [7, 7]
    again = told(capsys, *words, "--games", "60", "--out", "sums.json", "--engine", "reference")
    assert tables(again) == tables(whole)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_ended_comparison_goes_on_to_the_same_digits(
    how: signal.Signals, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By hand it tells what it knows; by force what was noted is there."""
    kept = here / "sums.json"
    more = ["--out", "sums.json", "--engine", "reference"]
    code, answer, complaint = ended([*PIG, *more, "--games", "1000000"], kept, how)
    done = deals_in(kept)
    assert done > 0
    if how == signal.SIGINT:
        assert (code, complaint) == (2, "")
        document = json.loads(answer)
        assert document["partial"] is True
        assert document["comparisons"][0]["tables"][0]["deals"] == done
    games = ["--games", str(done + 20)]
    assert tables(told(capsys, *PIG, *more, *games)) == tables(told(capsys, *PIG, *games))


def test_who_interrupts_is_told_how_to_go_on(here: Path) -> None:
    words = ["compare", "classics/pig", "shorter.rules", "--games", "1000000", "--engine", "reference"]
    code, answer, _ = ended([*words, "--out", "sums.json"], here / "sums.json", signal.SIGINT)
    assert code == 2
    assert "interrupted: this report is partial" in answer
    assert answer.endswith("  run the same command again to continue from sums.json\n")


def test_who_interrupts_games_is_told_how_to_go_on() -> None:
    for out, told_ in ((None, "with `--out FILE`"),
                       ("games.csv", "run the same command again to continue from games.csv")):
        found = MeasuredFile(read_rules("classics/kuhn"), Seating(()))
        table = table_of("classics/kuhn", 2)
        found.tables.append(MeasuredTable(table, stopped=INTERRUPTED))
        request = SimulateRequest(out=out)
        assert any(told_ in line for line in simulated_lines(found, request))


def test_a_ladder_in_pieces_is_the_ladder(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["ladder", "classics/kuhn", "--players", "2", "--budget", "5", "--seconds", "900", "--json"]
    whole = told(capsys, *words, "--games", "6")
    told(capsys, *words, "--games", "2", "--out", "ladder.json")
    pieces = told(capsys, *words, "--games", "6", "--out", "ladder.json", "--jobs", "2")
    for rung in (*whole["thinking"], *whole["habits"], *pieces["thinking"], *pieces["habits"]):
        del rung["seconds_a_choice"]
    assert (pieces["thinking"], pieces["habits"]) == (whole["thinking"], whole["habits"])


def test_where_all_win_together_a_rung_goes_on_too() -> None:
    table = table_of("the_game", 2)
    whole, first, second = (Rung(FirstBot(), RandomBot(), 4) for _ in range(3))
    play_rung(table, whole, 1, float("inf"))
    first.wanted = 2
    play_rung(table, first, 1, float("inf"))
    second.resume_from(json.loads(json.dumps(first.to_json())))
    play_rung(table, second, 1, float("inf"))
    assert (second.games, second.gains) == (4, whole.gains)


def test_sums_of_other_games_are_not_mixed_in(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kuhn = ["compare", "classics/kuhn", "classics/kuhn", "--players", "2", "--games", "12"]
    told(capsys, *kuhn, "--out", "sums.json", "--json")
    for more in (["--seed", "1"], ["--seats", "first"]):
        assert main([*kuhn, *more, "--out", "sums.json"]) == 2
        assert "other rules, options" in capsys.readouterr().err
    assert main(["ladder", "classics/kuhn", "--out", "sums.json"]) == 2
    assert "other rules" in capsys.readouterr().err
    for text in ("{", "[]", '{"sums_of": 1}', "nothing"):
        (here / "sums.json").write_text(text)
        assert main([*kuhn, "--out", "sums.json"]) == 2
        assert "choose another name" in capsys.readouterr().err
    assert main([*kuhn, "--out", "sums.csv"]) == 2
    assert "NAME.json" in capsys.readouterr().err
    assert main([*kuhn, "--out", "nowhere/sums.json"]) == 2
    assert "nowhere/sums.json: cannot be written" in capsys.readouterr().err


def test_broken_sums_are_said_plainly(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kuhn = ["compare", "classics/kuhn", "classics/kuhn", "--players", "2", "--games", "12", "--out", "sums.json"]
    assert main(kuhn) == 0
    document = json.loads((here / "sums.json").read_text())
    (name,) = document["sums"]
    several: list[object] = [None, [], {}, {"left": 3}, {**document["sums"][name], "crosses": [[1]]}]
    for broken in several:
        (here / "sums.json").write_text(json.dumps({**document, "sums": {name: broken}}))
        capsys.readouterr()
        assert main(kuhn) == 2, broken
        assert "choose another name" in capsys.readouterr().err
