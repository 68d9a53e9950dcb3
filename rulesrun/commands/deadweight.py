"""`rulesrun deadweight`: for each rule, exception and option, what changes without it."""

from __future__ import annotations

from rulesrun.files.loading import read_playable
from rulesrun.report.deadweight_text import lines, weighing_json
from rulesrun.services.deadweight import jobs_of, weigh
from rulesrun.services.measure import crew_of
from rulesrun.terminal.arguments import Request
from rulesrun.terminal.output import say, say_json


def run(request: Request) -> int:
    reading = read_playable(request.files[0], request.variants)
    with crew_of(request, jobs_of(request)) as crew:
        found = weigh(reading, request, crew)
    if request.json:
        say_json(weighing_json(found, request))
    elif not request.quiet:
        say("\n".join(lines(found, request)))
    return 2 if found.is_partial else 0
