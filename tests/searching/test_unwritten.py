"""What holds without being written: a verdict of its own for each, in the report and as data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulesrun.cli import main

GAME = """rules 1
game "Rest"
players 2..3
card Card: rank 1..4
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone open: row of Card, public
number clock: 0..3 = 0
setup
  shuffle all Card into deck
  deal 1 from deck to each hand
phase play: one turn each from 1
  choose lay or keep
action lay(give from hand)
  move give to open
  clock increases by 1
action keep
score at end
  points = sum of rank over c in hand
ranking: highest total, ties share
"""
CARDS = "no Card appears, vanishes or is in two places"
RANGE = "every number stays in its range"
CHOICE = "whoever must choose has a legal option"
SAID = "the rules always say what happens next"
ENDS = "every game ends"
REACHED = "every position met can still reach the end"
SECRETS = "no option gives away what is hidden from the player"
AGREE = "scores and final places agree"
ALL = [CARDS, RANGE, CHOICE, SAID, ENDS, REACHED, SECRETS, AGREE]


def verdicts(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, *more: str) -> dict[str, str]:
    file = tmp_path / "rest.rules"
    file.write_text(text, "utf-8")
    main([str(file), "--json", *(more or ("--games", "20"))])
    found = json.loads(capsys.readouterr().out)["files"][0]["unwritten"]
    assert [one["title"] for one in found] == ALL
    return {one["title"]: one["verdict"] for one in found}


def test_sound_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert set(verdicts(tmp_path, capsys, GAME).values()) == {"holds"}


@pytest.mark.parametrize(
    ("old", "new", "fails", "unknown"),
    [
        ("clock: 0..3", "clock: 0..1", {RANGE}, {ENDS, REACHED}),
        (" lay or keep", " lay\n  choose lay", {CHOICE}, {ENDS, REACHED, AGREE}),
        ("action keep\n", "action keep\n  draw 2 from deck to open\n", {SAID}, {ENDS, REACHED}),
        ("one turn each from 1", "repeat until clock > 3", {ENDS, REACHED}, {AGREE}),
    ],
)
def test_what_fails_and_what_cannot_be_known_then(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, fails: set[str], unknown: set[str]
) -> None:
    text = GAME.replace(old, new)
    if "repeat" in new:
        text = text.replace("  choose lay or keep", "  choose keep")
    found = verdicts(tmp_path, capsys, text)
    assert {title for title, verdict in found.items() if verdict == "fails"} == fails
    assert {title for title, verdict in found.items() if verdict == "not known"} == unknown


def test_a_leak(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GAME.replace("(give from hand)\n", "(give from hand)\n  needs rank of give > highest of rank over deck\n")
    assert verdicts(tmp_path, capsys, text)[SECRETS] == "not known"  # without looking further
    assert verdicts(tmp_path, capsys, text, "--players", "2")[SECRETS] == "fails"


def test_the_report_says_what_is_proof_and_what_is_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rest.rules"
    file.write_text(GAME + 'can happen "four cards": count of open = 4\n', "utf-8")
    assert main([str(file), "--games", "30"]) == 0
    assert "  holds      8 built-in checks (--all lists them)\n" in capsys.readouterr().out
    assert main([str(file), "--games", "30", "--all"]) == 0
    said = capsys.readouterr().out
    for title in ALL:
        assert f"  holds      {title} (" in said
    assert "proved     at 1 of 1 choices, who is asked and what is offered depend only on what that player sees" in said
    assert "evidence   60 games without a fault; the longest had 3 decisions" in said
    assert "a fault in 1 of 20 random games would have been seen (95 % certain)" in said
    assert "can happen \"four cards\" (line" in said
    assert "rulesrun explore" in said
