"""The pieces of a document as a tree of names, and the stretches of lines that can be folded away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from rulesrun.dsl.parsing.blocks import Block, Comment, read_blocks
from rulesrun.dsl.symbols.outline import OutlineEntry, list_entries
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
    return tuple(_make_item(analysis, piece) for piece in list_entries(analysis.rules.pieces))


def _make_item(analysis: Analysis, one: OutlineEntry) -> OutlineItem:
    """Of what has no name of its own the first line."""
    line = analysis.lines.find_position(one.name_span.start).line
    line_end = analysis.lines.start_of_line(line) + len(analysis.lines.text_of_line(line))
    return OutlineItem(
        one.name, f"change {one.kind}" if one.is_change else one.kind,
        analysis.lines.make_range(one.span.start, one.span.end),
        analysis.lines.make_range(one.name_span.start, min(one.name_span.end, line_end)),
        tuple(_make_item(analysis, part) for part in one.parts),
    )  # fmt: skip


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
