"""Random games of a rulebook in machine code and of OpenSpiel, and whether their means agree."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

import numpy
from attrs import frozen

import rulesrun

WITHIN = 4.0  # standard errors of a difference
LONGEST = 100_000


@frozen(eq=False)
class RandomGames:
    """Of each game: how many decisions players took, and whether the first seat won (1), lost (-1) or neither."""

    decisions: numpy.ndarray[Any, Any]
    first_wins: numpy.ndarray[Any, Any]


def play_rulebook(name: str, games: int, options: Mapping[str, Any] | None = None, seed: int = 1) -> RandomGames:
    many = rulesrun.load(name).many(2, dict(options or {}))
    rows, chance = many.start(games), numpy.random.default_rng(seed)
    decisions = numpy.zeros(games, numpy.int64)
    for _ in range(LONGEST):
        deciding = many.deciding(rows)
        if (deciding == -2).all():
            scores = many.scores(rows).astype(float)
            return RandomGames(decisions, numpy.sign(scores[:, 0] - scores[:, 1]))
        decisions += deciding >= 0
        going_on = deciding != -2
        answers = many.at_random(rows, chance.integers(0, 2**64, games, numpy.uint64))
        done = many.apply(rows, answers)
        assert (done[going_on] >= 0).all()
    raise AssertionError("games without an end")


def play_openspiel(game: Any, games: int, seed: int = 1) -> RandomGames:
    import pyspiel

    bots = [pyspiel.make_uniform_random_bot(seat, seed + seat) for seat in range(2)]
    decisions, first_wins = [], []
    for at in range(games):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed + at)
        decisions.append(sum(one.player >= 0 for one in state.full_history()))
        first_wins.append(numpy.sign(state.returns()[0] - state.returns()[1]))
    return RandomGames(numpy.array(decisions), numpy.array(first_wins))


def check_alike(ours: RandomGames, theirs: RandomGames) -> None:
    for mine, other in ((ours.decisions, theirs.decisions), (ours.first_wins, theirs.first_wins)):
        error = sqrt(mine.var() / len(mine) + other.var() / len(other))
        assert abs(mine.mean() - other.mean()) <= WITHIN * error, (mine.mean(), other.mean(), error)
