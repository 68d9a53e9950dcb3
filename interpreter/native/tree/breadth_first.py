"""The exact size of a small game's tree: takes positions in machine code, gives the reference's counts.

Thousands of histories at once, shared among threads. A tree that is not whole is counted as the reference does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent import futures
from fractions import Fraction
from threading import Event

import numpy

from rulesrun.interpreter.native.expressions import scales
from rulesrun.interpreter.native.positions.positions import NativePositions
from rulesrun.interpreter.native.tree.exact_odds import FineOdds
from rulesrun.interpreter.native.tree.levels import Level, LevelCounter, NotWhole, Words
from rulesrun.interpreter.play.game_tree import TreeCount, compute_expectation

SHARE = 256  # histories to begin with, for each thread


def make_counters(positions: NativePositions, jobs: int, fine: FineOdds | None = None) -> list[LevelCounter]:
    """One for each thread; without odds nobody expects a score."""
    others = [type(positions)(positions.table, positions.form, positions.code) for _ in range(jobs - 1)]
    return [LevelCounter(one, fine) for one in (positions, *others)]


def count_whole_tree(counters: Sequence[LevelCounter], begin: Level, most: int) -> bool:
    """Whether all after these histories was counted, themselves included; false where there are more than the most."""
    jobs, stop = len(counters), Event()
    try:
        waiting = widen_frontier(counters[0], [begin], jobs)
        if jobs == 1 or not waiting:
            count_subtrees(counters[0], waiting, most, stop, counters)
        else:
            count_in_parallel(counters, waiting, most, stop)
    except NotWhole:
        return False
    return not stop.is_set() and count_histories(counters) <= most


def count_histories(counters: Sequence[LevelCounter]) -> int:
    return sum(one.found.histories for one in counters)


def widen_frontier(first: LevelCounter, waiting: list[Level], jobs: int) -> list[Level]:
    """The first goes on until there is enough for all."""
    while jobs > 1 and waiting and sum(len(level) for level in waiting) < jobs * SHARE:
        some, others = first.split_batch(waiting.pop(0))
        waiting.extend([*([] if others is None else [others]), *first.expand_level(some)])
    return waiting


def count_in_parallel(counters: Sequence[LevelCounter], waiting: list[Level], most: int, stop: Event) -> None:
    """Each its part; when one gives up, all do."""
    jobs = len(counters)
    parts = [[level.select_histories(numpy.arange(at, len(level), jobs)) for level in waiting if len(level) > at]
             for at in range(jobs)]
    with futures.ThreadPoolExecutor(jobs) as pool:
        both = zip(counters, parts, strict=True)
        tasks = [pool.submit(count_subtrees, one, part, most, stop, counters) for one, part in both]
        is_done = False
        try:
            futures.wait(tasks, return_when=futures.FIRST_EXCEPTION)
            is_done = all(task.done() for task in tasks)
        finally:
            if not is_done:
                stop.set()
        for task in tasks:
            task.result()


def count_subtrees(
    one: LevelCounter, waiting: list[Level], most: int, stop: Event, counters: Sequence[LevelCounter]
) -> None:
    """All that comes after these; stops when all together have found more histories than the most."""
    while waiting and not stop.is_set():
        level, others = one.split_batch(waiting.pop())
        waiting.extend([] if others is None else [others])
        waiting.extend(one.expand_level(level))
        if count_histories(counters) > most:
            stop.set()
    if not stop.is_set():
        one.sort_information_sets()


def sum_counters(counters: Sequence[LevelCounter]) -> TreeCount:
    found = TreeCount()
    for name in ("decisions", "chance", "together", "terminals"):
        setattr(found, name, sum(getattr(one.found, name) for one in counters))
    found.max_depth = max(one.found.max_depth for one in counters)
    for seat in counters[0].sets:
        found.information_sets[seat] = count_distinct([part for one in counters for part in one.sets[seat]])
    found.expectation = compute_expectation(counters[0].positions.table, expected_values(counters))
    return found


def expected_values(counters: Sequence[LevelCounter]) -> list[Fraction]:
    """What was added up together, each in its own unit."""
    first = counters[0]
    table, plan = first.positions.table, first.positions.form.plan
    units = [scales.scale_of_total(plan)] * table.players + [first.parts_of_a_win] * table.players
    own = [(scales.scale_of_figure(plan, one.declaration), 1) for one in table.watches.figures]
    last = [unit for both in own for unit in both]
    sums = [sum(column, Fraction(0)) for column in zip(*(one.sums.column_sums() for one in counters), strict=True)]
    between = [1] * (len(sums) - len(units) - len(last))
    return [one / unit for one, unit in zip(sums, units + between + last, strict=True)]


def count_distinct(parts: Sequence[Words]) -> int:
    """Different ones in several that are in order each, which makes sorting them together short."""
    several = [one for one in parts if len(one)]
    if not several:
        return 0
    together = numpy.sort(numpy.concatenate(several), kind="stable")
    return 1 + int(numpy.count_nonzero(together[1:] != together[:-1]))
