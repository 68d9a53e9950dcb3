"""Whether threads work side by side or one after another: told by the clock, kernel by kernel. It changes no result.

Side by side is quicker where there are as many idle processors as threads. Where it is not, because others use them or
what two threads touch lies too near each other, one after another is: so that is tried now and then.
"""

from __future__ import annotations

from attrs import define, field

FIRST = 3  # the round that goes one after another for the first time
AGAIN = {True: 100, False: 8}  # by the way that is kept: rounds after which the other is tried once more
NEWER = 0.3  # how much the last round counts
CLEARLY = 0.9  # so much quicker it must be to go one after another

SIDE_BY_SIDE, IN_TURN = True, False


@define(eq=False)
class KernelPace:
    """Of one kernel: seconds for a piece of work, either way."""

    seconds: dict[bool, float] = field(factory=dict)
    rounds: int = 0
    since: int = 0  # how many rounds ago the other way was tried

    @property
    def better_way(self) -> bool:
        if IN_TURN not in self.seconds:
            return SIDE_BY_SIDE
        return IN_TURN if self.seconds[IN_TURN] < CLEARLY * self.seconds[SIDE_BY_SIDE] else SIDE_BY_SIDE

    def next_way(self) -> bool:
        self.rounds += 1
        self.since += 1
        if self.rounds < FIRST:
            return SIDE_BY_SIDE
        if self.rounds == FIRST or self.since >= AGAIN[self.better_way]:
            self.since = 0
            return not self.better_way
        return self.better_way

    def note_time(self, way: bool, seconds: float, work: float) -> None:
        taken = seconds / max(work, 1)
        before = self.seconds.get(way, taken)
        self.seconds[way] = before + NEWER * (taken - before)
