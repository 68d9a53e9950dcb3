"""How the parts of a page share the time that it may take."""

from __future__ import annotations

from typing import Any

import pytest

from rulesrun.commands import report
from rulesrun.examine.examination import examined
from rulesrun.files.loading import Reading, read_rules
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.pages import collecting
from rulesrun.pages.collecting import CollectedFile, assess_within, seconds_for_figures
from rulesrun.services.assess import WORK_A_SECOND
from rulesrun.terminal.requests import ReportRequest, RunRequest
from tests.games.measure import GAMES


class Planned(Exception):
    pass


def request_page(**options: Any) -> ReportRequest:
    return ReportRequest(files=("kuhn",), html="page.html", **options)


def read_kuhn() -> Reading:
    return read_rules(str(GAMES / "classics" / "kuhn.rules"))


@pytest.mark.parametrize(("options", "files"), [({"seconds": 6}, 1), ({"seconds": 6}, 3), ({}, 3)])
def test_a_file_gets_its_time(monkeypatch: pytest.MonkeyPatch, options: dict[str, int], files: int) -> None:
    """So many seconds each where they are asked for; else an equal part of what all may take."""
    now = [0.0]
    given: list[float] = []

    def collect(reading: Reading, request: ReportRequest, variants: list[Reading], until: float) -> CollectedFile:
        given.append(until - now[0])
        now[0] = until
        return CollectedFile(reading, request, examined(reading, request.as_request(RunRequest, games=1)))

    monkeypatch.setattr(report, "monotonic", lambda: now[0])
    monkeypatch.setattr(report, "collect_file", collect)
    report.collect_files([read_kuhn()] * files, request_page(**options), [])
    wanted = options.get("seconds", collecting.ALL_SECONDS / files)
    assert given == pytest.approx([wanted] * files)


@pytest.mark.parametrize(("options", "is_short"), [({}, False), ({"seconds": 20}, False), ({"games": 20}, True)])
def test_good_players_get_their_share(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, int], is_short: bool
) -> None:
    """Their work is cut where few games are asked for, not where so many seconds are."""
    works: list[float] = []

    def assess(reading: Reading, request: object, work: float, ends: float) -> None:
        works.append(work / WORK_A_SECOND)
        raise Planned

    reading = read_kuhn()
    assert reading.program is not None
    monkeypatch.setattr(collecting, "assess_rules", assess)
    monkeypatch.setattr(collecting, "monotonic", lambda: 0.0)
    with pytest.raises(Planned):
        assess_within(reading, request_page(**options), [set_up_table(reading.program, 2)], 20.0)
    assert works == [collecting.SHORT_ASSESSING if is_short else collecting.ASSESSING_SECONDS]
    assert seconds_for_figures(20.0) < 20
