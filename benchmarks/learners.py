"""Decisions a second as learners get them, on one core: `python benchmarks/learners.py [SECONDS]`.

`vector`: Gymnasium's VectorEnv, with observations, masks, rewards, new games; random actions. `aec`: PettingZoo, one
agent after the other, a random action of the mask.
"""

from __future__ import annotations

import random
import sys
from time import perf_counter, process_time

import numpy

from rulesrun.bridges.gymnasium import vector_env
from rulesrun.bridges.pettingzoo import env

TABLES = [("classics/kuhn", 2), ("classics/leduc", 2), ("classics/tic_tac_toe", 2), ("zero", 3), ("tokens", 2)]


def measure_vector(name: str, players: int, seconds: float, amount: int = 4096) -> tuple[float, float]:
    games = vector_env(name, players, num_envs=amount)
    games.reset(seed=1)
    for _ in range(20):
        games.step(games.sample_legal())
    done, began, used = 0, perf_counter(), process_time()
    while perf_counter() - began < seconds:
        games.step(games.sample_legal())
        done += amount
    return done / (perf_counter() - began), done / (process_time() - used)


def measure_agents(name: str, players: int, seconds: float) -> tuple[float, float]:
    agents = env(name, players)
    agents.reset(seed=1)
    done, began, used = 0, perf_counter(), process_time()
    while perf_counter() - began < seconds:
        for _ in agents.agent_iter(200):
            seen, _, terminated, truncated, _ = agents.last()
            legal = numpy.flatnonzero(seen["action_mask"]).tolist()
            agents.step(None if terminated or truncated else random.choice(legal))
            done += 1
        if not agents.agents:
            agents.reset()
    return done / (perf_counter() - began), done / (process_time() - used)


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    print(f"{'game':22} {'vector/s':>12} {'a cpu second':>14} {'aec/s':>10} {'a cpu second':>14}")
    for name, players in TABLES:
        wide, wide_cpu = measure_vector(name, players, seconds)
        one, one_cpu = measure_agents(name, players, seconds)
        print(f"{name:22} {wide:12,.0f} {wide_cpu:14,.0f} {one:10,.0f} {one_cpu:14,.0f}")
