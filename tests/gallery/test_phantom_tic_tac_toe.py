"""Phantom tic-tac-toe beside OpenSpiel's, move by move, by the classical and by the abrupt rules: no rule differs."""

from __future__ import annotations

import pytest

import rulesrun

pytest.importorskip("llvmlite")
pyspiel = pytest.importorskip("pyspiel")

from tests.gallery.random_play import check_alike, play_openspiel, play_rulebook  # noqa: E402
from tests.gallery.side_by_side import play_side_by_side  # noqa: E402

NAME = "gallery/phantom_tic_tac_toe"


def say(choice: rulesrun.Choice, player: int) -> str:
    column, row = dict(choice.arguments)["square"]
    return f"{' xo'[player]}({int(row) - 1},{'abc'.index(column)})"


@pytest.mark.parametrize("version", ["classical", "abrupt"])
def test_move_by_move(version: str) -> None:
    game = pyspiel.load_game(f"phantom_ttt(gameversion={version})")
    play_side_by_side(NAME, {"version": version}, game, say, 60)


@pytest.mark.parametrize("version", ["classical", "abrupt"])
def test_random_games(version: str) -> None:
    ours = play_rulebook(NAME, 20_000, {"version": version})
    check_alike(ours, play_openspiel(pyspiel.load_game(f"phantom_ttt(gameversion={version})"), 5_000))
