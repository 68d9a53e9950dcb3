"""Going over a tree: the children of a node, all nodes below it. Never recursive, so any depth is fine."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from weakref import WeakKeyDictionary

import attrs

from rulesrun.dsl.ast import Node

_FIELDS: dict[str, tuple[str, ...]] = {}
_DESCENDANTS: WeakKeyDictionary[Node, tuple[Node, ...]] = WeakKeyDictionary()  # without the node: that lives on its own
_DEPTHS: WeakKeyDictionary[Node, tuple[int, Node | None]] = WeakKeyDictionary()  # as above


def _node_fields(kind: type[Node]) -> tuple[str, ...]:
    """The attributes of a class of nodes that can hold nodes, but for small tables, which are games of their own."""
    known = _FIELDS.get(kind.__name__)
    if known is None:
        known = tuple(field.name for field in attrs.fields(kind) if not _has_no_node(field))
        _FIELDS[kind.__name__] = known
    return known


def _has_no_node(field: attrs.Attribute[object]) -> bool:
    if field.name in {"span", "notes", "smalls", "called"}:  # `called`: what its arguments are is spelled out besides
        return True
    return str(field.type) in {"str", "int", "bool", "str | None"}


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below, as they are written."""
    for name in _node_fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            for part in value:
                if isinstance(part, Node):
                    yield part


def walk(root: Node) -> Iterator[Node]:
    """The node and everything below it, a node before its children."""
    return chain((root,), _descendants(root))


def _descendants(root: Node) -> tuple[Node, ...]:
    """Everything below a node. Trees never change and are walked many times, so the answer is kept."""
    known = _DESCENDANTS.get(root)
    if known is None:
        below: list[Node] = []
        waiting = list(children(root))[::-1]
        while waiting:
            below.append(node := waiting.pop())
            waiting.extend(reversed(list(children(node))))
        known = _DESCENDANTS[root] = tuple(below)
    return known


def measure_depth(root: Node) -> tuple[int, Node]:
    """How deep the tree is, and the node at its deepest place."""
    deepest = (1, root)
    for child in children(root):
        level, node = _measure_below(child)
        if level >= deepest[0]:
            deepest = (level + 1, node if node is not None else child)
    return deepest


def _measure_below(root: Node) -> tuple[int, Node | None]:
    """The same of a part, which is kept as the part itself is; nothing where that is the deepest place."""
    known = _DEPTHS.get(root)
    if known is None:
        deepest: tuple[int, Node] = (0, root)
        waiting = [(1, root)]
        while waiting:
            level, node = waiting.pop()
            if level > deepest[0]:
                deepest = (level, node)
            waiting.extend((level + 1, child) for child in children(node))
        known = _DEPTHS[root] = deepest[0], deepest[1] if deepest[1] is not root else None
    return known
