"""Which engine plays: the reference, or machine code when it is asked for or pays. Takes a table, plays its games."""

from __future__ import annotations

import os
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.play.random_games import SimulationResult, simulate_game
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.code_cache import CodeCache, cache_folder
from rulesrun.run.reference_notes import note_reason, watch_engine
from rulesrun.terminal.requests import Request
from rulesrun.terminal.trouble import Trouble

if TYPE_CHECKING:
    from rulesrun.interpreter.bots.bot import Bot
    from rulesrun.interpreter.measure.work_units import Measurer
    from rulesrun.interpreter.native.flow.engine import Engine, GameBatch
    from rulesrun.interpreter.native.positions.blocks import Blocks
    from rulesrun.interpreter.native.positions.positions import NativePositions

MISSING = "the compiler is not installed: `pip install rulesrun[native]`"
QUICKLY, BRIEFLY, CAREFULLY = 0, 1, 2  # how machine code is made
LOOK_AT = 0.1  # seconds of games by the reference after which the compiler may pay
COMPILING = 1.0  # seconds that the games to come must take for it to pay
COMPILING_QUICKLY = 0.15  # the same for machine code that is made without care
PATIENCE = 0.3  # seconds that must be left to play for it to pay
FIRST_CHUNK = 64
LONG_CHUNK = 0.05
MOST_CHUNK = 1 << 18
ENOUGH_FAULTS = 25  # games of a table that got stuck; more would tell nothing new
ENOUGH_LONG = 4  # games of a table that are not over after as long as anybody waits
HOPELESS = {"too-many-options", "too-much-work"}  # the next game would take as long and tell the same


def is_compiler_installed() -> bool:
    return find_spec("llvmlite") is not None and find_spec("numpy") is not None


def try_compile_table(table: Table, care: int = CAREFULLY) -> Engine | str:
    """The table as machine code, or the reason why not."""
    if not is_compiler_installed():
        return MISSING
    from rulesrun.interpreter.form.form import CannotCompile
    from rulesrun.interpreter.native.flow.engine import compile_engine

    try:
        return watch_engine(compile_engine(table, CodeCache(cache_folder()), care))
    except CannotCompile as reason:
        return note_reason(table, reason)


def require_native_table(table: Table) -> Engine:
    """As `--engine native` asks for; what cannot be compiled is trouble."""
    found = try_compile_table(table)
    if isinstance(found, str):
        raise Trouble(f"`--engine native` cannot play this: {found}")
    return found


def make_measurer(
    table: Table, seed: int, bots: tuple[Bot, ...] | None = None, engine: str = "reference", jobs: int = 1
) -> Measurer:
    """Who plays ranges of games of this table with all statistics: `totals(first, games)`, `records(first, games)`.

    Either engine gives the same, to the last digit. `native` raises `Trouble` where the table cannot be compiled or
    bots play; `auto` takes the reference then. `jobs`: threads of the native engine. Compiling takes a part of a
    second, so short runs ask for the reference.
    """
    from rulesrun.interpreter.measure.work_units import ReferenceMeasurer

    if engine == "reference" or (engine == "auto" and bots is not None):
        return ReferenceMeasurer(table, seed, bots)
    if bots is not None:
        raise Trouble("`--engine native` plays at random only; players that think need `--engine reference`")
    found = try_compile_measurer(table)
    if isinstance(found, str):
        if engine == "native":
            raise Trouble(f"`--engine native` cannot play this: {found}")
        return ReferenceMeasurer(table, seed)
    from rulesrun.interpreter.native.measure.measurement import NativeMeasurer

    return NativeMeasurer(found, seed, jobs)


def try_compile_measurer(table: Table) -> Engine | str:
    """The table as machine code with all that is counted, or the reason why not."""
    if not is_compiler_installed():
        return MISSING
    from rulesrun.interpreter.form.form import CannotCompile
    from rulesrun.interpreter.native.measure.measurement import compile_measuring_engine

    try:
        return watch_engine(compile_measuring_engine(table, CodeCache(cache_folder())))
    except CannotCompile as reason:
        return note_reason(table, reason)


def require_native_positions(table: Table) -> NativePositions:
    """The table in machine code, one question at a time."""
    if not is_compiler_installed():
        raise Trouble(f"`--engine native` cannot play this: {MISSING}")
    from rulesrun.interpreter.form.form import CannotCompile
    from rulesrun.interpreter.native.positions.positions import compile_positions

    try:
        return compile_positions(table, CodeCache(cache_folder()))
    except CannotCompile as reason:
        raise Trouble(f"`--engine native` cannot play this: {reason}") from reason


