"""What the checker found in a file, as text and as JSON."""

from __future__ import annotations

from rulesrun.dsl.diagnostics.report import summarize_diagnostics
from rulesrun.files.loading import Reading
from rulesrun.locale.language import translate, use_words
from rulesrun.records.complaints import diagnostics_json, diagnostics_text


def check_text(reading: Reading, is_quiet: bool = False) -> str:
    use_words(reading.game)
    text = diagnostics_text(reading)
    if reading.has_errors or not is_quiet:
        text += f"{reading.name}: {translate(summarize_diagnostics(reading.diagnostics))}\n"
    return text


def check_json(reading: Reading) -> dict[str, object]:
    return {
        "file": reading.name,
        "title": reading.title,
        "ok": not reading.has_errors,
        "diagnostics": diagnostics_json(reading),
    }
