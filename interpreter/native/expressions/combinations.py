"""Several values chosen at once (`2..4 cards from hand`): where they are kept, and all selections in their order. The
same in expressions: `combinations of 2..4 from hand`, each of them a set for as long as it is looked at.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, evolve, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.notebook import MOST_COMBINATIONS, count_combinations
from rulesrun.dsl.typing.types import CollectionOf
from rulesrun.interpreter.form.form import (
    NO,
    TRUTH,
    YES,
    CannotCompile,
    Field,
    Value,
    binary,
    compare,
    constant_set,
    invert,
    local,
    logic,
    narrow,
    number,
    set_type,
    singleton,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.core_lowering import base_of_filters, list_filters, lower_expression, walk_operations
from rulesrun.interpreter.model.work_bounds import WorkBounds
from rulesrun.interpreter.native.expressions import scales, told_sets
from rulesrun.interpreter.native.expressions.collections import Collection, ComponentSet, ValueList
from rulesrun.interpreter.native.expressions.lists import collect_values, list_scratch, sort_list
from rulesrun.interpreter.native.layout.plan import LEFT, Plan, Scope, free_lists_after, type_bounds
from rulesrun.interpreter.reference.options import MOST_OPTIONS

MOST_AT_ONCE = 1024
MOST_COMBINED = 256  # values from which combinations are taken


@frozen(eq=False)
class SelectionFields:
    """Where the values of one choice are kept while its effects happen: one after the other, with their number.

    `looked_at` is the selection that is being looked at while options are counted, for components with equals.
    """

    items: Field
    amount: Field
    limit: int
    low: int | None
    high: int | None
    kinds: Kinds | None  # for components that are all different
    looked_at: tuple[Field, Field]


def selection_fields(plan: Plan, choice: core.Choice) -> SelectionFields:
    key = ("handful", id(choice))
    if key not in plan.made:
        assert choice.count is not None
        most, size = plan.bench.bounds_of(choice.count.high), WorkBounds(plan.bench).collection_size(choice.domain)
        limit = min(size, most[1] if most is not None else size)
        if limit > MOST_AT_ONCE:
            raise CannotCompile(
                message("too many components may be chosen at once: more than a thousand"),
                choice,
                message("how many (`n in 1..2000`), and `move n of …`; or a smaller number after the dots"),
            )
        low, high = item_bounds(plan, choice)
        name, limit = choice.name.text, max(limit, 1)
        plan.made[key] = SelectionFields(
            plan.add_number_field(name, min(low, 0), high, limit),
            plan.add_number_field(f"count of {name}", 0, limit),
            limit,
            low,
            high,
            told_sets.kinds_of_set(plan, plan.bench.type_of(choice.domain)),
            (plan.add_scratch(f"{name} looked at", 64, limit), plan.add_scratch(f"count of {name} looked at", 64)),
        )
    found: SelectionFields = plan.made[key]
    return found


def item_bounds(plan: Plan, choice: core.Choice) -> tuple[int, int]:
    found = plan.bench.type_of(choice.domain)
    low, high = type_bounds(plan, found.item) if isinstance(found, CollectionOf) else (None, None)
    if low is None or high is None:
        raise CannotCompile(message("what is chosen at once has no bounds"))
    return low, high


def selected_values(scope: Scope, choice: core.Choice) -> Collection:
    """What the choice's name means: the selection that is being looked at, or what was chosen."""
    handful = selection_fields(scope.plan, choice)
    now = scope.names.get(id(choice))
    if now is None:
        items, amount = handful.items, scope.lines.bind(scope.lines.load(handful.amount))
        return ValueList(items, amount, handful.low, handful.high, limit=handful.limit)
    if handful.kinds is not None:
        return ComponentSet(now, len(handful.kinds), limit=handful.limit, set_type=now.type)
    items, length = handful.looked_at
    amount = scope.lines.bind(narrow(scope.lines.load(length), 0, handful.limit))
    return ValueList(items, amount, handful.low, handful.high, limit=handful.limit)


