"""Explains an expression: takes it and a position, gives the value of every sub-expression, as it was asked."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.source import Span
from rulesrun.dsl.types import CollectionOf, NothingOf, TextOf, Type, Unknown
from rulesrun.dsl.walk import children
from rulesrun.interpreter.domains import spoken
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import Fault, State

MOST_VALUES = 40
BINDERS = (ast.Quantified, ast.Aggregate, ast.Best, ast.Filter)


@frozen
class Explained:
    """A stretch of the rules and what it is worth; the text is as people read it."""

    span: Span
    value: Any
    text: str


def explain(table: Table, state: State, node: ast.Expr) -> tuple[Explained, ...]:
    """The outermost first. What is asked once for every element (after `has`, `where`, `over`) is left out."""
    S = table.opened(state)
    found: list[Explained] = []
    waiting: list[ast.Node] = [node]
    while waiting and len(found) < MOST_VALUES:
        one = waiting.pop()
        worth = value_of(table, S, one)
        if worth is not None:
            found.append(worth)
        waiting.extend(reversed(parts_of(one)))
    return tuple(found)


def parts_of(node: ast.Node) -> list[ast.Node]:
    """The sub-expressions that have a value of their own, whatever the element."""
    match node:
        case ast.Quantified(_, each, _) | ast.Aggregate(_, _, _, each) | ast.Best(_, each, _, _):
            return [each.collection]
        case ast.Filter(collection, _):
            return [collection]
        case ast.Of(subject, owner):
            return [owner] if isinstance(subject, ast.Name) else [subject, owner]
        case ast.Name() | ast.Literal() | ast.SetOf():
            return []
        case ast.Call(_, arguments):
            return list(arguments)
        case ast.Index(_, keys):
            return list(keys)
        case _:
            return list(children(node))


def value_of(table: Table, S: list[Any], node: ast.Node) -> Explained | None:
    if isinstance(node, (ast.Number, ast.Text, ast.Truth, ast.Nothing, ast.Each, ast.SetOf, ast.Literal)):
        return None
    found = table.bench.ready.get(id(node))
    if found is None or found[1].is_constant:
        return None
    try:
        value = found[1].run(S)
    except Fault as problem:
        return Explained(node.span, None, problem.diagnostic.message)
    except (TypeError, IndexError):
        return None
    return Explained(node.span, value, in_words(table, table.bench.type_of(node), value))


def in_words(table: Table, of_type: Type | None, value: Any) -> str:
    if value is None or isinstance(of_type, NothingOf):
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if of_type is None or isinstance(of_type, (TextOf, Unknown)):
        return str(value)
    try:
        said = spoken(table.bench, of_type, value)
    except (TypeError, IndexError):
        return str(value)
    if isinstance(said, list):
        inner = ", ".join(str(one) for one in said)
        return f"{{{inner}}}" if isinstance(of_type, CollectionOf) else f"({inner})"
    return str(said)
