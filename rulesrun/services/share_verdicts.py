"""Whether a share of all games is as the rules promise: counts in, a verdict with the interval it rests on out.

The interval holds at 99 % however often one looks: after more games, and again, until it says something. Where the
share lies on the bound, a verdict comes in one of a hundred series of looks at most, however long they are. A share is
left out when the games are a hundred times likelier under all shares together, each as likely as any other, than under
it (Ville's inequality). What lies wholly on one side of the bound is decided; else it is not known yet.
"""

from __future__ import annotations

from collections.abc import Callable
from math import lgamma, log

from rulesrun.dsl.text.messages import Message, message

DOUBT = 0.01
STEPS = 60  # halvings


def share_interval(count: int, games: int) -> tuple[float, float]:
    if not games:
        return 0.0, 1.0
    limit = log(1 / DOUBT) + log(games + 1) + lgamma(games + 1) - lgamma(count + 1) - lgamma(games - count + 1)

    def is_left_out(share: float) -> bool:
        hits = count * log(share) if count else 0.0
        misses = (games - count) * log(1 - share) if count < games else 0.0
        return -hits - misses >= limit

    low = 0.0 if count == 0 else find_interval_end(is_left_out, 0.0, count / games)
    return low, 1.0 if count == games else find_interval_end(is_left_out, 1.0, count / games)


def find_interval_end(is_left_out: Callable[[float], bool], outside: float, inside: float) -> float:
    """Where what is left out begins, between the two."""
    for _ in range(STEPS):
        middle = (outside + inside) / 2
        if middle in (outside, inside):
            break
        outside, inside = (middle, inside) if is_left_out(middle) else (outside, middle)
    return inside


def share_verdict(word: str, share: tuple[int, int], count: int, games: int) -> str:
    """`holds`, `broken` or `not known yet`, of `at most 1/10` or `at least 1/10`."""
    low, high = share_interval(count, games)
    bound = share[0] / share[1]
    if word == "at most":
        return "holds" if high <= bound else "broken" if low > bound else "not known yet"
    return "holds" if low >= bound else "broken" if high < bound else "not known yet"


def share_text(share: tuple[int, int], count: int, games: int) -> Message:
    low, high = share_interval(count, games)
    if not games:
        return message("no game ended")
    return message(
        "in {met:,} of {games:,} games, {share:.1f} %; 99 % interval {low:.1f} to {high:.1f} %",
        met=count, games=games, share=100 * count / games, low=100 * low, high=100 * high,
    )  # fmt: skip
