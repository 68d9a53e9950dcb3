"""What does not hold in a file, and what was looked at, as plain data for other tools. Takes a Reading or a FileReport.

A finding has a code, a place and a sentence; one that a game led to has that game as steps, each at its line.
Places are in characters from 1. Files are named as seen from the folder in which the command was started.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.source import Span
from rulesrun.files.excerpts import excerpt
from rulesrun.files.loading import Reading
from rulesrun.services.reports import ExampleReport, FaultReport, FileReport, PropertyReport
from rulesrun.services.stories import StoryReport, ending_text, move_line, story_lines

BROKEN_PROPERTY, FAILED_EXAMPLE, BROKEN_BASE_EXAMPLE = "broken-property", "failed-example", "broken-base-example"


@frozen
class Place:
    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@frozen
class Step:
    """One thing that happened in a game, and the rule by which it did."""

    says: str
    place: Place | None


@frozen
class Finding:
    code: str
    level: str  # error | warning | note
    says: str
    place: Place
    excerpt: str  # the words of the rules at the place
    hint: str | None = None
    related: tuple[Step, ...] = ()
    story: tuple[Step, ...] = ()
    details: tuple[str, ...] = ()  # lines: what the values were, how to see it again
    number: int = 0  # of findings that are alike, the first is 0

    @property
    def fingerprint(self) -> str:
        """The same however many lines are added above it."""
        parts = (self.code, self.place.file, " ".join(self.excerpt.split()), str(self.number))
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


@frozen
class Case:
    """Something that was looked at: whether the file can be read, an example, a property, the games."""

    kind: str  # check | example | property | games
    name: str
    line: int
    verdict: str  # passed | failed | skipped
    says: str = ""  # why it failed, or was left out
    details: tuple[str, ...] = ()


@frozen
class FileFindings:
    file: str
    title: str
    findings: tuple[Finding, ...]
    cases: tuple[Case, ...]
    seconds: float = 0.0


def collect_findings_of_reading(reading: Reading) -> FileFindings:
    """What the checker has to say."""
    findings = tuple(_make_diagnostic_finding(found, reading) for found in reading.diagnostics)
    return FileFindings(name_file(reading.name), reading.title, _number_alike(findings), (_make_check_case(findings),))


def collect_findings_of_report(report: FileReport) -> FileFindings:
    """All of it: diagnostics, examples, properties, and what games came to."""
    read = collect_findings_of_reading(report.reading)
    examples = [_judge_example(report, example) for example in report.examples]
    properties = [_judge_property(report, found) for found in report.properties]
    games = [_judge_fault(report, fault) for fault in report.faults]
    judged = [*examples, *properties, *games]
    cases = [case for case, _ in judged]
    if report.tables and not games:
        cases.append(Case("games", f"{report.games} games", 1, "passed"))
    findings = (*read.findings, *(finding for _, finding in judged if finding is not None))
    return evolve(
        read, findings=_number_alike(findings), cases=(*read.cases, *cases), seconds=round(report.seconds, 3)
    )


def name_file(name: str) -> str:
    """As seen from here, with slashes; what lies elsewhere by its whole path. A bundled rulebook keeps its name."""
    if name == "-" or not os.path.exists(name):
        return name
    inside = os.path.relpath(name)
    return (os.path.abspath(name) if inside.startswith(os.pardir + os.sep) else inside).replace(os.sep, "/")


def locate_span(span: Span, reading: Reading) -> Place:
    source = reading.sources.get(span.file)
    if source is None:
        return Place(name_file(span.file), 1, 1, 1, 1)
    line, column = source.line_and_column(min(span.start, len(source.text)))
    end_line, end_column = source.line_and_column(min(max(span.end, span.start), len(source.text)))
    return Place(name_file(span.file), line, column, end_line, end_column)


def _number_alike(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Two findings with the same words in the same file stay two."""
    seen: Counter[str] = Counter()
    numbered = []
    for finding in findings:
        numbered.append(evolve(finding, number=seen[finding.fingerprint]))
        seen[finding.fingerprint] += 1
    return tuple(numbered)


def _make_diagnostic_finding(found: Diagnostic, reading: Reading) -> Finding:
    return Finding(
        found.code, found.severity, found.message, locate_span(found.span, reading),
        excerpt(found.span, reading.sources), found.hint,
        tuple(Step(other.message, locate_span(other.span, reading)) for other in found.related),
    )  # fmt: skip


def _make_check_case(findings: tuple[Finding, ...]) -> Case:
    told = tuple(_tell_in_a_line(finding) for finding in findings)
    errors = sum(finding.level == "error" for finding in findings)
    if not errors:
        return Case("check", "check", 1, "passed", details=told)
    first = next(finding for finding in findings if finding.level == "error")
    return Case("check", "check", first.place.line, "failed", first.says, told)


def _tell_in_a_line(finding: Finding) -> str:
    place = finding.place
    hint = f" (hint: {finding.hint})" if finding.hint else ""
    return f"{place.file}:{place.line}:{place.column}: {finding.level}[{finding.code}]: {finding.says}{hint}"


# ---- examples, properties, games


