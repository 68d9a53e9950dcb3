"""Several values chosen at once (`2..4 cards from hand`): where they are kept, and all selections in their order."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf
from rulesrun.interpreter.form.form import (
    NO,
    TRUTH,
    YES,
    CannotCompile,
    Field,
    X,
    bit,
    both,
    compare,
    known,
    local,
    number,
    set_constant,
    set_type,
)
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.work_bounds import Work
from rulesrun.interpreter.native.expressions.collections import Listed, Members, Several
from rulesrun.interpreter.native.expressions.lists import listed, sort_listed
from rulesrun.interpreter.native.layout.plan import MOST_KINDS_IN_A_SET, Plan, Scope, bounds
from rulesrun.interpreter.reference.options import MOST_OPTIONS

MOST_AT_ONCE = 1024


@frozen(eq=False)
class Handful:
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


def handful_of(plan: Plan, choice: ast.Choice) -> Handful:
    key = ("handful", id(choice))
    if key not in plan.made:
        assert choice.count is not None
        most, size = plan.bench.bounds_of(choice.count.high), Work(plan.bench).size(choice.domain)
        limit = min(size, most[1] if most is not None else size)
        if limit > MOST_AT_ONCE:
            raise CannotCompile("too many components may be chosen at once: more than a thousand", choice,
                                "how many (`n in 1..2000`), and `move n of …`; or a smaller number after the dots")
        low, high = item_bounds(plan, choice)
        name, limit = choice.name.text, max(limit, 1)
        plan.made[key] = Handful(
            plan.number_field(name, min(low, 0), high, limit), plan.number_field(f"count of {name}", 0, limit), limit,
            low, high, different_kinds(plan, choice),
            (plan.scratch(f"{name} looked at", 64, limit), plan.scratch(f"count of {name} looked at", 64)),
        )
    found: Handful = plan.made[key]
    return found


def item_bounds(plan: Plan, choice: ast.Choice) -> tuple[int, int]:
    found = plan.bench.type_of(choice.domain)
    low, high = bounds(plan, found.item) if isinstance(found, CollectionOf) else (None, None)
    if low is None or high is None:
        raise CannotCompile("what is chosen at once has no bounds")
    return low, high


def different_kinds(plan: Plan, choice: ast.Choice) -> Kinds | None:
    found = plan.bench.type_of(choice.domain)
    item = found.item if isinstance(found, CollectionOf) else None
    for kinds in plan.bench.kinds.values():
        if isinstance(item, ComponentOf) and kinds.declaration.name.text == item.kind:
            is_unique = all(copies == 1 for copies in kinds.copies) and len(kinds) <= MOST_KINDS_IN_A_SET
            return kinds if is_unique else None
    return None


def chosen(scope: Scope, choice: ast.Choice) -> Several:
    """What the choice's name means: the selection that is being looked at, or what was chosen."""
    handful = handful_of(scope.plan, choice)
    now = scope.names.get(id(choice))
    if now is None:
        items, amount = handful.items, scope.lines.kept(scope.lines.load(handful.amount))
        return Listed(items, amount, handful.low, handful.high, limit=handful.limit)
    if handful.kinds is not None:
        return Members(now, len(handful.kinds), limit=handful.limit, set_type=now.type)
    items, length = handful.looked_at
    amount = scope.lines.kept(known(scope.lines.load(length), 0, handful.limit))
    return Listed(items, amount, handful.low, handful.high, limit=handful.limit)


def keep(scope: Scope, choice: ast.Choice) -> None:
    """The selection that is being looked at is the one that is chosen."""
    handful, lines = handful_of(scope.plan, choice), scope.lines
    amount = lines.variable(number(0), "n")

    def note(one: X) -> None:
        lines.store(handful.items, one, amount)
        lines.add_to(amount, number(1))

    chosen(scope, choice).each(scope, note)
    lines.store(handful.amount, amount)
    lines.count_through(
        amount, number(handful.limit - 1), lambda at: lines.store(handful.items, number(0), at)
    )


# ---- all selections


def each_selection(scope: Scope, choice: ast.Choice, body: Callable[[X], None]) -> None:
    """The body for every different selection: the small ones first, then element by element."""
    assert choice.count is not None
    lines, handful = scope.lines, handful_of(scope.plan, choice)
    values = listed(scope, scope.several(choice.domain))
    sort_listed(scope, values)
    low, high = scope.needed(choice.count.low), scope.needed(choice.count.high)
    top = lines.kept(both("min", both("min", high, values.amount), number(handful.limit)))
    scope.plan.names += 1
    places = scope.plan.scratch(f"places {scope.plan.names}", 64, handful.limit + 1)
    size, seen = lines.variable(both("max", low, number(0)), "size"), lines.variable(number(0), "n")
    with lines.loop() as done:
        lines.leave(done, compare(">", size, top))
        lines.count_through(number(0), both("sub", size, number(1)), lambda at: lines.store(places, at, at))
        with lines.loop() as of_this_size:
            lines.add_to(seen, number(1))
            with lines.when(compare(">", seen, number(MOST_OPTIONS))):
                scope.fault("too-many-options", choice)
                lines.leave(done)
            body(looked_at(scope, handful, values, places, size))
            lines.leave(of_this_size, X("not", TRUTH, (next_selection(scope, values, places, size),)))
        lines.add_to(size, number(1))


def looked_at(scope: Scope, handful: Handful, values: Listed, places: Field, size: X) -> X:
    """The selection as a set of bits; where there are equals, it is written down."""
    lines, last = scope.lines, both("sub", size, number(1))
    if handful.kinds is None:
        items, amount = handful.looked_at
        lines.count_through(
            number(0), last, lambda at: lines.store(items, values.at(scope, lines.load(places, at)), at)
        )
        lines.store(amount, size)
        return number(0)
    kind = set_type(len(handful.kinds))
    members = lines.variable(set_constant(kind, 0), "m")

    def add(at: X) -> None:
        one = known(values.at(scope, lines.load(places, at)), 0, len(handful.kinds or ()) - 1)
        lines.set(members, X("or", kind, (members, bit(kind, lines.kept(one)))))

    lines.count_through(number(0), last, add)
    return lines.kept(members, "m")


def next_selection(scope: Scope, values: Listed, places: Field, size: X) -> X:
    """The last element that can grow does, those after it follow closely; says whether there was one."""
    lines = scope.lines
    found, at = lines.variable(NO, "f"), lines.variable(both("sub", size, number(1)), "j")
    with lines.loop() as done:
        lines.leave(done, X("<", TRUTH, (at, number(0))))
        place = lines.kept(lines.load(places, at))
        value = lines.kept(values.at(scope, place))
        to = lines.variable(both("add", place, number(1)), "t")
        last = lines.kept(both("add", both("sub", values.amount, size), at))
        with lines.loop() as larger:
            lines.leave(larger, compare(">", to, last))
            lines.leave(larger, compare("is not", values.at(scope, to), value))
            lines.add_to(to, number(1))
        with lines.when(compare("<=", to, last)):
            begin = lines.kept(both("sub", to, at))
            lines.count_through(
                local(at.extra), both("sub", size, number(1)),
                lambda one: lines.store(places, both("add", one, begin), one),
            )
            lines.set(found, YES)
            lines.leave(done)
        lines.add_to(at, number(-1))
    return found


def fields_of(plan: Plan, choice: ast.Choice) -> tuple[Field, Field]:
    handful = handful_of(plan, choice)
    return handful.items, handful.amount
