"""The random search of one file in a thread of its own, while the rest of the report is worked out on another core.

Machine code is made and runs without holding up Python; so two cores are of use. What is found is the same as without.
The thread has tables of its own: nothing that plays is shared.
"""

from __future__ import annotations

import os
from threading import Thread

from attrs import define, field

from rulesrun.arguments import Request
from rulesrun.interpreter.searching.search import Search
from rulesrun.interpreter.table import Table, set_up
from rulesrun.lean_code import LeanCode
from rulesrun.searched import Stop, searched


@define(eq=False)
class SearchAhead:
    tables: tuple[Table, ...]
    seed: int
    patience: float
    code: LeanCode
    stop: Stop = field(factory=Stop)
    _thread: Thread = field(init=False)
    _found: Search | None = field(init=False, default=None)
    _problem: BaseException | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self._thread = Thread(target=self._search, daemon=True)
        self._thread.start()

    def _search(self) -> None:
        try:
            self._found = searched(self.tables, self.seed, self.patience, self.code, self.stop)
        except BaseException as problem:  # comes again where the result is asked for
            self._problem = problem

    def result(self) -> Search:
        while self._thread.is_alive():
            self._thread.join(0.1)  # Ctrl-C comes in between
        if self._problem is not None:
            raise self._problem
        assert self._found is not None
        return self._found

    def end(self) -> None:
        """Nobody waits for it any more."""
        self.stop.is_asked = True


def begun_ahead(tables: tuple[Table, ...], request: Request, patience: float) -> SearchAhead | None:
    """None where it would be of no use: one core, several files side by side, no machine code."""
    code = LeanCode(request.text("engine") or "auto")
    jobs = request.number("jobs") or os.cpu_count() or 1
    if jobs < 2 or len(request.files) > 1 or not code.is_possible:
        return None
    own = tuple(set_up(table.program, table.players, table.options) for table in tables)
    return SearchAhead(own, request.number("seed") or 0, patience, code)
