"""When machine code takes over from the reference, and how many games are played between two looks at the clock."""

from __future__ import annotations

from time import monotonic

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.interpreter.measure.totals import totals_to_json
from rulesrun.interpreter.measure.work_units import ReferenceMeasurer
from rulesrun.run.measure_engines import (
    CERTAIN,
    ENOUGH,
    FEW,
    FIRST,
    FIRST_CHUNK,
    LONG_CHUNK,
    MOST_CHUNK,
    MOST_GROWTH,
    ChangeoverMeasurer,
)
from tests.measuring.games import kuhn


def played(goal: int, may_end_early: bool = False, seconds: float = float("inf")) -> ChangeoverMeasurer:
    """After the first look at the clock."""
    one = ChangeoverMeasurer(ReferenceMeasurer(kuhn(), 1), 1, "auto", 1, goal, may_end_early)
    one.until = monotonic() + seconds
    games = one.next_count(0, goal)
    assert games == FIRST
    one.totals(0, games)
    one.consider_compiling(games)
    return one


def test_millions_of_games_are_not_looked_at_twice() -> None:
    """At a tenth of a millisecond or more a game."""
    one = played(10_000_000)
    assert (one.is_settled, one.name) == (True, "native")
    assert totals_to_json(one.totals(2, 50)) == totals_to_json(ReferenceMeasurer(one.table, 1).totals(2, 50))


def test_so_many_games_need_no_look() -> None:
    """Where each must be played: not where they may end early, or by the clock."""
    for goal, may_end_early, seconds, name in (
        (CERTAIN + 7, False, float("inf"), "native"), (CERTAIN + 6, False, float("inf"), "reference"),
        (10**7, True, float("inf"), "reference"), (10**7, False, 60.0, "reference"),
    ):  # fmt: skip
        one = ChangeoverMeasurer(ReferenceMeasurer(kuhn(), 1), 1, "auto", 1, goal, may_end_early, monotonic() + seconds)
        one.compile_if_certain(6)
        assert (one.name, one.is_settled) == (name, name == "native")


@pytest.mark.parametrize(("goal", "may_end_early", "seconds"), [(1000, False, 1e9), (10_000_000, True, 1e9),
                                                                (10_000_000, False, 5.0)])  # fmt: skip
def test_what_may_soon_be_over_is_looked_at_for_longer(goal: int, may_end_early: bool, seconds: float) -> None:
    one = played(goal, may_end_early, seconds)
    assert (one.is_settled, one.name, one.next_count(FIRST, goal)) == (False, "reference", min(FEW, ENOUGH - FIRST))


def test_a_stretch_takes_about_as_long_as_it_should() -> None:
    one = played(10_000_000)
    assert one.next_chunk_size(1000, LONG_CHUNK) == 1000
    assert one.next_chunk_size(1000, LONG_CHUNK / 2) == 2000
    assert one.next_chunk_size(1000, LONG_CHUNK * 4) == FIRST_CHUNK
    assert one.next_chunk_size(1000, 0.0) == MOST_GROWTH * 1000
    assert one.next_chunk_size(MOST_CHUNK, 0.0) == MOST_CHUNK
    one.until = monotonic() - 1
    assert one.next_chunk_size(100_000, LONG_CHUNK) == FIRST_CHUNK
