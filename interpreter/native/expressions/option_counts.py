"""Ways to do an action counted without going through them, where its choices have a form that allows it.

`ChoiceGrid`: all choices are among few values known before the game: one bit a combination.
`Pair`: two choices among different components, no condition but that they differ.
`SetPerValue`: a component and one of few values: a set of components for each value.
"""

from __future__ import annotations

from itertools import product

from attrs import frozen

from rulesrun.interpreter.form.form import (
    NUMBER,
    TRUTH,
    Value,
    as_number,
    binary,
    combine_sets,
    compare,
    constant_of,
    constant_set,
    count_bits,
    is_empty,
    narrow,
    number,
    select,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.located_names import find_component_kinds
from rulesrun.interpreter.model.values import sort_values
from rulesrun.interpreter.native.expressions import component_masks, list_values, names
from rulesrun.interpreter.native.layout.plan import Scope
from rulesrun.interpreter.reference.options import CompiledAction

MOST_CELLS = 64
MOST_WRITTEN_OUT = 16
MOST_COLUMNS = 8


@frozen(eq=False)
class ChoiceGrid:
    """`cells`: the legal combinations as bits; the k-th bit stands for the k-th combination of the values."""

    cells: Value
    values: tuple[tuple[int, ...], ...]

    def count(self) -> Value:
        return count_bits(self.cells)

    def kth_values(self, scope: Scope, which: Value) -> list[Value]:
        cell = scope.lines.bind(narrow(Value("kth", NUMBER, (self.cells, which)), 0, MOST_CELLS - 1))
        combinations = list(product(*self.values))
        return [
            scope.lines.look_up(scope.plan.add_constants("cells", tuple(one[at] for one in combinations)), cell)
            for at in range(len(self.values))
        ]


@frozen(eq=False)
class SetPair:
    """Two sets that must have nothing in common; else the ways are gone through."""

    first: Value
    second: Value
    kinds: tuple[int, int]

    def are_disjoint(self) -> Value:
        return is_empty(combine_sets("and", self.first, self.second))

    def count(self) -> Value:
        return binary("mul", count_bits(self.first), count_bits(self.second))

    def kth_values(self, scope: Scope, which: Value) -> list[Value]:
        size = scope.lines.bind(binary("max", count_bits(self.second), number(1)))
        which = narrow(which, 0, 1 << 20)
        places = (binary("div", which, narrow(size, 1, 256)), binary("mod", which, narrow(size, 1, 256)))
        return [
            narrow(Value("kth", NUMBER, (members, scope.lines.bind(place))), 0, kinds - 1)
            for members, place, kinds in zip((self.first, self.second), places, self.kinds, strict=True)
        ]


@frozen(eq=False)
class SetPerValue:
    """For every value of the second choice, the components that go with it."""

    columns: tuple[Value, ...]
    values: tuple[int, ...]
    kinds: int

    def count(self) -> Value:
        total = number(0)
        for column in self.columns:
            total = binary("add", total, count_bits(column))
        return total

    def kth_values(self, scope: Scope, which: Value) -> list[Value]:
        """Component by component; within one, value by value."""
        lines = scope.lines
        left, kind, value = lines.variable(which, "n"), lines.variable(number(0), "k"), lines.variable(number(0), "v")
        some = self.columns[0]
        for column in self.columns[1:]:
            some = Value("or", some.type, (some, column))
        with lines.block() as done:
            def visit(one: Value) -> None:
                here = [lines.bind(self.contains_kind(column, one)) for column in self.columns]
                amount = number(0)
                for single in here:
                    amount = binary("add", amount, as_number(single))
                amount = lines.bind(amount)
                with lines.when(compare("<", left, amount)):
                    lines.set(kind, one)
                    for single, of_column in zip(here, self.values, strict=True):
                        is_this = Value("and", TRUTH, (single, compare("=", left, number(0))))
                        lines.set(value, select(is_this, number(of_column), value))
                        lines.set(left, binary("sub", left, as_number(single)))
                    lines.leave(done)
                lines.set(left, binary("sub", left, amount))

            lines.for_each_bit(lines.bind(some, "m"), visit, self.kinds)
        return [narrow(kind, 0, self.kinds - 1), narrow(value, min(self.values), max(self.values))]

    def contains_kind(self, column: Value, kind: Value) -> Value:
        shifted = Value(
            "and", column.type, (Value("shift_set", column.type, (column, kind)), constant_set(column.type, 1))
        )
        return Value("is not", TRUTH, (shifted, constant_set(column.type, 0)))


def find_count_form(scope: Scope, ready: CompiledAction) -> ChoiceGrid | SetPair | SetPerValue | None:
    """The form that fits; writes what it needs to know the sets."""
    choices = ready.action.choices
    if not choices or any(choice.count is not None or choice.name.text == "player" for choice in choices):
        return None
    if any(list_values.list_depth_of(scope, choice.domain) > 1 for choice in choices):
        return None
    kept = list(scope.lines.lines)
    found: ChoiceGrid | SetPair | SetPerValue | None = lower_choice_grid(scope, ready)
    if found is None and len(choices) == 2:
        found = lower_set_per_value(scope, ready) or lower_set_pair(scope, ready)
    if found is None:
        scope.lines.lines[:] = kept
    return found


def lower_choice_grid(scope: Scope, ready: CompiledAction) -> ChoiceGrid | None:
    values = []
    for choice in ready.action.choices:
        domain = scope.bench.ready.get(id(choice.domain))
        if domain is None or not domain[1].is_constant:
            return None
        values.append(tuple(sort_values(set(domain[1].value))))
    combinations = list(product(*values))
    if not combinations or len(combinations) > MOST_CELLS or not all(isinstance(v, int) for one in values for v in one):
        return None
    if not ready.action.needs:
        return ChoiceGrid(constant_set("i64", (1 << len(combinations)) - 1), tuple(values))
    if len(combinations) > MOST_WRITTEN_OUT:
        return None
    lines = scope.lines
    cells = lines.variable(constant_set("i64", 0), "cells")
    for at, combination in enumerate(combinations):
        inner = scope.inner_scope()
        for choice, value in zip(ready.action.choices, combination, strict=True):
            inner.names[id(choice)] = number(value)
        emit_cell(inner, [need.condition for need in ready.action.needs], cells, at)
    return ChoiceGrid(cells, tuple(values))


def emit_cell(scope: Scope, needs: list[Operand], cells: Value, at: int) -> None:
    """The bit of one combination, when all needs hold; a later one is only looked at then."""
    test = scope.lower_condition(needs[0])
    if len(needs) > 1:
        with scope.lines.when(test):
            emit_cell(scope, needs[1:], cells, at)
        return
    more = select(test, constant_set("i64", 1 << at), constant_set("i64", 0))
    scope.lines.set(cells, Value("or", "i64", (cells, more)))


def lower_set_pair(scope: Scope, ready: CompiledAction) -> SetPair | None:
    first, second = ready.action.choices
    for need in ready.action.needs:
        if names.is_condition_fixed(scope, need.condition) or not requires_difference(
            scope, need.condition, first, second
        ):
            return None
    if mentions_choice(scope, second.domain, first):
        return None
    kinds = [find_component_kinds(scope.bench, choice.domain) for choice in (first, second)]
    members = [scope.lower_collection(choice.domain).members(scope) for choice in (first, second)]
    if kinds[0] is None or kinds[1] is None or members[0] is None or members[1] is None:
        return None
    if members[0].type != members[1].type:
        return None
    kept = [scope.lines.bind(one, "m") for one in members if one is not None]
    return SetPair(kept[0], kept[1], (len(kinds[0]), len(kinds[1])))


def mentions_choice(scope: Scope, node: Operand, choice: core.Choice) -> bool:
    return component_masks.mentions_element(scope, node, {id(choice): ()})


def requires_difference(scope: Scope, node: Operand, first: core.Choice, second: core.Choice) -> bool:
    """`take is not give`."""
    asked = lower_expression(scope.bench, node)
    if not isinstance(asked, core.Compare) or asked.operator != "is not":
        return False
    sides = [lower_expression(scope.bench, side) for side in (asked.left, asked.right)]
    return {id(one.binder) for one in sides if isinstance(one, core.Register)} == {id(first), id(second)}


def lower_set_per_value(scope: Scope, ready: CompiledAction) -> SetPerValue | None:
    first, second = ready.action.choices
    domain = scope.bench.ready.get(id(second.domain))
    if domain is None or not domain[1].is_constant or not 1 <= len(domain[1].value) <= MOST_COLUMNS:
        return None
    several = scope.lower_collection(first.domain)
    members = several.members(scope)
    if members is None or not ready.action.needs or constant_of(members) is not None:
        return None
    kinds = find_component_kinds(scope.bench, first.domain)
    if kinds is None:
        return None
    members = scope.lines.bind(members, "m")
    values, columns = tuple(sort_values(set(domain[1].value))), []
    if not all(isinstance(value, int) for value in values):
        return None
    for value in values:
        inner = scope.inner_scope()
        inner.names[id(second)] = number(value)
        column: Value = members
        for need in ready.action.needs:
            own = component_masks.element_values(kinds, id(first))
            mask = component_masks.find_mask(inner, need.condition, own, kinds)
            if mask is None or not mask.is_exact:
                return None
            column = mask.among(inner, column)
        columns.append(scope.lines.bind(column, "m"))
    return SetPerValue(tuple(columns), values, len(kinds))
