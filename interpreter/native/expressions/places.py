"""Which zone or variable an expression means, and which of its instances: the number as a value."""

from __future__ import annotations

from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import BuiltinMeaning
from rulesrun.dsl.typing.types import OptionalOf
from rulesrun.interpreter.form.form import (
    NOTHING,
    NUMBER,
    CannotCompile,
    Field,
    X,
    as_number,
    both,
    compare,
    constant_of,
    known,
    logic,
    number,
)
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.domains import domain
from rulesrun.interpreter.model.places import Room, room_meant
from rulesrun.interpreter.native.expressions import list_values
from rulesrun.interpreter.native.expressions.collections import Ordered
from rulesrun.interpreter.native.expressions.lists import listed
from rulesrun.interpreter.native.layout.plan import Scope, Store, present
from rulesrun.interpreter.native.layout.stores import order_in


def room_of(scope: Scope, node: ast.Expr) -> Room | None:
    return room_meant(scope.bench, node)


def store_of(scope: Scope, node: ast.Expr) -> Store | None:
    """The place for components that an expression means."""
    room = room_of(scope, node)
    return scope.plan.stores[id(room.declaration)] if isinstance(room, ZoneRoom) else None


def index_of(scope: Scope, node: ast.Expr) -> X:
    """Which instance."""
    room = room_of(scope, node)
    assert room is not None
    owner = node.owner if isinstance(node, ast.Of) else None
    subject = node.subject if isinstance(node, ast.Of) else node
    keys = subject.keys if isinstance(subject, ast.Index) else ()
    offset = number(0)
    for values, key in zip(room.keys, keys, strict=True):
        offset = both("add", both("mul", offset, number(len(values))), key_number(scope, values, key))
    if not room.declaration.per_player:
        return limited(offset, room.amount)
    whose = scope.player if owner is None else player_value(scope, owner)
    before = both("mul", both("sub", whose, number(1)), number(room.per_player))
    return limited(both("add", before, offset), room.amount)


def limited(index: X, amount: int) -> X:
    return known(index, 0, amount - 1)


def player_value(scope: Scope, node: ast.Expr) -> X:
    value = as_number(scope.value(node))
    if isinstance(scope.bench.type_of(node), OptionalOf):
        return present(scope, value, node)
    return value


def key_number(scope: Scope, values: tuple[Any, ...], key: ast.Expr) -> X:
    """The number, from 0, of a key among its values; a fault when it is none of them."""
    if not all(isinstance(one, int) for one in values):
        raise CannotCompile("a place is found by a key that is no number")
    first = int(values[0])
    if list(values) != list(range(first, first + len(values))):
        raise CannotCompile("a place is found by a key that is no stretch of numbers")
    value = as_number(scope.value(key))
    at = both("sub", value, number(first))
    fixed = constant_of(at)
    if fixed is not None and 0 <= fixed < len(values):
        return at
    if not isinstance(scope.bench.type_of(key), OptionalOf) and value.low is not None and value.high is not None \
            and value.low >= first and value.high < first + len(values):
        return at
    at = scope.lines.kept(at)
    wrong = logic("or", compare("<", at, number(0)), compare(">=", at, number(len(values))))
    scope.fault_when(wrong, "no-such-place", key)
    return scope.lines.kept(known(X("select", NUMBER, (wrong, number(0), at)), 0, len(values) - 1))


def read_variable(scope: Scope, node: ast.Expr, room: VariableRoom) -> X:
    place = scope.plan.variables[id(room.declaration)]
    if isinstance(room.declaration.type, ast.Optional) and order_in(room.declaration.type) is not None:
        return order_or_nothing(scope, place, room, index_of(scope, node))
    found = scope.lines.load(place, index_of(scope, node))
    if isinstance(room.declaration.type, ast.Optional):
        return found
    return known(found, *range_of(scope, room))


def order_or_nothing(scope: Scope, place: Field, room: VariableRoom, index: X) -> X:
    """The number that stands for the list, where there is one."""
    lines, length = scope.lines, place.amount // room.amount
    base = lines.kept(both("mul", index, number(length)))
    found = lines.variable(number(NOTHING), "list")
    with lines.when(compare("is not", lines.load(place, base), number(NOTHING))):
        lines.set(found, list_values.put_down(scope, listed(scope, Ordered(place, base, limit=length))))
    return found


def range_of(scope: Scope, room: VariableRoom) -> tuple[int | None, int | None]:

    if room.low is not None and room.high is not None:
        return room.low, room.high
    if isinstance(room.declaration.type, (ast.NamedType, ast.WordsType, ast.TruthType, ast.PlayerType)):
        values = domain(scope.bench, room.declaration.type)
        return min(values), max(values)
    return None, None


def end_and_zone(scope: Scope, node: ast.Expr) -> tuple[bool, ast.Expr]:
    """`bottom of stock`, `stock`: whether it is the bottom, and the zone."""
    if isinstance(node, ast.Of) and isinstance(node.subject, ast.Name):
        meaning = scope.bench.meaning(node.subject)
        if isinstance(meaning, BuiltinMeaning) and meaning.name in {"top", "bottom"}:
            return meaning.name == "bottom", node.owner
    return False, node
