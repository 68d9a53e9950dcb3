"""All ways to take some of several: the small ones first, then element by element; equal ones make one way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any


def list_selections(values: Sequence[Any], low: int, high: int) -> list[tuple[Any, ...]]:
    """Of values in their order: all different selections."""
    counts = sorted(Counter(values).items())
    low, high = max(low, 0), min(high, len(values))
    if len(counts) == len(values):
        return [one for size in range(low, high + 1) for one in combinations(values, size)]
    return [one for size in range(low, high + 1) for one in list_selections_of_size(counts, size)]


def list_selections_of_size(counts: list[tuple[Any, int]], size: int) -> list[tuple[Any, ...]]:
    selections: list[tuple[Any, ...]] = [()]
    for number, (kind, amount) in enumerate(counts):
        later = sum(one[1] for one in counts[number + 1 :])
        selections = [
            so_far + (kind,) * more
            for so_far in selections
            for more in range(max(0, size - len(so_far) - later), min(amount, size - len(so_far)) + 1)
        ]
    return sorted(selections)


def count_selections_by_size(amounts: Sequence[int], most: int) -> list[int]:
    """How many different selections there are of each size up to `most`, when there are so many of each kind.

    Counted before any is written down: who may choose twelve of twenty-five cards is told so at once.
    """
    ways = [1] + [0] * max(most, 0)
    for amount in amounts:
        ways = [sum(ways[max(size - amount, 0) : size + 1]) for size in range(len(ways))]
    return ways
