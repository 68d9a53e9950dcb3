"""Cribbage beside OpenSpiel's, card by card: who may lay what, and the pegs at every decision. OpenSpiel has those
pass, too, who have no card left or come behind 31, has all put their cards into the crib one after the other, counts
four cards of a suit as a flush in the crib, and counts all hands of the last deal before it looks who has won."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import rulesrun
from tests.gallery.told_games import write

pytest.importorskip("llvmlite")
pyspiel = pytest.importorskip("pyspiel")

NAME = "gallery/cribbage"
SUITS = ["clubs", "diamonds", "hearts", "spades"]


def number_of(card: str) -> int:
    suit, rank = card.split("-")
    return SUITS.index(suit) * 13 + int(rank) - 1


def cards_of(choice: rulesrun.Choice) -> frozenset[int]:
    ((_, chosen),) = choice.arguments
    cards = [chosen] if isinstance(chosen, str) else chosen
    return frozenset(number_of(str(card)) for card in cards)


def spiel_cards(action: int) -> frozenset[int]:
    return frozenset({action} if action < 52 else {(action - 52) // 52, (action - 52) % 52})


def pass_on(state: Any) -> None:
    while not state.is_terminal() and [state.action_to_string(one) for one in state.legal_actions()] == ["Pass"]:
        state.apply_action(state.legal_actions()[0])


def say_go(position: rulesrun.Position) -> rulesrun.Position:
    while list(position.legal()) == [rulesrun.Choice("go", ())]:
        position = position.apply(position.legal()[0])
    return position


def pegs_of(state: Any) -> list[int]:
    (line,) = (line for line in str(state).splitlines() if line.startswith("Scores: "))
    return [int(points) for points in line.split()[1:]]


def pegs(position: rulesrun.Position) -> Iterator[int]:
    shown = position.observe(1).now["variables"]
    for name in sorted(shown):
        if name.startswith("pegs["):
            yield shown[name]


def play_game(players: int, chance: Random) -> None:
    position = rulesrun.load(NAME).start(players, {"crib_flush": "four"}, engine="native")
    state = pyspiel.load_game(f"cribbage(players={players})").new_initial_state()
    while not isinstance(position.pending, rulesrun.End):
        chosen: Any = chance.choice(position.legal())
        if isinstance(position.pending, rulesrun.Chance):
            state.apply_action(number_of(write(chosen)))
        else:
            assert position.pending.player == state.current_player() + 1
            actions = {spiel_cards(action): action for action in state.legal_actions()}
            assert {cards_of(choice) for choice in position.legal()} == actions.keys()
            state.apply_action(actions[cards_of(chosen)])
        position = say_go(position.apply(chosen))
        pass_on(state)
        if not isinstance(position.pending, rulesrun.End):
            assert list(pegs(position)) == pegs_of(state)
    assert state.is_terminal()
    ours, theirs = list(pegs(position)), pegs_of(state)
    assert max(ours) >= 121
    assert all(mine <= other for mine, other in zip(ours, theirs, strict=True))


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("games", [3, pytest.param(300, marks=pytest.mark.long)])
def test_card_by_card(players: int, games: int) -> None:
    for seed in range(games):
        play_game(players, Random(seed))
