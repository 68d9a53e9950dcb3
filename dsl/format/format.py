"""The one canonical layout. Takes a file as read, or a whole game, gives its text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from attrs import define, evolve, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.format.expressions import INDENT, fold_line, format_expression, format_type, remove_marks
from rulesrun.dsl.format.pieces import (
    format_criterion,
    format_example_line,
    format_first_line,
    format_line_alone,
    format_note,
    format_piece,
    format_seen_by,
)
from rulesrun.dsl.format.statements import FormattedLine, format_body
from rulesrun.dsl.parsing.blocks import Comment
from rulesrun.dsl.parsing.parse import ParsedFile, parse_source
from rulesrun.dsl.text.source import Source

# ---- comments
# Where comments stand in the canonical layout: laid lines and the comments of a file in, both in one order out.


@frozen
class LaidLine:
    """One logical line to be written: what it says, where it stood, and whether a blank line must be above it."""

    depth: int
    text: str
    start: int = 0
    end: int = 0
    is_apart: bool = False
    is_tied: bool = False  # to the notes above it


@define
class _CommentedLine:
    """A line with the comments above it, at its end and below it."""

    line: LaidLine
    above: list[LaidLine] = field(factory=list)
    tail: str = ""
    below: list[LaidLine] = field(factory=list)

    def move_tail_above(self) -> None:
        """A line has one end: the comments that stood inside of it go above it."""
        if self.tail:
            self.put_comment_above(self.tail)
            self.tail = ""

    def put_comment_above(self, comment: str) -> None:
        """A comment from inside of the line takes over the blank line above it."""
        self.above.append(LaidLine(self.line.depth, comment, -1 if self.line.is_tied else self.line.start))
        self.line = evolve(self.line, is_tied=True)


def merge_comments(
    lines: Sequence[LaidLine], comments: Sequence[Comment], source: Source
) -> Iterator[tuple[LaidLine, str]]:
    """Every line and every comment in the order in which they are written, with what stands at the line's end."""
    placed = [_CommentedLine(line) for line in lines]
    starts = list(accumulate((line.start for line in lines), max))
    loose: list[LaidLine] = []
    for comment in comments:
        _place_comment(comment, placed, bisect_right(starts, comment.span.start), loose, source)
    before: LaidLine | None = None
    for one in placed:
        apart = one.line.is_apart
        one.line = evolve(one.line, is_apart=False)
        for laid in (*one.above, one.line, *one.below):
            can_be_apart = before is not None and before.depth >= laid.depth and not laid.is_tied
            wanted = apart or (can_be_apart and _has_blank_above(laid, source))
            apart = False
            yield evolve(laid, is_apart=wanted), one.tail if laid is one.line else ""
            before = laid
    for laid in loose:
        yield evolve(laid, is_apart=_has_blank_above(laid, source)), ""


def _place_comment(
    comment: Comment, placed: list[_CommentedLine], following: int, loose: list[LaidLine], source: Source
) -> None:
    """`following`: the first line that starts after the comment."""
    previous = placed[following - 1] if following else None
    after = placed[following] if following < len(placed) else None
    said = LaidLine(0, comment.text.rstrip(), comment.span.start)
    if previous is not None and not comment.own_line:
        previous.move_tail_above()
        previous.tail = said.text
    elif previous is not None and said.start < previous.line.end and (after is None or _is_leaf(previous, after)):
        previous.move_tail_above()
        _first_note_above(placed, following - 1).put_comment_above(said.text)
    elif after is not None and (after.line.depth or previous is None or _is_at_margin(comment, previous, source)):
        after.above.append(evolve(said, depth=after.line.depth))
    elif previous is not None and not _is_at_margin(comment, previous, source):
        previous.below.append(evolve(said, depth=previous.line.depth))
    else:
        loose.append(said)


def _first_note_above(placed: list[_CommentedLine], at: int) -> _CommentedLine:
    """The first of the notes above a line, which start where it starts; else the line."""
    while at and placed[at].line.depth and placed[at - 1].line.start == placed[at].line.start:
        at -= 1
    return placed[at]


def _is_leaf(line: _CommentedLine, after: _CommentedLine) -> bool:
    return after.line.depth <= line.line.depth


def _is_at_margin(comment: Comment, previous: _CommentedLine, source: Source) -> bool:
    """Whether it belongs to the top level rather than to the lines of the piece above."""
    return source.line_and_column(comment.span.start)[1] == 1 or previous.line.depth == 0


def _has_blank_above(laid: LaidLine, source: Source) -> bool:
    """Whether it stood first on a line below a blank one."""
    line, column = source.line_and_column(laid.start) if laid.start >= 0 else (1, 1)
    return (
        line > 1 and not source.text_of_line(line)[: column - 1].strip() and not source.text_of_line(line - 1).strip()
    )


# ---- format


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
