"""A random order of all values: one question, whatever it is that is put in order. The n-th order by its number."""

from __future__ import annotations

from math import factorial
from typing import Any

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import (
    NUMBER,
    CannotCompile,
    Field,
    Value,
    binary,
    constant_set,
    narrow,
    number,
    set_difference,
    set_type,
    singleton,
)
from rulesrun.interpreter.model.core import DrawOrder
from rulesrun.interpreter.model.domains import list_values
from rulesrun.interpreter.model.random import SMALL
from rulesrun.interpreter.native.expressions import places
from rulesrun.interpreter.native.flow import chance, questions
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Plan, Scope

MOST_ORDER = 256
MOST_NUMBERED = 20  # of so many values the orders can be numbered by a word


def lower_draw_order(machine: Machine, drawn: DrawOrder) -> None:
    """The n-th order, as words stand in a dictionary."""
    plan, scope, values = machine.plan, machine.new_scope(), values_in_order(machine.plan, drawn)
    length, most = len(values), MOST_NUMBERED if machine.asks_chance else MOST_ORDER
    if length > most or not all(isinstance(one, int) for one in values):
        raise CannotCompile(
            message(
                "`{declaration}` is an order of {length} values", declaration=drawn.room.declaration.name.text,
                length=length,
            ),
            drawn.node,
            message(
                "fewer values, {most} at most; or components with these numbers in a shuffled pile, drawn one by one",
                most=most,
            ),
        )
    if machine.asks_chance:
        questions.stop_for_question(machine, order_question(machine, drawn), machine.new_label("after order"))
        return
    machine.note_chance(number(1))
    stream = chance.stream_of(scope, drawn.place)
    if factorial(length) >= SMALL and plan.luck is not None:
        raise CannotCompile(message("an order of so many values needs the reference engine when tables are compared"))
    if factorial(length) >= SMALL:
        assign_order(scope, drawn, draw_words(scope, stream, factorial(length), length))
        return
    assign_order(scope, drawn, NumberedOrder(chance.random_below(scope, number(factorial(length)), stream), length))


def values_in_order(plan: Plan, drawn: DrawOrder) -> tuple[Any, ...]:
    return list_values(plan.bench, drawn.room.item_type)


def order_question(machine: Machine, drawn: DrawOrder) -> questions.Question:
    plan, at = machine.plan, len(machine.waits) + 1
    length = len(values_in_order(plan, drawn))
    amount = factorial(length)

    def settle(scope: Scope, given: list[Value]) -> None:
        assign_order(scope, drawn, NumberedOrder(narrow(given[0], 0, amount - 1), length))

    return questions.Question(
        at, drawn.node, questions.question_function(plan, "ways of", at, (), NUMBER, lambda scope, _: number(amount)),
        questions.question_function(plan, "settle", at, ("which",), None, settle),
        questions.where_function(plan, at, drawn.place),
    )


class NumberedOrder:
    """The number of an order: which of those left comes next is a division away."""

    def __init__(self, number_: Value, length: int) -> None:
        self.number, self.length = number_, length

    def start_order(self, scope: Scope) -> None:
        self.left = scope.lines.variable(self.number, "n")

    def next_index(self, scope: Scope, done: int) -> Value:
        lines, step = scope.lines, number(factorial(self.length - 1 - done))
        now = lines.bind(narrow(self.left, 0, factorial(self.length)))
        lines.set(self.left, binary("mod", now, step))
        return binary("div", now, step)


class DrawnOrder:
    """The same number as chance gives it where it is too large for a word: some words, a fraction of all orders."""

    def __init__(self, words: Field, amount: int, length: int) -> None:
        self.words, self.amount, self.length = words, amount, length

    def start_order(self, scope: Scope) -> None: ...

    def next_index(self, scope: Scope, done: int) -> Value:
        found = Value("order digit", NUMBER, (number(self.amount), number(self.length - done)), self.words)
        return scope.lines.bind(found)


def draw_words(scope: Scope, stream: Value, orders: int, length: int) -> DrawnOrder:
    """As many words as the reference takes for so large a limit; the first weighs most."""
    bits = 64
    while orders >> (bits - 32):
        bits += 64
    plan, lines, amount = scope.plan, scope.lines, bits // 64
    plan.names += 1
    words = plan.add_scratch(f"words {plan.names}", 64, amount)
    for at in range(amount):
        word = Value("next word", NUMBER, (stream,), plan.fields["streams"])
        lines.store(words, lines.bind(word), number(amount - 1 - at))
    return DrawnOrder(words, amount, length)


def assign_order(scope: Scope, drawn: DrawOrder, order: NumberedOrder | DrawnOrder) -> None:
    """One after another of those that are left."""
    plan, lines, values = scope.plan, scope.lines, values_in_order(scope.plan, drawn)
    length, kind = len(values), set_type(len(values))
    index = lines.bind(binary("mul", places.place_index(scope, drawn.place), number(length)))
    order.start_order(scope)
    left = lines.variable(constant_set(kind, (1 << length) - 1), "m")
    place = plan.variables[id(drawn.room.declaration)]
    table = plan.add_constants("values", tuple(int(one) for one in values))
    for done in range(length):
        at = lines.bind(narrow(Value("kth", NUMBER, (left, order.next_index(scope, done))), 0, length - 1))
        lines.set(left, set_difference(left, singleton(kind, at)))
        lines.store(place, lines.look_up(table, at), binary("add", index, number(done)))
