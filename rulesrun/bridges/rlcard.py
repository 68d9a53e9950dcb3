"""A rulebook as RLCard's agents know an environment: what `rlcard.make` gives, they find here, too. Needs no RLCard.

Players are counted from 0. `obs` are floats, from the player's own seat; actions have their fixed numbers, and under
`raw_legal_actions` their words. Payoffs come at the end. `pip install 'rulesrun[native]'`.
"""

from __future__ import annotations

from typing import Any

import numpy

from rulesrun.api import Rulebook
from rulesrun.bridges.features import Features
from rulesrun.bridges.games import Games

State = dict[str, Any]


class RulesEnv:
    """One game at a time, chance included. `reward`: as in `rulesrun.bridges.pettingzoo.env`."""

    def __init__(
        self, rules: Rulebook | str, players: int | None = None, *, seed: int = 0, allow_step_back: bool = False,
        reward: str | None = None, **options: object,
    ) -> None:
        self.games = Games.of_one(rules, players, options, reward)
        self.allow_step_back = allow_step_back
        self.actions, self.features = self.games.many.actions, Features(self.games.layout)
        self.num_players, self.num_actions = self.games.players, len(self.actions)
        self.state_shape = [[self.features.width] for _ in range(self.num_players)]
        self.action_shape = [[self.num_actions] for _ in range(self.num_players)]
        self.timestep, self.agents = 0, list[Any]()
        self.action_recorder, self._before = list[tuple[int, Any]](), list[tuple[Any, Any]]()
        self.games.seed(seed)

    def reset(self) -> tuple[State, int]:
        self.games.begin_all()
        self.action_recorder, self._before = [], []
        return self.get_state(self.get_player_id()), self.get_player_id()

    def step(self, action: Any, raw_action: bool = False) -> tuple[State, int]:
        """Takes an action by its number or, with `raw_action`, in words. Raises ValueError if it is not allowed."""
        number = self.actions.number(action) if raw_action else int(action)
        if number not in self.games.ids[0, : self.games.counts[0]]:
            raise ValueError(f"player {self.get_player_id()} may not choose {self.actions[number]} here")
        if self.allow_step_back:
            self._before.append((self.games.rows.copy(), self.games.streams.copy()))
        self.action_recorder.append((self.get_player_id(), self.actions[number]))
        self.games.answer(numpy.array([number]))
        self.games.list_answers()
        self.timestep += 1
        return self.get_state(self.get_player_id()), self.get_player_id()

    def step_back(self) -> tuple[State, int] | bool:
        """Takes the last action back; False at the beginning."""
        if not self.allow_step_back:
            raise RuntimeError("to step back, say `allow_step_back=True`")
        if not self._before:
            return False
        self.games.rows[:], self.games.streams[:] = self._before.pop()
        self.action_recorder.pop()
        self.games.list_answers()
        return self.get_state(self.get_player_id()), self.get_player_id()

    def get_state(self, player_id: int) -> State:
        is_asked = not self.is_over() and player_id == self.get_player_id()
        legal = self.games.ids[0, : self.games.counts[0]].tolist() if is_asked else []
        seen, raw = self.features.encode(self.games.observe_seat(player_id))[0], [self.actions[one] for one in legal]
        return {
            "obs": seen, "legal_actions": dict.fromkeys(legal), "raw_legal_actions": raw, "raw_obs": seen,
            "action_record": self.action_recorder,
        }

    def get_player_id(self) -> int:
        return int(max(self.games.movers[0], 0))

    def is_over(self) -> bool:
        return bool(self.games.movers[0] < 0)

    def get_payoffs(self) -> Any:
        return self.games.rewards(slice(None))[0] if self.is_over() else numpy.zeros(self.num_players)

    def set_agents(self, agents: list[Any]) -> None:
        self.agents = agents

    def run(self, is_training: bool = False) -> tuple[list[list[Any]], Any]:
        """Plays a whole game. Gives each player's states and actions in turn, and the payoffs."""
        told: list[list[Any]] = [[] for _ in range(self.num_players)]
        state, player = self.reset()
        while not self.is_over():
            agent = self.agents[player]
            action = agent.step(state) if is_training else agent.eval_step(state)[0]
            told[player] += [state, action]
            state, player = self.step(action, agent.use_raw)
        for number, one in enumerate(told):
            one.append(self.get_state(number))
        return told, self.get_payoffs()
