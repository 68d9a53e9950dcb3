"""Intervals that hold however often one looks, and whenever one stops: what each deal gave in, bounds of the mean out.

By betting (Waudby-Smith and Ramdas, 2024). Against every share that is too low somebody stakes a part of what they
have on each deal. If the share is right, the bet is fair, and a stake grows forty times in one case of forty at most,
at any time (Ville, 1939). So a share is given up when the stake against it has grown so far. Several bettors with
bolder and more careful stakes put theirs together; in which order the deals came makes no difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log, log1p

STAKES = tuple(2 ** (-part / 2) for part in range(1, 13))  # from seven tenths to one part in sixty-four
LEVEL = 0.95
CLOSE_ENOUGH = 1e-6


def sequential_interval(deals: Mapping[float, int], level: float = LEVEL) -> tuple[float, float]:
    """`deals`: by what lay between 0 and 1, how often it came. Each deal stands for itself."""
    turned = {1 - value: count for value, count in deals.items()}
    return lowest_share(deals, level), 1 - lowest_share(turned, level)


def lowest_share(deals: Mapping[float, int], level: float) -> float:
    """The lowest share against which no stake has grown so far."""
    enough = log(2 / (1 - level))
    low, high = 0.0, 1.0
    while high - low > CLOSE_ENOUGH:
        share = (low + high) / 2
        if log_stake(deals, share) >= enough:
            low = share
        else:
            high = share
    return low


def log_stake(deals: Mapping[float, int], share: float) -> float:
    """What a stake has become in the mean of all bettors, who bet that there is more than this share. It grows the less
    the higher the share is."""
    found = [sum(count * log1p(stake * (value / share - 1)) for value, count in deals.items()) for stake in STAKES]
    most = max(found)
    return most + log(sum(exp(one - most) for one in found) / len(found))
