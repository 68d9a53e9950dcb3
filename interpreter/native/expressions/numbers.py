"""Expressions that give one value: arithmetic, logic, comparisons, names. Writes what it needs."""

from __future__ import annotations

from typing import assert_never

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import OptionalOf, TruthOf
from rulesrun.interpreter.form.form import (
    NOTHING,
    NUMBER,
    TRUTH,
    CannotCompile,
    Value,
    as_number,
    as_truth,
    binary,
    compare,
    constant_of,
    invert,
    logic,
    narrow,
    number,
    select,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Form, Operand
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.native.expressions import aggregates, calls, fractions, lists, names, operations, scales
from rulesrun.interpreter.native.expressions.collections import ValueList
from rulesrun.interpreter.native.expressions.lists import collect_values, compare_lists
from rulesrun.interpreter.native.layout.plan import (
    Scope,
    free_lists_after,
    limit_magnitude,
    require_present,
    type_bounds,
)


def lower_value(scope: Scope, node: Operand) -> Value:
    """What the expression gives, as a number or a truth."""
    try:
        fixed = names.constant_value(scope, node)
        if fixed is not None:
            return fixed
        if lists.list_depth_of(scope, node):
            return lower_list_value(scope, node)
        found = free_lists_after(scope, lambda: lower_single_value(scope, node))
        assert found is not None
        return found
    except CannotCompile as reason:
        raise reason.with_node(node) from None


def lower_list_value(scope: Scope, node: Operand) -> Value:
    """Several values as one: the number that stands for the list."""
    if lists.is_list_handle(scope, node):
        return as_number(lower_node(scope, node))
    return lists.store_list(scope, collect_values(scope, scope.lower_collection(node)))


def lower_single_value(scope: Scope, node: Operand) -> Value:
    if scales.scale_of(scope.plan, node) != 1:
        return fractions.lower_whole(scope, node)
    found = lower_node(scope, node)
    if found.type != NUMBER:
        return found
    wanted = scope.bench.type_of(node)
    if isinstance(wanted, TruthOf):
        return as_truth(found)
    return narrow(found, *type_bounds(scope.plan, wanted))


def lower_node(scope: Scope, node: Operand) -> Value:
    lowered = lower_expression(scope.bench, node)
    if isinstance(lowered, core.Form):
        return lower_form(scope, lowered)
    return operations.lower_operation(scope, lowered)


def lower_form(scope: Scope, form: Form) -> Value:
    match form:
        case core.Range() | core.SetOf() | core.Filter() | core.Joined() | core.Combinations():
            raise CannotCompile(message("one value is needed here, but there is a list"))
        case core.Literal():
            return names.lower_literal(scope, form)
        case core.Quantified():
            return aggregates.lower_quantified(scope, form)
        case core.Aggregate():
            return aggregates.lower_aggregate(scope, form)
        case core.Best():
            return aggregates.lower_best(scope, form)
        case core.Compare():
            return lower_comparison(scope, form)
        case core.In():
            return lower_membership(scope, form)
        case core.IsEmpty(_, collection, negated):
            empty = scope.lower_collection(collection).is_empty(scope)
            return invert(empty) if negated else empty
        case core.Arithmetic():
            return lower_arithmetic(scope, form)
        case core.Negate(_, inner):
            return binary("sub", number(0), lower_needed(scope, inner))
        case core.Not(_, inner):
            return invert(lower_condition(scope, inner))
        case core.Logic(_, word, parts):
            return lower_logic(scope, word, parts)
        case core.IfElse():
            return lower_if_else(scope, form)
        case core.Can(_, action):
            return calls.lower_can(scope, action)
        case core.Before(_, inner):
            return calls.lower_before(scope, inner)
        case _:
            assert_never(form)


def lower_condition(scope: Scope, node: Operand) -> Value:
    return as_truth(lower_value(scope, node))


def lower_needed(scope: Scope, node: Operand) -> Value:
    """A number, where `nothing` would be a fault."""
    return require_present(scope, as_number(lower_value(scope, node)), node)


# ---- logic


def lower_logic(scope: Scope, op: str, parts: tuple[Operand, ...]) -> Value:
    """A later part is only looked at when the earlier ones have not decided."""
    found = lower_condition(scope, parts[0])
    for part in parts[1:]:
        if constant_of(found) == (0 if op == "and" else 1):
            return found
        found = lower_next_part(scope, op, found, part)
    return found


def lower_next_part(scope: Scope, op: str, found: Value, part: Operand) -> Value:
    lines = scope.lines
    more, following = lines.capture(lambda: lower_condition(scope, part))
    if not more:
        return logic(op, found, following)
    if constant_of(found) is not None:
        lines.lines.extend(more)
        return following
    answer = lines.variable(found, "c")
    test = answer if op == "and" else invert(answer)
    with lines.when(test):
        lines.lines.extend(more)
        lines.set(answer, following)
    return answer


def lower_if_else(scope: Scope, asked: core.IfElse) -> Value:
    lines = scope.lines
    test = lower_condition(scope, asked.condition)
    fixed = constant_of(test)
    if fixed is not None:
        return branch(scope, asked, asked.then if fixed else asked.otherwise)
    test = lines.bind(test)
    first, one = lines.capture(lambda: branch(scope, asked, asked.then))
    second, other = lines.capture(lambda: branch(scope, asked, asked.otherwise))
    if one.type != other.type:
        one, other = as_number(one), as_number(other)
    if not first and not second:
        return select(test, one, other)
    answer = lines.variable(Value("const", one.type, extra=0), "c")
    with lines.when(test) as line:
        lines.lines.extend(first)
        lines.set(answer, one)
    with lines.otherwise(line):
        lines.lines.extend(second)
        lines.set(answer, other)
    low = None if one.low is None or other.low is None else min(one.low, other.low)
    high = None if one.high is None or other.high is None else max(one.high, other.high)
    return narrow(answer, low, high)


def branch(scope: Scope, asked: core.IfElse, part: Operand) -> Value:
    """What one of both gives; of lists the values are as many times as large as those of the other."""
    if lists.list_depth_of(scope, asked.node):
        return fractions.list_at_scale(scope, part, scales.scale_of(scope.plan, asked.node))
    return lower_value(scope, part)


# ---- arithmetic, comparisons


def lower_arithmetic(scope: Scope, asked: core.Arithmetic) -> Value:
    if asked.operator == "/" or scales.scale_of(scope.plan, asked.left) != 1 \
            or scales.scale_of(scope.plan, asked.right) != 1:
        return lower_whole_quotient(scope, asked)
    left, right = lower_needed(scope, asked.left), lower_needed(scope, asked.right)
    ops = {"+": "add", "-": "sub", "*": "mul", "div": "div", "mod": "mod"}
    op = ops[asked.operator]
    if not fits_word(scope, asked.node) and op in {"add", "sub", "mul"}:
        limit = 1 << (30 if op == "mul" else 60)
        left, right = limit_magnitude(scope, left, limit, asked.node), limit_magnitude(scope, right, limit, asked.node)
    if op in {"div", "mod"}:
        fixed = constant_of(right)
        if fixed is None:
            right = require_nonzero(scope, asked.node, right)
        elif fixed == 0:
            scope.emit_fault("division-by-zero", asked.node)
            return number(0)
    return binary(op, left, right)


def lower_whole_quotient(scope: Scope, asked: core.Arithmetic) -> Value:
    """What is whole all the same: `div`, or `/` by one."""
    if asked.operator == "div":
        return fractions.lower_floor_division(scope, asked)
    return fractions.lower_fraction_arithmetic(scope, asked, 1)


def fits_word(scope: Scope, node: Operand) -> bool:
    """Whether a word of the machine surely holds the number."""
    return type_bounds(scope.plan, scope.bench.type_of(node)) != (None, None)


def require_nonzero(scope: Scope, node: Operand, right: Value) -> Value:
    right = scope.lines.bind(right)
    nothing_to_share = compare("=", right, number(0))
    scope.emit_fault_if(nothing_to_share, "division-by-zero", node)
    return scope.lines.bind(Value("select", NUMBER, (nothing_to_share, number(1), right)))


def lower_comparison(scope: Scope, asked: core.Compare) -> Value:
    if names.is_collection(scope, asked.left) or names.is_collection(scope, asked.right):
        return aggregates.lower_list_comparison(scope, asked)
    operator = asked.operator
    if any(scales.scale_of(scope.plan, side) != 1 for side in (asked.left, asked.right)):
        return fractions.lower_fraction_comparison(scope, operator, asked.left, asked.right)
    if is_list_or_nothing(scope, asked.left) and is_list_or_nothing(scope, asked.right) and operator in {"=", "is not"}:
        return lists_or_nothing(scope, asked, operator)
    if operator in {"=", "is not"}:
        left, right = lower_value(scope, asked.left), lower_value(scope, asked.right)
    else:
        left, right = lower_needed(scope, asked.left), lower_needed(scope, asked.right)
    if left.type != right.type or left.type == TRUTH:
        left, right = as_number(left), as_number(right)
    return compare(operator, left, right)


def is_list_or_nothing(scope: Scope, node: Operand) -> bool:
    found = scope.bench.type_of(node)
    return isinstance(found, OptionalOf) and lists.list_depth(found.item) == 1


def lists_or_nothing(scope: Scope, asked: core.Compare, operator: str) -> Value:
    """Both may be nothing, which is like nothing else, not even a list without anything in it."""
    lines, kept = scope.lines, list[tuple[Value, ValueList]]()
    for side in (asked.left, asked.right):
        found = lines.bind(as_number(lower_value(scope, side)))
        values = collect_values(scope, lists.heap_list(scope, found))
        kept.append((lines.bind(compare("=", found, number(NOTHING))), values))
    (is_none, one), (other_is_none, other) = kept
    are_same = logic("and", compare("=", as_number(is_none), as_number(other_is_none)),
                     compare("=", compare_lists(scope, one, other), number(0)))
    return are_same if operator == "=" else invert(are_same)


def lower_membership(scope: Scope, asked: core.In) -> Value:
    several = lower_expression(scope.bench, asked.collection)
    if isinstance(several, core.Range) and scales.scale_of(scope.plan, asked.item) != 1:
        between = fractions.lower_range_membership(scope, asked.item, several.low, several.high)
        return invert(between) if asked.negated else between
    if any(scales.scale_of(scope.plan, side) != 1 for side in (asked.item, asked.collection)):
        one, others = fractions.lower_at_common_scale(scope, asked.item, asked.collection)
        found = others.contains(scope, one)
        return invert(found) if asked.negated else found
    item = as_number(lower_value(scope, asked.item))
    levels = lists.list_depth_of(scope, asked.item)
    if levels:
        found = lists.contains_list(scope, levels, scope.lower_collection(asked.collection), item)
    elif isinstance(several, core.Range):
        item = scope.lines.bind(item)
        low, high = lower_needed(scope, several.low), lower_needed(scope, several.high)
        found = logic("and", compare(">=", item, low), compare("<=", item, high))
    else:
        found = scope.lower_collection(asked.collection).contains(scope, item)
    return invert(found) if asked.negated else found

