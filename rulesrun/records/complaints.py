"""The diagnostics of a Reading, as text and as JSON."""

from __future__ import annotations

import sys

from rulesrun.dsl.diagnostics.report import diagnostic_to_json, format_diagnostics
from rulesrun.files.loading import Reading
from rulesrun.terminal.output import is_coloured, print_error


def diagnostics_text(reading: Reading) -> str:
    if not reading.diagnostics:
        return ""
    return format_diagnostics(reading.diagnostics, reading.sources, colour=is_coloured()).rstrip("\n") + "\n"


def print_diagnostics(reading: Reading) -> None:
    """For commands whose result is something else: the diagnostics go to standard error."""
    print_error(format_diagnostics(reading.diagnostics, reading.sources, colour=is_coloured(sys.stderr)).rstrip("\n"))


def diagnostics_json(reading: Reading) -> list[dict[str, object]]:
    return [diagnostic_to_json(finding, reading.sources) for finding in reading.diagnostics]
