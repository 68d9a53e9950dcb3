"""What a bot is: takes an observation, gives the number of an option. And the two that need no thought."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from attrs import define, frozen

from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.model.random import Streams

Below = Callable[[int], int]
SOURCE = "bot"


class Bot(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def looks(self) -> bool:
        """Whether it looks at the observation at all, or only at the options."""
        ...

    @property
    def listens(self) -> bool:
        """Whether it goes by what others choose."""
        ...

    def choose(self, seen: Observation) -> int: ...


@define(eq=False)
class BotChance:
    """The bot's own chance: follows from the seed of the observation alone. Every stretch of it stands for itself, so
    that where one breaks off the next is the same."""

    seed: int
    used: int = 0

    @classmethod
    def from_observation(cls, seen: Observation) -> BotChance:
        return cls(seen.seed)

    def next_stretch(self) -> Below:
        """A number below a limit, from the next stretch."""
        return self.reserve_stretch()()

    def reserve_stretch(self) -> Callable[[], Below]:
        """The next stretch, to be begun as often as is wanted: what is compared on it meets the same chance."""
        number = self.used
        self.used += 1

        def begin() -> Below:
            streams = Streams(self.seed, number)
            return lambda limit: streams.random_below(limit, SOURCE)

        return begin

    def random_below(self, limit: int) -> int:
        return self.next_stretch()(limit)


@frozen
class RandomBot:
    """Every option alike."""

    name: str = "random"
    looks: bool = False
    listens: bool = False

    def choose(self, seen: Observation) -> int:
        return BotChance.from_observation(seen).random_below(len(seen.options))


@frozen
class FirstBot:
    """Always the first option: what a naive habit is worth."""

    name: str = "first"
    looks: bool = False
    listens: bool = False

    def choose(self, seen: Observation) -> int:
        return 0


@frozen
class LastBot:
    """Always the last option."""

    name: str = "last"
    looks: bool = False
    listens: bool = False

    def choose(self, seen: Observation) -> int:
        return len(seen.options) - 1


@frozen
class HabitBot:
    """Does one action whenever it can, in any way; else anything."""

    action: int
    action_name: str
    looks: bool = False
    listens: bool = False

    @property
    def name(self) -> str:
        return f"always {self.action_name}"

    def choose(self, seen: Observation) -> int:
        ways = [number for number, option in enumerate(seen.options) if option[0] == self.action]
        ways = ways or list(range(len(seen.options)))
        return ways[BotChance.from_observation(seen).random_below(len(ways))]
