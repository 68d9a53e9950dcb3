"""`rulesrun solve`: the value of a small game of two players, and how to play it."""

from __future__ import annotations

from rulesrun.dsl.text.messages import message, template
from rulesrun.files.loading import read_playable
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.solve.bounds import NoAnswer
from rulesrun.records.complaints import print_fault
from rulesrun.report.solve_text import answer_text, solved_json
from rulesrun.services.solve import solve_rules
from rulesrun.terminal.output import prefixed, print_error, print_json, print_text
from rulesrun.terminal.requests import SolveRequest


def run(request: SolveRequest) -> int:
    reading = read_playable(request.files[0], request.variants)
    try:
        found = solve_rules(reading, request)
    except NoAnswer as reason:
        print_error(prefixed(str(reason)))
        return 2
    except Fault as fault:
        print_fault(reading, fault)
        return 1
    if request.json:
        print_json(solved_json(found))
    elif not request.quiet:
        print_text(answer_text(found.table, reading.title, found.answer), end="")
    if found.is_partial:
        sentence = template(
            "rulesrun: interrupted: a best response could still win {gap:.2g}; the strategies are partial"
        ) if found.answer.is_cut else template(
            "rulesrun: out of time: a best response could still win {gap:.2g}; the strategies are partial"
        )
        print_error(message(sentence, gap=found.answer.exploitability))
    return 2 if found.is_partial else 0
