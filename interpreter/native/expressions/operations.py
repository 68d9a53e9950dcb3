"""What an operation of the core gives in machine code, as `reference.operations` says it. Writes what it needs."""

from __future__ import annotations

from typing import assert_never

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import (
    NOTHING,
    CannotCompile,
    Value,
    number,
    truth,
)
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.core import (
    Attribute,
    CaseLookup,
    Connected,
    Constant,
    Contents,
    Count,
    Current,
    Definition,
    Distance,
    Element,
    EndOf,
    Extreme,
    Fold,
    ForPlayer,
    ItemAt,
    Lines,
    Neighbour,
    Operation,
    Opponents,
    PlacesBetween,
    PlacesNear,
    Points,
    PositionOf,
    Register,
    SeatsFrom,
    Standing,
    Times,
)
from rulesrun.interpreter.native.expressions import aggregates, boards, builtin_words, calls, names, places
from rulesrun.interpreter.native.layout.plan import Scope


def lower_operation(scope: Scope, operation: Operation) -> Value:
    match operation:
        case Constant():
            return lower_constant(operation)
        case Register(_, binder):
            return names.load_name(scope, binder)
        case Element(_, binder):
            return names.load_element(scope, binder)
        case Contents(room=VariableRoom() as room):
            return places.read_variable(scope, operation, room)
        case Contents():
            raise CannotCompile("a zone stands where one value is needed")
        case Attribute():
            return calls.lower_attribute(scope, operation)
        case Definition():
            return calls.lower_definition(scope, operation)
        case CaseLookup(node, table):
            return calls.lower_case_lookup(scope, node, table)
        case ForPlayer(_, subject, owner):
            return scope.for_player(scope.lines.bind(places.lower_player(scope, owner))).lower_value(subject)
        case ItemAt():
            return aggregates.lower_item(scope, operation)
        case Points():
            return builtin_words.lower_points(scope, operation)
        case Standing(node):
            return builtin_words.lower_place(scope, node)
        case Fold(node, word, collection):
            return aggregates.aggregate_collection(scope, word, scope.lower_collection(collection), node)
        case (
            Current() | Opponents() | Count() | EndOf() | Neighbour() | SeatsFrom() | Extreme() | PositionOf() | Times()
        ):
            return builtin_words.lower_word(scope, operation)
        case Distance():
            return boards.lower_distance(scope, operation)
        case PlacesNear() | PlacesBetween() | Lines() | Connected():
            raise CannotCompile("several places stand where one value is needed")
        case _:
            assert_never(operation)


def lower_constant(constant: Constant) -> Value:
    value = constant.value
    if isinstance(value, bool):
        return truth(value)
    if isinstance(value, int):
        return number(value)
    if value is None:
        return number(NOTHING)
    what = f"`{constant.node.text}`" if isinstance(constant.node, ast.Name) else "a list"
    raise CannotCompile(f"{what} stands where one value is needed")
