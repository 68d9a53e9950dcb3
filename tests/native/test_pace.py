"""Side by side or one after another: the quicker way is kept, the other tried again; what is found is the same."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.native.exploring_pace import AGAIN, IN_TURN, SIDE_BY_SIDE, Pace


@pytest.mark.parametrize("quicker", [SIDE_BY_SIDE, IN_TURN])
def test_the_quicker_way_is_kept(quicker: bool) -> None:
    pace, ways = Pace(), []
    for _ in range(3 * AGAIN):
        way = pace.next_way()
        pace.note(way, 1.0 if way == quicker else 2.0, 10)
        ways.append(way)
    assert ways.count(quicker) > 2.5 * AGAIN
    assert ways[AGAIN:].count(not quicker) == 2


def test_who_becomes_quicker_is_found() -> None:
    pace = Pace()
    for round in range(40 * AGAIN):
        way = pace.next_way()
        slow = (way == IN_TURN) == (round < AGAIN)
        pace.note(way, 5.0 if slow else 1.0, 10)
    assert pace.seconds[IN_TURN] < pace.seconds[SIDE_BY_SIDE]
