"""Values as a rules file writes them: takes values of a game, gives the words that mean them in an example."""

from __future__ import annotations

from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, OptionalOf, OrderOf, Type, WordOf
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.domains import find_type_declaration, number_to_external
from rulesrun.interpreter.reference.table import Table


def write_component(table: Table, kinds: Kinds, kind: int) -> str:
    """`red 7`: the attributes side by side; a row and a place of a board by its name."""
    part = kinds.part_with(kind)
    if part.declaration.rows or part.declaration.board is not None:
        return kinds.names[kind]
    types = [one.type for one in part.declaration.attributes if one.type is not None]
    written = part.written[kind - part.numbers.start]
    return " ".join(write_value(table, of, one) for of, one in zip(types, written, strict=True))


def write_value(table: Table, written: ast.TypeExpr, one: Any) -> str:
    match written:
        case ast.NamedType(name):
            declaration = find_type_declaration(table.bench, name)
            if isinstance(declaration, ast.Components):
                return write_component(table, table.bench.kinds_of(declaration), one)
            return str(one) if declaration.range is not None else str(declaration.items[one].name.text)
        case ast.EitherType(names):
            return write_component(table, table.bench.kinds_called(names[0].text), one)
        case ast.WordsType(words):
            return str(words[one].text)
        case ast.Optional(item):
            return "nothing" if one is None else write_value(table, item, one)
        case ast.OrderType(item) | ast.RowType(item):
            return "{" + ", ".join(write_value(table, item, part) for part in one) + "}"
        case _:
            return str(number_to_external(one))


def write_typed_value(table: Table, of_type: Type | None, one: Any) -> str:
    """As `value`, for types that the checker found."""
    match of_type:
        case WordOf(name, words):
            declared = next((each for each in table.bench.enumerations if each.name.text == name), None)
            return str(declared.items[one].name.text if declared is not None else words[one])
        case ComponentOf(name):
            kinds = table.bench.kinds_called(name)
            return write_component(table, kinds, one)
        case OptionalOf(item):
            return "nothing" if one is None else write_typed_value(table, item, one)
        case CollectionOf(item) | OrderOf(item):
            return "{" + ", ".join(write_typed_value(table, item, part) for part in one) + "}"
        case _:
            return str(number_to_external(one))


def write_argument(table: Table, choice: ast.Choice, one: Any) -> str:
    found = table.bench.type_of(choice.domain)
    if isinstance(found, (CollectionOf, OrderOf)) and choice.count is None:
        return write_typed_value(table, found.item, one)
    return write_typed_value(table, found, one)
