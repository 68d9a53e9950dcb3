"""Who plays the measured games of one table in this process: the reference at first, machine code when it pays.

Takes a table and the engine asked for; gives totals and rows of any range, the same whoever has played it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.interpreter.measure.duel import Duel, Measurer, ReferenceMeasurer, Row
from rulesrun.interpreter.measure.first_difference import Contrast, compare_games
from rulesrun.interpreter.measure.pairs import PairTotals
from rulesrun.interpreter.measure.record import TOO_LONG, GameRecord
from rulesrun.interpreter.measure.totals import Totals
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.compiled import make_measurer
from rulesrun.run.engine_choice import (
    MISSING,
    QUICKLY,
    ChunkSizes,
    CodeCache,
    EngineChoice,
    cache_folder,
    is_compiler_installed,
    note_reason,
    require_compiled,
    try_compile,
)

if TYPE_CHECKING:
    from rulesrun.interpreter.native.flow.engine import Engine
    from rulesrun.interpreter.native.measure.first_difference import SeenDifference, TablePair, TablePairs
    from rulesrun.interpreter.native.measure.pairs import NativeDuel

FIRST, FEW = 2, 10  # games of the reference before the first look at the clock, and between two
LEAST_SECONDS = 3e-5  # no game takes the reference less
ENOUGH_LONG = 2  # games, when each asked chance as often as one may
ENOUGH = 10  # games, when none has come to its end: it is looked after exactly so many, whoever plays
CHUNKS = ChunkSizes(512, 1 << 21, 0.25)  # of the native engine: at each look, threads wait for each other


def is_hopeless(totals: Totals, games: int) -> bool:
    """None of so many games has come to its end: more would tell the same. Fewer are enough where chance alone went on:
    no player chooses that, and such games take long."""
    if totals.stuck.total() < games:
        return False
    by_chance = totals.stuck[TOO_LONG] == games and totals.decisions < MOST_DECISIONS
    return games >= ENOUGH or (games >= ENOUGH_LONG and by_chance)


@define(eq=False)
class ChangeoverMeasurer:
    """`jobs`: what was asked for; None: as many threads as there are cores, or one process.

    Until it is settled who plays, the games are played here by the reference, a few at a time.
    """

    worker: Measurer
    seed: int
    engine: str = "auto"
    jobs: int | None = None
    goal: int = 0  # games in all
    may_end_early: bool = False  # before the goal, for another reason than time
    until: float = float("inf")
    choice: EngineChoice = field(init=False)
    _games: int = field(init=False, default=0)  # by the reference, here
    _chunk: int = field(init=False, default=CHUNKS.first)

    def __attrs_post_init__(self) -> None:
        has_bots = isinstance(self.worker, ReferenceMeasurer) and self.worker.bots is not None
        self.choice = EngineChoice("figures", "reference" if has_bots and self.engine == "auto" else self.engine)
        if self.engine == "native":
            self.consider(float("inf"))

    @property
    def name(self) -> str:
        return self.worker.name

    @property
    def table(self) -> Table:
        return self.worker.table

    @property
    def plays_here(self) -> bool:
        """Whether other processes are of no use (yet)."""
        return not self.choice.is_settled or self.name == "native"

    def next_count(self, first: int, last: int) -> int:
        """How many are played before somebody looks at the clock."""
        end = min([last, *(look for look in (ENOUGH_LONG, ENOUGH) if look > first)])
        few = FEW if self._games else FIRST
        return min(self._chunk if self.name == "native" else few, end - first)

    def compile_if_certain(self, first: int) -> None:
        """So many games from this one on that nobody need look how long one takes?"""
        if self.until == float("inf"):
            self.consider(LEAST_SECONDS * (self.goal - first))

    def consider_compiling(self, first: int) -> None:
        """Would the games from this one on take longer than compiling?"""
        left = self.choice.pace * (self.goal - first) / (self.jobs or 1)
        self.consider(min(left, self.until - monotonic()))

    def consider(self, left: float) -> None:
        care = self.choice.next_care(left, self.may_end_early)
        if care is not None:
            bots = self.worker.bots if isinstance(self.worker, ReferenceMeasurer) else None
            jobs = self.jobs or os.cpu_count() or 1
            self.worker = self.choice.make(
                lambda: make_measurer(self.table, self.seed, bots, self.engine, jobs, care)
            )

    # ---- games

    def totals_and_rows(self, first: int, games: int, columns: list[str]) -> tuple[Totals, list[Row]]:
        began, worker = monotonic(), self.worker
        found = worker.totals_and_rows(first, games, columns) if columns else (worker.totals(first, games), [])
        seconds = monotonic() - began
        if self.name == "native":
            self._chunk = CHUNKS.next_size(games, seconds, self.until - monotonic())
        else:
            self._games += games
            self.choice.add_work(games, seconds)
        return found

    def totals(self, first: int, games: int) -> Totals:
        return self.totals_and_rows(first, games, [])[0]

    def records(self, first: int, games: int) -> Iterator[GameRecord]:
        return self.worker.records(first, games)


# ---- contrast engines
# Who looks at deals that are played at two tables: the reference, and machine code when that pays.
#
# Both say the same of every deal: machine code whether and where the records part, the reference also what parts them.


@define(eq=False)
class ContrastEngines:
    """For all tables of a rulebook. `engine`: as it is asked for; then which one it was."""

    asked: str = "auto"
    engine: str = "reference"
    _pairs: TablePairs | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        if self.asked == "native" and not is_compiler_installed():
            require_compiled(MISSING)

    def compile_pair(self, tables: tuple[Table, Table]) -> TablePair | None:
        """None where it cannot be compiled."""
        from rulesrun.interpreter.form.form import CannotCompile
        from rulesrun.interpreter.native.measure.first_difference import TablePairs

        if self._pairs is None:
            self._pairs = TablePairs(CodeCache(cache_folder()), QUICKLY)
        try:
            found = self._pairs.make_pair(*tables)
        except CannotCompile as reason:
            note_reason(tables[1], reason)
            return None
        self.engine = "native"
        return found


@define(eq=False)
class DealContrasts:
    """Of two tables."""

    tables: tuple[Table, Table]
    looking: ContrastEngines
    choice: EngineChoice = field(init=False)
    _pair: TablePair | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self.choice = EngineChoice("contrasts", self.looking.asked)

    def look_at_deal(self, seed: int, left: float) -> SeenDifference | None:
        """None: the reference must look. `left`: the seconds that it would take for all deals to come."""
        if self.choice.next_care(left) is not None:
            self._pair = self.looking.compile_pair(self.tables)
        return self._pair.compare_deal(seed) if self._pair is not None else None

    def contrast_by_reference(self, seed: int, until: float) -> Contrast:
        """Raises OutOfTime."""
        began = monotonic()
        found = compare_games(*self.tables, seed, until)
        self.choice.add_work(1, monotonic() - began)
        return found


# ---- pair engines
# Who plays pairs of games in this process: the reference at first, machine code when it pays.
#
# Takes a duel and the engine asked for; gives the pairs of range after range, the same whoever plays. Machine code is
# made quickly at first; with care, when so much is left to be played that faster code is worth the wait.


ENOUGH_STUCK = 4  # deals, when none has come to its end both ways: it is looked after exactly so many, whoever plays
PAIR_CHUNKS = ChunkSizes(1, 1 << 16, 0.05)  # short, for where games get stuck the reference plays them


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
            self._chunk = PAIR_CHUNKS.next_size(amount, seconds)
            self.consider_compiling(first)
