"""Measured games as one JSON document; every figure with its interval and the number of games it rests on."""

from __future__ import annotations

from fractions import Fraction

from rulesrun.interpreter.measure.catalogue import list_figures
from rulesrun.interpreter.measure.declared_figures import Event, Key, declared_figure
from rulesrun.interpreter.measure.estimates import compute_variance
from rulesrun.interpreter.measure.figures import (
    estimate_against_measure,
    estimate_edge,
    estimate_figure,
    estimate_games_with,
    has_spread,
)
from rulesrun.interpreter.measure.record import TOO_LONG
from rulesrun.interpreter.measure.totals import Sums, Totals
from rulesrun.interpreter.reference.table import Table
from rulesrun.report.figure_text import estimate_json, figure_name
from rulesrun.report.report_json import lasting_json
from rulesrun.services.measure import MeasuredFile, MeasuredTable
from rulesrun.services.unfinished_games import going_on_json
from rulesrun.terminal.requests import MeasureRequest

OF_COMPONENTS = ("component", "kept")
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def measurement_json(found: MeasuredFile, request: MeasureRequest, with_components: bool = True) -> dict[str, object]:
    """`with_components`: also how often each of them was chosen, and kept; there may be hundreds."""
    reading = found.reading
    return {
        "file": reading.name,
        "title": reading.title,
        "ok": found.holds,
        "partial": found.is_partial,
        "seats": request.seats or "random",
        "seed": request.seed,
        "tables": [measured_table_json(one, with_components) for one in found.tables],
        "refused": [{"players": players, "reason": reason} for players, reason in found.seating.refused],
        "missing": [table.players for table in found.missing_tables],
        "games": sum(one.totals.games for one in found.tables),
        "engine": found.engine,
        "seconds": round(found.seconds, 3),
    }


def measured_table_json(one: MeasuredTable, with_components: bool = True) -> dict[str, object]:
    known = list_figures(one.table)
    told = [key for key in known if with_components or key[0] not in OF_COMPONENTS]
    totals, players = one.totals, one.table.players
    seats = [str(seat) for seat in range(1, players + 1)]
    wins = {seat: estimate_figure(totals, ("win", seat), players) for seat in seats}
    return {
        "players": players,
        "options": dict(one.table.options),
        **teams_json(one.table),
        "games": totals.games,
        "finished": totals.finished,
        "stopped": one.stopped,
        "decisions": totals.decisions,
        "stuck": dict(one.stuck),
        "lasting": lasting_json(one.lasting),
        "going_on": going_on_json(one.going_on, totals.stuck[TOO_LONG]),
        "broken": dict(totals.broken),
        "watched": totals.watched,
        "wins": {seat: won.value * totals.finished for seat, won in wins.items()},
        "edges": {seat: estimate_json(estimate_edge(totals, int(seat), one.table)) for seat in seats},
        "mean_scores": {seat: estimate_figure(totals, ("score", seat), players).value for seat in seats},
        "figures": [figure_json(totals, one.table, key) for key in told],
        "figures_left_out": len(known) - len(told),
    }


def teams_json(table: Table) -> dict[str, object]:
    """Only where some play together."""
    return {"teams": [list(team) for team in table.bench.teams]} if table.bench.team_size > 1 else {}


def figure_json(totals: Totals, table: Table, key: Key) -> dict[str, object]:
    players, declared = table.players, declared_figure(key)
    found: dict[str, object] = {"figure": list(key), "says": figure_name(key)}
    found |= estimate_json(estimate_figure(totals, key, players))
    if declared.event is not Event.DECISION:
        found["games_with"] = estimate_json(estimate_games_with(totals, key))
    when_possible = estimate_against_measure(totals, key, players)
    if when_possible is not None and not declared.is_ratio:
        found["when_possible"] = estimate_json(when_possible)
    if has_spread(totals, key):
        found |= spread_json(totals, key, declared.unit(players))
    return found


def spread_json(totals: Totals, key: Key, parts: int) -> dict[str, object]:
    """Exact where values are small whole numbers; large ones are counted to three or four digits."""
    if not totals.finished:
        return {"sd": None, "quantiles": {}}
    sums = totals.sums.get(key, Sums())
    found = totals.compute_quantiles(key, tuple(Fraction(str(one)) for one in QUANTILES))
    return {
        "sd": compute_variance(sums.total, sums.squares, totals.finished) ** 0.5 / parts,
        "quantiles": {str(one): float(value) / parts for one, value in zip(QUANTILES, found, strict=True)},
    }


