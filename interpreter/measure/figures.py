"""From exact totals to estimates: what a figure's number means, and its interval."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulesrun.interpreter.measure.catalogue import TableFigures
from rulesrun.interpreter.measure.declared_figures import DECISIONS, Event, Key, declared_figure, denominator_of
from rulesrun.interpreter.measure.estimates import (
    Estimate,
    Exact,
    clip_to_share,
    estimate_mean,
    estimate_ratio,
    estimate_share,
    widen_share,
)
from rulesrun.interpreter.measure.totals import Sums, Totals
from rulesrun.interpreter.reference.table import Table


def estimate_per_game(totals: Totals, key: Key, players: int) -> Estimate:
    """What a finished game shows of the figure, on average."""
    one, parts = totals.sums.get(key, Sums()), declared_figure(key).unit(players)
    total, squares = divide_exactly(one.total, parts), divide_exactly(one.squares, parts * parts)
    found = estimate_mean(total, squares, one.games, totals.finished)
    return widen_share(found) if key[0] == "win" and found.low is None else found


def estimate_games_with(totals: Totals, key: Key) -> Estimate:
    """The share of the finished games in which it happened at all."""
    return estimate_share(totals.sums.get(key, Sums()).games, totals.finished)


def estimate_against_measure(totals: Totals, key: Key, players: int) -> Estimate | None:
    """Against what it is measured by: options by decisions, a chosen action by when it was possible."""
    against = denominator_of(key)
    if against is None:
        return None
    one, other, declared = totals.sums.get(key, Sums()), totals.sums.get(against, Sums()), declared_figure(key)
    parts = declared.unit(players)
    above = divide_exactly(one.total, parts), divide_exactly(one.squares, parts * parts)
    product = divide_exactly(one.product, parts)
    found = estimate_ratio(above, (other.total, other.squares), product, totals.finished)
    return clip_to_share(found, one.games, other.games) if declared.is_part else found


def estimate_figure(totals: Totals, key: Key, players: int) -> Estimate:
    """The one number that stands for the figure."""
    is_ratio = declared_figure(key).is_ratio and not comes_once_a_game(totals, key)
    found = estimate_against_measure(totals, key, players) if is_ratio else None
    return found if found is not None else estimate_per_game(totals, key, players)


def comes_once_a_game(totals: Totals, key: Key) -> bool:
    """Whether every finished game has one value of this figure of the rules, so that it is like any other."""
    if declared_figure(key).event is not Event.MOMENT:
        return False
    moments = totals.sums.get(("moments", *key[1:]), Sums())
    return moments.total == moments.squares == totals.finished


def has_spread(totals: Totals, key: Key) -> bool:
    """Whether it is known how often each value comes in a game."""
    declared = declared_figure(key)
    return declared.has_spread and (declared.event is not Event.MOMENT or comes_once_a_game(totals, key))


def estimate_edge(totals: Totals, seat: int, table: Table) -> Estimate:
    """How much more often the seat, or its team, wins than one of as many."""
    return estimate_per_game(totals, ("win", str(seat)), table.players).shift(-1 / len(table.bench.teams))


def divide_exactly(value: Exact, parts: int) -> Exact:
    return value if parts == 1 else Fraction(value) / parts


# ---- stopping
# When to stop: takes totals and the precision asked for, says whether it is reached and when to look next.
#
# The looks come at fixed numbers of games, so that the answer depends on the seed alone, not on the clock
# or on how many processes work. Stopping looks at the widths of intervals only, never at where they lie.


FIRST_LOOK = 400
GROWTH = 8  # the next look comes after an eighth more games
LONGEST = 5000  # but not after more games than these


def game_counts_to_check() -> Iterator[int]:
    """Numbers of games: 400, 450, 507, …"""
    games = FIRST_LOOK
    while True:
        yield games
        games += min(games // GROWTH, LONGEST)


def is_precise(totals: Totals, table: Table, within: float) -> bool:
    """Shares of wins, ties and results within so much; the mean length within such a part of itself."""
    if totals.finished < FIRST_LOOK // 2:
        return False
    figures = TableFigures(table)
    shares = [*figures.list_keys("win"), ("tie",), *figures.list_keys("result")]
    if any(estimate_per_game(totals, key, table.players).half_width > within for key in shares):
        return False
    length = estimate_per_game(totals, DECISIONS, table.players)
    return length.half_width <= within * length.value
