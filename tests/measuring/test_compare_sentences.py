"""What is no news: in longer games everything is chosen more often."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.measure.declared_figures import DECISIONS, Key
from rulesrun.interpreter.measure.estimates import Estimate
from rulesrun.interpreter.measure.pairs import Effect
from rulesrun.report.compare_text import follows_from_length

CARD = ("component", "red-1", "chosen")


def effect(key: Key, left: float, right: float) -> Effect:
    return Effect(key, left, right, Estimate(right - left, None, None, 100), 1.0, 0.0, 100, 0.1)


@pytest.mark.parametrize(("left", "right", "follows"), [
    (10, 15.5, True),  # as much more as there are decisions
    (10, 12, True),
    (10, 9, False),  # less often, in longer games
    (10, 60, False),  # far more often than that
    (0, 5, False),  # never before
])  # fmt: skip
def test_what_follows_from_the_length(left: float, right: float, follows: bool) -> None:
    clear = {DECISIONS: effect(DECISIONS, 100, 155), CARD: effect(CARD, left, right)}
    assert follows_from_length(clear[CARD], clear) is follows
    assert not follows_from_length(clear[CARD], {CARD: clear[CARD]})
