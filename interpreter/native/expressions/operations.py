"""What an operation of the core gives in machine code, as `reference.operations` says it. Writes what it needs."""

from __future__ import annotations

from typing import assert_never

from rulesrun.interpreter.form.form import (
    NOTHING,
    CannotCompile,
    Value,
    number,
    truth,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.native.expressions import aggregates, boards, builtin_words, calls, names, places
from rulesrun.interpreter.native.layout.plan import Scope


def lower_operation(scope: Scope, operation: core.Operation) -> Value:
    if isinstance(operation, core.WordOperation):
        return builtin_words.lower_word(scope, operation)
    match operation:
        case core.Constant():
            return lower_constant(operation)
        case core.Register(_, binder):
            return names.load_name(scope, binder)
        case core.Element(_, binder):
            return names.load_element(scope, binder)
        case core.Contents(room=VariableRoom() as room):
            return places.read_variable(scope, operation, room)
        case core.Contents():
            raise CannotCompile("a zone stands where one value is needed")
        case core.Attribute():
            return calls.lower_attribute(scope, operation)
        case core.Definition():
            return calls.lower_definition(scope, operation)
        case core.CaseLookup():
            return calls.lower_case_lookup(scope, operation)
        case core.ForPlayer(_, subject, owner):
            return scope.for_player(scope.lines.bind(places.lower_player(scope, owner))).lower_value(subject)
        case core.ItemAt():
            return aggregates.lower_item(scope, operation)
        case core.Points():
            return builtin_words.lower_points(scope, operation)
        case core.Standing(node):
            return builtin_words.lower_place(scope, node)
        case core.Fold(node, word, collection):
            return aggregates.aggregate_collection(scope, word, scope.lower_collection(collection), node)
        case core.Distance():
            return boards.lower_distance(scope, operation)
        case core.PlacesNear() | core.PlacesBetween() | core.Lines() | core.Connected():
            raise CannotCompile("several places stand where one value is needed")
        case _:
            assert_never(operation)


def lower_constant(constant: core.Constant) -> Value:
    value = constant.value
    if isinstance(value, bool):
        return truth(value)
    if isinstance(value, int):
        return number(value)
    if value is None:
        return number(NOTHING)
    name = core.name_text(constant.node)
    what = f"`{name}`" if name is not None else "a list"
    raise CannotCompile(f"{what} stands where one value is needed")
