"""Measured games in machine code: ranges of games in; records, rows and exact totals out, the reference's to the digit.

The machine writes one row of whole numbers a game; a game that it cannot say all of — one that gets stuck, breaks a
property, has a figure beyond its bounds — is played again by the reference's `Worker`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import numpy
from attrs import define, field

from rulesrun.interpreter.measuring.estimates import Exact
from rulesrun.interpreter.measuring.luck import OptionLots
from rulesrun.interpreter.measuring.record import SPREAD, Key, Record, measure_of
from rulesrun.interpreter.measuring.totals import Sums, Totals, rounded
from rulesrun.interpreter.measuring.work import NUMBERS, WATCHED, Row, Worker, row_of
from rulesrun.interpreter.native import scales
from rulesrun.interpreter.native.engine import Block, Engine, lowered
from rulesrun.interpreter.native.machine_code import Cache, compiled, has_pdep
from rulesrun.interpreter.native.statistics_games import MeasuredForm, measured_games
from rulesrun.interpreter.native.to_llvm import ModuleText
from rulesrun.interpreter.play import MOST_DECISIONS
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import plain

Rows = Any  # an array of whole numbers: a row a game, a column a figure
MOST_GAMES = 1 << 20  # games of which whole numbers of 64 bits add up exactly
NARROW = 1 << 16


def measuring_engine(
    table: Table, cache: Cache | None = None, lots: OptionLots | None = None, care: int = 2
) -> Engine:
    """Compiles a table with all that is counted; raises `CannotCompile` with the reason when it cannot be.

    `lots`: for luck that is coupled with that of another table. `care`: see `compiled`.
    """
    form = lowered(table, lambda one: measured_games(one, lots), may_leave_out=True)
    return Engine(table, form, compiled(ModuleText(has_pdep()).whole(form.functions), cache, care))


@define(eq=False)
class Tally:
    """The sums of many rows, as arrays."""

    form: MeasuredForm
    against: Any = field(init=False)  # the column of each column's measure
    columns: list[int] = field(init=False)  # of which it is counted how often each value comes
    games: int = field(init=False, default=0)
    sums: list[Any] = field(init=False)  # totals, squares, games with it, products
    values: list[Any] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        keys = self.form.figures.keys
        against = [measure_of(key) for key in keys]
        self.against = numpy.array([keys[one] if one is not None else -1 for one in against], dtype=numpy.int64)
        self.columns = [at for key, at in keys.items() if key[0] in SPREAD or at in self.form.figures.scales]
        self.sums = [numpy.zeros(len(keys), dtype=numpy.int64) for _ in range(4)]

    def add(self, rows: Rows) -> None:
        figures = rows[:, : len(self.form.figures.keys)]
        measured = numpy.flatnonzero(self.against >= 0)
        totals, squares, games, products = self.sums
        totals += figures.sum(axis=0)
        squares += numpy.einsum("ij,ij->j", figures, figures)
        games += numpy.count_nonzero(figures, axis=0)
        products[measured] += numpy.einsum("ij,ij->j", figures[:, measured], figures[:, self.against[measured]])
        self.values.append(figures[:, self.columns])
        self.games += len(rows)

    def flush(self, found: Totals) -> None:
        """Adds what is there to totals, as the reference would have, game by game."""
        keys, scales = list(self.form.figures.keys), self.form.figures.scales
        found.games += self.games
        found.finished += self.games
        totals, squares, games, products = (one.tolist() for one in self.sums)
        found.decisions += totals[self.form.figures.keys["length", "decisions"]]
        for at, key in enumerate(keys):
            if games[at] and at not in scales:
                found.sums.setdefault(key, Sums()).merge(Sums(totals[at], squares[at], games[at], products[at]))
        if self.values:
            together = numpy.concatenate(self.values)
            for at, column in enumerate(self.columns):
                add_values(found, keys[column], together[:, at], scales.get(column, 1))
        for one in self.sums:
            one[:] = 0
        self.values.clear()
        self.games = 0


def add_values(found: Totals, key: Key, values: Any, scale: int) -> None:
    """How often each value comes; of fractions the sums, too, which may be beyond whole numbers of 64 bits."""
    spread: Counter[Any] = Counter()
    for value, games in different(values):
        exact = scales.read(value, scale)
        if exact:
            spread[rounded(exact)] += games
        if exact and scale != 1:
            sums = Sums(plain(exact * games), plain(exact * exact * games), games)
            found.sums.setdefault(key, Sums()).merge(sums)
    if spread and key[0] in SPREAD:
        found.spreads.setdefault(key, Counter()).update(spread)


def different(values: Any) -> Iterator[tuple[int, int]]:
    """The values that come, with how often."""
    low, high = int(values.min()), int(values.max())
    if high - low < NARROW:
        counts = numpy.bincount(values - low)
        which = numpy.flatnonzero(counts)
        return zip((which + low).tolist(), counts[which].tolist(), strict=True)
    found, counts = numpy.unique(values, return_counts=True)
    return zip(found.tolist(), counts.tolist(), strict=True)


@define(eq=False)
class NativeWorker:
    """Plays any range of games of one table, as `Worker` does, `jobs` threads at once."""

    engine: Engine
    seed: int
    jobs: int = 1
    name: ClassVar[str] = "native"
    reference: Worker = field(init=False)
    form: MeasuredForm = field(init=False)
    blocks: list[Block] = field(init=False)
    _titles: list[str] = field(init=False)
    _words: list[str | None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        assert isinstance(self.engine.form, MeasuredForm)
        self.form = self.engine.form
        self.reference = Worker(self.table, self.seed, lots=self.form.lots)
        self.blocks = [self.engine.begun(self.seed, False, MOST_DECISIONS, True) for _ in range(max(self.jobs, 1))]
        self._titles = [judged.declaration.title for judged in self.table.watches.properties]
        result = self.reference.table.scoring.result
        outcomes = [] if result is None else [*(one.word.text for one in result.outcomes), result.otherwise.text]
        self._words = [None, *outcomes]

    @property
    def table(self) -> Table:
        return self.engine.table

    # ---- rows of numbers

    def stretches(self, block: Block, first: int, games: int) -> Iterator[tuple[int, Rows | Record]]:
        """The games in order: arrays of rows, and records where the reference had to play; each with its first game."""
        last = first + games
        while first < last:
            is_watched = first < WATCHED
            block.numbers("watching")[0] = int(is_watched)
            amount = min(self.form.rows, (min(last, WATCHED) if is_watched else last) - first)
            played = self.engine.run(block, first, amount)
            if played:
                yield first, self.rows_of(block)[:played]
            first += played
            if played < amount:
                yield first, next(self.reference.records(first, 1))
                first += 1

    def rows_of(self, block: Block) -> Rows:
        """What was written last, until the next games are played."""
        width = self.form.figures.width
        numbers = memoryview(block.numbers("rows of figures"))
        return numpy.frombuffer(numbers, numpy.int64).reshape(self.form.rows, width)

    # ---- totals

    def totals(self, first: int, games: int) -> Totals:
        return self.totals_and_rows(first, games, [])[0]

    def totals_and_rows(self, first: int, games: int, columns: list[str]) -> tuple[Totals, list[Row]]:
        """Shared among the threads."""
        shares = shared(first, games, len(self.blocks))
        if len(shares) == 1:
            return self.share(self.blocks[0], first, games, columns)
        found, rows = Totals(), []
        with ThreadPoolExecutor(len(shares)) as pool:
            tasks = [
                pool.submit(self.share, block, at, many, columns)
                for block, (at, many) in zip(self.blocks, shares, strict=False)
            ]
            for task in tasks:
                totals, some = task.result()
                found.merge(totals)
                rows += some
        return found, rows

    def share(self, block: Block, first: int, games: int, columns: list[str]) -> tuple[Totals, list[Row]]:
        """What one thread does."""
        found, tally, rows = Totals(), Tally(self.form), []
        shown = columns_shown(self.table, columns) if columns else set()
        for number, part in self.stretches(block, first, games):
            if isinstance(part, Record):
                found.add(part)
            else:
                tally.add(part)
                if number < WATCHED:
                    self.note_happened(found, part)
            if columns:
                for record in self.records_of(number, part, shown):
                    rows.append(row_of(record, self.table, self.seed, columns))
            if tally.games >= MOST_GAMES:
                tally.flush(found)
        tally.flush(found)
        return found, rows

    def note_happened(self, found: Totals, rows: Rows) -> None:
        found.watched += len(rows)
        for bits in rows[:, self.form.figures.mark("happened")].tolist():
            found.happened.update(self.happened(bits))

    def happened(self, bits: int) -> tuple[str, ...]:
        return tuple(sorted({title for at, title in enumerate(self._titles) if bits >> at & 1}))

    # ---- games one by one

    def records(self, first: int, games: int) -> Iterator[Record]:
        for number, part in self.stretches(self.blocks[0], first, games):
            yield from self.records_of(number, part, self.form.figures.keys.keys())

    def records_of(self, number: int, part: Rows | Record, shown: Collection[Key]) -> Iterator[Record]:
        """The record of every game of a stretch, with these figures."""
        if isinstance(part, Record):
            yield part
            return
        keys = self.form.figures.keys
        wanted = [(key, at) for key, at in keys.items() if key in shown]
        names = [key for key, _ in wanted]
        times = [self.form.figures.scales.get(at, 1) for _, at in wanted]
        numbers, marks = part[:, [at for _, at in wanted]].tolist(), part[:, len(keys) :].tolist()
        for at, values in enumerate(numbers):
            figures: dict[Key, Exact] = {name: value for name, value in zip(names, values, strict=True) if value}
            if self.form.figures.scales:
                exact = zip(names, values, times, strict=True)
                figures = {name: scales.read(value, scale) for name, value, scale in exact if value}
            yield self.record(number + at, figures, marks[at])

    def record(self, number: int, figures: dict[Key, Exact], marks: list[int]) -> Record:
        figures_of, n = self.form.figures, self.table.players
        record = Record(number, figures, groups(marks[:n]))
        record.result = self._words[marks[figures_of.mark("result") - len(figures_of.keys)]]
        record.decisions = marks[figures_of.mark("decisions") - len(figures_of.keys)]
        if number < WATCHED:
            record.is_watched = True
            record.happened = self.happened(marks[figures_of.mark("happened") - len(figures_of.keys)])
        return record


def columns_shown(table: Table, columns: Sequence[str]) -> set[Key]:
    """The figures that stand in a row of a file."""
    found = {*NUMBERS.values(), *(("score", str(seat)) for seat in range(1, table.players + 1))}
    return found | {("action", name.removeprefix("action_")) for name in columns if name.startswith("action_")}


def groups(places: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The players by final place, ties together."""
    different = sorted(set(places))
    return tuple(tuple(seat for seat, place in enumerate(places, start=1) if place == one) for one in different)


def shared(first: int, games: int, threads: int) -> list[tuple[int, int]]:
    each = max((games + threads - 1) // threads, 1)
    return [(first + at, min(each, games - at)) for at in range(0, games, each)]
