"""Whether threads work side by side or one after another: told by the clock, kernel by kernel. It changes no result.

What two threads write and read near each other can cost more than the second one brings. So the first rounds try both,
the quicker way is kept, and the other is tried again now and then.
"""

from __future__ import annotations

from attrs import define, field

FIRST = 6  # rounds that try both ways in turn
AGAIN = 40  # rounds after which the slower way is tried once more
NEWER = 0.3  # how much the last round counts

SIDE_BY_SIDE, IN_TURN = True, False


@define(eq=False)
class Pace:
    """Of one kernel: seconds for a piece of work, either way."""

    seconds: dict[bool, float] = field(factory=dict)
    rounds: int = 0

    def next_way(self) -> bool:
        self.rounds += 1
        if self.rounds <= FIRST or len(self.seconds) < 2:
            return self.rounds % 2 == 1
        best = min((SIDE_BY_SIDE, IN_TURN), key=lambda way: self.seconds[way])
        return best if self.rounds % AGAIN else not best

    def note(self, way: bool, seconds: float, work: float) -> None:
        taken = seconds / max(work, 1)
        before = self.seconds.get(way, taken)
        self.seconds[way] = before + NEWER * (taken - before)
