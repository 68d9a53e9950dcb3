"""Greedy: looks one step ahead on several deals that fit, and takes what is worth most.

A step is worth what the position is right behind it, and for the best of them also a few random decisions later.
"""

from __future__ import annotations

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
    think: Think = field(default=think_by_reference, eq=False)

    @property
    def name(self) -> str:
        return "greedy"

    def choose(self, seen: Observation) -> int:
        if len(seen.options) == 1:
            return 0
        thought = self.think(seen, Manner())
        near = thought.evaluate_options(self.deals, 0, [True] * len(seen.options))
        wanted = select_best(near, self.few)
        far = thought.evaluate_options(self.deals, self.ahead, wanted) if self.ahead else near
        worths = [one + other if is_wanted and other != NO_WORTH else NO_WORTH
                  for one, other, is_wanted in zip(near, far, wanted, strict=True)]
        return pick_best(worths, BotChance(seen.seed, LATER))


def select_best(worths: list[int], few: int) -> list[bool]:
    """Which are among the best; alike ones all."""
    least = sorted(worths, reverse=True)[:few][-1]
    return [worth >= least for worth in worths]
