"""Positions a second of `rulesrun explore` on both engines, beside Spin and OpenSpiel on the same games.

    python benchmarks/explore.py

Spin (Debian: `spin`, with `gcc`) checks a model of the same small game, written by hand below; OpenSpiel
(`pip install open_spiel`) enumerates tic-tac-toe. Each has to find as many positions as rulesrun. What is counted is
processor time, on one thread, of the search alone: without compiling, for Spin and machine code alike (Spin's is a
program of its own, whose start of one thousandth of a second counts as well). Each is done several times, the best
counts. The last lines are clock time, on one thread and on two: by how much two are sooner done, beside the processor
time that they take together.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from importlib import import_module
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter, process_time
from typing import Any
from unittest.mock import patch

from rulesrun.dsl.check import check_game
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.variants.small_tables import build_small_game
from rulesrun.files.loading import read_rules, read_text
from rulesrun.interpreter.explore.breadth_first import MOST_POSITIONS, explore_table
from rulesrun.interpreter.native.explore.exploration import NativeSearch, compile_exploration, make_native_engine
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.symmetry.renaming import find_word_group

CARDS, HAND, SUPPLY = 9, 2, 2
TIMES = 5
NARROW = ("-m100000", "-w17")  # Spin's table of hashes as large as this model needs: it is five times as fast so
FIRST, MANY = 20_000, 1_000_000  # positions of tables that are too large to be gone through

OPTIONS: dict[str, dict[str, object]] = {"classics/goofspiel": {"cards": 4}, "tokens": {"endless": "plays_on"}}

SMALL = {"tokens, small": ("tokens", 1)}  # its rules ask how often a position has come

EXCHANGES = f"""rules 1
game "Exchanges"
players 2
values Colour: red, blue, green
card Card: colour Colour, rank 1..3
zone stock: pile of Card, hidden
zone supply: set of Card, public
zone hand of player: set of Card, private
number passes: 0..2 = 0
setup
  shuffle all Card into stock
  deal {HAND} from stock to each hand
  deal {SUPPLY} from stock to supply
phase exchanging: turns from 1 until passes = 2
  choose exchange or pass
action exchange(give from hand, take from supply)
  move give to supply
  move take to hand
action pass
  passes increases by 1
score at end
  points = count of distinct colour over hand
