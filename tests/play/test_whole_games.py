"""Whole games in line mode, typed by a script: the same game as in the trace, whoever sits where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulesrun.cli import main
from rulesrun.play.typed_lines import Complete, LineReader
from tests.command_line import run_here
from tests.table.games import all_tables, decisions_of, recorded_game

FEW = [("classics/kuhn", 3), ("classics/leduc", 2), ("classics/tic_tac_toe", 2), ("classics/rock_paper_scissors", 2),
       ("classics/pig", 2), ("the_game", 1), ("the_game", 2), ("collection", 2), ("gallery/blackjack", 1)]  # fmt: skip


class Script(LineReader):
    """Types what a recorded game says, in words or as numbers, for whoever is asked."""

    def __init__(self, decisions: list[dict[str, Any]], as_words: bool) -> None:
        super().__init__(is_terminal=False)
        self.decisions, self.as_words = decisions, as_words

    def read(self, prompt: str, complete: Complete) -> str | None:
        digits = [one for one in prompt if one.isdigit()]
        seat = int("".join(digits)) if digits else 1
        found = next(one for one in self.decisions if one["player"] in (seat, 0))
        self.decisions.remove(found)
        number = found["legal"].index(found["chosen"])
        return complete("")[number] if self.as_words else str(number + 1)


@pytest.mark.parametrize(("name", "players"), [
    pytest.param(*one, marks=[] if one in FEW else [pytest.mark.long]) for one in all_tables()
])  # fmt: skip
@pytest.mark.parametrize("as_words", [False, True])
def test_a_recorded_game_is_typed(
    name: str, players: int, as_words: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    trace = recorded_game(name, players, 5)
    monkeypatch.setattr("rulesrun.play.typed_lines.LineReader", lambda: Script(decisions_of(trace), as_words))
    written = tmp_path / "game.jsonl"
    words = ["play", name, "--players", str(players), "--seed", "5", "--seats", "human", "--trace", str(written)]
    assert main(words) == 0
    assert written.read_text("utf-8").splitlines() == trace
    said = capsys.readouterr()
    assert said.err == ""
    assert max(len(line) for line in said.out.splitlines() if not line.startswith("──")) <= 80
    end = json.loads(trace[-1])
    for player, score in end["scores"].items():
        assert any(f"player {player}" in line and str(score) in line for line in said.out.splitlines()[-120:])


def test_a_game_in_a_pipe(tmp_path: Path) -> None:
    done = run_here("play", "classics/tic_tac_toe", "--seats", "human,first", folder=tmp_path, stdin="5\n1\nm b3\n")
    assert done.returncode == 0
    assert "1.  player 1 (you) · score 1" in done.stdout
    assert "\x1b" not in done.stdout


def test_lines_that_end_too_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there is kept, each time under a name of its own, and goes on."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("tic_tac_toe.game", "tic_tac_toe-2.game"):
        done = run_here("play", "classics/tic_tac_toe", "--seats", "human,first", folder=tmp_path, stdin="5\n")
        assert done.returncode == 2
        assert "the input ended after line 1" in done.stderr
        assert name in done.stderr
    kept = tmp_path / "data" / "rulesrun" / "unfinished" / "tic_tac_toe.game"
    assert "1.  player 1 (you) · score 1" in run_here("play", str(kept), folder=tmp_path, stdin="1\nm b3\n").stdout
    assert run_here("play", "classics/tic_tac_toe", folder=tmp_path, stdin="quit\n").returncode == 0


def test_a_saved_game_goes_on(tmp_path: Path) -> None:
    typed = "5\nsave evening.game\nquit\n"
    run_here("play", "classics/tic_tac_toe", "--seats", "human,first", folder=tmp_path, stdin=typed)
    done = run_here("play", "evening.game", folder=tmp_path, stdin="1\nm b3\n")
    assert done.returncode == 0
    assert "1.  player 1 (you) · score 1" in done.stdout
    assert "You: mark b2." in done.stdout
    lines = (tmp_path / "evening.game").read_text("utf-8").splitlines()
    (tmp_path / "evening.game").write_text("\n".join([*lines[:-1], lines[-1].replace('"option":0', '"option":99')]))
    broken = run_here("play", "evening.game", folder=tmp_path)
    assert broken.returncode == 2
    assert "evening.game" in broken.stderr
    assert "Traceback" not in broken.stderr


def test_rules_that_get_stuck(tmp_path: Path) -> None:
    rules = 'rules 1\ngame "Stuck"\nplayers 1\nnumber steps: 0..2 = 0\nphase on: repeat until steps > 2\n  choose go\n'
    rules += "action go\n  steps increases by 1\nscore at end\n  points = steps\n"
    (tmp_path / "stuck.rules").write_text(rules, encoding="utf-8")
    done = run_here("play", "stuck.rules", folder=tmp_path, stdin="1\n" * 9)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "line 8" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("typed", "said"), [
    ("fly", "No: “fly” is not one of the options"), ("99", "There is no option 99; choose 1 to 9."),
    ("?", "why WORDS"), ("why", "Why what?"), ("why mark a1", "`mark a1` is legal"),
    ("mark a", "That could be any of these:"), ("undo", "No: there is nothing to take back"),
    ("save", "Save where?"), ("save /nowhere/x", "cannot be written"), ("log", "Round 1 begins."),
    ("score", "player 1 (you): 0"), ("options mark c", "mark c3"), ("table", "Tic-tac-toe"),
    ("why fly", "not one of the options"), ("0", "There is no option 0"), ("", "> "),
    ("/pass", "not one of the options"),
])  # fmt: skip
def test_what_can_be_typed(typed: str, said: str, tmp_path: Path) -> None:
    done = run_here("play", "classics/tic_tac_toe", "--seats", "human,first", folder=tmp_path, stdin=f"{typed}\nquit\n")
    assert done.returncode == 0
    assert said in done.stdout.partition("\n> ")[2] or typed == ""


def test_in_russian(tmp_path: Path) -> None:
    words = ("play", "zero", "--players", "2", "--seed", "3", "--seats", "human,random", "--lang", "ru")
    done = run_here(*words, folder=tmp_path, stdin="почему обмен красная 1 синяя 1\nпас\nвыход\n")
    assert done.returncode == 0
    assert "Нет: `отдать` не может быть красная 1" in done.stdout
    assert "Вы: пас." in done.stdout
    named = [word for word in ("stock", "supply", "hand ", "Player", "round", "score") if word in done.stdout]
    assert named == []


def test_hidden_hands_at_one_keyboard(tmp_path: Path) -> None:
    """Who has the keyboard is said before anything is shown; of others' cards nothing."""
    words = ("play", "classics/kuhn", "--seed", "4", "--seats", "human")
    done = run_here(*words, folder=tmp_path, stdin="pass\nbet\nquit\n")
    parts = done.stdout.split("Pass the keyboard to player ")
    assert [part[0] for part in parts[1:]] == ["1", "2", "1"]
    assert "deck → hand (you)" in parts[1]
    assert " hand  1 face down" in parts[1]


