"""How far a game may be solved: bounds on size and time, and which games have one value for all."""

from __future__ import annotations

from fractions import Fraction
from time import monotonic
from typing import Any

from attrs import define, field

from rulesrun.dsl.text.messages import join_and, message

SECONDS = 60.0


class NoAnswer(Exception):
    """Why a game is not solved; a sentence."""


@define(eq=False)
class SolvingBounds:
    """`most`: so many nodes or positions; `seconds` for going through them."""

    most: int
    seconds: float = SECONDS
    sums: set[Fraction] = field(init=False, factory=set)  # of the scores at the ends
    until: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.until = monotonic() + self.seconds

    def check_size(self, size: int) -> None:
        if size >= self.most:
            raise NoAnswer(message("the game is too large: more than {most:,} positions", most=self.most))
        if size % 256 == 0 and monotonic() > self.until:
            raise NoAnswer(
                message(
                    "the game is too large: {seconds:g} seconds were enough for only {size:,} positions",
                    size=size,
                    seconds=self.seconds,
                )
            )

    def check_constant_sum(self, total: Any) -> None:
        """What both get together must always be the same."""
        self.sums.add(Fraction(total))
        if len(self.sums) > 1:
            shown = join_and([str(one) for one in sorted(self.sums)])
            raise NoAnswer(
                message(
                    "`solve` needs a game in which one player wins what the other loses; here both scores can add up "
                    "to {shown}. Scores such as 1 for a win, -1 for a loss and 0 for a draw always add up to the same",
                    shown=shown,
                )
            )
