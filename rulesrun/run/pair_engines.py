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
from rulesrun.run.code_cache import CodeCache, cache_folder
from rulesrun.run.engines import CAREFULLY, LONG_CHUNK, LOOK_AT, MISSING, QUICKLY, is_compiler_installed
from rulesrun.run.reference_notes import note_reason
from rulesrun.terminal.trouble import Trouble

if TYPE_CHECKING:
    from rulesrun.interpreter.native.flow.engine import Engine
    from rulesrun.interpreter.native.measure.pairs import NativeDuel

PAYS_QUICKLY = 0.1  # seconds that the deals to come must take the reference
PAYS_CAREFULLY = 3.0  # seconds that they must take code made quickly
ENOUGH_STUCK = 4  # deals, when none has come to its end both ways: it is looked after exactly so many, whoever plays
MOST_GROWTH = 8  # times as many deals as in the chunk before
MOST_CHUNK = 1 << 16


def next_chunk_size(deals: int, seconds: float) -> int:
    """So many that somebody looks at the clock soon: where games get stuck, the reference plays them."""
    fitting = int(deals * LONG_CHUNK / max(seconds, 1e-6))
    return max(min(fitting, MOST_GROWTH * deals, MOST_CHUNK), 1)


def try_compile_duel(duel: Duel, jobs: int, care: int, left: Engine | None = None) -> NativeDuel | str:
    """Pairs of games on two tables as machine code, or the reason why not."""
    if not is_compiler_installed():
        return MISSING
    from rulesrun.interpreter.form.form import CannotCompile
    from rulesrun.interpreter.native.measure.pairs import compile_duel

    try:
        return compile_duel(duel, jobs, CodeCache(cache_folder()), care, left)
    except CannotCompile as reason:
        return note_reason(duel.right, reason)


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
    compiling: float = field(init=False, default=0.0)  # seconds
    native: NativeDuel | None = field(init=False, default=None)
    is_settled: bool = field(init=False)
    _care: int = field(init=False, default=QUICKLY)
    _chunk: int = field(init=False, default=1)  # the first deal shows how long one may take
    _seconds: float = field(init=False, default=0.0)  # of the engine that plays now
    _played: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        has_bots = any(bots is not None for bots in self.duel.bots)
        self.is_settled = self.engine != "auto" or has_bots or not is_compiler_installed()
        if self.engine == "native":
            self.change_engine(QUICKLY)
        elif not self.is_settled and self.pace:
            self.consider_compiling(self.duel.pairs.games)

    @property
    def name(self) -> str:
        return "reference" if self.native is None else "native"

    def change_engine(self, care: int) -> None:
        began = monotonic()
        found = try_compile_duel(self.duel, self.threads, care, self.left if care == QUICKLY else None)
        if not isinstance(found, str):
            self.native, self.left, self._care = found, found.left, care
            self._seconds, self._played = 0.0, 0
        elif self.engine == "native":
            raise Trouble(f"`--engine native` cannot play this: {found}")
        self.compiling += monotonic() - began

    def estimate_seconds_left(self, first: int) -> float:
        """What the deals from this one on would take whoever plays now."""
        left = self.until - monotonic()
        if self.deals is not None:
            pace = self._seconds / self._played if self._played else self.pace
            left = min(left, pace * (self.deals - first))
        return left

    def consider_compiling(self, first: int) -> None:
        """Would the deals from this one on take the reference longer than compiling?"""
        self.is_settled = True
        if self.estimate_seconds_left(first) > PAYS_QUICKLY:
            self.change_engine(QUICKLY)

    def play_by_reference(self, first: int, deals: int) -> PairTotals:
        """A range; then it is asked whether the others would take longer than compiling."""
        began = monotonic()
        pairs = self.duel.play_range(first, deals)
        self._seconds, self._played = self._seconds + monotonic() - began, self._played + deals
        if not self.is_settled and self._seconds >= LOOK_AT:
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
            self._seconds, self._played = self._seconds + seconds, self._played + amount
            self._chunk = next_chunk_size(amount, seconds)
            if (
                self._care == QUICKLY
                and self._seconds >= LOOK_AT
                and self.estimate_seconds_left(first) > PAYS_CAREFULLY
            ):
                self.change_engine(CAREFULLY)
