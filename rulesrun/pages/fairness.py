"""Is it fair? Measured tables in, a verdict out: which seats clearly win more or less often than their share."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl.text.messages import message, template
from rulesrun.interpreter.measure.estimates import LEVEL, Estimate, normal_quantile, two_sided_p_value
from rulesrun.interpreter.measure.figures import estimate_edge
from rulesrun.pages.markup import Markup, join_markup
from rulesrun.pages.verdicts import HOLDS, OPEN, badge
from rulesrun.report.figure_text import percent_text
from rulesrun.services.measure import MeasuredTable

FAMILY = 0.01  # how often any seat at all may be called favoured where none is
MOST = 4  # seats told one by one
MORE = template("seat {seat} of {players} wins {share} more often than an equal share ({low} to {high})")
LESS = template("seat {seat} of {players} wins {share} less often than an equal share ({low} to {high})")

Seat = tuple[int, int, Estimate]  # players, the seat, its edge


def fairness_lines(tables: list[MeasuredTable]) -> Iterator[Markup]:
    """`tables`: where players win from each other. Clear is what is so at 1 % for all seats together."""
    seats: list[Seat] = [
        (one.table.players, seat, estimate_edge(one.totals, seat, one.table))
        for one in tables
        for seat in one.table.bench.first_seats
    ]
    if not seats or any(found.low is None for _, _, found in seats):
        return
    clear = sorted((seat for seat in seats if is_clear(seat[2], len(seats))), key=lambda seat: -abs(seat[2].value))
    for players, seat, found in clear[:MOST]:
        low, high = sorted((abs(found.low or 0.0), abs(found.high or 0.0)))
        sentence = MORE if found.value > 0 else LESS
        said = message(
            sentence, seat=seat, players=players, share=percent_text(abs(found.value)), low=percent_text(low),
            high=percent_text(high),
        )  # fmt: skip
        yield join_markup((badge(OPEN, "edge"), " ", said))
    if len(clear) > MOST:
        yield join_markup((badge(OPEN, "edge"), " ", message("and {seats} more seats", seats=len(clear) - MOST)))
    if not clear:
        most = max(max(-(found.low or 0.0), found.high or 0.0) for _, _, found in seats)
        said = message("no seat has a clear edge: each within {most} of an equal share", most=percent_text(most))
        yield join_markup((badge(HOLDS, "fair"), " ", said))


def is_clear(found: Estimate, family: int) -> bool:
    error = found.half_width / normal_quantile((1 + LEVEL) / 2)
    return bool(found.value) and (not error or two_sided_p_value(found.value / error) * family < FAMILY)
