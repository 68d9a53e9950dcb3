"""Several values chosen at once (`2..4 cards from hand`): where they are kept, and all selections in their order."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf
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
    local,
    narrow,
    number,
    set_type,
    singleton,
)
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.work_bounds import WorkBounds
from rulesrun.interpreter.native.expressions.collections import Collection, ComponentSet, ValueList
from rulesrun.interpreter.native.expressions.lists import collect_values, sort_list
from rulesrun.interpreter.native.layout.plan import MOST_KINDS_IN_A_SET, Plan, Scope, type_bounds
from rulesrun.interpreter.reference.options import MOST_OPTIONS

MOST_AT_ONCE = 1024


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


def selection_fields(plan: Plan, choice: ast.Choice) -> SelectionFields:
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
            unique_kinds(plan, choice),
            (plan.add_scratch(f"{name} looked at", 64, limit), plan.add_scratch(f"count of {name} looked at", 64)),
        )
    found: SelectionFields = plan.made[key]
    return found


def item_bounds(plan: Plan, choice: ast.Choice) -> tuple[int, int]:
    found = plan.bench.type_of(choice.domain)
    low, high = type_bounds(plan, found.item) if isinstance(found, CollectionOf) else (None, None)
    if low is None or high is None:
        raise CannotCompile(message("what is chosen at once has no bounds"))
    return low, high


def unique_kinds(plan: Plan, choice: ast.Choice) -> Kinds | None:
    found = plan.bench.type_of(choice.domain)
    item = found.item if isinstance(found, CollectionOf) else None
    if not isinstance(item, ComponentOf):
        return None
    kinds = plan.bench.kinds_called(item.kind)
    is_unique = all(copies == 1 for copies in kinds.copies) and len(kinds) <= MOST_KINDS_IN_A_SET
    return kinds if is_unique else None


def selected_values(scope: Scope, choice: ast.Choice) -> Collection:
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


def keep_selection(scope: Scope, choice: ast.Choice) -> None:
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


def for_each_selection(scope: Scope, choice: ast.Choice, body: Callable[[Value], None]) -> None:
    """The body for every different selection: the small ones first, then element by element."""
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
            body(write_selection(scope, handful, values, places, size))
            lines.leave(of_this_size, Value("not", TRUTH, (advance_selection(scope, values, places, size),)))
        lines.add_to(size, number(1))


def write_selection(scope: Scope, handful: SelectionFields, values: ValueList, places: Field, size: Value) -> Value:
    """The selection as a set of bits; where there are equals, it is written down."""
    lines, last = scope.lines, binary("sub", size, number(1))
    if handful.kinds is None:
        items, amount = handful.looked_at
        lines.for_range(
            number(0), last, lambda at: lines.store(items, values.item_at(scope, lines.load(places, at)), at)
        )
        lines.store(amount, size)
        return number(0)
    kind = set_type(len(handful.kinds))
    members = lines.variable(constant_set(kind, 0), "m")

    def add(at: Value) -> None:
        one = narrow(values.item_at(scope, lines.load(places, at)), 0, len(handful.kinds or ()) - 1)
        lines.set(members, Value("or", kind, (members, singleton(kind, lines.bind(one)))))

    lines.for_range(number(0), last, add)
    return lines.bind(members, "m")


def advance_selection(scope: Scope, values: ValueList, places: Field, size: Value) -> Value:
    """The last element that can grow does, those after it follow closely; says whether there was one."""
    lines = scope.lines
    found, at = lines.variable(NO, "f"), lines.variable(binary("sub", size, number(1)), "j")
    with lines.loop() as done:
        lines.leave(done, Value("<", TRUTH, (at, number(0))))
        place = lines.bind(lines.load(places, at))
        value = lines.bind(values.item_at(scope, place))
        to = lines.variable(binary("add", place, number(1)), "t")
        last = lines.bind(binary("add", binary("sub", values.amount, size), at))
        with lines.loop() as larger:
            lines.leave(larger, compare(">", to, last))
            lines.leave(larger, compare("is not", values.item_at(scope, to), value))
            lines.add_to(to, number(1))
        with lines.when(compare("<=", to, last)):
            begin = lines.bind(binary("sub", to, at))
            lines.for_range(
                local(at.extra), binary("sub", size, number(1)),
                lambda one: lines.store(places, binary("add", one, begin), one),
            )
            lines.set(found, YES)
            lines.leave(done)
        lines.add_to(at, number(-1))
    return found


def selection_registers(plan: Plan, choice: ast.Choice) -> tuple[Field, Field]:
    handful = selection_fields(plan, choice)
    return handful.items, handful.amount
