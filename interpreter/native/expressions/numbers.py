"""Expressions that give one value: arithmetic, logic, comparisons, names. Writes what it needs."""

from __future__ import annotations

from typing import assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import AllOf, AttributeMeaning, BuiltinMeaning, ItMeaning, RowMeaning, WordMeaning
from rulesrun.dsl.typing.types import OptionalOf, TruthOf
from rulesrun.interpreter.form.form import (
    NOTHING,
    NUMBER,
    TRUTH,
    CannotCompile,
    X,
    as_number,
    as_truth,
    both,
    compare,
    constant_of,
    inverted,
    known,
    logic,
    number,
    select,
    truth,
)
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.native.expressions import (
    aggregates,
    builtin_words,
    calls,
    fractions,
    list_values,
    names,
    places,
    scales,
)
from rulesrun.interpreter.native.expressions.collections import Listed
from rulesrun.interpreter.native.expressions.lists import compare_listed, listed
from rulesrun.interpreter.native.layout.plan import Scope, bounds, freed, kept_below, present


def value(scope: Scope, node: ast.Expr) -> X:
    """What the expression gives, as a number or a truth."""
    try:
        fixed = names.before_the_game(scope, node)
        if fixed is not None:
            return fixed
        if list_values.depth_of(scope, node):
            return as_list(scope, node)
        found = freed(scope, lambda: plainly(scope, node))
        assert found is not None
        return found
    except CannotCompile as reason:
        raise reason.at(node) from None


def as_list(scope: Scope, node: ast.Expr) -> X:
    """Several values as one: the number that stands for the list."""
    if list_values.is_told_by_one(scope, node):
        return as_number(written(scope, node))
    return list_values.put_down(scope, listed(scope, scope.several(node)))


def plainly(scope: Scope, node: ast.Expr) -> X:
    if scales.scale_of(scope.plan, node) != 1:
        return fractions.whole(scope, node)
    found = written(scope, node)
    if found.type != NUMBER:
        return found
    wanted = scope.bench.type_of(node)
    if isinstance(wanted, TruthOf):
        return as_truth(found)
    return known(found, *bounds(scope.plan, wanted))


def written(scope: Scope, node: ast.Expr) -> X:
    match node:
        case ast.Number(amount):
            return number(amount)
        case ast.Truth(is_so):
            return truth(is_so)
        case ast.Nothing():
            return number(NOTHING)
        case ast.Text() | ast.Range() | ast.SetOf() | ast.Filter():
            raise CannotCompile("a list stands where one value is needed")
        case ast.Name():
            return name(scope, node)
        case ast.Index():
            return index(scope, node)
        case ast.Call():
            return calls.call(scope, node)
        case ast.Of():
            return calls.of(scope, node)
        case ast.Item(position, collection):
            return aggregates.item(scope, node, position, collection)
        case ast.Literal():
            return names.literal(scope, node)
        case ast.Quantified():
            return aggregates.quantified(scope, node)
        case ast.Aggregate():
            return aggregates.aggregate(scope, node)
        case ast.Best():
            return aggregates.the_best(scope, node)
        case ast.Compare():
            return comparison(scope, node)
        case ast.In():
            return contained(scope, node)
        case ast.IsEmpty(collection, negated):
            empty = scope.several(collection).is_empty(scope)
            return inverted(empty) if negated else empty
        case ast.Arithmetic():
            return arithmetic(scope, node)
        case ast.Negate(inner):
            return both("sub", number(0), needed(scope, inner))
        case ast.Not(inner):
            return inverted(condition(scope, inner))
        case ast.And(parts):
            return one_after_the_other(scope, "and", parts)
        case ast.Or(parts):
            return one_after_the_other(scope, "or", parts)
        case ast.IfElse():
            return if_else(scope, node)
        case ast.Can(action):
            return calls.can(scope, action)
        case ast.Before(inner):
            return calls.before(scope, inner)
        case _:
            assert_never(node)


def condition(scope: Scope, node: ast.Expr) -> X:
    return as_truth(value(scope, node))


def needed(scope: Scope, node: ast.Expr) -> X:
    """A number, where `nothing` would be a fault."""
    return present(scope, as_number(value(scope, node)), node)


# ---- logic


