"""Pairs of games in machine code: the deals of a `Duel`, both ways, with the same exact totals.

A deal of which either machine cannot say all is played again by the reference's duel; that the right game does not end
is known without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

import numpy
from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.form.machine_code import Cache
from rulesrun.interpreter.measure.declared_figures import Key, denominator_of
from rulesrun.interpreter.measure.duel import Duel
from rulesrun.interpreter.measure.measured_game import GameMeasurer
from rulesrun.interpreter.measure.pairs import CrossSums, PairTotals
from rulesrun.interpreter.measure.totals import Totals
from rulesrun.interpreter.native.flow.engine import Engine
from rulesrun.interpreter.native.measure.measurement import NativeMeasurer, compile_measuring_engine, split_games
from rulesrun.interpreter.native.measure.sum_kernels import CROSS_DESK
from rulesrun.interpreter.native.measure.sums import Rows, Tally, compile_sum_kernels

FEW = 8  # deals, after one that the reference had to play


@define(eq=False)
class DuelSide:
    """One of the two tables. `keys`: its figures, as the left table calls them; `watched`: as `Duel` has it."""

    worker: NativeMeasurer
    keys: list[Key]
    watched: int

    def play_rows(self, first: int, amount: int) -> Rows:
        """The rows of the next games, until one that the reference must play."""
        block = self.worker.blocks[0]
        block.numbers("watching")[0] = int(first < self.watched)
        played = self.worker.engine.run_games(block, first, amount) if amount else 0
        return self.worker.read_rows(block)[:played]

    def is_too_long(self) -> bool:
        """Whether the game that was stopped at had as many decisions as it may have, and nothing was wrong with it."""
        block = self.worker.blocks[0]
        fault, decisions = (block.number(name) for name in ("fault", "decisions"))
        return not fault and decisions > block.numbers("limit")[0]

    def collect_totals(self, tally: Tally, found: Totals) -> Totals:
        """What was added up, by the names of the left table."""
        tally.flush_into(found)
        own = dict(zip(self.worker.form.figures.keys, self.keys, strict=True))
        found.sums = {own[key]: sums for key, sums in found.sums.items()}
        found.spreads = {own[key]: counts for key, counts in found.spreads.items()}
        return found


@define(eq=False)
class PairProducts:
    """The sums over pairs, as arrays: a place for every figure that either table has."""

    keys: list[Key]
    places: tuple[list[int], list[int]]  # of the columns of either side
    widths: tuple[int, int]  # of their rows
    measured: list[int] = field(init=False)  # figures that are measured against another one
    arrays: dict[str, Any] = field(init=False)
    desk: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        known = {key: at for at, key in enumerate(self.keys)}
        against = {at: known.get(one, -1) for key, at in known.items() if (one := denominator_of(key))}
        self.measured = [at for at, other in against.items() if other >= 0]
        sums = {name: len(self.keys) for name in ("both", "moved", "seen", "left.row", "right.row")}
        sums |= {"own.by.other": len(self.measured), "other.by.own": len(self.measured), "differing": 1}
        self.arrays = {name: numpy.zeros(amount, dtype=numpy.int64) for name, amount in sums.items()}
        self.arrays["own"] = numpy.array(self.measured, dtype=numpy.int64)
        self.arrays["against"] = numpy.array([against[at] for at in self.measured], dtype=numpy.int64)
        for name, places in zip(("left.places", "right.places"), self.places, strict=True):
            columns = self.arrays[name] = numpy.full(len(self.keys), -1, dtype=numpy.int64)
            columns[places] = numpy.arange(len(places))
        words = {name: array.ctypes.data for name, array in self.arrays.items()} | {
            "left.width": self.widths[0], "right.width": self.widths[1], "keys": len(self.keys),
            "measured": len(self.measured),
        }  # fmt: skip
        self.desk = numpy.array([words[name] for name in CROSS_DESK], dtype=numpy.int64)

    def add_pairs(self, left: Rows, right: Rows) -> None:
        """Outside Python's lock; rows lie one after the other."""
        compile_sum_kernels().add_pairs(self.desk.ctypes.data, left.ctypes.data, right.ctypes.data, len(right))

    @property
    def differing(self) -> int:
        return int(self.arrays["differing"][0])

    def collect_crosses(self) -> dict[Key, CrossSums]:
        both, moved, seen = (self.arrays[name].tolist() for name in ("both", "moved", "seen"))
        crossed = [self.arrays[name].tolist() for name in ("own.by.other", "other.by.own")]
        measured = {at: (one, other) for at, one, other in zip(self.measured, *crossed, strict=True)}
        return {
            key: CrossSums(both[at], *measured.get(at, (0, 0)), moved[at])
            for at, key in enumerate(self.keys)
            if seen[at]
        }


