"""How fast a failing game is made small: every candidate by the reference, or judged by machine code.

`python benchmarks/shrinking.py FILE…` (rules that are broken; without any, those of the tests) prints a line for each
failure that random search finds: players and choices of the game that was found and of the smallest, candidates, the
answers that they took, the seconds of the reference and of machine code (made already, or made quickly now), the ratio.
Processor time. Both must come to the same game.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

from attrs import define

from rulesrun.examine.failure_search import SHRINK_EFFORT
from rulesrun.files.loading import read_rules
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import LEAK, AnsweredGame, FailureKind
from rulesrun.interpreter.search.candidates import Candidate, CandidateJudge, TriedCandidate
from rulesrun.interpreter.search.effort import Effort, EffortShare
from rulesrun.interpreter.search.shrink import shrink_game
from rulesrun.run.compiled import CompiledTables
from rulesrun.run.search_engines import AllJudges, search_tables
from rulesrun.services.tables import seat_all
from rulesrun.terminal.requests import RunRequest

BROKEN = Path(__file__).parents[1] / "tests" / "broken"


@define(eq=False)
class Counted:
    """Counts what the judges are asked."""

    judges: AllJudges
    candidates: int = 0

    def judge(self, table: Table, kind: FailureKind, effort: EffortShare) -> CandidateJudge:
        return CountedJudge(self, self.judges.make_judge(table, kind, effort))


@define(eq=False)
class CountedJudge:
    counted: Counted
    judge: CandidateJudge

    def reset_bias(self) -> None:
        self.judge.reset_bias()

    def try_candidate(self, candidate: Candidate, limit: int, most: int) -> TriedCandidate:
        self.counted.candidates += 1
        return self.judge.try_candidate(candidate, limit, most)


def main(files: list[str]) -> int:
    print(f"{'file: what fails':<48}{'choices':>10}{'candidates':>12}{'answers':>9}"
          f"{'reference':>11}{'machine':>9}{'times':>7}{'made now':>10}")
    for name in files or [str(path) for path in sorted(BROKEN.glob("*.rules"))]:
        reading = read_rules(name)
        if reading.program is not None:
            of_file(name, seat_all(reading, RunRequest(files=(name,))).tables)
    return 0


def of_file(name: str, tables: tuple[Table, ...]) -> None:
    code = CompiledTables("native")
    for kind, game in search_tables(tables, 0, 0.5, code).found.items():
        if kind.name != LEAK:
            smaller = [table for table in tables if table.players < game.table.players]
            line(f"{Path(name).stem[:3]}: {kind.name[:40]}", game, kind, smaller, code)


def line(what: str, game: AnsweredGame, kind: FailureKind, smaller: list[Table], code: CompiledTables) -> None:
    found, seconds, counted = [], [], Counted(AllJudges(CompiledTables("reference")))
    judges = (counted, Counted(AllJudges(code)), Counted(AllJudges(CompiledTables("native"))))
    for one in judges:
        effort, began = Effort(SHRINK_EFFORT, 1e9), process_time()
        small, _ = shrink_game(game, kind, smaller, effort, one.judge)
        seconds.append(process_time() - began)
        found.append((small.answers, repr(small.table.options), effort.spent, one.candidates))
    assert len(set(found)) == 1, what
    choices = f"{len(game.choices)} → {len(small.choices)}"
    print(f"{what:<48}{choices:>10}{counted.candidates:>12,}{effort.spent:>9,}{seconds[0]:>9.2f} s{seconds[1]:>7.2f} s"
          f"{seconds[0] / seconds[1]:>7.0f}{seconds[2]:>8.2f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
