"""What is compared of a card game: the exact facts of a small table, the means of random play at the whole one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any, Protocol, Self

import numpy
from attrs import Factory, define

import rulesrun

WITHIN = 4.0  # standard errors of a difference
MOST_STEPS = 100_000
HERE = Path(__file__).resolve().parent


class Written(Protocol):
    """A position of a small program written apart: who chooses (0: chance), what may follow, what it is worth."""

    @property
    def player(self) -> int: ...
    def follow(self) -> Iterator[tuple[Self, int]]: ...
    def scores(self) -> Sequence[Fraction | int] | None: ...


@define
class Facts:
    """Of a whole tree, everybody choosing at random."""

    decisions: int = 0
    terminals: int = 0
    scores: dict[int, Fraction] = Factory(dict)


def facts_of(start: Written) -> Facts:
    found = Facts()
    _add_below(start, Fraction(1), found)
    return found


def _add_below(position: Written, odds: Fraction, found: Facts) -> None:
    scores = position.scores()
    if scores is not None:
        found.terminals += 1
        for seat, score in enumerate(scores, 1):
            found.scores[seat] = found.scores.get(seat, Fraction(0)) + odds * score
        return
    found.decisions += position.player > 0
    following = list(position.follow())
    total = sum(weight for _, weight in following)
    for one, weight in following:
        _add_below(one, odds * weight / total, found)


def facts_of_rules(name: str, **asked: Any) -> Facts:
    told = rulesrun.load(name).tree(**asked).to_json()
    scores = {int(seat): Fraction(score) for seat, score in told["expected_scores"].items()}
    return Facts(told["decisions"], told["terminals"], scores)


def spiel_facts(game: Any) -> Facts:
    """OpenSpiel's whole tree; its odds are fractions rounded to floats."""
    found = Facts()

    def add_below(state: Any, odds: Fraction) -> None:
        if state.is_terminal():
            found.terminals += 1
            for seat, score in enumerate(state.returns(), 1):
                found.scores[seat] = found.scores.get(seat, Fraction(0)) + odds * Fraction(score)
        elif state.is_chance_node():
            for action, chance in state.chance_outcomes():
                add_below(state.child(action), odds * Fraction(chance).limit_denominator(10_000))
        else:
            found.decisions += 1
            actions = state.legal_actions()
            for action in actions:
                add_below(state.child(action), odds / len(actions))

    add_below(game.new_initial_state(), Fraction(1))
    return found


@define
class Means:
    """What each of many random games came to, a row a game: the decisions, then the score of each seat."""

    rows: numpy.ndarray[Any, Any]

    def agree_with(self, other: Means) -> None:
        for mine, theirs in zip(self.rows.T, other.rows.T, strict=True):
            error = sqrt(mine.var() / len(mine) + theirs.var() / len(theirs))
            assert abs(mine.mean() - theirs.mean()) <= WITHIN * error, (mine.mean(), theirs.mean(), error)


def play_rules(name: str, players: int, games: int, options: Mapping[str, Any] | None = None, seed: int = 1) -> Means:
    many = rulesrun.load(name).many(players, dict(options or {}))
    rows, chance = many.start(games), numpy.random.default_rng(seed)
    decisions = numpy.zeros((games, 1))
    for _ in range(MOST_STEPS):
        deciding = many.deciding(rows)
        if (deciding == -2).all():
            return Means(numpy.hstack((decisions, many.scores(rows).astype(float))))
        decisions[:, 0] += deciding >= 0
        done = many.apply(rows, many.at_random(rows, chance.integers(0, 2**64, games, numpy.uint64)))
        assert (done[deciding != -2] >= 0).all()
    raise AssertionError("games without an end")


def play_spiel(game: Any, games: int, seed: int = 1) -> Means:
    import pyspiel

    bots = [pyspiel.make_uniform_random_bot(seat, seed + seat) for seat in range(game.num_players())]
    rows = []
    for number in range(games):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed + number)
        rows.append([sum(one.player >= 0 for one in state.full_history()), *state.returns()])
    return Means(numpy.array(rows, float))
