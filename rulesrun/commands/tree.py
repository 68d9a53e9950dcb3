"""`rulesrun tree`: the exact size of a small game's tree."""

from __future__ import annotations

import os
from time import perf_counter

from rulesrun.arguments import Request
from rulesrun.code_cache import CodeCache, folder
from rulesrun.engines import is_installed
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.tree import Counting, TreeCount
from rulesrun.interpreter.values import Fault
from rulesrun.loading import read_playable
from rulesrun.output import complain, say, say_json
from rulesrun.tables import seat_one
from rulesrun.trouble import Trouble

MOST_HISTORIES = 2_500_000
SMALL = 2_000


def run(request: Request) -> int:
    reading = read_playable(request.files[0], request.variants)
    table = seat_one(reading, request)
    quick = natively(table, request)
    if quick is not None:
        found, seconds = quick
        sets = {str(player): amount for player, amount in found.information_sets.items()}
        _show(request, found, sets, "native", seconds)
        return 0
    began = perf_counter()
    counting = Counting(table, MOST_HISTORIES)
    try:
        counting.count()
    except KeyboardInterrupt:
        counting.found.is_complete = False
    except Fault as fault:
        from rulesrun.dsl.report import to_text

        if fault.diagnostic.code == "too-deep":
            raise Trouble(f"{reading.name}: {fault.diagnostic.message}; `rulesrun simulate` plays some of it") from None
        complain(to_text([fault.diagnostic], reading.sources).rstrip("\n"))
        return 1
    sets = {str(player): len(seen) for player, seen in counting.seen.items()}
    _show(request, counting.found, sets, "reference", perf_counter() - began)
    return 0 if counting.found.is_complete else 2


def natively(table: Table, request: Request) -> tuple[TreeCount, float] | None:
    """From machine code, with the seconds it took, when it is asked for or pays; None leaves it to the reference."""
    asked = request.text("engine") or "auto"
    if asked == "reference" or not is_installed():
        return None
    if asked == "auto" and is_small(table):
        return None
    from rulesrun.interpreter.native.form import CannotCompile
    from rulesrun.interpreter.native.showing import positions_with_shown
    from rulesrun.interpreter.native.tree_levels import count_levels

    try:
        positions = positions_with_shown(table, CodeCache(folder()))
        began = perf_counter()
        found = count_levels(positions, MOST_HISTORIES, request.number("jobs") or os.cpu_count() or 1)
        if found is not None:
            return found, perf_counter() - began
    except (CannotCompile, Fault):
        pass
    if asked == "native":
        complain("rulesrun: the native engine leaves this tree to the reference")
    return None


def is_small(table: Table) -> bool:
    """Whether it is counted sooner than compiled."""
    counting = Counting(table, SMALL)
    try:
        counting.count()
    except Fault:
        return True
    return counting.found.is_complete


def _show(request: Request, found: TreeCount, sets: dict[str, int], engine: str, seconds: float) -> None:
    if request.json:
        scores = {str(player): str(score) for player, score in found.expected_scores.items()}
        document: dict[str, object] = {
            "information_sets": sets,
            "max_depth": found.max_depth,
            "expected_scores": scores,
        }
        say_json(_counts(found) | document | _how(found, engine, seconds))
        return
    if not found.is_complete:
        complain(f"rulesrun: these counts are partial (at most {MOST_HISTORIES:,} histories are counted)")
    if request.quiet:
        return
    lines: list[tuple[str, object]] = [(name, f"{count:,}") for name, count in _counts(found).items()]
    lines += [(f"information sets {player}", f"{count:,}") for player, count in sets.items()]
    lines += [("max depth", found.max_depth)]
    lines += [(f"expected score {player}", score) for player, score in found.expected_scores.items()]
    for name, shown in lines:
        say(f"{name:<18}{shown!s:>12}")


def _counts(found: TreeCount) -> dict[str, int]:
    return {
        "histories": found.histories,
        "decisions": found.decisions,
        "chance": found.chance,
        "together": found.together,
        "terminals": found.terminals,
    }


def _how(found: TreeCount, engine: str, seconds: float) -> dict[str, object]:
    return {"engine": engine, "seconds": round(seconds, 3)} | ({} if found.is_complete else {"partial": True})
