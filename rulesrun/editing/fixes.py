"""Quick fixes: what the hint of a finding says, done. Only what makes its finding go away is offered."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.editing.findings import Finding, make_finding
from rulesrun.editing.positions import Range, TextEdit
from rulesrun.editing.workspace import Analysis, Workspace

MOST_FIXES = 12


@frozen
class QuickFix:
    """`title` is the hint; the edits lead to a text without the finding."""

    title: str
    finding: Finding
    edits: tuple[TextEdit, ...]


def list_fixes(workspace: Workspace, analysis: Analysis, range: Range) -> tuple[QuickFix, ...]:
    """For what is found in a range, or beside a place."""
    start, end = analysis.lines.find_span(range)
    found = [
        one
        for one in analysis.reading.diagnostics
        if one.edits and one.span.file == analysis.document.name and one.span.start <= end and start <= one.span.end
    ]
    return tuple(_offer_fixes(workspace, analysis, found[:MOST_FIXES]))


def _offer_fixes(workspace: Workspace, analysis: Analysis, found: list[Diagnostic]) -> Iterator[QuickFix]:
    for diagnostic in found:
        if _goes_away(workspace, analysis, diagnostic):
            edits = tuple(
                TextEdit(analysis.lines.make_range(edit.start, edit.end), edit.text) for edit in diagnostic.edits
            )
            yield QuickFix(diagnostic.hint or diagnostic.message, make_finding(analysis, diagnostic), edits)


def _goes_away(workspace: Workspace, analysis: Analysis, diagnostic: Diagnostic) -> bool:
    """Whether the text that the edits make has one such finding less, at least."""
    mended = apply_to_text(analysis.text, diagnostic)
    after = workspace.with_texts({analysis.document.name: mended}).analyse(analysis.document.name)
    place = _place_after(diagnostic)
    return not any(
        (one.code, one.message) == (diagnostic.code, diagnostic.message) and place[0] <= one.span.start <= place[1]
        for one in after.reading.diagnostics
    )


def apply_to_text(text: str, diagnostic: Diagnostic) -> str:
    for edit in sorted(diagnostic.edits, key=lambda edit: (-edit.start, -edit.end)):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _place_after(diagnostic: Diagnostic) -> tuple[int, int]:
    """Where what was meant lies behind the edits: from the start, moved by what stands before it, to its end."""
    start, end = diagnostic.span.start, diagnostic.span.end
    before = sum(len(edit.text) - (edit.end - edit.start) for edit in diagnostic.edits if edit.end < start)
    inside = sum(len(edit.text) - (edit.end - edit.start) for edit in diagnostic.edits if edit.end <= end)
    return start + before, max(start + before, end + inside)
