"""A rulebook as a game of OpenSpiel: OpenSpiel's own tests, its own Kuhn poker beside ours, one game five ways."""

from __future__ import annotations

import sys
import unittest
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import rulesrun

numpy = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")
pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import cfr, exploitability, get_all_states  # noqa: E402

from rulesrun.bridges import openspiel  # noqa: E402
from tests.bridges.bundled import BUNDLED  # noqa: E402

SMALL = [("classics/kuhn", 2), ("classics/rock_paper_scissors", 2)]
LARGER = [("classics/kuhn", 3), ("classics/leduc", 2)]


def load_small(name: str, players: int) -> Any:
    openspiel.register()
    return pyspiel.load_game(f"{openspiel.NAME}(rules={name},players={players})")


def states_of(game: Any) -> list[Any]:
    found = get_all_states.get_all_states(
        game, depth_limit=-1, include_terminals=True, include_chance_states=True, to_string=str
    )
    return list(found.values())


@pytest.mark.parametrize(("name", "players"), SMALL[-1:])
def test_random_games_pass_their_checks(name: str, players: int) -> None:
    pyspiel.random_sim_test(load_small(name, players), num_sims=1, serialize=True, verbose=False)


@pytest.mark.long
@pytest.mark.parametrize("name", BUNDLED)
def test_random_games_of_every_bundled_table_pass_their_checks(name: str) -> None:
    for players in rulesrun.load(name).players:
        try:
            game = openspiel.load_game(name, players, limit=5_000)
        except rulesrun.TooManyActions:  # OpenSpiel knows one number an answer, no steps
            assert name == "gallery/gin_rummy"
            continue
        pyspiel.random_sim_test(game, num_sims=3, serialize=name.startswith("classics"), verbose=False)


def test_kuhn_is_as_far_from_equilibrium_as_their_own() -> None:
    """The same algorithm on both: 20 rounds of CFR+, the same number to the last digits."""
    assert abs(nash_conv(load_small("classics/kuhn", 2), 20) - nash_conv(pyspiel.load_game("kuhn_poker"), 20)) < 1e-12


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "own", "rounds"), [
    ("classics/kuhn", 2, "kuhn_poker", 200), ("classics/leduc", 2, "leduc_poker(suit_isomorphism=True)", 200),
])
def test_strategies_are_as_far_from_equilibrium_as_theirs(name: str, players: int, own: str, rounds: int) -> None:
    assert abs(nash_conv(load_small(name, players), rounds) - nash_conv(pyspiel.load_game(own), rounds)) < 1e-12


def nash_conv(game: Any, rounds: int) -> float:
    solver = cfr.CFRPlusSolver(game)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    return float(exploitability.nash_conv(game, solver.average_policy()))


def test_what_is_said_of_the_game_is_proved_or_left_open() -> None:
    kuhn = load_small("classics/kuhn", 2)
    assert kuhn.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert (kuhn.min_utility(), kuhn.max_utility(), kuhn.max_game_length()) == (-2, 2, 3)
    unknown = openspiel.load_game("classics/goofspiel", 2, reward="score", limit=100)
    assert unknown.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert not unknown.get_type().provides_information_state_tensor
    together = openspiel.load_game("the_game", 2, limit=100)
    assert together.get_type().utility == pyspiel.GameType.Utility.IDENTICAL


@pytest.mark.parametrize(("name", "players"), SMALL)
def test_tensors_tell_apart_exactly_what_texts_tell_apart(name: str, players: int) -> None:
    """Both of perfect recall: one tensor for each text, and one text for each tensor."""
    by_text: dict[str, tuple[float, ...]] = {}
    by_tensor: dict[tuple[float, ...], str] = {}
    for state in states_of(load_small(name, players)):
        if not state.is_chance_node() and not state.is_terminal():
            player = state.current_player()
            text, tensor = state.information_state_string(), tuple(state.information_state_tensor())
            assert by_text.setdefault(text, tensor) == tensor
            assert by_tensor.setdefault(tensor, text) == text
            assert len(state.observation_tensor(player)) == state.get_game().observation_tensor_size()
    tree = rulesrun.load(name).tree(players=players).to_json()
    assert len(by_text) == sum(tree["information_sets"].values())


