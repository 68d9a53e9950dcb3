"""The same tree at another place of a text. Takes a node and how far it moved, gives a node; the old one stays."""

from __future__ import annotations

from typing import Any, TypeVar

import attrs

from rulesrun.dsl.ast import Node
from rulesrun.dsl.text.source import Span

Moved = TypeVar("Moved", bound=Node)
_FIELDS: dict[type[Node], tuple[str, ...]] = {}
_set = object.__setattr__


def move_node(node: Moved, distance: int) -> Moved:
    """Every span in it so many characters later; the very node where that is none."""
    if distance == 0:
        return node
    moved: Moved = _move_node(node, distance)
    return moved


def move_value(value: Any, distance: int) -> Any:
    """The same for what a line is read as: a node, some of them, or a text."""
    if distance == 0:
        return value
    return _move_node(value, distance) if isinstance(value, Node) else _move_items(value, distance)


def copy_node(node: Moved) -> Moved:
    """The same at the same place, for what is found out about it apart."""
    copied: Moved = _move_node(node, 0)
    return copied


def _move_node(node: Node, distance: int) -> Any:
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(one.name for one in attrs.fields(kind) if one.name != "span")
    new = object.__new__(kind)
    for name in names:
        part = getattr(node, name)
        if isinstance(part, Node):
            part = _move_node(part, distance)
        elif part.__class__ is tuple and part:
            part = _move_items(part, distance)
        _set(new, name, part)
    span = node.span
    _set(new, "span", Span(span.file, span.start + distance, span.end + distance))
    return new


def _move_items(value: Any, distance: int) -> Any:
    """Of a tuple, each item; other things have no place."""
    if not isinstance(value, tuple):
        return value
    return tuple([_move_node(one, distance) if isinstance(one, Node) else _move_items(one, distance) for one in value])
