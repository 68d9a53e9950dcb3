"""Many games of one file at all its tables, measured: a reading and a request in, exact totals out.

Runs until the precision that was asked for, or a budget of games or seconds, and says which.
"""

from __future__ import annotations

import os
from collections import Counter
from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.files.atomic_files import postpone_write_failures
from rulesrun.files.loading import Reading
from rulesrun.files.row_files import GameRowFiles
from rulesrun.interpreter.bots.match import OutOfTime
from rulesrun.interpreter.measure.duel import Row, column_types
from rulesrun.interpreter.measure.figures import game_counts_to_check, is_precise
from rulesrun.interpreter.measure.measured_game import GameMeasurer
from rulesrun.interpreter.measure.record import TOO_LONG
from rulesrun.interpreter.measure.totals import Totals, merge_totals
from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.endless import MAY_GO_ON, TRIES, GoingOn, judge_long_game
from rulesrun.run.measure_engines import ChangeoverMeasurer, is_hopeless
from rulesrun.run.ranges import Crew, CrewLost, WorkOrder, make_order, make_worker
from rulesrun.run.seats import make_bots
from rulesrun.services.reports import LastingReport
from rulesrun.services.tables import Seating, seat_all
from rulesrun.terminal.output import print_error
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import MeasureRequest

if TYPE_CHECKING:
    from rulesrun.run.cluster import ClusterCrew

GAMES = 1000
MOST_GAMES = 10_000_000
PATIENCE = 20.0  # seconds for which players that think are waited for once more
THINKING_GAMES = 100  # for fewer, processes would hardly have started

PRECISE, GAMES_OVER, TIME_OVER, INTERRUPTED, LOST = "precision", "games", "seconds", "interrupted", "cluster lost"
STUCK = "stuck"
CUT_SHORT = (INTERRUPTED, LOST)


@define(eq=False)
class MeasuredTable:
    """One table; `stopped` says what ended it."""

    table: Table
    totals: Totals = field(factory=Totals)
    stopped: str = ""
    going_on: GoingOn | None = None  # of games that were not over after very long
    continued: int = 0  # games that were there from an earlier run
    engine: str = "reference"
    compiling: float = 0.0  # seconds

    @property
    def lasting(self) -> LastingReport | None:
        """Games that were not over after very long, and nobody must go on."""
        if self.going_on is None or self.going_on.word != MAY_GO_ON:
            return None
        return LastingReport(self.totals.stuck[TOO_LONG], self.totals.games, self.going_on.ends, TRIES)

    @property
    def stuck(self) -> Counter[str]:
        """Games that got stuck; those that may go on for ever did not."""
        found = self.totals.stuck
        return found if self.lasting is None else Counter({code: found[code] for code in found if code != TOO_LONG})


@define(eq=False)
class MeasuredFile:
    reading: Reading
    seating: Seating
    tables: list[MeasuredTable] = field(factory=list)
    seconds: float = 0.0

    @property
    def engine(self) -> str:
        return "native" if any(one.engine == "native" for one in self.tables) else "reference"

    @property
    def missing_tables(self) -> list[Table]:
        """Tables that were not come to."""
        return list(self.seating.tables[len(self.tables) :])

    @property
    def is_partial(self) -> bool:
        return any(one.stopped in CUT_SHORT for one in self.tables)

    @property
    def holds(self) -> bool:
        return not any(one.stuck or one.totals.broken for one in self.tables)


@define(eq=False)
class TimeBudget:
    within: float | None
    games: int
    until: float

    @classmethod
    def for_table(cls, request: MeasureRequest, began: float, part: float) -> TimeBudget:
        """`part`: of the time, until this table must be done."""
        within, seconds = request.within, request.seconds
        open_ended = within is not None or seconds is not None
        games = request.games or (MOST_GAMES if open_ended else GAMES)
        until = float("inf") if seconds is None else began + seconds * part
        return cls(within, games, until)


def measure_rules(reading: Reading, request: MeasureRequest) -> MeasuredFile:
    """Ctrl-C leaves what is known by then."""
    seating = seat_all(reading, request)
    found = MeasuredFile(reading, seating)
    tables = list(seating.tables)
    out = open_game_rows(reading, request, tables)
    progress = Progress(reading.name, not (request.json or request.quiet))
    began = monotonic()
    try:
        jobs = (
            1 if request.seconds else job_count_for_bots(request, THINKING_GAMES)
        )  # a part takes long there
        with make_crew(request, jobs) as crew:
            for at, table in enumerate(tables):
                one = MeasuredTable(table)
                found.tables.append(one)
                compiling = sum(other.compiling for other in found.tables)
                budget = TimeBudget.for_table(request, began + compiling, (at + 1) / len(tables))
                measure_table(one, reading, request, crew, budget, out, progress)
                if one.stopped in CUT_SHORT:
                    break
                one.going_on = long_games(one, request)
    except KeyboardInterrupt:
        found.tables = found.tables or [MeasuredTable(tables[0])]
        one = found.tables[-1]
        one.stopped = INTERRUPTED
        if out is not None:  # what was being written may be there, or not
            one.totals = out.reload_done(one.table.players)[1]
    finally:
        found.seconds = monotonic() - began - sum(one.compiling for one in found.tables)
        progress.close()
    if out is not None and not found.is_partial:
        with postpone_write_failures(out.path):
            out.join_parts()
    return found


