"""When machine code takes over from the reference, and how much is done between two looks at the clock."""

from __future__ import annotations

from time import monotonic

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.interpreter.measure.duel import ReferenceMeasurer
from rulesrun.interpreter.measure.totals import totals_to_json
from rulesrun.run import engine_choice
from rulesrun.run.engine_choice import (
    CAREFULLY,
    CLEAR,
    COSTS,
    LOOK,
    MARGIN,
    MISSING,
    QUICKLY,
    ChunkSizes,
    EngineChoice,
)
from rulesrun.run.measure_engines import ENOUGH, FEW, FIRST, LEAST_SECONDS, ChangeoverMeasurer
from rulesrun.terminal.trouble import Trouble
from tests.measuring.games import kuhn

CERTAIN = int(CLEAR * COSTS["figures"][0][1] / LEAST_SECONDS)  # games that nobody need time


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
    assert (one.choice.is_settled, one.name) == (True, "native")
    assert totals_to_json(one.totals(2, 50)) == totals_to_json(ReferenceMeasurer(one.table, 1).totals(2, 50))


def test_so_many_games_need_no_look() -> None:
    """Where each must be played: not where they may end early, or by the clock."""
    for goal, may_end_early, seconds, name in (
        (CERTAIN + 7, False, float("inf"), "native"), (CERTAIN + 5, False, float("inf"), "reference"),
        (10**7, True, float("inf"), "reference"), (10**7, False, 60.0, "reference"),
    ):  # fmt: skip
        one = ChangeoverMeasurer(ReferenceMeasurer(kuhn(), 1), 1, "auto", 1, goal, may_end_early, monotonic() + seconds)
        one.compile_if_certain(6)
        assert (one.name, one.choice.is_settled) == (name, name == "native")


@pytest.mark.parametrize(("goal", "may_end_early", "seconds"), [(1000, False, 1e9), (10_000_000, True, 1e9),
                                                                (10_000_000, False, 5.0)])  # fmt: skip
def test_what_may_soon_be_over_is_looked_at_for_longer(goal: int, may_end_early: bool, seconds: float) -> None:
    one = played(goal, may_end_early, seconds)
    assert (one.choice.is_settled, one.name) == (False, "reference")
    assert one.next_count(FIRST, goal) == min(FEW, ENOUGH - FIRST)


def test_a_chunk_takes_about_as_long_as_it_should() -> None:
    sizes = ChunkSizes(512, 1 << 20, 0.25)
    assert sizes.next_size(1000, 0.25) == 1000
    assert sizes.next_size(1000, 0.125) == 2000
    assert sizes.next_size(1000, 1.0) == 512
    assert sizes.next_size(1000, 0.0) == 8 * 1000
    assert sizes.next_size(1 << 20, 0.0) == 1 << 20
    assert sizes.next_size(100_000, 0.25, -1.0) == 512  # no time is left


def test_code_is_made_quickly_and_then_with_care_as_more_is_left() -> None:
    """A pace that was measured for too short a time is believed only where it is clear."""
    (_, quick), (_, careful) = COSTS["pairs"]
    choice = EngineChoice("pairs")
    choice.add_work(1, LOOK / 2)
    assert (choice.next_care(CLEAR * quick), choice.is_settled) == (None, False)
    assert choice.next_care(CLEAR * quick + 1, may_end_early=True) is None
    choice.add_work(1, LOOK / 2)
    assert (choice.pace, choice.next_care(MARGIN * quick), choice.is_settled) == (LOOK / 2, None, True)
    assert choice.next_care(MARGIN * quick + 0.01) == QUICKLY
    assert (choice.make(lambda: 1), choice.pace) == (1, 0.0)
    assert choice.next_care(CLEAR * careful) is None
    assert choice.next_care(CLEAR * careful + 1) == CAREFULLY
    assert choice.next_care(float("inf")) is None


def test_a_known_pace_needs_no_look() -> None:
    assert EngineChoice("pairs", known_pace=1.0).next_care(1.0) == QUICKLY
    assert EngineChoice("pairs", known_pace=1e-9).next_care(1e-9) is None


def test_what_is_asked_for_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    assert EngineChoice("games", "reference").next_care(float("inf")) is None
    asked = EngineChoice("games", "native")
    assert asked.next_care(0.0) == QUICKLY
    with pytest.raises(Trouble, match="cannot play this: too large"):
        asked.make(lambda: "too large")
    unasked = EngineChoice("games")
    assert (unasked.make(lambda: "too large"), unasked.next_care(float("inf"))) == ("too large", None)
    monkeypatch.setattr(engine_choice, "is_compiler_installed", lambda: False)
    assert EngineChoice("games").next_care(float("inf")) is None
    with pytest.raises(Trouble, match="the compiler is not installed"):
        EngineChoice("games", "native").make(lambda: MISSING)
