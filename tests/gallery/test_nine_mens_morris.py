"""Nine Men's Morris beside OpenSpiel's, move by move: no rule differs, and after 200 turns nobody has won."""

from __future__ import annotations

import pytest

import rulesrun

pytest.importorskip("llvmlite")
pyspiel = pytest.importorskip("pyspiel")

from tests.gallery.levels import count_rulebook_levels  # noqa: E402
from tests.gallery.random_play import check_alike, play_openspiel, play_rulebook  # noqa: E402
from tests.gallery.side_by_side import play_side_by_side  # noqa: E402

NAME = "gallery/nine_mens_morris"
# OpenSpiel counts the points line by line, from the top.
POINTS = [
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
    "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
]  # fmt: skip


def say(choice: rulesrun.Choice, player: int) -> str:
    values = dict(choice.arguments)
    if choice.action == "move":
        return f"Move {POINTS.index(values['from'])} -> {POINTS.index(values['to'])}"
    return f"Point {POINTS.index(values['point'])}"


@pytest.mark.parametrize("games", [6, pytest.param(500, marks=pytest.mark.long)])
def test_move_by_move(games: int) -> None:
    play_side_by_side(NAME, {}, pyspiel.load_game("nine_mens_morris"), say, games)


def test_random_games() -> None:
    check_alike(play_rulebook(NAME, 4_000), play_openspiel(pyspiel.load_game("nine_mens_morris"), 2_000))


def test_men_are_placed_anywhere() -> None:
    assert count_rulebook_levels(NAME, {}, 3) == [24, 24 * 23, 24 * 23 * 22]
