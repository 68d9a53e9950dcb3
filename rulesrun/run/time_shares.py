"""Whose turn it is to be played without: rules in, their numbers out, each with its part of the time.

Every rule gets a short time at first. Those of which all is said then get no more; the others share what is left, in
further rounds, so that most of the time goes to what is hard to see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic

from attrs import define, field

PARTS = (0.25, 0.5, 1.0)  # of the time that is left, by round; in the first, getting everybody ready takes its own
ROUNDS = len(PARTS)  # what changes without a rule is asked so often, and must be so much clearer each time
LEAST_SECONDS = 1.0  # for less there is no other round

Turn = tuple[int, int]  # a rule's number, milliseconds


@define(eq=False)
class TimeShares:
    """Of one round. `weights`: by number, what part each gets; those that were asked for are taken out as they end.
    When the round is over, the others get as little as can be; nothing when all time is over."""

    weights: dict[int, int]
    hands: int
    end: float
    all_ends: float
    left: dict[int, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.left = dict(self.weights)

    def time_slices(self) -> Iterator[Turn]:
        for at, (number, weight) in enumerate(self.weights.items()):
            now = monotonic()
            if at and now > self.all_ends:
                return
            share = max(self.end - now, 0.0) * self.hands * weight / max(sum(self.left.values()), 1)
            yield number, int(min(1000 * share, 1 << 40))


def plan_rounds(weights: Callable[[], dict[int, int]], end: float, hands: int) -> Iterator[TimeShares]:
    """One, where time has no end. `weights`: of whom something is still to be said."""
    for part in PARTS:
        now, still = monotonic(), weights()
        if not still or (part != PARTS[0] and end - now < LEAST_SECONDS):
            return
        yield TimeShares(still, hands, end if end == float("inf") else now + part * (end - now), end)
        if end == float("inf"):
            return
