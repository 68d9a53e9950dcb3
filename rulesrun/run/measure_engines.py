"""Who plays the measured games of one table in this process: the reference at first, machine code when it pays.

Takes a table and the engine asked for; gives totals and rows of any range, the same whoever has played it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import monotonic

from attrs import define, field

from rulesrun.interpreter.measure.record import TOO_LONG, GameRecord
from rulesrun.interpreter.measure.totals import Totals
from rulesrun.interpreter.measure.work_units import Measurer, ReferenceMeasurer, Row
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.engines import COMPILING, LOOK_AT, is_compiler_installed, make_measurer

FIRST, FEW = 2, 10  # games of the reference before the first look at the clock, and between two
SURE = 20.0  # seconds that the games to come must take for nobody to look twice
CERTAIN = 200_000  # games that no reference plays in less
ENOUGH_LONG = 2  # games, when each asked chance as often as one may
ENOUGH = 10  # games, when none has come to its end: it is looked after exactly so many, whoever plays
FIRST_CHUNK = 512  # of the native engine
MOST_CHUNK = 1 << 21
LONG_CHUNK = 0.25  # seconds between two looks: at each, threads wait for each other
MOST_GROWTH = 8  # times as many games as before, between two looks


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
    is_settled: bool = field(init=False)
    compiling: float = field(init=False, default=0.0)  # seconds
    _games: int = field(init=False, default=0)  # by the reference, here
    _seconds: float = field(init=False, default=0.0)
    _chunk: int = field(init=False, default=FIRST_CHUNK)

    def __attrs_post_init__(self) -> None:
        has_bots = isinstance(self.worker, ReferenceMeasurer) and self.worker.bots is not None
        if self.engine == "native":
            self.change_engine()
        self.is_settled = self.engine != "auto" or has_bots or not is_compiler_installed()

    @property
    def name(self) -> str:
        return self.worker.name

    @property
    def table(self) -> Table:
        return self.worker.table

    @property
    def plays_here(self) -> bool:
        """Whether other processes are of no use (yet)."""
        return not self.is_settled or self.name == "native"

    def next_count(self, first: int, last: int) -> int:
        """How many are played before somebody looks at the clock."""
        end = min([last, *(look for look in (ENOUGH_LONG, ENOUGH) if look > first)])
        few = FEW if self._games else FIRST
        return min(self._chunk if self.name == "native" else few, end - first)

    def compile_if_certain(self, first: int) -> None:
        """So many games from this one on that nobody need look how long one takes?"""
        left = self.goal - first
        if not (self.is_settled or self.may_end_early) and left > CERTAIN and self.until == float("inf"):
            self.is_settled = True
            self.change_engine()

    def consider_compiling(self, first: int) -> None:
        """Would the games from this one on take longer than compiling?"""
        if self.is_settled or not self._games:
            return
        left = self._seconds / self._games * (self.goal - first) / (self.jobs or 1)
        left = min(left, self.until - monotonic())
        if self._seconds >= LOOK_AT or (left > SURE and not self.may_end_early):
            self.is_settled = True
            if left > COMPILING:
                self.change_engine()

    def change_engine(self) -> None:
        began = monotonic()
        bots = self.worker.bots if isinstance(self.worker, ReferenceMeasurer) else None
        self.worker = make_measurer(self.table, self.seed, bots, self.engine, self.jobs or os.cpu_count() or 1)
        self.compiling = monotonic() - began

    # ---- games

    def totals_and_rows(self, first: int, games: int, columns: list[str]) -> tuple[Totals, list[Row]]:
        began, worker = monotonic(), self.worker
        found = worker.totals_and_rows(first, games, columns) if columns else (worker.totals(first, games), [])
        seconds = monotonic() - began
        if self.name == "native":
            self._chunk = self.next_chunk_size(games, seconds)
        else:
            self._games, self._seconds = self._games + games, self._seconds + seconds
        return found

    def next_chunk_size(self, games: int, seconds: float) -> int:
        """As many as take so long, by what the last ones took; fewer where there is less time."""
        wanted = min(LONG_CHUNK, max(self.until - monotonic(), 0.0))
        fitting = int(games * wanted / max(seconds, 1e-6))
        return max(min(fitting, MOST_GROWTH * games, MOST_CHUNK), min(games, FIRST_CHUNK))

    def totals(self, first: int, games: int) -> Totals:
        return self.totals_and_rows(first, games, [])[0]

    def records(self, first: int, games: int) -> Iterator[GameRecord]:
        return self.worker.records(first, games)
