"""The exact size of a small game's tree, level by level, all positions of a level at once.

Takes positions in machine code, gives the reference's counts. What a player remembers is one number of 64 bits,
mixed from everything seen and chosen so far; that two memories share one has odds of one in many millions.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent import futures
from fractions import Fraction
from threading import Event
from typing import Any

import numpy
from attrs import define, field

from rulesrun.interpreter.chance import ChanceWait, DrawWait, OrderWait, ValueWait
from rulesrun.interpreter.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.graph import Wait
from rulesrun.interpreter.native import scales
from rulesrun.interpreter.native.batches import Batch, Numbers, Rows
from rulesrun.interpreter.native.form import CannotCompile
from rulesrun.interpreter.native.positions import Positions
from rulesrun.interpreter.native.questions import Question
from rulesrun.interpreter.native.views import Views, mixed
from rulesrun.interpreter.tree import MOST_DEPTH, TreeCount

MOST_DENOMINATOR = 1 << 60
LARGE = 1 << 13  # histories at once: what belongs to them stays in the processor's own memory
SHARE = 256  # histories to begin with, for each thread
OPTIONS = 11

Words = numpy.ndarray[Any, numpy.dtype[numpy.uint64]]


@define(eq=False)
class Level:
    """Histories side by side: position, what each player remembers and saw last, the odds so far, the depth."""

    rows: Rows
    known: Words
    last: Words
    weight: Numbers
    total: Numbers
    depth: Numbers

    def of(self, which: Any) -> Level:
        return Level(self.rows[which], self.known[which], self.last[which], self.weight[which], self.total[which],
                     self.depth[which])

    def __len__(self) -> int:
        return len(self.rows)


@define(eq=False)
class Levels:
    """Counts what comes after histories. Each thread has one of its own."""

    positions: Positions
    most: int
    batch: Batch = field(init=False)
    views: Views = field(init=False)
    _settle: Callable[..., None] = field(init=False)
    _run: Callable[..., int] = field(init=False)
    found: TreeCount = field(init=False, factory=TreeCount)
    sets: dict[int, list[Words]] = field(init=False, factory=dict)
    sums: dict[int, Counter[int]] = field(init=False, factory=dict)  # by seat: by denominator

    def __attrs_post_init__(self) -> None:
        self.batch = Batch(self.positions)
        self.views = Views(self.batch)
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._settle = self.positions.code.function("settle_many", None, pointer, pointer, number, pointer)
        self._run = self.positions.code.function("run_many", number, pointer, pointer, number)
        for seat in range(1, self.positions.table.players + 1):
            self.sets[seat], self.sums[seat] = [], Counter()

    def begin(self) -> Level:
        n = self.positions.table.players
        rows = self.batch.start(1)
        zeroes = numpy.zeros((1, n), dtype=numpy.uint64)
        ones = numpy.ones(1, dtype=numpy.int64)
        level = Level(rows, zeroes, zeroes.copy(), ones, ones.copy(), ones - 1)
        self.see(level, numpy.ones(1, dtype=bool))
        return level

    def go_through(self, waiting: list[Level], stop: Event, counters: Sequence[Levels]) -> None:
        """All that comes after these; stops when all together have found more histories than the most."""
        while waiting and not stop.is_set():
            level = waiting.pop()
            if len(level) > LARGE:
                waiting.append(level.of(slice(LARGE, None)))
                level = level.of(slice(LARGE))
            waiting.extend(self.after(level))
            if sum(one.found.histories for one in counters) > self.most:
                stop.set()
        if not stop.is_set():
            self.sort()

    def sort(self) -> None:
        """What was remembered, once each and in order; every thread its own."""
        for seat, parts in self.sets.items():
            if parts:
                self.sets[seat] = [numpy.unique(numpy.concatenate(parts))]

    def after(self, level: Level) -> list[Level]:
        """The next histories, question by question."""
        asked, found = self.views.numbers(level.rows, "pc")[:, 0], []
        several = numpy.flatnonzero(numpy.bincount(asked)).tolist()
        for number in several:
            if number == 0:
                self.end(level, asked == 0)
                continue
            part = level.of(asked == number) if len(several) > 1 else level
            question, wait = self.positions.asked[number]
            following = self.by_chance(part, wait) if isinstance(wait, ChanceWait) else self.chosen(
                part, question, wait)
            if len(following) and int(following.depth.max()) > MOST_DEPTH:
                raise CannotCompile("the tree is too deep")
            found.append(following)
        return [one for one in found if len(one)]

    def end(self, level: Level, over: Any) -> None:
        self.found.terminals += int(over.sum())
        self.deep(level.depth[over])
        scores, weights, totals = self.views.numbers(level.rows, "total")[over], level.weight[over], level.total[over]
        for below in numpy.unique(totals).tolist():
            which = totals == below
            for seat in self.sums:
                points = scores[which, seat - 1]
                self.sums[seat][below] += exact_sum(points, weights[which])

    def deep(self, depths: Numbers) -> None:
        self.found.max_depth = max(self.found.max_depth, int(depths.max()))

    # ---- one step

    def spread(self, level: Level, counts: Numbers) -> tuple[Level, Numbers]:
        """Every history once for each answer, and the number of the answer."""
        children = level.of(numpy.repeat(numpy.arange(len(level)), counts))
        starts = numpy.repeat(numpy.cumsum(counts) - counts, counts)
        return children, numpy.arange(len(children)) - starts

    def settle(self, rows: Rows, answers: Numbers) -> None:
        answers = numpy.ascontiguousarray(answers, dtype=numpy.int64)
        self._settle(self.positions.address, rows.ctypes.data, len(rows), answers.ctypes.data)

    def run(self, rows: Rows) -> None:
        stuck = self._run(self.positions.address, rows.ctypes.data, len(rows))
        if stuck or self.batch.values(rows, "fault").any():
            raise CannotCompile("the game gets stuck; the reference says where")

    def odds(self, level: Level, weights: Numbers, totals: Numbers) -> None:
        if int(level.total.max()) > MOST_DENOMINATOR // int(totals.max()):
            raise CannotCompile("the odds are too fine")
        level.weight, level.total = level.weight * weights, level.total * totals
        common = numpy.gcd(level.weight, level.total)
        level.weight, level.total = level.weight // common, level.total // common

    def see(self, level: Level, which: Any) -> None:
        """What everybody sees now; seeing the same again adds nothing, unless it is shown."""
        is_shown = self.views.is_shown(level.rows)
        view = self.views.of(level.rows, 1)
        for seat in range(level.known.shape[1]):
            if seat and not self.views.sees_alike:
                view = self.views.of(level.rows, seat + 1)
            is_new = which & (is_shown | (view != level.last[:, seat]))
            level.known[is_new, seat] = mixed(level.known[is_new, seat], view[is_new])
            level.last[is_new, seat] = view[is_new]

    # ---- chance

    def by_chance(self, level: Level, wait: ChanceWait) -> Level:
        counts = self.batch.options(level.rows)
        self.found.chance += int((counts > 1).sum())
        weights, totals = self.weights(level.rows, wait, counts)
        children, answers = self.spread(level, counts)
        children.depth = children.depth + numpy.repeat(counts > 1, counts)
        self.odds(children, weights, totals)
        self.settle(children.rows, answers)
        self.run(children.rows)
        self.see(children, numpy.ones(len(children), dtype=bool))
        return children

    def weights(self, rows: Rows, wait: Wait, counts: Numbers) -> tuple[Numbers, Numbers]:
        """Of every outcome of every position: its weight, and the sum of all."""
        if isinstance(wait, OrderWait):
            own = numpy.ones(int(counts.sum()), dtype=numpy.int64)
        elif isinstance(wait, ValueWait):
            own = numpy.tile(numpy.array([one for one in wait.weights if one], dtype=numpy.int64), len(rows))
        else:
            assert isinstance(wait, DrawWait)
            own = self.drawn(rows, wait, counts)
        starts = numpy.cumsum(counts) - counts
        return own, numpy.repeat(numpy.add.reduceat(own, starts), counts)

    def drawn(self, rows: Rows, wait: DrawWait, counts: Numbers) -> Numbers:
        if all(copies == 1 for copies in wait.origin.kinds.copies):
            return numpy.ones(int(counts.sum()), dtype=numpy.int64)
        found: list[int] = []
        for row in rows:
            self.positions.enter(row.tobytes())
            found.extend(self.positions.weights())
        return numpy.array(found, dtype=numpy.int64)

    # ---- choices

    def chosen(self, level: Level, question: Question, wait: Wait) -> Level:
        assert isinstance(wait, DecisionWait)
        is_together = isinstance(wait, TogetherWait)
        first = self.views.numbers(level.rows, question.at.name)[:, 0] == 0 if is_together and question.at else None
        is_first = numpy.ones(len(level), dtype=bool) if first is None else first
        if is_together:
            self.found.together += int(is_first.sum())
        else:
            self.found.decisions += len(level)
        if is_first.any():
            self.deep(level.depth[is_first])
        players = self.views.numbers(level.rows, "player")[:, 0].astype(numpy.int64)
        counts = self.batch.options(level.rows)
        children, answers = self.spread(level, counts)
        children.depth = children.depth + numpy.repeat(is_first, counts)
        self.odds(children, numpy.ones(len(children), dtype=numpy.int64), numpy.repeat(counts, counts))
        self.settle(children.rows, answers)
        own, heard = self.views.choices(children.rows, question, wait)
        offered = mixed(own, answers.astype(numpy.uint64) + numpy.uint64(OPTIONS))
        options = numpy.add.reduceat(offered, numpy.cumsum(counts) - counts)
        self.remember(level, children, players, counts, options, own, heard, wait)
        self.run(children.rows)
        still = numpy.zeros(len(children), dtype=bool)
        if is_together and question.at is not None:
            still = (self.views.numbers(children.rows, "pc")[:, 0] == question.number) & (
                self.views.numbers(children.rows, question.at.name)[:, 0] > 0)
        self.see(children, ~still)
        return children

    def remember(  # the memories of one node and of what comes after each choice
        self, level: Level, children: Level, players: Numbers, counts: Numbers, options: Words, own: Words,
        heard: Words, wait: DecisionWait,
    ) -> None:
        whose, none = numpy.repeat(players, counts), numpy.uint64(0)
        for seat in self.sets:
            asked = mixed(level.known[:, seat - 1], options)
            asks = numpy.ones(len(level), dtype=bool) if wait.is_team else players == seat
            self.sets[seat].append(asked[asks])
            chose = numpy.repeat(asks, counts) if wait.is_team else whose == seat
            after = mixed(numpy.repeat(asked, counts), own)
            children.known[chose, seat - 1] = after[chose]
            children.last[chose, seat - 1] = none
            if not isinstance(wait, TogetherWait):
                listens = ~chose & (heard != none)
                known = children.known[:, seat - 1]
                children.known[listens, seat - 1] = mixed(known[listens], heard[listens])
                children.last[listens, seat - 1] = none


def exact_sum(points: Numbers, weights: Numbers) -> int:
    """The sum of the products; numbers that might grow too large for a word are added by Python."""
    most = max(int(numpy.abs(points).max()), 1) * int(weights.max()) * len(points)
    if most < 1 << 62:
        return int((points * weights).sum())
    return sum(int(one) * int(other) for one, other in zip(points, weights, strict=True))


def how_many(parts: Sequence[Words]) -> int:
    """Different ones in several that are in order each, which makes sorting them together short."""
    if not parts:
        return 0
    together = numpy.sort(numpy.concatenate(parts), kind="stable")
    return 1 + int(numpy.count_nonzero(together[1:] != together[:-1]))


# ---- the whole


def count_levels(positions: Positions, most: int, jobs: int = 1) -> TreeCount | None:
    """None when there are more histories than the most: then the reference says which. As many threads as jobs."""
    others = [Positions(positions.table, positions.form, positions.code) for _ in range(jobs - 1)]
    return count_by([Levels(one, most) for one in (positions, *others)])


def count_by(counters: Sequence[Levels]) -> TreeCount | None:
    """The first goes on until there is enough for all; what each then finds below its part is added up."""
    first, jobs, stop = counters[0], len(counters), Event()
    waiting = [first.begin()]
    while waiting and jobs > 1 and sum(len(level) for level in waiting) < jobs * SHARE:
        waiting = [following for level in waiting for following in first.after(level)]
    parts = [[level.of(numpy.arange(at, len(level), jobs)) for level in waiting if len(level) > at]
             for at in range(jobs)]
    if jobs == 1 or not waiting:
        first.go_through(waiting, stop, counters)
    else:
        with futures.ThreadPoolExecutor(jobs) as pool:
            both = zip(counters, parts, strict=True)
            tasks = [pool.submit(one.go_through, part, stop, counters) for one, part in both]
            try:
                futures.wait(tasks, return_when=futures.FIRST_EXCEPTION)
                for task in tasks:
                    if task.done():
                        task.result()
            finally:
                stop.set()
    return added_up(counters) if sum(one.found.histories for one in counters) <= first.most else None


def added_up(counters: Sequence[Levels]) -> TreeCount:
    found, scale = TreeCount(), scales.scale_of_total(counters[0].positions.form.plan)
    for name in ("decisions", "chance", "together", "terminals"):
        setattr(found, name, sum(getattr(one.found, name) for one in counters))
    found.max_depth = max(one.found.max_depth for one in counters)
    for seat in counters[0].sets:
        found.information_sets[seat] = how_many([part for one in counters for part in one.sets[seat]])
        found.expected_scores[seat] = sum(
            (Fraction(points, below * scale) for one in counters for below, points in one.sums[seat].items()),
            Fraction(0),
        )
    return found
