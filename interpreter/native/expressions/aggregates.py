"""One value of several: `some … has`, `sum of … over`, `the … with highest`, comparing lists."""

from __future__ import annotations

from math import lcm

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    TRUTH,
    YES,
    CannotCompile,
    X,
    as_number,
    bit,
    both,
    compare,
    inverted,
    known,
    logic,
    mix_sets,
    number,
    set_constant,
    set_type,
)
from rulesrun.interpreter.native.expressions import (
    component_masks,
    fractions,
    gathering,
    list_values,
    locations,
    scales,
)
from rulesrun.interpreter.native.expressions.collections import Several
from rulesrun.interpreter.native.expressions.lists import compare_listed, item_of, listed, room_for, sort_listed
from rulesrun.interpreter.native.layout.plan import Scope, bounds, kept_below
from rulesrun.interpreter.reference.comparisons import is_without_order

MOST_ADDED = 1 << 42  # a hundred thousand of them fit into a word


def quantified(scope: Scope, node: ast.Quantified) -> X:
    collection, lines = gathering.bound(scope, node.each), scope.lines
    quick = by_mask(scope, node, collection)
    if quick is not None:
        return quick
    is_every = node.word == "every"
    found = lines.variable(YES if is_every else NO, "q")
    with lines.block() as done:
        def look(_one: X, inner: Scope) -> None:
            test = inner.condition(node.body)
            with lines.when(inverted(test) if is_every else test):
                lines.set(found, NO if is_every else YES)
                lines.leave(done)

        gathering.through(scope, node.each, collection, look)
    return inverted(found) if node.word == "no" else found


def by_mask(scope: Scope, node: ast.Quantified, collection: Several) -> X | None:
    kinds = gathering.kinds_of(scope, node.each.collection)
    if collection.set_type is None or kinds is None:
        return None
    mask = component_masks.mask_of(scope, node.body, component_masks.element(kinds, id(node.each)), kinds)
    members = collection.members(scope) if mask is not None else None
    if mask is None or members is None:
        return None
    if node.word == "every":
        mask = component_masks.inverted_set(mask)
    meeting = mix_sets("and", members, mask)
    is_any = X("is not", TRUTH, (meeting, set_constant(meeting.type, 0)))
    return is_any if node.word == "some" else inverted(is_any)


def aggregate(scope: Scope, node: ast.Aggregate) -> X:
    collection, lines = gathering.bound(scope, node.each), scope.lines
    if node.word == "count" and not node.distinct:
        return collection.size(scope)
    gather = Gatherer(scope, node.word, node, list_values.depth_of(scope, node.body))
    seen = seen_already(scope, node, collection) if node.distinct else None

    def look(_one: X, inner: Scope) -> None:
        value = inner.exact(node.body)
        if seen is None:
            gather.add(value)
            return
        value = lines.kept(value)
        with lines.when(seen.is_new(value)):
            gather.add(value)

    gathering.through(scope, node.each, collection, look)
    return gather.result()


def seen_already(scope: Scope, node: ast.Aggregate, collection: Several) -> SeenBits | SeenList:
    """What has come before: as bits where values are few, else one after the other."""
    levels = list_values.depth_of(scope, node.body)
    if levels:
        return SeenList(scope, collection.limit, levels)
    low, high = bounds(scope.plan, scope.bench.type_of(node.body))
    is_whole = scales.scale_of(scope.plan, node.body) == 1
    if is_whole and low is not None and high is not None and high - low < 256:
        return SeenBits(scope, low, set_type(high - low + 1))
    return SeenList(scope, collection.limit)


class SeenBits:
    def __init__(self, scope: Scope, low: int, kind: str) -> None:
        self.scope, self.low = scope, low
        self.members = scope.lines.variable(set_constant(kind, 0), "d")

    def is_new(self, value: X) -> X:
        """Whether it had not come yet; from now on it has."""
        lines, members = self.scope.lines, self.members
        mask = lines.kept(bit(members.type, both("sub", value, number(self.low))), "m")
        found = lines.kept(X("=", TRUTH, (X("and", members.type, (members, mask)), set_constant(members.type, 0))))
        lines.set(members, X("or", members.type, (members, mask)))
        return found


class SeenList:
    def __init__(self, scope: Scope, limit: int, levels: int = 0) -> None:
        self.scope, self.items, self.levels = scope, room_for(scope, limit), levels
        self.amount = scope.lines.variable(number(0), "n")

    def is_new(self, value: X) -> X:
        lines = self.scope.lines
        found, last = lines.variable(YES, "f"), both("sub", self.amount, number(1))

        def look(at: X) -> None:
            earlier = lines.kept(lines.load(self.items, at))
            with lines.when(list_values.are_same(self.scope, self.levels, earlier, value)):
                lines.set(found, NO)

        lines.count_through(number(0), last, look)
        with lines.when(found):
            lines.store(self.items, value, self.amount)
            lines.add_to(self.amount, number(1))
        return found


