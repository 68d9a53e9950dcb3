"""How fast games are measured: all that `rulesrun simulate` tells, natively and by the reference.

`python benchmarks/measured.py [SECONDS]` prints a line a game: measured games a second on one core, of which the
machine code alone, the reference's, how many times faster, and the processor time of a million games.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import process_time

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.measure.duel import WATCHED, ReferenceMeasurer
from rulesrun.interpreter.native.measure.measurement import NativeMeasurer, compile_measuring_engine
from rulesrun.interpreter.reference.table import set_up_table

TABLES = {"zero": 4, "the_game": 4, "collection": 4, "tokens": 4, "hourglass": 4, "classics/kuhn": 2, "classics/pig": 2}
PART = 5000


def main(seconds: float) -> int:
    print(f"{'game':<16}{'figures':>8}{'measured/s':>12}{'machine/s':>12}"
          f"{'reference/s':>13}{'times':>8}{'a million':>12}")
    for name, players in TABLES.items():
        line(name, players, seconds)
    return 0


def line(name: str, players: int, seconds: float) -> None:
    program = read_rules(name).program
    assert program is not None
    table = set_up_table(program, players)
    worker, reference = NativeMeasurer(compile_measuring_engine(table), 1), ReferenceMeasurer(table, 1)
    whole = rate(lambda first: worker.totals(WATCHED + first, PART), PART, seconds)
    block, rows = worker.blocks[0], worker.form.rows
    machine = rate(lambda first: worker.engine.run_games(block, WATCHED + first, rows), rows, seconds)
    slow = rate(lambda first: reference.totals(WATCHED + first, 5), 5, seconds)
    print(f"{name:<16}{len(worker.form.figures.keys):>8}{whole:>12,.0f}{machine:>12,.0f}{slow:>13,.0f}"
          f"{whole / slow:>8,.0f}{1_000_000 / whole:>10.1f} s", flush=True)


def rate(play: Callable[[int], object], amount: int, seconds: float) -> float:
    """Games a second of processor time; `play` plays so many, from the number given on."""
    play(0)
    games, began = 0, process_time()
    while (taken := process_time() - began) < seconds:
        play(games)
        games += amount
    return games / taken


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0))
