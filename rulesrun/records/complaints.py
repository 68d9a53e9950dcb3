"""The diagnostics of a Reading, as text and as JSON."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rulesrun.dsl.diagnostics.report import diagnostic_to_json, format_diagnostics
from rulesrun.files.loading import Reading
from rulesrun.locale.language import translate
from rulesrun.terminal.output import is_coloured, print_error

if TYPE_CHECKING:
    from rulesrun.interpreter.model.values import Fault


def diagnostics_text(reading: Reading) -> str:
    if not reading.diagnostics:
        return ""
    return _format_all(reading, is_coloured()) + "\n"


def print_diagnostics(reading: Reading) -> None:
    """For commands whose result is something else: the diagnostics go to standard error."""
    print_error(_format_all(reading, is_coloured(sys.stderr)))


def print_fault(reading: Reading, fault: Fault) -> None:
    """Where in the rules a game got stuck."""
    text = format_diagnostics([fault.diagnostic], reading.sources, translate=translate)
    print_error(text.rstrip("\n"))


def _format_all(reading: Reading, colour: bool) -> str:
    text = format_diagnostics(reading.diagnostics, reading.sources, colour=colour, translate=translate)
    return text.rstrip("\n")


def diagnostics_json(reading: Reading) -> list[dict[str, object]]:
    return [diagnostic_to_json(finding, reading.sources) for finding in reading.diagnostics]
