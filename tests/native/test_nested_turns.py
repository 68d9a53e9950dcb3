"""Turns within turns in machine code: figures, faults and properties as on the reference and in plain Python."""

from __future__ import annotations

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.interpreter.measure.duel import WATCHED, ReferenceMeasurer
from rulesrun.interpreter.native.measure.measurement import NativeMeasurer, compile_measuring_engine
from tests.interpreter.nested_turns import rules
from tests.interpreter.test_nested_turns import followed
from tests.native.both import differences, quick_engine


def look_at(seed: int) -> bool:
    found = followed(seed)
    if found is None:
        return False
    made, plain = found
    assert differences(made, 1, engine=quick_engine(made)) == [], rules(plain.made)
    (record,) = NativeMeasurer(compile_measuring_engine(made), 0, 1).records(WATCHED - 1, 1)
    (other,) = ReferenceMeasurer(made, 0).records(WATCHED - 1, 1)
    assert (record.values, record.broken) == (other.values, other.broken), rules(plain.made)
    assert record.values.get(("length", "turns"), 0) == plain.turns, rules(plain.made)
    return True


def test_loops_made_up_at_random_in_machine_code() -> None:
    assert sum(look_at(seed) for seed in range(8)) > 3


@pytest.mark.long
def test_many_loops_made_up_at_random_in_machine_code() -> None:
    assert sum(look_at(seed) for seed in range(1_000, 1_500)) > 200
