"""Battleship beside OpenSpiel's, move by move: players place in turns and shoot in turns, every ship is worth one.
OpenSpiel lets nobody place a ship so that another one has no room left; here that one stays ashore."""

from __future__ import annotations

from typing import Any

import pytest

import rulesrun

pytest.importorskip("llvmlite")
pyspiel = pytest.importorskip("pyspiel")

from tests.gallery.openspiel_trees import count_openspiel, count_rulebook  # noqa: E402
from tests.gallery.random_play import check_alike, play_openspiel, play_rulebook  # noqa: E402
from tests.gallery.side_by_side import play_side_by_side  # noqa: E402

NAME = "gallery/battleship"
FLEETS = [(10, (2, 3, 3, 4, 5), 50), (4, (2, 3), 16)]


def openspiel(size: int, ships: tuple[int, ...], shots: int, repeats: bool) -> Any:
    return pyspiel.load_game(
        f"battleship(board_width={size},board_height={size},ship_sizes=[{';'.join(map(str, ships))}],"
        f"ship_values=[{';'.join('1' for _ in ships)}],num_shots={shots},allow_repeated_shots={repeats})"
    )


def options(size: int, ships: tuple[int, ...], shots: int, repeats: bool) -> dict[str, Any]:
    written = "{" + ", ".join(map(str, ships)) + "}"
    return {"size": size, "ships": written, "shots": shots, "repeats": "yes" if repeats else "no"}


def say(choice: rulesrun.Choice, player: int) -> str:
    values = dict(choice.arguments)
    corner = f"({values['row'] - 1}, {values['column'] - 1})"
    if choice.action == "shoot":
        return f"Pl{player - 1}: shoot at {corner}"
    direction = "horizontally" if values["direction"] == "across" else "vertically"
    return f"Pl{player - 1}: place ship {direction} with top-left corner in {corner}"


@pytest.mark.parametrize(("size", "ships", "shots"), FLEETS)
def test_move_by_move(size: int, ships: tuple[int, ...], shots: int) -> None:
    game = openspiel(size, ships, shots, False)
    play_side_by_side(NAME, options(size, ships, shots, False), game, say, 4)


def test_the_whole_tree() -> None:
    ours = count_rulebook(NAME, options(2, (2,), 2, True))
    assert ours == count_openspiel(openspiel(2, (2,), 2, True), lambda state: str(state.history_str()))


@pytest.mark.parametrize("repeats", [True, False])
def test_random_games(repeats: bool) -> None:
    ours = play_rulebook(NAME, 4_000, options(*FLEETS[0], repeats))
    check_alike(ours, play_openspiel(openspiel(*FLEETS[0], repeats), 300))
