"""From exact totals to estimates: what a figure's number means, and its interval."""

from __future__ import annotations

from fractions import Fraction

from rulesrun.interpreter.measure.estimates import Estimate, Exact, mean, part_of_all, ratio, share, wide_share
from rulesrun.interpreter.measure.record import PARTS_OF_A_GAME, Key, measure_of, parts_of_a_win
from rulesrun.interpreter.measure.totals import Sums, Totals


def unit(key: Key, players: int) -> int:
    """By how much the totals of a figure are divided, so that a game adds what people count."""
    match key[0]:
        case "win":
            return parts_of_a_win(players)
        case "settled":
            return PARTS_OF_A_GAME
        case "line" | "met":
            return players
    return 1


def each_game(totals: Totals, key: Key, players: int) -> Estimate:
    """What a finished game shows of the figure, on average."""
    one, parts = totals.sums.get(key, Sums()), unit(key, players)
    total, squares = divided(one.total, parts), divided(one.squares, parts * parts)
    found = mean(total, squares, one.games, totals.finished)
    return wide_share(found) if key[0] == "win" and found.low is None else found


def games_with(totals: Totals, key: Key) -> Estimate:
    """The share of the finished games in which it happened at all."""
    return share(totals.sums.get(key, Sums()).games, totals.finished)


def measured(totals: Totals, key: Key, players: int) -> Estimate | None:
    """Against what it is measured by: options by decisions, a chosen action by when it was possible."""
    against = measure_of(key)
    if against is None:
        return None
    one, other, parts = totals.sums.get(key, Sums()), totals.sums.get(against, Sums()), unit(key, players)
    above = divided(one.total, parts), divided(one.squares, parts * parts)
    product = divided(one.product, parts)
    found = ratio(above, (other.total, other.squares), product, totals.finished)
    return found if key[0] == "options" else part_of_all(found, one.games, other.games)


def figure(totals: Totals, key: Key, players: int) -> Estimate:
    """The one number that stands for the figure."""
    found = measured(totals, key, players) if key[0] in ("options", "forced") else None
    return found if found is not None else each_game(totals, key, players)


def edge(totals: Totals, seat: int, players: int) -> Estimate:
    """How much more often the seat wins than its share of the seats."""
    return each_game(totals, ("win", str(seat)), players).plus(-1 / players)


def divided(value: Exact, parts: int) -> Exact:
    return value if parts == 1 else Fraction(value) / parts
