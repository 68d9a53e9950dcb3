"""What is told beside the result of a command: notes, each once, in one line or as JSON. They change no exit code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
    from rulesrun.dsl.text.source import Source

Sources: TypeAlias = "Mapping[str, Source]"

_noted: dict[tuple[str, object], tuple[Diagnostic, Sources]] = {}
_asked_at_the_end: list[Callable[[], None]] = []


def forget_notes() -> None:
    """A new command begins."""
    _noted.clear()
    _asked_at_the_end.clear()


def add_final_check(look: Callable[[], None]) -> None:
    """`look` may add a note when all is done."""
    _asked_at_the_end.append(look)


def collect_notes() -> list[tuple[Diagnostic, Sources]]:
    while _asked_at_the_end:
        _asked_at_the_end.pop()()
    return list(_noted.values())


def amount_of_notes() -> int:
    return len(_noted)


def add_note(note: Diagnostic, sources: Sources) -> None:
    _noted.setdefault((note.message, note.span), (note, sources))


def notes_about(sources: Sources) -> tuple[Diagnostic, ...]:
    """Those that speak of these files."""
    return tuple(note for note, _ in collect_notes() if note.span.file in sources)


def notes_json() -> list[dict[str, object]]:
    found = collect_notes()
    if not found:
        return []
    from rulesrun.dsl.diagnostics.report import diagnostic_to_json

    return [diagnostic_to_json(note, sources) for note, sources in found]


def note_lines() -> list[str]:
    """The place, what is the matter, and what to write instead."""
    return [format_note(note, sources) for note, sources in collect_notes()]


def format_note(note: Diagnostic, sources: Sources) -> str:
    source = sources.get(note.span.file)
    line = source.line_and_column(note.span.start)[0] if source is not None else 1
    hint = f"; {note.hint}" if note.hint else ""
    return f"note[{note.code}]: {note.span.file}:{line}: {note.message}{hint}"
