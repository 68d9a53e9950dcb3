"""Who plays pairs of games in this process: the reference at first, machine code when it pays.

Takes a duel and the engine asked for; gives the pairs of range after range, the same whoever plays. Machine code is
made quickly at first; with care, when so much is left to be played that faster code is worth the wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.interpreter.measure.duel import Duel
from rulesrun.interpreter.measure.pairs import PairTotals
from rulesrun.run.code_cache import CodeCache
from rulesrun.run.engine_choice import QUICKLY, ChunkSizes, EngineChoice, try_compile

if TYPE_CHECKING:
    from rulesrun.interpreter.native.flow.engine import Engine
    from rulesrun.interpreter.native.measure.pairs import NativeDuel

ENOUGH_STUCK = 4  # deals, when none has come to its end both ways: it is looked after exactly so many, whoever plays
CHUNKS = ChunkSizes(1, 1 << 16, 0.05)  # short, for where games get stuck the reference plays them


def try_compile_duel(duel: Duel, jobs: int, care: int, left: Engine | None = None) -> NativeDuel | str:
    """Pairs of games on two tables as machine code, or the reason why not."""

    def compile_pair(cache: CodeCache) -> NativeDuel:
        from rulesrun.interpreter.native.measure.pairs import compile_duel

        return compile_duel(duel, jobs, cache, care, left)

    return try_compile(duel.right, compile_pair)


@define(eq=False)
class ChangeoverDuel:
    """`deals`: how many in all, or None; `until`: when the time is over.

    `pace`: the seconds that the reference needs for a deal, where that is known before; `left`: machine code of the
    left table, where another duel has it.
    """

    duel: Duel
    engine: str
    deals: int | None
    until: float
    threads: int = 1
    pace: float = 0.0
    left: Engine | None = None
    native: NativeDuel | None = field(init=False, default=None)
    choice: EngineChoice = field(init=False)
    _chunk: int = field(init=False, default=1)  # the first deal shows how long one may take

    def __attrs_post_init__(self) -> None:
        has_bots = any(bots is not None for bots in self.duel.bots)
        asked = "reference" if has_bots and self.engine == "auto" else self.engine
        self.choice = EngineChoice("pairs", asked, self.pace)
        if self.engine == "native" or self.pace:
            self.consider_compiling(self.duel.pairs.games)

    @property
    def name(self) -> str:
        return "reference" if self.native is None else "native"

    def consider_compiling(self, first: int) -> None:
        """Would the deals from this one on take whoever plays now longer than compiling?"""
        left = self.until - monotonic()
        if self.deals is not None:
            left = min(left, self.choice.pace * (self.deals - first))
        care = self.choice.next_care(left)
        if care is None:
            return
        known = self.left if care == QUICKLY else None
        found = self.choice.make(lambda: try_compile_duel(self.duel, self.threads, care, known))
        if not isinstance(found, str):
            self.native, self.left = found, found.left

    def play_by_reference(self, first: int, deals: int) -> PairTotals:
        """A range; then it is asked whether the others would take longer than compiling."""
        began = monotonic()
        pairs = self.duel.play_range(first, deals)
        self.choice.add_work(deals, monotonic() - began)
        self.consider_compiling(first + deals)
        return pairs

    def play_natively(self, first: int) -> Iterator[PairTotals]:
        """All deals from this one on, so many at a time that the clock can be looked at."""
        while self.deals is None or first < self.deals:
            assert self.native is not None
            amount = self._chunk if self.deals is None else min(self._chunk, self.deals - first)
            amount = min(amount, ENOUGH_STUCK - first) if first < ENOUGH_STUCK else amount
            began = monotonic()
            pairs = self.native.play_range(first, amount)
            seconds = monotonic() - began
            yield pairs
            first += amount
            self.choice.add_work(amount, seconds)
            self._chunk = CHUNKS.next_size(amount, seconds)
            self.consider_compiling(first)
