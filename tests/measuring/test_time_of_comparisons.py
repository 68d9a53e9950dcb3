"""`compare --seconds` ends when it says, whatever a game costs: what is not over by then is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from rulesrun.files.loading import read_text
from rulesrun.interpreter.assess import played_games
from rulesrun.report.compare_text import comparison_sentences
from rulesrun.run import bot_games, measure_engines, pair_ranges
from rulesrun.services import compare
from rulesrun.services.compare import Comparison, compare_variants
from rulesrun.terminal.requests import CompareRequest
from tests.measuring.planted import planted_rules

TICK = 0.2  # seconds, each time that somebody looks at the clock
SECONDS = 20
ONE_GAME = 4  # seconds in which the game at hand comes to its end


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """One that goes on by being looked at."""
    ticks: Iterator[int] = count()

    def look() -> float:
        return next(ticks) * TICK

    for module in (played_games, bot_games, measure_engines, pair_ranges, compare):
        monkeypatch.setattr(module, "monotonic", look)
    return look


def compare_by_clock(seconds: int) -> Comparison:
    planted = planted_rules()[0]
    base, variant = (read_text(one.text(), f"{name}.rules") for one, name in (
        (planted.base, "base"), (planted.variant, "variant"),
    ))  # fmt: skip
    request = CompareRequest(
        files=("base.rules", "variant.rules"), jobs=1, seconds=seconds, quiet=True, players="2", engine="reference"
    )
    (found,) = compare_variants(base, [variant], request)
    return found


def test_it_ends_in_time(clock: Callable[[], float]) -> None:
    found = compare_by_clock(SECONDS)
    assert clock() < SECONDS + ONE_GAME
    assert found.tables[0].duel.pairs.games
    assert found.good[0].duel.pairs.games
    assert found.skill


def test_where_no_time_is_left_nobody_says_that_games_do_not_end(clock: Callable[[], float]) -> None:
    found = compare_by_clock(1)
    found.good.clear()
    found.good_player = compare.GOOD_PLAYER
    ((head, _),) = comparison_sentences(found, 2)
    assert str(head).startswith(f"Random players only, {found.tables[0].duel.pairs.finished}")
