"""Findings as other tools read them: SARIF for code scanning, JUnit for test reports, annotations for GitHub."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from urllib.parse import quote
from xml.etree import ElementTree

from attrs import evolve, frozen

import rulesrun
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.explain import read_page
from rulesrun.dsl.text.source import Span
from rulesrun.files.excerpts import excerpt
from rulesrun.files.loading import Reading
from rulesrun.services.reports import ExampleReport, FaultReport, FileReport, PropertyReport
from rulesrun.services.stories import StoryReport, ending_text, move_line, story_lines

# ---- findings
# What does not hold in a file, and what was looked at, as plain data for other tools. Takes a Reading or a FileReport.
#
# A finding has a code, a place and a sentence; one that a game led to has that game as steps, each at its line.
# Places are in characters from 1. Files are named as seen from the folder in which the command was started.


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


# ---- formats


SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
HOME = "https://pypi.org/project/rulesrun/"
NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# Findings of games, which no page of the catalogue explains.
MEANINGS: Mapping[str, str] = {
    BROKEN_PROPERTY: "A property of the rules does not hold in a game that the rules allow.",
    BROKEN_BASE_EXAMPLE: "An example of the base does not hold under this variant, and the variant does not say so.",
}


def write_format(name: str, files: Sequence[FileFindings]) -> str:
    return FORMATS[name](files)


# ---- SARIF


def write_sarif(files: Sequence[FileFindings]) -> str:
    """Version 2.1.0. Files are named from the folder of the start; the document does not say which folder it was."""
    findings = [finding for file in files for finding in file.findings]
    codes = sorted({finding.code for finding in findings})
    driver = {
        "name": "rulesrun",
        "version": rulesrun.__version__,
        "semanticVersion": rulesrun.__version__,
        "informationUri": HOME,
        "rules": [_make_rule(code) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The folder in which rulesrun was started."}}},
        "results": [_make_result(finding, codes) for finding in findings],
    }
    document = {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _make_rule(code: str) -> dict[str, object]:
    page = read_page(code)
    meaning = page.says if page is not None else MEANINGS.get(code, code)
    first = meaning.replace("\n", " ").partition(". ")[0].rstrip(".") + "."
    text = page.format_page() if page is not None else meaning
    markdown = meaning
    if page is not None:
        markdown += f"\n\nWrong:\n\n```\n{page.wrong}```\n\nRight:\n\n```\n{page.right}```\n"
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in code.split("-")),
        "shortDescription": {"text": first},
        "fullDescription": {"text": meaning},
        "help": {"text": text, "markdown": markdown},
    }


def _make_result(finding: Finding, codes: Sequence[str]) -> dict[str, object]:
    says = "\n".join([_end_sentence(finding.says), *finding.details])
    if finding.hint:
        says += f"\nHint: {finding.hint}"
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.level,
        "message": {"text": says},
        "locations": [{"physicalLocation": _make_location(finding.place)}],
        "partialFingerprints": {"rulesrunFinding/v1": finding.fingerprint},
    }
    if finding.related:
        result["relatedLocations"] = [_make_step(step, number) for number, step in enumerate(finding.related, 1)]
    if finding.story:
        steps = [{"location": _make_step(step), "executionOrder": at} for at, step in enumerate(finding.story, 1)]
        result["codeFlows"] = [
            {"message": {"text": "A game in which it happens."}, "threadFlows": [{"locations": steps}]}
        ]
    return result


def _make_step(step: Step, number: int | None = None) -> dict[str, object]:
    location: dict[str, object] = {} if number is None else {"id": number}
    if step.place is not None:
        location["physicalLocation"] = _make_location(step.place)
    return {**location, "message": {"text": step.says}}


def _make_location(place: Place) -> dict[str, object]:
    region = {
        "startLine": place.line, "startColumn": place.column,
        "endLine": place.end_line, "endColumn": place.end_column,
    }  # fmt: skip
    return {"artifactLocation": _make_uri(place.file), "region": region}


def _make_uri(file: str) -> dict[str, object]:
    path = PurePath(file)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(file), "uriBaseId": "%SRCROOT%"}


def _end_sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


# ---- JUnit


def write_junit(files: Sequence[FileFindings]) -> str:
    """A suite a file; a case for reading it, for each example and property, and for the games."""
    cases = [case for file in files for case in file.cases]
    root = ElementTree.Element("testsuites", {"name": "rulesrun", **_count_cases(cases)})
    root.set("time", f"{sum(file.seconds for file in files):.3f}")
    for file in files:
        numbers = _count_cases(file.cases) | {"time": f"{file.seconds:.3f}"}
        suite = ElementTree.SubElement(root, "testsuite", {"name": _in_xml(file.file), **numbers})
        for case in file.cases:
            _add_case(suite, file, case)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _count_cases(cases: Sequence[Case]) -> dict[str, str]:
    verdicts = [case.verdict for case in cases]
    return {
        "tests": str(len(cases)), "failures": str(verdicts.count("failed")), "errors": "0",
        "skipped": str(verdicts.count("skipped")),
    }  # fmt: skip


def _add_case(suite: ElementTree.Element, file: FileFindings, case: Case) -> None:
    name = f'example "{case.name}"' if case.kind == "example" else case.name
    added = ElementTree.SubElement(
        suite, "testcase", name=_in_xml(name), classname=_in_xml(file.file), file=_in_xml(file.file),
        line=str(case.line), time="0.000",
    )  # fmt: skip
    details = _in_xml("\n".join(case.details))
    if case.verdict == "failed":
        failure = ElementTree.SubElement(added, "failure", message=_in_xml(case.says), type=case.kind)
        failure.text = details
    elif case.verdict == "skipped":
        ElementTree.SubElement(added, "skipped", message=_in_xml(case.says))
    elif details:
        ElementTree.SubElement(added, "system-out").text = details


def _in_xml(text: str) -> str:
    return NOT_IN_XML.sub("\ufffd", text)


# ---- GitHub


def write_annotations(files: Sequence[FileFindings]) -> str:
    """A line a finding, which a job of GitHub shows at its place: `::error file=…,line=…::…`."""
    return "".join(_make_annotation(finding) for file in files for finding in file.findings)


def _make_annotation(finding: Finding) -> str:
    place = finding.place
    level = {"error": "error", "warning": "warning"}.get(finding.level, "notice")
    at = {"file": place.file, "line": place.line, "endLine": place.end_line}
    if place.end_line == place.line:  # columns of several lines mean nothing there
        at |= {"col": place.column, "endColumn": place.end_column}
    at["title"] = f"rulesrun {finding.code}"
    told = "\n".join([finding.says, *finding.details, *(step.says for step in finding.story)])
    if finding.hint:
        told += f"\nhint: {finding.hint}"
    properties = ",".join(f"{name}={_escape_property(str(value))}" for name, value in at.items())
    return f"::{level} {properties}::{_escape_message(told)}\n"


def _escape_message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_message(text).replace(":", "%3A").replace(",", "%2C")


FORMATS: Mapping[str, Callable[[Sequence[FileFindings]], str]] = {
    "sarif": write_sarif,
    "junit": write_junit,
    "github": write_annotations,
}
