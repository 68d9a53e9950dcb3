"""`rulesrun test`: the examples, and the properties in a few games; with `--coverage` what they reached."""

from __future__ import annotations

from typing import Any

from rulesrun.commands.run import report_files
from rulesrun.dsl.text.messages import message
from rulesrun.examine.examination import examined
from rulesrun.files.loading import Reading, read_files
from rulesrun.files.sources import open_rules
from rulesrun.report.report_json import report_json
from rulesrun.services.reports import FileReport, report_text
from rulesrun.terminal.output import print_json, print_report, print_text
from rulesrun.terminal.requests import TestRequest
from rulesrun.terminal.trouble import WrongUse

GAMES = 20


def run(request: TestRequest) -> int:
    if request.coverage or request.listing or request.threshold is not None or request.why is not None:
        return _report_coverage(request)
    return report_files(request.but(games=request.games or GAMES), examined)


def _report_coverage(request: TestRequest) -> int:
    """Every file in turn; the exit code is 1 when something does not hold, or a coverage is below the threshold."""
    if request.format:
        raise WrongUse(message("`--format` is not for coverage; use `--json`"))
    if request.why is not None:
        return _explain_line(request)
    variants = [open_rules(name) for name in request.variants]
    for name in request.files:
        open_rules(name)
    documents: list[dict[str, Any]] = []
    codes = []
    for name in request.files:
        tested = request.but(games=request.games or GAMES)
        report = examined(read_files(open_rules(name), variants), tested)
        codes.append(_report_file(request, report, documents))
        if report.is_partial or codes[-1] == 2:
            break
    if request.json:
        is_partial = len(codes) < len(request.files) or 2 in codes
        print_json({"files": documents, **_sum_documents(documents), "engine": "reference", "partial": is_partial})
    return 1 if 1 in codes else max(codes)


def _sum_documents(documents: list[dict[str, Any]]) -> dict[str, object]:
    """The games of reports and coverages together."""
    played = [*documents, *(document["coverage"] for document in documents if "coverage" in document)]
    seconds = sum(part["seconds"] for part in played)
    return {"games": sum(part["games"] for part in played), "seconds": round(seconds, 3)}


def _report_file(request: TestRequest, report: FileReport, documents: list[dict[str, Any]]) -> int:
    from rulesrun.report.coverage_text import coverage_json, coverage_text
    from rulesrun.services.coverage import measure_coverage

    threshold = request.threshold
    document = report_json(report)
    documents.append(document)
    if not request.json:
        print_report(report_text(report, request.quiet, request.all))
    if report.reading.program is None or report.is_partial:
        return 2 if report.is_partial and report.holds else 1
    coverage = measure_coverage(report.reading, request)
    document["coverage"] = coverage_json(coverage, threshold)
    is_enough = threshold is None or coverage.share() >= threshold
    if not request.json and not (request.quiet and is_enough):
        print_text(coverage_text(coverage, threshold, request.listing), end="")
    if not (report.holds and is_enough):
        return 1
    return 2 if coverage.is_partial else 0


def _explain_line(request: TestRequest) -> int:
    from rulesrun.files.loading import read_playable
    from rulesrun.report.coverage_text import check_line, coverage_json, line_reasons_text
    from rulesrun.services.coverage import measure_coverage

    if len(request.files) != 1:
        raise WrongUse(message("`--why` takes only one FILE"))
    reading: Reading = read_playable(request.files[0], request.variants)
    check_line(reading, request.why or "")
    coverage = measure_coverage(reading, request)
    text = line_reasons_text(coverage, request.why or "")
    if request.json:
        print_json({"file": reading.name, "why": text, "coverage": coverage_json(coverage, None)})
    else:
        print_text(text, end="")
    return 2 if coverage.is_partial else 0
