"""The plain form: check every file, run its examples, play games, watch its properties, one report a file."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.examine.examination import examined
from rulesrun.files.atomic_files import add_write_failures, check_writable
from rulesrun.files.loading import Reading
from rulesrun.files.sources import open_rules
from rulesrun.report.format_files import check_format_files, write_findings
from rulesrun.report.parallel_files import FileResult, examine_files
from rulesrun.services.reports import FileReport
from rulesrun.terminal.output import print_error, print_json, print_report
from rulesrun.terminal.progress import clock
from rulesrun.terminal.requests import RunRequest
from rulesrun.terminal.trouble import Trouble, WrongUse


def run(request: RunRequest) -> int:
    check_what_is_kept(request)
    return report_files(request, examined)


def check_what_is_kept(request: RunRequest) -> None:
    """Said before the work, not after it."""
    trace = request.trace
    if trace is not None and len(request.files) > 1:
        raise WrongUse("`--trace` goes with one FILE")
    if trace is not None:
        check_writable(trace, (*request.files, *request.variants))
    if request.save_example and "-" in request.files:
        raise Trouble("an example cannot be added to standard input; give a file")


def report_files(request: RunRequest, examine: Callable[[Reading, RunRequest], FileReport]) -> int:
    """Every file, its report as soon as those before it are there; an interruption ends with what is known."""
    for name in (*request.files, *request.variants):
        open_rules(name)
    check_format_files(request)
    reports: list[FileResult] = []
    is_for_people = not (request.json or request.quiet or request.printed_format)
    with clock(f"{len(request.files)} files", len(request.files) > 1 and is_for_people):
        for report in examine_files(request, examine):
            reports.append(report)
            add_write_failures(report.unwritten)
            if not (request.json or request.printed_format):
                print_report(("\n" if len(reports) > 1 and not request.quiet else "") + report.text)
    left = len(request.files) - len(reports)
    is_partial = left > 0 or any(report.is_partial for report in reports)
    if left:
        print_error(f"rulesrun: interrupted; of {len(request.files)} files {left} were not looked at")
    write_findings(request, [report.findings for report in reports if report.findings is not None])
    if request.json:
        print_json(
            {
                "files": [report.document for report in reports],
                "games": sum(report.games for report in reports),
                "engine": "native" if any(report.engine == "native" for report in reports) else "reference",
                "seconds": round(sum(report.seconds for report in reports), 3),
                "partial": is_partial,
            }
        )
    if not all(report.holds for report in reports):
        return 1
    return 2 if is_partial else 0
