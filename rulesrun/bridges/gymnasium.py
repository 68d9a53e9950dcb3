"""A rulebook as environments of Gymnasium: one seat against our bots (`env`), or thousands of games (`vector_env`).

What is seen are whole numbers, from the seat's own point of view; what may be done stands in `info["action_mask"]`.
`pip install 'rulesrun[gymnasium]'`.
"""

from __future__ import annotations

from typing import Any

import numpy

from rulesrun.api import Decision, End, IllegalChoice, Position, Rulebook, load
from rulesrun.bridges.extras import import_tool
from rulesrun.bridges.games import ILLEGAL, LOSE, MOST_DEALS, MOST_STEPS, OVER, RAISE, Games, check_illegal
from rulesrun.bridges.gym_spaces import action_space, observed_space
from rulesrun.interpreter.model.random import Streams
from rulesrun.records.recall import answers_of
from rulesrun.run.bot_engines import make_think
from rulesrun.table.seated_bots import SeatedBots

gymnasium = import_tool("gymnasium", "gymnasium")
batching = import_tool("gymnasium.vector.utils", "gymnasium")


def env(
    rules: Rulebook | str, players: int | None = None, *, seat: int = 1, opponents: str = "random",
    reward: str | None = None, max_steps: int | None = None, illegal: str = LOSE, in_steps: bool = False,
    render_mode: str | None = None, **options: object,
) -> SeatEnv:
    """One seat is the learner's, and a bot sits at each of the others: `random`, `greedy`, `mcts:50`, or any other that
    `rulesrun simulate --seats` knows. `max_steps`: the game is cut off after so many decisions of the learner.
    `reward`, `illegal`, `in_steps`: as in `rulesrun.bridges.pettingzoo.env`, but an illegal action loses by default."""
    rules = load(rules) if isinstance(rules, str) else rules
    games = Games.of_one(rules, players, options, reward, in_steps)
    return SeatEnv(rules, games, options, seat, opponents, max_steps, illegal, render_mode)


def vector_env(
    rules: Rulebook | str, players: int | None = None, *, num_envs: int = 1024, reward: str | None = None,
    max_steps: int | None = None, in_steps: bool = False, **options: object,
) -> RulesVectorEnv:
    """Many games at once. Each step is one decision in every game, by whoever is to choose there.

    `info["seat"]`: whose decision it is, from 1. `info["action_mask"]` is overwritten by the next step: copy it to keep
    it. The reward belongs to whoever has just chosen. Where a game has ended, `info["returns"]` has what every seat
    got, and the game begins again in the same step.
    """
    return RulesVectorEnv(Games.of_table(rules, players, options, num_envs, reward, in_steps), max_steps)


