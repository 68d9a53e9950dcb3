"""`rulesrun assess`: five questions of a designer, answered by good players. With `--watch` again and again."""

from __future__ import annotations

from rulesrun.commands.watching import run_again_and_again
from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import read_playable
from rulesrun.report.assess_text import assessment_json, assessment_text
from rulesrun.services.assess import assess_rules
from rulesrun.terminal.output import print_error, print_json, print_report
from rulesrun.terminal.requests import AssessRequest


def run(request: AssessRequest) -> int:
    if request.watch:
        return run_again_and_again(request, lambda: assess_once(request))
    return assess_once(request)[0]


def assess_once(request: AssessRequest) -> tuple[int, bool]:
    """The exit code, and whether it was interrupted."""
    reading = read_playable(request.files[0], request.variants)
    found = assess_rules(reading, request)
    if request.json:
        print_json(assessment_json(found))
    elif not request.quiet:
        print_report(assessment_text(found))
    if found.is_interrupted:
        print_error(message("rulesrun: interrupted; what is known so far is partial"))
    return (2 if found.is_interrupted else 0), found.is_interrupted
