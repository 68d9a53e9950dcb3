"""What has no machine code is told: with its line, why, and what to write instead; by every command that plays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulesrun import cli
from rulesrun.run import engine_choice
from tests.explained import complete_file, read_pages

PAGE = next(page for page in read_pages() if page.code == "reference-engine")
PLAYING = {
    "simulate": ["--games", "5"],
    "explore": [],
    "tree": [],
    "ladder": ["--games", "1", "--budget", "1", "--seconds", "1"],
    "deadweight": ["--seconds", "1"],
}
REPORTS = {"check": [], "run": ["--games", "5"], "test": []}


@pytest.fixture
def rules(tmp_path: Path) -> str:
    file = tmp_path / "slow.rules"
    file.write_text(complete_file(PAGE.wrong), encoding="utf-8")
    return str(file)


def asked(command: str, file: str, *more: str) -> list[str]:
    return [*([] if command == "run" else [command]), file, *more]


def line_of(text: str, start: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(start))


@pytest.mark.parametrize("command", PLAYING)
def test_a_command_that_plays_says_it_in_one_line(
    command: str, rules: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(asked(command, rules, *PLAYING[command]))
    told = line_of(capsys.readouterr().err, "note[")
    assert code == 0
    assert f"{rules}:" in told
    assert "hang on themselves" in told
    assert "count whole points, and divide in the ranking" in told


@pytest.mark.parametrize("command", REPORTS)
def test_a_report_has_it_beside_what_was_found_in_the_file(
    command: str, rules: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(asked(command, rules, *REPORTS[command])) == 0
    told = capsys.readouterr()
    assert "note[reference-engine]" in told.out
    assert "hint: count whole points, and divide" in told.out
    assert "note[" not in told.err


@pytest.mark.parametrize("command", ["check", "run", "simulate", "tree", "explore"])
def test_json_has_it_under_a_key_of_its_own(command: str, rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    more = {**PLAYING, **REPORTS}[command]
    assert cli.main(asked(command, rules, *more, "--json")) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert [(note["severity"], note["code"]) for note in notes] == [("note", "reference-engine")]
    assert notes[0]["line"] == 1 + complete_file(PAGE.wrong).splitlines().index("  points = 1 + total / share")


@pytest.mark.parametrize("more", [["--engine", "reference"], ["--quiet"]])
def test_who_asks_for_the_reference_or_for_quiet_hears_nothing(
    more: list[str], rules: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["simulate", rules, "--games", "5", *more]) == 0
    assert "note[" not in capsys.readouterr().err


def test_rules_with_machine_code_have_no_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "fast.rules"
    file.write_text(complete_file(PAGE.right), encoding="utf-8")
    assert cli.main(["check", str(file), "--json"]) == 0
    assert "notes" not in json.loads(capsys.readouterr().out)


def test_without_the_compiler_that_is_said_once_where_it_would_have_paid(
    rules: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_choice, "is_compiler_installed", lambda: False)
    assert cli.main(["simulate", rules, "--games", "5"]) == 0
    assert "pip install" not in capsys.readouterr().err
    monkeypatch.setattr(cli, "LONG", 0.0)
    assert cli.main(["simulate", rules, "--games", "5"]) == 0
    assert capsys.readouterr().err.count("pip install") == 1


RESTS = """
number face: 1..6
number other: 1..997
number kept: 0..9 = 0
phase play: one turn each from 1
  roll face
  roll other
  choose pass
action pass
  if face / other * other = face and face / (other + 1) < 1
    kept increases by 1
"""


@pytest.mark.parametrize("command", ["simulate", "run"])
def test_games_that_machine_code_leaves_are_told(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The least common multiple of 997 divisors fits into no word; few of them divide one that does."""
    pytest.importorskip("llvmlite")
    file = tmp_path / "rests.rules"
    file.write_text(complete_file(RESTS), encoding="utf-8")
    assert cli.main(asked(command, str(file), "--games", "40", "--engine", "native")) == 0
    told = capsys.readouterr()
    line = 1 + complete_file(RESTS).splitlines().index("  if face / other * other = face and face / (other + 1) < 1")
    assert "games to the reference engine" in told.out + told.err
    assert f"{file}:{line}:" in told.out + told.err
