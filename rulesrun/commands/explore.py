"""`rulesrun explore`: every reachable position of a small table, and what is broken in any of them."""

from __future__ import annotations

from rulesrun.files.loading import read_playable
from rulesrun.records.complaints import complain_about
from rulesrun.report.explore_json import exploration_json
from rulesrun.report.explore_text import exploration_text
from rulesrun.services.explore import explored
from rulesrun.terminal.arguments import Request
from rulesrun.terminal.output import say, say_json
from rulesrun.terminal.trouble import Unplayable


def run(request: Request) -> int:
    reading = read_playable(request.files[0], request.variants)
    try:
        report = explored(reading, request)
    except Unplayable as nothing:
        complain_about(nothing.reading)
        return 1
    if request.json:
        say_json(exploration_json(report))
    elif not (request.quiet and report.holds):
        say(exploration_text(report), end="")
    if not report.holds:
        return 1
    return 2 if report.is_interrupted else 0
