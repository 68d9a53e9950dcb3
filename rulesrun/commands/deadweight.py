"""`rulesrun deadweight`: for each rule, exception and option, what changes without it."""

from __future__ import annotations

from rulesrun.files.loading import read_playable
from rulesrun.report.deadweight_text import weighing_json, weighing_lines
from rulesrun.services.deadweight import weigh_all_rules
from rulesrun.terminal.output import print_json, print_text
from rulesrun.terminal.requests import DeadweightRequest


def run(request: DeadweightRequest) -> int:
    found = weigh_all_rules(read_playable(request.files[0], request.variants), request)
    if request.json:
        print_json(weighing_json(found, request))
    elif not request.quiet:
        print_text("\n".join(weighing_lines(found, request)))
    return 2 if found.is_partial else 0
