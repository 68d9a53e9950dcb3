"""The same tree at another place of a text. Takes a node and how far it moved, gives a node; the old one stays."""

from __future__ import annotations

from typing import Any, TypeVar

import attrs

from rulesrun.dsl.ast import Node
from rulesrun.dsl.text.source import Span

Moved = TypeVar("Moved", bound=Node)
_FIELDS: dict[type[Node], tuple[str, ...]] = {}


def move_node(node: Moved, distance: int) -> Moved:
    """Every span in it so many characters later; the very node where that is none."""
    if distance == 0:
        return node
    moved: Moved = _move_value(node, distance)
    return moved


def copy_node(node: Moved) -> Moved:
    """The same at the same place, for what is found out about it apart."""
    copied: Moved = _move_value(node, 0)
    return copied


def _move_value(value: Any, distance: int) -> Any:
    if isinstance(value, Node):
        new = object.__new__(type(value))
        for name in _field_names(type(value)):
            part = getattr(value, name)
            if name == "span":
                part = Span(part.file, part.start + distance, part.end + distance)
            elif isinstance(part, Node | tuple):
                part = _move_value(part, distance)
            object.__setattr__(new, name, part)
        return new
    if isinstance(value, tuple):
        return tuple(_move_value(part, distance) if isinstance(part, Node | tuple) else part for part in value)
    return value


def _field_names(kind: type[Node]) -> tuple[str, ...]:
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in attrs.fields(kind))
    return _FIELDS[kind]
