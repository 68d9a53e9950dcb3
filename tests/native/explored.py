"""Positions gone through by both engines, and what must be alike in what was found."""

from __future__ import annotations

from typing import Any

from rulesrun.interpreter.explore.breadth_first import Explored, explore_table
from rulesrun.interpreter.explore.findings import analyze_endings
from rulesrun.interpreter.explore.never_happened import find_never_happened
from rulesrun.interpreter.native.explore.endings import analyze_endings_natively
from rulesrun.interpreter.native.explore.exploration import ExploringCode, compile_exploration, make_native_engine
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import SymmetryGroup
from rulesrun.interpreter.symmetry.renaming import find_word_group

ALIKE = (
    "size", "levels", "transitions", "decisions", "chances", "overs", "whole", "stopped", "parents", "came", "sizes",
    "edges", "offsets", "ended", "faulty", "happened",
)


def by_machine(
    table: Table, limit: int = 200_000, *, merges: bool = False, jobs: int = 1, code: ExploringCode | None = None
) -> Explored:
    code = code or compile_exploration(table)
    return explore_table(table, limit, group=group_for(table, merges), engine=make_native_engine(code, jobs, few=0))


def group_for(table: Table, merges: bool) -> SymmetryGroup | None:
    return find_word_group(table) if merges else None


def told(found: Explored) -> dict[str, Any]:
    known = {name: getattr(found, name) for name in ALIKE}
    known["findings"] = [(one.kind, one.title, one.message, one.position, one.answers) for one in found.findings]
    known["never"] = [(one.kind, one.name) for one in find_never_happened(found)]
    known["said"] = found.group.said
    return known


def differences(
    table: Table, limit: int, *, merges: bool = False, jobs: int = 1, code: ExploringCode | None = None
) -> list[str]:
    """What the two engines say differently of the same positions; nothing, when all is well."""
    theirs = explore_table(table, limit, group=group_for(table, merges))
    ours = by_machine(table, limit, merges=merges, jobs=jobs, code=code)
    wanted, got = told(theirs), told(ours)
    found = [f"{name}: {str(got[name])[:200]} instead of {str(one)[:200]}" for name, one in wanted.items()
             if got[name] != one]
    ending, other = analyze_endings(theirs), analyze_endings_natively(ours)
    if (ending.trapped, ending.circle) != (other.trapped, other.circle):
        found.append(f"ends: {other} instead of {ending}")
    return found
