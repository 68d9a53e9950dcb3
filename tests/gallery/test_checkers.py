"""Checkers beside OpenSpiel's, move by move: no rule differs, and after 40 moves without a capture nobody has won.
OpenSpiel has three rows of men on boards of every size; only that of eight by eight is compared."""

from __future__ import annotations

import pytest

import rulesrun

pytest.importorskip("llvmlite")
pyspiel = pytest.importorskip("pyspiel")

from tests.gallery.random_play import check_alike, play_openspiel, play_rulebook  # noqa: E402
from tests.gallery.side_by_side import play_side_by_side  # noqa: E402

NAME = "gallery/checkers"


def say(choice: rulesrun.Choice, player: int) -> str:
    values = dict(choice.arguments)
    return f"{values['from']}{values['to']}"


@pytest.mark.parametrize("games", [12, pytest.param(1_000, marks=pytest.mark.long)])
def test_move_by_move(games: int) -> None:
    play_side_by_side(NAME, {}, pyspiel.load_game("checkers"), say, games)


def test_random_games() -> None:
    check_alike(play_rulebook(NAME, 4_000), play_openspiel(pyspiel.load_game("checkers"), 1_000))
