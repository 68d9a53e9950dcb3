"""Least squares: columns and targets of whole numbers in, weights out, the same to the last digit on every machine.

Sums of products are whole numbers; the few steps behind them add up with `fsum`, which rounds once, whatever the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from operator import mul

from attrs import frozen

RIDGE = 1e-3  # how much weights are held back: columns that say nearly the same share them
LEAST_GAIN = 0.05  # of the variance; what explains less is left alone

Column = Sequence[int]


@frozen
class Fit:
    """`gain`: which part of the target's variance the weights explain, less what chance alone would."""

    weights: tuple[float, ...]
    gain: float


def fits(columns: Sequence[Column], targets: Sequence[Column]) -> list[Fit]:
    """Deviations from the mean are explained; a column that never changes gets no weight."""
    games = len(targets[0]) if targets else 0
    spreads = [sqrt(covariance(one, one, games)) for one in columns]
    used = [at for at, spread in enumerate(spreads) if spread > 0]
    alike = [
        [
            covariance(columns[one], columns[other], games) / (spreads[one] * spreads[other]) + RIDGE * (one == other)
            for other in used[: at + 1]
        ]
        for at, one in enumerate(used)
    ]
    root = square_root(alike)
    found = []
    for target in targets:
        whole = covariance(target, target, games)
        along = [covariance(columns[at], target, games) / spreads[at] for at in used]
        solved = solution(root, along)
        explained = fsum(map(mul, solved, along))
        left = (whole - explained) * games / max(games - len(used) - 1, 1)
        weights = [0.0] * len(columns)
        for at, value in zip(used, solved, strict=True):
            weights[at] = value / spreads[at]
        found.append(Fit(tuple(weights), 1 - left / whole if whole else 0.0))
    return found


def covariance(one: Column, other: Column, games: int) -> float:
    together: int = games * sum(map(mul, one, other)) - sum(one) * sum(other)
    return together / (games * games)


def square_root(lower: list[list[float]]) -> list[list[float]]:
    """Cholesky's: a lower triangle whose product with itself is the matrix."""
    root: list[list[float]] = []
    for at, row in enumerate(lower):
        own: list[float] = []
        for other in range(at):
            own.append((row[other] - fsum(map(mul, own, root[other]))) / root[other][other])
        own.append(sqrt(max(row[at] - fsum(map(mul, own, own)), RIDGE / 2)))
        root.append(own)
    return root


def solution(root: list[list[float]], right: list[float]) -> list[float]:
    forward: list[float] = []
    for row, value in zip(root, right, strict=True):
        forward.append((value - fsum(map(mul, row, forward))) / row[-1])
    found = [0.0] * len(root)
    for at in range(len(root) - 1, -1, -1):
        rest = fsum(root[below][at] * found[below] for below in range(at + 1, len(root)))
        found[at] = (forward[at] - rest) / root[at][at]
    return found
