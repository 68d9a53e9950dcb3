"""Texts mended as their hints say: which complaints stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.files.loading import read_text

MOST_AT_ONCE = 8  # where more is wrong, texts were made up to be hostile


def apply_fix(text: str, found: Diagnostic) -> str:
    for edit in sorted(found.edits, key=lambda edit: (-edit.start, -edit.end)):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def said_and_mended(game: str, right: str, said: str) -> tuple[str | None, list[str]]:
    """The hint where this is said in place of what is right; the errors that are left when its fix is made."""
    assert game.count(right) == 1
    text = game.replace(right, said)
    (found,) = find_errors(text)
    return found.hint, [f"{one.code}: {one.message}" for one in find_errors(apply_fix(text, found))]


def find_errors(text: str) -> list[Diagnostic]:
    return [one for one in read_text(text).diagnostics if one.severity == "error"]


def move_offset(offset: int, found: Diagnostic, *, is_end: bool = False) -> int:
    """Where a place of the old text lies in the mended one."""
    moved = offset
    for edit in found.edits:
        if edit.end < offset or (edit.end == offset and (is_end or edit.start < edit.end)):
            moved += len(edit.text) - (edit.end - edit.start)
        elif edit.start < offset:
            moved += len(edit.text) - (offset - edit.start) if is_end else edit.start - offset
    return moved


def find_stubborn(text: str, kinds: Counter[str]) -> Iterator[str]:
    """What is still said of the same place after its fix, with the text; `kinds` counts what was mended, by code."""
    said = read_text(text).diagnostics
    for found in said if len(said) <= MOST_AT_ONCE else ():
        if not found.edits:
            continue
        mended = apply_fix(text, found)
        start, end = move_offset(found.span.start, found), move_offset(found.span.end, found, is_end=True)
        kinds[found.code] += 1
        for one in read_text(mended).diagnostics:
            if (one.code, one.message) == (found.code, found.message) and start <= one.span.start <= max(start, end):
                yield (
                    f"{found.code}: {found.message} (hint: {found.hint})\n{text[-600:]}\n--- becomes\n{mended[-600:]}"
                )
