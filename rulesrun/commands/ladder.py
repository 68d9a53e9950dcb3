"""`rulesrun ladder`: does thinking pay, how fast, and does one naive habit win?"""

from __future__ import annotations

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import read_playable
from rulesrun.report.ladder_text import ladder_json, ladder_text
from rulesrun.services.ladder import climb_ladder
from rulesrun.terminal.output import print_error, print_json, print_text
from rulesrun.terminal.requests import LadderRequest


def run(request: LadderRequest) -> int:
    found = climb_ladder(read_playable(request.files[0], request.variants), request)
    if request.json:
        print_json(ladder_json(found))
    elif not request.quiet:
        print_text(ladder_text(found), end="")
    if found.is_interrupted:
        print_error(message(
            "rulesrun: interrupted; what is known so far is partial; {advice}", advice=found.resume_advice
        ))  # fmt: skip
    elif found.is_partial:
        print_error(message(
            "rulesrun: out of time: fewer games than requested were played (allow more with --seconds)"
        ))
    return 2 if found.is_interrupted else 0
