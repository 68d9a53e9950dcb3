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


def ask_at_the_end(look: Callable[[], None]) -> None:
    """`look` may add a note when all is done."""
    _asked_at_the_end.append(look)


def noted() -> list[tuple[Diagnostic, Sources]]:
    while _asked_at_the_end:
        _asked_at_the_end.pop()()
    return list(_noted.values())


def amount_of_notes() -> int:
    return len(_noted)


def add_note(note: Diagnostic, sources: Sources) -> None:
    _noted.setdefault((note.message, note.span), (note, sources))


def notes_about(sources: Sources) -> tuple[Diagnostic, ...]:
    """Those that speak of these files."""
    return tuple(note for note, _ in noted() if note.span.file in sources)


def notes_json() -> list[dict[str, object]]:
    found = noted()
    if not found:
        return []
    from rulesrun.dsl.diagnostics.report import to_json

    return [to_json(note, sources) for note, sources in found]


def note_lines() -> list[str]:
    """The place, what is the matter, and what to write instead."""
    return [line_of_note(note, sources) for note, sources in noted()]


def line_of_note(note: Diagnostic, sources: Sources) -> str:
    source = sources.get(note.span.file)
    line = source.position(note.span.start)[0] if source is not None else 1
    hint = f"; {note.hint}" if note.hint else ""
    return f"note[{note.code}]: {note.span.file}:{line}: {note.message}{hint}"
