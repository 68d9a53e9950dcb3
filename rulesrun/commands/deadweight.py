"""`rulesrun deadweight`: for each rule, exception and option, what changes without it."""

from __future__ import annotations

from rulesrun.arguments import Request
from rulesrun.deadweight import jobs_of, weigh
from rulesrun.deadweight_text import lines, weighing_json
from rulesrun.loading import read_playable
from rulesrun.measuring import crew_of
from rulesrun.output import say, say_json


def run(request: Request) -> int:
    reading = read_playable(request.files[0], request.variants)
    with crew_of(request, jobs_of(request)) as crew:
        found = weigh(reading, request, crew)
    if request.json:
        say_json(weighing_json(found, request))
    elif not request.quiet:
        say("\n".join(lines(found, request)))
    return 2 if found.is_partial else 0
