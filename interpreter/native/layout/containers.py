"""Taking components out of a place and putting them in: one function of the position for each place and operation."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import (
    NO,
    TRUTH,
    YES,
    CannotCompile,
    Function,
    X,
    bit,
    both,
    compare,
    how_many,
    is_empty,
    known,
    mix_sets,
    number,
    set_constant,
    without_set,
)
from rulesrun.interpreter.form.lines import call
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store, position_function

Body = Callable[[X], None]
SpotBody = Callable[[X, X], None]  # a component, and where it lies

NOWHERE = -1
INSTANCE = 32  # bits of a place within one instance of a store
PLACES = 46  # and within a store
KIND = 1 << 16  # without order: a stretch of places for every kind


def is_known(store: Store) -> bool:
    return store.shape != "bag"


def parts_of(store: Store) -> list[Store]:
    """From the top down."""
    if store.shape != "bag":
        return [store]
    return [part for part in (store.top, store.inner, store.bottom) if part is not None]


def stores_of(scope: Scope, kinds: Kinds) -> list[Store]:
    """Every place where such a component may be, the box last."""
    plan = scope.plan
    zones = [plan.stores[key] for key, room in scope.bench.zones.items() if room.kinds is kinds]
    return [*zones, plan.stores[id(kinds.declaration)]]


def at_kind(store: Store, index: X, kind: X) -> X:
    return both("add", both("mul", index, number(len(store.kinds))), kind)


def at_item(store: Store, index: X, place: X) -> X:
    return both("add", both("mul", index, number(max(store.capacity, 1))), place)


def set_of(scope: Scope, store: Store, index: X) -> X:
    """The members, where one bit a kind says all."""
    assert store.members is not None
    return scope.lines.load(store.members, index)


def amount_of(scope: Scope, store: Store, index: X, kind: X) -> X:
    assert store.members is not None
    return known(scope.lines.load(store.members, at_kind(store, index, kind)), 0, max(store.kinds.copies))


def length_of(scope: Scope, store: Store, index: X) -> X:
    assert store.length is not None
    return known(scope.lines.load(store.length, index), 0, store.capacity)


def item_at(scope: Scope, store: Store, index: X, place: X) -> X:
    assert store.items is not None
    return known(scope.lines.load(store.items, at_item(store, index, place)), 0, len(store.kinds) - 1)


def size(scope: Scope, store: Store, index: X) -> X:
    """How many components lie there."""
    match store.shape:
        case "bits":
            return known(how_many(set_of(scope, store, index)), 0, len(store.kinds))
        case "counts":
            assert store.size is not None
            return known(scope.lines.load(store.size, index), 0, sum(store.kinds.copies))
        case "row":
            return length_of(scope, store, index)
        case _:
            parts = [size(scope, part, index) for part in (store.inner, store.bottom, store.top) if part is not None]
            total = parts[0]
            for part in parts[1:]:
                total = both("add", total, part)
            return known(total, 0, sum(store.kinds.copies))


def is_nothing_there(scope: Scope, store: Store, index: X) -> X:
    if store.shape == "bits":
        return is_empty(set_of(scope, store, index))
    return compare("=", size(scope, store, index), number(0))


def clear(scope: Scope, store: Store, index: X) -> None:
    lines = scope.lines
    match store.shape:
        case "bits":
            assert store.members is not None
            lines.store(store.members, set_constant(store.set, 0), index)
        case "counts":
            assert store.size is not None
            assert store.members is not None
            lines.store(store.size, number(0), index)
            members = store.members
            lines.count_through(
                number(0), number(len(store.kinds) - 1),
                lambda kind: lines.store(members, number(0), at_kind(store, index, kind)),
            )
        case "row":
            assert store.length is not None
            lines.store(store.length, number(0), index)
        case _:
            for part in (store.inner, store.bottom, store.top):
                if part is not None:
                    clear(scope, part, index)


def each_member(scope: Scope, store: Store, index: X, body: Body) -> None:
    """The body for every component that lies there, in the order of the place; nothing may change meanwhile."""
    lines = scope.lines
    match store.shape:
        case "bits":
            lines.each_bit(set_of(scope, store, index), body, len(store.kinds))
        case "counts":
            def of_kind(kind: X) -> None:
                lines.count_through(number(1), lines.kept(amount_of(scope, store, index, kind)), lambda _: body(kind))

            lines.count_through(number(0), number(len(store.kinds) - 1), of_kind)
        case "row":
            last = both("sub", length_of(scope, store, index), number(1))
            lines.count_through(number(0), last, lambda at: body(lines.kept(item_at(scope, store, index, at), "k")))
        case _:
            for part in (store.bottom, store.inner, store.top):
                if part is not None:
                    each_member(scope, part, index, body)


def base_of_place(scope: Scope, store: Store, index: X) -> X:
    """The first place in an instance of a store."""
    numbers = scope.plan.made.setdefault("numbers of stores", {})
    which = numbers.setdefault(id(store), len(numbers) + 1)
    return both("add", number(which << PLACES), both("mul", index, number(1 << INSTANCE)))


def each_spot(scope: Scope, store: Store, index: X, body: SpotBody) -> None:
    """As `each_member`, with the place of each; of what is mixed nobody can say which of equal ones lies where."""
    lines = scope.lines
    if store.shape == "bag":
        for part in (store.bottom, store.inner, store.top):
            if part is not None:
                each_spot(scope, part, index, body)
        return
    first = lines.kept(base_of_place(scope, store, index))
    if store.shape == "row":
        last = both("sub", length_of(scope, store, index), number(1))
        lines.count_through(number(0), last, lambda at: body(
            lines.kept(item_at(scope, store, index, at), "k"), lines.kept(both("add", first, at))
        ))
        return

    def of_kind(kind: X) -> None:
        amount = number(1) if store.shape == "bits" else lines.kept(amount_of(scope, store, index, kind))
        place = lines.kept(both("add", first, both("mul", kind, number(KIND))))
        lines.count_through(number(0), both("sub", amount, number(1)), lambda at: body(
            kind, place if store.is_mixed else lines.kept(both("add", place, at))
        ))

    if store.shape == "bits":
        lines.each_bit(set_of(scope, store, index), of_kind, len(store.kinds))
    else:
        lines.count_through(number(0), number(len(store.kinds) - 1), of_kind)


# ---- putting


def put(scope: Scope, store: Store, index: X, kind: X, node: ast.Node, at_bottom: bool = False) -> None:
    """One component goes to where such a place keeps a new one."""
    if store.is_limited:
        with scope.lines.block() as full:
            is_full = compare(">=", size(scope, store, index), number(store.capacity))
            with scope.lines.when(is_full):
                scope.fault("zone-full", node)
                scope.lines.leave(full)
            put_in(scope, store, index, kind, at_bottom)
    else:
        put_in(scope, store, index, kind, at_bottom)


def put_in(scope: Scope, store: Store, index: X, kind: X, at_bottom: bool) -> None:
    lines = scope.lines
    if store.shape == "bits":
        assert store.members is not None
        lines.store(store.members, mix_sets("or", set_of(scope, store, index), bit(store.set, kind)), index)
        return
    if store.shape == "counts":
        assert store.members is not None
        assert store.size is not None
        at = lines.kept(at_kind(store, index, kind))
        lines.store(store.members, both("add", lines.load(store.members, at), number(1)), at)
        lines.store(store.size, both("add", lines.load(store.size, index), number(1)), index)
        return
    if store.shape == "row" and not at_bottom and store.sort_key is None:
        push(scope, store, index, kind)
        return
    function = position_function(
        scope.plan, ("put", id(store), at_bottom), f"put {'under' if at_bottom else 'on'} {store.name}",
        ("at", "kind"), None, lambda inner, given: put_slowly(inner, store, given[0], given[1], at_bottom),
    )
    lines.add("do", call(function, scope.player, index, kind))


def push(scope: Scope, store: Store, index: X, kind: X) -> None:
    assert store.items is not None
    assert store.length is not None
    lines = scope.lines
    length = lines.kept(scope.lines.load(store.length, index))
    room = compare("<", length, number(max(store.capacity, 1)))
    with lines.when(room):
        lines.store(store.items, kind, at_item(store, index, length))
        lines.store(store.length, both("add", length, number(1)), index)


def put_slowly(scope: Scope, store: Store, index: X, kind: X, at_bottom: bool) -> None:
    if store.shape == "bag":
        end = end_for(scope, store, index, at_bottom)
        end(kind)
        return
    if store.sort_key is not None:
        insert_sorted(scope, store, index, kind)
    else:
        insert_at(scope, store, index, kind, number(0))


def end_for(scope: Scope, store: Store, index: X, at_bottom: bool) -> Body:
    """A pile that was shuffled grows at its ends."""
    bottom, top = store.bottom, store.top
    if bottom is None or top is None:
        raise CannotCompile(f"`{store.name}` was not expected to be put on")
    if at_bottom:
        return lambda kind: insert_at(scope, bottom, index, kind, number(0))
    return lambda kind: push(scope, top, index, kind)


def insert_at(scope: Scope, store: Store, index: X, kind: X, place: X) -> None:
    """The others move up by one."""
    assert store.items is not None
    assert store.length is not None
    lines = scope.lines
    items = store.items
    length = lines.kept(lines.load(store.length, index))
    at = lines.variable(length, "i")
    with lines.when(compare("<", length, number(max(store.capacity, 1)))):
        with lines.loop() as done:
            lines.leave(done, X("<=", TRUTH, (at, place)))
            before = both("sub", at, number(1))
            lines.store(items, lines.load(items, at_item(store, index, before)), at_item(store, index, at))
            lines.set(at, before)
        lines.store(items, kind, at_item(store, index, at))
        lines.store(store.length, both("add", length, number(1)), index)


def insert_sorted(scope: Scope, store: Store, index: X, kind: X) -> None:
    """Where its key belongs; equal ones as they are declared, a new one before those that are the same."""
    assert store.sort_key is not None
    order = sorted(range(len(store.kinds)), key=store.sort_key.__getitem__)
    ranks = [0] * len(order)
    for rank, one in enumerate(order):
        ranks[one] = rank
    table = scope.plan.table_of(f"order in {store.name}", tuple(ranks))
    lines = scope.lines
    own = lines.kept(lines.look_up(table, kind))
    at = lines.variable(number(0), "i")
    length = lines.kept(length_of(scope, store, index))
    with lines.loop() as done:
        lines.leave(done, X(">=", TRUTH, (at, length)))
        there = lines.look_up(table, item_at(scope, store, index, at))
        lines.leave(done, X(">=", TRUTH, (there, own)))
        lines.add_to(at, number(1))
    insert_at(scope, store, index, kind, at)


# ---- taking


def take_kind(scope: Scope, store: Store, index: X, kind: X) -> X:
    """Takes one such component out, the last put first; gives whether there was one."""
    lines = scope.lines
    if store.shape == "bits":
        assert store.members is not None
        members = lines.kept(set_of(scope, store, index), "m")
        mask = lines.kept(bit(store.set, kind), "m")
        lines.store(store.members, without_set(members, mask), index)
        return lines.kept(X("is not", TRUTH, (X("and", store.set, (members, mask)), set_constant(store.set, 0))))
    return lines.kept(call(taker(scope.plan, store), scope.player, index, kind))


def taker(plan: Plan, store: Store) -> Function:
    return position_function(
        plan, ("take", id(store)), f"take from {store.name}", ("at", "kind"), TRUTH,
        lambda inner, given: taken_slowly(inner, store, given[0], given[1]),
    )


def taken_slowly(scope: Scope, store: Store, index: X, kind: X) -> X:
    lines = scope.lines
    found = lines.variable(NO, "f")
    if store.shape == "counts":
        assert store.members is not None
        assert store.size is not None
        at = lines.kept(at_kind(store, index, kind))
        had = lines.kept(lines.load(store.members, at))
        with lines.when(compare(">", had, number(0))):
            lines.store(store.members, both("sub", had, number(1)), at)
            lines.store(store.size, both("sub", lines.load(store.size, index), number(1)), index)
            lines.set(found, YES)
    elif store.shape == "row":
        take_from_row(scope, store, index, kind, found)
    else:
        for part in (store.top, store.inner, store.bottom):
            if part is not None:
                with lines.when(X("not", TRUTH, (found,))):
                    lines.set(found, take_kind(scope, part, index, kind))
    return found


def take_from_row(scope: Scope, store: Store, index: X, kind: X, found: X) -> None:
    lines = scope.lines
    at = lines.variable(both("sub", length_of(scope, store, index), number(1)), "i")
    with lines.loop() as done:
        lines.leave(done, X("<", TRUTH, (at, number(0))))
        with lines.when(compare("=", item_at(scope, store, index, at), kind)):
            remove_at(scope, store, index, at)
            lines.set(found, YES)
            lines.leave(done)
        lines.add_to(at, number(-1))


def remove_at(scope: Scope, store: Store, index: X, place: X) -> None:
    """The others move down by one."""
    assert store.items is not None
    assert store.length is not None
    lines, items = scope.lines, store.items
    length = lines.kept(both("sub", lines.load(store.length, index), number(1)))
    at = lines.variable(place, "i")
    with lines.loop() as done:
        lines.leave(done, X(">=", TRUTH, (at, length)))
        after = both("add", at, number(1))
        lines.store(items, lines.load(items, at_item(store, index, after)), at_item(store, index, at))
        lines.set(at, after)
    lines.store(store.length, length, index)


def holds(scope: Scope, store: Store, index: X, kind: X) -> X:
    """Whether such a component lies there."""
    lines = scope.lines
    if store.shape == "bits":
        mask = X("and", store.set, (set_of(scope, store, index), bit(store.set, kind)))
        return X("is not", TRUTH, (mask, set_constant(store.set, 0)))
    if store.shape == "counts":
        return compare(">", amount_of(scope, store, index, kind), number(0))
    found = lines.variable(NO, "f")
    kind = lines.kept(kind)
    with lines.block() as done:
        def look(one: X) -> None:
            with lines.when(compare("=", one, kind)):
                lines.set(found, YES)
                lines.leave(done)

        each_member(scope, store, index, look)
    return found
