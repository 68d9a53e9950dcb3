"""Exact fractions by `/`: a value that may be one is kept as a whole number, so many times as large.

How many times hangs on the expression alone (its *scale*), so that values of one expression can be compared and added
as they are. What does not divide without a rest at that scale, or grows too large, is left to the reference.
"""

from __future__ import annotations

from math import lcm

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import AttributeMeaning, BuiltinMeaning, ItMeaning
from rulesrun.interpreter.form.form import (
    NUMBER,
    TRUTH,
    CannotCompile,
    X,
    as_number,
    both,
    compare,
    constant_of,
    known,
    number,
)
from rulesrun.interpreter.native.expressions import aggregates, builtin_words, calls, list_values, names, places, scales
from rulesrun.interpreter.native.expressions.collections import Several
from rulesrun.interpreter.native.expressions.lists import listed
from rulesrun.interpreter.native.layout.plan import LEFT, Scope, bounds, kept_below

LARGEST = 1 << 60
MOST_FACTOR = 1 << 30


# ---- values


def whole(scope: Scope, node: ast.Expr) -> X:
    """Where only a whole number has a meaning for machine code."""
    lines, scale = scope.lines, number(scales.scale_of(scope.plan, node))
    value = lines.kept(exact(scope, node))
    rest = lines.kept(compare("is not", both("mod", value, scale), number(0)))
    scope.fault_when(rest, LEFT, node)
    return lines.kept(both("div", value, scale))


def exact(scope: Scope, node: ast.Expr) -> X:
    """The value, times the scale of the expression."""
    scale = scales.scale_of(scope.plan, node)
    if scale == 1:
        return scope.needed(node)
    fixed = scales.constant(scope.plan, node)
    if fixed is not None:
        return number(int(fixed * scale))
    low, high = bounds(scope.plan, scope.bench.type_of(node))
    found = written(scope, node, scale)
    return found if low is None or high is None else known(found, low * scale, high * scale)


