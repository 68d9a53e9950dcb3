"""Othello beside OpenSpiel's, where only who wins counts, and beside numbers that others have published."""

from __future__ import annotations

import pytest

import rulesrun

pytest.importorskip("llvmlite")
pyspiel = pytest.importorskip("pyspiel")

from tests.gallery.levels import count_openspiel_levels, count_rulebook_levels  # noqa: E402
from tests.gallery.random_play import check_alike, play_openspiel, play_rulebook  # noqa: E402

NAME = "gallery/othello"
PUBLISHED = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216]


def test_the_first_moves() -> None:
    """The numbers of histories that programs for Othello are tested with."""
    assert count_rulebook_levels(NAME, {}, 7) == PUBLISHED[:7]
    assert count_openspiel_levels(pyspiel.load_game("othello"), 5) == PUBLISHED[:5]


@pytest.mark.long
def test_eight_moves() -> None:
    assert count_rulebook_levels(NAME, {}, 8) == PUBLISHED


def test_random_games() -> None:
    check_alike(play_rulebook(NAME, 4_000), play_openspiel(pyspiel.load_game("othello"), 1_000))


@pytest.mark.long
def test_the_small_board_is_worth_what_is_known() -> None:
    """On four by four the second player wins by 11 to 3."""
    told = rulesrun.load(NAME).solve(options={"size": 4}, seconds=600).to_json()
    assert told["values"] == {"1": -8, "2": 8}
