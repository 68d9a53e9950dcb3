"""One value of several: `some … has`, `sum of … over`, `the … with highest`, comparing lists."""

from __future__ import annotations

from math import lcm

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    TRUTH,
    YES,
    CannotCompile,
    Value,
    as_number,
    binary,
    compare,
    constant_set,
    invert,
    is_empty,
    logic,
    narrow,
    number,
    set_type,
    singleton,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import ItemAt, Operand
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.native.expressions import (
    boards,
    component_masks,
    fractions,
    gathering,
    lists,
    locations,
    scales,
)
from rulesrun.interpreter.native.expressions.collections import Collection
from rulesrun.interpreter.native.expressions.lists import (
    collect_values,
    compare_lists,
    list_scratch,
    lower_item_at,
    sort_list,
)
from rulesrun.interpreter.native.layout.plan import Scope, limit_magnitude, type_bounds
from rulesrun.interpreter.reference.expressions import is_compared_unordered

MOST_ADDED = 1 << 42  # a hundred thousand of them fit into a word


def lower_quantified(scope: Scope, asked: core.Quantified) -> Value:
    several = lower_expression(scope.bench, asked.each.collection)
    if isinstance(several, core.Lines):
        return boards.lower_line_quantified(scope, asked, several)
    collection, lines = gathering.lower_binder(scope, asked.each), scope.lines
    mask = find_mask_of_body(scope, asked, collection)
    members = collection.members(scope) if mask is not None else None
    if mask is not None and members is not None:
        return lower_quantified_by_mask(scope, asked, mask, members)
    is_every = asked.word == "every"
    found = lines.variable(YES if is_every else NO, "q")
    with lines.block() as done:
        def visit(_one: Value, inner: Scope) -> None:
            test = inner.lower_condition(asked.body)
            with lines.when(invert(test) if is_every else test):
                lines.set(found, NO if is_every else YES)
                lines.leave(done)

        gathering.for_each_element(scope, asked.each, collection, visit)
    return invert(found) if asked.word == "no" else found


def find_mask_of_body(
    scope: Scope, asked: core.Quantified, collection: Collection
) -> component_masks.FoundMask | None:
    kinds = gathering.element_kinds(scope, asked.each.collection)
    if collection.set_type is None or kinds is None or id(asked.each) in scope.bench.located:
        return None
    found = component_masks.find_mask(scope, asked.body, component_masks.element_values(kinds, id(asked.each)), kinds)
    return found if found is not None and (found.is_exact or asked.word != "every") else None


def lower_quantified_by_mask(
    scope: Scope, asked: core.Quantified, mask: component_masks.FoundMask, members: Value
) -> Value:
    """Whether all, or some, are in the mask; where it is not exact, one of those that are is looked for."""
    lines, kinds = scope.lines, gathering.element_kinds(scope, asked.each.collection)
    assert kinds is not None
    members = lines.bind(members, "m")
    meeting = mask.among(scope, members)
    if asked.word == "every":
        return compare("=", meeting, members)
    if mask.is_exact:
        return is_empty(meeting) if asked.word == "no" else invert(is_empty(meeting))
    found = lines.variable(NO, "q")
    with lines.block() as done:
        def visit(one: Value) -> None:
            with lines.when(gathering.element_scope(scope, asked.each, one).lower_condition(asked.body)):
                lines.set(found, YES)
                lines.leave(done)

        lines.for_each_bit(meeting, visit, len(kinds))
    return invert(found) if asked.word == "no" else found


def lower_aggregate(scope: Scope, asked: core.Aggregate) -> Value:
    collection, lines = gathering.lower_binder(scope, asked.each), scope.lines
    if asked.word == "count" and not asked.distinct:
        return collection.size(scope)
    gather = Aggregator(scope, asked.word, asked.node, lists.list_depth_of(scope, asked.body))
    seen = new_seen_values(scope, asked, collection) if asked.distinct else None

    def visit(_one: Value, inner: Scope) -> None:
        value = inner.lower_exact(asked.body)
        if seen is None:
            gather.add_value(value)
            return
        value = lines.bind(value)
        with lines.when(seen.add_if_new(value)):
            gather.add_value(value)

    gathering.for_each_element(scope, asked.each, collection, visit, frees=not gather.levels)
    return gather.result()


def new_seen_values(scope: Scope, asked: core.Aggregate, collection: Collection) -> SeenBits | SeenList:
    """What has come before: as bits where values are few, else one after the other."""
    levels = lists.list_depth_of(scope, asked.body)
    if levels:
        return SeenList(scope, collection.limit, levels)
    low, high = type_bounds(scope.plan, scope.bench.type_of(asked.body))
    is_whole = scales.scale_of(scope.plan, asked.body) == 1
    if is_whole and low is not None and high is not None and high - low < 256:
        return SeenBits(scope, low, set_type(high - low + 1))
    return SeenList(scope, collection.limit)


class SeenBits:
    def __init__(self, scope: Scope, low: int, kind: str) -> None:
        self.scope, self.low = scope, low
        self.members = scope.lines.variable(constant_set(kind, 0), "d")

    def add_if_new(self, value: Value) -> Value:
        """Whether it had not come yet; from now on it has."""
        lines, members = self.scope.lines, self.members
        mask = lines.bind(singleton(members.type, binary("sub", value, number(self.low))), "m")
        found = lines.bind(
            Value("=", TRUTH, (Value("and", members.type, (members, mask)), constant_set(members.type, 0)))
        )
        lines.set(members, Value("or", members.type, (members, mask)))
        return found


