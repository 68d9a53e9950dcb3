"""Expressions made ready to run: arithmetic, logic and the way to the other modules of expressions.

Takes an expression of a checked program, gives `Code`. Nothing here changes a position, except
registers in scratch and `player`, which is put back.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import OptionalOf
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Form, Operand
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.values import Code, Run, Slots, constant, fault, simplify_number
from rulesrun.interpreter.reference import collections, comparisons, operations


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
            return comparisons.compile_comparison(bench, form)
        case core.In():
            return comparisons.compile_membership(bench, form)
        case core.IsEmpty():
            return comparisons.compile_is_empty(bench, form)
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