ranking: highest total, ties share
"""

MODEL = """
/* where a card lies: 0 the stock, 1 and 2 the hands, 3 the supply; a hand or supply has no order */
byte where[%(cards)d], dealt, passes, turn = 1;
hidden byte give, take;
#define dealing (dealt < %(all)d)
#define target (dealt < %(hand)d -> 1 : (dealt < 2 * %(hand)d -> 2 : 3))
active proctype game() {
end:  do
  :: atomic { dealing -> if
%(deals)s
     fi; dealt++ }
  :: atomic { !dealing && passes < 2 -> if
     :: passes++; turn = (passes == 2 -> 1 : 3 - turn)
     :: if
%(gives)s
        fi;
        if
%(takes)s
        fi;
        where[give] = 3; where[take] = turn; turn = 3 - turn
     fi }
  od
}
"""


def model() -> str:
    every = range(CARDS)
    return MODEL % {
        "cards": CARDS,
        "hand": HAND,
        "all": 2 * HAND + SUPPLY,
        "deals": "\n".join(f"     :: where[{card}] == 0 -> where[{card}] = target" for card in every),
        "gives": "\n".join(f"        :: where[{card}] == turn -> give = {card}" for card in every),
        "takes": "\n".join(f"        :: where[{card}] == 3 -> take = {card}" for card in every),
    }


def table_of(name: str) -> Table:
    if name in SMALL:
        return small_table(*SMALL[name])
    program = (read_text(EXCHANGES) if name == "exchanges" else read_rules(name)).program
    assert program is not None
    return set_up_table(program, 2, OPTIONS.get(name, {}))


def small_table(name: str, number: int) -> Table:
    """One of those that the rules declare, as they are without options."""
    program = read_rules(name).program
    assert program is not None
    game = build_small_game(program.game, program.game.smalls[number]).game
    small = check_game(game, program.sources)
    assert isinstance(small, Program)
    return set_up_table(small, 2, {})


def print_pace(what: str, positions: int, seconds: float, more: str = "") -> None:
    pace = positions / max(seconds, 1e-9)
    print(f"{what:<44}{positions:>10,} positions{seconds:>9.4f} s{pace:>14,.0f} a second{more}")


def rulesrun(name: str, merges: bool = False, is_native: bool = False, limit: int = MOST_POSITIONS) -> int:
    table, best = table_of(name), float("inf")
    engine = make_native_engine(compile_exploration(table)) if is_native else None
    for _ in range(TIMES if is_native else 1):
        group = find_word_group(table) if merges else None
        began = process_time()
        found = explore_table(table, limit, group=group, engine=engine)
        best = min(best, process_time() - began)
    more = f"   (for {found.whole:,})" if merges else ""
    what = f"{'native' if is_native else 'reference'} {name}" + (", colours alike" if merges else "")
    print_pace(what, found.size, best, more)
    return found.whole


def spin(expected: int) -> None:
    if not (shutil.which("spin") and shutil.which("gcc")):
        print("spin: not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "model.pml").write_text(model(), "utf-8")
        subprocess.run(["spin", "-a", "model.pml"], cwd=folder, check=True, capture_output=True)
        compiler = ["gcc", "-O2", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"]
        subprocess.run(compiler, cwd=folder, check=True, capture_output=True)
        seconds = float("inf")
        for _ in range(TIMES):
            began = work_of_others()
            done = subprocess.run(["./pan", *NARROW], cwd=folder, check=True, capture_output=True, text=True)
            seconds = min(seconds, work_of_others() - began)
    stored = re.search(r"(\d+) states, stored", done.stdout)
    assert stored is not None, done.stdout
    more = "" if int(stored[1]) == expected else f"   ({expected:,} expected)"
    print_pace("spin exchanges", int(stored[1]), seconds, more)


def work_of_others() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def open_spiel(expected: int) -> None:
    try:
        pyspiel = import_module("pyspiel")
        all_states = import_module("open_spiel.python.algorithms.get_all_states")
    except ImportError:
        print("OpenSpiel: not installed")
        return
    game = pyspiel.load_game("tic_tac_toe")
    seconds = float("inf")
    for _ in range(TIMES):
        began = process_time()
        states = all_states.get_all_states(game, include_terminals=True, to_string=str)
        seconds = min(seconds, process_time() - began)
    print_pace("OpenSpiel get_all_states tic_tac_toe", len(states), seconds,
         "" if len(states) == expected else f"   ({expected:,} expected)")


def timed(name: str, jobs: int, limit: int) -> tuple[float, float]:
    """By the clock and in processor time, of one search."""
    table = table_of(name)
    engine = make_native_engine(compile_exploration(table), jobs)
    began, worked = perf_counter(), process_time()
    explore_table(table, limit, engine=engine)
    return perf_counter() - began, process_time() - worked


def shared(name: str, limit: int) -> float:
    """The part of the work, in processor time, that threads share; the rest is done by one while others wait."""
    table, inside, whole = table_of(name), 0.0, NativeSearch.run_kernels

    def timed(*given: Any, **named: Any) -> None:
        nonlocal inside
        began = process_time()
        whole(*given, **named)
        inside += process_time() - began

    engine = make_native_engine(compile_exploration(table))
    with patch.object(NativeSearch, "run_kernels", timed):
        began = process_time()
        explore_table(table, limit, engine=engine)
        return inside / (process_time() - began)


def threads(name: str, limit: int = MANY) -> None:
    """One thread and two in turn, so that a busy machine is as hard on the one as on the other; the best of each."""
    alone, both = [], []
    part = max(shared(name, limit) for _ in range(TIMES))
    for _ in range(TIMES):
        alone.append(timed(name, 1, limit))
        both.append(timed(name, 2, limit))
    clock, clock_of_two = min(alone)[0], min(both)[0]
    work, work_of_two = min(one[1] for one in alone), min(one[1] for one in both)
    print(f"{'two threads, ' + name:<44}{clock / clock_of_two:>10.2f} times as fast by the clock, "
          f"{work_of_two / work:.2f} times the work; {part:.0%} of it shared: {1 / (1 - part / 2):.2f} times at best")


if __name__ == "__main__":
    board = rulesrun("classics/tic_tac_toe")
    rulesrun("classics/tic_tac_toe", is_native=True)
    open_spiel(board)
    whole = rulesrun("exchanges")
    rulesrun("exchanges", is_native=True)
    spin(whole)
    rulesrun("exchanges", merges=True)
    rulesrun("exchanges", merges=True, is_native=True)
    for name in ("classics/leduc", "classics/goofspiel"):
        rulesrun(name)
        rulesrun(name, is_native=True)
    for name in ("zero", "the_game", "tokens", "hourglass", "collection"):
        rulesrun(name, limit=FIRST)
        rulesrun(name, is_native=True, limit=MANY)
    for name in SMALL:
        for merges in (False, True):
            rulesrun(name, merges, limit=FIRST)
            rulesrun(name, merges, is_native=True, limit=MANY)
    for name in ("zero", "the_game", "tokens", *SMALL):
        threads(name)
