"""One game on both sides, move by move: the same player has the same moves, and in the end the same has won."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import rulesrun


def play_side_by_side(
    name: str, options: Mapping[str, Any], game: Any, say: Callable[[rulesrun.Choice, int], str], games: int
) -> None:
    """`say`: a choice of a player as OpenSpiel writes it."""
    rules, chance = rulesrun.load(name), Random(5)
    for _ in range(games):
        position, state = rules.start(2, dict(options), engine="native"), game.new_initial_state()
        while isinstance(position.pending, rulesrun.Decision):
            player = position.pending.player
            ours = {say(choice, player): choice for choice in position.legal()}
            theirs = {state.action_to_string(action): action for action in state.legal_actions()}
            assert player == state.current_player() + 1
            assert ours.keys() == theirs.keys(), str(state)
            move = chance.choice(sorted(ours))
            position = position.apply(ours[move])
            state.apply_action(theirs[move])
        assert state.is_terminal()
        result, (first, second) = position.result(), state.returns()
        assert result is not None
        assert sign_of(result.scores[1] - result.scores[2]) == sign_of(first - second)


def sign_of(lead: Any) -> int:
    return int(lead > 0) - int(lead < 0)
