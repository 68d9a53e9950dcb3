"""`rulesrun explore`: every reachable position of a small table, and what is broken in any of them."""

from __future__ import annotations

from rulesrun.files.loading import read_playable
from rulesrun.records.complaints import print_diagnostics
from rulesrun.report.explore_json import exploration_json
from rulesrun.report.explore_text import exploration_text
from rulesrun.services.explore import explore_rules
from rulesrun.terminal.output import print_json, print_report
from rulesrun.terminal.requests import ExploreRequest
from rulesrun.terminal.trouble import Unplayable


def run(request: ExploreRequest) -> int:
    reading = read_playable(request.files[0], request.variants)
    try:
        report = explore_rules(reading, request)
    except Unplayable as nothing:
        print_diagnostics(nothing.reading)
        return 1
    if request.json:
        print_json(exploration_json(report))
    elif not (request.quiet and report.holds):
        print_report(exploration_text(report))
    if not report.holds:
        return 1
    return 2 if report.is_interrupted else 0