class SeenList:
    def __init__(self, scope: Scope, limit: int, levels: int = 0) -> None:
        self.scope, self.items, self.levels = scope, list_scratch(scope, limit), levels
        self.amount = scope.lines.variable(number(0), "n")

    def add_if_new(self, value: Value) -> Value:
        lines = self.scope.lines
        found, last = lines.variable(YES, "f"), binary("sub", self.amount, number(1))

        def visit(at: Value) -> None:
            earlier = lines.bind(lines.load(self.items, at))
            with lines.when(lists.are_equal(self.scope, self.levels, earlier, value)):
                lines.set(found, NO)

        lines.for_range(number(0), last, visit)
        with lines.when(found):
            lines.store(self.items, value, self.amount)
            lines.add_to(self.amount, number(1))
        return found


class Aggregator:
    """`sum`, `count`, `highest`, `lowest` of values as they come."""

    def __init__(self, scope: Scope, word: str, node: Located, levels: int = 0) -> None:
        if word not in {"sum", "count", "highest", "lowest"}:
            raise CannotCompile(message("one value is needed here, but there is a list"))
        self.scope, self.word, self.node, self.levels = scope, word, node, levels
        self.total = scope.lines.variable(number(0), "n")
        self.some = scope.lines.variable(NO, "f") if word in {"highest", "lowest"} else None

    def add_value(self, value: Value) -> None:
        lines = self.scope.lines
        if self.word in {"sum", "count"}:
            value = limit_magnitude(self.scope, as_number(value), MOST_ADDED, self.node)
            lines.add_to(self.total, value if self.word == "sum" else number(1))
            return
        assert self.some is not None
        value = lines.bind(as_number(value))
        better = self.is_better(value)
        with lines.when(logic("or", invert(self.some), better)):
            lines.set(self.total, value)
            lines.set(self.some, YES)

    def is_better(self, value: Value) -> Value:
        if not self.levels:
            return lists.is_better(self.scope, 0, self.word, value, self.total)
        lines, some = self.scope.lines, self.some
        found = lines.variable(NO, "f")
        assert some is not None
        with lines.when(some):  # before the first there is no list to compare with
            lines.set(found, lists.is_better(self.scope, self.levels, self.word, value, self.total))
        return found

    def result(self) -> Value:
        if self.some is not None:
            self.scope.emit_fault_if(invert(self.some), "of-nothing", self.node)
        return self.total


def aggregate_collection(scope: Scope, word: str, collection: Collection, node: Operand) -> Value:
    """`sum of S`, `highest of S` for numbers, or of lists."""
    gather = Aggregator(scope, word, node, lists.list_depth_of(scope, node))
    collection.for_each(scope, gather.add_value)
    return gather.result()


def lower_best(scope: Scope, asked: core.Best) -> Value:
    if asked.word != "the":
        raise CannotCompile(message("one value is needed here, but there is a list"))
    collection = gathering.lower_binder(scope, asked.each)
    _, first, some = gathering.lower_best_key(scope, asked, collection)
    scope.emit_fault_if(invert(some), "of-nothing", asked.node)
    if asked.direction == "only":
        amount = scope.lines.bind(collection.size(scope))
        scope.emit_fault_if(compare(">", amount, number(1)), "of-several", asked.node)
    found = scope.bench.type_of(asked.node)
    low, high = type_bounds(scope.plan, found)
    if low:
        first = scope.lines.bind(Value("select", NUMBER, (some, first, number(low))))
    return narrow(first, low, high)


def lower_item(scope: Scope, asked: ItemAt) -> Value:
    place, several = scope.lower_needed(asked.position), scope.lower_collection(asked.collection)
    found = lower_item_at(scope, several, place, asked.node)
    locations.item_is_known(scope, asked.collection, several, place, asked.node)
    return found


# ---- comparing


def lower_at_common_scale(scope: Scope, left: Operand, right: Operand) -> tuple[Collection, Collection]:
    """Two lists whose elements can be held against each other."""
    scale = lcm(scales.scale_of(scope.plan, left), scales.scale_of(scope.plan, right))
    if scale == 1:
        return scope.lower_collection(left), scope.lower_collection(right)
    for side in (left, right):
        if lists.list_depth_of(scope, side) > 1 or scale > scales.MOST_SCALE:
            scales.refuse_fractions(scope.plan, side, "lists of lists")
    return fractions.lower_scaled_collection(scope, left, scale), fractions.lower_scaled_collection(scope, right, scale)


def lower_list_comparison(scope: Scope, asked: core.Compare) -> Value:
    left, right = lower_at_common_scale(scope, asked.left, asked.right)
    operator = asked.operator
    if left.set_type is not None and left.set_type == right.set_type and operator in {"=", "is not"}:
        one, other = left.members(scope), right.members(scope)
        if one is not None and other is not None:
            return Value(operator, TRUTH, (one, other))
    first, second = collect_values(scope, left), collect_values(scope, right)
    levels = max(lists.list_depth_of(scope, side) for side in (asked.left, asked.right)) - 1
    if is_compared_unordered(scope.bench, asked):
        sort_list(scope, first, levels=levels)
        sort_list(scope, second, levels=levels)
    if levels:
        one, other = lists.store_list(scope, first), lists.store_list(scope, second)
        return compare(operator, lists.compare_values(scope, levels + 1, one, other), number(0))
    return compare(operator, compare_lists(scope, first, second), number(0))
