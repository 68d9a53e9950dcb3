"""Values as a rules file writes them: takes values of a game, gives the words that mean them in an example."""

from __future__ import annotations

from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, OptionalOf, OrderOf, Type, WordOf
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.domains import named, plain_number
from rulesrun.interpreter.reference.table import Table


def component(table: Table, kinds: Kinds, kind: int) -> str:
    """`red 7`: the attributes side by side; a row by its name."""
    if kinds.declaration.rows:
        return kinds.names[kind]
    types = [one.type for one in kinds.declaration.attributes if one.type is not None]
    return " ".join(value(table, of, part) for of, part in zip(types, kinds.written[kind], strict=True))


def value(table: Table, written: ast.TypeExpr, one: Any) -> str:
    match written:
        case ast.NamedType(name):
            declaration = named(table.bench, name)
            if isinstance(declaration, ast.Components):
                return component(table, table.bench.kinds[id(declaration)], one)
            return str(one) if declaration.range is not None else str(declaration.items[one].name.text)
        case ast.WordsType(words):
            return str(words[one].text)
        case ast.Optional(item):
            return "nothing" if one is None else value(table, item, one)
        case ast.OrderType(item) | ast.RowType(item):
            return "{" + ", ".join(value(table, item, part) for part in one) + "}"
        case _:
            return str(plain_number(one))


def typed(table: Table, of_type: Type | None, one: Any) -> str:
    """As `value`, for types that the checker found."""
    match of_type:
        case WordOf(name, words):
            declared = next((each for each in table.bench.of_class(ast.Values) if each.name.text == name), None)
            return str(declared.items[one].name.text if declared is not None else words[one])
        case ComponentOf(name):
            kinds = next(each for each in table.bench.kinds.values() if each.declaration.name.text == name)
            return component(table, kinds, one)
        case OptionalOf(item):
            return "nothing" if one is None else typed(table, item, one)
        case CollectionOf(item) | OrderOf(item):
            return "{" + ", ".join(typed(table, item, part) for part in one) + "}"
        case _:
            return str(plain_number(one))


def argument(table: Table, choice: ast.Choice, one: Any) -> str:
    found = table.bench.type_of(choice.domain)
    if isinstance(found, (CollectionOf, OrderOf)) and choice.count is None:
        return typed(table, found.item, one)
    return typed(table, found, one)