def test_the_other_player_sees_nothing_of_a_hidden_choice() -> None:
    game = load_small("classics/rock_paper_scissors", 2)
    seen = []
    for action in game.new_initial_state().legal_actions():
        state = game.new_initial_state()
        state.apply_action(action)
        seen.append((
            state.information_state_string(1), state.observation_string(1), tuple(state.information_state_tensor(1)),
            tuple(state.observation_tensor(1)),
        ))
    assert len(seen) == 3
    assert all(one == another for one, another in pairwise(seen))


def test_copies_and_kept_states_go_on_alike() -> None:
    game = load_small("classics/leduc", 2)
    state = game.new_initial_state()
    for step in range(4):
        state.apply_action(state.legal_actions()[step % len(state.legal_actions())])
        kept = pyspiel.serialize_game_and_state(game, state)
        _, again = pyspiel.deserialize_game_and_state(kept)
        assert str(again) == str(state.clone()) == str(state)
        assert again.legal_actions() == state.legal_actions()


@pytest.mark.parametrize("name", ["classics/kuhn", "classics/leduc"])
def test_histories_and_returns_are_those_of_the_rules(name: str) -> None:
    """The same random answers to OpenSpiel's state, a position of the reference, and rows."""
    rules, game = rulesrun.load(name), load_small(name, 2)
    many, actions, chance = rules.many(2), rules.actions(2), numpy.random.default_rng(3)
    for _ in range(60):
        state, position, rows = game.new_initial_state(), rules.start(2, engine="reference"), many.start(1)
        while not state.is_terminal():
            index = int(chance.integers(len(position.legal())))
            state.apply_action(index if state.is_chance_node() else actions.legal(position)[index])
            many.apply(rows, [index])
            position = position.apply(index)
        result = position.result()
        assert result is not None
        assert state.returns() == [float(score) for score in result.scores.values()] == many.scores(rows)[0].tolist()


@pytest.mark.parametrize("name", ["kuhn", "rock_paper_scissors"])
def test_playthroughs_do_not_change(name: str, update_golden: bool) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    openspiel.register()
    game = f"{openspiel.NAME}(rules=classics/{name})"
    text = generate_playthrough.playthrough(game, action_sequence=None, seed=7) + "\n"
    file = Path(__file__).with_name("playthroughs") / f"{name}.txt"
    if update_golden:
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8")


# ---- OpenSpiel's own conformance tests


def conformance_cases(monkeypatch: pytest.MonkeyPatch, name: str, players: int) -> Any:
    """Their test classes with our game in the place of theirs; what a game's tree has is known from `rulesrun tree`."""
    monkeypatch.setattr(sys, "argv", ["test"])
    api_test = pytest.importorskip("open_spiel.integration_tests.api_test")
    game = load_small(name, players)
    tree = rulesrun.load(name).tree(players=players).to_json()
    states = states_of(game)
    counts = tuple(
        sum(1 for state in states if state.is_terminal() is over and state.is_chance_node() is by_chance)
        for by_chance, over in ((True, False), (False, False), (False, True))
    )
    assert counts[2] == tree["terminals"]
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, counts)
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, sum(tree["information_sets"].values()))
    for base in (api_test.EnforceAPIOnFullTreeBase, api_test.EnforceAPIOnPartialTreeBase):
        yield type(f"Our{base.__name__}", (base,), {"game": game, "game_name": name})


@pytest.mark.parametrize(("name", "players"), SMALL)
def test_their_conformance_tests_pass(monkeypatch: pytest.MonkeyPatch, name: str, players: int) -> None:
    run_conformance_tests(monkeypatch, name, players)


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), LARGER)
def test_their_conformance_tests_pass_on_larger_tables(
    monkeypatch: pytest.MonkeyPatch, name: str, players: int
) -> None:
    run_conformance_tests(monkeypatch, name, players)


def run_conformance_tests(monkeypatch: pytest.MonkeyPatch, name: str, players: int) -> None:
    ran = 0
    for case in conformance_cases(monkeypatch, name, players):
        suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
        result = unittest.TestResult()
        suite.run(result)
        assert not result.errors, result.errors
        assert not result.failures, result.failures
        ran += result.testsRun
    assert ran == 13
