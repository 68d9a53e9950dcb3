"""How fast machine code plays, beside OpenSpiel, the reference interpreter and plain loops, in one run on one core.

`python benchmarks/native.py [SECONDS]` prints a line a game: random games a second of each, their ratios, the
seconds to compile and the bytes of a position. OpenSpiel's `evaluate_bots` plays its own C++ games with its
own random bots; without the package its columns stay empty. All times are processor time of one thread.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from time import process_time

from plain import LOOPS

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.native.flow.engine import Engine, compile_engine, simulate
from rulesrun.interpreter.play import random_games as reference
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.reference.table import set_up_table

CLASSICS = {
    "classics/tic_tac_toe": ("tic_tac_toe", 6.0),
    "classics/kuhn": ("kuhn_poker", 15.0),
    "classics/leduc": ("leduc_poker", 10.0),
    "classics/goofspiel": ("goofspiel(num_cards=13,imp_info=False,points_order=random)", 4.0),
    "classics/pig": ("pig(winscore=100,diceoutcomes=6)", 4.0),
}
OURS = {"zero": 4, "the_game": 4, "collection": 4, "tokens": 4, "hourglass": 4}
KUHN = 450_000  # games a second of Kuhn by `evaluate_bots`, for which the floors below are said
FLOORS = {"zero": 100_000, "the_game": 700_000}
AT_LEAST_TIMES_THE_REFERENCE = 60

Rate = Callable[[float], float]


def main(seconds: float) -> int:
    print(f"{'game':<24}{'native/s':>12}{'checked/s':>12}{'compile s':>10}{'bytes':>7}"
          f"{'reference/s':>12}{'times':>8}{'evaluate_bots/s':>17}{'times':>7}{'wanted':>8}{'plain/s':>9}")
    kuhn = 0.0
    for name, (spiel, wanted) in CLASSICS.items():
        rate = spiel_rate(spiel, seconds)
        kuhn = rate if name.endswith("kuhn") else kuhn
        line(name, 2, seconds, rate, wanted)
    for name, players in OURS.items():
        line(name, players, seconds, 0.0, FLOORS.get(name, 0) * (kuhn or KUHN) / KUHN)
    return 0


def line(name: str, players: int, seconds: float, spiel: float, wanted: float) -> None:
    program = read_rules(name).program
    assert program is not None
    table = set_up_table(program, players)
    began = process_time()
    engine = compile_engine(table)
    compiling = process_time() - began
    native, checked = native_rate(engine, seconds, False), native_rate(engine, seconds, True)
    slow = reference_rate(engine, seconds)
    plain = plain_rate(name, seconds) if name in LOOPS and players == 2 else 0.0
    size = engine.form.plan.size
    floor = wanted if spiel else max(wanted, AT_LEAST_TIMES_THE_REFERENCE * slow)
    told = f"{spiel:>17,.0f}{native / spiel:>7.1f}" if spiel else f"{'':>17}{'':>7}"
    print(f"{name:<24}{native:>12,.0f}{checked:>12,.0f}{compiling:>10.2f}{size:>7}{slow:>12,.0f}{native / slow:>8,.0f}"
          f"{told}{floor:>8,.0f}" + (f"{plain:>9,.0f}" if plain else ""), flush=True)


def rate(play: Callable[[int], None], amount: int, seconds: float) -> float:
    """Games a second; `play` plays so many, from the number given on."""
    play(0)
    games, began = 0, process_time()
    while (taken := process_time() - began) < seconds:
        play(games)
        games += amount
    return games / taken


def native_rate(engine: Engine, seconds: float, checks: bool) -> float:
    simulate(engine, 0, 100, checks=checks)
    block = engine.new_memory(1, checks, MOST_DECISIONS, False)
    block.numbers("seen broken")[0] = -1
    return rate(lambda first: none(engine.run_games(block, first, 4096)), 4096, seconds)


def none(played: int) -> None:
    assert played == 4096


def reference_rate(engine: Engine, seconds: float) -> float:
    return rate(lambda first: hold(reference.simulate_games(engine.table, 1, 5, first=first, checks=False)), 5, seconds)


def hold(found: object) -> None:
    assert found is not None


def plain_rate(name: str, seconds: float) -> float:
    chance = Random(1)
    return rate(lambda first: hold(LOOPS[name](20, chance)), 20, seconds)


def spiel_rate(name: str, seconds: float) -> float:
    try:
        import pyspiel
    except ImportError:
        return 0.0
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, 123 + seat) for seat in range(game.num_players())]

    def play(first: int) -> None:
        for number in range(first, first + 50):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)

    return rate(play, 50, seconds)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0))
