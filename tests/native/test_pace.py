"""Side by side or one after another: the quicker way is kept, the other tried again; what is found is the same."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.native.explore.exploration import IN_TURN, SIDE_BY_SIDE, KernelPace


@pytest.mark.parametrize(("quicker", "at_least"), [(SIDE_BY_SIDE, 0.97), (IN_TURN, 0.85)])
def test_the_quicker_way_is_kept(quicker: bool, at_least: float) -> None:
    pace, ways = KernelPace(), []
    for _ in range(1000):
        way = pace.next_way()
        pace.note_time(way, 1.0 if way == quicker else 2.0, 10)
        ways.append(way)
    assert at_least * 1000 < ways.count(quicker) < 1000


@pytest.mark.parametrize("quicker", [SIDE_BY_SIDE, IN_TURN])
def test_who_becomes_quicker_is_found(quicker: bool) -> None:
    pace = KernelPace()
    for round in range(3000):
        way = pace.next_way()
        is_slow = (way == quicker) == (round < 40)
        pace.note_time(way, 5.0 if is_slow else 1.0, 10)
    assert pace.better_way == quicker


def test_a_little_slower_side_by_side_is_no_reason() -> None:
    pace = KernelPace()
    for _ in range(100):
        way = pace.next_way()
        pace.note_time(way, 1.0 if way == IN_TURN else 1.05, 10)
    assert pace.better_way == SIDE_BY_SIDE
