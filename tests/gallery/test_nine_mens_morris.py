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
# OpenSpiel counts the points line by line, from the top; here each by its ring and spot.
POINTS = [
    (1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3), (1, 8), (2, 8), (3, 8),
    (3, 4), (2, 4), (1, 4), (3, 7), (3, 6), (3, 5), (2, 7), (2, 6), (2, 5), (1, 7), (1, 6), (1, 5),
]  # fmt: skip


def say(choice: rulesrun.Choice, player: int) -> str:
    values = dict(choice.arguments)
    point = POINTS.index((values["ring"], values["spot"]))
    if choice.action == "move":
        return f"Move {point} -> {POINTS.index((values['to_ring'], values['to_spot']))}"
    return f"Point {point}"


@pytest.mark.parametrize("games", [6, pytest.param(500, marks=pytest.mark.long)])
def test_move_by_move(games: int) -> None:
    play_side_by_side(NAME, {}, pyspiel.load_game("nine_mens_morris"), say, games)


def test_random_games() -> None:
    check_alike(play_rulebook(NAME, 4_000), play_openspiel(pyspiel.load_game("nine_mens_morris"), 2_000))


def test_men_are_placed_anywhere() -> None:
    assert count_rulebook_levels(NAME, {}, 3) == [24, 24 * 23, 24 * 23 * 22]
