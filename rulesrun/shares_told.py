"""Whether a share of all games is as the rules promise: counts in, a verdict with the interval it rests on out.

The interval is Wilson's at 99 %. What lies wholly on one side of the bound is decided; else it is not known yet.
"""

from __future__ import annotations

from math import sqrt

NORMAL_99 = 2.5758293035489004


def interval(count: int, games: int) -> tuple[float, float]:
    if not games:
        return 0.0, 1.0
    z, p = NORMAL_99, count / games
    middle = (p + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(p * (1 - p) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    low = 0.0 if count == 0 else max(middle - half, 0.0)
    return low, 1.0 if count == games else min(middle + half, 1.0)


def verdict(word: str, share: tuple[int, int], count: int, games: int) -> str:
    """`holds`, `broken` or `not known yet`, of `at most 1/10` or `at least 1/10`."""
    low, high = interval(count, games)
    bound = share[0] / share[1]
    if word == "at most":
        return "holds" if high <= bound else "broken" if low > bound else "not known yet"
    return "holds" if low >= bound else "broken" if high < bound else "not known yet"


def share_text(share: tuple[int, int], count: int, games: int) -> str:
    low, high = interval(count, games)
    if not games:
        return "no game was played to its end"
    return f"in {count:,} of {games:,} games, {count / games:.1%}; with 99 % between {low:.1%} and {high:.1%}"
