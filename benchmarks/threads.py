"""What two threads are worth: the compiled loop, games with all statistics, all positions, the tree.

    python benchmarks/threads.py [REPEATS]

A line a game. Short stretches on one thread and on two in turn, the best of several (seven, if nothing else is asked
for), so that a busy machine is as hard on the one as on the other. `a / b`: two threads are `a` times as fast by the
clock, and take `b` times the processor time of one. `processes`: the same loop in two processes that share nothing,
which is what the machine allows. Clock times say something on a machine that does nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import perf_counter, process_time

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.explore.breadth_first import explore_table
from rulesrun.interpreter.measure.duel import WATCHED
from rulesrun.interpreter.native.explore.exploration import compile_exploration, make_native_engine
from rulesrun.interpreter.native.flow.engine import Engine, compile_engine
from rulesrun.interpreter.native.measure.measurement import NativeMeasurer, compile_measuring_engine
from rulesrun.interpreter.native.tree.counting import count_tree_natively
from rulesrun.interpreter.native.tree.levels import compile_tree_positions
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.reference.table import Table, set_up_table

TABLES = {"zero": 4, "the_game": 4, "collection": 4, "tokens": 4, "hourglass": 4, "classics/kuhn": 2,
          "classics/tic_tac_toe": 2}  # fmt: skip
EXPLORED = {"zero": 2, "the_game": 2, "collection": 2, "tokens": 2, "hourglass": 2}
COUNTED = "classics/tic_tac_toe"  # has a tree of half a million histories
OPTIONS: dict[str, dict[str, object]] = {"tokens": {"endless": "plays_on"}}
POSITIONS, MOST_POSITIONS = 1_000_000, 1_000_000
SECONDS = 0.15  # of a stretch on one thread
REPEATS = 7

Times = tuple[float, float]  # by the clock, in processor time
Stretch = Callable[[int], object]  # on so many threads


def main(repeats: int) -> int:
    print(f"{'game':<22}{'loop':>13}{'measured':>13}{'explore':>13}{'tree':>13}{'processes':>11}")
    for name, players in TABLES.items():
        found = loop(name, players, repeats), measured(name, players, repeats), explored(name, repeats)
        print(f"{name:<22}{''.join(f'{one:>13}' for one in (*found, counted(name, players, repeats)))}"
              f"{processes(name, players, repeats):>11}", flush=True)
    return 0


def table_of(name: str, players: int, **options: object) -> Table:
    program = read_rules(name).program
    assert program is not None
    return set_up_table(program, players, options)


def timed(stretch: Stretch, threads: int) -> Times:
    began, worked = perf_counter(), process_time()
    stretch(threads)
    return perf_counter() - began, process_time() - worked


def in_turn(stretch: Stretch, repeats: int) -> str:
    stretch(2)
    pairs = [(timed(stretch, 1), timed(stretch, 2)) for _ in range(repeats)]
    (alone, work), (both, work_of_both) = (
        tuple(min(pair[which][part] for pair in pairs) for part in range(2)) for which in range(2)
    )
    return f"{alone / both:.2f} / {work_of_both / work:.2f}"


def fitting(play: Callable[[int], object]) -> int:
    """So many games take a stretch."""
    games = 64
    while True:
        began = process_time()
        play(games)
        taken = process_time() - began
        if taken > SECONDS / 4:
            return max(int(games * SECONDS / taken), 2)
        games *= 4


# ---- the loop


def loop(name: str, players: int, repeats: int) -> str:
    engine = compile_engine(table_of(name, players))
    blocks = [engine.new_memory(1, False, MOST_DECISIONS, False) for _ in range(2)]
    games = fitting(lambda games: engine.run_games(blocks[0], 0, games))
    with ThreadPoolExecutor(2) as pool:

        def stretch(threads: int) -> None:
            share = games // threads
            tasks = [
                pool.submit(engine.run_games, block, at * share, share) for at, block in enumerate(blocks[:threads])
            ]
            for task in tasks:
                task.result()

        return in_turn(stretch, repeats)


def measured(name: str, players: int, repeats: int) -> str:
    engine = compile_measuring_engine(table_of(name, players))
    workers = {threads: NativeMeasurer(engine, 1, threads) for threads in (1, 2)}
    games = fitting(lambda games: workers[1].totals(WATCHED, games))
    return in_turn(lambda threads: workers[threads].totals(WATCHED, games), repeats)


def explored(name: str, repeats: int) -> str:
    if name not in EXPLORED:
        return "-"  # over too soon
    table = table_of(name, EXPLORED[name], **OPTIONS.get(name, {}))
    engine = compile_exploration(table)
    return in_turn(lambda threads: explore_table(table, POSITIONS, engine=make_native_engine(engine, threads)), repeats)


def counted(name: str, players: int, repeats: int) -> str:
    if name != COUNTED:
        return "-"
    positions = compile_tree_positions(table_of(name, players))
    return in_turn(lambda threads: count_tree_natively(positions, MOST_POSITIONS, threads), repeats)


# ---- two processes


def plays(pipe: Connection, name: str, players: int) -> None:
    """Another process: plays as many games as it is told, until there are none."""
    engine: Engine = compile_engine(table_of(name, players))
    block = engine.new_memory(1, False, MOST_DECISIONS, False)
    pipe.send(fitting(lambda games: engine.run_games(block, 0, games)))
    while games := pipe.recv():
        engine.run_games(block, 0, games)
        pipe.send(games)


@contextmanager
def started(name: str, players: int) -> Iterator[list[Connection]]:
    context = get_context("spawn")
    pipes = [context.Pipe() for _ in range(2)]
    both = [context.Process(target=plays, args=(pipe[1], name, players), daemon=True) for pipe in pipes]
    for one in both:
        one.start()
    yield [pipe[0] for pipe in pipes]
    for pipe in pipes:
        pipe[0].send(0)
    for one in both:
        one.join()


def processes(name: str, players: int, repeats: int) -> str:
    with started(name, players) as pipes:
        games = min(int(pipe.recv()) for pipe in pipes)

        def stretch(many: int) -> float:
            began = perf_counter()
            for pipe in pipes[:many]:
                pipe.send(games)
            for pipe in pipes[:many]:
                pipe.recv()
            return perf_counter() - began

        pairs = [(stretch(1), stretch(2)) for _ in range(repeats)]
        return f"{2 * min(one for one, _ in pairs) / min(both for _, both in pairs):.2f}"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS))
