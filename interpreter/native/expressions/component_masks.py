"""Conditions on components as sets of bits: `colour = red` is a mask looked up; nobody goes through the hand.

`Element` says which names stand for the element, and for values that hang on it alone: a kind by its number.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from rulesrun.dsl.typing.types import NumberOf, OptionalOf, Type
from rulesrun.interpreter.form.form import (
    Field,
    Function,
    Line,
    Value,
    as_number,
    binary,
    bit_width,
    combine_sets,
    compare_lanes,
    constant_of,
    constant_set,
    invert,
    is_empty,
    number,
    select,
    set_type,
    singleton,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core import Contents, Operand
from rulesrun.interpreter.model.core_lowering import lower_expression, walk_operations
from rulesrun.interpreter.native.expressions import names, scales, told_sets
from rulesrun.interpreter.native.layout.plan import Plan, Scope, type_bounds

MOST_VALUES = 4096
MOST_LANES = 256
VALUE_BITS = 32  # of a field for any single value
MOST_DEPTH = 8
TESTS: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b, "is not": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}
TURNED = {"=": "=", "is not": "is not", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

Element = dict[int, tuple[int, ...]]


def element_values(kinds: Kinds, *binders: int) -> Element:
    """These names, by the ids of their nodes, stand for the element itself."""
    return {one: tuple(range(len(kinds))) for one in binders}


@frozen(eq=False)
class FoundMask:
    """Kinds among which are all for which a condition holds, and the lines that find them. `is_exact`: it holds for
    each of them; else they must be looked at one by one."""

    mask: Value
    lines: list[Line]
    is_exact: bool

    def among(self, scope: Scope, members: Value) -> Value:
        """Those of some components that are among them. Where there are none, nothing is asked that might go wrong."""
        lines = scope.lines
        if not may_fault(scope.plan, self.lines, self.mask):
            lines.lines.extend(self.lines)
            return combine_sets("and", members, self.mask)
        found = lines.variable(members, "m")
        with lines.when(invert(is_empty(found))):
            lines.lines.extend(self.lines)
            lines.set(found, combine_sets("and", found, self.mask))
        return found


def find_mask(scope: Scope, condition: Operand, own: Element, kinds: Kinds) -> FoundMask | None:
    """Nothing is written: the mask is worked out where it is asked for."""
    return capture_mask(scope, condition, own, kinds, 0, is_exact=False)


def capture_mask(
    scope: Scope, part: Operand, own: Element, kinds: Kinds, depth: int, is_exact: bool = True
) -> FoundMask | None:
    """A mask, and the lines it needs, put aside."""
    lines: list[Line] = []
    with scope.lines.writing_into(lines):
        found = lower_leading_mask(scope, part, own, kinds, depth)
    return FoundMask(found[0], lines, found[1]) if found is not None and (found[1] or not is_exact) else None


def lower_leading_mask(
    scope: Scope, condition: Operand, own: Element, kinds: Kinds, depth: int
) -> tuple[Value, bool] | None:
    """Of a condition whose first parts are masks and later ones are not, that of the first parts."""
    if not is_free_of_element(scope, condition, own):
        asked = lower_expression(scope.bench, condition)
        if isinstance(asked, core.Logic) and asked.word == "and":
            return lower_leading_parts(scope, asked.parts, own, kinds, depth)
        if isinstance(asked, core.Definition):
            inner = definition_scope(scope, asked, own, kinds, depth)
            return lower_leading_mask(inner[0], inner[1], inner[2], kinds, depth + 1) if inner is not None else None
    mask = lower_mask(scope, condition, own, kinds, depth)
    return (mask, True) if mask is not None else None


def lower_leading_parts(
    scope: Scope, parts: tuple[Operand, ...], own: Element, kinds: Kinds, depth: int
) -> tuple[Value, bool] | None:
    """What a later part needs must not be run when an earlier one has decided."""
    found: Value | None = None
    for part in parts:
        more = capture_mask(scope, part, own, kinds, depth, is_exact=False)
        if more is None or (found is not None and may_fault(scope.plan, more.lines, more.mask)):
            return (found, False) if found is not None else None
        scope.lines.lines.extend(more.lines)
        found = more.mask if found is None else combine_sets("and", found, more.mask)
        if not more.is_exact:
            return found, False
    return (found, True) if found is not None else None


def lower_mask(scope: Scope, condition: Operand, own: Element, kinds: Kinds, depth: int = 0) -> Value | None:
    """The kinds for which the condition holds; None when they must be looked at one by one."""
    if is_free_of_element(scope, condition, own):
        kind = set_type(len(kinds))
        return select(scope.lower_condition(condition), all_kinds_mask(kinds), constant_set(kind, 0))
    asked = lower_expression(scope.bench, condition)
    match asked:
        case core.Logic(_, "and", parts):
            found = lower_leading_parts(scope, parts, own, kinds, depth)
            return found[0] if found is not None and found[1] else None
        case core.Logic(_, _, parts):
            return lower_either_mask(scope, parts, own, kinds, depth)
        case core.Not(_, inner):
            mask = lower_mask(scope, inner, own, kinds, depth)
            return combine_sets("and", all_kinds_mask(kinds), invert_set(mask)) if mask is not None else None
        case core.Compare():
            return lower_comparison_mask(scope, asked, own, kinds)
        case core.In():
            return lower_membership_mask(scope, asked, own, kinds)
        case core.IfElse():
            return lower_if_else_mask(scope, asked, own, kinds, depth)
        case core.Definition():
            return lower_definition_mask(scope, asked, own, kinds, depth)
        case _:
            return lower_truth_mask(scope, condition, own, kinds)


def is_free_of_element(scope: Scope, condition: Operand, own: Element) -> bool:
    return names.is_condition_fixed(scope, condition) or not mentions_element(scope, condition, own)


def all_kinds_mask(kinds: Kinds) -> Value:
    return constant_set(set_type(len(kinds)), (1 << len(kinds)) - 1)


def invert_set(mask: Value) -> Value:
    fixed = constant_of(mask)
    if fixed is not None:
        return constant_set(mask.type, ~fixed & ((1 << bit_width(mask.type)) - 1))
    return invert(mask)


def lower_either_mask(
    scope: Scope, parts: tuple[Operand, ...], own: Element, kinds: Kinds, depth: int
) -> Value | None:
    """What a later part needs must not be run when an earlier one has decided."""
    found: Value | None = None
    for part in parts:
        more = capture_mask(scope, part, own, kinds, depth)
        if more is None or (found is not None and may_fault(scope.plan, more.lines, more.mask)):
            return None
        scope.lines.lines.extend(more.lines)
        found = more.mask if found is None else combine_sets("or", found, more.mask)
    return found


# ---- what working a mask out may do


def may_fault(plan: Plan, lines: list[Line], value: Value) -> bool:
    return any(stores_fault(plan, line) for line in lines) or calls_faulty(plan, value)


def stores_fault(plan: Plan, line: Line) -> bool:
    if line.op == "store" and line.extra is plan.fields["fault"]:
        return True
    inner = (*line.body, *line.otherwise)
    return any(calls_faulty(plan, one) for one in line.args) or any(stores_fault(plan, one) for one in inner)


def calls_faulty(plan: Plan, value: Value) -> bool:
    if value.op == "call" and is_faulty(plan, value.extra):
        return True
    return any(calls_faulty(plan, one) for one in value.args)


def is_faulty(plan: Plan, function: Function) -> bool:
    """Whether a function may find a fault; of one that is still being written nobody knows."""
    key = ("is faulty", id(function))
    if key not in plan.made:
        if not function.body:
            return True
        plan.made[key] = any(stores_fault(plan, line) for line in function.body)
    found: bool = plan.made[key]
    return found


def calls_function(value: Value) -> bool:
    return value.op == "call" or any(map(calls_function, value.args))


def lower_if_else_mask(scope: Scope, asked: core.IfElse, own: Element, kinds: Kinds, depth: int) -> Value | None:
    if mentions_element(scope, asked.condition, own):
        return None
    lines = scope.lines
    test = scope.lower_condition(asked.condition)
    fixed = constant_of(test)
    if fixed is not None:
        return lower_mask(scope, asked.then if fixed else asked.otherwise, own, kinds, depth)
    one = capture_mask(scope, asked.then, own, kinds, depth)
    other = capture_mask(scope, asked.otherwise, own, kinds, depth)
    if one is None or other is None:
        return None
    if not any(part.lines or calls_function(part.mask) for part in (one, other)):
        return select(test, one.mask, other.mask)
    answer = lines.variable(constant_set(one.mask.type, 0), "m")
    with lines.when(test) as line:
        lines.lines.extend(one.lines)
        lines.set(answer, one.mask)
    with lines.otherwise(line):
        lines.lines.extend(other.lines)
        lines.set(answer, other.mask)
    return answer


def lower_definition_mask(
    scope: Scope, called: core.Definition, own: Element, kinds: Kinds, depth: int
) -> Value | None:
    """A definition asked of the element."""
    inner = definition_scope(scope, called, own, kinds, depth)
    return lower_mask(inner[0], inner[1], inner[2], kinds, depth + 1) if inner is not None else None


def definition_scope(
    scope: Scope, called: core.Definition, own: Element, kinds: Kinds, depth: int
) -> tuple[Scope, core.Operand, Element] | None:
    """The body of a definition, with what hangs on the element in the place of parameters."""
    if depth > MOST_DEPTH:
        return None
    inner, owned = Scope(scope.plan, scope.lines, scope.player), Element()
    for parameter, argument in zip(called.parameters, called.arguments, strict=True):
        values = values_by_kind(scope, argument, own, kinds)
        if values is not None:
            owned[id(parameter)] = values
        elif mentions_element(scope, argument, own):
            return None
        elif parameter.is_set:
            told_sets.bind_told(inner, parameter, told_sets.told_value(scope, parameter, argument))
        else:
            inner.names[id(parameter)] = scope.lines.bind(as_number(scope.lower_value(argument)))
    return inner, called.body, owned


def mentions_element(scope: Scope, node: core.Operand, own: Element) -> bool:
    """Whether the element may occur in the expression."""
    return any(speaks_of_element(part, own) for part in walk_operations(scope.bench, node))


def speaks_of_element(asked: core.Core, own: Element) -> bool:
    match asked:
        case core.Element(_, binder) | core.Attribute(owner=core.Element(_, binder)):
            return binder is None or id(binder) in own
        case core.Attribute(meaning=meaning):
            return meaning.element is not None and id(meaning.element) in own
        case core.Register(_, named):
            return id(named) in own
        case _:
            return False


def values_by_kind(scope: Scope, node: core.Operand, own: Element, kinds: Kinds) -> tuple[int, ...] | None:
    """What an expression is worth for each kind, where it is an attribute of the element, or hangs on it alone."""
    asked = lower_expression(scope.bench, node)
    if not isinstance(asked, core.Attribute):
        return name_values_by_kind(asked, own)
    meaning, of = asked.meaning, asked.owner
    owner = name_values_by_kind(of if isinstance(of, core.Element) else lower_expression(scope.bench, of), own)
    if owner != tuple(range(len(kinds))) or scope.bench.kinds_of(meaning.components) is not kinds:
        return None
    values = kinds.attributes.get(id(meaning.attribute))
    if values is None or not all(isinstance(one, int) for one in values):
        return None
    return tuple(int(one) for one in values)


def name_values_by_kind(asked: core.Core, own: Element) -> tuple[int, ...] | None:
    """The values of a name that is the element or hangs on it."""
    return own.get(id(asked.binder)) if isinstance(asked, core.Register | core.Element) else None


def lower_comparison_mask(scope: Scope, asked: core.Compare, own: Element, kinds: Kinds) -> Value | None:
    for side, other, operator in (
        (asked.left, asked.right, asked.operator), (asked.right, asked.left, TURNED[asked.operator]),
    ):
        if mentions_element(scope, other, own):
            continue
        values = values_by_kind(scope, side, own, kinds)
        if values is None:
            mask = lower_lanes_comparison(scope, side, operator, other, own, kinds)
            if mask is not None:
                return mask
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


def lower_lanes_comparison(
    scope: Scope, side: Operand, operator: str, other: Operand, own: Element, kinds: Kinds
) -> Value | None:
    """What a marker or number of all places says, compared with one value that its field can hold."""
    found, is_order = lanes_of(scope, side, own, kinds), operator in {"<", "<=", ">", ">="}
    types = scope.bench.type_of(side), scope.bench.type_of(other)
    if found is None or names.is_collection(scope, other) or scales.scale_of(scope.plan, other) != 1:
        return None
    if is_order and any(isinstance(one, OptionalOf) for one in types):
        return None
    place, first = found
    wanted = as_number(scope.lower_value(other))
    if not fits_into(scope, place, wanted, types[1]):
        return None
    return compare_lanes(place, operator, len(kinds), first, wanted)


def fits_into(scope: Scope, place: Field, wanted: Value, of_type: Type | None) -> bool:
    """Whether a field is wide enough for every value that this may be."""
    if place.bits >= VALUE_BITS and not isinstance(of_type, NumberOf):
        return True
    low, high = wanted.low, wanted.high
    if low is None or high is None:
        low, high = type_bounds(scope.plan, of_type) if not isinstance(of_type, NumberOf) else (None, None)
    end = 1 << (place.bits - 1)
    return low is not None and high is not None and -end <= low and high < end


def lanes_of(scope: Scope, node: Operand, own: Element, kinds: Kinds) -> tuple[Field, Value] | None:
    """Where a marker or number keeps its values of all kinds, side by side, and which is the first."""
    place = lower_expression(scope.bench, node)
    if not isinstance(place, Contents) or not isinstance(place.room, VariableRoom) or len(place.keys) != 1:
        return None
    room = place.room
    if values_by_kind(scope, place.keys[0], own, kinds) != tuple(range(len(kinds))):
        return None
    field = scope.plan.variables[id(room.declaration)]
    if tuple(room.keys[0]) != tuple(range(len(kinds))) or field.amount != room.amount or len(kinds) > MOST_LANES:
        return None
    whose = lower_owner(scope, place, own)
    if whose is None:
        return None
    before = binary("sub", whose, number(1)) if room.declaration.per_player else number(0)
    first = binary("mul", before, number(room.per_player))
    beyond = max(len(kinds), 8) * 2 * field.bits // 8  # so far is read, whatever is looked at
    return (field, first) if field.at + field.amount * field.bits // 8 + beyond <= scope.plan.room else None


def lower_truth_mask(scope: Scope, node: Operand, own: Element, kinds: Kinds) -> Value | None:
    """An attribute or a marker that is `yes`."""
    values = values_by_kind(scope, node, own, kinds)
    if values is not None:
        return constant_set(set_type(len(kinds)), sum(1 << kind for kind, value in enumerate(values) if value))
    found = lanes_of(scope, node, own, kinds)
    return compare_lanes(found[0], "is not", len(kinds), found[1], number(0)) if found is not None else None


def lower_owner(scope: Scope, place: Contents, own: Element) -> Value | None:
    """Whose it is; None where that hangs on the element, or may be nobody."""
    owner = place.owner
    if owner is None:
        return scope.player
    is_known = not mentions_element(scope, owner, own) and not isinstance(scope.bench.type_of(owner), OptionalOf)
    return as_number(scope.lower_value(owner)) if is_known else None


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


def lower_membership_mask(scope: Scope, asked: core.In, own: Element, kinds: Kinds) -> Value | None:
    values = values_by_kind(scope, asked.item, own, kinds)
    if values is None:
        return None
    several = lower_expression(scope.bench, asked.collection)
    if isinstance(several, core.Range):
        low, high = several.low, several.high
        if mentions_element(scope, low, own) or mentions_element(scope, high, own):
            return None
        first = look_up_mask(scope, values, ">=", scope.lower_needed(low), kinds)
        second = look_up_mask(scope, values, "<=", scope.lower_needed(high), kinds)
        mask = combine_sets("and", first, second) if first is not None and second is not None else None
    else:
        ready = scope.bench.ready.get(id(asked.collection))
        if ready is None or not ready[1].is_constant:
            mask = lower_set_mask(scope, asked.collection, values, own, kinds)
            return invert_set(mask) if mask is not None and asked.negated else mask
        wanted = set(ready[1].value)
        mask = constant_set(set_type(len(kinds)), sum(1 << k for k, value in enumerate(values) if value in wanted))
    return invert_set(mask) if mask is not None and asked.negated else mask


def lower_set_mask(
    scope: Scope, several: Operand, values: tuple[int, ...], own: Element, kinds: Kinds
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
