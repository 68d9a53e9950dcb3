"""Breakthrough beside OpenSpiel's. No rule differs; OpenSpiel gives two rows of pawns from six rows on, as we do."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("llvmlite")
pyspiel = pytest.importorskip("pyspiel")

from tests.gallery.openspiel_trees import count_openspiel, count_rulebook  # noqa: E402
from tests.gallery.random_play import check_alike, play_openspiel, play_rulebook  # noqa: E402

NAME = "gallery/breakthrough"


def openspiel(rows: int, columns: int) -> Any:
    return pyspiel.load_game(f"breakthrough(rows={rows},columns={columns})")


@pytest.mark.parametrize(("rows", "columns"), [(4, 2), (5, 2)])
def test_the_whole_tree(rows: int, columns: int) -> None:
    assert count_rulebook(NAME, {"rows": rows, "columns": columns}) == count_openspiel(openspiel(rows, columns))


@pytest.mark.parametrize(("rows", "columns"), [(8, 8), pytest.param(6, 5, marks=pytest.mark.long)])
def test_random_games(rows: int, columns: int) -> None:
    ours = play_rulebook(NAME, 4_000, {"rows": rows, "columns": columns})
    check_alike(ours, play_openspiel(openspiel(rows, columns), 1_000))
