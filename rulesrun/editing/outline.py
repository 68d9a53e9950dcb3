"""The pieces of a document as a tree of names, and the stretches of lines that can be folded away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import key_of
from rulesrun.dsl.parsing.blocks import Block, Comment, read_blocks
from rulesrun.editing.positions import Range
from rulesrun.editing.workspace import Analysis


@frozen
class OutlineItem:
    """`kind` is the word of the piece, or `row`, `line`, `choice`; `range` is all of it, `name_range` its name."""

    name: str
    kind: str
    range: Range
    name_range: Range
    children: tuple[OutlineItem, ...] = ()


@frozen
class FoldingRange:
    """Lines from 0, both included. `kind`: piece or comment."""

    first: int
    last: int
    kind: str


def list_symbols(analysis: Analysis) -> tuple[OutlineItem, ...]:
    return tuple(_make_item(analysis, piece) for piece in analysis.link.parsed.declarations)


def _make_item(analysis: Analysis, piece: ast.AnyDeclaration) -> OutlineItem:
    inner = piece.declaration if isinstance(piece, ast.ChangePiece) else piece
    name = getattr(inner, "name", None)
    span = name.span if isinstance(name, ast.Name) else inner.span
    children: tuple[OutlineItem, ...] = ()
    match inner:
        case ast.Small(pieces=pieces):
            children = tuple(_make_item(analysis, one) for one in pieces)
        case ast.Score(lines=lines):
            children = tuple(_make_part(analysis, line, line.name, "line") for line in lines)
        case ast.Components(rows=rows):
            children = tuple(_make_part(analysis, row, row.name, "row") for row in rows)
        case ast.Action(choices=choices):
            children = tuple(_make_part(analysis, choice, choice.name, "choice") for choice in choices)
        case _:
            pass
    first_line = analysis.lines.find_position(span.start).line
    shown = analysis.lines.make_range(span.start, min(span.end, _end_of_line(analysis, first_line)))
    whole = analysis.lines.make_range(piece.span.start, piece.span.end)
    return OutlineItem(_title_of(inner), _kind_of(piece, inner), whole, shown, children)


def _end_of_line(analysis: Analysis, line: int) -> int:
    return analysis.lines.start_of_line(line) + len(analysis.lines.text_of_line(line))


def _kind_of(piece: ast.AnyDeclaration, inner: ast.AnyDeclaration) -> str:
    key = key_of(inner)
    kind = key.kind if key is not None else type(inner).__name__.lower()
    return f"change {kind}" if piece is not inner else kind


def _title_of(piece: ast.AnyDeclaration) -> str:
    match piece:
        case ast.ChangeRow(row=part) | ast.ChangeLine(line=part):
            return part.name.text
        case ast.ChangeLines(kind=kind, name=changed):
            return changed.text if changed is not None else kind
        case ast.RemovePiece(piece=kind, name=name):
            return f"remove {kind} {name}".rstrip()
        case ast.Fix(name=name):
            return name.text
        case ast.VariantOf(title=title) | ast.Title(title=title):
            return title
        case _:
            key = key_of(piece)
            return (key.name or key.kind) if key is not None else type(piece).__name__.lower()


def _make_part(analysis: Analysis, node: ast.Node, name: ast.Name, kind: str) -> OutlineItem:
    whole = analysis.lines.make_range(node.span.start, node.span.end)
    return OutlineItem(name.text, kind, whole, analysis.lines.make_range(name.span.start, name.span.end))


def list_folding(analysis: Analysis) -> tuple[FoldingRange, ...]:
    """Also of what cannot be read as rules: by its indentation alone."""
    blocks = read_blocks(analysis.link.source)
    found = [*_fold_blocks(analysis, blocks.top), *_fold_comments(blocks.comments)]
    return tuple(sorted(found, key=lambda fold: (fold.first, -fold.last)))


def _fold_blocks(analysis: Analysis, blocks: Sequence[Block]) -> Iterator[FoldingRange]:
    for block in blocks:
        last = block
        while last.children:
            last = last.children[-1]
        first_line = analysis.lines.find_position(block.start).line
        last_line = analysis.lines.find_position(max(block.end, last.end)).line
        if last_line > first_line:
            yield FoldingRange(first_line, last_line, "piece")
        yield from _fold_blocks(analysis, block.children)


def _fold_comments(comments: Sequence[Comment]) -> Iterator[FoldingRange]:
    """Several lines of comment, one below the other."""
    run: list[int] = []
    for comment in comments:
        line = comment.line - 1
        if comment.own_line and run and line == run[-1] + 1:
            run.append(line)
            continue
        if len(run) > 1:
            yield FoldingRange(run[0], run[-1], "comment")
        run = [line] if comment.own_line else []
    if len(run) > 1:
        yield FoldingRange(run[0], run[-1], "comment")
