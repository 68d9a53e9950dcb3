"""What the plain form does beyond plainly random games, in pieces for two processes. Takes a file's tables, gives each
piece's answer when it is asked for."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

from attrs import define, field

from rulesrun.examine.declared_tables import glance_at
from rulesrun.examine.failure_search import judge_lasting_by_choice
from rulesrun.examine.other_options import Tried, try_pairs, try_values
from rulesrun.files.loading import Reading
from rulesrun.interpreter.search.biased_search import SearchResult
from rulesrun.run.compiled import CompiledTables
from rulesrun.run.search_engines import as_plain, played_again, search_tables
from rulesrun.run.shared_work import SharedWork
from rulesrun.services.play import effort_scale
from rulesrun.services.reports import LastingReport, SmallReport
from rulesrun.services.tables import Seating
from rulesrun.terminal.requests import RunRequest

SEARCH, VALUES, PAIRS, SMALL, CIRCLE = "search", "values", "pairs", "small table {}", "circle"


@define(eq=False)
class FurtherWork:
    reading: Reading
    seating: Seating
    request: RunRequest
    work: SharedWork = field(init=False)

    def __attrs_post_init__(self) -> None:
        pieces: dict[str, Callable[[], Any]] = {SEARCH: self._search}
        if not self.request.settings:
            pieces[PAIRS] = lambda: try_pairs(self.reading, self.seating, self.request)
            pieces[VALUES] = lambda: try_values(self.reading, self.seating, self.request)
        assert self.reading.program is not None
        for number in range(len(self.reading.program.game.smalls)):
            pieces[SMALL.format(number)] = partial(glance_at, self.reading, self.request, number)
        pieces[CIRCLE] = partial(judge_lasting_by_choice, self.seating.tables[0])
        self.work = SharedWork(pieces)

    def begin(self) -> None:
        """In two processes, where it is of use: not on one core, nor when several files are looked at side by side."""
        if (self.request.jobs or os.cpu_count() or 1) > 1 and len(self.request.files) == 1:
            self.work.begin()

    def _search(self) -> Any:
        tables, request = self.seating.tables, self.request
        code = CompiledTables(request.engine or "auto")
        return as_plain(search_tables(tables, request.seed, effort_scale(request), code), tables)

    def searched(self) -> SearchResult:
        return played_again(self.work.result(SEARCH), self.seating.tables)

    def tried(self) -> tuple[Tried, Tried]:
        """With one option changed, and with two."""
        return self.work.result(VALUES), self.work.result(PAIRS)

    def glanced(self, number: int) -> SmallReport | None:
        """Of the small table with this number, where nothing was found there."""
        found = self.work.result(SMALL.format(number))
        assert found is None or isinstance(found, SmallReport)
        return found

    def circle(self) -> LastingReport | None:
        """Whether players may come back to where they were."""
        found = self.work.result(CIRCLE)
        assert found is None or isinstance(found, LastingReport)
        return found

    def end(self) -> None:
        self.work.end()
