"""The value of a small game and how to play it: a reading and a request in, an exact answer out."""

from __future__ import annotations

from time import perf_counter

from attrs import frozen

from rulesrun.files.loading import Reading
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.bounds import SECONDS
from rulesrun.interpreter.solve.solve import TARGET, Solution, solve_game
from rulesrun.services.tables import seat_one
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import SolveRequest


@frozen(eq=False)
class SolvedGame:
    reading: Reading
    table: Table
    answer: Solution
    target: float  # what a best response may still win
    seconds: float

    @property
    def is_partial(self) -> bool:
        return self.answer.is_cut or self.answer.exploitability >= self.target


def solve_rules(reading: Reading, request: SolveRequest) -> SolvedGame:
    """Raises NoAnswer where the game is none of those that have one value, or too large."""
    table = seat_one(reading, request)
    target = request.within or TARGET
    progress = Progress("solving", not (request.json or request.quiet))
    began = perf_counter()
    try:
        answer = solve_game(table, target, request.seconds or SECONDS, lambda rounds, gap: progress.update(rounds))
    finally:
        progress.close()
    return SolvedGame(reading, table, answer, target, perf_counter() - began)
