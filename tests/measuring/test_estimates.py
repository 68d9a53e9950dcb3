"""Intervals: against SciPy, and their coverage worked out exactly, with stopping at the precision asked for."""

from __future__ import annotations

from fractions import Fraction
from math import comb, sqrt

import pytest

from rulesrun.interpreter.measure.declared_figures import Key
from rulesrun.interpreter.measure.estimates import (
    Estimate,
    Exact,
    compute_variance,
    estimate_mean,
    estimate_ratio,
    estimate_share,
    normal_of_student,
    student_quantile,
    widen_share,
)
from rulesrun.interpreter.measure.figures import estimate_against_measure, game_counts_to_check
from rulesrun.interpreter.measure.record import GameRecord
from rulesrun.interpreter.measure.totals import Totals


def estimate_of(values: list[int]) -> Estimate:
    return estimate_mean(sum(values), sum(one * one for one in values), sum(one != 0 for one in values), len(values))


VALUES = [(number * 7919) % 23 - 4 for number in range(60)]


@pytest.mark.parametrize("freedom", [9, 20, 100, 1000])
def test_the_quantile_is_students(freedom: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert student_quantile(0.975, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=2e-5)


def test_the_interval_of_a_mean_is_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    found = estimate_of(VALUES)
    low, high = stats.t.interval(0.95, len(VALUES) - 1, sum(VALUES) / len(VALUES), stats.sem(VALUES))
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-6)


def test_the_interval_of_a_share_is_scipys_wilson() -> None:
    stats = pytest.importorskip("scipy.stats")
    for count, games in ((0, 40), (3, 40), (20, 41), (40, 40)):
        found = estimate_share(count, games)
        wilson = stats.binomtest(count, games).proportion_ci(0.95, "wilson")
        assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high), abs=1e-9)


def test_the_variance_of_large_numbers_loses_nothing() -> None:
    values = [10**12, 10**12 + 1, 10**12 + 2]
    assert compute_variance(sum(values), sum(one * one for one in values), 3) == 1.0


def test_a_ratio_has_the_error_of_what_each_game_adds() -> None:
    above, below = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8], [5, 4, 6, 3, 7, 12, 5, 8, 6, 5, 8, 9]
    games, value = len(above), sum(above) / sum(below)
    left = [a - value * b for a, b in zip(above, below, strict=True)]
    error = sqrt(sum(one * one for one in left) / (games - 1) / games) / (sum(below) / games)
    found = estimate_ratio(
        (sum(above), sum(a * a for a in above)), (sum(below), sum(b * b for b in below)),
        sum(a * b for a, b in zip(above, below, strict=True)), games,
    )  # fmt: skip
    assert found.value == pytest.approx(value)
    assert found.half_width == pytest.approx(student_quantile(0.975, games - 1) * error, rel=1e-9)


def test_a_part_of_what_was_possible_stays_between_none_and_all() -> None:
    """Twenty games: once possible in twelve of them, taken in eleven; the bare interval would reach beyond all."""
    record = GameRecord(0)
    totals = Totals()
    for number in range(20):
        values: dict[Key, Exact] = {("offered", "call"): 1} if number < 12 else {}
        record.values = values | ({("action", "call"): 1} if number < 11 else {})
        totals.add_record(record)
    found = estimate_against_measure(totals, ("action", "call"), 2)
    assert found is not None
    assert found.value == pytest.approx(11 / 12)
    assert found.low is not None
    assert 0 < found.low < 11 / 12
    assert found.high == 1


def test_what_was_possible_in_few_games_is_not_known() -> None:
    totals = Totals()
    for number in range(500):
        record = GameRecord(number)
        record.values = {("offered", "call"): 2, ("action", "call"): number % 3} if number < 9 else {}
        totals.add_record(record)
    found = estimate_against_measure(totals, ("action", "call"), 2)
    assert found is not None
    assert (found.value, found.low, found.high) == (0.5, None, None)


def test_too_few_games_are_not_known() -> None:
    assert estimate_of([3, 1, 2]).low is None
    assert estimate_of([5] * 4 + [0] * 500).low is None


def test_what_is_always_the_same_has_no_width_and_a_share_always_has() -> None:
    assert (estimate_of([4] * 50).low, estimate_of([4] * 50).high) == (4, 4)
    assert estimate_share(50, 50).low == pytest.approx(0.9287, abs=1e-4)


def test_a_few_shared_wins_have_a_wide_interval() -> None:
    found = widen_share(Estimate(0.05, None, None, 50))  # two wins and a half
    assert (found.low, found.high) == (estimate_share(2, 50).low, estimate_share(3, 50).high)


# ---------------------------------------------------------------- coverage, worked out exactly


def coverage_when_stopped(chance: float, within: float) -> tuple[float, float]:
    """How often Wilson's interval holds the truth when one plays on until it is narrow enough; how many games it takes.

    By going through the numbers of successes at each look: nothing is simulated.
    """
    now, games, covered, expected = {0: 1.0}, 0, 0.0, 0.0
    for look in game_counts_to_check():
        more = look - games
        step = [comb(more, k) * chance**k * (1 - chance) ** (more - k) for k in range(more + 1)]
        following: dict[int, float] = {}
        for count, odds in now.items():
            for k, one in enumerate(step):
                if odds * one > 1e-13:
                    following[count + k] = following.get(count + k, 0.0) + odds * one
        now, games = {}, look
        for count, odds in following.items():
            found = estimate_share(count, games)
            if found.half_width <= within:
                assert found.low is not None
                assert found.high is not None
                covered += odds * (found.low <= chance <= found.high)
                expected += odds * games
            else:
                now[count] = odds
        if not now:
            break
    return covered, expected


@pytest.mark.parametrize("chance", [0.5, 0.35, 0.2, 0.1, 0.04])
def test_stopping_at_a_precision_keeps_the_coverage(chance: float) -> None:
    covered, games = coverage_when_stopped(chance, 0.04 if chance > 0.15 else 0.02)
    assert 0.935 <= covered <= 0.965
    assert games > 400


def test_looks_come_at_fixed_numbers_of_games() -> None:
    found = game_counts_to_check()
    assert [next(found) for _ in range(4)] == [400, 450, 506, 569]
    assert Fraction(next(found), 569) < Fraction(9, 8)


@pytest.mark.parametrize(("t", "freedom", "z"), [
    (2.0227, 39, 1.95996), (3.5581, 39, 3.29053), (4.7809, 9, 3.29053), (-2.2622, 9, -1.95996),
])  # fmt: skip
def test_few_games_tell_less(t: float, freedom: int, z: float) -> None:
    """By tables of Student's distribution: as often as the normal distribution is further out than `z`."""
    assert normal_of_student(t, freedom) == pytest.approx(z, abs=1e-2)
