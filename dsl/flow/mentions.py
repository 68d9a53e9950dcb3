"""What expressions depend on: what their names mean, and what the names behind those mean. Any reader of rules that
knows what names mean asks here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.program import (
    AllOf,
    AttributeMeaning,
    BuiltinMeaning,
    ItMeaning,
    Meaning,
    RowMeaning,
    WordMeaning,
)

MeaningOf = Callable[[ast.Node], Meaning | None]


def walk_mentions(meaning_of: MeaningOf, *roots: ast.Node) -> Iterator[Meaning]:
    """What is named in these nodes, also by way of definitions, tables, actions; each once."""
    waiting, seen = list(roots), set[int]()
    while waiting:
        for part in walk(waiting.pop()):
            meaning = meaning_of(part)
            if meaning is not None and id(meaning) not in seen:
                seen.add(id(meaning))
                yield meaning
                waiting += nodes_behind_meaning(meaning)


def nodes_behind_meaning(meaning: Meaning) -> list[ast.Node]:
    """Where to look on for what a name depends on."""
    match meaning:
        case ast.Define(body=body):
            return [body]
        case ast.Table(entries=entries):
            return list(entries)
        case ast.ScoreLine(value=value):
            return [value]
        case ast.Action(choices=choices, needs=needs):
            return [*choices, *needs]
        case AttributeMeaning(attribute=ast.AttributeDecl(type=None), components=components):
            return list(components.rows)
        case ast.Zone() | ast.Variable() | ast.Memory() | ast.Option() | ast.Values() | ast.Components():
            return []
        case ast.Each(collection=ast.SetOf(items=(ast.Literal(parts=(value,)),))):
            return [value]  # it has a name and is this alone
        case ast.Step() | ast.Phase() | ast.Parameter() | ast.Choice() | ast.Each() | ast.Deal():
            return []
        case AllOf() | WordMeaning() | AttributeMeaning() | ItMeaning() | RowMeaning() | BuiltinMeaning():
            return []
        case _:
            assert_never(meaning)
