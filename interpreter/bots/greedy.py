"""Greedy: looks one step ahead on several deals that fit, and takes what is worth most.

A step is worth what the position is right behind it, and for the best of them also a few random decisions later.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from rulesrun.interpreter.bots.bot import BotChance
from rulesrun.interpreter.bots.deliberation import NO_WORTH, Manner, Think, pick_best
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.tree_search import think_by_reference

LATER = 1 << 32  # stretches of chance that thinking has not used


@frozen
class GreedyBot:
    """`deals`: how many deals are looked at; `ahead`: how many random decisions follow the `few` best steps."""

    deals: int = 6
    ahead: int = 6
    few: int = 6
    looks: bool = True
    listens: bool = False
    think: Think = field(default=think_by_reference, eq=False)

    @property
    def name(self) -> str:
        return "greedy"

    def choose(self, seen: Observation) -> int:
        return self.choose_among(seen, [True] * len(seen.options))

    def choose_among(self, seen: Observation, allowed: Sequence[bool]) -> int:
        if sum(allowed) == 1:
            return allowed.index(True)
        thought = self.think(seen, Manner())
        near = thought.evaluate_options(self.deals, 0, allowed)
        wanted = select_best(near, self.few, allowed)
        far = thought.evaluate_options(self.deals, self.ahead, wanted) if self.ahead else near
        worths = [one + other if is_wanted and other != NO_WORTH else NO_WORTH
                  for one, other, is_wanted in zip(near, far, wanted, strict=True)]
        if max(worths) == NO_WORTH:  # none of them could be looked at
            worths = [0 if is_allowed else NO_WORTH for is_allowed in allowed]
        return pick_best(worths, BotChance(seen.seed, LATER))


def select_best(worths: Sequence[int], few: int, allowed: Sequence[bool]) -> list[bool]:
    """Which of the allowed ones are among the best; alike ones all."""
    descending = sorted((worth for worth, is_allowed in zip(worths, allowed, strict=True) if is_allowed), reverse=True)
    least = descending[:few][-1]
    return [is_allowed and worth >= least for worth, is_allowed in zip(worths, allowed, strict=True)]
