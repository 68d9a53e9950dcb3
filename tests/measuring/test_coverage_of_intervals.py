"""95 % intervals hold the truth in 95 % of repeated runs, on games whose figures are known exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import count

import pytest

from rulesrun.interpreter.measure.declared_figures import DECISIONS, Key
from rulesrun.interpreter.measure.duel import Measurer, ReferenceMeasurer
from rulesrun.interpreter.measure.figures import estimate_figure, game_counts_to_check, is_precise
from rulesrun.interpreter.measure.totals import Totals
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.compiled import make_measurer
from tests.measuring.games import KUHN_DECISIONS, KUHN_SCORE, LEDUC_SCORE, PIG_SCORE, coin, kuhn, leduc, small_pig

KNOWN: list[tuple[str, Callable[[], Table], Key, Fraction]] = [
    ("coin wins", coin, ("win", "1"), Fraction(3, 4)),
    ("coin score", coin, ("score", "2"), Fraction(1, 4)),
    ("kuhn score", kuhn, ("score", "1"), KUHN_SCORE),
    ("kuhn length", kuhn, DECISIONS, KUHN_DECISIONS),
    ("leduc score", leduc, ("score", "1"), LEDUC_SCORE),
    ("pig score", small_pig, ("score", "1"), PIG_SCORE),
]


# Reached after some 450 to 700 games: the widths of the intervals cross these lines at different looks.
WITHIN = {
    "coin wins": 0.038, "coin score": 0.038, "kuhn score": 0.0455, "kuhn length": 0.0455, "leduc score": 0.0445,
    "pig score": 0.0455,
}  # fmt: skip
RUNS = 2000
FAIR = (0.935, 0.965)


def player(table: Table, seed: int) -> Measurer:
    """In machine code when it is installed: the same totals, to the last digit."""
    return make_measurer(table, seed, None, "auto")


def share_covered(worker: Measurer, table: Table, key: Key, truth: Fraction, runs: int, games: int) -> float:
    """Run after run on games that no other run has."""
    covered = 0
    for run in range(runs):
        found = estimate_figure(worker.totals(1000 + run * games, games), key, table.players)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= truth <= found.high
    return covered / runs


@pytest.mark.parametrize(("name", "table", "key", "truth"), KNOWN, ids=[one[0] for one in KNOWN])
def test_some_runs_of_the_reference(name: str, table: Callable[[], Table], key: Key, truth: Fraction) -> None:
    """Thirty runs: fewer than 24 hits come once in ten thousand times."""
    at = table()
    assert share_covered(ReferenceMeasurer(at, 1), at, key, truth, 30, 100) >= 24 / 30


@pytest.mark.long
@pytest.mark.parametrize(("name", "table", "key", "truth"), KNOWN, ids=[one[0] for one in KNOWN])
def test_two_thousand_runs(name: str, table: Callable[[], Table], key: Key, truth: Fraction) -> None:
    pytest.importorskip("llvmlite")
    at = table()
    assert FAIR[0] <= share_covered(player(at, 1), at, key, truth, RUNS, 200) <= FAIR[1]


@pytest.mark.parametrize(
    ("name", "table", "key", "truth"),
    [pytest.param(*one, id=one[0], marks=[] if at % 3 == 0 else pytest.mark.long) for at, one in enumerate(KNOWN)],
)
def test_two_thousand_runs_stopped_when_precise(
    name: str, table: Callable[[], Table], key: Key, truth: Fraction
) -> None:
    """Runs end at different looks; all the same the interval of the end holds the truth as often as it says."""
    pytest.importorskip("llvmlite")
    at = table()
    worker, covered, lengths = player(at, 2), 0, set()
    start = count(1000, 10_000)
    for _ in range(RUNS):
        first, found, games = next(start), Totals(), 0
        for look in game_counts_to_check():
            found.merge(worker.totals(first + games, look - games))
            games = look
            if is_precise(found, at, WITHIN[name]):
                break
        told = estimate_figure(found, key, at.players)
        assert told.low is not None
        assert told.high is not None
        covered += told.low <= truth <= told.high
        lengths.add(games)
    assert len(lengths) > 1
    assert FAIR[0] <= covered / RUNS <= FAIR[1]
