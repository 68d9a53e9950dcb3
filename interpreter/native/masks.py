"""Conditions on components as sets of bits: `colour = red` is a mask looked up, so that nobody goes through the hand."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.dsl import ast
from rulesrun.dsl.program import AttributeMeaning, ItMeaning
from rulesrun.dsl.types import OptionalOf
from rulesrun.dsl.walk import walk
from rulesrun.interpreter.components import Kinds
from rulesrun.interpreter.native import naming
from rulesrun.interpreter.native.form import (
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
from rulesrun.interpreter.native.plan import Scope

MOST_VALUES = 4096
TESTS: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b, "is": lambda a, b: a == b, "is not": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}
TURNED = {"=": "=", "is": "is", "is not": "is not", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def mask_of(scope: Scope, condition: ast.Expr, binders: set[int], kinds: Kinds) -> X | None:
    """The kinds for which the condition holds; None when they must be looked at one by one."""
    kind = set_type(len(kinds))
    everything = set_constant(kind, (1 << len(kinds)) - 1)
    match condition:
        case ast.And(parts) | ast.Or(parts):
            op = "and" if isinstance(condition, ast.And) else "or"
            found: X | None = None
            for part in parts:
                more, mask = quietly(scope, part, binders, kinds)
                if mask is None or (more and found is not None):
                    return None
                scope.lines.lines.extend(more)
                found = mask if found is None else mix_sets(op, found, mask)
            return found
        case ast.Not(inner):
            mask = mask_of(scope, inner, binders, kinds)
            return mix_sets("and", everything, inverted_set(mask)) if mask is not None else None
        case ast.Compare():
            return compared(scope, condition, binders, kinds)
        case ast.In():
            return contained(scope, condition, binders, kinds)
        case _:
            return None


def quietly(scope: Scope, part: ast.Expr, binders: set[int], kinds: Kinds) -> tuple[list, X | None]:  # type: ignore[type-arg]
    """A mask, and the lines it needs; they must not be run when an earlier part has decided."""
    lines: list = []  # type: ignore[type-arg]
    with scope.lines.inside(lines):
        if not speaks_of(scope, part, binders):
            kind = set_type(len(kinds))
            everything = set_constant(kind, (1 << len(kinds)) - 1)
            test = scope.condition(part)
            return lines, select(test, everything, set_constant(kind, 0))
        return lines, mask_of(scope, part, binders, kinds)


def inverted_set(mask: X) -> X:
    fixed = constant_of(mask)
    if fixed is not None:
        return set_constant(mask.type, ~fixed & ((1 << width(mask.type)) - 1))
    return inverted(mask)


def speaks_of(scope: Scope, node: ast.Node, binders: set[int]) -> bool:
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
            elif id(meaning.element) in binders:
                return True
        elif id(meaning) in binders:
            return True
    return False


def is_element(scope: Scope, node: ast.Expr, binders: set[int]) -> bool:
    meaning = scope.bench.meaning(node) if isinstance(node, ast.Name) else None
    if isinstance(meaning, ItMeaning):
        return id(meaning.element) in binders
    return id(meaning) in binders and not isinstance(meaning, AttributeMeaning)


def values_of(scope: Scope, node: ast.Expr, binders: set[int], kinds: Kinds) -> tuple[int, ...] | None:
    """What an expression is worth for each kind, where it is an attribute of the element, or the element."""
    if is_element(scope, node, binders):
        return tuple(range(len(kinds)))
    subject = node.subject if isinstance(node, ast.Of) else node
    meaning = scope.bench.meaning(subject) if isinstance(subject, ast.Name) else None
    if not isinstance(meaning, AttributeMeaning):
        return None
    is_own = is_element(scope, node.owner, binders) if isinstance(node, ast.Of) else id(meaning.element) in binders
    if not is_own or scope.bench.kinds[id(meaning.components)] is not kinds:
        return None
    values = kinds.attributes.get(id(meaning.attribute))
    if values is None or not all(isinstance(one, int) for one in values):
        return None
    return tuple(int(one) for one in values)


def compared(scope: Scope, node: ast.Compare, binders: set[int], kinds: Kinds) -> X | None:
    for side, other, operator in (
        (node.left, node.right, node.operator), (node.right, node.left, TURNED[node.operator]),
    ):
        values = values_of(scope, side, binders, kinds)
        if values is None or speaks_of(scope, other, binders):
            continue
        is_order = operator in {"<", "<=", ">", ">="}
        if naming.is_several(scope, other) or (is_order and isinstance(scope.bench.type_of(other), OptionalOf)):
            return None
        wanted = as_number(scope.value(other))
        if is_element(scope, side, binders) and operator in {"=", "is", "is not"} and wanted.low is not None:
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


def contained(scope: Scope, node: ast.In, binders: set[int], kinds: Kinds) -> X | None:
    values = values_of(scope, node.item, binders, kinds)
    if values is None:
        return None
    if isinstance(node.collection, ast.Range):
        low, high = node.collection.low, node.collection.high
        if speaks_of(scope, low, binders) or speaks_of(scope, high, binders):
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
