"""Which engine goes through the positions of a table: the reference, or machine code when it is asked for or pays.

Either gives the same numbers and findings. `auto` lets the reference look at some first; when there are more, machine
code goes through all of them, and is believed when it says the same of those that both have looked at.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.explore.breadth_first import MOST_MEMORY, Engine, Enough, Explored, explore_table
from rulesrun.interpreter.explore.findings import EndingAnalysis, analyze_endings
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import SymmetryGroup
from rulesrun.run.engine_choice import (
    CAREFULLY,
    FEW_POSITIONS,
    MISSING,
    POSITIONS_WITH_CARE,
    QUICKLY,
    CodeCache,
    cache_folder,
    is_compiler_installed,
    note_reason,
    require_compiled,
)
from rulesrun.terminal.interruption import DeferredInterrupt
from rulesrun.terminal.requests import ExploreRequest
from rulesrun.terminal.trouble import Trouble

MOST_JOBS = 16
MEGABYTE = 1 << 20

Tell = Callable[[int], None]


@frozen(eq=False)
class Explorer:
    """What was asked for: the engine, the number of threads, a line of progress."""

    engine: str
    jobs: int
    tell: Tell | None = None
    seconds: float | None = None  # the most that one search may work
    enough: Enough | None = None  # what makes going on needless
    memory: int = MOST_MEMORY

    def explore(self, table: Table, limit: int, group: SymmetryGroup | None) -> tuple[Explored, EndingAnalysis]:
        """Seats are merged only where nothing is at fault, and where they are dealt to one after the other only where
        all comes to an end: else it begins again without."""
        found, told_ends = self.explore_once(table, limit, group)
        if group is None or group.unless_fault is None or found.is_interrupted:
            return found, told_ends
        is_faulty = any(one.kind == "fault" for one in found.findings)
        if is_faulty or (group.merges_deals and (told_ends.trapped or told_ends.circle is not None)):
            return self.explore_once(table, limit, group.unless_fault)
        return found, told_ends

    def run_engine(
        self, table: Table, limit: int, group: SymmetryGroup | None, engine: Engine | None = None
    ) -> Explored:
        """Ctrl-C comes between two positions, so that what was found by then is whole."""
        with DeferredInterrupt() as patient:

            def tell_progress(positions: int) -> None:
                patient.raise_if_asked()
                if self.tell is not None:
                    self.tell(positions)

            found = explore_table(
                table, limit, group=group, seconds=self.seconds, tell=tell_progress, engine=engine, enough=self.enough,
                memory=self.memory,
            )
        found.is_interrupted = found.is_interrupted or patient.is_asked
        if found.is_interrupted and found.stopped == "limit":
            found.stopped = "interrupted"  # after the last look whether it is: nobody goes on from there
        return found

    def explore_by_reference(
        self, table: Table, limit: int, group: SymmetryGroup | None
    ) -> tuple[Explored, EndingAnalysis]:
        found = self.run_engine(table, limit, group)
        return found, analyze_known_ends(found)

    def explore_once(self, table: Table, limit: int, group: SymmetryGroup | None) -> tuple[Explored, EndingAnalysis]:
        found = None
        if self.engine == "auto" and is_compiler_installed():
            found = self.run_engine(table, min(limit, FEW_POSITIONS), group)
            if found.stopped != "limit" or limit <= FEW_POSITIONS:
                return found, analyze_known_ends(found)
        try:
            return self.explore_all(table, limit, group, found)
        except KeyboardInterrupt:
            if found is None:
                raise
            found.stopped, found.is_interrupted = "interrupted", True
            return found, analyze_known_ends(found)

    def explore_all(
        self, table: Table, limit: int, group: SymmetryGroup | None, found: Explored | None
    ) -> tuple[Explored, EndingAnalysis]:
        """All positions, by whoever goes through them. `found`: those that the reference has looked at."""
        if self.engine == "reference" or not is_compiler_installed():
            if self.engine == "native":
                require_compiled(MISSING, "explore")
            return self.explore_by_reference(table, limit, group)
        return self.explore_natively(table, limit, group, found)

    def explore_natively(
        self, table: Table, limit: int, group: SymmetryGroup | None, known: Explored | None
    ) -> tuple[Explored, EndingAnalysis]:
        from rulesrun.interpreter.form.form import CannotCompile
        from rulesrun.interpreter.native.explore.endings import analyze_endings_natively
        from rulesrun.interpreter.native.explore.exploration import compile_exploration, make_native_engine
        from rulesrun.interpreter.native.explore.results import EnginesDisagree

        cache, care = CodeCache(cache_folder()), QUICKLY if limit <= POSITIONS_WITH_CARE else CAREFULLY
        try:
            engine = make_native_engine(compile_exploration(table, cache, care), self.jobs)
            found = self.run_engine(table, limit, group, engine)
            if known is None or is_prefix_of(known, found):
                return found, analyze_known_ends(found, lambda: analyze_endings_natively(found, cache))
        except CannotCompile as reason:
            if self.engine == "native":
                raise Trouble(message("`--engine native` cannot explore this: {reason}", reason=reason)) from reason
            note_reason(table, reason)
        except EnginesDisagree as reason:
            if self.engine == "native":
                raise Trouble(
                    message("`--engine native` leaves this to the reference: {reason}", reason=reason)
                ) from reason
        return self.explore_by_reference(table, limit, group)


def analyze_known_ends(found: Explored, work_out: Callable[[], EndingAnalysis] | None = None) -> EndingAnalysis:
    """Nothing is known of them when somebody interrupts."""
    try:
        return analyze_endings(found) if work_out is None else work_out()
    except KeyboardInterrupt:
        found.stopped, found.is_interrupted = "interrupted", True
        return EndingAnalysis([], None)


def is_prefix_of(known: Explored, found: Explored) -> bool:
    """Whether the one search says of the first positions what the other says."""
    return (
        known.parents == found.parents[: known.size]
        and known.orbits == found.orbits[: known.size]
        and (bool(known.group.shifts) or known.sizes == found.sizes[: known.size])  # else of what is reached so far
        and known.edges == found.edges[: len(known.edges)]
        and known.offsets == found.offsets[: len(known.offsets)]
        and [finding_key(one) for one in known.findings]
        == [finding_key(one) for one in found.findings[: len(known.findings)]]
    )


def finding_key(finding: object) -> tuple[object, ...]:
    return tuple(getattr(finding, name) for name in ("kind", "title", "message", "position", "answers"))


def make_explorer(
    request: ExploreRequest, tell: Tell | None = None, seconds: float | None = None, enough: Enough | None = None
) -> Explorer:
    jobs = request.jobs or min(os.cpu_count() or 1, MOST_JOBS)
    memory = (request.memory or MOST_MEMORY // MEGABYTE) * MEGABYTE
    return Explorer(request.engine or "auto", jobs, tell, seconds, enough, memory)
