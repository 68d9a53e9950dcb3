"""What machine code costs to make, for each kind of work and care: the numbers in `rulesrun/run/engine_choice.py`.

`python benchmarks/engine_costs.py [GAME…]` compiles every table anew, without the cache, and prints processor seconds
a table; the last line of each kind is the geometric mean. `pieces` is the number of nodes of the rules.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import exp, log
from time import process_time

from rulesrun.dsl.ast.walk import walk
from rulesrun.files.loading import read_rules
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.measure.duel import Duel
from rulesrun.interpreter.native.explore.exploration import compile_exploration
from rulesrun.interpreter.native.flow.engine import compile_engine
from rulesrun.interpreter.native.measure.first_difference import TablePairs
from rulesrun.interpreter.native.measure.measurement import compile_measuring_engine
from rulesrun.interpreter.native.measure.pairs import compile_duel
from rulesrun.interpreter.native.search.biased_search import compile_biased_games
from rulesrun.interpreter.native.think.thinking import compile_mind
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.services.tables import allowed_players

GAMES = (
    "classics/tic_tac_toe", "classics/leduc", "classics/goofspiel", "zero", "the_game", "collection", "tokens",
    "hourglass",
)  # fmt: skip
CARES = 0, 1, 2
Compile = Callable[[Table, int], object]
WORKS: dict[str, Compile] = {
    "games": lambda table, care: compile_engine(table, None, care),
    "figures": lambda table, care: compile_measuring_engine(table, None, care=care),
    "pairs": lambda table, care: compile_duel(Duel(table, table, 0), 1, None, care),
    "contrasts": lambda table, care: TablePairs(None, care).make_pair(table, table),
    "failures": lambda table, care: compile_biased_games(table, None, care),
    "positions": lambda table, care: compile_exploration(table, None, care),
    "thoughts": lambda table, care: compile_mind(table, None, care),
}  # fmt: skip


def main(names: list[str]) -> int:
    tables = {name: set_up(name) for name in names or GAMES}
    for work, compile_table in WORKS.items():
        print(f"\n{work:<24}{'pieces':>8}" + "".join(f"{'care ' + str(care):>10}" for care in CARES))
        rows = []
        for name, table in tables.items():
            try:
                row = [measure_seconds(compile_table, table, care) for care in CARES]
            except CannotCompile as reason:
                print(f"{name:<24}{reason}")
                continue
            rows.append(row)
            print(f"{name:<24}{count_pieces(table):>8}" + "".join(f"{seconds:>10.2f}" for seconds in row))
        means = [exp(sum(log(row[care]) for row in rows) / len(rows)) for care in CARES]
        print(f"{'geometric mean':<32}" + "".join(f"{mean:>10.2f}" for mean in means))
    return 0


def set_up(name: str) -> Table:
    program = read_rules(name).program
    assert program is not None
    return set_up_table(program, min(allowed_players(program)))


def measure_seconds(compile_table: Compile, table: Table, care: int) -> float:
    began = process_time()
    compile_table(table, care)
    return process_time() - began


def count_pieces(table: Table) -> int:
    return sum(1 for piece in table.program.game.declarations for _ in walk(piece))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
