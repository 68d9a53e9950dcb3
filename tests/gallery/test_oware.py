"""Oware beside OpenSpiel's: no rule differs, a grand slam takes nothing."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("llvmlite")
pyspiel = pytest.importorskip("pyspiel")

from tests.gallery.levels import count_openspiel_levels, count_rulebook_levels  # noqa: E402
from tests.gallery.openspiel_trees import count_openspiel, count_rulebook  # noqa: E402
from tests.gallery.random_play import check_alike, play_openspiel, play_rulebook  # noqa: E402

NAME = "gallery/oware"


def openspiel(houses: int, seeds_each: int) -> Any:
    return pyspiel.load_game(f"oware(num_houses_per_player={houses},num_seeds_per_house={seeds_each})")


def test_the_whole_tree() -> None:
    """What comes again ends the game, so what came before has a say."""
    assert count_rulebook(NAME, {"houses": 2, "seeds_each": 1}) == count_openspiel(
        openspiel(2, 1), lambda state: str(state.history_str())
    )


@pytest.mark.parametrize(("houses", "seeds_each", "depth"), [(2, 2, 14), (3, 1, 9), (6, 4, 5)])
def test_the_first_moves(houses: int, seeds_each: int, depth: int) -> None:
    ours = count_rulebook_levels(NAME, {"houses": houses, "seeds_each": seeds_each}, depth)
    assert ours == count_openspiel_levels(openspiel(houses, seeds_each), depth)


@pytest.mark.parametrize(("houses", "seeds_each"), [
    (6, 4), pytest.param(3, 2, marks=pytest.mark.long), pytest.param(8, 6, marks=pytest.mark.long),
])
def test_random_games(houses: int, seeds_each: int) -> None:
    ours = play_rulebook(NAME, 4_000, {"houses": houses, "seeds_each": seeds_each})
    check_alike(ours, play_openspiel(openspiel(houses, seeds_each), 2_000))