def keep_selection(scope: Scope, choice: core.Choice) -> None:
    """The selection that is being looked at is the one that is chosen."""
    handful, lines = selection_fields(scope.plan, choice), scope.lines
    amount = lines.variable(number(0), "n")

    def note(one: Value) -> None:
        lines.store(handful.items, one, amount)
        lines.add_to(amount, number(1))

    selected_values(scope, choice).for_each(scope, note)
    lines.store(handful.amount, amount)
    lines.for_range(
        amount, number(handful.limit - 1), lambda at: lines.store(handful.items, number(0), at)
    )


# ---- all selections


def for_each_selection(
    scope: Scope, choice: core.Choice, body: Callable[[Value], None], may_fit: Callable[[Value], Value] | None
) -> None:
    """The body for every different selection: the small ones first, then element by element. `may_fit`: whether a
    selection, or one with more elements, satisfies conditions that adding elements never makes true; those that begin
    with one that does not are left out."""
    assert choice.count is not None
    lines, handful = scope.lines, selection_fields(scope.plan, choice)
    values = collect_values(scope, scope.lower_collection(choice.domain))
    sort_list(scope, values)
    low, high = scope.lower_needed(choice.count.low), scope.lower_needed(choice.count.high)
    top = lines.bind(binary("min", binary("min", high, values.amount), number(handful.limit)))
    scope.plan.names += 1
    places = scope.plan.add_scratch(f"places {scope.plan.names}", 64, handful.limit + 1)
    size, seen = lines.variable(binary("max", low, number(0)), "size"), lines.variable(number(0), "n")
    with lines.loop() as done:
        lines.leave(done, compare(">", size, top))
        lines.for_range(number(0), binary("sub", size, number(1)), lambda at: lines.store(places, at, at))
        with lines.loop() as of_this_size:
            lines.add_to(seen, number(1))
            with lines.when(compare(">", seen, number(MOST_OPTIONS))):
                scope.emit_fault("too-many-options", choice)
                lines.leave(done)
            last = lines.variable(binary("sub", size, number(1)), "j")
            selection = write_selection(scope, handful, values, places, size)
            if may_fit is None:
                body(selection)
            else:
                with lines.when(may_fit(selection)) as line:
                    body(selection)
                with lines.otherwise(line), lines.when(are_few(scope, handful, values)):
                    lines.set(last, last_that_fits(scope, handful, values, places, size, may_fit))
            lines.leave(of_this_size, Value("not", TRUTH, (advance_selection(scope, values, places, size, last),)))
        lines.add_to(size, number(1))


def are_few(scope: Scope, handful: SelectionFields, values: ValueList) -> Value:
    """Whether there are so few selections, equal elements counted singly, that their number is no fault."""
    ways = (min(count_combinations(amount, 0, handful.limit), MOST_COMBINATIONS) for amount in range(values.limit + 1))
    table = scope.plan.add_constants("selections", tuple(ways))
    return compare("<", scope.lines.look_up(table, values.amount), number(min(MOST_OPTIONS, MOST_COMBINATIONS)))


def last_that_fits(
    scope: Scope, handful: SelectionFields, values: ValueList, places: Field, size: Value,
    may_fit: Callable[[Value], Value],
) -> Value:
    """The place of the first element with which a selection can no longer fit."""
    lines = scope.lines
    amount, found = lines.variable(number(1), "n"), lines.variable(binary("sub", size, number(1)), "j")
    with lines.loop() as done:
        lines.leave(done, compare(">=", amount, size))
        begun = write_selection(scope, handful, values, places, amount)
        with lines.when(invert(may_fit(begun))):
            lines.set(found, binary("sub", amount, number(1)))
            lines.leave(done)
        lines.add_to(amount, number(1))
    return found


# ---- conditions that adding elements never makes true


