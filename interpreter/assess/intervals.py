"""Intervals for few games among good players: what each game gave in, a value with its interval out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp, sqrt

from rulesrun.interpreter.measure.estimates import FEWEST, LEVEL, Estimate, student_quantile
from rulesrun.interpreter.play.properties import wilson_interval

CLOSE_ENOUGH = 1e-9


def estimate_share_of_wins(values: Sequence[float], level: float = LEVEL) -> Estimate:
    """The mean of what lies between 0 and 1 in every game, or in the games of every deal."""
    games = len(values)
    if games < FEWEST:
        return Estimate(sum(values) / games if games else 0.0, None, None, games)
    share, counts = sum(values) / games, Counter(values)
    quantile = student_quantile((1 + level) / 2, games - 1)
    rare = wilson_interval(0, games, quantile)[1]
    if share in (0.0, 1.0):
        return Estimate(share, 1 - rare if share else 0.0, 1.0 if share else rare, games)
    low, high = (find_bound(counts, share, quantile, sign) for sign in (-1, 1)) if len(counts) > 1 else (share, share)
    return Estimate(share, max(min(low, share - rare / 2), 0.0), min(max(high, share + rare / 2), 1.0), games)


def find_bound(counts: Mapping[float, int], mean: float, quantile: float, sign: int) -> float:
    """The first mean on this side that does not fit what was seen, were the spread as it would be with that mean.

    Each value is thought the more likely the higher (lower) it is, until the mean lies too many standard errors away.
    Of wins and losses alone that is Wilson's bound. Where a rare value makes most of the spread, as a win where most
    deals are even, the spread grows with the mean: a run with few of them is not surer of its mean for it.
    """
    games, most = sum(counts.values()), max(sign * value for value in counts)

    def tilt(weight: float) -> tuple[float, bool]:
        shares = {value: count * exp(weight * (sign * value - most)) for value, count in counts.items()}
        total = sum(shares.values())
        middle = sum(value * share for value, share in shares.items()) / total
        spread = sum((value - middle) ** 2 * share for value, share in shares.items()) / total
        return middle, (games - 1) * (middle - mean) ** 2 >= quantile**2 * spread

    near, far = 0.0, 1.0
    while not tilt(far)[1]:
        near, far = far, 2 * far
    while far - near > CLOSE_ENOUGH * far:
        weight = (near + far) / 2
        near, far = (near, weight) if tilt(weight)[1] else (weight, far)
    return tilt(far)[0]


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
