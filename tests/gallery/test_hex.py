"""Hex beside OpenSpiel's, with the swap and without: no rule differs. What is proved of Hex holds, too."""

from __future__ import annotations

from typing import Any

import pytest

import rulesrun

pytest.importorskip("llvmlite")
pyspiel = pytest.importorskip("pyspiel")

from tests.gallery.openspiel_trees import count_openspiel, count_rulebook  # noqa: E402
from tests.gallery.random_play import check_alike, play_openspiel, play_rulebook  # noqa: E402

NAME = "gallery/hex"


def openspiel(size: int, swapping: bool = False) -> Any:
    return pyspiel.load_game(f"hex(board_size={size},swap={swapping})")


@pytest.mark.parametrize(("size", "swapping"), [
    (2, False), (3, False), pytest.param(3, True, marks=pytest.mark.long),
])
def test_the_whole_tree(size: int, swapping: bool) -> None:
    assert count_rulebook(NAME, {"size": size, "swapping": swapping}) == count_openspiel(openspiel(size, swapping))


@pytest.mark.parametrize(("size", "swapping"), [
    (11, False), pytest.param(11, True, marks=pytest.mark.long), pytest.param(14, False, marks=pytest.mark.long),
])
def test_random_games(size: int, swapping: bool) -> None:
    ours = play_rulebook(NAME, 4_000, {"size": size, "swapping": swapping})
    check_alike(ours, play_openspiel(openspiel(size, swapping), 1_000))


@pytest.mark.parametrize("swapping", [False, True])
@pytest.mark.parametrize("size", [2, pytest.param(3, marks=pytest.mark.long)])
def test_the_first_player_wins_unless_the_first_stone_can_be_taken_over(size: int, swapping: bool) -> None:
    """John Nash: an additional stone never harms, and there are no draws."""
    told = rulesrun.load(NAME).solve(options={"size": size, "swapping": swapping}).to_json()
    assert told["values"]["1"] == (-1 if swapping else 1)