def is_antitone(bench: Workbench, node: Operand, chosen: Located) -> bool:
    """Whether a condition that does not hold of some elements, one at least, holds of no larger set either."""
    if not mentions(bench, node, chosen):
        return True
    asked = lower_expression(bench, node)
    match asked:
        case core.Logic(_, _, parts):
            return all(is_antitone(bench, part, chosen) for part in parts)
        case core.Quantified(_, "every" | "no", each, body):
            return is_part_of(bench, each.collection, chosen) and not mentions(bench, body, chosen)
        case core.Compare(_, "=", left, right):
            return is_one(bench, right) and counts_values(bench, left, chosen)
        case core.Compare(_, "<" | "<=", left, right):
            return grows(bench, left, chosen) and not mentions(bench, right, chosen)
        case core.Compare(_, ">" | ">=", left, right):
            return grows(bench, right, chosen) and not mentions(bench, left, chosen)
        case core.In(_, item, collection, True):
            return is_part_of(bench, collection, chosen) and not mentions(bench, item, chosen)
        case core.Definition(arguments=arguments):
            told = [(parameter, argument) for parameter, argument in zip(asked.parameters, arguments, strict=True)
                    if mentions(bench, argument, chosen)]  # fmt: skip
            return len(told) == 1 and names(bench, told[0][1], chosen) and is_antitone(bench, asked.body, told[0][0])
        case _:
            return False


def is_one(bench: Workbench, node: core.Operand) -> bool:
    asked = lower_expression(bench, node)
    return isinstance(asked, core.Constant) and asked.value == 1


def counts_values(bench: Workbench, node: core.Operand, chosen: Located) -> bool:
    """Whether it is the number of different values that all elements have: of part of them it may be none yet."""
    match lower_expression(bench, node):
        case core.Aggregate(_, "count", True, body, each):
            return names(bench, each.collection, chosen) and not mentions(bench, body, chosen)
        case _:
            return False


def grows(bench: Workbench, node: core.Operand, chosen: Located) -> bool:
    """Whether more elements never make a number smaller."""
    match lower_expression(bench, node):
        case core.Count(_, collection):
            return is_part_of(bench, collection, chosen)
        case core.Aggregate(_, "count" | "sum" as word, body=body, each=each):
            if mentions(bench, body, chosen) or not is_part_of(bench, each.collection, chosen):
                return False
            bounds = bench.bounds_of(body)
            return word == "count" or (bounds is not None and bounds[0] >= 0)
        case _:
            return False


def is_part_of(bench: Workbench, several: core.Operand, chosen: Located) -> bool:
    """`cards`, or those of them that satisfy what hangs on nothing else that was chosen."""
    filters = list_filters(bench, several)
    is_whole = names(bench, base_of_filters(bench, several), chosen)
    return is_whole and not any(mentions(bench, one.condition, chosen) for one in filters)


def names(bench: Workbench, node: core.Operand, chosen: Located) -> bool:
    asked = lower_expression(bench, node)
    return isinstance(asked, core.Register) and asked.binder is chosen


def mentions(bench: Workbench, node: core.Operand, chosen: Located) -> bool:
    return any(isinstance(one, core.Register) and one.binder is chosen for one in walk_operations(bench, node))


def write_selection(
    scope: Scope, handful: SelectionFields | Combinations, values: ValueList, places: Field, size: Value
) -> Value:
    """The selection as a set of bits; where there are equals, it is written down."""
    lines, last, found = scope.lines, binary("sub", size, number(1)), handful.kinds
    if found is None:
        items, amount = handful.looked_at
        lines.for_range(
            number(0), last, lambda at: lines.store(items, values.item_at(scope, lines.load(places, at)), at)
        )
        lines.store(amount, size)
        return number(0)
    kind = set_type(len(found))
    members = lines.variable(constant_set(kind, 0), "m")

    def add(at: Value) -> None:
        one = narrow(values.item_at(scope, lines.load(places, at)), 0, len(found) - 1)
        lines.set(members, Value("or", kind, (members, singleton(kind, lines.bind(one)))))

    lines.for_range(number(0), last, add)
    return lines.bind(members, "m")


