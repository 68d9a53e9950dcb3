"""How much a search may do. Counted in answers that are played, so that every machine finds the same; the clock is only
an outer bound, of the time that this process works, and whoever ran into it is told so."""

from __future__ import annotations

from time import process_time

from attrs import define, field

LOOK = 30  # answers that it takes to deal anew what is unseen a few times
EXCHANGES = 4  # for so many as for an answer, while leaks are looked for
THOROUGH_LOOK = 10  # to find out for every seat what it cannot see
DEAL = 2  # to deal that anew once, and see what could be chosen then


@define(eq=False)
class Effort:
    """`most` answers; `seconds` of work at the most."""

    most: int
    seconds: float
    spent: int = 0
    _began: float = field(init=False, factory=process_time)

    @property
    def is_over(self) -> bool:
        return self.spent >= self.most or self.is_late

    @property
    def is_late(self) -> bool:
        """The clock was faster than the count."""
        return self.worked > self.seconds

    @property
    def worked(self) -> float:
        """In seconds."""
        return process_time() - self._began

    @property
    def left(self) -> int:
        return max(self.most - self.spent, 0)

    def take_share(self, share: float) -> EffortShare:
        """A share of what is left."""
        return EffortShare(self, self.spent + int(self.left * share))


@define(eq=False)
class EffortShare:
    """Of an effort as much as until it has come to so many answers."""

    whole: Effort
    until: int

    @property
    def is_over(self) -> bool:
        return self.whole.spent >= self.until or self.whole.is_over

    def spend(self, answers: int) -> None:
        self.whole.spent += answers

    @property
    def left(self) -> int:
        return max(self.until - self.whole.spent, 0)

    def take_share(self, share: float) -> EffortShare:
        return EffortShare(self.whole, self.whole.spent + int(self.left * share))