def one_after_the_other(scope: Scope, op: str, parts: tuple[ast.Expr, ...]) -> X:
    """A later part is only looked at when the earlier ones have not decided."""
    found = condition(scope, parts[0])
    for part in parts[1:]:
        if constant_of(found) == (0 if op == "and" else 1):
            return found
        found = then_look(scope, op, found, part)
    return found


def then_look(scope: Scope, op: str, found: X, part: ast.Expr) -> X:
    lines = scope.lines
    more, following = lines.captured(lambda: condition(scope, part))
    if not more:
        return logic(op, found, following)
    if constant_of(found) is not None:
        lines.lines.extend(more)
        return following
    answer = lines.variable(found, "c")
    test = answer if op == "and" else inverted(answer)
    with lines.when(test):
        lines.lines.extend(more)
        lines.set(answer, following)
    return answer


def if_else(scope: Scope, node: ast.IfElse) -> X:
    lines = scope.lines
    test = condition(scope, node.condition)
    fixed = constant_of(test)
    if fixed is not None:
        return branch(scope, node, node.then if fixed else node.otherwise)
    test = lines.kept(test)
    first, one = lines.captured(lambda: branch(scope, node, node.then))
    second, other = lines.captured(lambda: branch(scope, node, node.otherwise))
    if one.type != other.type:
        one, other = as_number(one), as_number(other)
    if not first and not second:
        return select(test, one, other)
    answer = lines.variable(X("const", one.type, extra=0), "c")
    with lines.when(test) as line:
        lines.lines.extend(first)
        lines.set(answer, one)
    with lines.otherwise(line):
        lines.lines.extend(second)
        lines.set(answer, other)
    low = None if one.low is None or other.low is None else min(one.low, other.low)
    high = None if one.high is None or other.high is None else max(one.high, other.high)
    return known(answer, low, high)


def branch(scope: Scope, node: ast.IfElse, part: ast.Expr) -> X:
    """What one of both gives; of lists the values are as many times as large as those of the other."""
    if list_values.depth_of(scope, node):
        return fractions.list_at_scale(scope, part, scales.scale_of(scope.plan, node))
    return value(scope, part)


# ---- arithmetic, comparisons


def arithmetic(scope: Scope, node: ast.Arithmetic) -> X:
    if node.operator == "/" or scales.scale_of(scope.plan, node.left) != 1 \
            or scales.scale_of(scope.plan, node.right) != 1:
        return of_fractions(scope, node)
    left, right = needed(scope, node.left), needed(scope, node.right)
    ops = {"+": "add", "-": "sub", "*": "mul", "div": "div", "mod": "mod"}
    op = ops[node.operator]
    if not fits(scope, node) and op in {"add", "sub", "mul"}:
        limit = 1 << (30 if op == "mul" else 60)
        left, right = kept_below(scope, left, limit, node), kept_below(scope, right, limit, node)
    if op in {"div", "mod"}:
        fixed = constant_of(right)
        if fixed is None:
            right = lines_divisor(scope, node, right)
        elif fixed == 0:
            scope.fault("division-by-zero", node)
            return number(0)
    return both(op, left, right)


def of_fractions(scope: Scope, node: ast.Arithmetic) -> X:
    """What is whole all the same: `div`, or `/` by one."""
    if node.operator == "div":
        return fractions.floor_of_quotient(scope, node)
    return fractions.arithmetic(scope, node, 1)


def fits(scope: Scope, node: ast.Expr) -> bool:
    """Whether a word of the machine surely holds the number."""
    return bounds(scope.plan, scope.bench.type_of(node)) != (None, None)


def lines_divisor(scope: Scope, node: ast.Arithmetic, right: X) -> X:
    right = scope.lines.kept(right)
    nothing_to_share = compare("=", right, number(0))
    scope.fault_when(nothing_to_share, "division-by-zero", node)
    return scope.lines.kept(X("select", NUMBER, (nothing_to_share, number(1), right)))


