"""Colonel Blotto beside OpenSpiel's: every pair, and every three, of ways to divide small armies. No rule differs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

import rulesrun

pyspiel = pytest.importorskip("pyspiel")

NAME = "gallery/blotto"
Division = tuple[int, ...]
Outcome = tuple[tuple[Division, ...], tuple[Fraction, ...]]
Outcomes = dict[tuple[Division, ...], tuple[Fraction, ...]]


def our_outcomes(soldiers: int, fields: int, players: int) -> Outcomes:
    def below(position: rulesrun.Position, chosen: tuple[Division, ...]) -> Iterator[Outcome]:
        if len(chosen) == players:
            result = position.result()
            assert result is not None
            yield chosen, tuple(map(Fraction, result.scores.values()))
            return
        for choice in position.legal():
            ((_, orders),) = choice.arguments
            division = tuple(orders.count(str(field)) for field in range(1, fields + 1))
            yield from below(position.apply(choice), (*chosen, division))

    start = rulesrun.load(NAME).start(players, {"soldiers": soldiers, "fields": fields})
    return dict(below(start, ()))


def their_outcomes(soldiers: int, fields: int, players: int) -> Outcomes:
    game = pyspiel.load_game(f"blotto(coins={soldiers},fields={fields},players={players})")
    start = game.new_initial_state()

    def below(chosen: tuple[int, ...]) -> Iterator[Outcome]:
        if len(chosen) < players:
            for action in start.legal_actions(len(chosen)):
                yield from below((*chosen, action))
            return
        state = start.clone()
        state.apply_actions(list(chosen))
        divisions = tuple(
            tuple(map(int, start.action_to_string(seat, action).strip("[]").split(",")))
            for seat, action in enumerate(chosen)
        )
        yield divisions, tuple(Fraction(score).limit_denominator(100) for score in state.returns())

    return dict(below(()))


@pytest.mark.parametrize(("soldiers", "fields", "players"), [
    (4, 3, 2), (3, 4, 2), (2, 3, 3), pytest.param(10, 3, 2, marks=pytest.mark.long),
])
def test_armies_meet_as_they_do_in_openspiel(soldiers: int, fields: int, players: int) -> None:
    assert our_outcomes(soldiers, fields, players) == their_outcomes(soldiers, fields, players)
