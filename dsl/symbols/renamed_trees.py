"""Whether two texts are the same rules but for one name. Takes the pieces before and after."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import zip_longest

import attrs
from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk


@frozen
class NewName:
    """`places`: where the old name stood for what is renamed."""

    old: str
    new: str
    places: Collection[int]


def is_renamed(before: Iterable[ast.AnyDeclaration], after: Iterable[ast.AnyDeclaration], name: NewName) -> bool:
    """Labels are compared apart: a line of them may have come or gone."""
    for old, new in zip_longest(_without_labels(before), _without_labels(after)):
        if old is None or new is None:
            return False
        for one, other in zip_longest(walk(old), walk(new)):
            if one is None or other is None or type(one) is not type(other):
                return False
            if isinstance(one, ast.Name) and isinstance(other, ast.Name):
                is_meant = one.text == name.old and one.span.start in name.places
                if other.text != (name.new if is_meant else one.text):
                    return False
            elif not _has_same_values(one, other):
                return False
    return True


def _has_same_values(one: ast.Node, other: ast.Node) -> bool:
    """Numbers, words and texts of two nodes; what `remove` names is compared by what it means."""
    if isinstance(one, ast.RemovePiece) and isinstance(other, ast.RemovePiece):
        return len(one.piece.split()) == len(other.piece.split())
    for field in attrs.fields(type(one)):
        if field.name == "span":
            continue
        left, right = getattr(one, field.name), getattr(other, field.name)
        if not _is_tree(left) and left != right:
            return False
        if isinstance(left, tuple) and len(left) != len(right):
            return False
    return True


def _is_tree(value: object) -> bool:
    if isinstance(value, tuple):
        return any(_is_tree(part) for part in value)
    return isinstance(value, ast.Node)


def _without_labels(pieces: Iterable[ast.AnyDeclaration]) -> Iterator[ast.AnyDeclaration]:
    return (piece for piece in pieces if not isinstance(piece, ast.Words))
