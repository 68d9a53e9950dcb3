"""Running the command line as a person does: what it wrote and its exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import run_here

ROOT = Path(__file__).resolve().parent.parent.parent
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def fresh(tmp_path: Path) -> Run:
    """`fresh("check", "zero")`: a process of its own in an empty folder, without a terminal."""

    def command(*words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "rulesrun", *words],
            cwd=tmp_path, input=stdin, capture_output=True, text=True, encoding="utf-8", timeout=120,
            env={**os.environ, **environment},
        )  # fmt: skip

    return command


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Like `fresh`, in this process: most of what is asked of the command line does not need one of its own."""

    def command(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return run_here(*words, folder=tmp_path, stdin=stdin)

    return command


TINY = """rules 1
game "Tiny"
players 2..3

card Card: rank 1..4

zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone table: row of Card, public

setup
  shuffle all Card into deck
  deal 1 from deck to each hand

phase play: one turn each from 1
  choose lay or keep

action lay(give from hand)
  move give to table

action keep

score at end
  points = sum of rank over c in hand

ranking: highest total, ties share
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A sound little game in the folder where `run` runs."""
    file = tmp_path / "tiny.rules"
    file.write_text(TINY, "utf-8")
    return file
