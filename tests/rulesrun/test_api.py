"""The Python API: positions never change, choices are refused with a reason, observations tell no secret."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import count
from random import Random

import pytest

import rulesrun
from tests.rulesrun.conftest import TINY


def played(position: rulesrun.Position, chance: Random) -> rulesrun.Position:
    while not isinstance(position.pending, rulesrun.End):
        position = position.apply(chance.randrange(len(position.legal())))
    return position


def test_a_whole_game_by_hand() -> None:
    position = rulesrun.load("classics/kuhn").start(players=2)
    assert isinstance(position.pending, rulesrun.Chance)
    assert [outcome.odds for outcome in position.legal()] == [Fraction(1, 3)] * 3
    position = position.apply(2)
    assert [outcome.odds for outcome in position.legal()] == [Fraction(1, 2)] * 2
    position = position.apply(0)
    assert position.pending == rulesrun.Decision(player=1, together=())
    assert [choice.action for choice in position.legal()] == ["pass", "bet"]
    position = position.apply(rulesrun.Choice("bet"))
    assert position.pending == rulesrun.Decision(player=2, together=())
    position = position.apply(rulesrun.Choice("call"))
    assert isinstance(position.pending, rulesrun.End)
    result = position.result()
    assert result is not None
    assert result.scores == {1: 2, 2: -2}
    assert result.places == ((1,), (2,))


def test_the_same_seed_gives_the_same_chance_and_apply_changes_nothing() -> None:
    rules = rulesrun.load("zero")
    first, second = rules.start(players=3, seed=7), rules.start(players=3, seed=7)
    assert first == second
    assert hash(first) == hash(second)
    assert isinstance(first.pending, rulesrun.Decision)
    before = json.dumps(first.to_json())
    later = first.apply(0)
    assert later != first
    assert json.dumps(first.to_json()) == before
    assert second.apply(0) == later


def test_a_choice_that_is_not_legal_is_refused_with_the_reason() -> None:
    rules = rulesrun.load("classics/tic_tac_toe")
    corner = rulesrun.Choice("mark", (("square", "a1"),))
    position = rules.start().apply(corner)
    with pytest.raises(rulesrun.IllegalChoice, match="already taken"):
        position.apply(corner)
    with pytest.raises(rulesrun.IllegalChoice):
        position.apply(rulesrun.Choice("castle"))
    with pytest.raises(rulesrun.IllegalChoice):
        position.apply(99)
    assert len(position.legal()) == 8


def test_an_observation_holds_the_own_hand_and_no_other() -> None:
    rules = rulesrun.load("classics/kuhn")
    start = rules.start(players=2)
    low, high = start.apply(0), start.apply(2)  # player 1 holds another card, player 2 the same
    low, high = low.apply(0), high.apply(1)  # 1 and 2; 3 and 2
    assert low.observe(2) == high.observe(2)
    assert low.observe(1) != high.observe(1)
    assert not hasattr(low.observe(1), "position")


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_what_is_seen_now_is_the_last_view_of_all(engine: str) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite")
    position = rulesrun.load("zero").start(players=3, seed=5, engine=engine)
    for _ in range(25):
        assert isinstance(position.pending, rulesrun.Decision)
        seen = position.observe(position.pending.player)
        assert seen.now == [event["view"] for event in seen.events() if "view" in event][-1]
        position = position.apply(len(position.legal()) - 2)


def test_an_observation_remembers_what_was_seen() -> None:
    rules = rulesrun.load("zero")
    position = rules.start(players=2, seed=3)
    passes = next(choice for choice in position.legal() if choice.action == "pass")
    exchange = position.legal()[0]
    assert exchange.action == "exchange"
    player = position.pending.player  # type: ignore[union-attr]
    after = {choice: position.apply(choice).observe(3 - player) for choice in (passes, exchange)}
    assert after[passes] != after[exchange]
    assert len({hash(one) for one in after.values()}) == 2


@pytest.mark.parametrize("name", ["zero", "classics/kuhn", "classics/goofspiel", "classics/tic_tac_toe"])
def test_a_position_is_saved_and_read_back_anywhere_in_a_game(name: str) -> None:
    rules = rulesrun.load(name)
    chance = Random(1)
    position = rules.start(seed=5)
    for moves in count():
        if isinstance(position.pending, rulesrun.End):
            break
        if moves > 5 and moves % 20:
            position = position.apply(chance.randrange(len(position.legal())))
            continue
        document = json.loads(json.dumps(position.to_json()))
        again = rules.position(document)
        assert again == position
        assert again.legal() == position.legal()
        for player in range(1, position.players + 1):
            assert again.observe(player) == position.observe(player)
        position = position.apply(chance.randrange(len(position.legal())))
    assert position.result() is not None
    assert rules.position(json.loads(json.dumps(position.to_json()))).result() == position.result()


@pytest.mark.parametrize("document", [{}, {"players": 2}, [], None, {"players": 99, "options": {}, "state": {}}])
def test_nonsense_is_no_position(document: object) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        rulesrun.load("classics/kuhn").position(document)  # type: ignore[arg-type]


def test_mistakes_in_rules_are_told_with_their_places() -> None:
    with pytest.raises(rulesrun.RulesError) as refusal:
        rulesrun.loads(TINY.replace("from deck to each hand", "from dekc to each hand"))
    (found,) = [one for one in refusal.value.diagnostics if one["severity"] == "error"]
    assert (found["line"], found["column"]) == (13, 15)
    assert "dekc" in str(refusal.value)


def test_options_and_players_are_held_to_the_rules() -> None:
    rules = rulesrun.load("zero")
    assert list(rules.players) == [2, 3, 4, 5]
    with pytest.raises(rulesrun.RulesError):
        rules.start(players=6)
    with pytest.raises(rulesrun.RulesError):
        rules.start(options={"first": "third"})
    with pytest.raises(rulesrun.RulesError):
        rules.start(options={"nothing_like_it": 1})
    assert rules.start(options={"first_game": True}, seed=1) == rules.start(options={"first_game": "yes"}, seed=1)


def test_a_file_that_is_not_there_is_an_os_error() -> None:
    with pytest.raises(OSError, match="no such file"):
        rulesrun.load("nothing/here.rules")


def test_the_public_names_are_there_and_typed() -> None:
    for name in rulesrun.__all__:
        assert getattr(rulesrun, name).__doc__
    assert set(rulesrun.__all__) <= set(dir(rulesrun))
