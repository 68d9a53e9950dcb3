"""Positions gone through by both engines, and what must be alike in what was found."""

from __future__ import annotations

from typing import Any

from rulesrun.interpreter.explore.breadth_first import Explored, explore
from rulesrun.interpreter.explore.endings import ends
from rulesrun.interpreter.explore.never_happened import never_happened
from rulesrun.interpreter.native.explore.compiled import ExploringCode, exploring_code
from rulesrun.interpreter.native.explore.endings import native_ends
from rulesrun.interpreter.native.explore.exploration import natively
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import Group
from rulesrun.interpreter.symmetry.renaming import group_of_words

ALIKE = (
    "size", "levels", "transitions", "decisions", "chances", "overs", "whole", "stopped", "parents", "came", "sizes",
    "edges", "offsets", "ended", "faulty", "happened",
)


def by_machine(
    table: Table, limit: int = 200_000, *, merges: bool = False, jobs: int = 1, code: ExploringCode | None = None
) -> Explored:
    code = code or exploring_code(table)
    return explore(table, limit, group=group_for(table, merges), engine=natively(code, jobs, few=0))


def group_for(table: Table, merges: bool) -> Group | None:
    return group_of_words(table) if merges else None


def told(found: Explored) -> dict[str, Any]:
    known = {name: getattr(found, name) for name in ALIKE}
    known["findings"] = [(one.kind, one.title, one.message, one.position, one.answers) for one in found.findings]
    known["never"] = [(one.kind, one.name) for one in never_happened(found)]
    known["said"] = found.group.said
    return known


def differences(
    table: Table, limit: int, *, merges: bool = False, jobs: int = 1, code: ExploringCode | None = None
) -> list[str]:
    """What the two engines say differently of the same positions; nothing, when all is well."""
    theirs = explore(table, limit, group=group_for(table, merges))
    ours = by_machine(table, limit, merges=merges, jobs=jobs, code=code)
    wanted, got = told(theirs), told(ours)
    found = [f"{name}: {str(got[name])[:200]} instead of {str(one)[:200]}" for name, one in wanted.items()
             if got[name] != one]
    ending, other = ends(theirs), native_ends(ours)
    if (ending.trapped, ending.circle) != (other.trapped, other.circle):
        found.append(f"ends: {other} instead of {ending}")
    return found
