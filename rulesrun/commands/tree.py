"""`rulesrun tree`: the exact size of a small game's tree."""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import perf_counter

from rulesrun.files.loading import read_playable
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.game_tree import Expectation, TreeCount, TreeCounter
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.code_cache import CodeCache, cache_folder
from rulesrun.run.engines import MISSING, is_compiler_installed
from rulesrun.run.reference_notes import note_reason
from rulesrun.services.small_tables import set_up_small_table
from rulesrun.services.tables import seat_one
from rulesrun.terminal.output import print_error, print_json, print_text
from rulesrun.terminal.requests import TreeRequest
from rulesrun.terminal.trouble import Trouble

MOST_HISTORIES = 2_500_000
SMALL = 2_000

Counted = tuple[TreeCount, str, float]  # by which engine, and in how many seconds


def run(request: TreeRequest) -> int:
    reading = read_playable(request.files[0], request.variants)
    small = request.small
    table = set_up_small_table(reading, small, request) if small is not None else seat_one(reading, request)
    try:
        found, engine, seconds = count_natively(table, request) or count_by_reference(table)
    except Fault as fault:
        from rulesrun.dsl.diagnostics.report import format_diagnostics

        if fault.diagnostic.code == "too-deep":
            raise Trouble(f"{reading.name}: {fault.diagnostic.message}; `rulesrun simulate` plays some of it") from None
        print_error(format_diagnostics([fault.diagnostic], reading.sources).rstrip("\n"))
        return 1
    _print_counts(request, found, engine, seconds)
    return 0 if found.is_complete else 2


def count_by_reference(table: Table) -> Counted:
    began = perf_counter()
    counting = TreeCounter(table, MOST_HISTORIES)
    try:
        counting.count_tree()
    except KeyboardInterrupt:
        counting.found.is_complete = False
    counting.found.information_sets = {player: len(seen) for player, seen in counting.seen.items()}
    return counting.found, "reference", perf_counter() - began


def count_natively(table: Table, request: TreeRequest) -> Counted | None:
    """By machine code, when it is asked for or pays; None leaves it to the reference."""
    asked = request.engine or "auto"
    if asked == "reference" or (asked == "auto" and (not is_compiler_installed() or is_small(table))):
        return None
    found = count_compiled(table, request.jobs or os.cpu_count() or 1)
    if not isinstance(found, str):
        return found
    if asked == "native":
        print_error(f"rulesrun: the native engine leaves this tree to the reference: {found}")
    return None


def count_compiled(table: Table, jobs: int) -> Counted | str:
    """The counts, or why machine code does not know them."""
    if not is_compiler_installed():
        return MISSING
    from rulesrun.interpreter.form.form import CannotCompile
    from rulesrun.interpreter.native.tree.counting import count_tree_natively
    from rulesrun.interpreter.native.tree.positions import compile_tree_positions

    try:
        positions = compile_tree_positions(table, CodeCache(cache_folder()))
        began = perf_counter()
        return count_tree_natively(positions, MOST_HISTORIES, jobs), "native", perf_counter() - began
    except CannotCompile as reason:
        return note_reason(table, reason)


def is_small(table: Table) -> bool:
    """Whether it is counted sooner than compiled."""
    counting = TreeCounter(table, SMALL)
    try:
        counting.count_tree()
    except Fault:
        return True
    return counting.found.is_complete


def _print_counts(request: TreeRequest, found: TreeCount, engine: str, seconds: float) -> None:
    sets = {str(player): amount for player, amount in found.information_sets.items()}
    if request.json:
        document: dict[str, object] = {"information_sets": sets, "max_depth": found.max_depth}
        print_json(
            _counts_json(found) | document | _expectation_json(found.expectation) | _engine_json(found, engine, seconds)
        )
        return
    if not found.is_complete:
        print_error(f"rulesrun: these counts are partial (at most {MOST_HISTORIES:,} histories are counted)")
    if request.quiet:
        return
    lines: list[tuple[str, object]] = [(name, f"{count:,}") for name, count in _counts_json(found).items()]
    lines += [(f"information sets {player}", f"{count:,}") for player, count in sets.items()]
    lines += [("max depth", found.max_depth)]
    lines += list(_expected_items(found.expectation)) if found.expectation is not None else []
    for name, shown in lines:
        print_text(f"{name:<18}{shown!s:>12}")


def _expected_items(found: Expectation) -> Iterator[tuple[str, object]]:
    """Of random play."""
    yield from ((f"expected score {player}", score) for player, score in found.scores.items())
    yield "decisions a game", found.decisions
    yield from ((f"win share {player}", share) for player, share in found.win_shares.items())
    yield "ties", found.ties
    yield from ((f'"{title}"', share) for title, share in found.shares.items())


def _expectation_json(found: Expectation | None) -> dict[str, object]:
    """Exact fractions, as text; of a part of a tree nothing is to be expected."""
    if found is None:
        return {"expected_scores": {}}
    return {
        "expected_scores": {str(player): str(score) for player, score in found.scores.items()},
        "expected_decisions": str(found.decisions),
        "win_shares": {str(player): str(share) for player, share in found.win_shares.items()},
        "ties": str(found.ties),
        "properties": {title: str(share) for title, share in found.shares.items()},
    }


def _counts_json(found: TreeCount) -> dict[str, int]:
    return {
        "histories": found.histories,
        "decisions": found.decisions,
        "chance": found.chance,
        "together": found.together,
        "terminals": found.terminals,
    }


def _engine_json(found: TreeCount, engine: str, seconds: float) -> dict[str, object]:
    return {"engine": engine, "seconds": round(seconds, 3)} | ({} if found.is_complete else {"partial": True})
