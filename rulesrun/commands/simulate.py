"""`rulesrun simulate`: many games, and their figures with intervals."""

from __future__ import annotations

from rulesrun.files.loading import read_playable
from rulesrun.report.measure_json import measurement_json
from rulesrun.report.measure_text import measurement_lines
from rulesrun.services.measure import measure_rules
from rulesrun.terminal.output import print_json, print_report
from rulesrun.terminal.requests import SimulateRequest


def run(request: SimulateRequest) -> int:
    reading = read_playable(request.files[0], request.variants)
    found = measure_rules(reading, request)
    if request.json:
        print_json(measurement_json(found, request, request.figures == "all"))
    elif not request.quiet:
        print_report("\n".join(measurement_lines(found, request)) + "\n")
    if not found.holds:
        return 1
    return 2 if found.is_partial else 0
