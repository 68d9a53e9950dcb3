"""`rulesrun solve`: the value of a small game of two players, and how to play it."""

from __future__ import annotations

from time import perf_counter

from rulesrun.files.loading import read_playable
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.bounds import SECONDS, NoAnswer
from rulesrun.interpreter.solve.solve import TARGET, Solution, solve_game
from rulesrun.report.solve_text import answer_json, answer_text
from rulesrun.services.tables import seat_one
from rulesrun.terminal.output import print_error, print_json, print_text
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import SolveRequest


def run(request: SolveRequest) -> int:
    reading = read_playable(request.files[0], request.variants)
    table = seat_one(reading, request)
    target = request.within or TARGET
    began = perf_counter()
    try:
        answer = _solve_table(table, request, target)
    except NoAnswer as reason:
        print_error(f"rulesrun: {reason}")
        return 2
    except Fault as fault:
        from rulesrun.dsl.diagnostics.report import format_diagnostics

        print_error(format_diagnostics([fault.diagnostic], reading.sources).rstrip("\n"))
        return 1
    seconds, is_partial = perf_counter() - began, answer.is_cut or answer.exploitability >= target
    if request.json:
        how = {"engine": "reference", "seconds": round(seconds, 3), "partial": is_partial}
        print_json(answer_json(table, answer) | how)
    elif not request.quiet:
        print_text(answer_text(table, reading.title, answer), end="")
    if is_partial:
        why = "interrupted" if answer.is_cut else "out of time"
        print_error(
            f"rulesrun: {why}: a best response could still win {answer.exploitability:.2g}; the strategies are partial"
        )
    return 2 if is_partial else 0


def _solve_table(table: Table, request: SolveRequest, target: float) -> Solution:
    progress = Progress("solving", not (request.json or request.quiet))
    try:
        return solve_game(
            table, target, request.seconds or SECONDS, lambda rounds, gap: progress.update(rounds)
        )
    finally:
        progress.close()
