"""Conditions on components as sets of bits: `colour = red` is a mask looked up; nobody goes through the hand.

`Element` says which names stand for the element, and for values that hang on it alone: a kind by its number.
"""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.program import AttributeMeaning, ItMeaning
from rulesrun.dsl.typing.types import OptionalOf
from rulesrun.interpreter.form.form import (
    Line,
    Value,
    as_number,
    binary,
    bit_width,
    combine_sets,
    constant_of,
    constant_set,
    invert,
    number,
    select,
    set_type,
    singleton,
)
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.native.expressions import names, told_sets
from rulesrun.interpreter.native.layout.plan import Scope

MOST_VALUES = 4096
MOST_DEPTH = 8
TESTS: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b, "is": lambda a, b: a == b, "is not": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}
TURNED = {"=": "=", "is": "is", "is not": "is not", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

Element = dict[int, tuple[int, ...]]


def element_values(kinds: Kinds, *binders: int) -> Element:
    """These names, by the ids of their nodes, stand for the element itself."""
    return {one: tuple(range(len(kinds))) for one in binders}


def lower_mask(scope: Scope, condition: ast.Expr, own: Element, kinds: Kinds, depth: int = 0) -> Value | None:
    """The kinds for which the condition holds; None when they must be looked at one by one."""
    if names.is_condition_fixed(scope, condition) or not mentions_element(scope, condition, own):
        kind = set_type(len(kinds))
        return select(scope.lower_condition(condition), all_kinds_mask(kinds), constant_set(kind, 0))
    match condition:
        case ast.And(parts) | ast.Or(parts):
            return lower_logic_mask(scope, "and" if isinstance(condition, ast.And) else "or", parts, own, kinds, depth)
        case ast.Not(inner):
            mask = lower_mask(scope, inner, own, kinds, depth)
            return combine_sets("and", all_kinds_mask(kinds), invert_set(mask)) if mask is not None else None
        case ast.Compare():
            return lower_comparison_mask(scope, condition, own, kinds)
        case ast.In():
            return lower_membership_mask(scope, condition, own, kinds)
        case ast.IfElse():
            return lower_if_else_mask(scope, condition, own, kinds, depth)
        case ast.Call():
            return lower_definition_mask(scope, condition, own, kinds, depth)
        case _:
            return None


def all_kinds_mask(kinds: Kinds) -> Value:
    return constant_set(set_type(len(kinds)), (1 << len(kinds)) - 1)


def invert_set(mask: Value) -> Value:
    fixed = constant_of(mask)
    if fixed is not None:
        return constant_set(mask.type, ~fixed & ((1 << bit_width(mask.type)) - 1))
    return invert(mask)


def capture_mask(
    scope: Scope, part: ast.Expr, own: Element, kinds: Kinds, depth: int
) -> tuple[list[Line], Value | None]:
    """A mask, and the lines it needs, put aside."""
    lines: list[Line] = []
    with scope.lines.writing_into(lines):
        return lines, lower_mask(scope, part, own, kinds, depth)


def lower_logic_mask(
    scope: Scope, op: str, parts: tuple[ast.Expr, ...], own: Element, kinds: Kinds, depth: int
) -> Value | None:
    """What a later part needs must not be run when an earlier one has decided."""
    found: Value | None = None
    for part in parts:
        more, mask = capture_mask(scope, part, own, kinds, depth)
        if mask is None or (more and found is not None):
            return None
        scope.lines.lines.extend(more)
        found = mask if found is None else combine_sets(op, found, mask)
    return found


def lower_if_else_mask(scope: Scope, node: ast.IfElse, own: Element, kinds: Kinds, depth: int) -> Value | None:
    if mentions_element(scope, node.condition, own):
        return None
    lines = scope.lines
    test = scope.lower_condition(node.condition)
    fixed = constant_of(test)
    if fixed is not None:
        return lower_mask(scope, node.then if fixed else node.otherwise, own, kinds, depth)
    first, one = capture_mask(scope, node.then, own, kinds, depth)
    second, other = capture_mask(scope, node.otherwise, own, kinds, depth)
    if one is None or other is None:
        return None
    if not first and not second:
        return select(test, one, other)
    answer = lines.variable(constant_set(one.type, 0), "m")
    with lines.when(test) as line:
        lines.lines.extend(first)
        lines.set(answer, one)
    with lines.otherwise(line):
        lines.lines.extend(second)
        lines.set(answer, other)
    return answer


def lower_definition_mask(scope: Scope, node: ast.Call, own: Element, kinds: Kinds, depth: int) -> Value | None:
    """A definition asked of the element: its body, with what hangs on the element in the place of parameters."""
    meaning = scope.bench.meaning(node.name)
    if not isinstance(meaning, ast.Define) or depth > MOST_DEPTH:
        return None
    inner, owned = Scope(scope.plan, scope.lines, scope.player), Element()
    for parameter, argument in zip(meaning.parameters, node.arguments, strict=True):
        values = values_by_kind(scope, argument, own, kinds)
        if values is not None:
            owned[id(parameter)] = values
        elif mentions_element(scope, argument, own):
            return None
        elif isinstance(parameter.type, ast.SetType):
            told_sets.bind_told(inner, parameter, told_sets.told_value(scope, parameter, argument))
        else:
            inner.names[id(parameter)] = scope.lines.bind(as_number(scope.lower_value(argument)))
    return lower_mask(inner, meaning.body, owned, kinds, depth + 1)


def mentions_element(scope: Scope, node: ast.Node, own: Element) -> bool:
    """Whether the element may occur in the expression."""
    subjects = {id(part.subject) for part in walk(node) if isinstance(part, ast.Of)}
    for part in walk(node):
        if not isinstance(part, ast.Name):
            continue
        meaning = scope.bench.meaning(part)
        if isinstance(meaning, (AttributeMeaning, ItMeaning)):
            if meaning.element is None:
                if id(part) not in subjects:
                    return True
            elif id(meaning.element) in own:
                return True
        elif id(meaning) in own:
            return True
    return False


def values_by_kind(scope: Scope, node: ast.Expr, own: Element, kinds: Kinds) -> tuple[int, ...] | None:
    """What an expression is worth for each kind, where it is an attribute of the element, or hangs on it alone."""
    direct = name_values_by_kind(scope, node, own)
    if direct is not None:
        return direct
    subject = node.subject if isinstance(node, ast.Of) else node
    meaning = scope.bench.meaning(subject)
    if not isinstance(meaning, AttributeMeaning):
        return None
    owner = name_values_by_kind(scope, node.owner, own) if isinstance(node, ast.Of) else own.get(id(meaning.element))
    if owner != tuple(range(len(kinds))) or scope.bench.kinds_of(meaning.components) is not kinds:
        return None
    values = kinds.attributes.get(id(meaning.attribute))
    if values is None or not all(isinstance(one, int) for one in values):
        return None
    return tuple(int(one) for one in values)


def name_values_by_kind(scope: Scope, node: ast.Expr, own: Element) -> tuple[int, ...] | None:
    """The values of a name that is the element or hangs on it."""
    meaning = scope.bench.meaning(node)
    if isinstance(meaning, AttributeMeaning):
        return None
    return own.get(id(meaning.element if isinstance(meaning, ItMeaning) else meaning))


def lower_comparison_mask(scope: Scope, node: ast.Compare, own: Element, kinds: Kinds) -> Value | None:
    for side, other, operator in (
        (node.left, node.right, node.operator), (node.right, node.left, TURNED[node.operator]),
    ):
        values = values_by_kind(scope, side, own, kinds)
        if values is None or mentions_element(scope, other, own):
            continue
        is_order = operator in {"<", "<=", ">", ">="}
        if names.is_collection(scope, other) or (is_order and isinstance(scope.bench.type_of(other), OptionalOf)):
            return None
        wanted = as_number(scope.lower_value(other))
        is_itself = values == tuple(range(len(kinds)))
        if is_itself and not is_order and wanted.low is not None and wanted.high is not None:
            if wanted.low < 0 or wanted.high >= bit_width(set_type(len(kinds))):
                return look_up_mask(scope, values, operator, wanted, kinds)
            mask = singleton(set_type(len(kinds)), wanted)
            return mask if operator != "is not" else invert_set(mask)
        return look_up_mask(scope, values, operator, wanted, kinds)
    return None


def look_up_mask(scope: Scope, values: tuple[int, ...], operator: str, wanted: Value, kinds: Kinds) -> Value | None:
    """A mask for every value the other side may have; one more at each end for what lies beyond."""
    if not values or max(values) - min(values) > MOST_VALUES:
        return None
    low, high = min(values) - 1, max(values) + 1
    test = TESTS[operator]
    masks = tuple(
        sum(1 << kind for kind, value in enumerate(values) if test(value, limit)) for limit in range(low, high + 1)
    )
    at = wanted
    if wanted.low is None or wanted.low < low:
        at = binary("max", at, number(low))
    if wanted.high is None or wanted.high > high:
        at = binary("min", at, number(high))
    table = scope.plan.add_constants("those with", masks, set_type(len(kinds)))
    return scope.lines.look_up(table, binary("sub", at, number(low)))


def lower_membership_mask(scope: Scope, node: ast.In, own: Element, kinds: Kinds) -> Value | None:
    values = values_by_kind(scope, node.item, own, kinds)
    if values is None:
        return None
    if isinstance(node.collection, ast.Range):
        low, high = node.collection.low, node.collection.high
        if mentions_element(scope, low, own) or mentions_element(scope, high, own):
            return None
        first = look_up_mask(scope, values, ">=", scope.lower_needed(low), kinds)
        second = look_up_mask(scope, values, "<=", scope.lower_needed(high), kinds)
        mask = combine_sets("and", first, second) if first is not None and second is not None else None
    else:
        ready = scope.bench.ready.get(id(node.collection))
        if ready is None or not ready[1].is_constant:
            mask = lower_set_mask(scope, node.collection, values, own, kinds)
            return invert_set(mask) if mask is not None and node.negated else mask
        wanted = set(ready[1].value)
        mask = constant_set(set_type(len(kinds)), sum(1 << k for k, value in enumerate(values) if value in wanted))
    return invert_set(mask) if mask is not None and node.negated else mask


def lower_set_mask(
    scope: Scope, several: ast.Expr, values: tuple[int, ...], own: Element, kinds: Kinds
) -> Value | None:
    """`it in s`: the set itself."""
    if values != tuple(range(len(kinds))) or mentions_element(scope, several, own):
        return None
    lines: list[Line] = []
    with scope.lines.writing_into(lines):
        members: Value | None = scope.lower_collection(several).members(scope)
    if members is None or members.type != set_type(len(kinds)):
        return None
    scope.lines.lines.extend(lines)
    return members
