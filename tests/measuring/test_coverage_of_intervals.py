"""95 % intervals hold the truth in 95 % of repeated runs, on games whose figures are known exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import count

import pytest

from rulesrun.interpreter.measuring.figures import each_game, figure
from rulesrun.interpreter.measuring.record import DECISIONS, Key
from rulesrun.interpreter.measuring.stopping import is_precise, looks
from rulesrun.interpreter.measuring.totals import Totals
from rulesrun.interpreter.measuring.work import Worker
from rulesrun.interpreter.table import Table
from tests.measuring.games import KUHN_DECISIONS, KUHN_SCORE, LEDUC_SCORE, PIG_SCORE, coin, kuhn, leduc, small_pig

KNOWN: list[tuple[str, Callable[[], Table], Key, Fraction]] = [
    ("coin wins", coin, ("win", "1"), Fraction(3, 4)),
    ("coin score", coin, ("score", "2"), Fraction(1, 4)),
    ("kuhn score", kuhn, ("score", "1"), KUHN_SCORE),
    ("kuhn length", kuhn, DECISIONS, KUHN_DECISIONS),
    ("leduc score", leduc, ("score", "1"), LEDUC_SCORE),
    ("pig score", small_pig, ("score", "1"), PIG_SCORE),
]


def share_covered(table: Table, key: Key, truth: Fraction, runs: int, games: int) -> float:
    """Run after run on games that no other run has."""
    worker, covered = Worker(table, 1), 0
    for run in range(runs):
        found = figure(worker.totals(1000 + run * games, games), key, table.players)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= truth <= found.high
    return covered / runs


@pytest.mark.parametrize(("name", "table", "key", "truth"), KNOWN, ids=[one[0] for one in KNOWN])
def test_some_runs(name: str, table: Callable[[], Table], key: Key, truth: Fraction) -> None:
    """Thirty runs: fewer than 24 hits come once in ten thousand times."""
    assert share_covered(table(), key, truth, 30, 100) >= 24 / 30


@pytest.mark.long
@pytest.mark.parametrize(("name", "table", "key", "truth"), KNOWN, ids=[one[0] for one in KNOWN])
def test_two_thousand_runs(name: str, table: Callable[[], Table], key: Key, truth: Fraction) -> None:
    assert 0.935 <= share_covered(table(), key, truth, 2000, 200) <= 0.965


@pytest.mark.long
def test_two_thousand_runs_stopped_when_precise() -> None:
    """Runs end at different looks; all the same the interval of the end holds the truth as often as it says."""
    table = coin()
    worker, covered, lengths = Worker(table, 2), 0, set()
    start = count(1000, 10_000)
    for _ in range(2000):
        first, found, games = next(start), Totals(), 0
        for look in looks():
            found.merge(worker.totals(first + games, look - games))
            games = look
            if is_precise(found, table, 0.038):
                break
        told = each_game(found, ("win", "1"), 2)
        assert told.low is not None
        assert told.high is not None
        covered += told.low <= 0.75 <= told.high
        lengths.add(games)
    assert len(lengths) > 1
    assert 0.935 <= covered / 2000 <= 0.965
