"""The one canonical layout. Takes a file as read, or a whole game, gives its text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.format_comments import Laid, with_comments
from rulesrun.dsl.format_lines import INDENT, fold
from rulesrun.dsl.format_pieces import note_text, piece_rows
from rulesrun.dsl.format_statements import Row
from rulesrun.dsl.parse import Parsed
from rulesrun.dsl.pieces import has_lines_below
from rulesrun.dsl.source import Source

KINDS = (
    (ast.Edition, ast.Title, ast.VariantOf, ast.Players, ast.Rounds),
    (ast.Values, ast.Components),
    (ast.Option, ast.Require),
    (ast.Table, ast.Define),
    (ast.Variable, ast.Memory),
    (ast.Ranking, ast.Result),
    (ast.ChangePiece, ast.RemovePiece, ast.ChangeRow, ast.ChangeLine, ast.Fix),
)


def format_file(source: Source, parsed: Parsed) -> str:
    """The file in canonical layout, comments kept. Only for what was read without errors."""
    lines = list(_lines(parsed.declarations, source))
    return _text(with_comments(lines, parsed.comments, source))


def format_game(game: ast.Game) -> str:
    """A whole rulebook as one file: what a base and its variants come to."""
    return _text((line, "") for line in _lines(game.declarations, source=None))


def _text(lines: Iterable[tuple[Laid, str]]) -> str:
    written: list[str] = []
    for line, tail in lines:
        if line.is_apart and written:
            written.append("")
        written += [INDENT * line.depth + line.text] if line.text.startswith("#") else fold(line.text, line.depth)
        if tail:
            written[-1] += f"  {tail}"
    return "".join(f"{line}\n" for line in written)


def _lines(declarations: Iterable[ast.AnyDeclaration], source: Source | None) -> Iterator[Laid]:
    above: ast.AnyDeclaration | None = None
    for piece in declarations:
        is_apart = above is not None and _stand_apart(above, piece)
        notes = _notes(piece)
        start = _start_of_notes(piece.span.start, source) if source and notes else 0
        for at, note in enumerate(notes):
            yield Laid(0, note_text(note), start, start, is_apart and at == 0, at > 0)
        for at, row in enumerate(piece_rows(piece)):
            start = _start_of(row, source) if source else 0
            yield Laid(row.depth, row.text, start, row.node.span.end, is_apart and not at and not notes, bool(notes))
            notes = ()
        above = piece


def _start_of_notes(start: int, source: Source) -> int:
    """The first of the `##` lines right above a piece; a comment may stand among them."""
    first = line = source.text.rfind("\n", 0, start) + 1
    while line > 0 and source.text.startswith("#", above := source.text.rfind("\n", 0, line - 1) + 1):
        line = above
        first = line if source.text.startswith("##", line) else first
    return first


def _start_of(row: Row, source: Source) -> int:
    """The sentence of a reading has no node of its own."""
    start = row.node.span.start
    is_sentence = isinstance(row.node, ast.Option) and row.depth > 0
    return max(start, source.text.find(row.text, start)) if is_sentence else start


def _notes(piece: ast.AnyDeclaration) -> tuple[str, ...]:
    return piece.notes or (piece.declaration.notes if isinstance(piece, ast.ChangePiece) else ())


def _stand_apart(above: ast.AnyDeclaration, below: ast.AnyDeclaration) -> bool:
    return _kind(above) != _kind(below) or _is_block(above) or _is_block(below)


def _kind(piece: ast.AnyDeclaration) -> int | type[ast.Node]:
    return next((at for at, kinds in enumerate(KINDS) if isinstance(piece, kinds)), type(piece))


def _is_block(piece: ast.AnyDeclaration) -> bool:
    """A reading with its sentence stays among the options."""
    return has_lines_below(piece) and not isinstance(piece, ast.Option)
