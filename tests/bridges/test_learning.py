"""A plain learner learns from what the environments give it."""

from __future__ import annotations

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("gymnasium")


@pytest.mark.long
def test_policy_gradients_learn_leduc_in_a_minute() -> None:
    """Against players at random: two of three games and more; before, every other game."""
    from benchmarks.learn_leduc import Table

    table = Table("classics/leduc", 2, 1)
    assert 0.45 < table.share_won() < 0.55
    table.learn(60)
    assert table.share_won() > 0.7


def test_what_is_seen_is_spread_out_for_a_net() -> None:
    import numpy

    from rulesrun.bridges.features import Features
    from rulesrun.bridges.gymnasium import vector_env

    games = vector_env("classics/leduc", 2, num_envs=32)
    features = Features(games.layout)
    seen, _ = games.reset(seed=1)
    floats = features.encode(seen)
    assert floats.shape == (32, features.width)
    assert ((floats >= 0) & (floats <= 1)).all()
    hand = next(part for part in games.layout if part.name == "hand[me]")
    own = floats[:, list(features.columns_of(hand.offset))]
    assert (own.sum(axis=1) == 1).all()
    assert (own.argmax(axis=1) == seen[:, hand.offset] - hand.low).all()
    assert len(numpy.unique(own.argmax(axis=1))) == 3  # jack, queen, king
