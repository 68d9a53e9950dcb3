"""`rulesrun check`: read and check, play nothing."""

from __future__ import annotations

from rulesrun.files.loading import read_rules
from rulesrun.report.check_text import check_json, check_text
from rulesrun.services.check import check_rules
from rulesrun.terminal.output import print_json, print_text
from rulesrun.terminal.requests import CheckRequest


def run(request: CheckRequest) -> int:
    readings = [check_rules(read_rules(name, request.variants)) for name in request.files]
    if request.json:
        print_json({"files": [check_json(reading) for reading in readings]})
    else:
        for reading in readings:
            print_text(check_text(reading, request.quiet), end="")
    return 1 if any(reading.has_errors for reading in readings) else 0
