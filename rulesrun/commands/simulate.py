"""`rulesrun simulate`: many games, and their figures with intervals."""

from __future__ import annotations

from rulesrun.files.loading import read_playable
from rulesrun.report.measure_json import document
from rulesrun.report.measure_text import lines
from rulesrun.services.measure import measure
from rulesrun.terminal.arguments import Request
from rulesrun.terminal.output import say, say_json


def run(request: Request) -> int:
    reading = read_playable(request.files[0], request.variants)
    found = measure(reading, request)
    if request.json:
        say_json(document(found, request, request.text("figures") == "all"))
    elif not request.quiet:
        say("\n".join(lines(found, request)))
    if not found.holds:
        return 1
    return 2 if found.is_partial else 0
