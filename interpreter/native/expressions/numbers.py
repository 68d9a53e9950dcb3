"""Expressions that give one value: arithmetic, logic, comparisons, names. Writes what it needs."""

from __future__ import annotations

from typing import assert_never

from rulesrun.dsl import ast
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
from rulesrun.interpreter.model.core import Form
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.native.expressions import (
    aggregates,
    calls,
    fractions,
    list_values,
    names,
    operations,
    scales,
)
from rulesrun.interpreter.native.expressions.collections import ValueList
from rulesrun.interpreter.native.expressions.lists import collect_values, compare_lists
from rulesrun.interpreter.native.layout.plan import (
    Scope,
    free_lists_after,
    limit_magnitude,
    require_present,
    type_bounds,
)


def lower_value(scope: Scope, node: ast.Expr) -> Value:
    """What the expression gives, as a number or a truth."""
    try:
        fixed = names.constant_value(scope, node)
        if fixed is not None:
            return fixed
        if list_values.list_depth_of(scope, node):
            return lower_list_value(scope, node)
        found = free_lists_after(scope, lambda: lower_single_value(scope, node))
        assert found is not None
        return found
    except CannotCompile as reason:
        raise reason.with_node(node) from None


def lower_list_value(scope: Scope, node: ast.Expr) -> Value:
    """Several values as one: the number that stands for the list."""
    if list_values.is_list_handle(scope, node):
        return as_number(lower_node(scope, node))
    return list_values.store_list(scope, collect_values(scope, scope.lower_collection(node)))


def lower_single_value(scope: Scope, node: ast.Expr) -> Value:
    if scales.scale_of(scope.plan, node) != 1:
        return fractions.lower_whole(scope, node)
    found = lower_node(scope, node)
    if found.type != NUMBER:
        return found
    wanted = scope.bench.type_of(node)
    if isinstance(wanted, TruthOf):
        return as_truth(found)
    return narrow(found, *type_bounds(scope.plan, wanted))


def lower_node(scope: Scope, node: ast.Expr) -> Value:
    core = lower_expression(scope.bench, node)
    return lower_form(scope, core) if isinstance(core, Form) else operations.lower_operation(scope, core)


def lower_form(scope: Scope, form: Form) -> Value:
    match form:
        case ast.Range() | ast.SetOf() | ast.Filter() | ast.Joined() | ast.Combinations():
            raise CannotCompile(message("one value is needed here, but there is a list"))
        case ast.Literal():
            return names.lower_literal(scope, form)
        case ast.Quantified():
            return aggregates.lower_quantified(scope, form)
        case ast.Aggregate():
            return aggregates.lower_aggregate(scope, form)
        case ast.Best():
            return aggregates.lower_best(scope, form)
        case ast.Compare():
            return lower_comparison(scope, form)
        case ast.In():
            return lower_membership(scope, form)
        case ast.IsEmpty(collection, negated):
            empty = scope.lower_collection(collection).is_empty(scope)
            return invert(empty) if negated else empty
        case ast.Arithmetic():
            return lower_arithmetic(scope, form)
        case ast.Negate(inner):
            return binary("sub", number(0), lower_needed(scope, inner))
        case ast.Not(inner):
            return invert(lower_condition(scope, inner))
        case ast.And(parts):
            return lower_logic(scope, "and", parts)
        case ast.Or(parts):
            return lower_logic(scope, "or", parts)
        case ast.IfElse():
            return lower_if_else(scope, form)
        case ast.Can(action):
            return calls.lower_can(scope, action)
        case ast.Before(inner):
            return calls.lower_before(scope, inner)
        case _:
            assert_never(form)


def lower_condition(scope: Scope, node: ast.Expr) -> Value:
    return as_truth(lower_value(scope, node))


def lower_needed(scope: Scope, node: ast.Expr) -> Value:
    """A number, where `nothing` would be a fault."""
    return require_present(scope, as_number(lower_value(scope, node)), node)


# ---- logic


def lower_logic(scope: Scope, op: str, parts: tuple[ast.Expr, ...]) -> Value:
    """A later part is only looked at when the earlier ones have not decided."""
    found = lower_condition(scope, parts[0])
    for part in parts[1:]:
        if constant_of(found) == (0 if op == "and" else 1):
            return found
        found = lower_next_part(scope, op, found, part)
    return found


def lower_next_part(scope: Scope, op: str, found: Value, part: ast.Expr) -> Value:
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


def lower_if_else(scope: Scope, node: ast.IfElse) -> Value:
    lines = scope.lines
    test = lower_condition(scope, node.condition)
    fixed = constant_of(test)
    if fixed is not None:
        return branch(scope, node, node.then if fixed else node.otherwise)
    test = lines.bind(test)
    first, one = lines.capture(lambda: branch(scope, node, node.then))
    second, other = lines.capture(lambda: branch(scope, node, node.otherwise))
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


def branch(scope: Scope, node: ast.IfElse, part: ast.Expr) -> Value:
    """What one of both gives; of lists the values are as many times as large as those of the other."""
    if list_values.list_depth_of(scope, node):
        return fractions.list_at_scale(scope, part, scales.scale_of(scope.plan, node))
    return lower_value(scope, part)


