"""Whether a share of all games is as the rules promise: counts in, a verdict with the interval it rests on out.

The interval is Wilson's at 99 %. What lies wholly on one side of the bound is decided; else it is not known yet.
"""

from __future__ import annotations

from rulesrun.interpreter.shares import wilson

NORMAL_99 = 2.5758293035489004


def interval(count: int, games: int) -> tuple[float, float]:
    return wilson(count, games, NORMAL_99)


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