def at_scale(scope: Scope, node: ast.Expr, scale: int) -> X:
    """The value, times a multiple of its scale."""
    return times(scope, node, exact(scope, node), scale // scales.scale_of(scope.plan, node))


def changed_to(scope: Scope, node: ast.Expr, scale: int) -> X:
    """The value, times a number that need be no multiple of its scale; a rest is left to the reference."""
    lines, own = scope.lines, scales.scale_of(scope.plan, node)
    common = lcm(own, scale)
    if common > scales.MOST_SCALE:
        return beyond(scope, node)
    value, divisor = lines.kept(times(scope, node, exact(scope, node), common // own)), number(common // scale)
    rest = lines.kept(compare("is not", both("mod", value, divisor), number(0)))
    scope.fault_when(rest, LEFT, node)
    return lines.kept(both("div", value, divisor))


def times(scope: Scope, node: ast.Expr, value: X, factor: int) -> X:
    """A product that surely fits into a word."""
    if factor == 1:
        return value
    return both("mul", kept_below(scope, value, LARGEST // factor, node), number(factor))


def beyond(scope: Scope, node: ast.Expr) -> X:
    """Too large for a word: left to the reference."""
    scope.fault(LEFT, node)
    return number(0)


def written(scope: Scope, node: ast.Expr, scale: int) -> X:
    match node:
        case ast.Arithmetic():
            return arithmetic(scope, node, scale)
        case ast.Negate(inner):
            return both("sub", number(0), at_scale(scope, inner, scale))
        case ast.IfElse(condition, then, otherwise):
            return one_of_two(scope, condition, then, otherwise, scale)
        case ast.Aggregate():
            return aggregates.aggregate(scope, node)
        case ast.Best():
            return aggregates.the_best(scope, node)
        case ast.Item(position, collection):
            return aggregates.item(scope, node, position, collection)
        case ast.Index(name, keys):
            return aggregates.item(scope, node, keys[-1], name)
        case ast.Before(inner):
            return calls.before(scope, inner)
        case ast.Name():
            return named(scope, node)
        case ast.Call():
            return called(scope, node, scale)
        case ast.Of(subject, owner):
            meaning = scope.bench.meaning(subject) if isinstance(subject, ast.Name) else None
            if isinstance(meaning, AttributeMeaning):
                return calls.attribute(scope, meaning, scope.lines.kept(calls.component(scope, owner)), scale)
            if isinstance(meaning, BuiltinMeaning) and meaning.name in builtin_words.OF:
                return as_number(builtin_words.of(scope, meaning.name, node))
            whose = scope.lines.kept(places.player_value(scope, owner))
            return exact(scope.asked_of(whose), subject)
        case _:
            raise CannotCompile("a fraction of this form is not compiled")


def arithmetic(scope: Scope, node: ast.Arithmetic, scale: int) -> X:
    if node.operator == "/":
        return divided(scope, node)
    if node.operator == "mod":
        divisor = not_zero(scope, node, at_scale(scope, node.right, scale))
        return both("mod", at_scale(scope, node.left, scale), divisor)
    if node.operator == "*":
        one, other = scales.scale_of(scope.plan, node.left), scales.scale_of(scope.plan, node.right)
        if one * other != scale:
            return beyond(scope, node)
        one_side, other_side = (kept_below(scope, exact(scope, side), MOST_FACTOR, side)
                                for side in (node.left, node.right))
        return both("mul", one_side, other_side)
    op = "add" if node.operator == "+" else "sub"
    left, right = (kept_below(scope, at_scale(scope, side, scale), LARGEST, side) for side in (node.left, node.right))
    return both(op, left, right)


def divided(scope: Scope, node: ast.Arithmetic) -> X:
    """Times the common multiple, through the divisor; a rest is left to the reference."""
    lines, plan = scope.lines, scope.plan
    one, other = scales.scale_of(plan, node.left), scales.scale_of(plan, node.right)
    common = scales.multiple(plan, node.right, other)
    if one * common != scales.scale_of(plan, node):
        return beyond(scope, node)
    divisor = not_zero(scope, node, exact(scope, node.right))
    value = lines.kept(times(scope, node.left, exact(scope, node.left), common * other))
    rest = lines.kept(compare("is not", both("mod", value, divisor), number(0)))
    scope.fault_when(rest, LEFT, node)
    return lines.kept(both("div", value, divisor))


def floor_of_quotient(scope: Scope, node: ast.Arithmetic) -> X:
    """`div` where a side may be a fraction."""
    common = lcm(scales.scale_of(scope.plan, node.left), scales.scale_of(scope.plan, node.right))
    divisor = not_zero(scope, node, at_scale(scope, node.right, common))
    return both("div", at_scale(scope, node.left, common), divisor)


def not_zero(scope: Scope, node: ast.Arithmetic, divisor: X) -> X:
    fixed = constant_of(divisor)
    if fixed:
        return divisor
    divisor = scope.lines.kept(divisor)
    is_zero = compare("=", divisor, number(0))
    if fixed == 0:
        scope.fault("division-by-zero", node)
        return number(1)
    scope.fault_when(is_zero, "division-by-zero", node)
    return scope.lines.kept(X("select", NUMBER, (is_zero, number(1), divisor)))


def one_of_two(scope: Scope, condition: ast.Expr, then: ast.Expr, otherwise: ast.Expr, scale: int) -> X:
    lines, test = scope.lines, scope.condition(condition)
    fixed = constant_of(test)
    if fixed is not None:
        return at_scale(scope, then if fixed else otherwise, scale)
    answer = lines.variable(number(0), "c")
    with lines.when(test) as line:
        lines.set(answer, at_scale(scope, then, scale))
    with lines.otherwise(line):
        lines.set(answer, at_scale(scope, otherwise, scale))
    return lines.kept(answer)


# ---- names


def named(scope: Scope, node: ast.Name) -> X:
    meaning = scope.bench.meaning(node)
    match meaning:
        case ast.Define() | ast.ScoreLine():
            return calls.ask_named(scope, meaning)
        case AttributeMeaning():
            scale = scales.scale_of(scope.plan, node)
            return calls.attribute(scope, meaning, names.element(scope, meaning.element), scale)
        case BuiltinMeaning("total"):
            return builtin_words.total(scope)
        case ast.Each():
            return names.register(scope, meaning)
        case ItMeaning():
            return names.element(scope, meaning.element)
        case _:
            raise CannotCompile("a fraction of this form is not compiled")


def called(scope: Scope, node: ast.Call, scale: int) -> X:
    meaning = scope.bench.meaning(node.name)
    match meaning:
        case ast.Define():
            return calls.defined(scope, node, meaning)
        case ast.Table():
            return calls.lookup(scope, node, meaning, scale)
        case BuiltinMeaning(word) if word in {"counted", "latest"}:
            return builtin_words.line_of_score(scope, word, node)
        case BuiltinMeaning(word):
            found = at_scale(scope, node.arguments[0], scale)
            for argument in node.arguments[1:]:
                found = both("min" if word == "smallest" else "max", found, at_scale(scope, argument, scale))
            return found
        case _:
            raise CannotCompile("a fraction of this form is not compiled")


# ---- comparing


def compared(scope: Scope, operator: str, left: ast.Expr, right: ast.Expr) -> X:
    common = lcm(scales.scale_of(scope.plan, left), scales.scale_of(scope.plan, right))
    if common > scales.MOST_SCALE:
        return compare("=", beyond(scope, left), number(1))
    return compare(operator, at_scale(scope, left, common), at_scale(scope, right, common))


def lies_between(scope: Scope, item: ast.Expr, low: ast.Expr, high: ast.Expr) -> X:
    """`x in a..b`: a range holds whole numbers alone."""
    lines, scale = scope.lines, scales.scale_of(scope.plan, item)
    value = lines.kept(exact(scope, item))
    is_whole = compare("=", both("mod", value, number(scale)), number(0))
    found = is_whole
    for op, end in ((">=", low), ("<=", high)):
        limit = times(scope, end, scope.needed(end), scale)
        found = X("and", TRUTH, (found, compare(op, value, limit)))
    return lines.kept(found)


def of_one_scale(scope: Scope, item: ast.Expr, collection: ast.Expr) -> tuple[X, Several]:
    """A value and several others that it may be among, so many times as large that they can be held against it."""
    one, other = scales.scale_of(scope.plan, item), scales.scale_of(scope.plan, collection)
    common = lcm(one, other)
    if common > scales.MOST_SCALE:
        return beyond(scope, item), scaled(scope, collection, other)
    value = scope.lines.kept(times(scope, item, comparable(scope, item), common // one))
    return value, scaled(scope, collection, common)


def scaled(scope: Scope, node: ast.Expr, scale: int) -> Several:
    """Several values, each so many times as large."""
    found: Several = scope.several(node)
    factor = scale // scales.scale_of(scope.plan, node)
    if factor == 1:
        return found
    result: Several = listed(scope, found, lambda one: times(scope, node, one, factor))
    return result


def whole_list(scope: Scope, node: ast.Expr) -> X:
    """Where a list of whole numbers is meant: one in which there is a fraction is left to the reference."""
    lines, scale = scope.lines, number(scales.scale_of(scope.plan, node))
    if list_values.depth_of(scope, node) > 1:
        raise CannotCompile("fractions in lists of lists as a parameter", node, "multiply them until they are whole")

    def one(value: X) -> X:
        value = lines.kept(value)
        rest = lines.kept(compare("is not", both("mod", value, scale), number(0)))
        scope.fault_when(rest, LEFT, node)
        return lines.kept(both("div", value, scale))

    return list_values.put_down(scope, listed(scope, scope.several(node), one))


def list_at_scale(scope: Scope, node: ast.Expr, scale: int) -> X:
    """A list that stands for one value, each in it so many times as large."""
    if scales.scale_of(scope.plan, node) == scale:
        return scope.value(node)
    if list_values.depth_of(scope, node) > 1:
        raise CannotCompile("fractions of several kinds in lists of lists", node, "the same divisor in all of them")
    return list_values.put_down(scope, listed(scope, scaled(scope, node, scale)))


def comparable(scope: Scope, node: ast.Expr) -> X:
    """A value to be held against another of the same expression; it may be `nothing`, too."""
    if scales.scale_of(scope.plan, node) != 1:
        return scope.exact(node)
    return as_number(scope.value(node))
