"""How long the games of a table are, and what their ends are worth: all of it seen, or nothing said.

Goes through the positions answer by answer, all that can come after so many answers at once; what is equal is gone into
once. A table that is too large, or that comes to a fault, has no bounds here.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from rulesrun.api.batches import Many

MOST_LOOKED_AT = 100_000
BYTES_AT_ONCE = 1 << 26  # of positions that are followed together


@frozen
class GameBounds:
    """What is proved about the games of a table. None means: not known.

    `longest`: how many decisions the longest game has. `lowest`, `highest`: the lowest and the highest final score that
    any player can have. `total`: what all scores add up to, if that is the same at every end.
    """

    longest: int | None = None
    lowest: Fraction | None = None
    highest: Fraction | None = None
    total: Fraction | None = None

    @property
    def is_zero_sum(self) -> bool:
        """Whether the scores are proved to add up to zero. False means not proved: they may do so all the same."""
        return self.total == 0


def find_bounds(many: Many, limit: int) -> GameBounds:
    """Everything unknown where `limit` positions are not enough; one of many kilobytes counts as so many."""
    import numpy

    limit //= max(many.size >> 10, 1)

    totals: set[Any] = set()
    lows: list[Any] = []
    highs: list[Any] = []
    looked_at, longest = 0, 0
    waiting = start_rows(many)
    while len(waiting):
        looked_at += len(waiting)
        if looked_at > limit:
            return GameBounds()
        rows, decisions = split_counts(waiting, many.size)
        is_over = many.is_over(rows)
        if is_over.any():
            ended = numpy.ascontiguousarray(rows[is_over])
            scores = many.scores(ended)
            totals.update(Fraction(one) for one in numpy.unique(scores.sum(axis=1)).tolist())
            lows.append(scores.min())
            highs.append(scores.max())
            longest = max(longest, int(decisions[is_over].max()))
        following, found = [waiting[:0]], 0
        for part in follow_all(many, rows[~is_over], decisions[~is_over], limit):
            found += 0 if part is None else len(part)
            if part is None or found > limit:
                return GameBounds()
            following.append(part)
        waiting = drop_equal(numpy.concatenate(following))
    total = next(iter(totals)) if len(totals) == 1 else None
    return GameBounds(longest, Fraction(min(lows).item()), Fraction(max(highs).item()), total)


def start_rows(many: Many) -> Any:
    """A row, and behind it in four bytes how many decisions there were."""
    import numpy

    first = many.settled(many.start(1))
    return numpy.concatenate([first, numpy.zeros((1, 4), dtype=numpy.uint8)], axis=1)


def split_counts(waiting: Any, size: int) -> tuple[Any, Any]:
    import numpy

    decisions = numpy.ascontiguousarray(waiting[:, size:]).view(numpy.int32)[:, 0]
    return numpy.ascontiguousarray(waiting[:, :size]), decisions


def follow_all(many: Many, rows: Any, decisions: Any, limit: int) -> Iterator[Any]:
    """Every answer of every row, some rows at a time; None where the rules come to a fault, or answers are too many."""
    import numpy

    rows = numpy.ascontiguousarray(rows)
    amounts, counts = many.options(rows), decisions + (many.deciding(rows) >= 0)
    at = 0
    while at < len(rows):
        room = max(BYTES_AT_ONCE // many.size, 1)
        end = max(at + int(numpy.searchsorted(numpy.cumsum(amounts[at : at + room]), room, side="right")), at + 1)
        own = amounts[at:end]
        if own.sum() > limit:
            yield None
            return
        copies = numpy.repeat(rows[at:end], own, axis=0)
        answers = numpy.arange(len(copies)) - numpy.repeat(numpy.cumsum(own) - own, own)
        if (many.apply(copies, answers) < 0).any():
            yield None
            return
        told = numpy.repeat(counts[at:end], own).astype(numpy.int32)[:, None].view(numpy.uint8)
        yield drop_equal(numpy.concatenate([many.settled(copies), told], axis=1))
        at = end


def drop_equal(rows: Any) -> Any:
    """Each row once, as they come."""
    import numpy

    if not len(rows):
        return rows
    wide = rows.shape[1]
    blocks = numpy.ascontiguousarray(rows).view(f"V{wide}")[:, 0].tolist()
    return numpy.frombuffer(b"".join(dict.fromkeys(blocks)), dtype=numpy.uint8).reshape(-1, wide)
