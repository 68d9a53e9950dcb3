"""The exact size of a small game's tree: takes positions in machine code, gives the reference's counts, or its fault.

Whether a tree is whole is not known before it was counted; the first way through it, always by the first answer,
says whether to try.
"""

from __future__ import annotations

import numpy

from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.native.positions.batches import OVER, Rows
from rulesrun.interpreter.native.positions.positions import NativePositions
from rulesrun.interpreter.native.tree.breadth_first import count_whole_tree, make_counters, sum_counters
from rulesrun.interpreter.native.tree.depth_first import count_in_order, raise_reference_fault
from rulesrun.interpreter.native.tree.exact_odds import FineOdds
from rulesrun.interpreter.native.tree.levels import MOST_CERTAIN, LevelCounter, NotWhole
from rulesrun.interpreter.play.game_tree import MOST_DEPTH, TreeCount
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import TogetherWait

HOPELESS = 1000  # times as many endings as histories are wanted, if all ways had as many answers as the first


def count_tree_natively(positions: NativePositions, most: int, jobs: int = 1) -> TreeCount:
    """No more histories than the most: then the first of them, as the reference goes. As many threads as jobs."""
    check_beginning(positions)
    counters, refusal = make_counters(positions, jobs, FineOdds()), None
    try:
        if can_be_counted_whole(counters[0], most):
            whole = try_whole_count(counters, most)
            if whole is not None:
                return whole
    except CannotCompile as reason:
        refusal = reason
    found = count_in_order(positions, most, jobs)
    if not found.is_complete:
        return found
    if refusal is not None:
        raise refusal
    return try_whole_count(make_counters(positions, jobs, FineOdds()), most) or found


def check_beginning(positions: NativePositions) -> None:
    """Where the game gets stuck before the first question, the reference tells."""
    try:
        positions.begin_game()
    except Fault:
        raise_reference_fault(positions.table, (0,))


def try_whole_count(counters: list[LevelCounter], most: int) -> TreeCount | None:
    """None when it is not whole; when somebody interrupts, what has been counted by then."""
    try:
        return sum_counters(counters) if count_whole_tree(counters, counters[0].first_level(), most) else None
    except KeyboardInterrupt:
        found = sum_counters(counters)
        found.is_complete, found.expectation = False, None
        return found


def can_be_counted_whole(one: LevelCounter, most: int) -> bool:
    """Not when the first way is too deep, leads to a fault, or past more answers than there may be histories."""
    level, ways, depth, certain = one.first_level(), 1, 0, 0
    rows = level.rows
    while (number := int(one.batch.read_named_field(rows, "pc")[0, 0])) != OVER:
        amount = int(one.batch.options(rows)[0])
        ways, depth = ways * amount, depth + is_history(one, rows, number, amount)
        certain = (
            certain + 1 if amount == 1 and isinstance(one.positions.questions_by_number[number][1], ChanceWait) else 0
        )
        one.apply_answers(rows, numpy.zeros(1, dtype=numpy.int64))
        try:
            one.run_to_questions(level)
        except NotWhole:
            return False
        if ways > HOPELESS * most or depth > MOST_DEPTH or certain > MOST_CERTAIN:
            return False
    return True


def is_history(one: LevelCounter, rows: Rows, number: int, amount: int) -> bool:
    """Not chance without a choice, nor the others who choose at the same moment."""
    question, wait = one.positions.questions_by_number[number]
    if isinstance(wait, TogetherWait) and question.at is not None:
        return int(one.batch.read_named_field(rows, question.at.name)[0, 0]) == 0
    return amount > 1 or not isinstance(wait, ChanceWait)
