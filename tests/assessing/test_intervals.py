"""Intervals of few games: what they must hold, worked out exactly or by simulation of known shares."""

from __future__ import annotations

from random import Random

import pytest

from rulesrun.interpreter.assess.answers import cross_level, judge_share
from rulesrun.interpreter.assess.intervals import (
    estimate_mean_of,
    estimate_paired_difference,
    estimate_share_of_wins,
)
from rulesrun.interpreter.measure.estimates import Estimate
from rulesrun.interpreter.play.properties import wilson_interval


def test_all_or_nothing_is_nearly_wilson() -> None:
    found = estimate_share_of_wins([1.0] * 60 + [0.0] * 40)
    low, high = wilson_interval(60, 100)
    assert found.low == pytest.approx(low, abs=3e-3)
    assert found.high == pytest.approx(high, abs=3e-3)


def test_where_rare_wins_make_the_spread_the_upper_bound_is_farther_away() -> None:
    """Nine of ten deals are even, one is won twice: with a higher mean there were more of these, and a wider spread.
    It is a share of deals, moved and scaled, and so must be its interval."""
    found = estimate_share_of_wins([0.5] * 180 + [1.0] * 20)
    assert found.low is not None
    assert found.high is not None
    low, high = wilson_interval(20, 200)
    assert found.low == pytest.approx(0.5 + low / 2, abs=1e-3)
    assert found.high == pytest.approx(0.5 + high / 2, abs=1e-3)


def test_what_was_never_seen_is_not_impossible() -> None:
    """In 40 games without a win the share may be seven or nine of a hundred: three of forty (the rule of three)."""
    for values in ([0.0] * 40, [1.0] * 40, [0.5] * 40):
        found = estimate_share_of_wins(values)
        assert found.low is not None
        assert found.high is not None
        assert found.high - found.low > 0.05
    same = estimate_paired_difference([0.0] * 40, 1.0)
    assert same.high is not None
    assert same.high > 3 / 40


def test_too_few_games_say_nothing() -> None:
    assert estimate_share_of_wins([1.0] * 9).low is None
    assert estimate_mean_of([1.0] * 9).low is None


def test_a_level_is_crossed_where_the_line_crosses_it() -> None:
    assert cross_level([0.5, 0.5, 0.7, 0.9, 1.0], 0.75) == pytest.approx((2 + 0.25) / 4)
    assert cross_level([0.9, 1.0], 0.75) == 0.0


def test_a_verdict_is_given_only_when_the_interval_is_clear() -> None:
    assert judge_share(Estimate(0.6, 0.55, 0.65, 100), 0.5) == "yes"
    assert judge_share(Estimate(0.51, 0.505, 0.515, 100), 0.5) == "a little"
    assert judge_share(Estimate(0.5, 0.48, 0.52, 100), 0.5) == "no"
    assert judge_share(Estimate(0.52, 0.45, 0.59, 100), 0.5) == "not known"


def covered(share: float, deals: int, rounds: int, seed: int, seats: int = 1) -> float:
    """How often the interval holds the share: games with ties, and seats of one deal that hang together."""
    chance, hits = Random(seed), 0
    for _ in range(rounds):
        values = []
        for _ in range(deals):
            luck = chance.random()
            wins = [float((luck + 0.5 * chance.random()) % 1 < share) for _ in range(seats)]
            values.append(sum(wins) / seats)
        found = estimate_share_of_wins(values)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= share <= found.high
    return hits / rounds


@pytest.mark.parametrize(("share", "deals", "seats"), [(0.5, 60, 1), (0.25, 80, 2), (0.7, 50, 3)])
def test_intervals_cover(share: float, deals: int, seats: int) -> None:
    """In 400 rounds: four standard errors are four points."""
    assert 0.91 <= covered(share, deals, 400, 7, seats) <= 0.99


@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 2, 4])
@pytest.mark.parametrize("deals", [60, 120])
@pytest.mark.parametrize("share", [0.25, 0.5, 0.8])
def test_intervals_cover_long(share: float, deals: int, seats: int) -> None:
    """Within one and a half points of 95 of 100; 4,000 rounds have a standard error of a third."""
    assert 0.935 <= covered(share, deals, 4000, 11, seats) <= 0.968
