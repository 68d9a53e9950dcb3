"""Positions as JSON: read back exactly, and nonsense refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault, State
from rulesrun.interpreter.play.game_loop import play_game, random_picker
from rulesrun.interpreter.play.saved_positions import WrongPosition, state_from_json, state_to_json
from rulesrun.interpreter.play.step import GameOver, next_state, pending_decision
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import bundled

ZERO = set_up_table(bundled("zero"), 3)
TABLES = [
    ZERO,
    set_up_table(bundled("classics/goofspiel"), 3, {"cards": 4}),
    set_up_table(bundled("classics/nim"), 2),
    set_up_table(bundled("classics/leduc"), 2),
]


def positions(made: Table, seed: int, most: int = 60) -> list[State]:
    return [
        played.step.state for played, _ in zip(play_game(made, random_picker(Streams(seed))), range(most), strict=False)
    ]


@pytest.mark.parametrize("made", TABLES)
def test_every_position_can_be_read_back(made: Table) -> None:
    for state in positions(made, 3):
        again = state_from_json(made, json.loads(json.dumps(state_to_json(made, state))))
        assert again == state
        assert hash(again) == hash(state)
        assert pending_decision(made, again) == pending_decision(made, state)


def test_a_position_of_another_table_is_refused() -> None:
    document = state_to_json(ZERO, positions(ZERO, 1)[-1])
    with pytest.raises(WrongPosition):
        state_from_json(set_up_table(ZERO.program, 4), document)


@pytest.mark.parametrize("document", [None, 3, [], {}, {"position": 1}, {"position": {"saved": 9, "slots": []}}])
def test_what_is_no_position_is_refused(document: object) -> None:
    with pytest.raises(WrongPosition):
        state_from_json(ZERO, document)


def test_a_changed_zone_is_refused() -> None:
    document = state_to_json(ZERO, positions(ZERO, 1)[-1])
    document["zones"]["supply"] = document["zones"]["supply"][1:]
    with pytest.raises(WrongPosition):
        state_from_json(ZERO, document)


NONSENSE: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 100), st.text(max_size=3), st.lists(st.integers(-2, 60), max_size=4),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2), st.floats(),
    st.lists(st.lists(st.text(max_size=1))),
)


@settings(max_examples=150, deadline=None)
@given(at=st.integers(0, 10**6), value=NONSENSE)
def test_a_damaged_slot_is_refused_or_harmless(at: int, value: Any) -> None:
    """Whatever stands in a slot: a clear refusal, or a position that can be played on (to a fault at worst)."""
    document = state_to_json(ZERO, positions(ZERO, 2)[-1])
    slots = document["position"]["slots"]
    slots[at % len(slots)] = value
    try:
        state = state_from_json(ZERO, document)
    except WrongPosition:
        return
    for _ in range(3):
        if isinstance(pending_decision(ZERO, state), GameOver):
            break
        try:
            state = next_state(ZERO, state, 0)
        except Fault:
            break
