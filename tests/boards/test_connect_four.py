"""Connect Four beside OpenSpiel's, which is played by the same rules: lines, columns, what falls."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("llvmlite")
pyspiel = pytest.importorskip("pyspiel")

from tests.gallery.levels import count_rulebook_levels  # noqa: E402
from tests.gallery.random_play import check_alike, play_openspiel, play_rulebook  # noqa: E402

NAME = str(Path(__file__).parent / "connect_four.rules")


def test_the_first_moves() -> None:
    """Seven columns; the seventh disc may fill a column, and then it could not."""
    assert count_rulebook_levels(NAME, {}, 7) == [7, 7**2, 7**3, 7**4, 7**5, 7**6, 7**7 - 7]


def test_random_games() -> None:
    check_alike(play_rulebook(NAME, 4_000), play_openspiel(pyspiel.load_game("connect_four"), 2_000))
