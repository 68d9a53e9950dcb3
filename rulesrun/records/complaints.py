"""The diagnostics of a Reading, as text and as JSON."""

from __future__ import annotations

import sys

from rulesrun.dsl.diagnostics.report import to_json, to_text
from rulesrun.files.loading import Reading
from rulesrun.terminal.output import complain, is_coloured


def complaints_text(reading: Reading) -> str:
    if not reading.diagnostics:
        return ""
    return to_text(reading.diagnostics, reading.sources, colour=is_coloured()).rstrip("\n") + "\n"


def complain_about(reading: Reading) -> None:
    """For commands whose result is something else: the diagnostics go to standard error."""
    complain(to_text(reading.diagnostics, reading.sources, colour=is_coloured(sys.stderr)).rstrip("\n"))


def findings_json(reading: Reading) -> list[dict[str, object]]:
    return [to_json(finding, reading.sources) for finding in reading.diagnostics]