def long_games(one: MeasuredTable, request: MeasureRequest) -> GoingOn | None:
    """Whether games that were not over after very long may go on, or must: the first of them is played once more, and
    on from there. Nothing where players think for longer than anybody waits."""
    if not one.totals.stuck[TOO_LONG]:
        return None
    number = one.totals.first_of[TOO_LONG]
    bots = make_bots(request.seats, one.table)
    watcher = GameMeasurer(one.table, bots=bots, until=float("inf") if bots is None else monotonic() + PATIENCE)
    try:
        watcher.play_game(Streams(game_seed(request.seed, number)), number)
    except OutOfTime:
        return None
    return None if watcher.stopped is None else judge_long_game(one.table, watcher.stopped)


def make_crew(request: MeasureRequest, jobs: int = 1) -> Crew | ClusterCrew:
    """`jobs`: how many processes, where nothing else is asked for."""
    address = request.cluster
    if address is None:
        return Crew(request.jobs or jobs)
    from rulesrun.run.cluster import ClusterCrew

    return ClusterCrew(address)


def job_count_for_bots(request: MeasureRequest, least: int) -> int:
    """Players that think are worth all cores, where so many games or no number at all is asked for: what processes need
    to start is soon made up for."""
    is_long = (request.games or least) >= least
    return os.cpu_count() or 1 if is_long and request.seats is not None else 1


def open_game_rows(reading: Reading, request: MeasureRequest, tables: list[Table]) -> GameRowFiles | None:
    path = request.out
    if path is None:
        return None
    identity = {
        "rules": reading.digest, "title": reading.title, "settings": dict(request.settings),
        "seed": request.seed, "seats": request.seats,
    }  # fmt: skip
    return GameRowFiles(path, column_types(tables), identity)


def measure_table(
    one: MeasuredTable, reading: Reading, request: MeasureRequest, crew: Crew | ClusterCrew, budget: TimeBudget,
    out: GameRowFiles | None,
    progress: Progress,
) -> None:  # fmt: skip
    seed, seats = request.seed, request.seats
    engine = request.engine or "auto"
    order = make_order(reading, one.table, seed, seats, list(out.columns) if out else (), engine)
    worker = make_worker(order, one.table, request.jobs)
    worker.goal, worker.until, worker.may_end_early = budget.games, budget.until, budget.within is not None
    done = 0
    if out is not None:
        done, one.totals = out.games_done(one.table.players)
        one.continued = done
    if isinstance(crew, Crew):
        worker.compile_if_certain(done)
    stops = iter((budget.games,)) if budget.within is None and out is None else game_counts_to_check()
    for look in stops:
        last = min(look, budget.games)
        if last > done:
            stretch = GameStretch(one, order, worker, done, last)
            done = stretch.play_stretch(crew, budget, out, progress)
            one.engine, one.compiling = crew.engine, worker.choice.compiling
            if done < last:
                one.stopped = stretch.cut_short or TIME_OVER
                return
        if budget.within is not None and done == look and is_precise(one.totals, one.table, budget.within):
            one.stopped = PRECISE
            return
        if done >= budget.games:
            one.stopped = GAMES_OVER
            return


@define(eq=False)
class GameStretch:
    """The games between two looks. What is whole when it is cut short counts, and is kept."""

    one: MeasuredTable
    order: WorkOrder
    worker: ChangeoverMeasurer
    first: int
    last: int
    cut_short: str = ""

    def play_stretch(
        self, crew: Crew | ClusterCrew, budget: TimeBudget, out: GameRowFiles | None, progress: Progress
    ) -> int:
        """The number of the first game that has not been played."""
        known: tuple[Totals, list[Row], int] = (self.one.totals, [], self.first)
        try:
            for part in crew.play_parts(self.order, self.worker, self.first, self.last):
                # An interruption may come at any point: a part counts wholly or not at all.
                known = (merge_totals(known[0], part.totals), known[1] + part.rows, part.first + part.games)
                progress.update(known[2])
                if is_hopeless(known[0], known[2]):
                    self.cut_short = STUCK
                    break
                if monotonic() > budget.until + self.worker.choice.compiling:
                    break
        except KeyboardInterrupt:
            self.cut_short = INTERRUPTED
        except CrewLost as lost:
            print_error(message("rulesrun: {lost}; what was played before is told", lost=lost))
            self.cut_short = LOST
        totals, rows, done = known
        self.one.totals = totals
        if out is not None and done > self.first:
            with postpone_write_failures(out.path):
                out.add_games(self.one.table.players, self.first, done - self.first, rows, totals)
        return done
