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
from rulesrun.run.compiled import make_measurer
from rulesrun.run.engine_choice import ChunkSizes, EngineChoice

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
