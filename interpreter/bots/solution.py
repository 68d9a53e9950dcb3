"""Plays by the book of a solved game: takes the page that fits to what the seat remembers, gives an option.

A page stands for everything the seat has seen, heard and chosen, as `play.player_memory` counts it; what is hidden is
not in it. Who solves games writes the book.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from attrs import field, frozen

from rulesrun.interpreter.bots.bot import Bot, BotChance
from rulesrun.interpreter.bots.observation import Observation

FINENESS = 1 << 32


class Reader(Protocol):
    """Follows one game with the book open."""

    @property
    def place(self) -> int:
        """The page for whoever is to choose now."""
        ...

    def note_answer(self, value: Any) -> None: ...


class Book(Protocol):
    def open(self) -> Reader:
        """At the beginning of a game."""
        ...

    def shares_at(self, place: int) -> Sequence[float]:
        """How often each option should be chosen."""
        ...


@frozen
class SolutionBot:
    book: Book = field(eq=False)
    name: str = "solution"
    looks: bool = True
    listens: bool = False

    def choose(self, seen: Observation) -> int:
        return self.choose_among(seen, [True] * len(seen.options))

    def choose_among(self, seen: Observation, allowed: Sequence[bool]) -> int:
        shares = self.book.shares_at(seen.place)
        weights = [
            round(share * FINENESS) if is_allowed else 0 for share, is_allowed in zip(shares, allowed, strict=True)
        ]
        if not any(weights):
            weights = [int(is_allowed) for is_allowed in allowed]
        left = BotChance.from_observation(seen).random_below(sum(weights))
        for number, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return number
        raise AssertionError


def find_book(bots: Sequence[Bot]) -> Book | None:
    """The book that somebody at the table plays by."""
    return next((bot.book for bot in bots if isinstance(bot, SolutionBot)), None)
