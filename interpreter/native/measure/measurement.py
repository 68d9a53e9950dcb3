"""Measured games in machine code: ranges of games in; records, rows and exact totals out, the reference's to the digit.

The machine writes one row of whole numbers a game; a game that it cannot say all of — one that gets stuck, breaks a
property, has a figure beyond its bounds — is played again by the reference's `ReferenceMeasurer`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock
from typing import Any, ClassVar

import numpy
from attrs import define, field

from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, compile_text, has_pdep
from rulesrun.interpreter.measure.common_random_numbers import OptionLots
from rulesrun.interpreter.measure.declared_figures import Key
from rulesrun.interpreter.measure.duel import NUMBERS, WATCHED, ReferenceMeasurer, Row, make_row
from rulesrun.interpreter.measure.estimates import Exact
from rulesrun.interpreter.measure.record import TOO_LONG, GameRecord
from rulesrun.interpreter.measure.totals import Totals
from rulesrun.interpreter.native.expressions import scales
from rulesrun.interpreter.native.flow.engine import Engine, ThreadMemory, is_too_long, note_left_game
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.native.layout.machine import by_bit
from rulesrun.interpreter.native.measure.measured_games import MeasuredForm, lower_measured_games
from rulesrun.interpreter.native.measure.sums import Rows, Tally, compile_sum_kernels
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.reference.table import Table

PARTS = 32  # of a range, for each thread
FEW = 32  # games that are not shared
MOST_AT_ONCE = 1 << 16  # games of one call, so that an interruption need not wait for long
Part = tuple[int, int]  # the first game, how many


def compile_measuring_engine(
    table: Table, cache: Cache | None = None, lots: OptionLots | None = None, care: int = 2
) -> Engine:
    """Compiles a table with all that is counted; raises `CannotCompile` with the reason when it cannot be.

    `lots`: for luck that is coupled with that of another table. `care`: see `compiled`.
    """
    form = lower_table(table, lambda one: lower_measured_games(one, lots), may_leave_out=True)
    compile_sum_kernels(cache)
    return Engine(table, form, compile_text(ModuleText(has_pdep()).format_module(form.functions), cache, care))


@define(eq=False)
class NativeMeasurer:
    """Plays any range of games of one table, as `ReferenceMeasurer` does, `jobs` threads at once."""

    engine: Engine
    seed: int
    jobs: int = 1
    name: ClassVar[str] = "native"
    reference: ReferenceMeasurer = field(init=False)
    form: MeasuredForm = field(init=False)
    blocks: list[ThreadMemory] = field(init=False)
    _at_reference: Any = field(init=False, factory=Lock)  # it plays one game at a time
    _pool: ThreadPoolExecutor | None = field(init=False, default=None)
    _titles: dict[int, str] = field(init=False)
    _words: list[str | None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        assert isinstance(self.engine.form, MeasuredForm)
        self.form = self.engine.form
        self.reference = ReferenceMeasurer(self.table, self.seed, lots=self.form.lots)
        self.blocks = [self.engine.new_memory(self.seed, False, MOST_DECISIONS, True) for _ in range(max(self.jobs, 1))]
        self._titles = {at: judged.declaration.title for at, judged in by_bit(self.table)}
        result = self.reference.table.scoring.result
        outcomes = [] if result is None else [*(one.word.text for one in result.outcomes), result.otherwise.text]
        self._words = [None, *outcomes]

    @property
    def table(self) -> Table:
        return self.engine.table

    # ---- rows of numbers

    def play_stretches(self, block: ThreadMemory, first: int, games: int) -> Iterator[tuple[int, Rows | GameRecord]]:
        """The games in order: arrays of rows, and records where the reference had to play; each with its first game."""
        last = first + games
        while first < last:
            is_watched = first < WATCHED
            block.numbers("watching")[0] = int(is_watched)
            amount = min(self.form.rows, (min(last, WATCHED) if is_watched else last) - first)
            played = self.engine.run_games(block, first, amount)
            if played:
                yield first, self.read_rows(block)[:played]
            first += played
            if played < amount:
                yield first, self.play_by_reference(first, block)
                first += 1

    def read_rows(self, block: ThreadMemory) -> Rows:
        """What was written last, until the next games are played."""
        width = self.form.figures.width
        numbers = memoryview(block.numbers("rows of figures"))
        return numpy.frombuffer(numbers, numpy.int64).reshape(self.form.rows, width)

    # ---- totals

    def totals(self, first: int, games: int) -> Totals:
        return self.totals_and_rows(first, games, [])[0]

    def totals_and_rows(self, first: int, games: int, columns: list[str]) -> tuple[Totals, list[Row]]:
        """Shared among the threads: whoever has done a part takes the next one. The totals do not hang on who did."""
        if len(self.blocks) == 1 or games < FEW:
            return self.play_alone(self.blocks[0], first, games, columns)
        parts, rows = deque(split_games(first, games, PARTS * len(self.blocks))), dict[int, list[Row]]()
        pool = self._pool = self._pool or ThreadPoolExecutor(len(self.blocks))
        tasks = [pool.submit(self.run_thread, block, parts, columns, rows) for block in self.blocks]
        try:
            wait(tasks)
        finally:  # nobody plays on when this is interrupted
            parts.clear()
            wait(tasks)
        found = Totals()
        for task in tasks:
            found.merge(task.result())
        return found, [row for _, some in sorted(rows.items()) for row in some]

    def play_alone(self, block: ThreadMemory, first: int, games: int, columns: list[str]) -> tuple[Totals, list[Row]]:
        rows: dict[int, list[Row]] = {}
        found = self.run_thread(block, deque([(first, games)]), columns, rows)
        return found, rows.get(first, [])

    def run_thread(
        self, block: ThreadMemory, parts: deque[Part], columns: list[str], rows: dict[int, list[Row]]
    ) -> Totals:
        """What one thread does, as long as there are parts; the rows of each by its first game."""
        found, tally = Totals(), Tally(self.form, self.read_rows(block))
        while parts:
            try:
                first, games = parts.popleft()
            except IndexError:  # another one was quicker
                break
            looked_at = games if columns or tally.scaled else min(max(WATCHED - first, 0), games)
            rows[first] = self.play_with_rows(block, tally, found, (first, looked_at), columns)
            self.play_unseen(block, tally, found, (first + looked_at, games - looked_at))
        tally.flush_into(found)
        return found

    def play_with_rows(
        self, block: ThreadMemory, tally: Tally, found: Totals, part: Part, columns: list[str]
    ) -> list[Row]:
        """Games whose rows are needed here."""
        rows, shown = [], figures_in_columns(self.table, columns) if columns else set()
        for number, played in self.play_stretches(block, *part):
            if isinstance(played, GameRecord):
                found.add_record(played)
            else:
                tally.add_rows(played)
                if number < WATCHED:
                    self.note_happened(found, played)
            if columns:
                for record in self.make_records(number, played, shown):
                    rows.append(make_row(record, self.table, self.seed, columns))
            if tally.room_left < self.form.rows:
                tally.flush_into(found)
        return rows

    def play_unseen(self, block: ThreadMemory, tally: Tally, found: Totals, part: Part) -> None:
        """Games that are only added up: one call until one that the reference must play."""
        first, last = part[0], part[0] + part[1]
        block.numbers("watching")[0] = 0
        while first < last:
            if not tally.room_left:
                tally.flush_into(found)
            amount = min(last - first, tally.room_left, MOST_AT_ONCE)
            played = tally.play_and_add(self.engine, block, first, amount)
            first += played
            self.engine.played += played
            if played < amount:
                found.add_record(self.play_by_reference(first, block))
                first += 1

    def play_by_reference(self, number: int, block: ThreadMemory) -> GameRecord:
        """A game at which machine code has stopped. Of one that only went on too long there is nothing more to tell."""
        if is_too_long(block) and not block.number("broken"):
            is_watched = bool(block.numbers("watching")[0])
            happened = self.happened_titles(block.number("happened")) if is_watched else ()
            return GameRecord(
                number, decisions=block.number("decisions"), stuck=TOO_LONG, is_watched=is_watched, happened=happened
            )
        with self._at_reference:
            record = next(self.reference.records(number, 1))
            if record.stuck is None:
                note_left_game(self.engine, block)
        return record

    def note_happened(self, found: Totals, rows: Rows) -> None:
        found.watched += len(rows)
        for bits in rows[:, self.form.figures.place_of_mark("happened")].tolist():
            found.happened.update(self.happened_titles(bits))

    def happened_titles(self, bits: int) -> tuple[str, ...]:
        return tuple(sorted({title for at, title in self._titles.items() if bits >> at & 1}))

    # ---- games one by one

    def records(self, first: int, games: int) -> Iterator[GameRecord]:
        for number, part in self.play_stretches(self.blocks[0], first, games):
            yield from self.make_records(number, part, self.form.figures.keys.keys())

    def make_records(self, number: int, part: Rows | GameRecord, shown: Collection[Key]) -> Iterator[GameRecord]:
        """The record of every game of a stretch, with these figures."""
        if isinstance(part, GameRecord):
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
                figures = {name: scales.unscale(value, scale) for name, value, scale in exact if value}
            yield self.make_record(number + at, figures, marks[at])

    def make_record(self, number: int, figures: dict[Key, Exact], marks: list[int]) -> GameRecord:
        figures_of, n = self.form.figures, self.table.players
        record = GameRecord(number, figures, group_by_place(marks[:n]))
        record.result = self._words[marks[figures_of.place_of_mark("result") - len(figures_of.keys)]]
        record.decisions = marks[figures_of.place_of_mark("decisions") - len(figures_of.keys)]
        if number < WATCHED:
            record.is_watched = True
            record.happened = self.happened_titles(marks[figures_of.place_of_mark("happened") - len(figures_of.keys)])
        return record


def figures_in_columns(table: Table, columns: Sequence[str]) -> set[Key]:
    """The figures that stand in a row of a file."""
    found = {*NUMBERS.values(), *(("score", str(seat)) for seat in range(1, table.players + 1))}
    return found | {("action", name.removeprefix("action_")) for name in columns if name.startswith("action_")}


def group_by_place(places: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The players by final place, ties together."""
    different = sorted(set(places))
    return tuple(tuple(seat for seat, place in enumerate(places, start=1) if place == one) for one in different)


def split_games(first: int, games: int, threads: int) -> list[tuple[int, int]]:
    each = max((games + threads - 1) // threads, 1)
    return [(first + at, min(each, games - at)) for at in range(0, games, each)]
