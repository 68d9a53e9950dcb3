"""Ways to do an action counted without going through them, where its choices have a form that allows it.

`Grid`: all choices are among few values known before the game: one bit a combination.
`Pair`: two choices among different components, no condition but that they differ.
`Crossed`: a component and one of few values: a set of components for each value.
"""

from __future__ import annotations

from itertools import product

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import (
    NUMBER,
    TRUTH,
    X,
    as_number,
    both,
    compare,
    constant_of,
    how_many,
    is_empty,
    known,
    mix_sets,
    number,
    select,
    set_constant,
)
from rulesrun.interpreter.native.expressions import component_masks, list_values, names
from rulesrun.interpreter.native.layout.plan import Scope
from rulesrun.interpreter.reference.options import ReadyAction

MOST_CELLS = 64
MOST_WRITTEN_OUT = 16
MOST_COLUMNS = 8


@frozen(eq=False)
class Grid:
    """`cells`: the legal combinations as bits; the k-th bit stands for the k-th combination of the values."""

    cells: X
    values: tuple[tuple[int, ...], ...]

    def count(self) -> X:
        return how_many(self.cells)

    def chosen(self, scope: Scope, which: X) -> list[X]:
        cell = scope.lines.kept(known(X("kth", NUMBER, (self.cells, which)), 0, MOST_CELLS - 1))
        combinations = list(product(*self.values))
        return [
            scope.lines.look_up(scope.plan.table_of("cells", tuple(one[at] for one in combinations)), cell)
            for at in range(len(self.values))
        ]


@frozen(eq=False)
class Pair:
    """Two sets that must have nothing in common; else the ways are gone through."""

    first: X
    second: X
    kinds: tuple[int, int]

    def are_apart(self) -> X:
        return is_empty(mix_sets("and", self.first, self.second))

    def count(self) -> X:
        return both("mul", how_many(self.first), how_many(self.second))

    def chosen(self, scope: Scope, which: X) -> list[X]:
        size = scope.lines.kept(both("max", how_many(self.second), number(1)))
        which = known(which, 0, 1 << 20)
        places = (both("div", which, known(size, 1, 256)), both("mod", which, known(size, 1, 256)))
        return [
            known(X("kth", NUMBER, (members, scope.lines.kept(place))), 0, kinds - 1)
            for members, place, kinds in zip((self.first, self.second), places, self.kinds, strict=True)
        ]


@frozen(eq=False)
class Crossed:
    """For every value of the second choice, the components that go with it."""

    columns: tuple[X, ...]
    values: tuple[int, ...]
    kinds: int

    def count(self) -> X:
        total = number(0)
        for column in self.columns:
            total = both("add", total, how_many(column))
        return total

    def chosen(self, scope: Scope, which: X) -> list[X]:
        """Component by component; within one, value by value."""
        lines = scope.lines
        left, kind, value = lines.variable(which, "n"), lines.variable(number(0), "k"), lines.variable(number(0), "v")
        some = self.columns[0]
        for column in self.columns[1:]:
            some = X("or", some.type, (some, column))
        with lines.block() as done:
            def look(one: X) -> None:
                here = [lines.kept(self.holds(column, one)) for column in self.columns]
                amount = number(0)
                for single in here:
                    amount = both("add", amount, as_number(single))
                amount = lines.kept(amount)
                with lines.when(compare("<", left, amount)):
                    lines.set(kind, one)
                    for single, of_column in zip(here, self.values, strict=True):
                        is_this = X("and", TRUTH, (single, compare("=", left, number(0))))
                        lines.set(value, select(is_this, number(of_column), value))
                        lines.set(left, both("sub", left, as_number(single)))
                    lines.leave(done)
                lines.set(left, both("sub", left, amount))

            lines.each_bit(lines.kept(some, "m"), look, self.kinds)
        return [known(kind, 0, self.kinds - 1), known(value, min(self.values), max(self.values))]

    def holds(self, column: X, kind: X) -> X:
        shifted = X("and", column.type, (X("shift_set", column.type, (column, kind)), set_constant(column.type, 1)))
        return X("is not", TRUTH, (shifted, set_constant(column.type, 0)))


def quick_ways(scope: Scope, ready: ReadyAction) -> Grid | Pair | Crossed | None:
    """The form that fits; writes what it needs to know the sets."""
    choices = ready.action.choices
    if not choices or any(choice.count is not None or choice.name.text == "player" for choice in choices):
        return None
    if any(list_values.depth_of(scope, choice.domain) > 1 for choice in choices):
        return None
    kept = list(scope.lines.lines)
    found: Grid | Pair | Crossed | None = grid(scope, ready)
    if found is None and len(choices) == 2:
        found = crossed(scope, ready) or pair(scope, ready)
    if found is None:
        scope.lines.lines[:] = kept
    return found


