"""`rulesrun check`: read and check, play nothing. With `--watch` again and again."""

from __future__ import annotations

from rulesrun.commands.watching import run_again_and_again
from rulesrun.files.loading import read_rules
from rulesrun.report.check_text import check_json, check_text
from rulesrun.report.format_files import check_format_files, write_findings
from rulesrun.services.check import check_rules
from rulesrun.terminal.output import print_json, print_text
from rulesrun.terminal.requests import CheckRequest


def run(request: CheckRequest) -> int:
    check_format_files(request)
    if request.watch:
        return run_again_and_again(request, lambda: (_check_files(request), False))
    return _check_files(request)


def _check_files(request: CheckRequest) -> int:
    readings = [check_rules(read_rules(name, request.variants)) for name in request.files]
    if request.json:
        print_json({"files": [check_json(reading) for reading in readings]})
    elif request.printed_format is None:
        for reading in readings:
            print_text(check_text(reading, request.quiet), end="")
    if request.format:
        from rulesrun.report.formats import collect_findings_of_reading

        write_findings(request, [collect_findings_of_reading(one) for one in readings])
    return 1 if any(reading.has_errors for reading in readings) else 0
