"""The canonical layout as edits: only the lines that change."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from rulesrun.dsl.format.format import format_file, is_same_rules
from rulesrun.editing.positions import Position, Range, TextEdit
from rulesrun.editing.workspace import Analysis


def format_document(analysis: Analysis, lines: tuple[int, int] | None = None) -> tuple[TextEdit, ...]:
    """`lines`: only what changes between these two, both included. Nothing where the text cannot be read whole."""
    link = analysis.link
    if any(found.severity == "error" for found in link.parsed.diagnostics):
        return ()
    new = format_file(link.source, link.parsed)
    if new == analysis.text or not is_same_rules(link.parsed, new):
        return ()
    return tuple(
        edit
        for edit in _compare_lines(analysis.text, new)
        if lines is None or (edit.range.start.line <= lines[1] and edit.range.end.line >= lines[0])
    )


def _compare_lines(old: str, new: str) -> Iterator[TextEdit]:
    """Lines that end with `\\n` alone; a lone `\\r` is text to the reader of rules, so the whole is replaced then."""
    if "\r" in old:
        ends = Range(Position(0, 0), Position(old.count("\n") + old.count("\r") + 1, 0))
        yield TextEdit(ends, new)
        return
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    if len(old.split("\n")) != len(before) + old.endswith("\n") - (not old):
        yield TextEdit(Range(Position(0, 0), Position(old.count("\n") + 1, 0)), new)
        return
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, first, last, new_first, new_last in matcher.get_opcodes():
        if tag != "equal":
            place = Range(Position(first, 0), Position(last, 0))
            yield TextEdit(place, "".join(after[new_first:new_last]))
