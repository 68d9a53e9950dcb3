"""What was found in one file, as JSON. Takes the data of a report; how it looks to people is for `reports`."""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.diagnostics.report import diagnostic_to_json
from rulesrun.files.excerpts import excerpt, place_text
from rulesrun.interpreter.examples.examples import TABLES
from rulesrun.records.complaints import diagnostics_json
from rulesrun.services.implicit_properties import judge_unwritten, share_interval
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
