"""Who plays the ranges of games: this process, or several. Ranges in, their parts out, in order.

A part does not depend on who played it. What a process that ended was playing is played again.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from threading import get_ident
from typing import Any

from attrs import define, field, frozen

from rulesrun.files import TextFile
from rulesrun.interpreter.measuring.totals import Totals, from_plain, to_plain
from rulesrun.interpreter.measuring.work import Row, Worker
from rulesrun.interpreter.table import Table, set_up
from rulesrun.loading import Reading, read_chain
from rulesrun.seats import bots_of
from rulesrun.trouble import Trouble

CHUNK = 25  # games that a process is sent to play
FEW = 10  # games between two looks at the clock
MOST_ATTEMPTS = 3

Plain = dict[str, Any]


class CrewLost(Exception):
    """Who plays went away for good; what was played before stays known."""


@frozen
class Part:
    first: int
    games: int
    totals: Totals
    rows: list[Row]


@frozen
class Order:
    """All that a process needs to play games of one table, as plain data."""

    name: str
    files: tuple[tuple[str, str], ...]  # name and text, the base first
    players: int
    options: Plain
    seed: int
    seats: str | None = None
    columns: tuple[str, ...] = ()


def order_of(reading: Reading, table: Table, seed: int, seats: str | None, columns: Sequence[str]) -> Order:
    files = tuple((link.file.name, link.file.text) for link in reading.chain)
    return Order(reading.name, files, table.players, dict(table.options), seed, seats, tuple(columns))


def worker_of(order: Order, table: Table | None = None) -> Worker:
    if table is None:
        files = [TextFile(name, text, "", name) for name, text in order.files]
        program = read_chain(TextFile(order.name, "", "", ""), files).program
        assert program is not None
        table = set_up(program, order.players, order.options)
    return Worker(table, order.seed, bots_of(order.seats, table))


def part_of(worker: Worker, order: Order, first: int, games: int) -> Part:
    if order.columns:
        totals, rows = worker.totals_and_rows(first, games, list(order.columns))
        return Part(first, games, totals, rows)
    return Part(first, games, worker.totals(first, games), [])


def chunks(first: int, last: int, size: int = CHUNK) -> list[tuple[int, int]]:
    """Ranges (first, how many) up to `last`, which is not in them."""
    return [(at, min(size, last - at)) for at in range(first, last, size)]


# ---------------------------------------------------------------- in another process

_known: dict[object, Worker] = {}


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def play_range(order: Order, first: int, games: int) -> tuple[Plain, list[Row]]:
    """Each thread has workers of its own: one plays a game at a time."""
    options = repr(sorted(order.options.items()))
    key = get_ident(), order.name, order.files, order.players, order.seed, order.seats, options
    worker = _known.get(key)
    if worker is None:
        worker = _known[key] = worker_of(order)
    part = part_of(worker, order, first, games)
    return to_plain(part.totals), part.rows


@define(eq=False)
class Crew:
    """`with Crew(jobs) as crew`: the processes end with the block, whatever happens in it."""

    jobs: int
    pool: ProcessPoolExecutor | None = field(init=False, default=None)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)

    def parts(self, order: Order, worker: Worker, first: int, last: int) -> Iterator[Part]:
        """The games from `first` up to `last`, in order."""
        if self.jobs == 1:
            for at, games in chunks(first, last, FEW):
                yield part_of(worker, order, at, games)
            return
        left, attempts = chunks(first, last), 0
        while left:
            try:
                for part in self._ordered(order, left):
                    left = left[1:]
                    yield part
            except BrokenProcessPool:
                attempts += 1
                self.pool = None
                if attempts == MOST_ATTEMPTS:
                    raise Trouble("the processes that play end again and again; `--jobs 1` needs none") from None

    def _ordered(self, order: Order, ranges: Sequence[tuple[int, int]]) -> Iterator[Part]:
        waiting: list[tuple[int, int, Future[tuple[Plain, list[Row]]]]] = []
        left = list(ranges)
        try:
            while left or waiting:
                while left and len(waiting) < 2 * self.jobs:
                    at, games = left.pop(0)
                    waiting.append((at, games, self._started().submit(play_range, order, at, games)))
                at, games, answer = waiting.pop(0)
                totals, rows = answer.result()
                yield Part(at, games, from_plain(totals), rows)
        finally:  # nobody waits for the others any more
            for _, _, answer in waiting:
                answer.cancel()

    def _started(self) -> ProcessPoolExecutor:
        if self.pool is None:
            self.pool = ProcessPoolExecutor(self.jobs, get_context("spawn"), initializer=_begin)
        return self.pool