def comparison(scope: Scope, node: ast.Compare) -> X:
    if names.is_several(scope, node.left) or names.is_several(scope, node.right):
        return aggregates.compare_several(scope, node)
    operator = "=" if node.operator == "is" else node.operator
    if any(scales.scale_of(scope.plan, side) != 1 for side in (node.left, node.right)):
        return fractions.compared(scope, operator, node.left, node.right)
    if is_list_or_nothing(scope, node.left) and is_list_or_nothing(scope, node.right) and operator in {"=", "is not"}:
        return lists_or_nothing(scope, node, operator)
    if operator in {"=", "is not"}:
        left, right = value(scope, node.left), value(scope, node.right)
    else:
        left, right = needed(scope, node.left), needed(scope, node.right)
    if left.type != right.type or left.type == TRUTH:
        left, right = as_number(left), as_number(right)
    return compare(operator, left, right)


def is_list_or_nothing(scope: Scope, node: ast.Expr) -> bool:
    found = scope.bench.type_of(node)
    return isinstance(found, OptionalOf) and list_values.depth(found.item) == 1


def lists_or_nothing(scope: Scope, node: ast.Compare, operator: str) -> X:
    """Both may be nothing, which is like nothing else, not even a list without anything in it."""
    lines, kept = scope.lines, list[tuple[X, Listed]]()
    for side in (node.left, node.right):
        found = lines.kept(as_number(value(scope, side)))
        values = listed(scope, list_values.kept_list(scope, found))
        kept.append((lines.kept(compare("=", found, number(NOTHING))), values))
    (is_none, one), (other_is_none, other) = kept
    are_same = logic("and", compare("=", as_number(is_none), as_number(other_is_none)),
                     compare("=", compare_listed(scope, one, other), number(0)))
    return are_same if operator == "=" else inverted(are_same)


def contained(scope: Scope, node: ast.In) -> X:
    if isinstance(node.collection, ast.Range) and scales.scale_of(scope.plan, node.item) != 1:
        between = fractions.lies_between(scope, node.item, node.collection.low, node.collection.high)
        return inverted(between) if node.negated else between
    if any(scales.scale_of(scope.plan, side) != 1 for side in (node.item, node.collection)):
        one, others = fractions.of_one_scale(scope, node.item, node.collection)
        found = others.contains(scope, one)
        return inverted(found) if node.negated else found
    item = as_number(value(scope, node.item))
    levels = list_values.depth_of(scope, node.item)
    if levels:
        found = list_values.is_among(scope, levels, scope.several(node.collection), item)
    elif isinstance(node.collection, ast.Range):
        item = scope.lines.kept(item)
        low, high = needed(scope, node.collection.low), needed(scope, node.collection.high)
        found = logic("and", compare(">=", item, low), compare("<=", item, high))
    else:
        found = scope.several(node.collection).contains(scope, item)
    return inverted(found) if node.negated else found


# ---- names


def name(scope: Scope, node: ast.Name) -> X:
    meaning = scope.bench.meaning(node)
    match meaning:
        case ast.Variable():
            room = scope.bench.variables[id(meaning)]
            return places.read_variable(scope, node, room)
        case ast.Zone():
            raise CannotCompile("a zone stands where one value is needed")
        case ast.Define() | ast.ScoreLine():
            return calls.ask_named(scope, meaning)
        case ast.Parameter() | ast.Choice() | ast.Each() | ast.Deal():
            return names.register(scope, meaning)
        case WordMeaning():
            return number(meaning.index)
        case AttributeMeaning():
            return calls.attribute(scope, meaning, names.element(scope, meaning.element))
        case ItMeaning():
            return names.element(scope, meaning.element)
        case RowMeaning(components, row):
            return number(scope.bench.kinds[id(components)].names.index(row.name.text))
        case ast.Phase():
            return number(scope.bench.of_class(ast.Phase).index(meaning))
        case BuiltinMeaning(word):
            return builtin_words.alone(scope, word, node)
        case ast.Option() | ast.Values() | ast.Components() | AllOf() | _:
            raise CannotCompile(f"`{node.text}` stands where one value is needed")


def index(scope: Scope, node: ast.Index) -> X:
    meaning = scope.bench.meaning(node.name)
    if isinstance(meaning, ast.Variable) and meaning.keys:
        room = scope.bench.variables[id(meaning)]
        assert isinstance(room, VariableRoom)
        return places.read_variable(scope, node, room)
    return aggregates.item(scope, node, node.keys[-1], node.name)
