"""`rulesrun check`: read and check, play nothing."""

from __future__ import annotations

from rulesrun.files.loading import Reading, read_rules
from rulesrun.records.complaints import complaints_text, findings_json
from rulesrun.run.reference_notes import look_for_reason, with_notes
from rulesrun.services.tables import smallest_table
from rulesrun.terminal.arguments import Request
from rulesrun.terminal.output import say, say_json


def run(request: Request) -> int:
    readings = [_looked_at(read_rules(name, request.variants)) for name in request.files]
    if request.json:
        say_json({"files": [_document(reading) for reading in readings]})
    else:
        for reading in readings:
            _report(reading, request.quiet)
    return 1 if any(reading.has_errors for reading in readings) else 0


def _looked_at(reading: Reading) -> Reading:
    """Also whether machine code can be made of the rules."""
    table = smallest_table(reading.program) if reading.program is not None else None
    if table is not None:
        look_for_reason(table)
    return with_notes(reading)


def _document(reading: Reading) -> dict[str, object]:
    return {
        "file": reading.name,
        "title": reading.title,
        "ok": not reading.has_errors,
        "diagnostics": findings_json(reading),
    }


def _report(reading: Reading, is_quiet: bool) -> None:
    say(complaints_text(reading), end="")
    if reading.has_errors or not is_quiet:
        from rulesrun.dsl.diagnostics.report import summary

        verdict = summary(reading.diagnostics) if reading.diagnostics else "no errors"
        say(f"{reading.name}: {verdict}")