# ---- arithmetic, comparisons


def lower_arithmetic(scope: Scope, node: ast.Arithmetic) -> Value:
    if node.operator == "/" or scales.scale_of(scope.plan, node.left) != 1 \
            or scales.scale_of(scope.plan, node.right) != 1:
        return lower_whole_quotient(scope, node)
    left, right = lower_needed(scope, node.left), lower_needed(scope, node.right)
    ops = {"+": "add", "-": "sub", "*": "mul", "div": "div", "mod": "mod"}
    op = ops[node.operator]
    if not fits_word(scope, node) and op in {"add", "sub", "mul"}:
        limit = 1 << (30 if op == "mul" else 60)
        left, right = limit_magnitude(scope, left, limit, node), limit_magnitude(scope, right, limit, node)
    if op in {"div", "mod"}:
        fixed = constant_of(right)
        if fixed is None:
            right = require_nonzero(scope, node, right)
        elif fixed == 0:
            scope.emit_fault("division-by-zero", node)
            return number(0)
    return binary(op, left, right)


def lower_whole_quotient(scope: Scope, node: ast.Arithmetic) -> Value:
    """What is whole all the same: `div`, or `/` by one."""
    if node.operator == "div":
        return fractions.lower_floor_division(scope, node)
    return fractions.lower_fraction_arithmetic(scope, node, 1)


def fits_word(scope: Scope, node: ast.Expr) -> bool:
    """Whether a word of the machine surely holds the number."""
    return type_bounds(scope.plan, scope.bench.type_of(node)) != (None, None)


def require_nonzero(scope: Scope, node: ast.Arithmetic, right: Value) -> Value:
    right = scope.lines.bind(right)
    nothing_to_share = compare("=", right, number(0))
    scope.emit_fault_if(nothing_to_share, "division-by-zero", node)
    return scope.lines.bind(Value("select", NUMBER, (nothing_to_share, number(1), right)))


def lower_comparison(scope: Scope, node: ast.Compare) -> Value:
    if names.is_collection(scope, node.left) or names.is_collection(scope, node.right):
        return aggregates.lower_list_comparison(scope, node)
    operator = "=" if node.operator == "is" else node.operator
    if any(scales.scale_of(scope.plan, side) != 1 for side in (node.left, node.right)):
        return fractions.lower_fraction_comparison(scope, operator, node.left, node.right)
    if is_list_or_nothing(scope, node.left) and is_list_or_nothing(scope, node.right) and operator in {"=", "is not"}:
        return lists_or_nothing(scope, node, operator)
    if operator in {"=", "is not"}:
        left, right = lower_value(scope, node.left), lower_value(scope, node.right)
    else:
        left, right = lower_needed(scope, node.left), lower_needed(scope, node.right)
    if left.type != right.type or left.type == TRUTH:
        left, right = as_number(left), as_number(right)
    return compare(operator, left, right)


def is_list_or_nothing(scope: Scope, node: ast.Expr) -> bool:
    found = scope.bench.type_of(node)
    return isinstance(found, OptionalOf) and list_values.list_depth(found.item) == 1


def lists_or_nothing(scope: Scope, node: ast.Compare, operator: str) -> Value:
    """Both may be nothing, which is like nothing else, not even a list without anything in it."""
    lines, kept = scope.lines, list[tuple[Value, ValueList]]()
    for side in (node.left, node.right):
        found = lines.bind(as_number(lower_value(scope, side)))
        values = collect_values(scope, list_values.heap_list(scope, found))
        kept.append((lines.bind(compare("=", found, number(NOTHING))), values))
    (is_none, one), (other_is_none, other) = kept
    are_same = logic("and", compare("=", as_number(is_none), as_number(other_is_none)),
                     compare("=", compare_lists(scope, one, other), number(0)))
    return are_same if operator == "=" else invert(are_same)


def lower_membership(scope: Scope, node: ast.In) -> Value:
    if isinstance(node.collection, ast.Range) and scales.scale_of(scope.plan, node.item) != 1:
        between = fractions.lower_range_membership(scope, node.item, node.collection.low, node.collection.high)
        return invert(between) if node.negated else between
    if any(scales.scale_of(scope.plan, side) != 1 for side in (node.item, node.collection)):
        one, others = fractions.lower_at_common_scale(scope, node.item, node.collection)
        found = others.contains(scope, one)
        return invert(found) if node.negated else found
    item = as_number(lower_value(scope, node.item))
    levels = list_values.list_depth_of(scope, node.item)
    if levels:
        found = list_values.contains_list(scope, levels, scope.lower_collection(node.collection), item)
    elif isinstance(node.collection, ast.Range):
        item = scope.lines.bind(item)
        low, high = lower_needed(scope, node.collection.low), lower_needed(scope, node.collection.high)
        found = logic("and", compare(">=", item, low), compare("<=", item, high))
    else:
        found = scope.lower_collection(node.collection).contains(scope, item)
    return invert(found) if node.negated else found

