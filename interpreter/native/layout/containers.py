"""Taking components out of a place and putting them in: one function of the position for each place and operation."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.form.form import (
    NO,
    TRUTH,
    YES,
    CannotCompile,
    Function,
    Value,
    binary,
    combine_sets,
    compare,
    constant_set,
    count_bits,
    is_empty,
    narrow,
    number,
    set_difference,
    singleton,
)
from rulesrun.interpreter.form.lines import call
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store, position_function

Body = Callable[[Value], None]
SpotBody = Callable[[Value, Value], None]  # a component, and where it lies

NOWHERE = -1
INSTANCE = 32  # bits of a place within one instance of a store
PLACES = 46  # and within a store
KIND = 1 << 16  # without order: a stretch of places for every kind


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


def kind_index(store: Store, index: Value, kind: Value) -> Value:
    return binary("add", binary("mul", index, number(len(store.kinds))), kind)


def item_index(store: Store, index: Value, place: Value) -> Value:
    return binary("add", binary("mul", index, number(max(store.capacity, 1))), place)


def members_of(scope: Scope, store: Store, index: Value) -> Value:
    """The members, where one bit a kind says all."""
    assert store.members is not None
    return scope.lines.load(store.members, index)


def amount_of(scope: Scope, store: Store, index: Value, kind: Value) -> Value:
    assert store.members is not None
    return narrow(scope.lines.load(store.members, kind_index(store, index, kind)), 0, max(store.kinds.copies))


def length_of(scope: Scope, store: Store, index: Value) -> Value:
    assert store.length is not None
    return narrow(scope.lines.load(store.length, index), 0, store.capacity)


def item_at(scope: Scope, store: Store, index: Value, place: Value) -> Value:
    assert store.items is not None
    return narrow(scope.lines.load(store.items, item_index(store, index, place)), 0, len(store.kinds) - 1)


def size_of(scope: Scope, store: Store, index: Value) -> Value:
    """How many components lie there."""
    match store.shape:
        case "bits":
            return narrow(count_bits(members_of(scope, store, index)), 0, len(store.kinds))
        case "counts":
            assert store.size is not None
            return narrow(scope.lines.load(store.size, index), 0, sum(store.kinds.copies))
        case "row":
            return length_of(scope, store, index)
        case _:
            parts = [size_of(scope, part, index) for part in (store.inner, store.bottom, store.top) if part is not None]
            total = parts[0]
            for part in parts[1:]:
                total = binary("add", total, part)
            return narrow(total, 0, sum(store.kinds.copies))


def is_store_empty(scope: Scope, store: Store, index: Value) -> Value:
    if store.shape == "bits":
        return is_empty(members_of(scope, store, index))
    return compare("=", size_of(scope, store, index), number(0))


def clear_store(scope: Scope, store: Store, index: Value) -> None:
    lines = scope.lines
    match store.shape:
        case "bits":
            assert store.members is not None
            lines.store(store.members, constant_set(store.set_type, 0), index)
        case "counts":
            assert store.size is not None
            assert store.members is not None
            lines.store(store.size, number(0), index)
            members = store.members
            lines.for_range(
                number(0), number(len(store.kinds) - 1),
                lambda kind: lines.store(members, number(0), kind_index(store, index, kind)),
            )
        case "row":
            assert store.length is not None
            lines.store(store.length, number(0), index)
        case _:
            for part in (store.inner, store.bottom, store.top):
                if part is not None:
                    clear_store(scope, part, index)


def for_each_member(scope: Scope, store: Store, index: Value, body: Body) -> None:
    """The body for every component that lies there, in the order of the place; nothing may change meanwhile."""
    lines = scope.lines
    match store.shape:
        case "bits":
            lines.for_each_bit(members_of(scope, store, index), body, len(store.kinds))
        case "counts":
            def of_kind(kind: Value) -> None:
                lines.for_range(number(1), lines.bind(amount_of(scope, store, index, kind)), lambda _: body(kind))

            lines.for_range(number(0), number(len(store.kinds) - 1), of_kind)
        case "row":
            last = binary("sub", length_of(scope, store, index), number(1))
            lines.for_range(number(0), last, lambda at: body(lines.bind(item_at(scope, store, index, at), "k")))
        case _:
            for part in (store.bottom, store.inner, store.top):
                if part is not None:
                    for_each_member(scope, part, index, body)


def first_place(scope: Scope, store: Store, index: Value) -> Value:
    """The first place in an instance of a store."""
    numbers = scope.plan.made.setdefault("numbers of stores", {})
    which = numbers.setdefault(id(store), len(numbers) + 1)
    return binary("add", number(which << PLACES), binary("mul", index, number(1 << INSTANCE)))


def for_each_located(scope: Scope, store: Store, index: Value, body: SpotBody) -> None:
    """As `for_each_member`, with the place of each; of what is mixed nobody can say which of equal ones lies where."""
    lines = scope.lines
    if store.shape == "bag":
        for part in (store.bottom, store.inner, store.top):
            if part is not None:
                for_each_located(scope, part, index, body)
        return
    first = lines.bind(first_place(scope, store, index))
    if store.shape == "row":
        last = binary("sub", length_of(scope, store, index), number(1))
        lines.for_range(number(0), last, lambda at: body(
            lines.bind(item_at(scope, store, index, at), "k"), lines.bind(binary("add", first, at))
        ))
        return

    def of_kind(kind: Value) -> None:
        amount = number(1) if store.shape == "bits" else lines.bind(amount_of(scope, store, index, kind))
        place = lines.bind(binary("add", first, binary("mul", kind, number(KIND))))
        lines.for_range(number(0), binary("sub", amount, number(1)), lambda at: body(
            kind, place if store.is_mixed else lines.bind(binary("add", place, at))
        ))

    if store.shape == "bits":
        lines.for_each_bit(members_of(scope, store, index), of_kind, len(store.kinds))
    else:
        lines.for_range(number(0), number(len(store.kinds) - 1), of_kind)


# ---- putting


def put_component(
    scope: Scope, store: Store, index: Value, kind: Value, node: Located, at_bottom: bool = False
) -> None:
    """One component goes to where such a place keeps a new one."""
    if store.is_limited:
        with scope.lines.block() as full:
            is_full = compare(">=", size_of(scope, store, index), number(store.capacity))
            with scope.lines.when(is_full):
                scope.emit_fault("zone-full", node)
                scope.lines.leave(full)
            put_unchecked(scope, store, index, kind, at_bottom)
    else:
        put_unchecked(scope, store, index, kind, at_bottom)


def put_unchecked(scope: Scope, store: Store, index: Value, kind: Value, at_bottom: bool) -> None:
    lines = scope.lines
    if store.shape == "bits":
        assert store.members is not None
        lines.store(
            store.members, combine_sets("or", members_of(scope, store, index), singleton(store.set_type, kind)), index
        )
        return
    if store.shape == "counts":
        assert store.members is not None
        assert store.size is not None
        at = lines.bind(kind_index(store, index, kind))
        lines.store(store.members, binary("add", lines.load(store.members, at), number(1)), at)
        lines.store(store.size, binary("add", lines.load(store.size, index), number(1)), index)
        return
    if store.shape == "row" and not at_bottom and store.sort_key is None:
        push_item(scope, store, index, kind)
        return
    function = position_function(
        scope.plan, ("put", id(store), at_bottom), f"put {'under' if at_bottom else 'on'} {store.name}",
        ("at", "kind"), None, lambda inner, given: lower_put(inner, store, given[0], given[1], at_bottom),
    )
    lines.emit("do", call(function, scope.player, index, kind))


def push_item(scope: Scope, store: Store, index: Value, kind: Value) -> None:
    assert store.items is not None
    assert store.length is not None
    lines = scope.lines
    length = lines.bind(scope.lines.load(store.length, index))
    room = compare("<", length, number(max(store.capacity, 1)))
    with lines.when(room):
        lines.store(store.items, kind, item_index(store, index, length))
        lines.store(store.length, binary("add", length, number(1)), index)


def lower_put(scope: Scope, store: Store, index: Value, kind: Value, at_bottom: bool) -> None:
    if store.shape == "bag":
        end = bag_end_writer(scope, store, index, at_bottom)
        end(kind)
        return
    if store.sort_key is not None:
        insert_sorted(scope, store, index, kind)
    else:
        insert_item(scope, store, index, kind, number(0))


def bag_end_writer(scope: Scope, store: Store, index: Value, at_bottom: bool) -> Body:
    """A pile that was shuffled grows at its ends."""
    bottom, top = store.bottom, store.top
    if bottom is None or top is None:
        raise CannotCompile(message("`{store}` was not expected to be put on", store=store.name))
    if at_bottom:
        return lambda kind: insert_item(scope, bottom, index, kind, number(0))
    return lambda kind: push_item(scope, top, index, kind)


def insert_item(scope: Scope, store: Store, index: Value, kind: Value, place: Value) -> None:
    """The others move up by one."""
    assert store.items is not None
    assert store.length is not None
    lines = scope.lines
    items = store.items
    length = lines.bind(lines.load(store.length, index))
    at = lines.variable(length, "i")
    with lines.when(compare("<", length, number(max(store.capacity, 1)))):
        with lines.loop() as done:
            lines.leave(done, Value("<=", TRUTH, (at, place)))
            before = binary("sub", at, number(1))
            lines.store(items, lines.load(items, item_index(store, index, before)), item_index(store, index, at))
            lines.set(at, before)
        lines.store(items, kind, item_index(store, index, at))
        lines.store(store.length, binary("add", length, number(1)), index)


def insert_sorted(scope: Scope, store: Store, index: Value, kind: Value) -> None:
    """Where its key belongs; equal ones as they are declared, a new one before those that are the same."""
    assert store.sort_key is not None
    order = sorted(range(len(store.kinds)), key=store.sort_key.__getitem__)
    ranks = [0] * len(order)
    for rank, one in enumerate(order):
        ranks[one] = rank
    table = scope.plan.add_constants(f"order in {store.name}", tuple(ranks))
    lines = scope.lines
    own = lines.bind(lines.look_up(table, kind))
    at = lines.variable(number(0), "i")
    length = lines.bind(length_of(scope, store, index))
    with lines.loop() as done:
        lines.leave(done, Value(">=", TRUTH, (at, length)))
        there = lines.look_up(table, item_at(scope, store, index, at))
        lines.leave(done, Value(">=", TRUTH, (there, own)))
        lines.add_to(at, number(1))
    insert_item(scope, store, index, kind, at)


# ---- taking


def take_kind(scope: Scope, store: Store, index: Value, kind: Value) -> Value:
    """Takes one such component out, the last put first; gives whether there was one."""
    lines = scope.lines
    if store.shape == "bits":
        assert store.members is not None
        members = lines.bind(members_of(scope, store, index), "m")
        mask = lines.bind(singleton(store.set_type, kind), "m")
        lines.store(store.members, set_difference(members, mask), index)
        return lines.bind(
            Value("is not", TRUTH, (Value("and", store.set_type, (members, mask)), constant_set(store.set_type, 0)))
        )
    return lines.bind(call(taking_function(scope.plan, store), scope.player, index, kind))


def taking_function(plan: Plan, store: Store) -> Function:
    return position_function(
        plan, ("take", id(store)), f"take from {store.name}", ("at", "kind"), TRUTH,
        lambda inner, given: lower_take(inner, store, given[0], given[1]),
    )


def lower_take(scope: Scope, store: Store, index: Value, kind: Value) -> Value:
    lines = scope.lines
    found = lines.variable(NO, "f")
    if store.shape == "counts":
        assert store.members is not None
        assert store.size is not None
        at = lines.bind(kind_index(store, index, kind))
        had = lines.bind(lines.load(store.members, at))
        with lines.when(compare(">", had, number(0))):
            lines.store(store.members, binary("sub", had, number(1)), at)
            lines.store(store.size, binary("sub", lines.load(store.size, index), number(1)), index)
            lines.set(found, YES)
    elif store.shape == "row":
        take_from_row(scope, store, index, kind, found)
    else:
        for part in (store.top, store.inner, store.bottom):
            if part is not None:
                with lines.when(Value("not", TRUTH, (found,))):
                    lines.set(found, take_kind(scope, part, index, kind))
    return found


def take_from_row(scope: Scope, store: Store, index: Value, kind: Value, found: Value) -> None:
    lines = scope.lines
    at = lines.variable(binary("sub", length_of(scope, store, index), number(1)), "i")
    with lines.loop() as done:
        lines.leave(done, Value("<", TRUTH, (at, number(0))))
        with lines.when(compare("=", item_at(scope, store, index, at), kind)):
            remove_item(scope, store, index, at)
            lines.set(found, YES)
            lines.leave(done)
        lines.add_to(at, number(-1))


def remove_item(scope: Scope, store: Store, index: Value, place: Value) -> None:
    """The others move down by one."""
    assert store.items is not None
    assert store.length is not None
    lines, items = scope.lines, store.items
    length = lines.bind(binary("sub", lines.load(store.length, index), number(1)))
    at = lines.variable(place, "i")
    with lines.loop() as done:
        lines.leave(done, Value(">=", TRUTH, (at, length)))
        after = binary("add", at, number(1))
        lines.store(items, lines.load(items, item_index(store, index, after)), item_index(store, index, at))
        lines.set(at, after)
    lines.store(store.length, length, index)


def holds_kind(scope: Scope, store: Store, index: Value, kind: Value) -> Value:
    """Whether such a component lies there."""
    lines = scope.lines
    if store.shape == "bits":
        mask = Value("and", store.set_type, (members_of(scope, store, index), singleton(store.set_type, kind)))
        return Value("is not", TRUTH, (mask, constant_set(store.set_type, 0)))
    if store.shape == "counts":
        return compare(">", amount_of(scope, store, index, kind), number(0))
    found = lines.variable(NO, "f")
    kind = lines.bind(kind)
    with lines.block() as done:
        def visit(one: Value) -> None:
            with lines.when(compare("=", one, kind)):
                lines.set(found, YES)
                lines.leave(done)

        for_each_member(scope, store, index, visit)
    return found
