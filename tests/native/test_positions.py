"""Positions in machine code: the same questions, answers, points and places as the reference's, after every event."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("llvmlite")

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.native.positions.positions import NativePositions, compile_positions
from rulesrun.interpreter.play.saved_positions import state_to_json
from rulesrun.interpreter.play.step import BrokenMoment, GameOver, begin_game, next_step, pending_decision
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.records.traces import trace_random_game
from tests.interpreter.made import program, table
from tests.native.bundled import TABLES, bundled
from tests.native.made_up import made_up

STATES_EVERY = 7  # in the short mode, after every so many events


def shown(made: Table, state: Any) -> dict[str, Any]:
    found = state_to_json(made, state)
    del found["position"]
    return found


def walk(made: Table, positions: NativePositions, choose: Any, every: int = 1) -> int:
    """Plays both side by side; gives how many events there were."""
    ours, theirs, events = positions.begin_game(), begin_game(made), 0
    while True:
        assert ours.events == tuple(one for one in theirs.events if not isinstance(one, BrokenMoment))
        if events % every == 0:
            assert shown(made, positions.state_of(ours.state)) == shown(made, theirs.state)
        question = pending_decision(made, theirs.state)
        assert positions.pending_decision(ours.state) == question
        if isinstance(question, GameOver):
            return events
        index = choose(len(question))
        theirs, ours = next_step(made, theirs.state, index), positions.next_step(ours.state, index)
        events += 1


@pytest.mark.parametrize("at", range(len(TABLES)))
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_random_walk(at: int, data: st.DataObject) -> None:
    made, positions = bundled(at)
    chance = data.draw(st.randoms(use_true_random=False))
    assert walk(made, positions, chance.randrange, STATES_EVERY) > 0


@pytest.mark.parametrize("number", range(8))
def test_a_walk_in_a_rulebook_made_up(number: int) -> None:
    made = set_up_table(program(made_up(number), "2..3"), 2 + number % 2, {})
    positions, steps = compile_positions(made), iter(range(1, 10_000))

    def choose(amount: int) -> int:
        return (next(steps) * 7919 + number) % amount

    ours = stuck(lambda: walk(made, positions, choose))
    steps = iter(range(1, 10_000))
    assert ours == stuck(lambda: play_by_reference(made, choose))


def play_by_reference(made: Table, choose: Any) -> None:
    step = begin_game(made)
    while not isinstance(question := pending_decision(made, step.state), GameOver):
        step = next_step(made, step.state, choose(len(question)))


def stuck(play: Callable[[], object]) -> str | None:
    """The code of the fault that ends the game; some games go on for longer than there are steps."""
    try:
        play()
    except Fault as fault:
        return fault.diagnostic.code
    except StopIteration:
        return "goes on"
    return None


@pytest.mark.parametrize("at", range(0, len(TABLES), 6))
def test_a_trace_is_the_same_bytes(at: int) -> None:
    compare_traces(at, range(2))


@pytest.mark.long
@pytest.mark.parametrize("at", range(len(TABLES)))
def test_traces_are_the_same_bytes(at: int) -> None:
    compare_traces(at, range(100, 2100))


def compare_traces(at: int, seeds: range) -> None:
    name, players, options = TABLES[at]
    reading = read_rules(name)
    made, positions = bundled(at)
    for seed in seeds:
        ours = list(trace_random_game(reading, made, seed, True, positions))
        assert ours == list(trace_random_game(reading, made, seed, True)), f"{name} {players} {options} seed {seed}"


DICE = """
number die: 1..6
number sum_so_far: 0..40 = 0
phase play: one turn each from 1
  choose roll or leave
action roll
  roll die
  sum_so_far increases by die
action leave
score at end
  points = sum_so_far
"""


def test_a_position_never_changes_and_equals_its_like() -> None:
    positions = compile_positions(table(DICE))
    first = positions.begin_game().state
    again = positions.begin_game().state
    kept = hash(first)
    positions.next_step(first, 0)
    assert first == again
    assert hash(first) == kept == hash(again)
    one, other = positions.next_step(first, 0).state, positions.next_step(first, 1).state
    assert one != other
    assert len({first, again, one, other}) == 3


def test_an_answer_that_is_none_is_refused() -> None:
    positions = compile_positions(table(DICE))
    start = positions.begin_game().state
    for index in (-1, 2, 1 << 40):
        with pytest.raises(IndexError):
            positions.next_step(start, index)
    over = start
    while not isinstance(positions.pending_decision(over), GameOver):
        over = positions.next_step(over, 0).state
    with pytest.raises(IndexError):
        positions.next_step(over, 0)


@pytest.mark.parametrize(("name", "options"), [
    ("classics/tic_tac_toe", {}), ("classics/nim", {"heaps": "{2, 3}"}), ("classics/kuhn", {}),
    ("classics/goofspiel", {"cards": 3}), ("classics/pig", {"die": 2, "target": 4, "length": 6}),
])
def test_positions_are_equal_when_the_references_are(name: str, options: dict[str, Any]) -> None:
    """However they were reached."""
    rules = read_rules(name).program
    assert rules is not None
    made = set_up_table(rules, 2, options)
    positions = compile_positions(made)
    met: dict[Any, Any] = {}
    for seed in range(60):
        chance, ours, theirs = Random(seed), positions.begin_game(), begin_game(made)
        while True:
            assert met.setdefault(theirs.state, ours.state) == ours.state
            question = pending_decision(made, theirs.state)
            if isinstance(question, GameOver):
                break
            index = chance.randrange(len(question))
            theirs, ours = next_step(made, theirs.state, index), positions.next_step(ours.state, index)
    assert len(set(met.values())) == len(met)
