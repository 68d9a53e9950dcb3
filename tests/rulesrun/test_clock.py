"""On a terminal a command that says nothing for two seconds says what it is doing; elsewhere it does not."""

from __future__ import annotations

import io
import time
from contextlib import redirect_stderr

import pytest

from rulesrun.cli import main
from rulesrun.terminal import progress
from rulesrun.terminal.output import print_error
from rulesrun.terminal.progress import CLEARED, clock, stage


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setattr(progress, "SILENCE", 0.2)
    monkeypatch.setattr(progress, "TICK", 0.1)
    return Terminal()


def shown(terminal: Terminal) -> str:
    """What is left on the screen's last line."""
    return terminal.getvalue().rsplit(CLEARED, 1)[-1]


def wait_for(terminal: Terminal, text: str) -> None:
    until = time.monotonic() + 20
    while text not in shown(terminal) and time.monotonic() < until:
        time.sleep(0.02)
    assert text in shown(terminal)


def test_silence_is_broken_and_nothing_stays_behind(terminal: Terminal) -> None:
    with redirect_stderr(terminal), clock("counting"):
        wait_for(terminal, "counting: ")
        stage("going on")
        wait_for(terminal, "going on: ")
    assert shown(terminal) == ""


def test_what_is_said_stands_on_a_line_of_its_own(terminal: Terminal) -> None:
    with redirect_stderr(terminal), clock("counting"):
        wait_for(terminal, "counting: ")
        print_error("rulesrun: this is broken")
        assert "rulesrun: this is broken\n" in terminal.getvalue().split(CLEARED)


def test_it_keeps_quiet_where_something_is_told(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SILENCE", 60.0)
    with redirect_stderr(terminal), clock("counting"):
        time.sleep(0.3)
    assert terminal.getvalue() == ""


def test_elsewhere_nothing_is_written() -> None:
    stream = io.StringIO()
    with redirect_stderr(stream), clock("counting"):
        time.sleep(0.3)
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    "words", [["explore", "classics/tic_tac_toe"], ["tree", "classics/leduc", "--engine", "reference"]]
)
def test_commands_say_what_they_do(words: list[str], terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SILENCE", 0.0)
    monkeypatch.setattr(progress, "TICK", 0.02)
    with redirect_stderr(terminal):
        assert main(words) == 0
    assert f"rulesrun {words[0]}: " in terminal.getvalue()
    assert shown(terminal) == ""
