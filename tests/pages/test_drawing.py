"""Scales, bars and tenths: what a chart shows is what was counted."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.measure.course import ActionCourse, measure_course
from rulesrun.interpreter.measure.duel import ReferenceMeasurer
from rulesrun.interpreter.measure.estimates import Estimate
from rulesrun.interpreter.measure.measured_game import GameMeasurer
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.pages.charts import (
    OTHERS,
    ChartRow,
    Scale,
    axis_reach,
    axis_ticks,
    make_spread_scale,
    other_actions,
    select_actions,
)
from rulesrun.pages.figures import fairness_lines
from rulesrun.pages.markup import element, escape_text
from rulesrun.services.measure import MeasuredTable
from tests.measuring.games import coin, totals

VALUES = st.integers(-5000, 5000) | st.integers(-800, 800).map(lambda parts: Fraction(parts, 16))


SPREADS = st.dictionaries(VALUES, st.integers(1, 1000), min_size=1)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(SPREADS, min_size=1, max_size=4))
def test_every_value_lies_in_one_bar_of_the_scale_that_all_share(spreads: list[dict[int | Fraction, int]]) -> None:
    shared, values = make_spread_scale(spreads), {value for spread in spreads for value in spread}
    assert shared.bars <= 60
    assert shared.first <= min(values)
    assert shared.first + shared.width * shared.bars > max(values) - 1e-6
    assert shared.is_whole == all(value == int(value) for value in values)
    for spread in spreads:
        counts = shared.count_bars(spread)
        assert sum(counts) == sum(spread.values())
        assert max(counts) / sum(counts) <= shared.most


def test_few_whole_numbers_have_a_bar_each() -> None:
    shared = make_spread_scale([{2: 5, 3: 0, 5: 7}, {4: 1}])
    assert (shared.first, shared.width) == (2, 1)
    assert shared.count_bars({2: 5, 3: 0, 5: 7}) == [5, 0, 0, 7]


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_ticks_lie_inside_and_are_few(low: float, reach: float) -> None:
    found = axis_ticks(low, low + reach)
    assert len(found) <= 6
    assert all(low - reach * 1e-6 - 1e-9 <= at <= low + reach * (1 + 1e-6) + 1e-9 for at in found)


def test_a_scale_keeps_what_lies_outside_at_its_ends() -> None:
    scale = Scale(-1, 1, 0, 100)
    assert [scale(value) for value in (-9, -1, 0, 0.5, 1, 9)] == [0, 0, 50, 75, 100, 100]


def test_an_axis_reaches_over_every_interval() -> None:
    marks = [ChartRow("a", Estimate(0.1, -0.2, 0.4, 9)), ChartRow("b", Estimate(0.9, None, None, 9))]
    assert axis_reach(marks) >= 0.9
    assert axis_reach([]) > 0


@pytest.mark.parametrize("value", ["<b>", '"', "'", "&amp;", "a\x00b", "\u2066x"])
def test_text_and_attributes_are_escaped(value: str) -> None:
    made = element("p", value, title=value).html
    for sign in ("<b>", "\x00", "\u2066"):
        assert sign not in made
    assert made.count('"') == 2
    assert escape_text("&").html == "&amp;"


def test_a_game_falls_into_tenths() -> None:
    found = ActionCourse()
    found.add_game([f"a{number}" for number in range(20)])
    assert [found.count_in_part(part) for part in range(10)] == [2] * 10
    assert found.chosen[0, "a1"] == found.chosen[9, "a18"] == 1


def test_the_course_counts_the_decisions_of_the_same_games_as_simulate() -> None:
    table = set_up_table(read_rules("classics/pig").program, 2, {})  # type: ignore[arg-type]
    seen = measure_course(GameMeasurer(table), 3, 8, float("inf"))
    totals = ReferenceMeasurer(table, 3).totals(0, 8)
    assert seen.games == 8
    assert sum(seen.chosen.values()) == totals.decisions
    for action in ("roll", "stop"):
        counted = sum(count for (_, name), count in seen.chosen.items() if name == action)
        assert counted == totals.sums["action", action].total


def test_many_actions_are_told_by_the_most_frequent() -> None:
    seen = ActionCourse(1, Counter({(0, f"a{number}"): number + 1 for number in range(9)}))
    told = select_actions([seen], [f"a{number}" for number in range(9)])
    assert told == ["a4", "a5", "a6", "a7", "a8", OTHERS]
    assert other_actions(seen, told) == ["a0", "a1", "a2", "a3"]


def test_an_edge_is_told_when_it_is_clear() -> None:
    """A coin of three to one, and one that is even."""
    for heads, tails, status in ((3, 1, "edge"), (1, 1, "fair")):
        table = coin(heads, tails)
        told = [line.html for line in fairness_lines([MeasuredTable(table, totals(table, 400))])]
        assert all(f">{status}</span>" in line for line in told), told
        assert len(told) == (2 if status == "edge" else 1)
    assert list(fairness_lines([])) == []
