"""What holds of a position of any bundled game, wherever it is met."""

from __future__ import annotations

import copy
import json
from functools import cache
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rulesrun
from rulesrun.files.sources import bundled_names

GAMES = [name for name in bundled_names() if not name.startswith("variants/")]


@cache
def rules_of(name: str) -> rulesrun.Rulebook:
    return rulesrun.load(name)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_position_is_a_value(name: str, data: st.DataObject) -> None:
    """It is kept, copied, compared, hashed, saved and read back; an illegal choice leaves it as it was."""
    rules = rules_of(name)
    players = data.draw(st.sampled_from(list(rules.players)))
    chance = Random(data.draw(st.integers(0, 99)))
    position = rules.start(players=players, seed=chance.randrange(1000))
    for _ in range(data.draw(st.integers(0, 12))):
        if isinstance(position.pending, rulesrun.End):
            break
        position = position.apply(chance.randrange(len(position.legal())))
    written = json.dumps(position.to_json())
    again = rules.position(json.loads(written))
    assert again == position == copy.copy(position) == copy.deepcopy(position)
    assert hash(again) == hash(position)
    for player in range(1, players + 1):
        assert again.observe(player) == position.observe(player)
    for wrong in (rulesrun.Choice("no such action"), 10**9, -1):
        with pytest.raises((rulesrun.IllegalChoice, ValueError, IndexError)):
            position.apply(wrong)
    if not isinstance(position.pending, rulesrun.End):
        assert again.apply(0) == position.apply(0)
        assert len(set(position.legal())) == len(position.legal())
    assert json.dumps(position.to_json()) == written
