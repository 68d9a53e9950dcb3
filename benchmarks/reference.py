"""How fast the reference interpreter plays, beside the same games as plain Python loops in the same run.

`python benchmarks/reference.py [SECONDS]` prints a line a game: decisions a second of the interpreter on
one core (random games, options listed, properties not watched), of the plain loop, and their ratio; then
the five rulebooks in games a second, with four players and everything at its default.
"""

from __future__ import annotations

import sys
from random import Random
from time import perf_counter

from plain import LOOPS

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.play.random_games import SimulationResult, simulate_games
from rulesrun.interpreter.reference.table import Table, set_up_table

PLAYERS = {"zero": 4}
WANTED = {"classics/tic_tac_toe": 25_000, "classics/kuhn": 25_000, "classics/goofspiel": 25_000, "zero": 8_000}
GAMES_WANTED = {"zero": 20, "the_game": 300, "tokens": 15, "hourglass": 60, "collection": 60}


def main(seconds: float) -> int:
    print(f"{'game':<22}{'players':>8}{'decisions/s':>14}{'wanted':>9}{'plain loop/s':>14}{'ratio':>8}")
    for name in LOOPS:
        players = PLAYERS.get(name, 2)
        found = random_games(table_of(name, players), seconds)
        ours = found.decisions / found.seconds
        plain = plain_speed(name, seconds)
        print(f"{name:<22}{players:>8}{ours:>14,.0f}{WANTED[name]:>9,}{plain:>14,.0f}{plain / ours:>8.1f}")
    print(f"\n{'rulebook':<22}{'players':>8}{'games/s':>14}{'wanted':>9}")
    for name, wanted in GAMES_WANTED.items():
        played = random_games(table_of(name, 4), seconds)
        print(f"{name:<22}{4:>8}{played.games / played.seconds:>14,.0f}{wanted:>9,}")
    return 0


def table_of(name: str, players: int) -> Table:
    program = read_rules(name).program
    assert program is not None
    return set_up_table(program, players)


def random_games(table: Table, seconds: float) -> SimulationResult:
    simulate_games(table, 0, 20, checks=False)
    return simulate_games(table, 1, 10_000_000, seconds=seconds, checks=False)


def plain_speed(name: str, seconds: float) -> float:
    chance, decisions, began = Random(1), 0, perf_counter()
    while (taken := perf_counter() - began) < seconds:
        decisions += LOOPS[name](20, chance)
    return decisions / taken


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 2.0))
