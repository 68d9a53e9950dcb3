"""What was found in one file, as JSON. Takes the data of a report; how it looks to people is for `reports`."""

from __future__ import annotations

from fractions import Fraction

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.diagnostics.report import diagnostic_to_json
from rulesrun.files.excerpts import excerpt, place_text
from rulesrun.interpreter.examples.examples import TABLES
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
from rulesrun.records.complaints import diagnostics_json
from rulesrun.report.figure_text import estimate_json, figure_name
from rulesrun.services.implicit_properties import judge_unwritten, share_interval
from rulesrun.services.measure import MeasuredFile, MeasuredTable
from rulesrun.services.reports import (
    ExampleReport,
    FileReport,
    LastingReport,
    PropertyReport,
    SearchReport,
    SmallReport,
    TableReport,
)
from rulesrun.services.stories import story_json
from rulesrun.services.unfinished_games import going_on_json
from rulesrun.terminal.requests import MeasureRequest


def share_json(found: PropertyReport) -> dict[str, object]:
    """Of a share of all games: how sure one can be of it."""
    if found.share is None:
        return {}
    low, high = share_interval(found.games, found.finished)
    return {"of": found.finished, "verdict": found.verdict, "between": [round(low, 6), round(high, 6)]}


def search_json(search: SearchReport | None) -> dict[str, object] | None:
    if search is None:
        return None
    return {
        "games": search.games, "dealt_anew": search.dealt_anew, "decisions": search.decisions,
        "nothing_hidden": search.open, "seconds": round(search.seconds, 3),
    }  # fmt: skip


def lasting_json(found: LastingReport | None) -> dict[str, object] | None:
    """Games that may go on for ever: those that were not over, or the way players come back to where they were."""
    if found is None:
        return None
    return {
        "games": found.games, "of": found.of, "moves": found.moves, "until": found.until, "ends": found.ends,
        "tries": found.tries,
    }  # fmt: skip


def options_json(report: FileReport) -> dict[str, object] | None:
    if report.options is None:
        return None
    tried = report.options
    return {
        "values": tried.values, "of_values": tried.of_values, "pairs": tried.pairs, "of_pairs": tried.of_pairs,
        "left": tried.left,
    }  # fmt: skip


def small_json(small: SmallReport) -> dict[str, object]:
    return {
        "title": small.title, "where": small.where, "positions": small.positions, "complete": small.is_complete,
        "broken": small.broken, "unreached": list(small.unreached),
    }  # fmt: skip


def report_json(report: FileReport) -> dict[str, object]:
    sources = report.reading.sources

    def finding(diagnostic: Diagnostic | None) -> dict[str, object] | None:
        return None if diagnostic is None else diagnostic_to_json(diagnostic, sources)

    return {
        "file": report.reading.name,
        "title": report.reading.title,
        "ok": report.holds,
        "partial": report.is_partial,
        "diagnostics": diagnostics_json(report.reading)
        + [diagnostic_to_json(fault.diagnostic, sources) for fault in report.faults],
        "examples": [example_json(report, example) for example in report.examples],
        "base_examples": report.base_examples,
        "properties": [property_json(found) for found in report.properties],
        "unwritten": unwritten_json(report),
        "lays_open": laid_open_json(report),
        "faults": [
            {"diagnostic": finding(fault.diagnostic), "games": fault.games, "repeat": fault.repeat}
            for fault in report.faults
        ],
        "tables": [table_report_json(table) for table in report.tables],
        "refused": [{"players": players, "reason": reason} for players, reason in report.refused],
        "search": search_json(report.search),
        "lasting": lasting_json(report.lasting),
        "options": options_json(report),
        "small_tables": [small_json(one) for one in report.small],
        "small_tables_left_out": report.small_left,
        "stories": [story_json(story) for story in report.stories],
        "saved": [{"title": saved.title, "file": saved.file} for saved in report.saved],
        "games": report.games,
        "seconds": round(report.seconds, 3),
    }  # fmt: skip


def example_json(report: FileReport, example: ExampleReport) -> dict[str, object]:
    found = example.diagnostic
    return {
        "title": example.title, "line": example.line, "verdict": example.verdict,
        "diagnostic": diagnostic_to_json(found, report.reading.sources) if found is not None else None,
        "values": list(example.values), "repeat": example.repeat, "notes": list(example.notes),
        "failing_tables": [number + 1 for number in example.failing], "tables": TABLES,
    }  # fmt: skip


def property_json(found: PropertyReport) -> dict[str, object]:
    return {
        "kind": found.word, "title": found.title, "line": found.line, "where": found.where,
        "ok": not found.is_broken, "games": found.games, "searched": found.searched, **share_json(found),
        "values": list(found.values), "repeat": found.repeat,
    }  # fmt: skip


def laid_open_json(report: FileReport) -> list[dict[str, object]]:
    name, sources = report.reading.name, report.reading.sources
    return [
        {
            "text": excerpt(one.span, sources),
            "where": place_text(one.span, name, sources),
            "things": list(one.things),
            "how": one.how,
            "because": excerpt(one.because, sources) if one.because is not None else None,
        }
        for one in report.laid_open
    ]


def unwritten_json(report: FileReport) -> list[dict[str, object]]:
    return [
        {"title": one.title, "verdict": one.verdict, "games": one.games, "proved": one.is_proved}
        for one in (judge_unwritten(report) if report.tables else ())
    ]


def table_report_json(table: TableReport) -> dict[str, object]:
    return {
        "players": table.players,
        "games": table.games,
        "wanted": table.wanted,
        "decisions": table.decisions,
        "seconds": round(table.seconds, 3),
    }


# ---- measure json
# Measured games as one JSON document; every figure with its interval and the number of games it rests on.


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
