"""A random order of all values: one question, whatever it is that is put in order. The n-th order by its number."""

from __future__ import annotations

from math import factorial
from typing import Any

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import (
    NUMBER,
    CannotCompile,
    Field,
    X,
    bit,
    both,
    known,
    number,
    set_constant,
    set_type,
    without_set,
)
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.domains import domain
from rulesrun.interpreter.model.random import SMALL
from rulesrun.interpreter.native.expressions import places
from rulesrun.interpreter.native.flow import chance, questions
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Scope

MOST_ORDER = 256
MOST_NUMBERED = 20  # of so many values the orders can be numbered by a word


def random_order(machine: Machine, node: ast.Shuffle, room: VariableRoom) -> None:
    """The n-th order, as words stand in a dictionary."""
    plan, scope = machine.plan, machine.scope()
    assert isinstance(room.declaration.type, ast.OrderType)
    values: tuple[Any, ...] = domain(plan.bench, room.declaration.type.item)
    length, most = len(values), MOST_NUMBERED if machine.asks_chance else MOST_ORDER
    if length > most or not all(isinstance(one, int) for one in values):
        raise CannotCompile(
            f"`{room.declaration.name.text}` is an order of {length} values", node,
            f"fewer values, {most} at most; or components with these numbers in a shuffled pile, drawn one by one",
        )
    if machine.asks_chance:
        questions.stop(machine, order_question(machine, node, room), machine.label("after order"))
        return
    machine.chance_came(number(1))
    stream = chance.stream_of(scope, node.what)
    if factorial(length) >= SMALL and plan.luck is not None:
        raise CannotCompile("an order of so many values is shared with another table by the reference")
    if factorial(length) >= SMALL:
        put_in_order(scope, node, room, words_drawn(scope, stream, factorial(length), length))
        return
    put_in_order(scope, node, room, Numbered(chance.below(scope, number(factorial(length)), stream), length))


def order_question(machine: Machine, node: ast.Shuffle, room: VariableRoom) -> questions.Question:
    plan, at = machine.plan, len(machine.waits) + 1
    assert isinstance(room.declaration.type, ast.OrderType)
    length = len(domain(plan.bench, room.declaration.type.item))
    amount = factorial(length)

    def settle(scope: Scope, given: list[X]) -> None:
        put_in_order(scope, node, room, Numbered(known(given[0], 0, amount - 1), length))

    return questions.Question(
        at, node, questions.written(plan, "ways of", at, (), NUMBER, lambda scope, _: number(amount)),
        questions.written(plan, "settle", at, ("which",), None, settle),
        questions.where_variable(plan, at, node.what),
    )


class Numbered:
    """The number of an order: which of those left comes next is a division away."""

    def __init__(self, number_: X, length: int) -> None:
        self.number, self.length = number_, length

    def begin(self, scope: Scope) -> None:
        self.left = scope.lines.variable(self.number, "n")

    def next(self, scope: Scope, done: int) -> X:
        lines, step = scope.lines, number(factorial(self.length - 1 - done))
        now = lines.kept(known(self.left, 0, factorial(self.length)))
        lines.set(self.left, both("mod", now, step))
        return both("div", now, step)


class Drawn:
    """The same number as chance gives it where it is too large for a word: some words, a fraction of all orders."""

    def __init__(self, words: Field, amount: int, length: int) -> None:
        self.words, self.amount, self.length = words, amount, length

    def begin(self, scope: Scope) -> None: ...

    def next(self, scope: Scope, done: int) -> X:
        found = X("order digit", NUMBER, (number(self.amount), number(self.length - done)), self.words)
        return scope.lines.kept(found)


def words_drawn(scope: Scope, stream: X, orders: int, length: int) -> Drawn:
    """As many words as the reference takes for so large a limit; the first weighs most."""
    bits = 64
    while orders >> (bits - 32):
        bits += 64
    plan, lines, amount = scope.plan, scope.lines, bits // 64
    plan.names += 1
    words = plan.scratch(f"words {plan.names}", 64, amount)
    for at in range(amount):
        word = X("next word", NUMBER, (stream,), plan.fields["streams"])
        lines.store(words, lines.kept(word), number(amount - 1 - at))
    return Drawn(words, amount, length)


def put_in_order(scope: Scope, node: ast.Shuffle, room: VariableRoom, order: Numbered | Drawn) -> None:
    """One after another of those that are left."""
    plan, lines = scope.plan, scope.lines
    assert isinstance(room.declaration.type, ast.OrderType)
    values = domain(plan.bench, room.declaration.type.item)
    length, kind = len(values), set_type(len(values))
    index = lines.kept(both("mul", places.index_of(scope, node.what), number(length)))
    order.begin(scope)
    left = lines.variable(set_constant(kind, (1 << length) - 1), "m")
    place, table = plan.variables[id(room.declaration)], plan.table_of("values", tuple(int(one) for one in values))
    for done in range(length):
        at = lines.kept(known(X("kth", NUMBER, (left, order.next(scope, done))), 0, length - 1))
        lines.set(left, without_set(left, bit(kind, at)))
        lines.store(place, lines.look_up(table, at), both("add", index, number(done)))
