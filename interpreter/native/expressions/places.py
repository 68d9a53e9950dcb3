"""Which zone or variable an expression means, and which of its instances: the number as a value."""

from __future__ import annotations

from typing import Any

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import OptionalOf
from rulesrun.interpreter.form.form import (
    NOTHING,
    NUMBER,
    CannotCompile,
    Field,
    Value,
    as_number,
    binary,
    compare,
    constant_of,
    logic,
    narrow,
    number,
)
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.core import Contents, Operand, Room
from rulesrun.interpreter.model.domains import find_value_span
from rulesrun.interpreter.model.places import find_room, require_place
from rulesrun.interpreter.native.expressions import lists
from rulesrun.interpreter.native.expressions.collections import OrderValues
from rulesrun.interpreter.native.expressions.lists import collect_values
from rulesrun.interpreter.native.layout.plan import Scope, Store, require_present


def room_of(scope: Scope, node: Operand) -> Room | None:
    return find_room(scope.bench, node)


def store_of(scope: Scope, node: Operand) -> Store | None:
    """The place for components that an expression means."""
    room = room_of(scope, node)
    return scope.plan.stores[id(room.declaration)] if isinstance(room, ZoneRoom) else None


def instance_index(scope: Scope, node: Operand) -> Value:
    """Which instance."""
    return place_index(scope, require_place(scope.bench, node))


def place_index(scope: Scope, place: Contents) -> Value:
    room, owner, offset = place.room, place.owner, number(0)
    for values, key in zip(room.keys, place.keys, strict=True):
        offset = binary("add", binary("mul", offset, number(len(values))), lower_key(scope, values, key))
    if not room.declaration.per_player:
        return narrow_to_instances(offset, room.amount)
    whose = scope.player if owner is None else lower_player(scope, owner)
    before = binary("mul", binary("sub", whose, number(1)), number(room.per_player))
    return narrow_to_instances(binary("add", before, offset), room.amount)


def narrow_to_instances(index: Value, amount: int) -> Value:
    return narrow(index, 0, amount - 1)


def lower_player(scope: Scope, node: Operand) -> Value:
    value = as_number(scope.lower_value(node))
    if isinstance(scope.bench.type_of(node), OptionalOf):
        return require_present(scope, value, node)
    return value


def lower_key(scope: Scope, values: tuple[Any, ...], key: Operand) -> Value:
    """The number, from 0, of a key among its values; a fault when it is none of them."""
    if not all(isinstance(one, int) for one in values):
        raise CannotCompile(message("the key of a place is not a number"))
    first = int(values[0])
    if list(values) != list(range(first, first + len(values))):
        raise CannotCompile(message("the key of a place is not a range of numbers"))
    value = as_number(scope.lower_value(key))
    at = binary("sub", value, number(first))
    fixed = constant_of(at)
    if fixed is not None and 0 <= fixed < len(values):
        return at
    if not isinstance(scope.bench.type_of(key), OptionalOf) and value.low is not None and value.high is not None \
            and value.low >= first and value.high < first + len(values):
        return at
    at = scope.lines.bind(at)
    wrong = logic("or", compare("<", at, number(0)), compare(">=", at, number(len(values))))
    scope.emit_fault_if(wrong, "no-such-place", key)
    return scope.lines.bind(narrow(Value("select", NUMBER, (wrong, number(0), at)), 0, len(values) - 1))


def read_variable(scope: Scope, asked: Contents, room: VariableRoom) -> Value:
    place = scope.plan.variables[id(room.declaration)]
    if room.is_optional and room.holds_order:
        return order_or_nothing(scope, place, room, place_index(scope, asked))
    found = scope.lines.load(place, place_index(scope, asked))
    if room.is_optional:
        return found
    return narrow(found, *variable_bounds(scope, room))


def order_or_nothing(scope: Scope, place: Field, room: VariableRoom, index: Value) -> Value:
    """The number that stands for the list, where there is one."""
    lines, length = scope.lines, place.amount // room.amount
    base = lines.bind(binary("mul", index, number(length)))
    found = lines.variable(number(NOTHING), "list")
    with lines.when(compare("is not", lines.load(place, base), number(NOTHING))):
        lines.set(found, lists.store_list(scope, collect_values(scope, OrderValues(place, base, limit=length))))
    return found


def variable_bounds(scope: Scope, room: VariableRoom) -> tuple[int | None, int | None]:
    if room.low is not None and room.high is not None:
        return room.low, room.high
    span = find_value_span(scope.bench, room.declaration.type)
    return (None, None) if span.is_optional or span.sort == "list" else (span.low, span.high)