class SeatEnv(gymnasium.Env):  # type: ignore[misc,name-defined]
    """One seat of a table. Made by `env`."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self, rules: Rulebook, games: Games, options: dict[str, object], seat: int, opponents: str,
        max_steps: int | None, illegal: str, render_mode: str | None,
    ) -> None:
        if seat not in range(1, games.players + 1):
            raise ValueError(f"there is no player {seat}")
        check_illegal(illegal)
        self.illegal = illegal
        self.rules, self.games, self.options, self.seat = rules, games, options, seat
        self.opponents, self.render_mode = opponents, render_mode
        self.max_steps = MOST_STEPS if max_steps is None else max_steps
        self.actions, self.layout = games.actions, games.layout
        self.observation_space, self.action_space = observed_space(games), action_space(games)
        table = games.many._batch.positions.table
        self._bots = SeatedBots(table, make_think(table, "auto"))
        self._bots.bot(opponents)  # says so at once where there is none of that name
        self._position: Position | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.games.begin_all()
        for _ in range(MOST_DEALS):  # until the seat has to choose
            chance = int(self.np_random.integers(1 << 62))
            self._streams, self._steps, self._has_lost = Streams(chance), 0, False
            self._position = self.rules.start(self.games.players, self.options, chance, engine="native")
            self._play_others()
            if not self._is_over:
                break
        return self._seen(), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        position = self._position
        if position is None or self._is_over:
            raise RuntimeError("the game is over: `reset` begins another")
        legal = self.games.legal_at(position)
        number = int(action)
        if number not in legal:
            if self.illegal == LOSE:
                self._has_lost = True
                return self._seen(), -1.0, True, False, self._info()
            if self.illegal == RAISE:
                raise IllegalChoice(f"player {self.seat} may not choose {self.actions[number]} here")
            number = legal[0]
        self._position = self.games.apply_at(position, number)
        self._steps += 1
        self._play_others()
        is_over = self._is_over
        return self._seen(), self._reward() if is_over else 0.0, is_over, self._is_late and not is_over, self._info()

    @property
    def _is_over(self) -> bool:
        assert self._position is not None
        return self._has_lost or isinstance(self._position.pending, End)

    @property
    def _is_late(self) -> bool:
        return self._steps >= self.max_steps

    def _play_others(self) -> None:
        """Up to the seat's own decision; the first seat answers for the team."""
        assert self._position is not None
        while isinstance(asked := self._position.pending, Decision) and max(asked.player, 1) != self.seat:
            answers = answers_of(self._position._remembered.path)
            thought = self._bots.begin_thought(
                self.opponents, max(asked.player, 1), asked.player, len(answers), len(self._position.legal()),
                self._streams, answers,
            )
            self._streams.random_below(1 << 32, "the next bot")
            self._position = self._position.apply(thought.choose())

    def _row(self) -> Any:
        assert self._position is not None
        return numpy.frombuffer(bytearray(memory_of(self._position)), dtype=numpy.uint8)[None, :]

    def _seen(self) -> Any:
        self.games.rows[:] = self._row()
        self.games.find_movers()
        return self.games.observe_seat(self.seat - 1)[0]

    def _reward(self) -> float:
        return float(self.games.rewards(slice(None))[0, self.seat - 1])

    def _info(self) -> dict[str, Any]:
        assert self._position is not None
        mask = numpy.zeros(len(self.actions), dtype=numpy.int8)
        mask[list(self.games.legal_at(self._position))] = 1
        return {"action_mask": mask}

    def render(self) -> str | None:
        if self.render_mode != "ansi" or self._position is None:
            return None
        return "\n".join(f"{name}: {told}" for name, told in self._position.observe(self.seat).now.items())


def memory_of(position: Position) -> bytes:
    """The block of a position in machine code."""
    from rulesrun.api.native_position import NativePosition

    if not isinstance(position, NativePosition):
        raise RuntimeError("this game left machine code for the reference; it cannot be gone on with here")
    return position._memory


class RulesVectorEnv(gymnasium.vector.VectorEnv):  # type: ignore[misc,name-defined]
    """Many games at once. Made by `vector_env`."""

    metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(self, games: Games, max_steps: int | None) -> None:
        self.games, self.num_envs = games, games.amount
        self.max_steps = MOST_STEPS if max_steps is None else min(max_steps, MOST_STEPS)
        self.actions, self.layout = games.actions, games.layout
        self.single_observation_space, self.single_action_space = observed_space(games), action_space(games)
        self.observation_space = batching.batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batching.batch_space(self.single_action_space, self.num_envs)
        self._steps = numpy.zeros(self.num_envs, dtype=numpy.int64)
        self._has_begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None or not self._has_begun:
            self.games.seed(int(self.np_random.integers(1 << 62)))
        self._has_begun = True
        self._steps[:] = 0
        self.games.begin_all()
        return self.games.observe_movers(), self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        games, movers = self.games, self.games.movers
        found = games.answer(actions)
        if (found == ILLEGAL).any():
            at = int(numpy.flatnonzero(found == ILLEGAL)[0])
            raise IllegalChoice(f"action {numpy.asarray(actions)[at]} is not allowed in game {at}")
        self._steps += 1
        terminated = found == OVER
        truncated = ~terminated & (self._steps >= self.max_steps)
        rewards, info = numpy.zeros(self.num_envs), {}
        ended = numpy.flatnonzero(terminated | truncated)
        if len(ended):
            over, seen = numpy.flatnonzero(terminated), games.observe_seat(0, ended)
            returns = numpy.zeros((self.num_envs, games.players))
            returns[over] = games.rewards(over)
            rewards[over] = returns[over, movers[over]]
            info = {"returns": returns, "_returns": terminated, "final_obs": seen, "_final_obs": terminated | truncated}
            games.begin_again(ended)
            self._steps[ended] = 0
        games.list_answers()
        return games.observe_movers(), rewards, terminated, truncated, {**info, **self._info()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.games.mark_legal(), "seat": self.games.movers + 1}

    def sample_legal(self) -> Any:
        """A random legal action for each game."""
        games = self.games
        picked = (self.np_random.random(self.num_envs) * games.counts).astype(numpy.int64)
        return games.ids[numpy.arange(self.num_envs), picked]
