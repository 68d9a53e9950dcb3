"""A rulebook as an environment of PettingZoo: one agent a seat, in turn (`env`) or all at once (`parallel_env`).

Agents see numbers from their own seat (`layout` says which), with the mask of what they may do beside. A reward comes
at the end. `pip install 'rulesrun[pettingzoo]'`.
"""

from __future__ import annotations

from typing import Any

import numpy

from rulesrun.api import IllegalChoice, Rulebook
from rulesrun.bridges.extras import import_tool
from rulesrun.bridges.games import FIRST, ILLEGAL, LOSE, MOST_STEPS, OVER, RAISE, Games, SteppedGames, check_illegal
from rulesrun.bridges.gym_spaces import action_space, masked_space
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait

pettingzoo = import_tool("pettingzoo", "pettingzoo")


def env(
    rules: Rulebook | str, players: int | None = None, *, reward: str | None = None, max_cycles: int | None = None,
    illegal: str = RAISE, in_steps: bool = False, render_mode: str | None = None, **options: object,
) -> RulesEnv:
    """An AEC environment: agents choose one after the other.

    `reward`: `score`, `place`, `win` or `team`; by default the score if most points win, otherwise the place.
    `max_cycles`: the game is cut off when every agent has chosen this often. `illegal`: what happens to an action that
    the mask does not allow: `raise` an exception, `lose` (-1, and the game is over), or take the `first` legal one.
    `in_steps`: answers are given in steps, first the action, then each of its values. Tables with more than a million
    answers always need that.
    """
    return RulesEnv(Games.of_one(rules, players, options, reward, in_steps), max_cycles, illegal, render_mode)


def parallel_env(
    rules: Rulebook | str, players: int | None = None, *, reward: str | None = None, max_cycles: int | None = None,
    illegal: str = FIRST, render_mode: str | None = None, **options: object,
) -> RulesParallelEnv:
    """A parallel environment: all agents choose at once. Raises ValueError unless every choice of the rules is an
    `all choose`. An agent that is not asked has an empty mask, and its action is ignored. By default an action that the
    mask does not allow means the first legal one, for PettingZoo's own tools ignore masks here."""
    return RulesParallelEnv(Games.of_one(rules, players, options, reward), max_cycles, illegal, render_mode)


class GameOfAgents:
    """What both kinds have in common: one game, and its seats under the names of agents."""

    def __init__(self, games: Games, max_cycles: int | None, illegal: str, render_mode: str | None) -> None:
        check_illegal(illegal)
        self.games, self.illegal, self.render_mode = games, illegal, render_mode
        self.max_steps = min(max_cycles * games.players, MOST_STEPS) if max_cycles is not None else MOST_STEPS
        self.possible_agents = [f"player_{seat}" for seat in range(1, games.players + 1)]
        self.agents: list[str] = []
        title = games.many._batch.positions.table.program.game.title
        self.metadata = {"name": title.lower().replace(" ", "_"), "render_modes": ["ansi"], "is_parallelizable": False}
        self.layout, self.actions = games.layout, games.actions
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observations = {agent: masked_space(games) for agent in self.possible_agents}
        self._choices = {agent: action_space(games) for agent in self.possible_agents}
        self._steps, self._amount = 0, len(self.actions)

    def observation_space(self, agent: str) -> Any:
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        return self._choices[agent]

    def begin(self, seed: int | None) -> None:
        if seed is None and not self._steps and not self.agents:
            seed = int(numpy.random.default_rng().integers(1 << 62))
        if seed is not None:
            self.games.seed(int(seed))
        self.games.begin_all()
        self.agents, self._steps = self.possible_agents[:], 0

    def seen_by(self, agent: str, mask: Any) -> dict[str, Any]:
        return {"observation": self.games.observe_seat(self._seats[agent])[0], "action_mask": mask}

    def empty_mask(self) -> Any:
        return numpy.zeros(self._amount, dtype=numpy.int8)

    def mask_of(self, ids: Any) -> Any:
        mask = self.empty_mask()
        mask[ids] = 1
        return mask

    def choose(self, action: Any, agent: str) -> bool:
        """The mover's action. False: it is not allowed, and whoever tries loses."""
        number = int(action)
        found = self.games.answer([number])
        if found[0] == ILLEGAL:
            if self.illegal == LOSE:
                return False
            if self.illegal == RAISE:
                words = self.actions[number] if 0 <= number < len(self.actions) else number
                raise IllegalChoice(f"{agent} may not choose {words} here")
            self.games.answer(self.games.ids[0, :1])
        self.games.list_answers()
        self._steps += 1
        return True

    @property
    def is_over(self) -> bool:
        return bool(self.games.movers[0] < 0)

    def rewards_now(self) -> dict[str, float]:
        """Of the game, which is over, by agent."""
        return dict(zip(self.possible_agents, self.games.rewards(slice(None))[0].tolist(), strict=True))

    def punish(self, agent: str) -> dict[str, float]:
        return {one: -1.0 if one == agent else 0.0 for one in self.possible_agents}

    def describe(self, agent: str) -> str:
        named = self.games.many.observe(self.games.rows, self._seats[agent] + 1)
        return "\n".join(f"{name}: {named[name][0]}" for name in named.dtype.names or ())


