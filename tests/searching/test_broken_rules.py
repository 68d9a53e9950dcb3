"""Thirty broken house rules: in each the plain form finds what its first lines say, within 30 seconds."""

from __future__ import annotations

import re
from pathlib import Path
from time import process_time

import pytest

from rulesrun.examine.examination import examined
from rulesrun.files.loading import read_rules
from rulesrun.services.reports import FileReport
from rulesrun.terminal.requests import RunRequest

FOLDER = Path(__file__).parents[1] / "broken"
FILES = sorted(FOLDER.glob("*.rules"))
QUICK = {"a08", "a09", "a10", "b08", "b09", "b10", "c01", "c03", "c08", "c09"}
SECONDS = 30


def parameters() -> list[object]:
    return [
        pytest.param(path, id=path.stem, marks=[] if path.stem[:3] in QUICK else [pytest.mark.long]) for path in FILES
    ]


def found_in(report: FileReport) -> set[str]:
    """Broken properties by title, faults and errors by code."""
    complaints = [one for one in report.reading.diagnostics if one.severity == "error"]
    return {
        *(f'broken "{one.title}"' for one in report.properties if one.is_broken),
        *(f"fault {one.diagnostic.code}" for one in report.faults),
        *(f"fault {one.code}" for one in complaints),
    }


@pytest.mark.parametrize("path", parameters())
def test_what_is_broken_is_found(path: Path) -> None:
    text = path.read_text("utf-8")
    expected = re.search(r"^# must find: (.*)$", text, re.MULTILINE)
    assert expected is not None
    began = process_time()
    report = examined(read_rules(str(path)), RunRequest(files=(str(path),)))
    assert process_time() - began < SECONDS
    assert not report.holds
    assert expected.group(1) in found_in(report)
    code = expected.group(1).removeprefix("fault ")
    assert report.reading.program is None or any(code.removeprefix("broken ") in story.what for story in report.stories)


def test_there_are_ten_of_each_kind() -> None:
    assert [sum(path.stem[0] == kind for path in FILES) for kind in "abc"] == [10, 10, 10]


@pytest.mark.parametrize("name", ["classics/kuhn", "classics/tic_tac_toe", "hourglass"])
def test_no_false_alarm(name: str) -> None:
    report = examined(read_rules(name), RunRequest(files=(name,)))
    assert report.holds, found_in(report)