def test_several_sheets_of_different_lines(tmp_path: Path) -> None:
    rules = """rules 1
game "Two sheets"
players 1
number steps: 0..9 = 0
phase on: repeat until steps = 2
  choose go
action go
  steps increases by 1
  count points
score
  walked = steps
score at end
  rest = 10 - steps
"""
    (tmp_path / "two.rules").write_text(rules, encoding="utf-8")
    done = run_here("play", "two.rules", folder=tmp_path, stdin="go\ngo\n")
    assert done.returncode == 0, done.stdout + done.stderr
    told = [line.split() for line in done.stdout.splitlines() if line.startswith("   ")]
    rows = [line for line in told if line[0] in ("walked", "rest")]
    assert rows == [["walked", "1", "2", "3"], ["rest", "8", "8"]]


@pytest.mark.parametrize(("players", "teams", "places"), [
    ("3", "", [" 1.  player 1", " 1.  player 3", " 3.  player 2"]),
    ("4", "teams: 1 and 3, 2 and 4\n", [" 1.  player 1 (first) + player 3", " 2.  player 2 (first) + player 4"]),
])  # fmt: skip
def test_who_is_behind_two_has_the_third_place(players: str, teams: str, places: list[str], tmp_path: Path) -> None:
    """As `place of p` says: one more than those, or the teams, who did better."""
    side = "1 in team" if teams else "player = 2"
    points = f"if {side} then {1 if teams else 0} else {0 if teams else 1}"
    rules = f'rules 1\ngame "Places"\nplayers {players}\n{teams}phase on: one turn each from 1\n  choose go\n'
    rules += f"action go\nscore at end\n  points = {points}\nranking: highest total, ties share\n"
    (tmp_path / "places.rules").write_text(rules, encoding="utf-8")
    done = run_here("play", "places.rules", "--seats", "first", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    told = [line for line in done.stdout.splitlines() if line[:1] == " " and line[2:4] == ". "]
    assert [line[: len(right)] for line, right in zip(told, places, strict=True)] == places


def test_who_wins_at_once_is_not_explained_by_points(tmp_path: Path) -> None:
    """No line of the rules counts anything: the first that says who loses did not decide this game."""
    rules = 'rules 1\ngame "Now"\nplayers 2\nphase on: turns from 1\n  choose go, else player loses\n'
    (tmp_path / "now.rules").write_text(rules + "action go\n  player wins\n", encoding="utf-8")
    done = run_here("play", "now.rules", "--seats", "first", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 1.  player 1 (first) · score 1\n 2.  player 2 (first) · score -1\n" in done.stdout
    assert "loses" not in done.stdout
