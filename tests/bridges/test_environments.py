"""Environments of PettingZoo and Gymnasium: their own tests of environments, and ours of what the numbers mean."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from types import SimpleNamespace
from typing import Any

import pytest

import rulesrun

numpy = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import (  # noqa: E402
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    seed_test,
)
from pettingzoo.test.api_test import play_test  # noqa: E402

from rulesrun.bridges import gymnasium as single  # noqa: E402
from rulesrun.bridges import pettingzoo as agents  # noqa: E402
from tests.bridges.bundled import BUNDLED  # noqa: E402
from tests.bridges.test_action_numbers import MELDS  # noqa: E402
from tests.test_idioms import GAMES  # noqa: E402

SAMPLE = [("classics/kuhn", 3), ("classics/goofspiel", 2), ("zero", 2), ("the_game", 2)]
LONGER = {"throws": 9, "battles": 10}  # so that games can be cut off
# What PettingZoo says of its own environments with a mask beside the observation, too; it knows those by name.
EXPECTED = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
# check_env wants environments made by their registered name; ours are made of a rulebook.
OF_NO_SPEC = ("Not able to test alternative render modes due to the environment not having a spec",)


@contextlib.contextmanager
def no_new_warnings(*expected: str) -> Any:
    with warnings.catch_warnings(record=True) as found, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        yield
    told = {str(one.message) for one in found}
    assert not {one for one in told if not any(known in one for known in expected)}


def check_environment(name: str, players: int, cycles: int) -> None:
    check_rules(rulesrun.load(name), players, cycles)


def check_rules(rules: rulesrun.Rulebook, players: int, cycles: int) -> None:
    with no_new_warnings(*EXPECTED):
        env = agents.env(rules, players, render_mode="ansi")
        api_test(env, num_cycles=cycles)
        play_games(env, cycles)
        seed_test(lambda: agents.env(rules, players), num_cycles=min(cycles, 500))
    try:
        agents.parallel_env(rules, players)
    except ValueError as alone:
        assert "somebody chooses alone" in str(alone)  # noqa: PT017
        return
    with no_new_warnings(*EXPECTED):
        parallel_api_test(agents.parallel_env(rules, players), num_cycles=cycles)
        parallel_seed_test(lambda: agents.parallel_env(rules, players), num_cycles=min(cycles, 500))
        check_cycles(rules, players)


def play_games(env: Any, choices: int) -> None:
    """`api_test` is over with its first game, however many cycles it is given: the same checks in one game after the
    other, until so many choices were made."""
    step, made = env.step, 0

    def count(action: Any) -> None:
        nonlocal made
        made += action is not None
        step(action)

    env.step = count
    while made < choices:
        env.reset()
        seen, *_ = env.last()
        play_test(env, seen["observation"], choices)


def check_cycles(rules: rulesrun.Rulebook, players: int) -> None:
    """It draws actions without looking at masks."""
    known = rules.start(players).options
    options: dict[str, Any] = {name: value for name, value in LONGER.items() if name in known}
    max_cycles_test(SimpleNamespace(
        parallel_env=lambda max_cycles: agents.parallel_env(rules, players, max_cycles=max_cycles, **options),
        env=lambda max_cycles: agents.env(rules, players, max_cycles=max_cycles, illegal="first", **options),
    ))


def check_single(rules: rulesrun.Rulebook | str, players: int) -> None:
    with no_new_warnings(*OF_NO_SPEC):
        check_env(single.env(rules, players))


@pytest.mark.parametrize(("name", "players"), SAMPLE)
def test_pettingzoo_takes_it_for_an_environment(name: str, players: int) -> None:
    check_environment(name, players, 60)


@pytest.mark.long
@pytest.mark.parametrize("name", BUNDLED)
def test_pettingzoo_takes_every_bundled_table_for_an_environment(name: str) -> None:
    for players in rulesrun.load(name).players:
        check_environment(name, players, 10_000)


@pytest.mark.parametrize(("name", "players"), SAMPLE)
def test_gymnasium_takes_it_for_an_environment(name: str, players: int) -> None:
    check_single(name, players)


@pytest.mark.long
@pytest.mark.parametrize("name", BUNDLED)
def test_gymnasium_takes_every_bundled_table_for_an_environment(name: str) -> None:
    for players in rulesrun.load(name).players:
        check_single(name, players)


@pytest.mark.long
@pytest.mark.parametrize("text", GAMES, ids=[re.findall('game "(.*)"', text)[0] for text in GAMES])
def test_every_game_of_the_idioms_is_an_environment(text: str) -> None:
    rules = rulesrun.loads(text)
    for players in rules.players:
        check_rules(rules, players, 1_000)
        check_single(rules, players)


def test_rewards_are_the_scores_of_the_game_that_was_played() -> None:
    """Kuhn, by hand: both bet, and the higher card wins two from the other."""
    env = agents.env("classics/kuhn", 2)
    words = {choice.action: number for number, choice in enumerate(env.actions)}
    for seed in range(20):
        env.reset(seed=seed)
        cards = {
            agent: int(env.observe(agent)["observation"][part.offset])
            for agent in env.agents for part in env.layout if part.name == "hand[me]"
        }
        env.step(words["bet"])
        env.step(words["call"])
        assert all(env.terminations.values())
        winner = max(cards, key=lambda agent: cards[agent])
        assert env.rewards == {agent: 2.0 if agent == winner else -2.0 for agent in cards}


@pytest.mark.parametrize(("reward", "first", "last"), [("win", 1.0, 0.0), ("place", 1.0, -1.0), ("team", 0.0, 0.0)])
def test_rewards_by_what_they_are_to_be(reward: str, first: float, last: float) -> None:
    env = agents.env("classics/kuhn", 2, reward=reward)
    words = {choice.action: number for number, choice in enumerate(env.actions)}
    env.reset(seed=1)
    env.step(words["bet"])
    env.step(words["fold"])
    assert list(env.rewards.values()) == [first, last]


def test_a_low_total_that_wins_is_rewarded_as_the_first_place() -> None:
    """In Zero the fewest points win: unless told, the place is the reward."""
    env = agents.env("zero", 3)
    assert env.games.reward == "place"
    assert agents.env("classics/leduc", 2).games.reward == "score"
    with pytest.raises(ValueError, match="there is no reward `luck`"):
        agents.env("zero", 3, reward="luck")


def test_what_the_mask_does_not_allow_is_refused_or_loses() -> None:
    env = agents.env("classics/kuhn", 2)
    words = {choice.action: number for number, choice in enumerate(env.actions)}
    env.reset(seed=1)
    with pytest.raises(rulesrun.IllegalChoice, match="player_1 may not choose"):
        env.step(words["call"])
    lost = agents.env("classics/kuhn", 2, illegal="lose")
    lost.reset(seed=1)
    lost.step(words["call"])
    assert lost.rewards == {"player_1": -1.0, "player_2": 0.0}
    assert all(lost.terminations.values())


def test_nobody_sees_in_the_parallel_environment_what_another_has_chosen() -> None:
    env = agents.parallel_env("classics/rock_paper_scissors", 2, throws=2)
    results = {}
    for sign in range(3):
        env.reset(seed=1)
        _seen, rewards, over, *_ = env.step({"player_1": sign, "player_2": 0})
        results[sign] = (rewards["player_1"], over["player_1"])
    assert [over for _, over in results.values()] == [False] * 3
    env.reset(seed=1)
    _, rewards, over, *_ = env.step({"player_1": 1, "player_2": 0})
    _, rewards, over, *_ = env.step({"player_1": 1, "player_2": 0})
    assert all(over.values())
    assert rewards["player_1"] == -rewards["player_2"] != 0


def test_many_games_begin_again_and_pay_out_what_they_are_worth() -> None:
    """Random Leduc: every ended game pays the two together nothing; each step is one decision."""
    games = single.vector_env("classics/leduc", 2, num_envs=256)
    _, info = games.reset(seed=5)
    ended = 0
    for _ in range(60):
        mask, seat, action = info["action_mask"].copy(), info["seat"].copy(), games.sample_legal()
        assert mask[numpy.arange(256), action].all()
        assert (mask.sum(axis=1) == games.games.counts).all()
        seen, reward, over, cut, info = games.step(action)
        assert games.observation_space.contains(seen)
        assert not cut.any()
        if over.any():
            ended += over.sum()
            assert (info["returns"].sum(axis=1) == 0).all()
            at = numpy.flatnonzero(over)
            assert (reward[at] == info["returns"][at, seat[at] - 1]).all()
        assert (reward[~over] == 0).all()
    assert ended > 1_000


@pytest.mark.parametrize("in_steps", [False, True])
def test_what_was_seen_last_is_what_the_first_seat_sees_of_all_games(
    in_steps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the games that have ended alone, or of all: the same."""
    games = single.vector_env("classics/leduc", num_envs=40, in_steps=in_steps, max_steps=4)
    kind, seen = type(games.games), []
    begin_again = kind.begin_again

    def note(own: Any, which: Any) -> None:
        seen.append(own.observe_seat(0)[which])
        begin_again(own, which)

    games.reset(seed=3)
    monkeypatch.setattr(kind, "begin_again", note)
    for _ in range(6):
        _, _, terminated, truncated, info = games.step(games.sample_legal())
        if (terminated | truncated).any():
            assert (info["final_obs"] == seen[-1]).all()
    assert len(seen) > 2


