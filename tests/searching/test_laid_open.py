"""What rules tell of hidden things of their own accord is listed with its line; what tells nothing is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulesrun.cli import main
from rulesrun.interpreter.secrecy.information_flow import find_laid_open
from tests.interpreter.made import table
from tests.searching.made import HANDS

TURN = "  choose lay or keep\n"
MORE = "number told: 0..30 = 0\nnumber mine of player: 0..30 = 0, private\n"
NEIGHBOUR = "hand of left of player"


def told_by(old: str, new: str) -> list[tuple[str, ...]]:
    text = HANDS.format(needs="", keep="").replace("setup\n", MORE + "setup\n  each player\n    roll mine\n")
    text = text.replace(old, new)
    return [one.things for one in find_laid_open(table(text))]


@pytest.mark.parametrize(
    ("line", "things"),
    [
        ("show hand", [()]),
        (f"show {NEIGHBOUR} to player", [()]),
        (f"show (if mine > 3 then hand else {NEIGHBOUR})", [(), ("mine",)]),
        (f"told becomes sum of rank over {NEIGHBOUR}", [("hand",)]),
        ("told becomes highest of rank over deck", [("deck",)]),
        ("told increases by mine", [("mine",)]),
        ("mine becomes sum of rank over hand", []),
        (f"told becomes count of {NEIGHBOUR}", []),
        ("told becomes count of table", []),
        (f"swap hand with {NEIGHBOUR}", []),
        ("swap hand with hand of (item 1 of (players where rank of last of hand of 2 > 3))", [("hand",)]),
    ],
)
def test_a_line(line: str, things: list[tuple[str, ...]]) -> None:
    assert told_by(TURN, f"  {line}\n{TURN}") == things


@pytest.mark.parametrize(("rounds", "when", "things"), [
    ("", "at end", []), ("", "each round", []), ("rounds 2\n", "at end", []),
    ("rounds 2\n", "each round", [("hand",)]),
])  # fmt: skip
def test_points_counted_before_the_end_of_the_game(rounds: str, when: str, things: list[tuple[str, ...]]) -> None:
    """The sheet of the only round is one of the end."""
    assert told_by("score at end", f"{rounds}score {when}") == things


def test_the_report_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "telling.rules"
    text = 'rules 1\ngame "Telling"\nplayers 2\n' + HANDS.format(needs="", keep="").lstrip("\n")
    file.write_text(text.replace(TURN, f"  show hand of 2 to 1\n{TURN}"), "utf-8")
    assert main([str(file), "--games", "2"]) == 0
    assert "             line 12: `show hand of 2 to 1`\n" in capsys.readouterr().out
    assert main([str(file), "--games", "2", "--json"]) == 0
    [found] = json.loads(capsys.readouterr().out)["files"]
    shown: dict[str, object]
    shown = {"text": "show hand of 2 to 1", "where": "line 12", "things": [], "how": "shown", "because": None}
    assert found["lays_open"] == [shown]
