"""Trees of rules with some of their nodes exchanged. Takes a tree and a change, gives a tree; the old one stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import children


def replace_nodes(node: Any, change: Callable[[ast.Node], ast.Node]) -> Any:
    """The tree with some of its nodes exchanged, from the leaves on."""
    parts = {id(part): replace_nodes(part, change) for part in children(node)}
    fields = {one.name: getattr(node, one.name) for one in attrs.fields(type(node)) if one.name != "span"}
    different = {name: new for name, old in fields.items() if (new := replace_parts(old, parts)) is not old}
    return change(evolve(node, **different) if different else node)


def replace_parts(value: Any, parts: Mapping[int, ast.Node]) -> Any:
    if isinstance(value, tuple) and any(parts.get(id(one), one) is not one for one in value):
        return tuple(parts.get(id(one), one) for one in value)
    return parts.get(id(value), value)
