"""What may be chosen: for an action, how many legal ways there are, and which values its choices have in the k-th.

Options are counted without being listed; where the last choice is among components that are all
different and its conditions are masks, they are counted without being gone through.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from attrs import frozen

from rulesrun.dsl.typing.types import item_of
from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    TRUTH,
    YES,
    Field,
    Function,
    Line,
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
    set_type,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.located_names import find_component_kinds
from rulesrun.interpreter.model.values import sort_values
from rulesrun.interpreter.native.expressions import (
    combinations,
    component_masks,
    gathering,
    kept_lists,
    lists,
    names,
    scales,
)
from rulesrun.interpreter.native.expressions.collections import (
    Collection,
    ComponentSet,
    ConstantValues,
    FilteredCollection,
    IntegerRange,
    JoinedZones,
    Seats,
    ZoneContents,
)
from rulesrun.interpreter.native.expressions.lists import DistinctValues, collect_values, sort_list
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import Plan, Scope, position_function, type_bounds
from rulesrun.interpreter.reference.options import CompiledAction

# ---- option counts
# Ways to do an action counted without going through them, where its choices have a form that allows it.
#
# `ChoiceGrid`: all choices are among few values known before the game: one bit a combination.
# `Pair`: two choices among different components, no condition but that they differ.
# `SetPerValue`: a component and one of few values: a set of components for each value.


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
    if any(lists.list_depth_of(scope, choice.domain) > 1 for choice in choices):
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


# ---- options


Done = Callable[[Scope], None]
Many = Callable[[Scope, Value, int], None]


def choice_registers(plan: Plan, action: core.Action) -> list[Field]:
    """Where the values of the choices are kept while the effects happen."""
    found: list[Field] = []
    for choice in action.choices:
        scales.refuse_fractions(plan, choice.domain, "a choice")
        if choice.count is not None:
            found.extend(combinations.selection_registers(plan, choice))
            continue
        if id(choice) not in plan.fixed_names:
            lay_out_choice(plan, choice, f"{action.name.text}.{choice.name.text}")
        found.append(plan.fixed_names[id(choice)])
    return found


def lay_out_choice(plan: Plan, choice: core.Choice, name: str) -> None:
    levels = lists.list_depth(plan.bench.type_of(choice.domain))
    if levels > 1:
        kept_lists.register_of(plan, choice, name, choice.domain, levels - 1)
        return
    low, high = choice_bounds(plan, choice)
    plan.fixed_names[id(choice)] = plan.add_number_field(name, low or 0, 1 << 30 if high is None else high, 1, low or 0)


def choice_bounds(plan: Plan, choice: core.Choice) -> tuple[int | None, int | None]:
    return type_bounds(plan, item_of(plan.bench.type_of(choice.domain)))


def is_left_out(plan: Plan, action: core.Action) -> bool:
    """Whether the rules are played without it: then nobody can do it."""
    return id(action) in plan.bench.left_out


def option_count_function(plan: Plan, action: core.Action) -> Function:
    """How many ways `player` has."""
    def write(scope: Scope, given: list[Value]) -> Value:
        if is_left_out(plan, action):
            return number(0)
        quick = find_count_form(scope, plan.table.actions.compiled_action(action))
        if isinstance(quick, (ChoiceGrid, SetPerValue)):
            return quick.count()
        if quick is not None:
            with scope.lines.when(quick.are_disjoint()):
                scope.lines.emit("return", quick.count())
        total = scope.lines.variable(number(0), "n")
        OptionWalk(scope, plan.table.actions.compiled_action(action)).walk_all(
            lambda inner: inner.lines.add_to(total, number(1)),
            lambda inner, members, kinds: inner.lines.add_to(total, count_bits(members)),
        )
        return total

    return position_function(plan, ("count", id(action)), f"ways to {action.name.text}", (), NUMBER, write)


def option_taking_function(plan: Plan, action: core.Action) -> Function:
    """Puts the values of the k-th way into the registers of the choices."""
    fields = choice_registers(plan, action)

    def write(scope: Scope, given: list[Value]) -> None:
        lines = scope.lines
        quick = find_count_form(scope, plan.table.actions.compiled_action(action))
        if isinstance(quick, (ChoiceGrid, SetPerValue)):
            store_values(scope, fields, quick.kth_values(scope, given[0]))
            return
        if quick is not None:
            with lines.when(quick.are_disjoint()):
                store_values(scope, fields, quick.kth_values(scope, given[0]))
                lines.emit("return")
        left = lines.variable(given[0], "n")
        with lines.block() as done:
            def chosen(inner: Scope) -> None:
                with lines.when(compare("=", left, number(0))):
                    keep_values(inner, action)
                    lines.leave(done)
                lines.add_to(left, number(-1))

            def among(inner: Scope, members: Value, kinds: int) -> None:
                amount = lines.bind(count_bits(members))
                with lines.when(compare("<", left, amount)):
                    kind = narrow(Value("kth", NUMBER, (members, left)), 0, kinds - 1)
                    inner.names[id(action.choices[-1])] = kind
                    keep_values(inner, action)
                    lines.leave(done)
                lines.set(left, binary("sub", left, amount))

            OptionWalk(scope, plan.table.actions.compiled_action(action)).walk_all(chosen, among)

    return position_function(plan, ("choose", id(action)), f"choose {action.name.text}", ("which",), None, write)


def option_grid_function(plan: Plan, action: core.Action) -> Function:
    """How many ways one value of the first choice has, where they are the same for each of its values; else 0. Tells
    how many values of the first choice there are."""
    def write(scope: Scope, given: list[Value]) -> Value:
        lines = scope.lines
        quick = find_count_form(scope, plan.table.actions.compiled_action(action))
        if isinstance(quick, SetPair):
            with lines.when(quick.are_disjoint()):
                lines.store(plan.fields["telling"], count_bits(quick.first), number(0))
                lines.emit("return", count_bits(quick.second))
        return number(0)

    return position_function(plan, ("grid", id(action)), f"grid of {action.name.text}", (), NUMBER, write)


def store_values(scope: Scope, fields: list[Field], values: list[Value]) -> None:
    for place, value in zip(fields, values, strict=True):
        scope.lines.store(place, value)


def keep_values(scope: Scope, action: core.Action) -> None:
    """The way that is being looked at is the one that is chosen."""
    for choice in action.choices:
        if choice.count is not None:
            combinations.keep_selection(scope, choice)
        elif id(choice) in scope.plan.lists:
            kept_lists.keep_list(scope, scope.names[id(choice)], scope.plan.lists[id(choice)], choice)
        else:
            scope.lines.store(scope.plan.fixed_names[id(choice)], scope.names[id(choice)])


@frozen(eq=False)
class FittingMembers:
    """Components among which are all that can be chosen. `tested`: how many of the needs hold for each of them."""

    members: Value
    kinds: int
    tested: int
    is_exact: bool  # all needs do


class OptionWalk:
    """Goes through all legal ways to do an action, in their order."""

    def __init__(self, scope: Scope, ready: CompiledAction) -> None:
        self.scope, self.ready = scope, ready

    def walk_all(self, each: Done, among: Many) -> None:
        self.walk_level(self.scope.inner_scope(), 0, each, among)

    def needs_at(self, level: int) -> list[Operand]:
        return [need.condition for at, need, _ in self.ready.needs if at == level]

    def walk_level(self, scope: Scope, level: int, each: Done, among: Many) -> None:
        """Tests what can be tested so far, then the next choice."""
        self.walk_if_needs_hold(scope, self.needs_at(level), lambda: self.walk_choice(scope, level, each, among))

    def walk_if_needs_hold(self, scope: Scope, needs: list[Operand], then: Callable[[], None]) -> None:
        if not needs:
            then()
            return
        with scope.lines.when(scope.lower_condition(needs[0])):
            self.walk_if_needs_hold(scope, needs[1:], then)

    def walk_choice(self, scope: Scope, level: int, each: Done, among: Many) -> None:
        choices = self.ready.action.choices
        if level == len(choices):
            each(scope)
            return
        choice = choices[level]
        if choice.count is not None:
            self.walk_selections(scope, choice, level, each, among)
            return
        collection = without_duplicates(scope.lower_collection(choice.domain))
        fitting = self.members_by_mask(scope, choice, collection, level)
        if fitting is not None and fitting.is_exact and level + 1 == len(choices):
            among(scope, fitting.members, fitting.kinds)
            return
        low, high = choice_bounds(scope.plan, choice)

        def chosen(one: Value) -> None:
            inner = scope.inner_scope()
            inner.names[id(choice)] = scope.lines.bind(narrow(as_number(one), low, high), "c")
            if choice.name.text == "player":
                inner.player = inner.names[id(choice)]
            needs = self.needs_at(level + 1)[fitting.tested if fitting is not None else 0 :]
            self.walk_if_needs_hold(inner, needs, lambda: self.walk_choice(inner, level + 1, each, among))

        if fitting is not None:
            scope.lines.for_each_bit(fitting.members, chosen, fitting.kinds)
            return
        for_each_distinct(scope, collection, chosen, lists.list_depth_of(scope, choice.domain) - 1)

    def walk_selections(self, scope: Scope, choice: core.Choice, level: int, each: Done, among: Many) -> None:
        leading = self.antitone_needs(scope, choice, level)

        def with_selection(selection: Value) -> Scope:
            inner = scope.inner_scope()
            inner.names[id(choice)] = selection
            return inner

        def may_fit(selection: Value) -> Value:
            inner, found = with_selection(selection), scope.lines.variable(NO, "f")
            self.walk_if_needs_hold(inner, leading, lambda: scope.lines.set(found, YES))
            return found

        def looked_at(selection: Value) -> None:
            inner, needs = with_selection(selection), self.needs_at(level + 1)[len(leading) :]
            self.walk_if_needs_hold(inner, needs, lambda: self.walk_choice(inner, level + 1, each, among))

        combinations.for_each_selection(scope, choice, looked_at, may_fit if leading else None)

    def antitone_needs(self, scope: Scope, choice: core.Choice, level: int) -> list[Operand]:
        """The first of the needs, as long as a selection that does not satisfy them need not be added to."""
        found: list[Operand] = []
        if scope.plan.work is not None:
            return found  # what the reference goes through is counted
        for need in self.needs_at(level + 1):
            if not combinations.is_antitone(scope.bench, need, choice) or self.may_fault(scope, choice, need):
                break
            found.append(need)
        return found

    def may_fault(self, scope: Scope, choice: core.Choice, need: Operand) -> bool:
        """Tried on any selection; what is written for it is thrown away."""
        lines: list[Line] = []
        inner = scope.inner_scope()
        kinds = combinations.selection_fields(scope.plan, choice).kinds
        inner.names[id(choice)] = constant_set(set_type(len(kinds)), 0) if kinds is not None else number(0)
        with scope.lines.writing_into(lines):
            test = inner.lower_condition(need)
        return component_masks.may_fault(scope.plan, lines, test)

    def members_by_mask(
        self, scope: Scope, choice: core.Choice, collection: Collection, level: int
    ) -> FittingMembers | None:
        """Those that satisfy what is asked of them first, as far as that is a mask."""
        kinds = gathering.element_kinds(scope, choice.domain)
        if kinds is None or choice.name.text == "player" or collection.set_type is None:
            return None
        members = collection.members(scope)
        if members is None:
            return None
        own, tested, needs = component_masks.element_values(kinds, id(choice)), 0, self.needs_at(level + 1)
        for need in needs:
            mask = component_masks.find_mask(scope, need, own, kinds)
            if mask is None:
                break
            members = mask.among(scope, members)
            if not mask.is_exact:
                break
            tested += 1
        return FittingMembers(scope.lines.bind(members, "m"), len(kinds), tested, tested == len(needs))


def without_duplicates(collection: Collection) -> Collection:
    """Values without doubles, in their order."""
    if isinstance(collection, ConstantValues):
        return ConstantValues(
            tuple(sorted(set(collection.values))), limit=collection.limit, set_type=collection.set_type
        )
    return collection


def for_each_distinct(scope: Scope, collection: Collection, body: Callable[[Value], None], levels: int) -> None:
    """Those of a zone with equal components: each kind once. `levels`: how many times each is a list."""
    if isinstance(collection, ZoneContents) and collection.store.shape == "counts":
        store, index, lines = collection.store, collection.index, scope.lines

        def of_kind(kind: Value) -> None:
            with lines.when(compare(">", containers.amount_of(scope, store, index, kind), number(0))):
                body(kind)

        lines.for_range(number(0), number(len(store.kinds) - 1), of_kind)
        return
    if is_sorted(collection):
        collection.for_each(scope, body)
        return
    for_each_sorted(scope, collection, body, levels)


def is_sorted(collection: Collection) -> bool:

    if isinstance(collection, FilteredCollection):
        return is_sorted(collection.base)
    if isinstance(collection, ZoneContents):
        return collection.store.shape == "bits"
    if isinstance(collection, JoinedZones):
        return collection.set_type is not None
    return isinstance(collection, (ConstantValues, IntegerRange, Seats, ComponentSet))


def for_each_sorted(scope: Scope, collection: Collection, body: Callable[[Value], None], levels: int) -> None:

    lines = scope.lines
    values = collect_values(scope, collection)
    sort_list(scope, values, levels=levels)
    if levels > 0:
        DistinctValues(values, levels, limit=values.limit).for_each(scope, body)
        return
    last = lines.variable(number(-(1 << 40)), "l")

    def visit(one: Value) -> None:
        with lines.when(compare("is not", one, last)):
            lines.set(last, one)
            body(one)

    values.for_each(scope, visit)
