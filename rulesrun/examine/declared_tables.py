"""The plain form's look at the small tables that the rules declare: so many positions of each, the nearest first.

Takes a report, adds what is broken at one of them and nowhere else so far, and how far each was looked at.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from rulesrun.dsl.contents.told_pieces import PROPERTY_WORDS, property_words
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.dsl.text.source import Located, Titled
from rulesrun.examine.failure_search import NO_WAY_OUT
from rulesrun.files.excerpts import line_of, place_text, values_text
from rulesrun.files.loading import Reading
from rulesrun.interpreter.explore.breadth_first import Finding
from rulesrun.interpreter.stories.story import Story
from rulesrun.services.explore import FEW, SiteReport, explore_site, left_out, lost_small_tables
from rulesrun.services.play import effort_scale
from rulesrun.services.reports import FaultReport, FileReport, PropertyReport, SmallReport
from rulesrun.services.small_tables import make_declared_site
from rulesrun.services.stories import StoryReport
from rulesrun.terminal.output import amount_of_notes
from rulesrun.terminal.requests import ExploreRequest, RunRequest
from rulesrun.terminal.trouble import Trouble

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
