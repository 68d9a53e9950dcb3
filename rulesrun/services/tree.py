"""The exact size of a small game's tree: a reading and a request in, counts and expectations of random play out."""

from __future__ import annotations

import os
from time import perf_counter

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.game_tree import TreeCount, TreeCounter
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.engine_choice import FEW_HISTORIES, CodeCache, is_compiler_installed, try_compile
from rulesrun.services.small_tables import set_up_small_table
from rulesrun.services.tables import seat_one
from rulesrun.terminal.requests import TreeRequest
from rulesrun.terminal.trouble import Trouble

MOST_HISTORIES = 2_500_000

Counted = tuple[TreeCount, str, float]  # by which engine, and in how many seconds


@frozen(eq=False)
class CountedTree:
    table: Table
    counts: TreeCount
    engine: str
    seconds: float
    left_to_reference: str = ""  # why, where machine code was asked for


def count_tree(reading: Reading, request: TreeRequest) -> CountedTree:
    """Raises Fault where a game comes to something the rules give no meaning to."""
    small = request.small
    table = set_up_small_table(reading, small, request) if small is not None else seat_one(reading, request)
    try:
        found = count_natively(table, request)
        reason = found if isinstance(found, str) else ""
        counted = count_by_reference(table) if found is None or isinstance(found, str) else found
    except Fault as fault:
        if fault.diagnostic.code == "too-deep":
            raise Trouble(
                message(
                    "{file}: {problem}; `rulesrun simulate` plays some of it",
                    file=reading.name,
                    problem=fault.diagnostic.message,
                )
            ) from None
        raise
    return CountedTree(table, *counted, reason)


def count_by_reference(table: Table) -> Counted:
    began = perf_counter()
    counting = TreeCounter(table, MOST_HISTORIES)
    try:
        counting.count_tree()
    except KeyboardInterrupt:
        counting.found.is_complete = False
    counting.found.information_sets = {player: len(seen) for player, seen in counting.seen.items()}
    return counting.found, "reference", perf_counter() - began


def count_natively(table: Table, request: TreeRequest) -> Counted | str | None:
    """By machine code, when it is asked for or pays. None leaves it to the reference, and a reason does where machine
    code was asked for."""
    asked = request.engine or "auto"
    if asked == "reference" or (asked == "auto" and (not is_compiler_installed() or is_small(table))):
        return None
    found = count_compiled(table, request.jobs or os.cpu_count() or 1)
    if not isinstance(found, str):
        return found
    if asked != "native":
        return None
    return message("the native engine leaves this tree to the reference: {reason}", reason=found)


def count_compiled(table: Table, jobs: int) -> Counted | str:
    """The counts, or why machine code does not know them."""

    def count_tree(cache: CodeCache) -> Counted:
        from rulesrun.interpreter.native.tree.counting import count_tree_natively
        from rulesrun.interpreter.native.tree.levels import compile_tree_positions

        positions = compile_tree_positions(table, cache)
        began = perf_counter()
        return count_tree_natively(positions, MOST_HISTORIES, jobs), "native", perf_counter() - began

    return try_compile(table, count_tree)


def is_small(table: Table) -> bool:
    """Whether it is counted sooner than compiled."""
    counting = TreeCounter(table, FEW_HISTORIES)
    try:
        counting.count_tree()
    except Fault:
        return True
    return counting.found.is_complete
