"""Odds of any fineness for many histories, in whole numbers: weight over total, times an exact odd that has a number.

While all fits into words, that number is 0, which stands for 1. What would outgrow a word becomes an odd of its own,
once for all histories that share it. Sums by these are exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from threading import Lock
from typing import Any

import numpy
from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.native.positions.batches import Numbers

MOST_DENOMINATOR = 1 << 60
MOST_SUM = 1 << 62
MOST_DIFFERENT = 1 << 20
MANY_SUMS = 1 << 16  # sums by different odds; then they are put together

Odds = tuple[Numbers, Numbers, Numbers]  # of every history the number of an exact odd, times weight over total


@define(eq=False)
class FineOdds:
    """Those that two words do not hold, by number; all threads share them."""

    values: list[Fraction] = field(init=False, factory=lambda: [Fraction(1)])
    _numbers: dict[Fraction, int] = field(init=False, factory=lambda: {Fraction(1): 0})
    _lock: Lock = field(init=False, factory=Lock)

    def make_divisible(self, odds: Odds, finest: int) -> Odds:
        """The same odds, so that each may still be divided by the finest."""
        if finest > MOST_DENOMINATOR:
            raise CannotCompile(message("chance has weights that are too large"))
        if int(odds[2].max(initial=1)) <= MOST_DENOMINATOR // finest:
            return odds
        order, starts = find_runs(odds)
        firsts = order[starts]
        with self._lock:
            numbers = [self.odds_number(*(int(one[at]) for one in odds)) for at in firsts.tolist()]
        found = numpy.empty(len(order), dtype=numpy.int64)
        found[order] = numpy.repeat(numpy.array(numbers, dtype=numpy.int64), numpy.diff(starts, append=len(order)))
        ones = numpy.ones(len(order), dtype=numpy.int64)
        return found, ones, ones.copy()

    def odds_number(self, fine: int, weight: int, total: int) -> int:
        value = self.values[fine] * Fraction(weight, total)
        found = self._numbers.setdefault(value, len(self.values))
        if found == len(self.values):
            if found > MOST_DIFFERENT:
                raise CannotCompile(message("there are too many different odds"))
            self.values.append(value)
        return found


@define(eq=False)
class WeightedSums:
    """Values times their odds, added up column by column; each thread has one of its own."""

    fine: FineOdds
    columns: int
    _by_odds: dict[tuple[int, int], list[int]] = field(init=False, factory=dict)  # number and total: sums by column
    _settled: list[Fraction] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._settled = [Fraction(0)] * self.columns

    def add_values(self, values: Any, odds: Odds) -> None:
        """Values by history and column."""
        fine, weights, totals = odds
        order, starts = find_runs((fine, totals))
        weighed = exact_products(values[order], weights[order])
        sums, firsts = numpy.add.reduceat(weighed, starts, axis=0), order[starts]
        for one, number, total in zip(sums.tolist(), fine[firsts].tolist(), totals[firsts].tolist(), strict=True):
            before = self._by_odds.get((number, total))
            self._by_odds[number, total] = one if before is None else [x + y for x, y in zip(before, one, strict=True)]
        if len(self._by_odds) > MANY_SUMS:
            self.combine_sums()

    def combine_sums(self) -> None:
        """First all that share an odd that words do not hold, then times that."""
        parts: dict[int, list[Fraction]] = {}
        for (number, total), sums in self._by_odds.items():
            before = parts.get(number, [Fraction(0)] * self.columns)
            parts[number] = [x + Fraction(one, total) for x, one in zip(before, sums, strict=True)]
        self._by_odds.clear()
        for number, sums_there in parts.items():
            value = self.fine.values[number]
            self._settled = [x + value * one for x, one in zip(self._settled, sums_there, strict=True)]

    def column_sums(self) -> list[Fraction]:
        self.combine_sums()
        return list(self._settled)


def divide_odds(odds: Odds, weights: Numbers, totals: Numbers) -> Odds:
    """The odds of answers: those of the history before times weight over total."""
    fine, weight, total = odds[0], odds[1] * weights, odds[2] * totals
    if int(weight.max(initial=1)) == 1:
        return fine, weight, total
    common = numpy.gcd(weight, total)
    return fine, weight // common, total // common


def even_weights(counts: Numbers) -> tuple[Numbers, Numbers]:
    """Weight and total of every answer, where there are so many that are all alike."""
    totals = numpy.repeat(counts, counts)
    return numpy.ones(len(totals), dtype=numpy.int64), totals


def exact_products(points: Any, weights: Numbers) -> Any:
    """Each row times its weight; where the sum of all might outgrow a word, Python's own numbers."""
    most = max(int(numpy.abs(points).max(initial=0)), 1) * int(weights.max(initial=1)) * len(points)
    kind = numpy.int64 if most < MOST_SUM else object
    return points.astype(kind) * weights.astype(kind)[:, None]


def find_runs(keys: Iterable[Numbers]) -> tuple[Numbers, Numbers]:
    """An order in which equal ones stand together, and where in it each run begins."""
    columns = [one for one in keys if len(one) and one.min() != one.max()]
    length = len(next(iter(keys)))
    if not columns:
        return numpy.arange(length), numpy.zeros(1, dtype=numpy.int64)
    order = numpy.lexsort(columns) if len(columns) > 1 else numpy.argsort(columns[0], kind="stable")
    is_new = numpy.zeros(length, dtype=bool)
    is_new[0] = True
    for one in columns:
        is_new[1:] |= numpy.diff(one[order]) != 0
    return order, numpy.flatnonzero(is_new)
