"""The plain form: check every file, run its examples, play games, watch its properties, one report a file."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.commands.watching import run_again_and_again
from rulesrun.dsl.text.messages import message
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
    if request.watch:
        return run_again_and_again(request, lambda: report_files_once(request, examined))
    return report_files(request, examined)


def check_what_is_kept(request: RunRequest) -> None:
    """Said before the work, not after it."""
    trace = request.trace
    if trace is not None and len(request.files) > 1:
        raise WrongUse(message("`--trace` takes only one FILE"))
    if trace is not None:
        check_writable(trace, (*request.files, *request.variants))
    if request.save_example and "-" in request.files:
        raise Trouble(message("an example cannot be added to standard input; give a file"))
    if request.watch and (request.save_example or trace is not None):
        raise WrongUse(message(
            "`--watch` cannot be used with `--save-example` or `--trace`: each run would write again"
        ))


def report_files(request: RunRequest, examine: Callable[[Reading, RunRequest], FileReport]) -> int:
    return report_files_once(request, examine)[0]


def report_files_once(request: RunRequest, examine: Callable[[Reading, RunRequest], FileReport]) -> tuple[int, bool]:
    """Every file, its report as soon as those before it are there; an interruption ends with what is known. Gives the
    exit code, and whether the run was interrupted."""
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
        print_error(
            message(
                "rulesrun: interrupted; {left} of {files} files were not checked", files=len(request.files), left=left
            )
        )
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
    code = 2 if is_partial else 0
    return (code if all(report.holds for report in reports) else 1), is_partial