@define(eq=False)
class NativeDuel:
    """Plays ranges of deals as `Duel.play_range` does; `threads`: the two sides of each."""

    duel: Duel
    threads: list[tuple[DuelSide, DuelSide]]
    _reference: Any = field(init=False, factory=Lock)  # it plays one deal at a time

    @property
    def left(self) -> Engine:
        return self.threads[0][0].worker.engine

    def play_range(self, first: int, games: int) -> PairTotals:
        shares = split_games(first, games, len(self.threads))
        if len(shares) == 1:
            return DuelThread(self, self.threads[0]).play_range(first, games)
        found = PairTotals()
        with ThreadPoolExecutor(len(shares)) as pool:
            tasks = [
                pool.submit(DuelThread(self, sides).play_range, at, many)
                for sides, (at, many) in zip(self.threads, shares, strict=False)
            ]
            for task in tasks:
                found.merge(task.result())
        return found

    def play_by_reference(self, number: int) -> PairTotals:
        with self._reference:
            return self.duel.play_range(number, 1)


@define(eq=False)
class DuelThread:
    whole: NativeDuel
    sides: tuple[DuelSide, DuelSide]

    def play_range(self, first: int, games: int) -> PairTotals:
        found, crosses = PairTotals(), self.make_crosses()
        tallies = Tally(self.sides[0].worker.form), Tally(self.sides[1].worker.form)
        totals, last, most = (Totals(), Totals()), first + games, games
        watched = self.whole.duel.watched
        while first < last:
            until = min(last, watched) if first < watched else last
            amount = min(until - first, most, *(side.worker.form.rows for side in self.sides))
            left = self.sides[0].play_rows(first, amount)
            right = self.sides[1].play_rows(first, len(left))
            played = len(right)
            if played:
                crosses.add_pairs(left[:played], right)
                for side, tally, total, rows in zip(self.sides, tallies, totals, (left, right), strict=True):
                    tally.add_rows(rows[:played])
                    if first < watched:
                        side.worker.note_happened(total, rows[:played])
            found.games += played
            first, most = first + played, 2 * most
            if played < amount:
                is_clear = played < len(left) and self.sides[1].is_too_long()
                found.merge(long_on_the_right(first) if is_clear else self.whole.play_by_reference(first))
                first, most = first + 1, FEW
        alone = PairTotals(
            self.sides[0].collect_totals(tallies[0], totals[0]),
            self.sides[1].collect_totals(tallies[1], totals[1]),
            crosses.collect_crosses(),
        )
        alone.differing = crosses.differing
        found.merge(alone)
        return found

    def make_crosses(self) -> PairProducts:
        keys = list(dict.fromkeys([*self.sides[0].keys, *self.sides[1].keys]))
        known = {key: at for at, key in enumerate(keys)}
        left, right = ([known[key] for key in side.keys] for side in self.sides)
        one, other = (side.worker.form.figures.width for side in self.sides)
        return PairProducts(keys, (left, right), (one, other))


def long_on_the_right(number: int) -> PairTotals:
    """One deal, whose right game was stopped because it was so long."""
    found = PairTotals(games=1, stuck=(0, 1))
    found.note_long(False, True, number)
    return found


def compile_duel(
    duel: Duel, jobs: int = 1, cache: Cache | None = None, care: int = 2, left: Engine | None = None
) -> NativeDuel:
    """Both tables as machine code; raises `CannotCompile` with the reason when that cannot be.

    `left`: the left table's, where another duel has it already; `care`: see `compiled`.
    """
    if any(bots is not None for bots in duel.bots):
        raise CannotCompile(message("players that think need the reference engine"))
    ours, theirs = duel.watchers
    if left is None or left.table is not duel.left:
        left = compile_measuring_engine(ours.table, cache, ours.lots, care)
    right = compile_measuring_engine(theirs.table, cache, theirs.lots, care)
    return NativeDuel(duel, [(make_side(duel, left, 0), make_side(duel, right, 1)) for _ in range(jobs)])


def make_side(duel: Duel, engine: Engine, at: int) -> DuelSide:
    worker = NativeMeasurer(engine, duel.seed)
    watcher: GameMeasurer = duel.watchers[at]
    worker.blocks[0].numbers("limit")[0] = watcher.limit
    figures = worker.form.figures
    if figures.scales:
        raise CannotCompile(message("points in fractions need the reference engine"))
    keys: Sequence[Key] = list(figures.keys)
    if at:
        keys = [duel.to_left_key(key) for key in keys] if duel.back else keys
    if len(set(keys)) < len(keys):
        raise CannotCompile(message("two figures have one name"))
    return DuelSide(worker, list(keys), duel.watched)
