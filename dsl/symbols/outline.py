"""The pieces of a file as a tree of names, each with what it is and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import key_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.text.source import Span


@frozen
class OutlineEntry:
    """`kind` is the word of the piece, or `row`, `line`, `choice`; `is_change`: it stands behind `change`. `word` is
    the one with which a property begins: always, never, at most …
    """

    name: str
    kind: str
    span: Span
    name_span: Span
    is_change: bool = False
    word: str = ""
    parts: tuple[OutlineEntry, ...] = ()


def list_entries(pieces: Iterable[ast.AnyDeclaration]) -> Iterator[OutlineEntry]:
    return (_make_entry(piece) for piece in pieces)


def _make_entry(piece: ast.AnyDeclaration) -> OutlineEntry:
    inner = piece.declaration if isinstance(piece, ast.ChangePiece) else piece
    name, key = getattr(inner, "name", None), key_of(inner)
    return OutlineEntry(
        _title_of(inner), key.kind if key is not None else type(inner).__name__.lower(), piece.span,
        name.span if isinstance(name, ast.Name) else inner.span, piece is not inner,
        inner.word if isinstance(inner, ast.Property) else "", tuple(_list_parts(inner)),
    )  # fmt: skip


def _list_parts(piece: ast.AnyDeclaration) -> Iterator[OutlineEntry]:
    match piece:
        case ast.Small(pieces=pieces):
            yield from list_entries(pieces)
        case ast.Score(lines=lines):
            yield from (OutlineEntry(one.name.text, "line", one.span, one.name.span) for one in lines)
        case ast.Components(rows=rows):
            yield from (OutlineEntry(one.name.text, "row", one.span, one.name.span) for one in rows)
        case ast.Action(choices=choices):
            yield from (OutlineEntry(one.name.text, "choice", one.span, one.name.span) for one in choices)
        case _:
            pass


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


# ---- stretches
# What kind of thing stands on a stretch of a file: a whole value, a condition without a reason.

# What has no value of its own, or says the same shorter.
TOO_SMALL = (ast.Name, ast.Number, ast.Text, ast.Truth, ast.Nothing, ast.Literal)
VALUES = (
    ast.Of, ast.Item, ast.Index, ast.Call, ast.Quantified, ast.Aggregate, ast.Best, ast.Compare, ast.In, ast.IsEmpty,
    ast.Arithmetic, ast.Negate, ast.Not, ast.And, ast.Or, ast.IfElse,
)  # fmt: skip


def list_bare_needs(pieces: Iterable[ast.AnyDeclaration]) -> Iterator[Span]:
    """`needs` without a reason."""
    for piece in pieces:
        action = piece.declaration if isinstance(piece, ast.ChangePiece) else piece
        for needs in action.needs if isinstance(action, ast.Action) else ():
            if needs.because is None:
                yield needs.span


def find_piece_with_value(pieces: Iterable[ast.AnyDeclaration], start: int, end: int) -> Span | None:
    """The piece in which this stretch is a whole value, worth a name of its own; not in small tables and examples."""
    piece = next((one for one in pieces if one.span.start <= start < one.span.end), None)
    if piece is None or isinstance(piece, ast.Small | ast.Example) or start >= end:
        return None
    nodes = [node for node in walk(piece) if (node.span.start, node.span.end) == (start, end)]
    is_small = any(isinstance(node, TOO_SMALL) for node in nodes)
    return piece.span if any(isinstance(node, VALUES) for node in nodes) and not is_small else None