def test_the_same_seed_gives_the_same_games() -> None:
    def play(seed: int) -> list[bytes]:
        games = single.vector_env("zero", 3, num_envs=64)
        seen, _ = games.reset(seed=seed)
        found = [seen.tobytes()]
        for _ in range(30):
            seen, reward, *_ = games.step(games.sample_legal())
            found += [seen.tobytes(), reward.tobytes()]
        return found

    assert play(3) == play(3)
    assert play(3) != play(4)


def test_rows_play_the_same_game_as_positions() -> None:
    """A hundred games of Leduc by the same answers, chance included: scores agree at every end."""
    rules = rulesrun.load("classics/leduc")
    many, chance = rules.many(2), numpy.random.default_rng(1)
    for _ in range(100):
        rows, position = many.start(1), rules.start(2, engine="reference")
        while len(position.legal()):
            answer = int(chance.integers(len(position.legal())))
            position = position.apply(answer)
            many.apply(rows, [answer])
        result = position.result()
        assert result is not None
        assert list(result.scores.values()) == many.scores(rows)[0].tolist()


def test_a_seat_plays_against_bots() -> None:
    env = single.env("classics/tic_tac_toe", 2, seat=2, opponents="mcts:30")
    lost = 0
    for seed in range(6):
        _, info = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            _, reward, over, _, info = env.step(int(numpy.flatnonzero(info["action_mask"])[0]))
        lost += reward < 0
    assert lost >= 4  # whoever takes the first free square loses to one that searches
    with pytest.raises(Exception, match="nobody"):
        single.env("classics/kuhn", 2, opponents="nobody")


