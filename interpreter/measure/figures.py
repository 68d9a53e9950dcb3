"""From exact totals to estimates: what a figure's number means, and its interval."""

from __future__ import annotations

from fractions import Fraction

from rulesrun.interpreter.measure.estimates import (
    Estimate,
    Exact,
    clip_to_share,
    estimate_mean,
    estimate_ratio,
    estimate_share,
    widen_share,
)
from rulesrun.interpreter.measure.record import PARTS_OF_A_GAME, Key, denominator_of, parts_of_a_win
from rulesrun.interpreter.measure.totals import Sums, Totals
from rulesrun.interpreter.reference.table import Table


def figure_unit(key: Key, players: int) -> int:
    """By how much the totals of a figure are divided, so that a game adds what people count."""
    match key[0]:
        case "win":
            return parts_of_a_win(players)
        case "settled":
            return PARTS_OF_A_GAME
        case "line" | "met":
            return players
    return 1


def estimate_per_game(totals: Totals, key: Key, players: int) -> Estimate:
    """What a finished game shows of the figure, on average."""
    one, parts = totals.sums.get(key, Sums()), figure_unit(key, players)
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
    one, other, parts = totals.sums.get(key, Sums()), totals.sums.get(against, Sums()), figure_unit(key, players)
    above = divide_exactly(one.total, parts), divide_exactly(one.squares, parts * parts)
    product = divide_exactly(one.product, parts)
    found = estimate_ratio(above, (other.total, other.squares), product, totals.finished)
    return found if key[0] in {"options", "figure"} else clip_to_share(found, one.games, other.games)


def estimate_figure(totals: Totals, key: Key, players: int) -> Estimate:
    """The one number that stands for the figure."""
    is_ratio = key[0] in ("options", "forced") or (key[0] == "figure" and not comes_once_a_game(totals, key))
    found = estimate_against_measure(totals, key, players) if is_ratio else None
    return found if found is not None else estimate_per_game(totals, key, players)


def comes_once_a_game(totals: Totals, key: Key) -> bool:
    """Whether every finished game has one value of this figure of the rules, so that it is like any other."""
    moments = totals.sums.get(("moments", *key[1:]), Sums())
    return moments.total == moments.squares == totals.finished


def estimate_edge(totals: Totals, seat: int, table: Table) -> Estimate:
    """How much more often the seat, or its team, wins than one of as many."""
    return estimate_per_game(totals, ("win", str(seat)), table.players).shift(-1 / len(table.bench.teams))


def divide_exactly(value: Exact, parts: int) -> Exact:
    return value if parts == 1 else Fraction(value) / parts
