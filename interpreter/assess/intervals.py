"""Intervals for few games among good players: what each game gave in, a value with its interval out."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from rulesrun.interpreter.measure.estimates import FEWEST, LEVEL, Estimate, student_quantile
from rulesrun.interpreter.play.shares import wilson_interval

MOST_INFORMATION = 1e6  # effective games


def estimate_share_of_wins(values: Sequence[float], level: float = LEVEL) -> Estimate:
    """The mean of what lies between 0 and 1 in every game, or in the games of every deal."""
    games = len(values)
    if games < FEWEST:
        return Estimate(sum(values) / games if games else 0.0, None, None, games)
    share, spread = compute_mean_and_variance(values)
    quantile = student_quantile((1 + level) / 2, games - 1)
    rare = wilson_interval(0, games, quantile)[1]
    if share in (0.0, 1.0):
        return Estimate(share, 1 - rare if share else 0.0, 1.0 if share else rare, games)
    effective = min(share * (1 - share) * games / spread, MOST_INFORMATION * games) if spread else float("inf")
    if effective == float("inf"):
        low = high = share
    else:
        low, high = wilson_interval(share * effective, effective, quantile)
    return Estimate(share, max(min(low, share - rare / 2), 0.0), min(max(high, share + rare / 2), 1.0), games)


def estimate_mean_of(values: Sequence[float], level: float = LEVEL) -> Estimate:
    games = len(values)
    if games < FEWEST:
        return Estimate(sum(values) / games if games else 0.0, None, None, games)
    mean, spread = compute_mean_and_variance(values)
    half = student_quantile((1 + level) / 2, games - 1) * sqrt(spread / games)
    return Estimate(mean, mean - half, mean + half, games)


def estimate_paired_difference(values: Sequence[float], most: float, level: float = LEVEL) -> Estimate:
    """Of deals played both ways, most of which may be the same; one deal moves it by `most` at most."""
    games, moved = len(values), sum(1 for value in values if value)
    found = estimate_mean_of(values, level)
    is_alike = len(set(values)) == 1
    if found.low is None or found.high is None or (moved >= FEWEST and not is_alike):
        return found
    quantile = student_quantile((1 + level) / 2, games - 1)
    if is_alike:  # another outcome may be as rare as one that was never seen
        half = (most + abs(found.value)) * wilson_interval(0, games, quantile)[1]
    else:
        half = most * (wilson_interval(moved, games, quantile)[1] - moved / games)
    return Estimate(found.value, min(found.low, found.value - half), max(found.high, found.value + half), games)


def compute_mean_and_variance(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / (len(values) - 1)
