"""Who plays pairs of games in this process: the reference at first, machine code when it pays.

Takes a duel and the engine asked for; gives the pairs of range after range, the same whoever plays.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.engines import LONG_CHUNK, LOOK_AT, compiled_duel, is_installed
from rulesrun.interpreter.measuring.duel import Duel
from rulesrun.interpreter.measuring.pairs import Pairs
from rulesrun.trouble import Trouble

if TYPE_CHECKING:
    from rulesrun.interpreter.native.statistics_pairs import NativeDuel

COMPILING = 3.0  # seconds that the deals to come must take for compiling two tables to pay
ENOUGH_STUCK = 4  # deals, when none has come to its end both ways: it is looked after exactly so many, whoever plays
FIRST_CHUNK = 64
MOST_CHUNK = 1 << 16


@define(eq=False)
class DuelHere:
    """`deals`: how many in all, or None; `until`: when the time is over."""

    duel: Duel
    engine: str
    deals: int | None
    until: float
    threads: int = 1
    compiling: float = field(init=False, default=0.0)  # seconds
    native: NativeDuel | None = field(init=False, default=None)
    is_settled: bool = field(init=False)
    _chunk: int = field(init=False, default=FIRST_CHUNK)
    _seconds: float = field(init=False, default=0.0)
    _played: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        has_bots = any(bots is not None for bots in self.duel.bots)
        self.is_settled = self.engine != "auto" or has_bots or not is_installed()
        if self.engine == "native":
            self.change()

    @property
    def name(self) -> str:
        return "reference" if self.native is None else "native"

    def change(self) -> None:
        began = monotonic()
        found = compiled_duel(self.duel, self.threads)
        if not isinstance(found, str):
            self.native = found
        elif self.engine == "native":
            raise Trouble(f"`--engine native` cannot play this: {found}")
        self.compiling = monotonic() - began

    def by_reference(self, first: int, deals: int) -> Pairs:
        """A range; then it is asked whether the others would take longer than compiling."""
        began = monotonic()
        pairs = self.duel.range(first, deals)
        self._seconds, self._played = self._seconds + monotonic() - began, self._played + deals
        if not self.is_settled and self._seconds >= LOOK_AT:
            self.is_settled = True
            left = self.until - monotonic()
            if self.deals is not None:
                left = min(left, self._seconds / self._played * (self.deals - first - deals))
            if left > COMPILING:
                self.change()
        return pairs

    def natively(self, first: int) -> Iterator[Pairs]:
        """All deals from this one on, so many at a time that the clock can be looked at."""
        assert self.native is not None
        while self.deals is None or first < self.deals:
            amount = self._chunk if self.deals is None else min(self._chunk, self.deals - first)
            amount = min(amount, ENOUGH_STUCK - first) if first < ENOUGH_STUCK else amount
            began = monotonic()
            yield self.native.range(first, amount)
            first += amount
            if monotonic() - began < LONG_CHUNK:
                self._chunk = min(2 * self._chunk, MOST_CHUNK)
