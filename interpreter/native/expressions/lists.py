"""Values put down one after the other: the k-th of several, lists made, sorted and compared."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    TRUTH,
    YES,
    CannotCompile,
    Field,
    X,
    as_number,
    both,
    compare,
    known,
    logic,
    number,
)
from rulesrun.interpreter.native.expressions.collections import Body, Fixed, Listed, Lying, Ordered, Several
from rulesrun.interpreter.native.expressions.list_values import are_same, order_of_two
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import Scope

MOST_LISTED = 1 << 17


def item_of(scope: Scope, several: Several, place: X, node: ast.Node) -> X:
    """The k-th, from 1; a fault when there are not so many."""
    lines = scope.lines
    place, size = lines.kept(place), lines.kept(several.size(scope))
    wrong = logic("or", compare("<", place, number(1)), compare(">", place, size))
    scope.fault_when(wrong, "no-such-item", node)
    at = lines.kept(known(X("select", NUMBER, (wrong, number(0), both("sub", place, number(1)))), 0, several.limit))
    if isinstance(several, Fixed):
        return lines.look_up(scope.plan.table_of("items", several.values), at) if several.values else number(0)
    if isinstance(several, (Listed, Ordered)):
        return lines.kept(several.at(scope, at))
    if isinstance(several, Lying) and several.store.shape == "row":
        return lines.kept(containers.item_at(scope, several.store, several.index, at))
    return found_by_counting(scope, several, at)


def found_by_counting(scope: Scope, several: Several, at: X) -> X:
    lines = scope.lines
    found, left = lines.variable(number(0), "f"), lines.variable(at, "n")
    with lines.block() as done:
        def look(one: X) -> None:
            with lines.when(compare("=", left, number(0))):
                lines.set(found, as_number(one))
                lines.leave(done)
            lines.add_to(left, number(-1))

        several.each(scope, look)
    return found


def room_for(scope: Scope, limit: int) -> Field:
    """Room for so many values, for a moment."""
    if limit > MOST_LISTED:
        raise CannotCompile("too many values would have to be kept at once")
    scope.plan.names += 1
    return scope.plan.scratch(f"list {scope.plan.names}", 64, limit + 1)


def listed(scope: Scope, several: Several, value: Callable[[X], X] = lambda one: one) -> Listed:
    """Put down one after the other, as they are now."""
    if isinstance(several, Listed) and several.low is not None and value is None:
        return several
    lines, items = scope.lines, room_for(scope, several.limit)
    amount = lines.variable(number(0), "n")

    def note(one: X) -> None:
        lines.store(items, as_number(value(one)), amount)
        lines.add_to(amount, number(1))

    several.each(scope, note)
    return Listed(items, amount, limit=several.limit)


def sort_listed(
    scope: Scope, values: Listed, keys: Listed | None = None, reverse: bool = False, levels: int = 0,
    beside: tuple[Listed, ...] = (),
) -> None:
    """Sorted in place, lowest first (or highest first); equal ones stay in their order. `levels`: how many times what
    it is sorted by is a list. What stands `beside` goes with them."""
    lines = scope.lines
    by = keys or values
    moved = [by.items] if keys is None else [keys.items, values.items]
    moved += [one.items for one in beside]
    at = lines.variable(number(1), "i")
    with lines.loop() as done:
        lines.leave(done, X(">=", TRUTH, (at, values.amount)))
        now = [lines.kept(lines.load(place, at)) for place in moved]
        to = lines.variable(at, "j")
        with lines.loop() as found:
            lines.leave(found, X("<=", TRUTH, (to, number(0))))
            before = lines.kept(both("sub", to, number(1)))
            there = lines.load(by.items, before)
            order = order_of_two(scope, levels, there, now[0]) if levels else there
            limit = number(0) if levels else now[0]
            lines.leave(found, X(">=" if reverse else "<=", TRUTH, (order, limit)))
            for place in moved:
                lines.store(place, lines.load(place, before), to)
            lines.set(to, before)
        for place, value in zip(moved, now, strict=True):
            lines.store(place, value, to)
        lines.add_to(at, number(1))


def compare_listed(scope: Scope, left: Listed, right: Listed) -> X:
    """-1, 0 or 1: element by element; a shorter one that agrees so far comes first."""
    lines = scope.lines
    found, at = lines.variable(number(0), "f"), lines.variable(number(0), "i")
    with lines.block() as done, lines.loop() as over:
        lines.leave(over, X(">=", TRUTH, (at, both("min", left.amount, right.amount))))
        one, other = lines.kept(left.at(scope, at)), lines.kept(right.at(scope, at))
        for op, value in (("<", -1), (">", 1)):
            with lines.when(compare(op, one, other)):
                lines.set(found, number(value))
                lines.leave(done)
        lines.add_to(at, number(1))
    undecided = compare("=", found, number(0))
    for op, value in (("<", -1), (">", 1)):
        with lines.when(logic("and", undecided, compare(op, left.amount, right.amount))):
            lines.set(found, number(value))
    return found


# ---- several, from lists


@define(eq=False)
class Different(Several):
    """Of a list every value once, where it comes first."""

    base: Listed
    levels: int  # how many times each is a list of lists

    def each(self, scope: Scope, body: Body) -> None:
        lines, base = scope.lines, self.base

        def look(at: X) -> None:
            at = lines.kept(at)
            value, is_new = lines.kept(base.at(scope, at)), lines.variable(YES, "f")

            def hold(earlier: X) -> None:
                with lines.when(are_same(scope, self.levels, base.at(scope, earlier), value)):
                    lines.set(is_new, NO)

            lines.count_through(number(0), both("sub", at, number(1)), hold)
            with lines.when(is_new):
                body(value)

        lines.count_through(number(0), both("sub", base.amount, number(1)), look)


@define(eq=False)
class Copied(Several):
    """Every kind of others as often as it is there."""

    base: Several
    copies: tuple[int, ...]

    def each(self, scope: Scope, body: Body) -> None:
        table = scope.plan.table_of("copies", self.copies)

        def of_kind(kind: X) -> None:
            kind = scope.lines.kept(kind)
            amount = scope.lines.kept(scope.lines.look_up(table, kind))
            scope.lines.count_through(number(1), amount, lambda _: body(kind))

        self.base.each(scope, of_kind)
