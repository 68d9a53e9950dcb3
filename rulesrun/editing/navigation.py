"""From a name to where it is declared, and to all places where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from rulesrun.dsl.contents.front_matter import find_base
from rulesrun.dsl.parsing.blocks import Block, Comment, read_blocks
from rulesrun.dsl.symbols.outline import OutlineEntry, list_entries
from rulesrun.dsl.symbols.uses import Symbol, Use, uses_of
from rulesrun.editing.positions import Position, Range
from rulesrun.editing.workspace import Analysis, Location, Workspace

# What a label speaks of, the first that there is.
LABELLED = ("thing", "action", "word", "phase", "line", "attribute", "row", "step", "persona", "outcome", "figure",
            "local")


@frozen
class Highlight:
    """A place of a name in its own document; `declares`: there it is declared."""

    range: Range
    declares: bool


def find_definition(analysis: Analysis, position: Position) -> Location | None:
    """Where the name is declared; a label leads to what it labels, the name of a base to its file."""
    offset = analysis.lines.find_offset(position)
    base = find_base(analysis.link.parsed)
    if base is not None and base.span.start <= offset <= base.span.end and len(analysis.reading.chain) > 1:
        return analysis.locate(analysis.reading.chain[-2].file.name, 0, 0)
    use = uses_of(analysis.rules).find_use(offset)
    declared = find_declaration(analysis, use.symbol) if use is not None else None
    return locate_use(analysis, declared) if declared is not None else None


def find_declaration(analysis: Analysis, symbol: Symbol) -> Use | None:
    declared = uses_of(analysis.rules).declared
    if symbol.kind == "label":
        return next((found for found in list_labelled(analysis, symbol.name)), declared.get(symbol))
    return declared.get(symbol)


def list_labelled(analysis: Analysis, name: str) -> Iterator[Use]:
    """What is called so, the first kinds first."""
    declared = uses_of(analysis.rules).declared
    for kind in LABELLED:
        yield from (use for symbol, use in declared.items() if symbol.kind == kind and symbol.name == name)


def locate_use(analysis: Analysis, use: Use) -> Location:
    return analysis.locate(use.span.file, use.span.start, use.span.end)


def list_references(workspace: Workspace, analysis: Analysis, position: Position) -> tuple[Location, ...]:
    """In the document, what it builds on, and the variants that are known."""
    use = uses_of(analysis.rules).find_use(analysis.lines.find_offset(position))
    if use is None:
        return ()
    return tuple(
        locate_use(one, found)
        for one in workspace.analyse_family(analysis)
        for found in uses_of(one.rules).named(use.symbol)
    )


def list_highlights(analysis: Analysis, position: Position) -> tuple[Highlight, ...]:
    """The same name in the same document."""
    uses = uses_of(analysis.rules)
    use = uses.find_use(analysis.lines.find_offset(position))
    if use is None:
        return ()
    return tuple(
        Highlight(analysis.lines.make_range(found.span.start, found.span.end), found.declares is not None)
        for found in uses.named(use.symbol)
    )


# ---- outline
# The pieces of a document as a tree of names, and the stretches of lines that can be folded away.


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