def grid(scope: Scope, ready: ReadyAction) -> Grid | None:
    values = []
    for choice in ready.action.choices:
        domain = scope.bench.ready.get(id(choice.domain))
        if domain is None or not domain[1].is_constant:
            return None
        values.append(tuple(sorted(set(domain[1].value))))
    combinations = list(product(*values))
    if not combinations or len(combinations) > MOST_CELLS or not all(isinstance(v, int) for one in values for v in one):
        return None
    if not ready.action.needs:
        return Grid(set_constant("i64", (1 << len(combinations)) - 1), tuple(values))
    if len(combinations) > MOST_WRITTEN_OUT:
        return None
    lines = scope.lines
    cells = lines.variable(set_constant("i64", 0), "cells")
    for at, combination in enumerate(combinations):
        inner = scope.inner()
        for choice, value in zip(ready.action.choices, combination, strict=True):
            inner.names[id(choice)] = number(value)
        add_cell(inner, [need.condition for need in ready.action.needs], cells, at)
    return Grid(cells, tuple(values))


def add_cell(scope: Scope, needs: list[ast.Expr], cells: X, at: int) -> None:
    """The bit of one combination, when all needs hold; a later one is only looked at then."""
    test = scope.condition(needs[0])
    if len(needs) > 1:
        with scope.lines.when(test):
            add_cell(scope, needs[1:], cells, at)
        return
    more = select(test, set_constant("i64", 1 << at), set_constant("i64", 0))
    scope.lines.set(cells, X("or", "i64", (cells, more)))


def pair(scope: Scope, ready: ReadyAction) -> Pair | None:
    first, second = ready.action.choices
    for need in ready.action.needs:
        if names.is_replaced(scope, need.condition) or not is_difference(scope, need.condition, first, second):
            return None
    if speaks_of_choice(scope, second.domain, first):
        return None
    sets = [scope.several(choice.domain) for choice in (first, second)]
    members = [one.members(scope) for one in sets]
    if members[0] is None or members[1] is None or members[0].type != members[1].type:
        return None
    kept = [scope.lines.kept(one, "m") for one in members if one is not None]
    kinds = tuple(one.kinds if hasattr(one, "kinds") else len(one.store.kinds) for one in sets)
    return Pair(kept[0], kept[1], (kinds[0], kinds[1]))


def speaks_of_choice(scope: Scope, node: ast.Expr, choice: ast.Choice) -> bool:
    return component_masks.speaks_of(scope, node, {id(choice): ()})


def is_difference(scope: Scope, node: ast.Expr, first: ast.Choice, second: ast.Choice) -> bool:
    """`take is not give`."""
    if not isinstance(node, ast.Compare) or node.operator != "is not":
        return False
    sides = [scope.bench.meaning(side) if isinstance(side, ast.Name) else None for side in (node.left, node.right)]
    return {id(one) for one in sides} == {id(first), id(second)}


def crossed(scope: Scope, ready: ReadyAction) -> Crossed | None:
    first, second = ready.action.choices
    domain = scope.bench.ready.get(id(second.domain))
    if domain is None or not domain[1].is_constant or not 1 <= len(domain[1].value) <= MOST_COLUMNS:
        return None
    several = scope.several(first.domain)
    members = several.members(scope)
    if members is None or not ready.action.needs or constant_of(members) is not None:
        return None
    kinds = next(one for one in scope.bench.kinds.values() if one.declaration.name.text == kind_name(scope, first))
    members = scope.lines.kept(members, "m")
    values, columns = tuple(sorted(set(domain[1].value))), []
    for value in values:
        inner = scope.inner()
        inner.names[id(second)] = number(value)
        column: X = members
        for need in ready.action.needs:
            mask = component_masks.mask_of(inner, need.condition, component_masks.element(kinds, id(first)), kinds)
            if mask is None:
                return None
            column = mix_sets("and", column, mask)
        columns.append(scope.lines.kept(column, "m"))
    return Crossed(tuple(columns), values, len(kinds))


def kind_name(scope: Scope, choice: ast.Choice) -> str | None:
    found = scope.bench.type_of(choice.domain)
    return getattr(getattr(found, "item", None), "kind", None)
