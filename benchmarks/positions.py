"""Single positions and many at a time, on both engines, in one run on one core.

`python benchmarks/positions.py [SECONDS]` prints a line a game: random steps a second of a position that Python holds
(options counted, one of them applied by its number), by the reference and in machine code, their ratio; the same with a
seed, where chance happens by itself; observations a second, at every decision by the player who decides; steps a second
of many positions at a time in arrays; the bytes of a position. Processor time of one thread.
"""

from __future__ import annotations

import sys
from random import Random
from time import process_time
from typing import Any

import numpy

import rulesrun
from rulesrun.files.sources import bundled_names

PLAYERS = 4
AT_ONCE = 64  # games between two looks at the clock
ROWS = 4096
AT_LEAST = 5  # times the reference


def main(seconds: float) -> int:
    print(f"{'game':<34}{'reference/s':>12}{'native/s':>11}{'times':>7}{'with a seed':>13}{'times':>7}"
          f"{'observed/s':>12}{'times':>7}{'in arrays/s':>13}{'bytes':>7}")
    slow = [name for name in bundled_names() if not line(name, seconds)]
    if slow:
        print(f"less than {AT_LEAST} times the reference: {', '.join(slow)}")
    return 1 if slow else 0


def line(name: str, seconds: float) -> bool:
    """Whether machine code is as many times faster as was wanted."""
    rules = rulesrun.load(name)
    players = PLAYERS if PLAYERS in rules.players else rules.players[0]
    rates = {}
    for engine in ("native", "reference"):
        for way, seed in (("plain", None), ("seed", 7), ("observed", 7)):
            start = rules.start(players, engine=engine, seed=seed)
            rates[engine, way] = rate(start, seconds, way == "observed")
    times = {way: rates["native", way] / rates["reference", way] for way in ("plain", "seed", "observed")}
    many = rules.many(players)
    print(f"{name:<34}{rates['reference', 'plain']:>12,.0f}{rates['native', 'plain']:>11,.0f}{times['plain']:>7.1f}"
          f"{rates['native', 'seed']:>13,.0f}{times['seed']:>7.1f}{rates['native', 'observed']:>12,.0f}"
          f"{times['observed']:>7.1f}{in_arrays(many, seconds):>13,.0f}{many.size:>7}", flush=True)
    return min(times["plain"], times["seed"]) >= AT_LEAST


def rate(start: rulesrun.Position, seconds: float, observes: bool) -> float:
    """Steps a second; a way of the reference may be long, so that it is given up in the middle."""
    chance, steps, began = Random(1), 0, process_time()
    position = start
    while (taken := process_time() - began) < seconds:
        for _ in range(AT_ONCE):
            amount = len(position.legal())
            if not amount:
                position = start
                continue
            if observes:
                position.observe(getattr(position.pending, "player", 0) or 1)
            position = position.apply(int(chance.random() * amount))
            steps += 1
    return steps / taken


def in_arrays(many: Any, seconds: float) -> float:
    """Games that are over begin anew."""
    rows, first, chance = many.start(ROWS), many.start(1), numpy.random.default_rng(1)
    steps, began = 0, process_time()
    while (taken := process_time() - began) < seconds:
        words = chance.integers(0, 1 << 64, ROWS, dtype=numpy.uint64)
        goes_on = many.apply(rows, many.at_random(rows, words))
        rows[goes_on != 1] = first
        steps += ROWS
    return steps / taken


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0))
