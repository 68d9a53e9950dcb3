"""Which engine goes through the positions of a table: the reference, or machine code when it is asked for or pays.

Either gives the same numbers and findings. `auto` lets the reference look at some first; when there are more, machine
code goes through all of them, and is believed when it says the same of those that both have looked at.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from attrs import frozen

from rulesrun.arguments import Request
from rulesrun.code_cache import CodeCache, folder
from rulesrun.engines import MISSING, is_installed
from rulesrun.interpreter.exploring.breadth import Explored, explore
from rulesrun.interpreter.exploring.endings import Ends, ends
from rulesrun.interpreter.exploring.relabelling import Group
from rulesrun.interpreter.table import Table
from rulesrun.trouble import Trouble

FIRST = 3_000  # positions that the reference looks at sooner than anything is compiled
MOST_JOBS = 16

Tell = Callable[[int], None]


@frozen(eq=False)
class Explorer:
    """What was asked for: the engine, the number of threads, a line of progress."""

    engine: str
    jobs: int
    tell: Tell | None = None

    def explored(
        self, table: Table, limit: int, group: Group | None, seconds: float | None = None
    ) -> tuple[Explored, Ends]:
        """Seats are merged only where nothing is at fault, and where they are dealt to one after the other only where
        all comes to an end: else it begins again without."""
        found, told_ends = self.once(table, limit, group, seconds)
        if group is None or group.unless_fault is None or found.stopped == "interrupted":
            return found, told_ends
        is_faulty = any(one.kind == "fault" for one in found.findings)
        if is_faulty or (group.merges_deals and (told_ends.trapped or told_ends.circle is not None)):
            return self.once(table, limit, group.unless_fault, seconds)
        return found, told_ends

    def once(
        self, table: Table, limit: int, group: Group | None, seconds: float | None
    ) -> tuple[Explored, Ends]:
        found = None
        if self.engine == "auto" and is_installed():
            found = explore(table, min(limit, FIRST), group=group, seconds=seconds, tell=self.tell)
            if found.stopped != "limit" or limit <= FIRST:
                return found, ends(found)
        if self.engine == "reference" or not is_installed():
            if self.engine == "native":
                raise Trouble(f"`--engine native` cannot explore this: {MISSING}")
            found = explore(table, limit, group=group, seconds=seconds, tell=self.tell)
            return found, ends(found)
        return self.natively(table, limit, group, seconds, found)

    def natively(
        self, table: Table, limit: int, group: Group | None, seconds: float | None, known: Explored | None
    ) -> tuple[Explored, Ends]:
        from rulesrun.interpreter.native.exploring import natively
        from rulesrun.interpreter.native.exploring_code import exploring_code
        from rulesrun.interpreter.native.exploring_ends import native_ends
        from rulesrun.interpreter.native.exploring_telling import Disagree
        from rulesrun.interpreter.native.form import CannotCompile

        cache = CodeCache(folder())
        try:
            engine = natively(exploring_code(table, cache), self.jobs)
            found = explore(table, limit, group=group, seconds=seconds, tell=self.tell, engine=engine)
            if known is None or is_beginning(known, found):
                return found, native_ends(found, cache)
        except CannotCompile as reason:
            if self.engine == "native":
                raise Trouble(f"`--engine native` cannot explore this: {reason}") from reason
        except Disagree as reason:
            if self.engine == "native":
                raise Trouble(f"`--engine native` leaves this to the reference: {reason}") from reason
        found = explore(table, limit, group=group, seconds=seconds, tell=self.tell)
        return found, ends(found)


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


def explorer(request: Request, tell: Tell | None = None) -> Explorer:
    jobs = request.number("jobs") or min(os.cpu_count() or 1, MOST_JOBS)
    return Explorer(request.text("engine") or "auto", jobs, tell)
