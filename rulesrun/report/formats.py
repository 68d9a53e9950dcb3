"""Findings as other tools read them: SARIF for code scanning, JUnit for test reports, annotations for GitHub."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from urllib.parse import quote
from xml.etree import ElementTree

import rulesrun
from rulesrun.dsl.explain import read_page
from rulesrun.report.findings import (
    BROKEN_BASE_EXAMPLE,
    BROKEN_PROPERTY,
    Case,
    FileFindings,
    Finding,
    Place,
    Step,
)

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
