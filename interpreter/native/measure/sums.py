"""Exact sums of rows of figures: arrays of rows in, or games that are still to be played; the reference's totals out.

The rows are added up by machine code, outside Python's lock, so that threads do not wait for each other. Figures that
may be fractions are added up here, one different value at a time: their squares may be beyond a word.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy
from attrs import define, field

from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compile_text, has_pdep
from rulesrun.interpreter.measure.declared_figures import Event, Key, declared_figure, denominator_of
from rulesrun.interpreter.measure.totals import FINE, Sums, Totals, round_to_digits
from rulesrun.interpreter.model.values import simplify_number
from rulesrun.interpreter.native.expressions import scales
from rulesrun.interpreter.native.flow.engine import Engine, ThreadMemory
from rulesrun.interpreter.native.measure.figures import LARGEST, Figures
from rulesrun.interpreter.native.measure.measured_games import MeasuredForm
from rulesrun.interpreter.native.measure.sum_kernels import DESK, EXACT_BITS, OCTAVE, TOGETHER, sum_kernels

Rows = Any  # an array of whole numbers: a row a game, a column a figure
MOST_GAMES = 1 << 20  # games of which whole numbers of 64 bits add up exactly
PLACES = OCTAVE * (LARGEST.bit_length() - EXACT_BITS + 1)  # at which the values of a figure are counted
NEAR = 1 << 14  # bytes of rows that are added up at once, while they are near the processor
NARROW = 1 << 16


@define(eq=False)
class SumKernels:
    """The machine code of adding up; it is the same for all tables."""

    code: MachineCode
    add_rows: Callable[..., None] = field(init=False)
    play_and_add: Callable[..., int] = field(init=False)
    add_pairs: Callable[..., None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self.add_rows = self.code.function("add rows", None, pointer, pointer, number)
        self.add_pairs = self.code.function("add pairs", None, *[pointer] * 3, number)
        self.play_and_add = self.code.function("play and add", number, *[pointer] * 3, number, number, number)


def compile_sum_kernels(cache: Cache | None = None) -> SumKernels:
    """Compiled once in a process."""
    if not _made:
        text = ModuleText(has_pdep()).format_module(sum_kernels())
        _made.append(SumKernels(compile_text(text, cache)))
    return _made[0]


_made: list[SumKernels] = []


@define(eq=False)
class Tally:
    """The sums of many rows, as arrays. `rows`: where the machine writes those of games that are added up unseen."""

    form: MeasuredForm
    rows: Rows = None
    adding: SumKernels = field(init=False, factory=lambda: compile_sum_kernels())
    games: int = field(init=False, default=0)
    measured: list[int] = field(init=False)  # columns that are measured against another one
    columns: list[int] = field(init=False)  # of which it is counted how often each value comes
    scaled: list[int] = field(init=False)  # of figures that may be fractions
    arrays: dict[str, Any] = field(init=False)
    desk: Any = field(init=False)
    values: list[Any] = field(init=False, factory=list)  # of those

    def __attrs_post_init__(self) -> None:
        figures = self.figures
        against = {at: figures.keys.get(one, -1) for key, at in figures.keys.items() if (one := denominator_of(key))}
        self.measured = [at for at, other in against.items() if other >= 0]
        self.scaled = list(figures.scales)
        self.columns = [at for key, at in figures.keys.items()
                        if declared_figure(key).has_spread and at not in figures.scales]  # fmt: skip
        stripes = -(-len(figures.keys) // TOGETHER)
        assert stripes * TOGETHER <= figures.width
        self.arrays = {
            "sums": numpy.zeros((3, stripes * TOGETHER), dtype=numpy.int64),  # totals, squares, games with it
            "own": numpy.array(self.measured, dtype=numpy.int64),
            "against": numpy.array([against[at] for at in self.measured], dtype=numpy.int64),
            "products": numpy.zeros(len(self.measured), dtype=numpy.int64),
            "columns": numpy.array(self.columns, dtype=numpy.int64),
            "counts": numpy.zeros((len(self.columns), PLACES), dtype=numpy.uint32),
            "reach": numpy.empty((len(self.columns), 2), dtype=numpy.int64),
        }
        self.arrays["reach"][:] = PLACES, -1
        words = {name: array.ctypes.data for name, array in self.arrays.items()} | {
            "rows": 0 if self.rows is None else self.rows.ctypes.data,
            "width": figures.width, "stripes": stripes, "stride": stripes * TOGETHER,
            "measured": len(self.measured), "spread": len(self.columns), "places": PLACES,
        }  # fmt: skip
        self.desk = numpy.array([words[name] for name in DESK], dtype=numpy.int64)

    @property
    def figures(self) -> Figures:
        return self.form.figures

    @property
    def room_left(self) -> int:
        """Games that may still be added before it is flushed."""
        return MOST_GAMES - self.games

    def add_rows(self, rows: Rows) -> None:
        rows = numpy.ascontiguousarray(rows)
        self.adding.add_rows(self.desk.ctypes.data, rows.ctypes.data, len(rows))
        if self.scaled:
            self.values.append(rows[:, self.scaled])
        self.games += len(rows)

    def play_and_add(self, engine: Engine, block: ThreadMemory, first: int, amount: int) -> int:
        """Plays and adds up games whose rows nobody looks at, until one that the reference must play."""
        assert self.rows is not None
        assert not self.scaled
        assert amount <= self.room_left
        few = min(max(NEAR // (8 * self.figures.width), TOGETHER), self.form.rows)
        games = engine.code.address("games")
        played = self.adding.play_and_add(block.address, self.desk.ctypes.data, games, first, amount, few)
        self.games += played
        return played

    def flush_into(self, found: Totals) -> None:
        """Adds what is there to totals, as the reference would have, game by game."""
        keys, scales = list(self.figures.keys), self.figures.scales
        found.games += self.games
        found.finished += self.games
        totals, squares, games = self.arrays["sums"].tolist()
        products = dict(zip(self.measured, self.arrays["products"].tolist(), strict=True))
        found.decisions += totals[self.figures.keys["length", "decisions"]]
        for at, key in enumerate(keys):
            if games[at] and at not in scales:
                found.sums.setdefault(key, Sums()).merge(Sums(totals[at], squares[at], games[at], products.get(at, 0)))
        for number, column in enumerate(self.columns):
            self.take_counts(found, keys[column], number)
        if self.values:
            together = numpy.concatenate(self.values)
            for number, column in enumerate(self.scaled):
                add_values(found, keys[column], together[:, number], scales[column])
        self.arrays["sums"][:] = 0
        self.arrays["products"][:] = 0
        self.values.clear()
        self.games = 0

    def take_counts(self, found: Totals, key: Key, number: int) -> None:
        """How often each value of a figure came; set back."""
        first, last = self.arrays["reach"][number].tolist()
        counts = self.arrays["counts"][number, first : last + 1]
        places = numpy.flatnonzero(counts)
        spread: Counter[Any] = Counter()
        for place, games in zip((places + first).tolist(), counts[places].tolist(), strict=True):
            value = value_at(place)
            if value:
                spread[value] += games
        if spread:
            found.spreads.setdefault(key, Counter()).update(spread)
        counts[:] = 0
        self.arrays["reach"][number] = PLACES, -1


def value_at(place: int) -> int:
    """The value that is counted there."""
    shift, cut = divmod(place, OCTAVE)
    return (cut - FINE) << shift


def add_values(found: Totals, key: Key, values: Any, scale: int) -> None:
    """The sums of figures that may be fractions, and of some how often each value comes."""
    spread: Counter[Any] = Counter()
    is_of_rules = declared_figure(key).event is Event.MOMENT  # it has one value in a game, or none
    for value, games in count_values(values):
        exact = scales.unscale(value, scale)
        if exact:
            spread[round_to_digits(exact)] += games
            total = simplify_number(exact * games)
            product = total if is_of_rules else 0
            sums = Sums(total, simplify_number(exact * exact * games), games, product)
            found.sums.setdefault(key, Sums()).merge(sums)
    if spread and declared_figure(key).has_spread:
        found.spreads.setdefault(key, Counter()).update(spread)


def count_values(values: Any) -> Iterator[tuple[int, int]]:
    """The values that come, with how often."""
    low, high = int(values.min()), int(values.max())
    if high - low < NARROW:
        counts = numpy.bincount(values - low)
        which = numpy.flatnonzero(counts)
        return zip((which + low).tolist(), counts[which].tolist(), strict=True)
    found, counts = numpy.unique(values, return_counts=True)
    return zip(found.tolist(), counts.tolist(), strict=True)
