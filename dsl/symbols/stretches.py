"""What kind of thing stands on a stretch of a file: a whole value, a condition without a reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.text.source import Span

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
