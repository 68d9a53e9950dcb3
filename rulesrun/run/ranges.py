"""Who plays the ranges of games: this process, or several. Ranges in, their parts out, in order.

A part does not depend on who played it. What a process that ended was playing is played again.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from threading import Lock, get_ident
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import Reading, read_chain
from rulesrun.files.sources import TextFile
from rulesrun.interpreter.measure.duel import Measurer, ReferenceMeasurer, Row
from rulesrun.interpreter.measure.totals import Totals, totals_from_json, totals_to_json
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.run.compiled import make_measurer
from rulesrun.run.measure_engines import ENOUGH, ENOUGH_LONG, ChangeoverMeasurer
from rulesrun.run.seats import make_bots
from rulesrun.terminal.interruption import block_interrupts_at_start
from rulesrun.terminal.trouble import Trouble

CHUNK = ENOUGH  # games that a process is sent to play
MOST_ATTEMPTS = 3

Plain = dict[str, Any]
Play = Callable[[Any, int, int], Any]  # an order, the first game, how many games; a function of a module
Range = tuple[int, int]  # the first game, how many
Answer = tuple[int, int, Any]


class CrewLost(Exception):
    """Who plays went away for good; what was played before stays known."""


@frozen
class PlayedRange:
    first: int
    games: int
    totals: Totals
    rows: list[Row]


@frozen
class WorkOrder:
    """All that a process needs to play games of one table, as plain data."""

    name: str
    files: tuple[tuple[str, str], ...]  # name and text, the base first
    players: int
    options: Plain
    seed: int
    seats: str | None = None
    columns: tuple[str, ...] = ()
    engine: str = "reference"


def make_order(
    reading: Reading, table: Table, seed: int, seats: str | None, columns: Sequence[str], engine: str = "reference"
) -> WorkOrder:
    files = tuple((link.file.name, link.file.text) for link in reading.chain)
    return WorkOrder(reading.name, files, table.players, dict(table.options), seed, seats, tuple(columns), engine)


def make_worker(order: WorkOrder, table: Table, jobs: int | None = None) -> ChangeoverMeasurer:
    """Who plays in this process."""
    return ChangeoverMeasurer(
        ReferenceMeasurer(table, order.seed, make_bots(order.seats, table)), order.seed, order.engine, jobs
    )


def split_games(first: int, last: int, size: int = CHUNK) -> list[tuple[int, int]]:
    """Ranges (first, how many) up to `last`, which is not in them; some end where the first look is taken."""
    looks = [first, *(look for look in (ENOUGH_LONG, CHUNK) if first < look < last)]
    ends = [min(end, last) for end in (*looks[1:], CHUNK)]
    head = [(at, end - at) for at, end in zip(looks, ends, strict=True) if at < end]
    return [*head, *((at, min(size, last - at)) for at in range(max(first, CHUNK), last, size))]


# ---------------------------------------------------------------- in another process

_known: dict[object, Measurer] = {}
_making = Lock()


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def play_range(order: WorkOrder, first: int, games: int) -> tuple[Plain, list[Row], str]:
    """Totals, rows, and which engine has played. Each thread has workers of its own: one plays a game at a time."""
    options = repr(sorted(order.options.items()))
    key = get_ident(), order.name, order.files, order.players, order.seed, order.seats, options, order.engine
    worker = _known.get(key)
    if worker is None:
        with _making:
            worker = _known[key] = make_ordered_measurer(order)
    if not order.columns:
        return totals_to_json(worker.totals(first, games)), [], worker.name
    totals, rows = worker.totals_and_rows(first, games, list(order.columns))
    return totals_to_json(totals), rows, worker.name


def make_ordered_measurer(order: WorkOrder) -> Measurer:
    table = set_up_ordered_table(order)
    return make_measurer(table, order.seed, make_bots(order.seats, table), order.engine)


def set_up_ordered_table(order: WorkOrder) -> Table:
    files = [TextFile(name, text, "", name) for name, text in order.files]
    program = read_chain(TextFile(order.name, "", "", ""), files).program
    assert program is not None
    return set_up_table(program, order.players, order.options)


@define(eq=False)
class Crew:
    """`with Crew(jobs) as crew`: the processes end with the block, whatever happens in it."""

    jobs: int
    engine: str = field(init=False, default="reference")  # that has played last
    pool: ProcessPoolExecutor | None = field(init=False, default=None)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, problem: object, *_: object) -> None:
        """Who interrupts is not kept waiting; otherwise what is at hand is ended first, lest Python ends amid it."""
        if self.pool is not None:
            self.pool.shutdown(wait=problem is None, cancel_futures=True)

    def play_parts(self, order: WorkOrder, worker: ChangeoverMeasurer, first: int, last: int) -> Iterator[PlayedRange]:
        """The games from `first` up to `last`, in order: played here, or by other processes."""
        while first < last and (self.jobs == 1 or worker.plays_here):
            games = worker.next_count(first, last)
            yield PlayedRange(first, games, *worker.totals_and_rows(first, games, list(order.columns)))
            self.engine = worker.name
            first += games
            worker.consider_compiling(first)
        for at, games, (totals, rows, _) in self.play_ranges(play_range, order, split_games(first, last)):
            yield PlayedRange(at, games, totals_from_json(totals), rows)

    def play_ranges(self, play: Play, order: object, ranges: Iterable[Range]) -> Iterator[Answer]:
        """What `play` gives for each range, in order; it is played again where a process ended."""
        if self.jobs == 1:
            yield from ((at, games, play(order, at, games)) for at, games in ranges)
            return
        left, asked, attempts = iter(ranges), deque[Range](), 0
        waiting: deque[Future[Any]] = deque()
        try:
            while True:
                try:
                    asked.extend(islice(left, max(2 * self.jobs - len(asked), 0)))
                    if not asked:
                        return
                    pool = self._start_pool()
                    with block_interrupts_at_start():
                        while len(waiting) < len(asked):
                            waiting.append(pool.submit(play, order, *asked[len(waiting)]))
                    answer = waiting[0].result()
                except BrokenProcessPool:
                    attempts, self.pool = attempts + 1, None
                    waiting.clear()
                    if attempts == MOST_ATTEMPTS:
                        raise Trouble(
                            message("the worker processes keep ending; `--jobs 1` works without them")
                        ) from None
                    continue
                waiting.popleft()
                yield *asked.popleft(), answer
        finally:  # nobody waits for the others any more
            for one in waiting:
                one.cancel()

    def _start_pool(self) -> ProcessPoolExecutor:
        if self.pool is None:
            self.pool = ProcessPoolExecutor(self.jobs, get_context("spawn"), initializer=_ignore_interrupts)
        return self.pool
