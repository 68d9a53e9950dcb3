"""What a bot is: takes an observation, gives the number of an option. And the two that need no thought."""

from __future__ import annotations

from typing import Protocol

from attrs import frozen

from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.random import Streams


class Bot(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def looks(self) -> bool:
        """Whether it looks at the observation at all, or only at the options."""
        ...

    def choose(self, seen: Observation) -> int: ...


@frozen
class Chance:
    """The bot's own chance: follows from the seed of the observation alone."""

    streams: Streams

    @classmethod
    def of(cls, seen: Observation) -> Chance:
        return cls(Streams(seen.seed))

    def below(self, limit: int) -> int:
        return self.streams.below(limit, "bot")


@frozen
class RandomBot:
    """Every option alike."""

    name: str = "random"
    looks: bool = False

    def choose(self, seen: Observation) -> int:
        return Chance.of(seen).below(len(seen.options))


@frozen
class FirstBot:
    """Always the first option: what a naive habit is worth."""

    name: str = "first"
    looks: bool = False

    def choose(self, seen: Observation) -> int:
        return 0


@frozen
class LastBot:
    """Always the last option."""

    name: str = "last"
    looks: bool = False

    def choose(self, seen: Observation) -> int:
        return len(seen.options) - 1


@frozen
class HabitBot:
    """Does one action whenever it can, in any way; else anything."""

    action: int
    action_name: str
    looks: bool = False

    @property
    def name(self) -> str:
        return f"always {self.action_name}"

    def choose(self, seen: Observation) -> int:
        ways = [number for number, option in enumerate(seen.options) if option[0] == self.action]
        ways = ways or list(range(len(seen.options)))
        return ways[Chance.of(seen).below(len(ways))]
