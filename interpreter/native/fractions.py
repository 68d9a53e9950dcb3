"""Exact fractions by `/`: a value that may be one is kept as a whole number, so many times as large.

How many times hangs on the expression alone (its *scale*), so that values of one expression can be compared and added
as they are. What does not divide without a rest at that scale, or grows too large, is left to the reference.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.program import AttributeMeaning, BuiltinMeaning
from rulesrun.dsl.types import NumberOf
from rulesrun.interpreter.native import aggregates, asking, naming, places, words
from rulesrun.interpreter.native.form import (
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
from rulesrun.interpreter.native.plan import Plan, Scope, bounds, kept_below
from rulesrun.interpreter.values import plain

MOST_SCALE = 1 << 36
MOST_DIVISORS = 64  # different divisors of which the least common multiple is worked out
COMMON = 720_720  # divisible by 1 to 16: where there are more, a rest is left to the reference
LARGEST = 1 << 60
MOST_FACTOR = 1 << 30


# ---- scales


def scale_of(plan: Plan, node: ast.Expr | ast.ScoreLine) -> int:
    """1: the value is always whole."""
    key = ("scale", id(node))
    if key not in plan.made:
        plan.made[key] = 1  # should something ask for itself
        found = found_scale(plan, node.value if isinstance(node, ast.ScoreLine) else node)
        if found != 1 and ("scale asked", id(node)) in plan.made:
            raise CannotCompile("points in fractions hang on themselves")
        plan.made[key] = found if found <= MOST_SCALE else COMMON
        plan.made[("node", id(node))] = node  # its number stays its own
    elif ("node", id(node)) not in plan.made:
        plan.made[("scale asked", id(node))] = True
    scale: int = plan.made[key]
    return scale


def found_scale(plan: Plan, node: ast.Expr) -> int:
    fixed = constant(plan, node)
    if fixed is not None:
        return fixed.denominator
    match node:
        case ast.Arithmetic(left=left, operator=operator, right=right):
            return scale_of_arithmetic(plan, left, operator, right)
        case ast.Negate(inner):
            return scale_of(plan, inner)
        case ast.IfElse(_, then, otherwise):
            return lcm(scale_of(plan, then), scale_of(plan, otherwise))
        case ast.Aggregate(word, _, body) if word in {"sum", "highest", "lowest"}:
            return scale_of(plan, body)
        case ast.Name() | ast.Call():
            return scale_of_named(plan, node)
        case ast.Of(subject):
            return scale_of(plan, subject) if not isinstance(subject, ast.Index) and not is_word(plan, subject) else 1
        case _:
            return 1


def is_word(plan: Plan, subject: ast.Expr) -> bool:
    meaning = plan.bench.meaning(subject) if isinstance(subject, ast.Name) else None
    return isinstance(meaning, BuiltinMeaning) and meaning.name in words.OF


def scale_of_arithmetic(plan: Plan, left: ast.Expr, operator: str, right: ast.Expr) -> int:
    one, other = scale_of(plan, left), scale_of(plan, right)
    match operator:
        case "div":
            return 1
        case "*":
            return one * other
        case "/":
            return one * multiple(plan, right, other)
        case _:
            return lcm(one, other)


def multiple(plan: Plan, divisor: ast.Expr, scale: int) -> int:
    """A number that all divisors divide, or many of them."""
    fixed = constant(plan, divisor)
    if fixed is not None:
        return max(abs(int(fixed * scale)), 1)
    found = plan.bench.type_of(divisor)
    if isinstance(found, NumberOf) and (found.high - found.low) * scale <= MOST_DIVISORS:
        values = range(found.low * scale, found.high * scale + 1)
        common = lcm(*[abs(one) for one in values if one])
        return common if common <= MOST_SCALE else COMMON
    return COMMON


def scale_of_named(plan: Plan, node: ast.Name | ast.Call) -> int:
    meaning = plan.bench.meaning(node.name if isinstance(node, ast.Call) else node)
    match meaning:
        case ast.Define():
            return scale_of(plan, meaning.body)
        case ast.ScoreLine():
            return scale_of(plan, meaning)
        case ast.Table():
            return lcm(*[scale_of(plan, entry.value) for entry in meaning.entries])
        case AttributeMeaning():
            values = plan.bench.kinds[id(meaning.components)].attributes.get(id(meaning.attribute), ())
            return lcm(*[Fraction(one).denominator for one in values if isinstance(one, (int, Fraction))])
        case BuiltinMeaning("total"):
            return scale_of_total(plan)
        case BuiltinMeaning(word) if isinstance(node, ast.Call):
            return scale_of_call(plan, word, node)
        case _:
            return 1


def scale_of_call(plan: Plan, word: str, node: ast.Call) -> int:
    if word in {"smallest", "largest"}:
        return lcm(*[scale_of(plan, argument) for argument in node.arguments])
    if word not in {"counted", "latest"} or not isinstance(node.arguments[0], ast.Name):
        return 1
    meaning = plan.bench.meaning(node.arguments[0])
    return scale_of(plan, meaning) if isinstance(meaning, ast.ScoreLine) else scale_of_total(plan)


def scale_of_total(plan: Plan) -> int:
    """Of the sum of all lines of all sheets."""
    return lcm(*[scale_of(plan, line) for score in plan.bench.of_class(ast.Score) for line in score.lines])


def constant(plan: Plan, node: ast.Expr) -> Fraction | None:
    """A number that is known before the game."""
    if isinstance(node, ast.Number):
        return Fraction(node.value)
    ready = plan.bench.ready.get(id(node))
    if ready is None or not ready[1].is_constant or not isinstance(ready[1].value, (int, Fraction)):
        return None
    return Fraction(ready[1].value)


# ---- values


def whole(scope: Scope, node: ast.Expr) -> X:
    """Where only a whole number has a meaning for machine code."""
    lines, scale = scope.lines, number(scale_of(scope.plan, node))
    value = lines.kept(exact(scope, node))
    rest = lines.kept(compare("is not", both("mod", value, scale), number(0)))
    scope.fault_when(rest, "not-whole", node)
    return lines.kept(both("div", value, scale))


def exact(scope: Scope, node: ast.Expr) -> X:
    """The value, times the scale of the expression."""
    scale = scale_of(scope.plan, node)
    if scale == 1:
        return scope.needed(node)
    fixed = constant(scope.plan, node)
    if fixed is not None:
        return number(int(fixed * scale))
    low, high = bounds(scope.plan, scope.bench.type_of(node))
    found = written(scope, node, scale)
    return found if low is None or high is None else known(found, low * scale, high * scale)


def at_scale(scope: Scope, node: ast.Expr, scale: int) -> X:
    """The value, times a multiple of its scale."""
    return times(scope, node, exact(scope, node), scale // scale_of(scope.plan, node))


def times(scope: Scope, node: ast.Expr, value: X, factor: int) -> X:
    """A product that surely fits into a word."""
    if factor == 1:
        return value
    return both("mul", kept_below(scope, value, LARGEST // factor, node), number(factor))


def beyond(scope: Scope, node: ast.Expr) -> X:
    """Too large for a word: left to the reference."""
    scope.fault("too-large", node)
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
        case ast.Name():
            return named(scope, node)
        case ast.Call():
            return called(scope, node, scale)
        case ast.Of(subject, owner):
            meaning = scope.bench.meaning(subject) if isinstance(subject, ast.Name) else None
            if isinstance(meaning, AttributeMeaning):
                return asking.attribute(scope, meaning, scope.lines.kept(asking.component(scope, owner)), scale)
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
        one, other = scale_of(scope.plan, node.left), scale_of(scope.plan, node.right)
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
    one, other = scale_of(plan, node.left), scale_of(plan, node.right)
    common = multiple(plan, node.right, other)
    if one * common != scale_of(plan, node):
        return beyond(scope, node)
    divisor = not_zero(scope, node, exact(scope, node.right))
    value = lines.kept(times(scope, node.left, exact(scope, node.left), common * other))
    rest = lines.kept(compare("is not", both("mod", value, divisor), number(0)))
    scope.fault_when(rest, "too-large", node)
    return lines.kept(both("div", value, divisor))


def floor_of_quotient(scope: Scope, node: ast.Arithmetic) -> X:
    """`div` where a side may be a fraction."""
    common = lcm(scale_of(scope.plan, node.left), scale_of(scope.plan, node.right))
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
            return asking.ask_named(scope, meaning)
        case AttributeMeaning():
            scale = scale_of(scope.plan, node)
            return asking.attribute(scope, meaning, naming.element(scope, meaning.element), scale)
        case BuiltinMeaning("total"):
            return words.total(scope)
        case _:
            raise CannotCompile("a fraction of this form is not compiled")


def called(scope: Scope, node: ast.Call, scale: int) -> X:
    meaning = scope.bench.meaning(node.name)
    match meaning:
        case ast.Define():
            return asking.defined(scope, node, meaning)
        case ast.Table():
            return asking.lookup(scope, node, meaning, scale)
        case BuiltinMeaning(word) if word in {"counted", "latest"}:
            return words.line_of_score(scope, word, node)
        case BuiltinMeaning(word):
            found = at_scale(scope, node.arguments[0], scale)
            for argument in node.arguments[1:]:
                found = both("min" if word == "smallest" else "max", found, at_scale(scope, argument, scale))
            return found
        case _:
            raise CannotCompile("a fraction of this form is not compiled")


# ---- comparing


def compared(scope: Scope, operator: str, left: ast.Expr, right: ast.Expr) -> X:
    common = lcm(scale_of(scope.plan, left), scale_of(scope.plan, right))
    if common > MOST_SCALE:
        return compare("=", beyond(scope, left), number(1))
    return compare(operator, at_scale(scope, left, common), at_scale(scope, right, common))


def lies_between(scope: Scope, item: ast.Expr, low: ast.Expr, high: ast.Expr) -> X:
    """`x in a..b`: a range holds whole numbers alone."""
    lines, scale = scope.lines, scale_of(scope.plan, item)
    value = lines.kept(exact(scope, item))
    is_whole = compare("=", both("mod", value, number(scale)), number(0))
    found = is_whole
    for op, end in ((">=", low), ("<=", high)):
        limit = times(scope, end, scope.needed(end), scale)
        found = X("and", TRUTH, (found, compare(op, value, limit)))
    return lines.kept(found)


def comparable(scope: Scope, node: ast.Expr) -> X:
    """A value to be held against another of the same expression; it may be `nothing`, too."""
    if scale_of(scope.plan, node) != 1:
        return scope.exact(node)
    return as_number(scope.value(node))


def read(value: int, scale: int) -> Any:
    """The number that is kept so many times as large, as the reference has it."""
    return plain(Fraction(value, scale)) if scale != 1 else value
