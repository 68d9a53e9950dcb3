"""Quick fixes: what the hint of a finding says, done. Only what makes its finding go away is offered."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.symbols.outline import find_piece_with_value, list_bare_needs
from rulesrun.dsl.symbols.uses import uses_of
from rulesrun.dsl.text.messages import message
from rulesrun.editing.findings import Finding, make_finding
from rulesrun.editing.games import find_failing_game, make_appending_edit, write_failing_example
from rulesrun.editing.positions import Range, TextEdit, apply_edits
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


# ---- refactors
# Changes that an author asks for: a reason for a condition, a name for an expression, a failing game as an example.
#
# Offered where they fit.


NEW_NAME = "extracted"


@frozen
class Refactoring:
    """`kind`: rewrite or extract."""

    title: str
    kind: str
    edits: tuple[TextEdit, ...]


def list_refactorings(workspace: Workspace, analysis: Analysis, range: Range) -> tuple[Refactoring, ...]:
    start, end = analysis.lines.find_span(range)
    found = [*_add_reasons(analysis, start, end), *_extract_definition(analysis, start, end)]
    sound = [one for one in found if _is_still_sound(workspace, analysis, one)]
    return (*_save_failing_game(workspace, analysis, start, end), *sound)


def _add_reasons(analysis: Analysis, start: int, end: int) -> Iterator[Refactoring]:
    """`needs` without a reason, at the cursor."""
    for span in list_bare_needs(analysis.rules.pieces):
        if span.start <= end and start <= span.end:
            edit = TextEdit(analysis.lines.make_range(span.end, span.end), ' because "say why it is not allowed"')
            yield Refactoring(message("Say why: add `because`"), "rewrite", (edit,))


def _extract_definition(analysis: Analysis, start: int, end: int) -> Iterator[Refactoring]:
    """What is selected, when it is a whole value that rests on nothing known at its place alone."""
    text = analysis.text[start:end]
    start, end = start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())
    piece = find_piece_with_value(analysis.rules.pieces, start, end)
    if piece is None:
        return
    if not _is_known_everywhere(analysis, start, end) or "\n" in analysis.text[start:end]:
        return
    declaration = TextEdit(
        analysis.lines.make_range(piece.end, piece.end),
        f"\n\ndefine {NEW_NAME} = {analysis.text[start:end]}",
    )
    use = TextEdit(analysis.lines.make_range(start, end), NEW_NAME)
    yield Refactoring(message("Give it a name: `define {name}`", name=NEW_NAME), "extract", (use, declaration))


def _save_failing_game(workspace: Workspace, analysis: Analysis, start: int, end: int) -> Iterator[Refactoring]:
    """Of what games that were played have broken on these lines. The example was run: it fails for the same reason."""
    found = find_failing_game(analysis, start, end)
    if found is None:
        return
    known: dict[object, str | None] = analysis.kept.setdefault("failing examples", {})
    kind = found[1].kind
    if kind not in known:
        known[kind] = write_failing_example(workspace, analysis, found)
    lines = known[kind]
    if lines is not None:
        edit = make_appending_edit(analysis, lines)
        yield Refactoring(message("Save the game that breaks it as an example"), "rewrite", (edit,))


def _is_known_everywhere(analysis: Analysis, start: int, end: int) -> bool:
    """No choice, no binder from outside, no element, no attribute that stands alone."""
    uses = uses_of(analysis.rules)
    inside = [use for use in uses.own if start <= use.span.start < end]
    own = {use.symbol for use in inside if use.declares is not None}
    return all(
        use.symbol in own or (use.symbol.kind not in ("local", "attribute") and use.symbol.name != "it")
        for use in inside
    )


def _is_still_sound(workspace: Workspace, analysis: Analysis, found: Refactoring) -> bool:
    """The rules have no mistake then that they did not have."""
    name = analysis.document.name
    after = workspace.with_texts({name: apply_edits(analysis.text, found.edits)}).analyse(name)
    return after.reading.program is not None or analysis.reading.program is None
