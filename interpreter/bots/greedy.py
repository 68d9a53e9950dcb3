"""Greedy: looks one step ahead on several deals that fit, and takes what is worth most.

A step is worth what the position is right behind it, and for the best of them also a few random decisions later.
"""

from __future__ import annotations

from attrs import frozen

from rulesrun.interpreter.bots.bot import Chance
from rulesrun.interpreter.bots.deals import Dealer
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.walking import Below, walked
from rulesrun.interpreter.bots.worth import Judge
from rulesrun.interpreter.decisions import DecisionWait, OptionKey, TogetherWait
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import OPTIONS, PLAYER, Fault, Slots

MOST_TRIES = 8


@frozen
class GreedyBot:
    """`deals`: how many deals are looked at; `ahead`: how many random decisions follow the `few` best steps."""

    deals: int = 6
    ahead: int = 6
    few: int = 6
    looks: bool = True

    @property
    def name(self) -> str:
        return "greedy"

    def choose(self, seen: Observation) -> int:
        if len(seen.options) == 1:
            return 0
        chance = Chance.of(seen)
        judge = Judge(seen.table)
        near = looked_ahead(seen, self.deals, 0, chance.below, judge)
        least = sorted(near, reverse=True)[: self.few][-1]
        best = tuple(option for option, worth in zip(seen.options, near, strict=True) if worth >= least)
        far = looked_ahead(seen, self.deals, self.ahead, chance.below, judge, best) if self.ahead else near
        worths = [one + other if one >= least else -1.0 for one, other in zip(near, far, strict=True)]
        return best_of(worths, chance.below)


def looked_ahead(
    seen: Observation, deals: int, ahead: int, below: Below, judge: Judge, only: tuple[OptionKey, ...] | None = None
) -> list[float]:
    """The mean worth of every option, or of some, to who chooses."""
    table, dealer = seen.table, Dealer(seen)
    sums, counts = [0.0] * len(seen.options), [0] * len(seen.options)
    for _ in range(deals):
        S = dealt(dealer, below)
        numbers = {option: number for number, option in enumerate(S[OPTIONS])}
        for number, option in enumerate(seen.options):
            if option not in numbers or (only is not None and option not in only):
                continue
            try:
                sums[number] += mean_of_own(seen, after(table, S, option, below, ahead, judge))
            except Fault:
                continue
            counts[number] += 1
    return [one / count if count else 0.0 for one, count in zip(sums, counts, strict=True)]


def after(table: Table, S: Slots, option: OptionKey, below: Below, ahead: int, judge: Judge) -> list[float]:
    branch = S.copy()
    wait = table.run(branch)
    assert isinstance(wait, DecisionWait)
    wait.settle(branch, option)
    return walked(table, judge, branch, below, ahead + still_to_choose(wait, branch))


def still_to_choose(wait: DecisionWait, S: Slots) -> int:
    """How many others choose at the same moment."""
    return len(S[wait.seats]) - len(S[wait.chosen]) if isinstance(wait, TogetherWait) else 0


def mean_of_own(seen: Observation, worths: list[float]) -> float:
    return worths[seen.seat - 1] if seen.seat else sum(worths) / len(worths)


def best_of(worths: list[float], below: Below) -> int:
    """The highest; one of several alike by chance."""
    highest = max(worths)
    best = [number for number, worth in enumerate(worths) if worth >= highest - 1e-12]
    return best[below(len(best))] if len(best) > 1 else best[0]


def dealt(dealer: Dealer, below: Below) -> Slots:
    """A position that fits, at the question the seat has; others who choose at the same moment have chosen at random.

    A deal on which the seat would be asked something else does not fit: another one is made, as far as patience goes.
    """
    seen = dealer.seen
    for attempt in range(MOST_TRIES):
        S = dealer.deal(below)
        try:
            wait = seen.table.run(S)
            while isinstance(wait, TogetherWait) and S[PLAYER] != seen.seat:
                wait.settle(S, S[OPTIONS][below(len(S[OPTIONS]))])
                wait = seen.table.run(S)
        except Fault:
            if attempt + 1 == MOST_TRIES:
                raise
            continue
        if isinstance(wait, DecisionWait) and tuple(S[OPTIONS]) == seen.options:
            return S
    return S