def advance_selection(scope: Scope, values: ValueList, places: Field, size: Value, last: Value) -> Value:
    """The last element that can grow does, from the one at `last` down, those after it follow closely; says whether
    there was one."""
    lines = scope.lines
    found, at = lines.variable(NO, "f"), lines.variable(last, "j")
    with lines.loop() as done:
        lines.leave(done, Value("<", TRUTH, (at, number(0))))
        place = lines.bind(lines.load(places, at))
        value = lines.bind(values.item_at(scope, place))
        to = lines.variable(binary("add", place, number(1)), "t")
        end = lines.bind(binary("add", binary("sub", values.amount, size), at))
        with lines.loop() as larger:
            lines.leave(larger, compare(">", to, end))
            lines.leave(larger, compare("is not", values.item_at(scope, to), value))
            lines.add_to(to, number(1))
        with lines.when(compare("<=", to, end)):
            begin = lines.bind(binary("sub", to, at))
            lines.for_range(
                local(at.extra), binary("sub", size, number(1)),
                lambda one: lines.store(places, binary("add", one, begin), one),
            )
            lines.set(found, YES)
            lines.leave(done)
        lines.add_to(at, number(-1))
    return found


def selection_registers(plan: Plan, choice: core.Choice) -> tuple[Field, Field]:
    handful = selection_fields(plan, choice)
    return handful.items, handful.amount


# ---- combinations


Looked = Callable[[Scope, Collection], Value]


@define(eq=False)
class Combinations(Collection):
    """Each way to take so many of several values; those for which all tests hold."""

    values: ValueList  # in their order
    low: Value
    high: Value
    kinds: Kinds | None  # for components that are all different
    looked_at: tuple[Field, Field]
    places: Field
    tests: tuple[Looked, ...] = ()

    def with_test(self, test: Looked) -> Combinations:
        return evolve(self, tests=(*self.tests, test))

    def for_each_set(self, scope: Scope, body: Callable[[Collection], None], frees: bool = True) -> None:
        """`frees`: no list that is made on the way is needed afterwards."""
        lines = scope.lines

        def visit(selection: Value) -> None:
            chosen = self.as_collection(scope, selection)
            if frees:
                free_lists_after(scope, lambda: self.look_at(scope, chosen, body, 0))
            else:
                self.look_at(scope, chosen, body, 0)

        size = lines.variable(binary("max", self.low, number(0)), "size")
        top = lines.bind(binary("min", self.high, self.values.amount))
        with lines.loop() as done:
            lines.leave(done, compare(">", size, top))
            lines.for_range(number(0), binary("sub", size, number(1)), lambda at: lines.store(self.places, at, at))
            with lines.loop() as of_this_size:
                visit(write_selection(scope, self, self.values, self.places, size))
                last = binary("sub", size, number(1))
                is_last = Value("not", TRUTH, (advance_selection(scope, self.values, self.places, size, last),))
                lines.leave(of_this_size, is_last)
            lines.add_to(size, number(1))

    def look_at(self, scope: Scope, chosen: Collection, body: Callable[[Collection], None], at: int) -> None:
        if at == len(self.tests):
            body(chosen)
            return
        with scope.lines.when(self.tests[at](scope, chosen)):
            self.look_at(scope, chosen, body, at + 1)

    def as_collection(self, scope: Scope, selection: Value) -> Collection:
        if self.kinds is not None:
            return ComponentSet(selection, len(self.kinds), limit=self.values.limit, set_type=selection.type)
        items, amount = self.looked_at
        return ValueList(items, scope.lines.bind(scope.lines.load(amount)), limit=self.values.limit)

    def for_each(self, scope: Scope, body: Callable[[Value], None]) -> None:
        self.for_each_set(scope, lambda chosen: body(told_sets.as_list(scope, chosen)), frees=False)

    def size(self, scope: Scope) -> Value:
        total = scope.lines.variable(number(0), "n")
        self.for_each_set(scope, lambda _: scope.lines.add_to(total, number(1)))
        return narrow(total, 0, self.limit)


