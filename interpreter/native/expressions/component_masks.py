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
    X,
    as_number,
    bit,
    both,
    constant_of,
    inverted,
    mix_sets,
    number,
    select,
    set_constant,
    set_type,
    width,
)
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.native.expressions import names
from rulesrun.interpreter.native.layout.plan import Scope

MOST_VALUES = 4096
MOST_DEPTH = 8
TESTS: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b, "is": lambda a, b: a == b, "is not": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}
TURNED = {"=": "=", "is": "is", "is not": "is not", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

Element = dict[int, tuple[int, ...]]


def element(kinds: Kinds, *binders: int) -> Element:
    """These names, by the ids of their nodes, stand for the element itself."""
    return {one: tuple(range(len(kinds))) for one in binders}


def mask_of(scope: Scope, condition: ast.Expr, own: Element, kinds: Kinds, depth: int = 0) -> X | None:
    """The kinds for which the condition holds; None when they must be looked at one by one."""
    if names.is_replaced(scope, condition) or not speaks_of(scope, condition, own):
        kind = set_type(len(kinds))
        return select(scope.condition(condition), everything(kinds), set_constant(kind, 0))
    match condition:
        case ast.And(parts) | ast.Or(parts):
            return joined(scope, "and" if isinstance(condition, ast.And) else "or", parts, own, kinds, depth)
        case ast.Not(inner):
            mask = mask_of(scope, inner, own, kinds, depth)
            return mix_sets("and", everything(kinds), inverted_set(mask)) if mask is not None else None
        case ast.Compare():
            return compared(scope, condition, own, kinds)
        case ast.In():
            return contained(scope, condition, own, kinds)
        case ast.IfElse():
            return one_or_other(scope, condition, own, kinds, depth)
        case ast.Call():
            return defined(scope, condition, own, kinds, depth)
        case _:
            return None


def everything(kinds: Kinds) -> X:
    return set_constant(set_type(len(kinds)), (1 << len(kinds)) - 1)


def inverted_set(mask: X) -> X:
    fixed = constant_of(mask)
    if fixed is not None:
        return set_constant(mask.type, ~fixed & ((1 << width(mask.type)) - 1))
    return inverted(mask)


def quietly(scope: Scope, part: ast.Expr, own: Element, kinds: Kinds, depth: int) -> tuple[list[Line], X | None]:
    """A mask, and the lines it needs, put aside."""
    lines: list[Line] = []
    with scope.lines.inside(lines):
        return lines, mask_of(scope, part, own, kinds, depth)


def joined(
    scope: Scope, op: str, parts: tuple[ast.Expr, ...], own: Element, kinds: Kinds, depth: int
) -> X | None:
    """What a later part needs must not be run when an earlier one has decided."""
    found: X | None = None
    for part in parts:
        more, mask = quietly(scope, part, own, kinds, depth)
        if mask is None or (more and found is not None):
            return None
        scope.lines.lines.extend(more)
        found = mask if found is None else mix_sets(op, found, mask)
    return found


def one_or_other(scope: Scope, node: ast.IfElse, own: Element, kinds: Kinds, depth: int) -> X | None:
    if speaks_of(scope, node.condition, own):
        return None
    lines = scope.lines
    test = scope.condition(node.condition)
    fixed = constant_of(test)
    if fixed is not None:
        return mask_of(scope, node.then if fixed else node.otherwise, own, kinds, depth)
    first, one = quietly(scope, node.then, own, kinds, depth)
    second, other = quietly(scope, node.otherwise, own, kinds, depth)
    if one is None or other is None:
        return None
    if not first and not second:
        return select(test, one, other)
    answer = lines.variable(set_constant(one.type, 0), "m")
    with lines.when(test) as line:
        lines.lines.extend(first)
        lines.set(answer, one)
    with lines.otherwise(line):
        lines.lines.extend(second)
        lines.set(answer, other)
    return answer


def defined(scope: Scope, node: ast.Call, own: Element, kinds: Kinds, depth: int) -> X | None:
    """A definition asked of the element: its body, with what hangs on the element in the place of parameters."""
    meaning = scope.bench.meaning(node.name)
    if not isinstance(meaning, ast.Define) or depth > MOST_DEPTH:
        return None
    inner, owned = Scope(scope.plan, scope.lines, scope.player), Element()
    for parameter, argument in zip(meaning.parameters, node.arguments, strict=True):
        values = values_of(scope, argument, own, kinds)
        if values is not None:
            owned[id(parameter)] = values
        elif speaks_of(scope, argument, own):
            return None
        else:
            inner.names[id(parameter)] = scope.lines.kept(as_number(scope.value(argument)))
    return mask_of(inner, meaning.body, owned, kinds, depth + 1)


def speaks_of(scope: Scope, node: ast.Node, own: Element) -> bool:
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


def values_of(scope: Scope, node: ast.Expr, own: Element, kinds: Kinds) -> tuple[int, ...] | None:
    """What an expression is worth for each kind, where it is an attribute of the element, or hangs on it alone."""
    direct = standing_for(scope, node, own)
    if direct is not None:
        return direct
    subject = node.subject if isinstance(node, ast.Of) else node
    meaning = scope.bench.meaning(subject) if isinstance(subject, ast.Name) else None
    if not isinstance(meaning, AttributeMeaning):
        return None
    owner = standing_for(scope, node.owner, own) if isinstance(node, ast.Of) else own.get(id(meaning.element))
    if owner != tuple(range(len(kinds))) or scope.bench.kinds[id(meaning.components)] is not kinds:
        return None
    values = kinds.attributes.get(id(meaning.attribute))
    if values is None or not all(isinstance(one, int) for one in values):
        return None
    return tuple(int(one) for one in values)


def standing_for(scope: Scope, node: ast.Expr, own: Element) -> tuple[int, ...] | None:
    """The values of a name that is the element or hangs on it."""
    meaning = scope.bench.meaning(node) if isinstance(node, ast.Name) else None
    if isinstance(meaning, AttributeMeaning):
        return None
    return own.get(id(meaning.element if isinstance(meaning, ItMeaning) else meaning))


def compared(scope: Scope, node: ast.Compare, own: Element, kinds: Kinds) -> X | None:
    for side, other, operator in (
        (node.left, node.right, node.operator), (node.right, node.left, TURNED[node.operator]),
    ):
        values = values_of(scope, side, own, kinds)
        if values is None or speaks_of(scope, other, own):
            continue
        is_order = operator in {"<", "<=", ">", ">="}
        if names.is_several(scope, other) or (is_order and isinstance(scope.bench.type_of(other), OptionalOf)):
            return None
        wanted = as_number(scope.value(other))
        is_itself = values == tuple(range(len(kinds)))
        if is_itself and not is_order and wanted.low is not None and wanted.high is not None:
            if wanted.low < 0 or wanted.high >= width(set_type(len(kinds))):
                return looked_up(scope, values, operator, wanted, kinds)
            mask = bit(set_type(len(kinds)), wanted)
            return mask if operator != "is not" else inverted_set(mask)
        return looked_up(scope, values, operator, wanted, kinds)
    return None


def looked_up(scope: Scope, values: tuple[int, ...], operator: str, wanted: X, kinds: Kinds) -> X | None:
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
        at = both("max", at, number(low))
    if wanted.high is None or wanted.high > high:
        at = both("min", at, number(high))
    table = scope.plan.table_of("those with", masks, set_type(len(kinds)))
    return scope.lines.look_up(table, both("sub", at, number(low)))


def contained(scope: Scope, node: ast.In, own: Element, kinds: Kinds) -> X | None:
    values = values_of(scope, node.item, own, kinds)
    if values is None:
        return None
    if isinstance(node.collection, ast.Range):
        low, high = node.collection.low, node.collection.high
        if speaks_of(scope, low, own) or speaks_of(scope, high, own):
            return None
        first = looked_up(scope, values, ">=", scope.needed(low), kinds)
        second = looked_up(scope, values, "<=", scope.needed(high), kinds)
        mask = mix_sets("and", first, second) if first is not None and second is not None else None
    else:
        ready = scope.bench.ready.get(id(node.collection))
        if ready is None or not ready[1].is_constant:
            return None
        wanted = set(ready[1].value)
        mask = set_constant(set_type(len(kinds)), sum(1 << k for k, value in enumerate(values) if value in wanted))
    return inverted_set(mask) if mask is not None and node.negated else mask
