"""Dots and Boxes beside OpenSpiel's: no rule differs, our board may have lines to begin with."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("llvmlite")
pyspiel = pytest.importorskip("pyspiel")

from tests.gallery.levels import count_openspiel_levels, count_rulebook_levels  # noqa: E402
from tests.gallery.openspiel_trees import count_openspiel, count_rulebook  # noqa: E402
from tests.gallery.random_play import check_alike, play_openspiel, play_rulebook  # noqa: E402

NAME = "gallery/dots_and_boxes"


def openspiel(rows: int, columns: int) -> Any:
    return pyspiel.load_game(f"dots_and_boxes(num_rows={rows},num_cols={columns})")


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 2), (2, 1)])
def test_the_whole_tree(rows: int, columns: int) -> None:
    assert count_rulebook(NAME, {"rows": rows, "columns": columns}) == count_openspiel(openspiel(rows, columns))


def test_the_first_moves() -> None:
    assert count_rulebook_levels(NAME, {"rows": 2, "columns": 2}, 5) == [12, 132, 1_320, 11_880, 95_040]
    assert count_openspiel_levels(openspiel(2, 2), 3) == [12, 132, 1_320]


@pytest.mark.parametrize("size", [2, 3, pytest.param(7, marks=pytest.mark.long)])
def test_random_games(size: int) -> None:
    ours = play_rulebook(NAME, 4_000, {"rows": size, "columns": size})
    check_alike(ours, play_openspiel(openspiel(size, size), 2_000))
