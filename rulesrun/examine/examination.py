"""The plain form of one file: its examples, random games, the search for failures. A reading in, its report out."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from rulesrun.dsl.contents.told_pieces import PROPERTY_WORDS, property_words
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.dsl.text.source import Located, Titled
from rulesrun.examine.failure_search import NO_WAY_OUT, judge_lasting_by_choice
from rulesrun.examine.other_options import Tried, try_pairs, try_values
from rulesrun.files.atomic_files import postpone_write_failures
from rulesrun.files.excerpts import line_of, place_text, values_text
from rulesrun.files.loading import Reading
from rulesrun.interpreter.examples.examples import ExampleResult, ExampleRunner
from rulesrun.interpreter.explore.breadth_first import Finding
from rulesrun.interpreter.search.biased_search import SearchResult
from rulesrun.interpreter.stories.story import Story
from rulesrun.run.compiled import CompiledTables
from rulesrun.run.engine_choice import with_notes
from rulesrun.run.search_engines import as_plain, played_again, search_tables
from rulesrun.run.shared_work import SharedWork
from rulesrun.services.explore import FEW, SiteReport, explore_site, left_out, lost_small_tables
from rulesrun.services.play import effort_scale
from rulesrun.services.reports import ExampleReport, FaultReport, FileReport, LastingReport, PropertyReport, SmallReport
from rulesrun.services.small_tables import make_declared_site
from rulesrun.services.stories import StoryReport
from rulesrun.services.tables import Seating
from rulesrun.terminal.output import amount_of_notes, print_error
from rulesrun.terminal.progress import clock, stage
from rulesrun.terminal.requests import ExploreRequest, Request, RunRequest
from rulesrun.terminal.trouble import Trouble, Unplayable

if TYPE_CHECKING:
    from rulesrun.dsl.diagnostics.diagnostic import Diagnostic

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
    from rulesrun.examine.examination import FurtherWork

    work = FurtherWork(reading, seating, request)
    work.begin()
    return work


def examine(report: FileReport, seating: Seating, request: RunRequest, work: FurtherWork | None) -> None:
    """`work`: beyond plainly random games, where nobody says how many are to be played."""
    from rulesrun.examine.examination import run_examples
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
    from rulesrun.examine.examination import explore_small_tables
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


# ---- declared tables
# The plain form's look at the small tables that the rules declare: so many positions of each, the nearest first.
#
# Takes a report, adds what is broken at one of them and nowhere else so far, and how far each was looked at.


POSITIONS = 20_000  # of each table
SECONDS = 3.0  # of work, for each, whatever was looked at by then


def glance_at(reading: Reading, request: RunRequest, number: int) -> SmallReport | None:
    """None where anything was found, or noted: that has stories, which whoever tells them looks for again."""
    assert reading.program is not None
    report, noted = FileReport(reading), amount_of_notes()
    try:
        look_at_small_table(report, request, reading.program.game.smalls[number])
    except KeyboardInterrupt:
        return None
    is_quiet = not (report.stories or report.faults or report.properties) and amount_of_notes() == noted
    return report.small[0] if report.small and is_quiet else None


def explore_small_tables(
    report: FileReport, request: RunRequest, glanced: Callable[[int], SmallReport | None] = lambda number: None
) -> None:
    """`glanced`: what is known of the small table with this number, where nothing was found."""
    program = report.reading.program
    assert program is not None
    report.small_left = lost_small_tables(report.reading, program.game.smalls)
    for number, small in enumerate(program.game.smalls):
        known = glanced(number)
        if known is not None:
            report.small.append(known)
        else:
            look_at_small_table(report, request, small)


def look_at_small_table(report: FileReport, request: RunRequest, small: Titled) -> None:
    quiet, scale = request.as_request(ExploreRequest, quiet=True), effort_scale(request)
    try:
        site = make_declared_site(report.reading, small, quiet)
    except Trouble as reason:
        report.small_left.append(left_out(small, reason))
        return
    found = explore_site(site, quiet, int(POSITIONS * scale), FEW, SECONDS * max(scale, 1), proves=False)
    add_findings(report, small, found)
    if found.is_interrupted:
        raise KeyboardInterrupt


def add_findings(report: FileReport, small: Titled, found: SiteReport) -> None:
    """A small table of the base may not fit what a variant changes: properties that are broken there say nothing of the
    variant. That somebody gets stuck does."""
    known = len(report.stories)
    for finding, story in found.stories:
        if finding is None:
            add_trap(report, found, story)
        elif finding.kind == "fault":
            diagnostic = Diagnostic(finding.title, finding.message, finding.span, None, "error")
            add_fault(report, found, diagnostic, story)
        elif found.site.is_own:
            add_property(report, found, finding, story)
    broken = len(found.found.findings) + bool(found.trapped)
    said = SmallReport(
        small.title, node_place(report, small), found.found.size, found.found.is_complete, broken,
        len(report.stories) - known, tuple(one.name for one in found.nevers if one.kind == "action"),
    )
    report.small.append(said)


def node_place(report: FileReport, node: Located) -> str:
    return place_text(node.span, report.reading.name, report.reading.sources)


def add_fault(report: FileReport, found: SiteReport, diagnostic: Diagnostic, story: Story | None) -> None:
    if any(one.is_same(diagnostic) for one in report.faults):
        return
    again = f"rulesrun explore {report.reading.name}"
    report.faults.append(FaultReport(diagnostic, 0, again, message("on {table}", table=found.site.name)))
    add_story(report, found, join_messages([diagnostic.message, f"[{diagnostic.code}]"], " "), story)


def add_trap(report: FileReport, found: SiteReport, story: Story | None) -> None:
    diagnostic = story.failure.diagnostic if story is not None else None
    if diagnostic is not None and not any(one.diagnostic.code == NO_WAY_OUT for one in report.faults):
        add_fault(report, found, evolve(diagnostic, severity="error"), story)


def add_property(report: FileReport, found: SiteReport, finding: Finding, story: Story | None) -> None:
    """It may be one that the small table alone declares."""
    if any(one.title == finding.title and one.is_broken for one in report.properties):
        return
    sources, name = report.reading.sources, report.reading.name
    word = property_word_of(found, finding)
    entry = next((one for one in report.properties if one.title == finding.title and not one.can_happen), None)
    if entry is None:
        line, place = line_of(finding.span, sources), place_text(finding.span, name, sources)
        entry = PropertyReport(word, finding.title, line, place)
        report.properties.append(entry)
    entry.searched, entry.players = 1, found.site.table.players
    entry.found_on = message("on {table}", table=found.site.name)
    entry.values, entry.repeat = values_text(finding.values, sources), f"rulesrun explore {name}"
    add_story(report, found, join_messages([word, f'"{finding.title}"'], " "), story)


def property_word_of(found: SiteReport, finding: Finding) -> str:
    titled = (one for one in found.site.table.program.game.properties if one.title == finding.title)
    return next((property_words(one) for one in titled), PROPERTY_WORDS["always"])


def add_story(report: FileReport, found: SiteReport, what: str, story: Story | None) -> None:
    if story is not None:
        report.stories.append(StoryReport(what, story, report.reading, True, site=found.site))


# ---- examples
# The worked examples of one file, run; their part of the report.


def run_examples(report: FileReport, request: Request) -> None:
    """Examples hold for the options as the rules have them and as they say themselves, whatever `--set` says."""
    assert report.reading.program is not None
    words = ["rulesrun", "test", report.reading.name, *(word for name in request.variants for word in ("--with", name))]
    for result in ExampleRunner(report.reading.program).run_all():
        report.examples.append(example_report(report.reading, result, shlex.join(words)))


def example_report(reading: Reading, result: ExampleResult, repeat: str) -> ExampleReport:
    span = result.example.span
    line, place = line_of(span, reading.sources), place_text(span, reading.name, reading.sources)
    if result.verdict in ("passed", "todo"):
        return ExampleReport(result.example.title, result.verdict, line, place)
    values = values_text(result.values, reading.sources)
    return ExampleReport(
        result.example.title, "failed", line, place, result.diagnostic, values, repeat, result.notes, result.failing,
        span.file != reading.chain[-1].source.file,
    )


# ---- further work
# What the plain form does beyond plainly random games, in pieces for two processes. Takes a file's tables, gives each
# piece's answer when it is asked for.


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
