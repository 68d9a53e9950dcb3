"""`rulesrun check`: read and check, play nothing."""

from __future__ import annotations

from rulesrun.files.loading import Reading, read_rules
from rulesrun.records.complaints import diagnostics_json, diagnostics_text
from rulesrun.run.reference_notes import check_compilable, with_notes
from rulesrun.services.tables import smallest_table
from rulesrun.terminal.output import print_json, print_text
from rulesrun.terminal.requests import CheckRequest


def run(request: CheckRequest) -> int:
    readings = [_add_engine_notes(read_rules(name, request.variants)) for name in request.files]
    if request.json:
        print_json({"files": [_check_json(reading) for reading in readings]})
    else:
        for reading in readings:
            _print_check(reading, request.quiet)
    return 1 if any(reading.has_errors for reading in readings) else 0


def _add_engine_notes(reading: Reading) -> Reading:
    """Also whether machine code can be made of the rules."""
    table = smallest_table(reading.program) if reading.program is not None else None
    if table is not None:
        check_compilable(table)
    return with_notes(reading)


def _check_json(reading: Reading) -> dict[str, object]:
    return {
        "file": reading.name,
        "title": reading.title,
        "ok": not reading.has_errors,
        "diagnostics": diagnostics_json(reading),
    }


def _print_check(reading: Reading, is_quiet: bool) -> None:
    print_text(diagnostics_text(reading), end="")
    if reading.has_errors or not is_quiet:
        from rulesrun.dsl.diagnostics.report import summarize_diagnostics

        verdict = summarize_diagnostics(reading.diagnostics) if reading.diagnostics else "no errors"
        print_text(f"{reading.name}: {verdict}")
