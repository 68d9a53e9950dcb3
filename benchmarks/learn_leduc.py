"""A net learns a card game from nothing: `python benchmarks/learn_leduc.py [SECONDS] [RULES] [PLAYERS]`.

Policy gradients in numpy: one layer between what a seat sees and what it may do. One seat of each game learns, all the
others play at random; a decision is worth what its game came to. Prints the share of games won, shared wins shared out.
"""

from __future__ import annotations

import sys
from time import process_time
from typing import Any

import numpy

from rulesrun.bridges.features import Features
from rulesrun.bridges.gymnasium import RulesVectorEnv, vector_env

GAMES, STEPS, HIDDEN, RATE, CURIOSITY = 1024, 32, 64, 3e-3, 0.01


class Policy:
    """Features in, the odds of each action out. Learns by Adam."""

    def __init__(self, inputs: int, actions: int, chance: numpy.random.Generator) -> None:
        self.weights = [
            chance.normal(0, inputs**-0.5, (inputs, HIDDEN)), numpy.zeros(HIDDEN),
            chance.normal(0, 0.01, (HIDDEN, actions)), numpy.zeros(actions),
        ]
        self.means = [numpy.zeros_like(one) for one in self.weights]
        self.squares = [numpy.zeros_like(one) for one in self.weights]
        self.updates = 0

    def odds(self, seen: Any, mask: Any) -> tuple[Any, Any]:
        hidden = numpy.tanh(seen @ self.weights[0] + self.weights[1])
        values = numpy.where(mask, hidden @ self.weights[2] + self.weights[3], -1e9)
        shares = numpy.exp(values - values.max(axis=1, keepdims=True))
        return hidden, shares / shares.sum(axis=1, keepdims=True)

    def learn(self, seen: Any, mask: Any, actions: Any, worth: Any) -> None:
        """More of what came to more than usual."""
        hidden, odds = self.odds(seen, mask)
        slope = odds * worth[:, None]
        slope[numpy.arange(len(actions)), actions] -= worth
        logs = numpy.where(odds > 0, numpy.log(odds + 1e-12), 0)
        slope += CURIOSITY * odds * (logs - (odds * logs).sum(axis=1, keepdims=True))
        slope /= len(actions)
        back = (slope @ self.weights[2].T) * (1 - hidden**2)
        self.descend([seen.T @ back, back.sum(axis=0), hidden.T @ slope, slope.sum(axis=0)])

    def descend(self, slopes: list[Any]) -> None:
        self.updates += 1
        for at, slope in enumerate(slopes):
            self.means[at] += 0.1 * (slope - self.means[at])
            self.squares[at] += 0.01 * (slope**2 - self.squares[at])
            mean = self.means[at] / (1 - 0.9**self.updates)
            square = self.squares[at] / (1 - 0.99**self.updates)
            self.weights[at] -= RATE * mean / (numpy.sqrt(square) + 1e-8)


class Table:
    """Many games in which a net sits at one seat each, and chance at the others."""

    def __init__(self, rules: str, players: int | None, seed: int) -> None:
        self.env: RulesVectorEnv = vector_env(rules, players, num_envs=GAMES)
        self.chance = numpy.random.default_rng(seed)
        self.features = Features(self.env.layout)
        self.learners = numpy.arange(GAMES) % self.env.games.players + 1
        self.seen, self.info = self.env.reset(seed=seed)
        self.policy = Policy(self.features.width, len(self.env.actions), self.chance)

    def play(self, steps: int) -> tuple[list[Any], Any]:
        """All decisions of nets in games that ended, with what these came to; what all seats got in each such game."""
        samples, ended, open_games = [], [], numpy.arange(GAMES)
        worth: dict[int, float] = {}
        numbers = GAMES
        for _ in range(steps):
            actions = self.env.sample_legal()
            own = numpy.flatnonzero(self.info["seat"] == self.learners)
            seen, mask = self.features.encode(self.seen[own]), self.info["action_mask"][own].astype(bool)
            _, odds = self.policy.odds(seen, mask)
            spread = odds.cumsum(axis=1)
            picked = (self.chance.random((len(own), 1)) * spread[:, -1:] < spread).argmax(axis=1)
            actions[own] = picked
            samples.append((seen, mask, picked, open_games[own].copy()))
            self.seen, _, over, cut, self.info = self.env.step(actions)
            done = numpy.flatnonzero(over | cut)
            if len(done):
                returns = self.info["returns"][done]
                worth.update(zip(open_games[done].tolist(), returns[numpy.arange(len(done)), self.learners[done] - 1],
                                 strict=True))
                ended.append(numpy.column_stack([self.learners[done], returns]))
                open_games[done] = numpy.arange(numbers, numbers + len(done))
                numbers += len(done)
        seen, mask, picked, games = (numpy.concatenate([one[at] for one in samples]) for at in range(4))
        found = numpy.array([worth.get(int(game), numpy.nan) for game in games])
        known = ~numpy.isnan(found)
        return [seen[known], mask[known], picked[known], found[known]], numpy.concatenate(ended)

    def learn(self, seconds: float) -> None:
        began = process_time()
        while process_time() - began < seconds:
            (seen, mask, picked, worth), _ = self.play(STEPS)
            self.policy.learn(seen, mask, picked, (worth - worth.mean()) / (worth.std() + 1e-9))

    def share_won(self, steps: int = 200) -> float:
        """How often nobody got more than the net; who share a win share it."""
        _, ended = self.play(steps)
        seats, returns = ended[:, 0].astype(int), ended[:, 1:]
        best = returns == returns.max(axis=1, keepdims=True)
        return float((best / best.sum(axis=1, keepdims=True))[numpy.arange(len(seats)), seats - 1].mean())


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 120.0
    rules, players = sys.argv[2] if len(sys.argv) > 2 else "classics/leduc", sys.argv[3] if len(sys.argv) > 3 else "2"
    table = Table(rules, int(players), 1)
    print(f"before: {table.share_won():.3f}")
    for _ in range(4):
        table.learn(seconds / 4)
        print(f"after {table.policy.updates} updates: {table.share_won():.3f}")