def lower_combinations(scope: Scope, asked: core.Combinations) -> Combinations:
    """How many there are is known before the first is looked at."""
    plan, lines = scope.plan, scope.lines
    scales.refuse_fractions(plan, asked.collection, "combinations")
    values = collect_values(scope, scope.lower_collection(asked.collection))
    limit = min(values.limit, WorkBounds(plan.bench).collection_size(asked.collection))
    if limit > MOST_COMBINED:
        raise CannotCompile(message("combinations are taken from too many values at once"), asked.node)
    scope.emit_fault_if(lines.bind(compare(">", values.amount, number(limit))), LEFT, asked.node)
    lines.set(values.amount, binary("min", values.amount, number(limit)))
    values.limit = limit
    sort_list(scope, values)
    low, high = lines.bind(scope.lower_needed(asked.low)), lines.bind(scope.lower_needed(asked.high))
    emit_fault_if_too_many(scope, asked.node, values, low, high)
    plan.names += 1
    looked_at, places = (
        (plan.add_scratch(f"combination {plan.names}", 64, values.limit + 1), plan.add_scratch("count of it", 64)),
        plan.add_scratch(f"places {plan.names}", 64, values.limit + 1),
    )
    kinds = told_sets.kinds_of_set(plan, plan.bench.type_of(asked.collection))
    return Combinations(values, low, high, kinds, looked_at, places, limit=MOST_COMBINATIONS)


def emit_fault_if_too_many(
    scope: Scope, node: core.Operand, values: ValueList, low: Value, high: Value
) -> None:
    """Where there are too many, nothing is gone through."""
    lines, wide = scope.lines, values.limit + 1
    ways = (min(count_combinations(n, k, k), MOST_COMBINATIONS + 1) for n in range(wide) for k in range(wide))
    table, total = scope.plan.add_constants("combinations", tuple(ways)), lines.variable(number(0), "n")
    first = lines.bind(binary("mul", values.amount, number(wide)))
    lines.for_range(
        binary("max", low, number(0)), binary("min", high, values.amount),
        lambda size: lines.add_to(total, lines.look_up(table, lines.bind(binary("add", first, size)))),
    )
    too_many = lines.bind(compare(">", total, number(MOST_COMBINATIONS)))
    scope.emit_fault_if(too_many, "too-many-combinations", node)
    with lines.when(too_many):
        lines.set(values.amount, number(0))


def set_scope(scope: Scope, binder: Located, chosen: Collection) -> Scope:
    """Inside, the name of the element stands for this combination."""
    inner = scope.inner_scope()
    inner.sets[id(binder)] = chosen
    inner.elements.append((id(binder), number(0), None))
    return inner


def best_combination(
    scope: Scope, each: core.Each, several: Combinations, key: Callable[[Scope], Value],
    is_better: Callable[[Value, Value], Value], frees: bool,
) -> tuple[Value, Value, Value]:
    """The best key, the first that has it as a list, and whether there is any."""
    lines, kinds = scope.lines, several.kinds
    best, some = lines.variable(number(0), "n"), lines.variable(NO, "f")
    bits = lines.variable(constant_set(set_type(len(kinds)), 0), "m") if kinds is not None else None
    items, amount = list_scratch(scope, several.values.limit), lines.variable(number(0), "n")

    def keep(chosen: Collection) -> None:
        if bits is not None and isinstance(chosen, ComponentSet):
            lines.set(bits, chosen.value)
            return
        lines.set(amount, number(0))

        def note(one: Value) -> None:
            lines.store(items, one, amount)
            lines.add_to(amount, number(1))

        chosen.for_each(scope, note)

    def visit(chosen: Collection) -> None:
        own = lines.bind(key(set_scope(scope, each, chosen)))
        with lines.when(logic("or", invert(some), is_better(own, best))):
            lines.set(best, own)
            keep(chosen)
            lines.set(some, YES)

    several.for_each_set(scope, visit, frees)
    found: Collection = ValueList(items, amount, limit=several.values.limit)
    if bits is not None and kinds is not None:
        found = ComponentSet(lines.bind(bits, "m"), len(kinds), limit=several.values.limit, set_type=bits.type)
    return best, told_sets.as_list(scope, found), some