def _judge_example(report: FileReport, example: ExampleReport) -> tuple[Case, Finding | None]:
    case = Case("example", example.title, example.line, "passed")
    if example.verdict == "todo":
        return evolve(case, verdict="skipped", says="to do"), None
    if example.verdict != "failed":
        return case, None
    found = example.diagnostic
    says = f'example "{example.title}" fails' + (f": {found.message}" if found is not None else "")
    details = (*example.values, *example.notes, *_repeat_lines(example.repeat))
    span = found.span if found is not None else _find_example(report.reading, example.title)
    finding = Finding(
        BROKEN_BASE_EXAMPLE if example.is_base else FAILED_EXAMPLE, "error", says, locate_span(span, report.reading),
        f'example "{example.title}"', found.hint if found is not None else None, details=details,
    )  # fmt: skip
    return evolve(case, verdict="failed", says=says, details=details), finding


def _judge_property(report: FileReport, found: PropertyReport) -> tuple[Case, Finding | None]:
    name = f'{found.word} "{found.title}"'
    case = Case("property", name, found.line, "passed")
    if found.is_broken:
        story = next((one for one in report.stories if one.story.failure.title == found.title), None)
        says = f"{name} {_tell_how_often(report, found)}"
        details = (*found.values, *_repeat_lines(found.repeat))
        finding = Finding(
            BROKEN_PROPERTY, "error", says, locate_span(_find_property(report, found, story), report.reading), name,
            story=_tell_steps(story) if story is not None else (), details=details,
        )  # fmt: skip
        return evolve(case, verdict="failed", says=says, details=(*details, *_story_details(report, story))), finding
    if found.can_happen and report.tables and not found.games and not found.searched:
        return evolve(case, verdict="skipped", says=f"met in none of {report.games} games"), None
    if found.verdict == "not known yet":
        return evolve(case, verdict="skipped", says="not known yet"), None
    return case, None


def _judge_fault(report: FileReport, fault: FaultReport) -> tuple[Case, Finding]:
    found = fault.diagnostic
    story = next((one for one in report.stories if _is_story_of(one, found)), None)
    finding = _make_diagnostic_finding(found, report.reading)
    often = f"in {fault.games} of {report.games} games" if fault.games else fault.found_on or "in a searched game"
    details = (often, *_repeat_lines(fault.repeat))
    told = (*details, *_story_details(report, story))
    case = Case("games", found.code, finding.place.line, "failed", found.message, told)
    return case, evolve(finding, story=_tell_steps(story) if story is not None else (), details=details)


def _is_story_of(story: StoryReport, found: Diagnostic) -> bool:
    kind = story.story.failure.kind
    return (kind.name, kind.file, kind.start) == (found.code, found.span.file, found.span.start)


def _tell_how_often(report: FileReport, found: PropertyReport) -> str:
    if found.share is not None:
        return f"does not hold: so it was in {found.games} of {found.finished} games"
    if found.games:
        return f"does not hold in {found.games} of {report.games} games"
    return f"does not hold {found.found_on or 'in a game that was searched for'}"


def _repeat_lines(repeat: str) -> tuple[str, ...]:
    return (f"again: {repeat}",) if repeat else ()


def _story_details(report: FileReport, story: StoryReport | None) -> tuple[str, ...]:
    return tuple(story_lines(story, report.stories.index(story) + 1)) if story is not None else ()


def _find_example(reading: Reading, title: str) -> Span:
    pieces = (one for one in (reading.game.examples if reading.game else ()) if one.title == title)
    return next((_first_line(one.span, reading) for one in pieces), Span(reading.name, 0, 0))


def _find_property(report: FileReport, found: PropertyReport, story: StoryReport | None) -> Span:
    """Where it is written; of what holds without being written, where it broke."""
    reading = report.reading
    pieces = (one for one in (reading.game.properties if reading.game else ()) if one.title == found.title)
    unwritten = story.story.failure.span if story is not None else Span(reading.name, 0, 0)
    return next((_first_line(one.span, reading) for one in pieces), unwritten)


def _first_line(span: Span, reading: Reading) -> Span:
    """What begins a piece, not all that stands below it."""
    source = reading.sources.get(span.file)
    end = source.text.find("\n", span.start, span.end) if source is not None else -1
    return span if end < 0 else evolve(span, end=end)


# ---- a game as steps


def _tell_steps(report: StoryReport) -> tuple[Step, ...]:
    """The table at the first choice, every move at its action, what came of it."""
    return tuple(_list_steps(report))


def _list_steps(report: StoryReport) -> Iterator[Step]:
    story, reading = report.story, report.reading
    setups = reading.game.setups if reading.game is not None else []
    start = next((locate_span(_first_line(one.span, reading), reading) for one in setups), None)
    on = f" on {report.site.name}" if report.site is not None else ""
    yield Step(f"{story.game.table.players} players{on}: {'; '.join(story.deal) or 'the game begins'}", start)
    for number, move in enumerate(story.moves, 1):
        changes = f": {'; '.join(move.changes)}" if move.changes else ""
        says = f"{number}. {move_line(move)}{changes}"
        yield Step(says, _locate_action(move.option.action, reading))
    for span in story.fault_lines[:1]:
        yield Step(excerpt(span, reading.sources), locate_span(span, reading))
    yield Step(f"then {ending_text(story)}", locate_span(_first_line(story.failure.span, reading), reading))


def _locate_action(name: str, reading: Reading) -> Place | None:
    actions = (one for one in (reading.game.actions if reading.game else ()) if one.name.text == name)
    return next((locate_span(one.name.span, reading) for one in actions), None)