class RulesEnv(GameOfAgents, pettingzoo.AECEnv):  # type: ignore[misc,name-defined]
    """One agent after the other. Made by `env`."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[max(self.games.movers[0], 0)]
        if self.is_over:
            self._finish(self.rewards_now())

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} must choose: None is for agents whose game is over")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if not self.choose(action, agent):
            self._finish(self.punish(agent))
        elif self.is_over:
            self._finish(self.rewards_now())
        else:
            self.agent_selection = self.possible_agents[self.games.movers[0]]
            if self._steps >= self.max_steps:
                self.truncations = dict.fromkeys(self.agents, True)

    def _finish(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        is_asked = agent == self.agent_selection and self.terminations.get(agent) is False
        games = self.games
        return self.seen_by(agent, self.mask_of(games.ids[0, : games.counts[0]] if is_asked else []))

    def render(self) -> str | None:
        return self.describe(self.agent_selection) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


class RulesParallelEnv(GameOfAgents, pettingzoo.ParallelEnv):  # type: ignore[misc,name-defined]
    """All agents at once. Made by `parallel_env`."""

    def __init__(self, games: Games, max_cycles: int | None, illegal: str, render_mode: str | None) -> None:
        waits = games.many._batch.positions.table.waits.values()
        if not all(isinstance(wait, TogetherWait) for wait in waits if isinstance(wait, DecisionWait)):
            raise ValueError("in these rules somebody chooses alone: `env` has them, `parallel_env` does not")
        if isinstance(games, SteppedGames):
            raise ValueError("so many answers are given in steps, which `env` does, `parallel_env` does not")
        super().__init__(games, max_cycles, illegal, render_mode)
        self.metadata["is_parallelizable"] = True

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        self.begin(seed)
        self._offered = self._offers()
        return self._observations_now(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[Any, Any, Any, Any, Any]:
        agents, is_lost = self.agents, False
        rewards = dict.fromkeys(agents, 0.0)
        for agent in self._offered:
            if not is_lost and not self.choose(actions[agent], agent):
                rewards, is_lost = self.punish(agent), True
        is_over = is_lost or self.is_over
        if self.is_over:
            rewards = self.rewards_now()
        is_cut = not is_over and self._steps >= self.max_steps
        self._offered = {} if is_over else self._offers()
        seen = self._observations_now()
        self.agents = [] if is_over or is_cut else agents
        ended, cut = dict.fromkeys(agents, is_over), dict.fromkeys(agents, is_cut)
        return seen, rewards, ended, cut, {agent: {} for agent in agents}

    def _observations_now(self) -> dict[str, Any]:
        return {agent: self.seen_by(agent, self.mask_of(self._offered.get(agent, []))) for agent in self.agents}

    def _offers(self) -> dict[str, Any]:
        """What each may choose who is asked now. None of them knows of the others' choices: they are looked at behind
        any answer of those before, in a copy."""
        games = self.games
        batch, number_options = games.many._batch, games.many._numbered().number_options
        rows, streams = games.rows.copy(), games.streams.copy()
        found: dict[str, Any] = {}
        while True:
            seat = int(batch.deciding(rows)[0])
            if seat < 1 or (found and not has_chosen_before(batch, rows)):
                return found
            ids, counts = number_options(rows)
            found[self.possible_agents[seat - 1]] = ids[0, : counts[0]].copy()
            if batch.play_on(rows, numpy.zeros(1, dtype=numpy.int64), streams)[0] <= OVER:
                return found

    def render(self) -> str | None:
        return self.describe(self.possible_agents[0]) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


def has_chosen_before(batch: Any, rows: Any) -> bool:
    """Whether somebody has already chosen at this moment."""
    question, _ = batch.positions.questions_by_number[int(batch.read_named_field(rows, "pc")[0, 0])]
    return question.at is not None and bool(batch.read_field(rows, question.at)[0, 0])
