"""The plain form: check every file, run its examples, play games, watch its properties, one report a file."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.arguments import Request
from rulesrun.files import open_rules
from rulesrun.loading import Reading, read_files
from rulesrun.output import say, say_json
from rulesrun.reports import FileReport, report_json, report_text
from rulesrun.trouble import Unplayable


def run(request: Request) -> int:
    return report_files(request, examined)


def report_files(request: Request, examine: Callable[[Reading, Request], FileReport]) -> int:
    """Every file in turn, its report as soon as it is there; an interruption ends with what is known."""
    reports: list[FileReport] = []
    files = [open_rules(name) for name in request.files]
    variants = [open_rules(name) for name in request.variants]
    for file in files:
        report = examine(read_files(file, variants), request)
        reports.append(report)
        if not request.json:
            say(("\n" if len(reports) > 1 and not request.quiet else "") + report_text(report, request.quiet), end="")
        if report.is_partial:
            break
    is_partial = len(reports) < len(request.files) or any(report.is_partial for report in reports)
    if request.json:
        say_json(
            {
                "files": [report_json(report) for report in reports],
                "games": sum(report.games for report in reports),
                "engine": "reference",
                "seconds": round(sum(report.seconds for report in reports), 3),
                "partial": is_partial,
            }
        )
    if not all(report.holds for report in reports):
        return 1
    return 2 if is_partial else 0


def examined(reading: Reading, request: Request) -> FileReport:
    report = FileReport(reading)
    if reading.program is None:
        return report
    from rulesrun.playing import SECONDS, Clock, play_tables
    from rulesrun.tables import seat_all
    from rulesrun.worked import run_examples

    try:
        seating = seat_all(reading, request)
    except Unplayable as nothing:
        return FileReport(nothing.reading)
    try:
        run_examples(report, request)
    except KeyboardInterrupt:
        report.is_partial = True
        return report
    asked = request.number("games") is not None
    play_tables(report, seating, request, Clock(None if asked else SECONDS))
    if not report.is_partial and (report.failing or not asked):
        from rulesrun.seeking import seek

        seek(report, seating.tables, request.number("seed") or 0, is_deep=not asked)
    return report
