"""Changes that an author asks for: a reason for a condition, a name for an expression, a failing game as an example.

Offered where they fit.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.text.messages import message
from rulesrun.editing.games import find_failing_game, make_appending_edit, write_failing_example
from rulesrun.editing.positions import Range, TextEdit, apply_edits
from rulesrun.editing.uses import uses_of
from rulesrun.editing.workspace import Analysis, Workspace

NEW_NAME = "extracted"
# What has no value of its own, or says the same shorter.
TOO_SMALL = (ast.Name, ast.Number, ast.Text, ast.Truth, ast.Nothing, ast.Literal)
VALUES = (
    ast.Of, ast.Item, ast.Index, ast.Call, ast.Quantified, ast.Aggregate, ast.Best, ast.Compare, ast.In, ast.IsEmpty,
    ast.Arithmetic, ast.Negate, ast.Not, ast.And, ast.Or, ast.IfElse,
)  # fmt: skip


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
    for piece in analysis.link.parsed.declarations:
        action = piece.declaration if isinstance(piece, ast.ChangePiece) else piece
        for needs in action.needs if isinstance(action, ast.Action) else ():
            if needs.because is None and needs.span.start <= end and start <= needs.span.end:
                place = analysis.lines.make_range(needs.span.end, needs.span.end)
                edit = TextEdit(place, ' because "say why it is not allowed"')
                yield Refactoring(message("Say why: add `because`"), "rewrite", (edit,))


def _extract_definition(analysis: Analysis, start: int, end: int) -> Iterator[Refactoring]:
    """What is selected, when it is a whole value that rests on nothing known at its place alone."""
    text = analysis.text[start:end]
    start, end = start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())
    piece = next((one for one in analysis.link.parsed.declarations if one.span.start <= start < one.span.end), None)
    if piece is None or isinstance(piece, ast.Small | ast.Example) or start >= end:
        return
    nodes = [node for node in walk(piece) if (node.span.start, node.span.end) == (start, end)]
    if not any(isinstance(node, VALUES) for node in nodes) or any(isinstance(node, TOO_SMALL) for node in nodes):
        return
    if not _is_known_everywhere(analysis, start, end) or "\n" in analysis.text[start:end]:
        return
    declaration = TextEdit(
        analysis.lines.make_range(piece.span.end, piece.span.end),
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
    uses = uses_of(analysis)
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