STEPPED = [("zero", 2), ("hourglass", 2), ("classics/goofspiel", 2)]


@pytest.mark.parametrize(("name", "players"), STEPPED)
def test_answers_in_steps_are_an_environment(name: str, players: int) -> None:
    rules = rulesrun.load(name)
    with no_new_warnings(*EXPECTED):
        api_test(agents.env(rules, players, in_steps=True), num_cycles=40)
        seed_test(lambda: agents.env(rules, players, in_steps=True), num_cycles=40)
    with no_new_warnings(*OF_NO_SPEC):
        check_env(single.env(rules, players, in_steps=True))


def test_answers_in_steps_lead_to_the_same_games() -> None:
    """The same answers, said at once and in steps, with the same chance."""
    rules, chance = rulesrun.load("zero"), numpy.random.default_rng(2)
    steps, whole = agents.env(rules, 2, in_steps=True), agents.env(rules, 2)
    assert len(steps.actions) == 4 + 56
    for seed in range(3):
        steps.reset(seed=seed)
        whole.reset(seed=seed)
        while not any(whole.terminations.values()):
            agent = whole.agent_selection
            number = int(chance.choice(numpy.flatnonzero(whole.observe(agent)["action_mask"])))
            for word in (whole.actions[number].action, *(value for _, value in whole.actions[number].arguments)):
                assert steps.agent_selection == agent
                said = steps.observe(agent)
                legal = numpy.flatnonzero(said["action_mask"])
                assert len(said["observation"]) == sum(part.amount for part in steps.layout)
                steps.step(next(int(one) for one in legal if steps.actions[one] == word))
            whole.step(number)
        assert steps.rewards == whole.rewards


def test_only_who_is_to_choose_sees_what_was_said_so_far() -> None:
    env = agents.env("zero", 2, in_steps=True)
    env.reset(seed=3)
    said = next(part for part in env.layout if part.name == "said so far")
    columns, agent = slice(said.offset, said.offset + said.amount), env.agent_selection
    other = next(one for one in env.agents if one != agent)
    exchange = next(at for at, word in enumerate(env.actions) if word == "exchange")
    assert (env.observe(agent)["observation"][columns] == -1).all()
    env.step(exchange)
    assert env.agent_selection == agent
    assert env.observe(agent)["observation"][columns][0] == exchange
    assert (env.observe(other)["observation"][columns] == -1).all()


def test_more_answers_than_have_numbers_are_given_in_steps() -> None:
    """Lists of up to sixteen of four ranks: some thousand million."""
    text = MELDS.replace("(list of n over n in 1..2), {3}", "(list of rank over hand), {3}").replace("1..3", "1..4")
    rules = rulesrun.loads(text)
    with pytest.raises(rulesrun.TooManyActions):
        rules.actions(2)
    with no_new_warnings(*EXPECTED):
        api_test(agents.env(rules, 2), num_cycles=60)
        seed_test(lambda: agents.env(rules, 2), num_cycles=60)
    with no_new_warnings(*OF_NO_SPEC):
        check_env(single.env(rules, 2))
    games = single.vector_env(rules, 2, num_envs=8)
    games.reset(seed=1)
    ended = 0
    for _ in range(120):
        *_, terminated, _, _ = games.step(games.sample_legal())
        ended += terminated.sum()
    assert ended > 8


OFTEN_OVER = """
rules 1
game "Often over"
players 2
number die: 1..6 = 1
number guess of player: 1..6 = 1
setup
  roll die
phase guessing: one turn each from 1
  choose guess_it if possible
action guess_it(n in 1..6)
  needs die = 6
  guess becomes n
score at end
  x = guess
ranking: highest total, ties share
"""


def test_a_deal_at_which_nobody_chooses_is_dealt_anew() -> None:
    rules = rulesrun.loads(OFTEN_OVER)
    env, alone = agents.env(rules, 2), single.env(rules, 2, seat=2)
    games = single.vector_env(rules, 2, num_envs=64)
    for seed in range(20):
        env.reset(seed=seed)
        assert not any(env.terminations.values())
        assert alone.reset(seed=seed)[1]["action_mask"].any()
    games.reset(seed=1)
    for _ in range(20):
        *_, info = games.step(games.sample_legal())
        assert info["action_mask"].any(axis=1).all()
