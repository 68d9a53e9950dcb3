"""One game five ways: positions, rows, agents, OpenSpiel, the tree for Gambit. The same size, the same information
sets, the same returns whatever is chosen."""

from __future__ import annotations

from typing import Any

import pytest

import rulesrun

numpy = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")
pytest.importorskip("pettingzoo")
pyspiel = pytest.importorskip("pyspiel")

from rulesrun.api.native_position import NativePosition  # noqa: E402
from rulesrun.bridges import openspiel, pettingzoo  # noqa: E402
from rulesrun.bridges.gambit import write_game  # noqa: E402
from tests.bridges.test_gambit import count_nodes, read_tree  # noqa: E402

TABLES = [("classics/kuhn", 2), ("classics/kuhn", 3), ("classics/rock_paper_scissors", 2), ("classics/leduc", 2)]
SMALL = TABLES[:3]


def size_by_positions(rules: rulesrun.Rulebook, players: int) -> tuple[int, int]:
    """Ends, and information sets by what players remember."""
    ends, seen, waiting = 0, set(), [rules.start(players)]
    while waiting:
        position = waiting.pop()
        asked = position.pending
        if isinstance(asked, rulesrun.Decision):
            seen.add((asked.player, position.observe(asked.player).history))
        ends += isinstance(asked, rulesrun.End)
        waiting += [position.apply(at) for at in range(len(position.legal()))]
    return ends, len(seen)


def ends_by_rows(rules: rulesrun.Rulebook, players: int) -> int:
    many = rules.many(players)
    rows, ends = many.start(1), 0
    while len(rows):
        over = many.is_over(rows)
        ends += int(over.sum())
        rows = rows[~over]
        amounts = many.options(rows)
        answers = numpy.arange(amounts.sum()) - numpy.repeat(numpy.cumsum(amounts) - amounts, amounts)
        rows = numpy.repeat(rows, amounts, axis=0)
        many.apply(rows, answers)
    return ends


def size_by_openspiel(name: str, players: int) -> tuple[int, int]:
    ends, seen, waiting = 0, set(), [openspiel.load_game(name, players).new_initial_state()]
    while waiting:
        state = waiting.pop()
        ends += state.is_terminal()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            seen.add(state.information_state_string())
        waiting += [state.child(action) for action in state.legal_actions()]
    return ends, len(seen)


def check_size(name: str, players: int) -> None:
    rules = rulesrun.load(name)
    tree = rules.tree(players=players).to_json()
    wanted = tree["terminals"], sum(tree["information_sets"].values())
    ends, sets = count_nodes(read_tree(write_game(rules, players)))
    assert (ends, len(sets)) == wanted
    assert size_by_positions(rules, players) == wanted
    assert size_by_openspiel(name, players) == wanted
    assert ends_by_rows(rules, players) == wanted[0]


@pytest.mark.parametrize(("name", "players"), [TABLES[0], TABLES[2]])
def test_all_ways_have_the_same_size(name: str, players: int) -> None:
    check_size(name, players)


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_all_ways_have_the_same_size_on_larger_tables(name: str, players: int) -> None:
    check_size(name, players)


def find_after_chance(position: rulesrun.Position, block: bytes) -> rulesrun.Position:
    """The position to which chance has led."""
    waiting = [position]
    while waiting:
        found = waiting.pop()
        assert isinstance(found, NativePosition)
        if not isinstance(found.pending, rulesrun.Chance):
            if found._memory == block:
                return found
            continue
        waiting += [found.apply(at) for at in range(len(found.legal()))]
    raise AssertionError("chance cannot have led there")


def check_returns(name: str, players: int, amount: int) -> None:
    """Agents play, chance is theirs; the others are told what happened."""
    rules, chance = rulesrun.load(name), numpy.random.default_rng(5)
    env, game = pettingzoo.env(name, players, reward="score"), openspiel.load_game(name, players, reward="score")
    actions, root = rules.actions(players), read_tree(write_game(rules, players))
    for seed in range(amount):
        env.reset(seed=seed)
        position, path = rules.start(players, engine="native"), []
        while env.agents and not any(env.terminations.values()):
            position = find_after_chance(position, env.games.rows[0].tobytes())
            number = int(chance.choice(numpy.flatnonzero(env.observe(env.agent_selection)["action_mask"])))
            env.step(number)
            position = actions.apply(position, number)
        position = find_after_chance(position, env.games.rows[0].tobytes())
        path = list(rulesrun_answers(position))
        result = position.result()
        assert result is not None
        wanted = [float(score) for score in result.scores.values()]
        assert list(env.rewards.values()) == wanted
        assert returns_of_state(game, rules, players, path) == wanted
        assert [float(one) for one in follow_tree(root, rules, players, path)] == wanted


def rulesrun_answers(position: rulesrun.Position) -> tuple[int, ...]:
    from rulesrun.records.recall import answers_of

    return answers_of(position._remembered.path)


def returns_of_state(game: Any, rules: rulesrun.Rulebook, players: int, path: list[int]) -> list[float]:
    state, position, actions = game.new_initial_state(), rules.start(players), rules.actions(players)
    for index in path:
        is_chance = state.is_chance_node()
        state.apply_action(index if is_chance else actions.legal(position)[index])
        position = position.apply(index)
    returns: list[float] = state.returns()
    return returns


def follow_tree(root: Any, rules: rulesrun.Rulebook, players: int, path: list[int]) -> Any:
    """What is sure is no node of the tree."""
    node, position = root, rules.start(players)
    for index in path:
        if isinstance(position.pending, rulesrun.Decision) or len(position.legal()) > 1:
            node = node[2][index][1]
        position = position.apply(index)
    assert node[0] == "t"
    return node[2]


@pytest.mark.parametrize(("name", "players"), SMALL[:2])
def test_all_ways_come_to_the_same_returns(name: str, players: int) -> None:
    check_returns(name, players, 25)


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_all_ways_come_to_the_same_returns_in_many_games(name: str, players: int) -> None:
    check_returns(name, players, 10_000)
