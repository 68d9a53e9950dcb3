"""The exact size of a small game's tree: takes positions in machine code, gives the reference's counts, or its fault.

Whether a tree is whole is not known before it was counted; the first way through it, always by the first answer,
says whether to try.
"""

from __future__ import annotations

import numpy

from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.native.positions.batches import OVER, Rows
from rulesrun.interpreter.native.positions.positions import Positions
from rulesrun.interpreter.native.tree.breadth_first import added_up, count_whole, counters_for
from rulesrun.interpreter.native.tree.depth_first import count_in_order, tell
from rulesrun.interpreter.native.tree.exact_odds import FineOdds
from rulesrun.interpreter.native.tree.levels import MOST_CERTAIN, Levels, NotWhole
from rulesrun.interpreter.play.game_tree import MOST_DEPTH, TreeCount
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import TogetherWait

HOPELESS = 1000  # times as many endings as histories are wanted, if all ways had as many answers as the first


def count_levels(positions: Positions, most: int, jobs: int = 1) -> TreeCount:
    """No more histories than the most: then the first of them, as the reference goes. As many threads as jobs."""
    start_or_tell(positions)
    counters, refusal = counters_for(positions, jobs, FineOdds()), None
    try:
        if may_be_whole(counters[0], most):
            whole = counted_whole(counters, most)
            if whole is not None:
                return whole
    except CannotCompile as reason:
        refusal = reason
    found = count_in_order(positions, most, jobs)
    if not found.is_complete:
        return found
    if refusal is not None:
        raise refusal
    return counted_whole(counters_for(positions, jobs, FineOdds()), most) or found


def start_or_tell(positions: Positions) -> None:
    """Where the game gets stuck before the first question, the reference tells."""
    try:
        positions.begin()
    except Fault:
        tell(positions.table, (0,))


def counted_whole(counters: list[Levels], most: int) -> TreeCount | None:
    """None when it is not whole; when somebody interrupts, what has been counted by then."""
    try:
        return added_up(counters) if count_whole(counters, counters[0].begin(), most) else None
    except KeyboardInterrupt:
        found = added_up(counters)
        found.is_complete, found.expectation = False, None
        return found


def may_be_whole(one: Levels, most: int) -> bool:
    """Not when the first way is too deep, leads to a fault, or past more answers than there may be histories."""
    level, ways, depth, certain = one.begin(), 1, 0, 0
    rows = level.rows
    while (number := int(one.batch.values(rows, "pc")[0, 0])) != OVER:
        amount = int(one.batch.options(rows)[0])
        ways, depth = ways * amount, depth + is_history(one, rows, number, amount)
        certain = certain + 1 if amount == 1 and isinstance(one.positions.asked[number][1], ChanceWait) else 0
        one.settle(rows, numpy.zeros(1, dtype=numpy.int64))
        try:
            one.go_on(level)
        except NotWhole:
            return False
        if ways > HOPELESS * most or depth > MOST_DEPTH or certain > MOST_CERTAIN:
            return False
    return True


def is_history(one: Levels, rows: Rows, number: int, amount: int) -> bool:
    """Not chance without a choice, nor the others who choose at the same moment."""
    question, wait = one.positions.asked[number]
    if isinstance(wait, TogetherWait) and question.at is not None:
        return int(one.batch.values(rows, question.at.name)[0, 0]) == 0
    return amount > 1 or not isinstance(wait, ChanceWait)
