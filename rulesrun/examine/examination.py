"""The plain form of one file: its examples, random games, the search for failures. A reading in, its report out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.files.atomic_files import postpone_write_failures
from rulesrun.files.loading import Reading
from rulesrun.run.engine_choice import with_notes
from rulesrun.services.reports import FileReport
from rulesrun.services.tables import Seating
from rulesrun.terminal.output import print_error
from rulesrun.terminal.progress import clock, stage
from rulesrun.terminal.requests import RunRequest
from rulesrun.terminal.trouble import Unplayable

if TYPE_CHECKING:
    from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
    from rulesrun.examine.further_work import FurtherWork

TOO_LONG = "too-long"


def examined(reading: Reading, request: RunRequest) -> FileReport:
    """The notes that were made on the way stand beside the other diagnostics."""
    report = looked_at(reading, request)
    report.reading = with_notes(report.reading)
    return report


def looked_at(reading: Reading, request: RunRequest) -> FileReport:
    report = FileReport(reading)
    if reading.program is None:
        return report
    from rulesrun.services.tables import seat_all

    try:
        seating = seat_all(reading, request)
    except Unplayable as nothing:
        return FileReport(nothing.reading)
    work = None if request.games is not None else begun(reading, seating, request)
    try:
        with clock(report.reading.name, not (request.json or request.quiet)):
            examine(report, seating, request, work)
    except KeyboardInterrupt:
        report.is_partial = True
    finally:
        if work is not None:
            work.end()
    if work is not None or report.failing:
        save_findings(report, request)
    return report


def begun(reading: Reading, seating: Seating, request: RunRequest) -> FurtherWork:
    from rulesrun.examine.further_work import FurtherWork

    work = FurtherWork(reading, seating, request)
    work.begin()
    return work


def examine(report: FileReport, seating: Seating, request: RunRequest, work: FurtherWork | None) -> None:
    """`work`: beyond plainly random games, where nobody says how many are to be played."""
    from rulesrun.examine.examples import run_examples
    from rulesrun.services.play import play_tables, usual_bounds

    run_examples(report, request)
    at_once = FirstWords(request)
    at_once.report_failures(report)
    play_tables(report, seating, request, usual_bounds(request), lambda: at_once.report_failures(report))
    if work is not None and not report.is_partial:
        look_further(report, seating, request, work, at_once)
    elif report.failing:
        from rulesrun.examine.failure_search import search_and_tell

        search_and_tell(report, seating.tables, request, 0)


@define(eq=False)
class FirstWords:
    """What is broken in an obvious way, told on standard error as soon as it is known; the report comes later."""

    request: RunRequest
    _told: set[str] = field(factory=set)

    def report_failures(self, report: FileReport) -> None:
        self.report_lines(first_failures(report))

    def report_lines(self, lines: Iterable[str]) -> None:
        if self.request.json or self.request.quiet or len(self.request.files) > 1:
            return
        for line in lines:
            if line not in self._told:
                self._told.add(line)
                print_error(message("rulesrun: broken: {what}", what=line))


def first_failures(report: FileReport) -> Iterator[str]:
    for example in report.examples:
        if example.is_fault:
            yield message('example "{title}" ({where})', title=example.title, where=example.where)
    for found in report.properties:
        if found.is_broken:
            yield join_messages([found.word, f' "{found.title}" (', found.where, ")"], "")
    for fault in report.faults:
        if fault.diagnostic.code != TOO_LONG:  # it may turn out to be none
            yield fault_text(fault.diagnostic)


def fault_text(diagnostic: Diagnostic) -> str:
    return join_messages([diagnostic.message, f"[{diagnostic.code}]"], " ")


def look_further(
    report: FileReport, seating: Seating, request: RunRequest, work: FurtherWork, at_once: FirstWords
) -> None:
    """What fails is told before it has a story."""
    from rulesrun.examine.declared_tables import explore_small_tables
    from rulesrun.examine.failure_search import failure_diagnostic, search_and_tell, search_leaks
    from rulesrun.examine.other_options import add_tried
    from rulesrun.interpreter.search.biased_search import SearchResult
    from rulesrun.services.play import effort_scale

    def look_at_the_rest() -> None:
        at_once.report_failures(report)
        explore_small_tables(report, request, work.glanced)
        stage(message("{name}: looking for the shortest story of each failure", name=name))

    scale, name = effort_scale(request), report.reading.name
    stage(message("{name}: looking for options that give away what is hidden", name=name))
    leaks = search_leaks(seating.tables, request.seed, scale)
    failures = (failure for game in leaks.found.values() for failure in game.failures)
    at_once.report_lines(fault_text(failure_diagnostic(failure)) for failure in failures if failure.leak is not None)
    if not request.settings and not leaks.is_interrupted:
        stage(message("{name}: trying other options, small tables and rare choices", name=name))
        add_tried(report, seating, request, *work.tried())
        at_once.report_failures(report)

    def searched() -> tuple[SearchResult, SearchResult]:
        return (SearchResult() if leaks.is_interrupted else work.searched()), leaks

    search_and_tell(report, seating.tables, request, scale, look_at_the_rest, searched, work.circle)


def save_findings(report: FileReport, request: RunRequest) -> None:
    """What was found, as examples and as a trace, when that is asked for."""
    from rulesrun.examine.saved_stories import read_saved, save_examples, save_trace

    stories = [story for story in report.stories if story.is_on_whole_table]
    if request.save_example:
        with postpone_write_failures(report.reading.name):
            report.saved = save_examples(report.reading, stories, request)
    trace = request.trace
    if trace is not None and stories:
        with postpone_write_failures(trace):
            reading = read_saved(report.reading, report.saved, request.variants)
            save_trace(trace, reading, stories[0].whole_table_story.game)
