"""The games of the plain form: a table in, its random games played and counted, by whichever engine pays."""

from __future__ import annotations

import os
from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.play.random_games import SimulationResult, simulate_game
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.compiled import try_compile_table
from rulesrun.run.engine_choice import CAREFULLY, ChunkSizes, EngineChoice
from rulesrun.terminal.requests import Request

if TYPE_CHECKING:
    from rulesrun.interpreter.native.flow.engine import Engine, GameBatch

CHUNKS = ChunkSizes(64, 1 << 18, 0.05)
ENOUGH_FAULTS = 25  # games of a table that got stuck; more would tell nothing new
ENOUGH_LONG = 4  # games of a table that are not over after as long as anybody waits
# The next game would take as long and tell the same.
HOPELESS = {"too-many-options", "too-many-combinations", "too-much-work"}


@define(eq=False)
class RandomGamesRunner:
    """Plays the games of one table in the order of their numbers, some at a time."""

    table: Table
    request: Request
    guard: PropertyGuard
    found: SimulationResult
    choice: EngineChoice = field(init=False)
    _seed: int = field(init=False)
    _chunk: int = field(init=False, default=CHUNKS.first)
    _games: GameBatch | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self._seed = self.request.seed
        self.choice = EngineChoice("games", self.request.engine or "auto")
        if self.choice.asked == "native":
            self.choice.next_care(0.0)
            self.change_engine(CAREFULLY)

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
        began = monotonic()
        care = self.choice.next_care(min(self.choice.pace * ahead, until - began))
        if care is not None:
            self.change_engine(care)
        if self._games is None:
            streams = Streams(game_seed(self._seed, first))
            simulate_game(self.table, streams, first, self.guard, self.found, MOST_DECISIONS)
            self.choice.add_work(1, monotonic() - began)
            return 1
        began, amount = monotonic(), 1 if self.is_slow else min(self._chunk, left)
        played = self._games.play_games(first, amount)
        self._games.collect_counts()
        self._chunk = CHUNKS.next_size(amount, monotonic() - began)
        return played

    @property
    def is_slow(self) -> bool:
        """Some games go on too long: the reference tells each of them, and somebody looks in between."""
        return self.found.faulty_games["too-long"] > 0

    def change_engine(self, care: int) -> None:
        found = self.choice.make(lambda: try_compile_table(self.table, care))
        if not isinstance(found, str):
            self._games = self.make_native_games(found)

    def make_native_games(self, engine: Engine) -> GameBatch:
        from rulesrun.interpreter.native.flow.engine import GameBatch

        jobs = self.request.jobs or (1 if len(self.request.files) > 1 else os.cpu_count()) or 1
        blocks = [engine.new_memory(self._seed, True, MOST_DECISIONS, True) for _ in range(jobs)]
        return GameBatch(
            engine, lambda number: Streams(game_seed(self._seed, number)), blocks, self.found, self.guard,
            enough=lambda: self.has_enough,
        )
