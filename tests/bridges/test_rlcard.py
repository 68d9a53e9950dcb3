"""An environment as RLCard's agents know it."""

from __future__ import annotations

from typing import Any

import pytest

import rulesrun

numpy = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

from rulesrun.bridges.rlcard import RulesEnv  # noqa: E402


class AnyAgent:
    """What RLCard asks of an agent."""

    use_raw = False

    def __init__(self) -> None:
        self.chance = numpy.random.default_rng(1)

    def step(self, state: dict[str, Any]) -> int:
        return int(self.chance.choice(list(state["legal_actions"])))

    def eval_step(self, state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return self.step(state), {}


def test_agents_play_whole_games() -> None:
    env = RulesEnv("classics/leduc", 2, seed=3)
    env.set_agents([AnyAgent(), AnyAgent()])
    for is_training in (True, False) * 20:
        told, payoffs = env.run(is_training)
        assert payoffs.sum() == 0
        for states in told:
            assert len(states) % 2 == 1
            assert all(state["obs"].shape == (env.state_shape[0][0],) for state in states[::2])
            pairs = zip(states[::2], states[1::2], strict=False)
            assert all(action in state["legal_actions"] for state, action in pairs)


def test_a_step_back_is_where_one_was() -> None:
    env = RulesEnv("zero", 2, seed=1, allow_step_back=True)
    state, player = env.reset()
    for number in list(state["legal_actions"])[:5]:
        env.step(number)
        back = env.step_back()
        assert isinstance(back, tuple)
        assert back[1] == player
        assert (back[0]["obs"] == state["obs"]).all()
        assert back[0]["legal_actions"] == state["legal_actions"]
    assert env.step_back() is False


def test_what_is_not_allowed_is_refused() -> None:
    env = RulesEnv("classics/kuhn", 2)
    env.reset()
    with pytest.raises(ValueError, match="may not choose"):
        env.step(rulesrun.Choice("call"), raw_action=True)
