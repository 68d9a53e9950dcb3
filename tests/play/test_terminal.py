"""A real terminal: Tab, the passing of the keyboard, Ctrl-D and Ctrl-C."""

from __future__ import annotations

import os
import pty
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.command_line import run_here

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a terminal of Unix")
CLEAR = "\x1b[2J"


class Terminal:
    def __init__(self, process: int, handle: int) -> None:
        self.process, self.handle, self.seen = process, handle, ""

    def type(self, text: str) -> None:
        os.write(self.handle, text.encode())

    def wait_for(self, text: str, seconds: float = 30) -> str:
        """What is shown until then; what follows is left."""
        until = time.monotonic() + seconds
        while text not in self.seen:
            ready, _, _ = select.select([self.handle], [], [], max(0, until - time.monotonic()))
            assert ready, f"never shown: {text!r} in {self.seen[-2000:]!r}"
            try:
                self.seen += os.read(self.handle, 65536).decode("utf-8", "replace")
            except OSError:
                assert text in self.seen
        before, _, self.seen = self.seen.partition(text)
        return before

    def exit_code(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


@contextmanager
def playing(*words: str, folder: Path) -> Iterator[Terminal]:
    process, handle = pty.fork()
    if process == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a runner in the background may have it ignored
        os.chdir(folder)
        environment = os.environ | {"COLUMNS": "80", "LINES": "40", "TERM": "xterm"}
        os.execve(sys.executable, [sys.executable, "-m", "rulesrun", "play", *words], environment)
    try:
        yield Terminal(process, handle)
    finally:
        os.close(handle)


def test_tab_completes_what_can_be_chosen(tmp_path: Path) -> None:
    with playing("classics/tic_tac_toe", "--seats", "human,first", folder=tmp_path) as terminal:
        shown = terminal.wait_for("> ")
        assert "Tic-tac-toe" in shown
        terminal.type("mark b2\t\r")
        terminal.wait_for("You: mark b2.")
        terminal.wait_for("> ")
        terminal.type("\x04")
        assert terminal.exit_code() == 2


def test_nobody_sees_anothers_hand(tmp_path: Path) -> None:
    """Before a hand is shown the screen is cleared, and whose it is presses Enter."""
    with playing("classics/kuhn", "--seats", "human", "--seed", "4", folder=tmp_path) as terminal:
        first = terminal.wait_for("press Enter: ")
        assert "hand (you)" not in first
        terminal.type("\r")
        assert CLEAR in terminal.wait_for("hand (you)")
        terminal.wait_for("player 1> ")
        terminal.type("pass\r")
        between = terminal.wait_for("Player 2, press Enter: ")
        assert CLEAR in between
        assert "deck → hand (you)" not in between.partition(CLEAR)[2]
        terminal.type("\r")
        terminal.wait_for("player 2> ")
        terminal.type("quit\r")
        assert terminal.exit_code() == 0


def test_ctrl_c_stops_without_a_traceback(tmp_path: Path) -> None:
    with playing("classics/tic_tac_toe", folder=tmp_path) as terminal:
        terminal.wait_for("> ")
        time.sleep(0.5)  # between the prompt and the wait for a key, Python notes a signal with the next key alone
        terminal.type("\x03")
        assert "saved" in terminal.wait_for("interrupted")
        assert terminal.exit_code() == 2
        assert "Traceback" not in terminal.seen


ASKED_ABOUT = """rules 1
game "Asked about"
players 2

card Card: rank 1..4

zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public

setup
  shuffle all Card into deck
  deal 2 from deck to each hand

phase play: turns from 1 until every p in players has hand of p is empty
  choose lay, lay_up, pair or give_up, always possible

action lay(c from hand, n in 1..rank of c)
  needs heap is empty or rank of c > rank of top of heap because "too low"
  move c to heap

action lay_up(c from hand where rank > 9)
  move c to heap

action pair
  needs (some c in hand of left of player has rank of c > 9) because "nobody has one"

action give_up
  needs not can lay and not can lay_up because "a card can be laid"
  move all hand to deck

score at end
  points = count of heap

ranking: highest total, ties share
"""


def test_why_names_the_rule_that_says_no(tmp_path: Path) -> None:
    """Of `can` what it asks for; of what is hidden nothing; the longest name is meant; a choice may be left out."""
    (tmp_path / "asked.rules").write_text(ASKED_ABOUT, "utf-8")
    lines = "why give_up\nwhy lay_up\nwhy pair\nquit\n"
    told = run_here("play", "asked.rules", "--seats", "human,random", folder=tmp_path, stdin=lines).stdout
    assert "No: a card can be laid" in told
    assert "nothing fits `c`: the rules say `c from hand where rank > 9`" in told
    assert "No: `pair` is not possible now, for a reason that may be hidden from you" in " ".join(told.split())
    again = run_here(
        "play", "asked.rules", "--seats", "human,random", "--debug", folder=tmp_path, stdin="why lay\nquit\n"
    )
    assert "`c` is not chosen" in again.stdout
    assert again.returncode == 0
