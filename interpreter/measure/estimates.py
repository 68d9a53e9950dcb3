"""Intervals: exact totals of many games in, a value with its 95 % interval out.

A share (every game says yes or no) has Wilson's interval, any other mean Student's, a ratio of two totals
Student's on what each game adds to it. Where too few games say anything the interval is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, erfc, floor, log1p, sqrt
from statistics import NormalDist

from attrs import frozen

from rulesrun.interpreter.play.properties import Share

LEVEL = 0.95
TOLERANCE = 0.03  # of the games: what nobody would notice at a table
FEWEST = 10  # games that must say something before a mean of rare things has an interval

Exact = int | Fraction


@frozen
class Estimate:
    """`low` and `high` are None where the interval is not known. `games`: how many it rests on."""

    value: float
    low: float | None
    high: float | None
    games: int

    @property
    def half_width(self) -> float:
        """Half the width of the interval; infinite when it is not known."""
        return float("inf") if self.low is None or self.high is None else (self.high - self.low) / 2

    def scale(self, factor: float) -> Estimate:
        low, high = (None if bound is None else bound * factor for bound in (self.low, self.high))
        return Estimate(self.value * factor, low, high, self.games)

    def shift(self, amount: float) -> Estimate:
        low, high = (None if bound is None else bound + amount for bound in (self.low, self.high))
        return Estimate(self.value + amount, low, high, self.games)


def normal_quantile(share: float) -> float:
    return NormalDist().inv_cdf(share)


def student_quantile(share: float, freedom: int) -> float:
    """Cornish and Fisher's expansion: four digits from five degrees of freedom."""
    z, v = normal_quantile(share), freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * v**4)
    )


def normal_of_student(t: float, freedom: int) -> float:
    """As far out as this is among the values of a normal distribution (Wallace, 1959): few games tell less."""
    if freedom < 1:
        return 0.0
    far = sqrt(freedom * log1p(t * t / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    return far if t > 0 else -far


def two_sided_p_value(z: float) -> float:
    """How often a figure without effect lies this many standard errors away, or further."""
    return erfc(abs(z) / sqrt(2))


def estimate_share(count: int, games: int) -> Estimate:
    found = Share(count, games)
    return Estimate(found.value, *found.interval, games)


def widen_share(found: Estimate) -> Estimate:
    """Of what lies between 0 and 1 in every game and seldom above 0: no narrower than if it were all or nothing."""
    if not found.games:
        return found
    count = found.value * found.games
    low, high = estimate_share(floor(count), found.games), estimate_share(ceil(count), found.games)
    return Estimate(found.value, low.low, high.high, found.games)


def estimate_mean(total: Exact, squares: Exact, nonzero: int, games: int) -> Estimate:
    """Of what every game adds; `nonzero`: how many add anything."""
    if games == 0:
        return Estimate(0.0, None, None, 0)
    if total == squares == nonzero:
        return estimate_share(nonzero, games)
    value = Fraction(total) / games
    if games < FEWEST or nonzero < FEWEST:
        return Estimate(float(value), None, None, games)
    error = sqrt(compute_variance(total, squares, games) / games)
    return estimate_around(float(value), error, games)


def estimate_around(value: float, error: float, games: int, level: float = LEVEL) -> Estimate:
    half = student_quantile((1 + level) / 2, games - 1) * error
    return Estimate(value, value - half, value + half, games)


def compute_variance(total: Exact, squares: Exact, games: int) -> float:
    """Exact up to the last step, so that large totals lose nothing."""
    return float((squares - Fraction(total) ** 2 / games) / (games - 1)) if games > 1 else 0.0


def estimate_ratio(above: Sequence[Exact], below: Sequence[Exact], product: Exact, games: int) -> Estimate:
    """Of two totals, each (sum, sum of squares); `product`: the sum of the products."""
    if not below[0]:
        return Estimate(0.0, None, None, games)
    value = Fraction(above[0]) / Fraction(below[0])
    if games < FEWEST:
        return Estimate(float(value), None, None, games)
    squares = above[1] - 2 * value * product + value**2 * below[1]
    error = sqrt(float(squares / (games - 1)) * games) / float(below[0])
    return estimate_around(float(value), error, games)


def clip_to_share(found: Estimate, some: int, possible: int) -> Estimate:
    """A ratio that is never more than 1; not known from few games. `some`, `possible`: those that add above, below."""
    if found.low is None or found.high is None or possible < FEWEST or 0 < some < FEWEST:
        return Estimate(found.value, None, None, found.games)
    return Estimate(found.value, max(found.low, 0.0), min(found.high, 1.0), found.games)
