"""Whole numbers of an observation as a net likes them: words, seats and kinds one by one, all else between 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from attrs import define, field

from rulesrun.interpreter.native.views.number_views import LayoutPart

ONE_BY_ONE = ("kind", "word", "seat")
MOST_ONE_BY_ONE = 128
MOST_SCALED = 1 << 16  # a wider range says nothing of what comes; such a number stays as it is


@define(eq=False)
class Features:
    """Turns rows of whole numbers, as `observe_numbers` gives them, into rows of floats between 0 and 1. `width`: how
    many."""

    layout: Sequence[LayoutPart]
    width: int = field(init=False)
    _spread: list[tuple[int, int, int, int]] = field(init=False, factory=list)  # column, low, values, to
    _scaled: tuple[Any, Any, Any, Any] = field(init=False)

    def __attrs_post_init__(self) -> None:
        columns, lows, ranges, targets, at = [], [], [], [], 0
        for part in self.layout:
            values = part.high - part.low + 1
            for column in range(part.offset, part.offset + part.amount):
                if part.kind in ONE_BY_ONE and values <= MOST_ONE_BY_ONE:
                    self._spread.append((column, part.low, values, at))
                    at += values
                    continue
                is_wide = values > MOST_SCALED
                columns.append(column)
                lows.append(0 if is_wide else part.low)
                ranges.append(1 if is_wide else max(values - 1, 1))
                targets.append(at)
                at += 1
        self.width = at
        self._scaled = (
            numpy.array(columns, dtype=numpy.int64), numpy.array(lows, dtype=numpy.float32),
            numpy.array(ranges, dtype=numpy.float32), numpy.array(targets, dtype=numpy.int64),
        )

    def encode(self, numbers: Any) -> Any:
        """Rows of whole numbers as rows of floats."""
        found = numpy.zeros((len(numbers), self.width), dtype=numpy.float32)
        columns, lows, ranges, targets = self._scaled
        found[:, targets] = (numbers[:, columns] - lows) / ranges
        rows = numpy.arange(len(numbers))
        for column, low, _, to in self._spread:
            found[rows, numbers[:, column] - low + to] = 1
        return found

    def columns_of(self, column: int) -> range:
        """Which floats a column of the observation becomes."""
        for own, _, values, to in self._spread:
            if own == column:
                return range(to, to + values)
        at = int(self._scaled[3][list(self._scaled[0]).index(column)])
        return range(at, at + 1)