def require_native_blocks(table: Table) -> Blocks:
    """The same for positions that are kept, with what is shown in them."""
    if not is_compiler_installed():
        raise Trouble(f"`--engine native` cannot play this: {MISSING}")
    from rulesrun.interpreter.form.form import CannotCompile
    from rulesrun.interpreter.native.positions.blocks import Blocks
    from rulesrun.interpreter.native.views.shown_components import compile_showing_positions

    cache = CodeCache(cache_folder())
    try:
        return Blocks(compile_showing_positions(table, cache), cache)
    except CannotCompile as reason:
        raise Trouble(f"`--engine native` cannot play this: {reason}") from reason


def compile_moment_blocks(table: Table) -> Blocks:
    """Blocks that stop at every moment, for what players remember. Raises `CannotCompile`."""
    from rulesrun.interpreter.native.positions.blocks import Blocks
    from rulesrun.interpreter.native.views.pausing import compile_moment_positions

    cache = CodeCache(cache_folder())
    return Blocks(compile_moment_positions(table, cache), cache)


@define(eq=False)
class RandomGamesRunner:
    """Plays the games of one table in the order of their numbers, some at a time."""

    table: Table
    request: Request
    guard: PropertyGuard
    found: SimulationResult
    _seed: int = field(init=False)
    _chunk: int = field(init=False, default=FIRST_CHUNK)
    _began: float = field(init=False, factory=monotonic)
    _games: GameBatch | None = field(init=False, default=None)
    _may_compile: bool = field(init=False)
    compiling: float = field(init=False, default=0.0)  # seconds

    def __attrs_post_init__(self) -> None:
        self._seed = self.request.seed
        engine = self.request.engine or "auto"
        self._may_compile = engine == "auto" and is_compiler_installed()
        if engine == "native":
            self._games = self.make_native_games(require_native_table(self.table))

    @property
    def engine(self) -> str:
        return "reference" if self._games is None else "native"

    @property
    def has_enough(self) -> bool:
        """Whether more games that get stuck would only take time."""
        faulty = self.found.faulty_games
        if any(faulty[code] for code in HOPELESS) or faulty["too-long"] >= ENOUGH_LONG:
            return True
        return faulty.total() >= ENOUGH_FAULTS

    def play_some(self, first: int, left: int, ahead: int, until: float) -> int:
        """The next games from number `first`; gives how many were played. `ahead`: how many there may be in all."""
        if self._games is None and self._may_compile:
            self.consider_compiling(first, ahead, until)
        if self._games is None:
            streams = Streams(game_seed(self._seed, first))
            simulate_game(self.table, streams, first, self.guard, self.found, MOST_DECISIONS)
            return 1
        began, amount = monotonic(), 1 if self.is_slow else min(self._chunk, left)
        played = self._games.play_games(first, amount)
        self._games.collect_counts()
        if monotonic() - began < LONG_CHUNK and amount == self._chunk:
            self._chunk = min(self._chunk * 2, MOST_CHUNK)
        return played

    @property
    def is_slow(self) -> bool:
        """Some games go on too long: the reference tells each of them, and somebody looks in between."""
        return self.found.faulty_games["too-long"] > 0

    def consider_compiling(self, played: int, ahead: int, until: float) -> None:
        """After some games: would the others take longer than compiling, which is done without care?"""
        now = monotonic()
        taken = now - self._began
        if not played or until - now < PATIENCE:
            return
        if taken / played * ahead > COMPILING_QUICKLY:
            self._may_compile = False
            found = try_compile_table(self.table, QUICKLY)
            if not isinstance(found, str):
                self._games = self.make_native_games(found)
            self.compiling = monotonic() - now

    def make_native_games(self, engine: Engine) -> GameBatch:
        from rulesrun.interpreter.native.flow.engine import GameBatch

        jobs = self.request.jobs or (1 if len(self.request.files) > 1 else os.cpu_count()) or 1
        blocks = [engine.new_memory(self._seed, True, MOST_DECISIONS, True) for _ in range(jobs)]
        return GameBatch(
            engine, lambda number: Streams(game_seed(self._seed, number)), blocks, self.found, self.guard,
            enough=lambda: self.has_enough,
        )
