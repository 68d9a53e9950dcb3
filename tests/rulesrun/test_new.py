"""`rulesrun new`: what it writes runs; what is there stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesrun.files.loading import read_text
from rulesrun.interpreter.examples.examples import ExampleRunner
from rulesrun.services.new import IDIOMS, PLAIN, list_origins, make_first_text, make_title
from tests.command_line import run_here


@pytest.mark.parametrize("origin", [PLAIN, *IDIOMS])
def test_what_is_written_is_sound_and_its_examples_hold(origin: str) -> None:
    reading = read_text(make_first_text("my_game", origin))
    assert reading.diagnostics == ()
    assert reading.program is not None
    assert reading.title == "My game"


def test_the_example_of_the_plain_game_holds() -> None:
    text = make_first_text("my_game")
    reading = read_text(text)
    assert reading.program is not None
    results = ExampleRunner(reading.program).run_all()
    assert [one.verdict for one in results] == ["passed"]


@pytest.mark.parametrize(
    ("name", "title"),
    [("my_first-game", "My first game"), ("deep/down/zoo.rules", "Zoo"), ('od"d', "Odd"), ("игра", "Игра"),
     ("_", "A game")],
)  # fmt: skip
def test_the_title_is_made_of_the_name(name: str, title: str) -> None:
    assert make_title(name) == title


def test_a_file_is_written_once(tmp_path: Path) -> None:
    done = run_here("new", "mine", "--from", "dice", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "mine.rules" in done.stdout
    text = (tmp_path / "mine.rules").read_text("utf-8")
    assert 'game "Mine"' in text
    again = run_here("new", "mine.rules", folder=tmp_path)
    assert again.returncode == 2
    assert "already exists" in again.stderr
    assert (tmp_path / "mine.rules").read_text("utf-8") == text
    assert run_here("check", "mine.rules", folder=tmp_path).returncode == 0


def test_the_plain_game_runs_and_is_laid_out(tmp_path: Path) -> None:
    assert run_here("new", "mine", folder=tmp_path).returncode == 0
    assert run_here("fmt", "--check", "mine.rules", folder=tmp_path).returncode == 0
    assert run_here("mine.rules", "--games", "5", folder=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [(("x", "--from", "dise"), "did you mean `dice`?"), (("x", "--from", "zzzz"), "choose one of cards, dice,"),
     (("-",), "cannot be the name"), (("no/such/folder/x",), "cannot be written"), ((), "`rulesrun new` needs NAME")],
)  # fmt: skip
def test_what_cannot_be_is_said(words: tuple[str, ...], complaint: str, tmp_path: Path) -> None:
    done = run_here("new", *words, folder=tmp_path)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_every_bundled_rulebook_can_be_begun_with() -> None:
    assert {"zero", "classics/pig"} <= set(list_origins())
    assert not any(name.startswith("variants/") for name in list_origins())
