"""Expressions made ready to run: arithmetic, logic and the way to the other modules of expressions.

Takes an expression of a checked program, gives `Code`. Nothing here changes a position, except
registers in scratch and `player`, which is put back.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.types import OptionalOf
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench, ZoneRoom
from rulesrun.interpreter.model.core import Constant, Contents, Definition, Fold, Form, ForPlayer, Operand
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.values import Code, Run, Slots, constant, fault, simplify_number, sort_values
from rulesrun.interpreter.reference import collections, operations

# ---- comparisons
# Comparing: `=`, `<`, `in`, `is empty`. Takes their expressions, gives `Code` that answers yes or no.


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


# ---- expressions


def compile_expression(bench: Workbench, node: Operand) -> Code:
    lowered = lower_expression(bench, node)
    if isinstance(lowered, core.Form):
        return compile_form(bench, lowered)
    return operations.compile_operation(bench, lowered)


def compile_needed(bench: Workbench, node: Operand) -> Code:
    """The expression, where `nothing` would be a fault."""
    code = bench.compile(node)
    if not isinstance(bench.type_of(node), OptionalOf):
        return code
    run = code.run

    def checked(S: Slots) -> object:
        value = run(S)
        if value is None:
            raise fault("nothing-used", message("a value is needed here, but there is nothing"), node.span)
        return value

    return Code(checked)


def fold_constants(parts: list[Code], run: Run) -> Code:
    """Worked out now, when nothing in it depends on the position."""
    if all(part.is_constant for part in parts):
        return constant(run([]))
    return Code(run)


def compile_arithmetic(bench: Workbench, asked: core.Arithmetic) -> Code:
    left, right = compile_needed(bench, asked.left), compile_needed(bench, asked.right)
    if asked.operator in {"div", "mod", "/"}:
        return fold_division(left, right, compile_division(asked, left.run, right.run))
    run = compile_sum_or_product(asked.operator, left, right)
    if isinstance(left.value, Fraction) or isinstance(right.value, Fraction):
        inner = run
        run = lambda S: simplify_number(inner(S))  # noqa: E731
    return fold_constants([left, right], run)


def compile_sum_or_product(operator: str, left: Code, right: Code) -> Run:
    a, b, amount, slot, other = left.run, right.run, right.value, left.slot, right.slot
    if operator == "*":
        return compile_product(a, b)
    if operator == "-":
        return (lambda S: a(S) - amount) if right.is_constant else (lambda S: a(S) - b(S))
    if right.is_constant:
        return (lambda S: S[slot] + amount) if slot is not None else (lambda S: a(S) + amount)
    if slot is not None and other is not None:
        return lambda S: S[slot] + S[other]
    return (lambda S: S[slot] + b(S)) if slot is not None else (lambda S: a(S) + b(S))


def compile_product(a: Run, b: Run) -> Run:
    def run(S: Slots) -> Any:
        found = a(S) * b(S)
        return found if type(found) is int else simplify_number(found)

    return run


def fold_division(left: Code, right: Code, run: Run) -> Code:
    """A division by a constant zero is left to the moment when it is asked."""
    return Code(run) if right.is_constant and right.value == 0 else fold_constants([left, right], run)


def compile_division(asked: core.Arithmetic, a: Run, b: Run) -> Run:
    def run(S: Slots) -> object:
        divisor = b(S)
        if divisor == 0:
            raise fault("division-by-zero", message("this divides by zero"), asked.node.span)
        if asked.operator == "div":
            return a(S) // divisor
        if asked.operator == "mod":
            return simplify_number(a(S) % divisor)
        return simplify_number(Fraction(a(S)) / divisor)

    return run


def compile_negation(value: Code) -> Code:
    run = value.run
    return fold_constants([value], lambda S: -run(S))


def compile_not(value: Code) -> Code:
    run = value.run
    return fold_constants([value], lambda S: not run(S))


def compile_logic(parts: list[Code], settling: bool) -> Code:
    """`or` is settled by what holds, `and` by what does not."""
    if any(part.is_constant and bool(part.value) is settling for part in parts):
        return constant(settling)
    left = [part for part in parts if not part.is_constant]
    if not left:
        return constant(not settling)
    runs = [part.run for part in left]
    if len(runs) == 1:
        return left[0]
    if len(runs) == 2:
        a, b = runs
        return Code((lambda S: a(S) or b(S)) if settling else (lambda S: a(S) and b(S)))

    def all_hold(S: Slots) -> bool:
        for part in runs:  # noqa: SIM110  (a generator would cost a frame a call)
            if not part(S):
                return False
        return True

    def some_hold(S: Slots) -> bool:
        for part in runs:  # noqa: SIM110
            if part(S):
                return True
        return False

    return Code(some_hold if settling else all_hold)


def compile_if_else(bench: Workbench, asked: core.IfElse) -> Code:
    condition = bench.compile(asked.condition)
    then, otherwise = bench.compile(asked.then), bench.compile(asked.otherwise)
    if condition.is_constant:
        return then if condition.value else otherwise
    test, yes, no = condition.run, then.run, otherwise.run
    return Code(lambda S: yes(S) if test(S) else no(S))


def compile_can(bench: Workbench, action: core.Action) -> Code:
    """Looking for a way must not disturb the same action, when it is being done."""
    slots = [bench.registers[id(choice)] for choice in action.choices if id(choice) in bench.registers]
    slots += [bench.wheres[slot] for slot in slots if slot in bench.wheres]
    found: list[Run] = []

    def run(S: Slots) -> bool:
        if not found:
            found.append(bench.lister_of_action(action))
        kept = [S[slot] for slot in slots]
        answer = bool(found[0](S))
        for slot, value in zip(slots, kept, strict=True):
            S[slot] = value
        return answer

    return Code(run)


def compile_before(bench: Workbench, value: Operand) -> Code:
    code = bench.compile(value)
    slot = bench.new_slot(None)
    if bench.befores is None:
        raise bench.refusal("before-outside-after", message("`before` is for `after` properties"), value)
    bench.befores.append((slot, code))
    return Code(lambda S: S[slot])


def compile_form(bench: Workbench, form: Form) -> Code:
    match form:
        case core.Compare():
            return compile_comparison(bench, form)
        case core.In():
            return compile_membership(bench, form)
        case core.IsEmpty():
            return compile_is_empty(bench, form)
        case core.Arithmetic():
            return compile_arithmetic(bench, form)
        case core.Negate(_, value):
            return compile_negation(compile_needed(bench, value))
        case core.Not(_, value):
            return compile_not(bench.compile(value))
        case core.Logic(_, word, parts):
            return compile_logic([bench.compile(part) for part in parts], word == "or")
        case core.IfElse():
            return compile_if_else(bench, form)
        case core.Can(_, action):
            return compile_can(bench, action)
        case core.Before(_, value):
            return compile_before(bench, value)
        case _:
            return collections.compile_elements_form(bench, form)


# ---- fixed conditions
# Conditions that are fixed, or watched: given while a table is set up, they stand in for the expressions.


@define(eq=False)
class FixedConditions:
    """Makes expressions ready, some of them as a value that never changes."""

    fixed: Mapping[int, object]

    def note_effect(self, node: Located) -> Run:
        return lambda S: None

    def compile_expression(self, bench: Workbench, node: Operand) -> Code:
        if id(node) in self.fixed:
            return constant(self.fixed[id(node)])
        return compile_expression(bench, node)


@define(eq=False)
class WatchedConditions:
    """Makes some conditions ready so that it is known whether they were true and false in a game."""

    watched: set[int]
    true: set[int] = field(factory=set)
    false: set[int] = field(factory=set)
    decided: set[int] = field(factory=set)  # by the options, before the game

    def note_effect(self, node: Located) -> Run:
        return lambda S: None

    def compile_expression(self, bench: Workbench, node: Operand) -> Code:
        code = compile_expression(bench, node)
        if id(node) not in self.watched:
            return code
        if code.is_constant:
            self.decided.add(id(node))
        yes, no, key, run = self.true.add, self.false.add, id(node), code.run

        def asked(S: Slots) -> object:
            found = run(S)
            (yes if found else no)(key)
            return found

        return Code(asked, code.is_constant, code.value)
