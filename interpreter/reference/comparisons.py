"""Comparing: `=`, `<`, `in`, `is empty`. Takes their expressions, gives `Code` that answers yes or no."""

from __future__ import annotations

from operator import eq, ge, gt, le, lt, ne
from typing import Any

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import OptionalOf
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench, ZoneRoom
from rulesrun.interpreter.model.core import Constant, Contents, Definition, Fold, ForPlayer, Operand
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.values import Code, Run, Slots, constant, fault, sort_values

OPERATORS = {"=": eq, "is not": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def compile_comparison(bench: Workbench, asked: core.Compare) -> Code:
    left, right = bench.compile(asked.left), bench.compile(asked.right)
    if is_compared_unordered(bench, asked):
        left, right = compile_sorted(left), compile_sorted(right)
    if left.is_constant and right.is_constant:
        return constant(OPERATORS[asked.operator](left.value, right.value))
    if left.is_constant and asked.operator in {"=", "is not"}:
        left, right = right, left
    if asked.operator == "=":
        return compile_equal(left, right)
    if asked.operator == "is not":
        return compile_unequal(left, right)
    return compile_ordered(asked, left, right, is_optional(bench, asked.left) or is_optional(bench, asked.right))


def is_optional(bench: Workbench, node: Operand) -> bool:
    return isinstance(bench.type_of(node), OptionalOf)


def is_compared_unordered(bench: Workbench, asked: core.Compare) -> bool:
    """What stands in braces is compared in any order, unless the other side has one."""
    sides = (asked.left, asked.right)
    if not any(isinstance(lower_expression(bench, side), core.SetOf) for side in sides):
        return False
    return not any(has_order(bench, side) for side in sides)


def has_order(bench: Workbench, node: Operand) -> bool:
    """Whether these values stand in an order that means something: a row, a pile, a list made of one, an `order`."""
    lowered = lower_expression(bench, node)
    match lowered:
        case Contents(room=room):
            return room.declaration.kind in {"row", "pile"} if isinstance(room, ZoneRoom) else True
        case core.Filter(_, collection) | core.Best(each=core.Each(collection=collection)):
            return has_order(bench, collection)
        case core.Aggregate(_, word, each=core.Each(collection=collection)) | Fold(_, word, collection):
            return word == "sorted" or (word == "list" and has_order(bench, collection))
        case core.Range():
            return True
        case core.IfElse(_, _, then, otherwise):
            return has_order(bench, then) and has_order(bench, otherwise)
        case Definition():
            return has_order(bench, lowered.body)
        case ForPlayer(_, subject):
            return has_order(bench, subject)
        case Constant():
            return lowered.is_row
        case _:
            return False


def compile_sorted(code: Code) -> Code:
    """Without order: `{red 7, blue 7}` equals `{blue 7, red 7}`."""
    if code.is_constant:
        return constant(tuple(sort_values(code.value)))
    run = code.run
    return Code(lambda S: tuple(sort_values(run(S))))


def compile_equal(left: Code, right: Code) -> Code:
    a, b, value, slot, other = left.run, right.run, right.value, left.slot, right.slot
    if left.listed is not None:
        return compile_listed_equal(left.listed, right)
    if right.is_constant and value is None:
        return Code((lambda S: S[slot] is None) if slot is not None else (lambda S: a(S) is None))
    if right.is_constant:
        return Code((lambda S: S[slot] == value) if slot is not None else (lambda S: a(S) == value))
    if slot is not None and other is not None:
        return Code(lambda S: S[slot] == S[other])
    if other is not None:
        return Code(lambda S: a(S) == S[other])
    return Code(lambda S: a(S) == b(S))


def compile_listed_equal(listed: tuple[tuple[Any, ...], int], right: Code) -> Code:
    """`colour of card = …`, read without a call in between."""
    (values, slot), b, value, other = listed, right.run, right.value, right.slot
    if right.is_constant:
        return Code(lambda S: values[S[slot]] is None) if value is None else Code(lambda S: values[S[slot]] == value)
    if other is not None:
        return Code(lambda S: values[S[slot]] == S[other])
    if right.listed is not None:
        others, which = right.listed
        return Code(lambda S: values[S[slot]] == others[S[which]])
    return Code(lambda S: values[S[slot]] == b(S))


def compile_unequal(left: Code, right: Code) -> Code:
    a, b, value = left.run, right.run, right.value
    if right.is_constant and value is None:
        return Code(lambda S: a(S) is not None)
    if right.is_constant:
        return Code(lambda S: a(S) != value)
    return Code(lambda S: a(S) != b(S))


def compile_ordered(asked: core.Compare, left: Code, right: Code, may_be_nothing: bool) -> Code:
    a, b, value, operator = left.run, right.run, right.value, OPERATORS[asked.operator]
    if may_be_nothing:
        return Code(compile_checked_comparison(asked, a, b))
    if right.is_constant and asked.operator == ">=":
        return Code(lambda S: a(S) >= value)
    if right.is_constant and asked.operator == "<":
        return Code(lambda S: a(S) < value)
    if right.is_constant and asked.operator == "<=":
        return Code(lambda S: a(S) <= value)
    if right.is_constant and asked.operator == ">":
        return Code(lambda S: a(S) > value)
    return Code(lambda S: operator(a(S), b(S)))


def compile_checked_comparison(asked: core.Compare, a: Run, b: Run) -> Run:
    operator = OPERATORS[asked.operator]

    def run(S: Slots) -> Any:
        left, right = a(S), b(S)
        if left is None or right is None:
            raise fault("nothing-used", message("a value is needed here, but there is nothing"), asked.node.span)
        return operator(left, right)

    return run


def compile_membership(bench: Workbench, asked: core.In) -> Code:
    item, negated = bench.compile(asked.item), asked.negated
    a = item.run
    several = lower_expression(bench, asked.collection)
    if isinstance(several, core.Range):
        low, high = bench.compile(several.low), bench.compile(several.high)
        return Code(compile_range_membership(item, low, high, negated))
    collection = bench.compile(asked.collection)
    if collection.is_constant:
        values = frozenset(collection.value)
        if item.is_constant:
            return constant((item.value in values) is not negated)
        return Code(lambda S: (a(S) in values) is not negated)
    b = collection.run
    return Code(lambda S: (a(S) in b(S)) is not negated)


def compile_range_membership(item: Code, low: Code, high: Code, negated: bool) -> Run:
    """A fraction between two whole numbers is not in the range: a range holds whole numbers."""
    a, least, most, slot = item.run, low.value, high.value, item.slot
    if not (low.is_constant and high.is_constant):
        first, last = low.run, high.run
        return lambda S: is_in_range(a(S), first(S), last(S)) is not negated
    if slot is not None:
        return lambda S: (isinstance(S[slot], int) and least <= S[slot] <= most) is not negated
    return lambda S: is_in_range(a(S), least, most) is not negated


def is_in_range(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and low <= value <= high


def compile_is_empty(bench: Workbench, asked: core.IsEmpty) -> Code:
    collection, negated = bench.compile(asked.collection), asked.negated
    run, slot = collection.run, collection.slot
    if collection.is_constant:
        return constant((len(collection.value) == 0) is not negated)
    if slot is not None:
        return Code((lambda S: bool(S[slot])) if negated else (lambda S: not S[slot]))
    return Code((lambda S: len(run(S)) > 0) if negated else (lambda S: len(run(S)) == 0))
