"""Boards in line mode: lines between dots, boards of players, values in a ring; nothing of what is unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run_here

DOTS = """ line  1   2   3   4
    1  +---+   +   +
       |
    2  +   +---+   +

    3  +   +   +   +
"""


@pytest.mark.parametrize(("game", "typed", "shown", "never"), [
    ("dots_and_boxes", "link across 1 1\nlink down 1 1\nlink across 2 2\n", DOTS, "line across"),
    ("battleship", "1\n" * 10, "\n report  1   2", "left of ship"),
    ("oware", "sow 1\n", "\n seeds  1: 0   2: 5   3: 5   4: 5   5: 5   6: 4", "last house"),
    ("hex", "place a1\n", "\n stone  a  b", "chain"),
    ("checkers", "1\n", "\n piece  a  b  c  d  e  f  g  h\n     8     2     2     2     2", "is king"),
    ("othello", "place d3\n", "\n    5  ·  ·  ·  1  2  ·  ·  ·\n", "row"),
    ("nine_mens_morris", "place a1\n", "\n   7  ·        ·        ·\n", "ring"),
])  # fmt: skip
def test_a_board_looks_like_one(game: str, typed: str, shown: str, never: str, tmp_path: Path) -> None:
    words = ("play", f"gallery/{game}", "--seats", "human", "--seed", "1")
    done = run_here(*words, folder=tmp_path, stdin=typed + "quit\n")
    assert done.returncode == 0, done.stderr
    text = "\n".join(line.rstrip() for line in done.stdout.splitlines())
    assert shown in text, text[-1500:]
    assert never not in text
