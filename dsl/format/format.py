"""The one canonical layout. Takes a file as read, or a whole game, gives its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.format.comments import LaidLine, merge_comments
from rulesrun.dsl.format.examples import format_example_line
from rulesrun.dsl.format.expressions import format_expression, format_type
from rulesrun.dsl.format.line_breaks import INDENT, fold_line, remove_marks
from rulesrun.dsl.format.pieces import (
    format_criterion,
    format_first_line,
    format_line_alone,
    format_note,
    format_piece,
    format_seen_by,
)
from rulesrun.dsl.format.statements import FormattedLine, format_body
from rulesrun.dsl.parsing.parse import ParsedFile, parse_source
from rulesrun.dsl.text.source import Source

FIRST_QUOTE = re.compile(r'^[^\S\n]*(")', re.MULTILINE)
NOTE_LINE = re.compile(r"^[^\S\n]+##", re.MULTILINE)
KINDS = (
    (ast.Edition, ast.Title, ast.VariantOf, ast.Players, ast.Teams, ast.Rounds),
    (ast.Values, ast.Components),
    (ast.Option, ast.Require),
    (ast.Table, ast.Define),
    (ast.Variable, ast.Memory),
    (ast.Ranking, ast.Result),
    (ast.ChangePiece, ast.RemovePiece, ast.ChangeRow, ast.ChangeLine, ast.ChangeLines, ast.Fix),
)


def format_file(source: Source, parsed: ParsedFile) -> str:
    """The file in canonical layout, comments kept. Only for what was read without errors."""
    lines = list(_lay_out_pieces(parsed.declarations, source))
    return _join_lines(merge_comments(lines, parsed.comments, source))


def is_same_rules(parsed: ParsedFile, text: str) -> bool:
    """Whether a text, read, is the same rules with the same comments: what was laid out is trusted only after this."""
    before, after = (
        sorted(comment.text for comment in one.comments) for one in (parsed, parse_source(Source("", text)))
    )
    return before == after and is_text_of_pieces(text, parsed.declarations)


def is_text_of_pieces(text: str, pieces: tuple[ast.AnyDeclaration, ...]) -> bool:
    """Whether a text, read, is these pieces."""
    read = parse_source(Source("", text))
    return not read.diagnostics and repr(read.declarations) == repr(pieces)


def pieces_of_game(game: ast.Game) -> tuple[ast.AnyDeclaration, ...]:
    return (*game.declarations, *game.smalls)


def format_game(game: ast.Game) -> str:
    """A whole rulebook as one file: what a base and its variants come to."""
    return _join_lines((line, "") for line in _lay_out_pieces(pieces_of_game(game), source=None))


def text_of_expression(expr: ast.Expr) -> str:
    return remove_marks(format_expression(expr))


def text_of_seen_by(seen_by: ast.SeenBy) -> str:
    return remove_marks(format_seen_by(seen_by))


def text_of_type(written: ast.TypeExpr) -> str:
    return remove_marks(format_type(written))


def text_of_criterion(criterion: ast.Criterion) -> str:
    return remove_marks(format_criterion(criterion))


def text_of_example_line(line: ast.ExampleLine) -> str:
    return remove_marks(format_example_line(line))


def text_of_line(line: ast.Statement | ast.Needs | ast.Branch) -> str:
    """Without what stands below it."""
    return remove_marks(format_line_alone(line))


def text_of_first_line(piece: ast.AnyDeclaration) -> str:
    return remove_marks(format_first_line(piece))


def lines_of_body(body: tuple[ast.Statement, ...]) -> list[tuple[int, str]]:
    """Each statement with how deep it stands."""
    return [(line.depth, line.text) for line in format_body(body, 0)]


def _join_lines(lines: Iterable[tuple[LaidLine, str]]) -> str:
    written: list[str] = []
    for line, tail in lines:
        if line.is_apart and written:
            written.append("")
        written += [INDENT * line.depth + line.text] if line.text.startswith("#") else fold_line(line.text, line.depth)
        if tail:
            written[-1] += f"  {tail}"
    return "".join(f"{line}\n" for line in written)


def _lay_out_pieces(declarations: Iterable[ast.AnyDeclaration], source: Source | None) -> Iterator[LaidLine]:
    above: tuple[ast.AnyDeclaration, list[FormattedLine]] | None = None
    for piece in declarations:
        rows = list(format_piece(piece, is_spread=source is not None and _has_note_inside(piece, source)))
        is_apart = above is not None and _has_blank_between(above, (piece, rows))
        notes = _notes_above(piece)
        start = _start_of_notes(piece.span.start, source) if source and notes else 0
        for at, note in enumerate(notes):
            yield LaidLine(0, format_note(note), start, start, is_apart and at == 0, at > 0)
        for at, row in enumerate(rows):
            start = _start_of_row(row, source) if source else 0
            is_first, is_tied = at == 0, at == 0 and bool(notes)
            yield LaidLine(
                row.depth, row.marked, start, _end_of_row(row), is_apart and is_first and not notes, is_tied
            )
        above = piece, rows


def _end_of_row(row: FormattedLine) -> int:
    """The lines below `let` stand beside it: its own end with its value."""
    node = row.node
    return node.each.span.end if isinstance(node, ast.ForEach) and node.word == "let" else node.span.end


def _has_note_inside(piece: ast.AnyDeclaration, source: Source) -> bool:
    """A `##` line among the lines of a piece; above the piece it would be a note of it."""
    return NOTE_LINE.search(source.text, piece.span.start, piece.span.end) is not None


def _start_of_notes(start: int, source: Source) -> int:
    """The first of the `##` lines right above a piece; a comment may stand among them."""
    first = line = source.text.rfind("\n", 0, start) + 1
    while line > 0 and source.text.startswith("#", above := source.text.rfind("\n", 0, line - 1) + 1):
        line = above
        first = line if source.text.startswith("##", line) else first
    return first


def _start_of_row(row: FormattedLine, source: Source) -> int:
    """The sentence of a reading has no node of its own: it begins on the first line that begins with a quote."""
    node = row.node
    if not isinstance(node, ast.Option) or row.depth == 0:
        return node.span.start
    sentence = FIRST_QUOTE.search(source.text, node.default.span.end)
    return max(sentence.start(1) if sentence else 0, source.text.find(row.text, node.default.span.end))


def _notes_above(piece: ast.AnyDeclaration) -> tuple[str, ...]:
    return piece.notes or (piece.declaration.notes if isinstance(piece, ast.ChangePiece) else ())


def _has_blank_between(
    above: tuple[ast.AnyDeclaration, list[FormattedLine]], below: tuple[ast.AnyDeclaration, list[FormattedLine]]
) -> bool:
    return _grouping_kind(above[0]) != _grouping_kind(below[0]) or _is_block(*above) or _is_block(*below)


def _grouping_kind(piece: ast.AnyDeclaration) -> int | type[ast.Node]:
    return next((at for at, kinds in enumerate(KINDS) if isinstance(piece, kinds)), type(piece))


def _is_block(piece: ast.AnyDeclaration, rows: list[FormattedLine]) -> bool:
    """A reading with its sentence stays among the options."""
    return len(rows) > 1 and not isinstance(piece, ast.Option)
