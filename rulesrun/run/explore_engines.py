"""Which engine goes through the positions of a table: the reference, or machine code when it is asked for or pays.

Either gives the same numbers and findings. `auto` lets the reference look at some first; when there are more, machine
code goes through all of them, and is believed when it says the same of those that both have looked at.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from attrs import frozen

from rulesrun.interpreter.explore.breadth_first import MOST_MEMORY, Engine, Enough, Explored, explore
from rulesrun.interpreter.explore.endings import Ends, ends
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import Group
from rulesrun.run.code_cache import CodeCache, folder
from rulesrun.run.engines import MISSING, is_installed
from rulesrun.run.reference_notes import keep_reason
from rulesrun.terminal.arguments import Request
from rulesrun.terminal.interruption import Patient
from rulesrun.terminal.trouble import Trouble

FIRST = 3_000  # positions that the reference looks at sooner than anything is compiled
FEW = 50_000  # positions: for no more than that, machine code is made without care
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

    def explored(self, table: Table, limit: int, group: Group | None) -> tuple[Explored, Ends]:
        """Seats are merged only where nothing is at fault, and where they are dealt to one after the other only where
        all comes to an end: else it begins again without."""
        found, told_ends = self.once(table, limit, group)
        if group is None or group.unless_fault is None or found.is_interrupted:
            return found, told_ends
        is_faulty = any(one.kind == "fault" for one in found.findings)
        if is_faulty or (group.merges_deals and (told_ends.trapped or told_ends.circle is not None)):
            return self.once(table, limit, group.unless_fault)
        return found, told_ends

    def by(self, table: Table, limit: int, group: Group | None, engine: Engine | None = None) -> Explored:
        """Ctrl-C comes between two positions, so that what was found by then is whole."""
        with Patient() as patient:

            def tell(positions: int) -> None:
                patient.look_up()
                if self.tell is not None:
                    self.tell(positions)

            found = explore(
                table, limit, group=group, seconds=self.seconds, tell=tell, engine=engine, enough=self.enough,
                memory=self.memory,
            )
        found.is_interrupted = found.is_interrupted or patient.is_asked
        if found.is_interrupted and found.stopped == "limit":
            found.stopped = "interrupted"  # after the last look whether it is: nobody goes on from there
        return found

    def by_reference(self, table: Table, limit: int, group: Group | None) -> tuple[Explored, Ends]:
        found = self.by(table, limit, group)
        return found, known_ends(found)

    def once(self, table: Table, limit: int, group: Group | None) -> tuple[Explored, Ends]:
        found = None
        if self.engine == "auto" and is_installed():
            found = self.by(table, min(limit, FIRST), group)
            if found.stopped != "limit" or limit <= FIRST:
                return found, known_ends(found)
        try:
            return self.further(table, limit, group, found)
        except KeyboardInterrupt:
            if found is None:
                raise
            found.stopped, found.is_interrupted = "interrupted", True
            return found, known_ends(found)

    def further(
        self, table: Table, limit: int, group: Group | None, found: Explored | None
    ) -> tuple[Explored, Ends]:
        """All positions, by whoever goes through them. `found`: those that the reference has looked at."""
        if self.engine == "reference" or not is_installed():
            if self.engine == "native":
                raise Trouble(f"`--engine native` cannot explore this: {MISSING}")
            return self.by_reference(table, limit, group)
        return self.natively(table, limit, group, found)

    def natively(
        self, table: Table, limit: int, group: Group | None, known: Explored | None
    ) -> tuple[Explored, Ends]:
        from rulesrun.interpreter.form.form import CannotCompile
        from rulesrun.interpreter.native.explore.compiled import exploring_code
        from rulesrun.interpreter.native.explore.endings import native_ends
        from rulesrun.interpreter.native.explore.exploration import natively
        from rulesrun.interpreter.native.explore.findings import Disagree

        cache = CodeCache(folder())
        try:
            engine = natively(exploring_code(table, cache, 0 if limit <= FEW else 2), self.jobs)
            found = self.by(table, limit, group, engine)
            if known is None or is_beginning(known, found):
                return found, known_ends(found, lambda: native_ends(found, cache))
        except CannotCompile as reason:
            if self.engine == "native":
                raise Trouble(f"`--engine native` cannot explore this: {reason}") from reason
            keep_reason(table, reason)
        except Disagree as reason:
            if self.engine == "native":
                raise Trouble(f"`--engine native` leaves this to the reference: {reason}") from reason
        return self.by_reference(table, limit, group)


def known_ends(found: Explored, work_out: Callable[[], Ends] | None = None) -> Ends:
    """Nothing is known of them when somebody interrupts."""
    try:
        return ends(found) if work_out is None else work_out()
    except KeyboardInterrupt:
        found.stopped, found.is_interrupted = "interrupted", True
        return Ends([], None)


def is_beginning(known: Explored, found: Explored) -> bool:
    """Whether the one search says of the first positions what the other says."""
    return (
        known.parents == found.parents[: known.size]
        and known.orbits == found.orbits[: known.size]
        and (bool(known.group.shifts) or known.sizes == found.sizes[: known.size])  # else of what is reached so far
        and known.edges == found.edges[: len(known.edges)]
        and known.offsets == found.offsets[: len(known.offsets)]
        and [told(one) for one in known.findings] == [told(one) for one in found.findings[: len(known.findings)]]
    )


def told(finding: object) -> tuple[object, ...]:
    return tuple(getattr(finding, name) for name in ("kind", "title", "message", "position", "answers"))


def explorer(
    request: Request, tell: Tell | None = None, seconds: float | None = None, enough: Enough | None = None
) -> Explorer:
    jobs = request.number("jobs") or min(os.cpu_count() or 1, MOST_JOBS)
    memory = (request.number("memory") or MOST_MEMORY // MEGABYTE) * MEGABYTE
    return Explorer(request.text("engine") or "auto", jobs, tell, seconds, enough, memory)
