"""Backgammon beside OpenSpiel's, throw by throw: all ways to play the dice lead to the same boards, and in the end
the same has won, as much. OpenSpiel's players choose where both dice go at once, ours one after the other: players at
random are not the same, so one plays both games. OpenSpiel names no winner in hyper-backgammon, and ends
after 500 turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

import rulesrun

pytest.importorskip("llvmlite")
pyspiel = pytest.importorskip("pyspiel")

NAME = "gallery/backgammon"
BAR, THEIR_BAR = 25, 100
Board = tuple[tuple[int, ...], tuple[int, ...]]


def board_of(position: rulesrun.Position) -> Board:
    """Of each player what stands on each point, the bar last."""
    shown = position.observe(1).now["variables"]
    first, second = (tuple(shown[f"checkers[{seat},{point}]"] for point in range(1, BAR + 1)) for seat in (1, 2))
    return first, second


def spiel_board(state: Any) -> Board:
    first = (*(state.board(0, 24 - point) for point in range(1, BAR)), state.board(0, THEIR_BAR))
    return first, (*(state.board(1, point - 1) for point in range(1, BAR)), state.board(1, THEIR_BAR))


def play_two(position: rulesrun.Position, left: int = 2) -> Iterator[rulesrun.Position]:
    """What two numbers come to, or as many as can be played."""
    if not left or not isinstance(position.pending, rulesrun.Decision):
        yield position
        return
    for choice in position.legal():
        yield from play_two(position.apply(choice), left - 1)




def play_dice(position: rulesrun.Position, state: Any, chance: Random) -> rulesrun.Position:
    """On both sides, until somebody throws again."""
    while not state.is_chance_node() and not state.is_terminal():
        ours = {board_of(one): one for one in play_two(position)}
        theirs = {spiel_board(state.child(action)): action for action in state.legal_actions()}
        assert ours.keys() == theirs.keys(), str(state)
        board = chance.choice(sorted(ours))
        position = ours[board]
        state.apply_action(theirs[board])
    return position


def throw_alike(position: rulesrun.Position, state: Any, seat: int, chance: Random) -> rulesrun.Position:
    """On both sides; `seat` is who throws, 0 before the first turn: then equal dice are thrown again."""
    faces: list[int] = []
    while isinstance(position.pending, rulesrun.Chance) and len(faces) < 2:
        outcome = chance.choice(position.legal())
        faces.append(int(outcome.values[0]))
        position = position.apply(outcome)
        if seat == 0 and len(faces) == 2 and faces[0] == faces[1]:
            faces = []
    seat = seat or (1 if faces[0] > faces[1] else 2)
    for action in state.legal_actions():
        after = state.child(action)
        if f"Dice: {min(faces)}{max(faces)}" in str(after) and after.current_player() == seat - 1:
            state.apply_action(action)
            return position
    raise AssertionError(str(state))


def play_game(options: Mapping[str, Any], game: Any, chance: Random) -> int:
    position, state = rulesrun.load(NAME).start(2, dict(options), engine="native"), game.new_initial_state()
    seat = 0
    while not isinstance(position.pending, rulesrun.End):
        position = throw_alike(position, state, seat, chance)
        seat = 2 - state.current_player()
        position = play_dice(position, state, chance)
    assert state.is_terminal()
    result = position.result()
    assert result is not None
    assert "hyper" in options or list(result.scores.values()) == state.returns()
    return int(abs(result.scores[1]))


@pytest.mark.parametrize(("wins", "scoring"), [
    ("backgammons", "full_scoring"), ("gammons", "enable_gammons"), ("simple", "winloss_scoring"),
])
@pytest.mark.parametrize("games", [1, pytest.param(30, marks=pytest.mark.long)])
def test_throw_by_throw(wins: str, scoring: str, games: int) -> None:
    game = pyspiel.load_game(f"backgammon(scoring_type={scoring})")
    worth = {play_game({"wins": wins}, game, Random(seed)) for seed in range(games)}
    assert games == 1 or worth == {"backgammons": {1, 2, 3}, "gammons": {1, 2}, "simple": {1}}[wins]


@pytest.mark.parametrize("games", [3, pytest.param(100, marks=pytest.mark.long)])
def test_hyper_backgammon(games: int) -> None:
    game = pyspiel.load_game("backgammon(hyper_backgammon=true)")
    for seed in range(games):
        play_game({"hyper": "yes", "wins": "simple"}, game, Random(seed))