class Gatherer:
    """`sum`, `count`, `highest`, `lowest` of values as they come."""

    def __init__(self, scope: Scope, word: str, node: ast.Node, levels: int = 0) -> None:
        if word not in {"sum", "count", "highest", "lowest"}:
            raise CannotCompile("a list stands where one value is needed")
        self.scope, self.word, self.node, self.levels = scope, word, node, levels
        self.total = scope.lines.variable(number(0), "n")
        self.some = scope.lines.variable(NO, "f") if word in {"highest", "lowest"} else None

    def add(self, value: X) -> None:
        lines = self.scope.lines
        if self.word in {"sum", "count"}:
            value = kept_below(self.scope, as_number(value), MOST_ADDED, self.node)
            lines.add_to(self.total, value if self.word == "sum" else number(1))
            return
        assert self.some is not None
        value = lines.kept(as_number(value))
        better = self.is_better(value)
        with lines.when(logic("or", inverted(self.some), better)):
            lines.set(self.total, value)
            lines.set(self.some, YES)

    def is_better(self, value: X) -> X:
        if not self.levels:
            return list_values.is_better(self.scope, 0, self.word, value, self.total)
        lines, some = self.scope.lines, self.some
        found = lines.variable(NO, "f")
        assert some is not None
        with lines.when(some):  # before the first there is no list to compare with
            lines.set(found, list_values.is_better(self.scope, self.levels, self.word, value, self.total))
        return found

    def result(self) -> X:
        if self.some is not None:
            self.scope.fault_when(inverted(self.some), "of-nothing", self.node)
        return self.total


def gathered(scope: Scope, word: str, collection: Several, node: ast.Node, levels: int = 0) -> X:
    """`sum of S`, `highest of S` for numbers, or of lists."""
    gather = Gatherer(scope, word, node, levels)
    collection.each(scope, gather.add)
    return gather.result()


def the_best(scope: Scope, node: ast.Best) -> X:
    if node.word != "the":
        raise CannotCompile("a list stands where one value is needed")
    _, first, some = gathering.best_key(scope, node, gathering.bound(scope, node.each))
    scope.fault_when(inverted(some), "of-nothing", node)
    found = scope.bench.type_of(node)
    low, high = bounds(scope.plan, found)
    if low:
        first = scope.lines.kept(X("select", NUMBER, (some, first, number(low))))
    return known(first, low, high)


def item(scope: Scope, node: ast.Node, position: ast.Expr, collection: ast.Expr) -> X:
    place, several = scope.needed(position), scope.several(collection)
    found = item_of(scope, several, place, node)
    locations.item_is_known(scope, collection, several, place, node)
    return found


# ---- comparing


def of_one_scale(scope: Scope, left: ast.Expr, right: ast.Expr) -> tuple[Several, Several]:
    """Two lists whose elements can be held against each other."""
    scale = lcm(scales.scale_of(scope.plan, left), scales.scale_of(scope.plan, right))
    if scale == 1:
        return scope.several(left), scope.several(right)
    for side in (left, right):
        if list_values.depth_of(scope, side) > 1 or scale > scales.MOST_SCALE:
            scales.refuse_fractions(scope.plan, side, "lists of lists")
    return fractions.scaled(scope, left, scale), fractions.scaled(scope, right, scale)


def compare_several(scope: Scope, node: ast.Compare) -> X:
    left, right = of_one_scale(scope, node.left, node.right)
    operator = "=" if node.operator == "is" else node.operator
    if left.set_type is not None and left.set_type == right.set_type and operator in {"=", "is not"}:
        one, other = left.members(scope), right.members(scope)
        if one is not None and other is not None:
            return X(operator, TRUTH, (one, other))
    first, second = listed(scope, left), listed(scope, right)
    levels = max(list_values.depth_of(scope, side) for side in (node.left, node.right)) - 1
    if is_without_order(scope.bench, node):
        sort_listed(scope, first, levels=levels)
        sort_listed(scope, second, levels=levels)
    if levels:
        one, other = list_values.put_down(scope, first), list_values.put_down(scope, second)
        return compare(operator, list_values.order_of_two(scope, levels + 1, one, other), number(0))
    return compare(operator, compare_listed(scope, first, second), number(0))
