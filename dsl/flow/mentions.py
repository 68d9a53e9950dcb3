"""What expressions depend on: what their names mean, and what the names behind those mean; which zone they name, and
what is looked at to know which. Any reader of rules that knows what names mean asks here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, assert_never

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
Read = tuple[ast.Node, bool]  # what is looked at, and whether for the one who is `player`


class NamesKnown(Protocol):
    def meaning(self, node: ast.Node) -> Meaning | None: ...

    def meaning_of_place(self, node: ast.Node | None) -> Meaning | None: ...


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


# ---- places


def without_end(names: NamesKnown, node: ast.Node) -> ast.Node:
    """`stock` of `top of stock`."""
    match names.meaning(node.subject) if isinstance(node, ast.Of) else None:
        case BuiltinMeaning("top" | "bottom"):
            assert isinstance(node, ast.Of)
            return node.owner
        case _:
            return node


def zone_of(names: NamesKnown, node: ast.Node) -> ast.Zone | None:
    """The zone that is named, with or without keys, an owner, one of its ends."""
    meaning = names.meaning_of_place(without_end(names, node))
    return meaning if isinstance(meaning, ast.Zone) else None


def keys_read(names: NamesKnown, zone: ast.Node, own: bool) -> Iterator[Read]:
    """Which of several places it is: not what lies there, nor at which end."""
    zone = without_end(names, zone)
    if isinstance(zone, ast.Of):
        yield zone.owner, own
        zone = zone.subject
    if isinstance(zone, ast.Index):
        yield from ((key, own) for key in zone.keys)


def is_asked_of_player(names: NamesKnown, subject: ast.Node) -> bool:
    """Whether what stands before `of` is somebody's: a zone, a variable, a definition."""
    name = subject.name if isinstance(subject, ast.Call | ast.Index) else subject
    return isinstance(names.meaning(name), ast.Zone | ast.Variable | ast.Define | ast.ScoreLine)
