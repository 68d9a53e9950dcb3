"""What learners get, on one core: `python benchmarks/learners.py [SECONDS]` prints every figure, beside what is wanted.

`aec`: PettingZoo, one agent after the other, a random action of the mask. `vector`: Gymnasium's VectorEnv, with
observations, masks, rewards, new games; random actions. All take turns, and the fastest turn of each counts, so that
what else the machine does tells least; by the clock, and by processor seconds. Last, the learner of `learn_leduc.py`:
its share of games after a minute of processor time.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from time import perf_counter, process_time

import numpy

from rulesrun.bridges.gymnasium import RulesVectorEnv, vector_env
from rulesrun.bridges.pettingzoo import env

AEC = {
    ("classics/kuhn", 2): 20_000, ("classics/leduc", 2): 20_000, ("classics/tic_tac_toe", 2): 20_000,
    ("zero", 3): 10_000, ("tokens", 2): 0,
}  # fmt: skip
VECTOR = {
    ("classics/leduc", 2): 3_000_000, ("zero", 3): 1_000_000,
    ("classics/kuhn", 2): 0, ("classics/tic_tac_toe", 2): 0, ("tokens", 2): 0,
}  # fmt: skip
AT_ONCE = 4096
TURNS = 3
LEARNS = 60.0  # processor seconds


def prepare_vector(name: str, players: int) -> Callable[[float], int]:
    games: RulesVectorEnv = vector_env(name, players, num_envs=AT_ONCE)
    games.reset(seed=1)

    def play(seconds: float) -> int:
        done, began = 0, perf_counter()
        while perf_counter() - began < seconds:
            games.step(games.sample_legal())
            done += AT_ONCE
        return done

    return play


def prepare_agents(name: str, players: int) -> Callable[[float], int]:
    agents = env(name, players)
    agents.reset(seed=1)

    def play(seconds: float) -> int:
        done, began = 0, perf_counter()
        while perf_counter() - began < seconds:
            for _ in agents.agent_iter(200):
                seen, _, terminated, truncated, _ = agents.last()
                legal = numpy.flatnonzero(seen["action_mask"]).tolist()
                agents.step(None if terminated or truncated else random.choice(legal))
                done += 1
            if not agents.agents:
                agents.reset()
        return done

    return play


def measure_all(seconds: float) -> None:
    lines = [("aec", *table, wanted, prepare_agents(*table)) for table, wanted in AEC.items()]
    lines += [("vector", *table, wanted, prepare_vector(*table)) for table, wanted in VECTOR.items()]
    fastest = [(0.0, 0.0)] * len(lines)
    for *_, play in lines:
        play(seconds / 10)
    for _ in range(TURNS):
        for at, (*_, play) in enumerate(lines):
            began, used = perf_counter(), process_time()
            done = play(seconds / TURNS)
            speeds = done / (perf_counter() - began), done / (process_time() - used)
            fastest[at] = max(fastest[at][0], speeds[0]), max(fastest[at][1], speeds[1])
    print(f"{'':8}{'game':34}{'wanted/s':>12}{'a second':>12}{'a cpu second':>14}")
    for (kind, name, players, wanted, _), (clock, processor) in zip(lines, fastest, strict=True):
        told = f"{wanted:,}" if wanted else ""
        print(f"{kind:8}{f'{name}, {players} players':34}{told:>12}{clock:12,.0f}{processor:14,.0f}")


def measure_learning() -> None:
    from learn_leduc import Table  # beside this file, as `python benchmarks/learners.py` finds it

    table = Table("classics/leduc", 2, 1)
    before = table.share_won()
    table.learn(LEARNS)
    after = table.share_won()
    print(f"learning: {before:.1%} of Leduc against random; {after:.1%} after {LEARNS:.0f} processor seconds")


if __name__ == "__main__":
    measure_all(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
    measure_learning()
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
