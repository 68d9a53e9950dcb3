"""Exact fractions by `/`: a value that may be one is kept as a whole number, so many times as large.

How many times hangs on the expression alone (its *scale*), so that values of one expression can be compared and added
as they are. What does not divide without a rest at that scale, or grows too large, is left to the reference.
"""

from __future__ import annotations

from math import lcm

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import (
    NUMBER,
    TRUTH,
    CannotCompile,
    Value,
    as_number,
    binary,
    compare,
    constant_of,
    narrow,
    number,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.native.expressions import aggregates, builtin_words, calls, lists, operations, places, scales
from rulesrun.interpreter.native.expressions.collections import Collection
from rulesrun.interpreter.native.expressions.lists import collect_values
from rulesrun.interpreter.native.layout.plan import LEFT, Scope, limit_magnitude, type_bounds

LARGEST = 1 << 60
MOST_FACTOR = 1 << 30


# ---- values


def lower_whole(scope: Scope, node: core.Operand) -> Value:
    """Where only a whole number has a meaning for machine code."""
    lines, scale = scope.lines, number(scales.scale_of(scope.plan, node))
    value = lines.bind(lower_exact(scope, node))
    rest = lines.bind(compare("is not", binary("mod", value, scale), number(0)))
    scope.emit_fault_if(rest, LEFT, node)
    return lines.bind(binary("div", value, scale))


def lower_exact(scope: Scope, node: core.Operand) -> Value:
    """The value, times the scale of the expression."""
    scale = scales.scale_of(scope.plan, node)
    if scale == 1:
        return scope.lower_needed(node)
    fixed = scales.constant_number(scope.plan, node)
    if fixed is not None:
        return number(int(fixed * scale))
    low, high = type_bounds(scope.plan, scope.bench.type_of(node))
    found = lower_fraction(scope, node, scale)
    return found if low is None or high is None else narrow(found, low * scale, high * scale)


def lower_at_scale(scope: Scope, node: core.Operand, scale: int) -> Value:
    """The value, times a multiple of its scale."""
    return multiply_checked(scope, node, lower_exact(scope, node), scale // scales.scale_of(scope.plan, node))


def changed_to(scope: Scope, node: core.Operand, scale: int) -> Value:
    """The value, times a number that need be no multiple of its scale; a rest is left to the reference."""
    lines, own = scope.lines, scales.scale_of(scope.plan, node)
    common = lcm(own, scale)
    if common > scales.MOST_SCALE:
        return leave_too_large(scope, node)
    value, divisor = (
        lines.bind(multiply_checked(scope, node, lower_exact(scope, node), common // own)),
        number(common // scale),
    )
    rest = lines.bind(compare("is not", binary("mod", value, divisor), number(0)))
    scope.emit_fault_if(rest, LEFT, node)
    return lines.bind(binary("div", value, divisor))


def multiply_checked(scope: Scope, node: core.Operand, value: Value, factor: int) -> Value:
    """A product that surely fits into a word."""
    if factor == 1:
        return value
    return binary("mul", limit_magnitude(scope, value, LARGEST // factor, node), number(factor))


def leave_too_large(scope: Scope, node: core.Operand) -> Value:
    """Too large for a word: left to the reference."""
    scope.emit_fault(LEFT, node)
    return number(0)


def lower_fraction(scope: Scope, node: core.Operand, scale: int) -> Value:
    lowered = lower_expression(scope.bench, node)
    match lowered:
        case core.Arithmetic():
            return lower_fraction_arithmetic(scope, lowered, scale)
        case core.Negate(_, inner):
            return binary("sub", number(0), lower_at_scale(scope, inner, scale))
        case core.IfElse():
            return lower_fraction_if_else(scope, lowered, scale)
        case core.Aggregate():
            return aggregates.lower_aggregate(scope, lowered)
        case core.Best():
            return aggregates.lower_best(scope, lowered)
        case core.Before(_, inner):
            return calls.lower_before(scope, inner)
        case core.Attribute():
            return calls.lower_attribute(scope, lowered, scale)
        case core.CaseLookup():
            return calls.lower_case_lookup(scope, lowered, scale)
        case core.Extreme(_, is_smallest, arguments):
            return builtin_words.fold_extreme(is_smallest, [lower_at_scale(scope, one, scale) for one in arguments])
        case core.ForPlayer(_, subject, owner):
            return lower_exact(scope.for_player(scope.lines.bind(places.lower_player(scope, owner))), subject)
        case core.Register(binder=core.Each()) | core.Element() | core.Points():
            return as_number(operations.lower_operation(scope, lowered))
        case core.Definition() | core.ItemAt() | core.Fold() | core.EndOf():
            return as_number(operations.lower_operation(scope, lowered))
        case _:
            raise CannotCompile(message("a fraction of this form is not compiled"))


def lower_fraction_arithmetic(scope: Scope, asked: core.Arithmetic, scale: int) -> Value:
    if asked.operator == "/":
        return lower_fraction_division(scope, asked)
    if asked.operator == "mod":
        divisor = require_nonzero(scope, asked.node, lower_at_scale(scope, asked.right, scale))
        return binary("mod", lower_at_scale(scope, asked.left, scale), divisor)
    if asked.operator == "*":
        one, other = scales.scale_of(scope.plan, asked.left), scales.scale_of(scope.plan, asked.right)
        if one * other != scale:
            return leave_too_large(scope, asked.node)
        one_side, other_side = (limit_magnitude(scope, lower_exact(scope, side), MOST_FACTOR, side)
                                for side in (asked.left, asked.right))
        return binary("mul", one_side, other_side)
    op = "add" if asked.operator == "+" else "sub"
    left, right = (
        limit_magnitude(scope, lower_at_scale(scope, side, scale), LARGEST, side) for side in (asked.left, asked.right)
    )
    return binary(op, left, right)


def lower_fraction_division(scope: Scope, asked: core.Arithmetic) -> Value:
    """Times the common multiple, through the divisor; a rest is left to the reference."""
    lines, plan = scope.lines, scope.plan
    one, other = scales.scale_of(plan, asked.left), scales.scale_of(plan, asked.right)
    common = scales.common_multiple(plan, asked.right, other)
    if one * common != scales.scale_of(plan, asked.node):
        return leave_too_large(scope, asked.node)
    divisor = require_nonzero(scope, asked.node, lower_exact(scope, asked.right))
    value = lines.bind(multiply_checked(scope, asked.left, lower_exact(scope, asked.left), common * other))
    rest = lines.bind(compare("is not", binary("mod", value, divisor), number(0)))
    scope.emit_fault_if(rest, LEFT, asked.node)
    return lines.bind(binary("div", value, divisor))


def lower_floor_division(scope: Scope, asked: core.Arithmetic) -> Value:
    """`div` where a side may be a fraction."""
    common = lcm(scales.scale_of(scope.plan, asked.left), scales.scale_of(scope.plan, asked.right))
    divisor = require_nonzero(scope, asked.node, lower_at_scale(scope, asked.right, common))
    return binary("div", lower_at_scale(scope, asked.left, common), divisor)


def require_nonzero(scope: Scope, node: core.Operand, divisor: Value) -> Value:
    fixed = constant_of(divisor)
    if fixed:
        return divisor
    divisor = scope.lines.bind(divisor)
    is_zero = compare("=", divisor, number(0))
    if fixed == 0:
        scope.emit_fault("division-by-zero", node)
        return number(1)
    scope.emit_fault_if(is_zero, "division-by-zero", node)
    return scope.lines.bind(Value("select", NUMBER, (is_zero, number(1), divisor)))


def lower_fraction_if_else(scope: Scope, asked: core.IfElse, scale: int) -> Value:
    lines, test = scope.lines, scope.lower_condition(asked.condition)
    fixed = constant_of(test)
    if fixed is not None:
        return lower_at_scale(scope, asked.then if fixed else asked.otherwise, scale)
    answer = lines.variable(number(0), "c")
    with lines.when(test) as line:
        lines.set(answer, lower_at_scale(scope, asked.then, scale))
    with lines.otherwise(line):
        lines.set(answer, lower_at_scale(scope, asked.otherwise, scale))
    return lines.bind(answer)


# ---- comparing


def lower_fraction_comparison(scope: Scope, operator: str, left: core.Operand, right: core.Operand) -> Value:
    common = lcm(scales.scale_of(scope.plan, left), scales.scale_of(scope.plan, right))
    if common > scales.MOST_SCALE:
        return compare("=", leave_too_large(scope, left), number(1))
    return compare(operator, lower_at_scale(scope, left, common), lower_at_scale(scope, right, common))


def lower_range_membership(scope: Scope, item: core.Operand, low: core.Operand, high: core.Operand) -> Value:
    """`x in a..b`: a range holds whole numbers alone."""
    lines, scale = scope.lines, scales.scale_of(scope.plan, item)
    value = lines.bind(lower_exact(scope, item))
    is_whole = compare("=", binary("mod", value, number(scale)), number(0))
    found = is_whole
    for op, end in ((">=", low), ("<=", high)):
        limit = multiply_checked(scope, end, scope.lower_needed(end), scale)
        found = Value("and", TRUTH, (found, compare(op, value, limit)))
    return lines.bind(found)


def lower_at_common_scale(scope: Scope, item: core.Operand, collection: core.Operand) -> tuple[Value, Collection]:
    """A value and several others that it may be among, so many times as large that they can be held against it."""
    one, other = scales.scale_of(scope.plan, item), scales.scale_of(scope.plan, collection)
    common = lcm(one, other)
    if common > scales.MOST_SCALE:
        return leave_too_large(scope, item), lower_scaled_collection(scope, collection, other)
    value = scope.lines.bind(multiply_checked(scope, item, lower_comparable(scope, item), common // one))
    return value, lower_scaled_collection(scope, collection, common)


def lower_scaled_collection(scope: Scope, node: core.Operand, scale: int) -> Collection:
    """Several values, each so many times as large."""
    found: Collection = scope.lower_collection(node)
    factor = scale // scales.scale_of(scope.plan, node)
    if factor == 1:
        return found
    result: Collection = collect_values(scope, found, lambda one: multiply_checked(scope, node, one, factor))
    return result


def whole_list(scope: Scope, node: core.Operand) -> Value:
    """Where a list of whole numbers is meant: one in which there is a fraction is left to the reference."""
    lines, scale = scope.lines, number(scales.scale_of(scope.plan, node))
    if lists.list_depth_of(scope, node) > 1:
        raise CannotCompile(
            message("fractions in lists of lists as a parameter"), node, message("multiply them until they are whole")
        )

    def one(value: Value) -> Value:
        value = lines.bind(value)
        rest = lines.bind(compare("is not", binary("mod", value, scale), number(0)))
        scope.emit_fault_if(rest, LEFT, node)
        return lines.bind(binary("div", value, scale))

    return lists.store_list(scope, collect_values(scope, scope.lower_collection(node), one))


def list_at_scale(scope: Scope, node: core.Operand, scale: int) -> Value:
    """A list that stands for one value, each in it so many times as large."""
    if scales.scale_of(scope.plan, node) == scale:
        return scope.lower_value(node)
    if lists.list_depth_of(scope, node) > 1:
        raise CannotCompile(
            message("fractions of several kinds in lists of lists"), node, message("the same divisor in all of them")
        )
    return lists.store_list(scope, collect_values(scope, lower_scaled_collection(scope, node, scale)))


def lower_comparable(scope: Scope, node: core.Operand) -> Value:
    """A value to be held against another of the same expression; it may be `nothing`, too."""
    if scales.scale_of(scope.plan, node) != 1:
        return scope.lower_exact(node)
    return as_number(scope.lower_value(node))
