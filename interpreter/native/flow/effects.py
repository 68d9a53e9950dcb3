"""Effects that change the position at once: assignments and moves. Takes one, writes its lines."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.form.form import (
    NO,
    NOTHING,
    TRUTH,
    CannotCompile,
    Value,
    as_number,
    binary,
    combine_sets,
    compare,
    constant_set,
    invert,
    logic,
    narrow,
    number,
    set_difference,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.located_names import has_equals
from rulesrun.interpreter.model.location_updates import MOST_HELD
from rulesrun.interpreter.native.expressions import lists, locations, piles, places, scales
from rulesrun.interpreter.native.expressions.collections import Collection, ConstantValues, ValueList
from rulesrun.interpreter.native.expressions.lists import AllCopies, collect_values, sort_list
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import LEFT, Scope, Store, call_for_player, position_function
from rulesrun.interpreter.reference.moves import find_origins

# ---- variables


def assign_value(scope: Scope, assigned: core.Assigned, value: Value) -> None:
    """A value is put into a variable, kept within its range."""
    plan, lines, target = scope.plan, scope.lines, assigned.node
    value = lines.bind(as_number(value))
    if isinstance(assigned, core.Current):
        scope.emit_fault_if(compare("=", value, number(NOTHING)), "nothing-used", target)
        lines.store(plan.fields["starter"], value)
        return
    assert isinstance(assigned.room, VariableRoom)
    room = assigned.room
    if room.holds_order:
        raise CannotCompile(message("several values are assigned at once"))
    index = lines.bind(places.place_index(scope, assigned))
    if room.low is not None and room.high is not None:
        value = keep_in_range(scope, room, value, target)
    elif not room.is_optional:
        scope.emit_fault_if(compare("=", value, number(NOTHING)), "nothing-used", target)
    lines.store(plan.variables[id(room.declaration)], value, index)
    locations.mark(scope, target, number(containers.NOWHERE))


def keep_in_range(scope: Scope, room: VariableRoom, value: Value, target: core.Operand) -> Value:
    low, high = room.low or 0, room.high or 0
    if value.low is not None and value.high is not None and low <= value.low and value.high <= high:
        return value
    clamped = binary("min", binary("max", value, number(low)), number(high))
    if room.declaration.clamped:
        scope.emit_fault_if(compare("=", value, number(NOTHING)), "nothing-used", target)
    else:
        outside = logic("or", compare("<", value, number(low)), compare(">", value, number(high)))
        scope.emit_fault_if(outside, "leaves-range", target)
    return scope.lines.bind(clamped)


def lower_assign(scope: Scope, done: core.Assign) -> None:
    room = done.place.room if isinstance(done.place, core.Contents) else None
    if isinstance(room, VariableRoom) and room.holds_order:
        lower_order_assignment(scope, done, room)
        return
    if locations.marker_of(scope, done.place.node) is None:
        assign_value(scope, done.place, scope.lower_value(done.value))
        return
    place = scope.lines.bind(locations.locate_component(scope, done.value))
    assign_value(scope, done.place, scope.lower_value(done.value))
    locations.mark(scope, done.place.node, place)


def lower_order_assignment(scope: Scope, done: core.Assign, room: VariableRoom) -> None:
    """All values of an order; any other number of values is left to the reference."""
    lines, place = scope.lines, scope.plan.variables[id(room.declaration)]
    length = place.amount // room.amount
    scales.refuse_fractions(scope.plan, done.value, "an order")
    is_some: Value | None = None
    if room.is_optional:
        value = lines.bind(as_number(scope.lower_value(done.value)))
        values = collect_values(scope, lists.heap_list(scope, value))
        is_some = lines.bind(compare("is not", value, number(NOTHING)))
    else:
        values = collect_values(scope, scope.lower_collection(done.value))
    fits = lines.bind(compare("=", values.amount, number(length)))
    wrong = invert(fits) if is_some is None else logic("and", is_some, invert(fits))
    scope.emit_fault_if(wrong, LEFT, done.value)
    first = lines.bind(binary("mul", places.instance_index(scope, done.place.node), number(length)))
    with lines.when(fits):
        lines.for_range(number(0), number(length - 1), lambda at: lines.store(
            place, values.item_at(scope, at), binary("add", first, at)
        ))
    if is_some is not None:
        with lines.when(invert(is_some)):
            lines.for_range(number(0), number(length - 1), lambda at: lines.store(
                place, number(NOTHING), binary("add", first, at)
            ))


def lower_adjust(scope: Scope, done: core.Adjust) -> None:
    now, amount = scope.lower_needed(done.place.node), scope.lower_needed(done.amount)
    assign_value(scope, done.place, binary("add" if done.sign > 0 else "sub", now, amount))


# ---- moving


PutDown = Callable[[Value, int], None]
"""Puts down what was taken, into this instance; so much was added to the numbers under which it is held."""


def lower_move(scope: Scope, done: core.Move) -> None:
    """Where to is settled before anything is taken. What was taken first is held under higher numbers."""
    indices = [scope.lines.bind(places.place_index(scope, one.target.place)) for one in done.transfers]
    sources: list[Value | None] = [None]
    if len(done.transfers) > 1:
        sources = [
            scope.lines.bind(places.place_index(scope, taken.place)) if isinstance(taken, core.TakeFrom) else None
            for taken in (one.taken for one in done.transfers)
        ]
    puts = list[PutDown]()
    for one, source in zip(done.transfers, sources, strict=True):
        if puts:
            locations.raise_held(scope, done.node)
        puts.append(take_transfer(scope, done.node, one, source))
    for number_, (put_down, to) in enumerate(zip(puts, indices, strict=True)):
        put_down(to, MOST_HELD * (len(puts) - 1 - number_))


def take_transfer(scope: Scope, node: core.Line, transfer: core.Transfer, source: Value | None) -> PutDown:
    """`source`: which instance it is taken from, where that is settled already."""
    taken, order, target = transfer.taken, transfer.order, scope.plan.stores[id(transfer.target.room.declaration)]
    at_bottom = transfer.target.is_bottom
    pile = pile_on_pile(scope, taken, target) if order is None else None
    if pile is not None and isinstance(taken, core.TakeFrom):
        parts = piles.take_pile(scope, node, pile, source_index(scope, taken, source))
        return lambda to, first: piles.put_pile(scope, node, parts, target, to, at_bottom, first)
    if locations.does_location_matter(scope, node, taken):
        for_each = locations.take_moved(scope, node, taken, order, source)
        return lambda to, first: locations.put_moved(scope, node, for_each, target, to, at_bottom, first)
    if isinstance(taken, core.TakeFrom) and order is None and is_set_to_set(scope, taken, target):
        moved = take_set(scope, taken, source)
        if moved is not None:
            return lambda to, first: put_set(scope, moved, target, to)
    if isinstance(taken, core.TakeOne):
        kind, found = take_one(scope, taken.what, len(target.kinds))
        return lambda to, first: put_one(scope, found, kind, target, to, node, at_bottom)
    if isinstance(taken, core.TakeSome):
        chosen = take_some(scope, taken, len(target.kinds))
    else:
        chosen = take_all(scope, taken, source)
    if order is not None and not isinstance(taken, core.TakeSome):
        sort_by_key(scope, order, chosen)
    return lambda to, first: put_components(scope, chosen, target, to, node, at_bottom)


def source_index(scope: Scope, taken: core.TakeFrom, settled: Value | None) -> Value:
    return settled if settled is not None else scope.lines.bind(places.place_index(scope, taken.place))


def take_one(scope: Scope, what: core.Operand, kinds: int) -> tuple[Value, Value]:
    """Which one it is, and whether it was found."""
    kind = scope.lines.bind(as_number(scope.lower_value(what)))
    scope.emit_fault_if(compare("=", kind, number(NOTHING)), "nothing-used", what)
    kind = scope.lines.bind(narrow(binary("max", kind, number(0)), 0, kinds - 1))
    return kind, take_component(scope, what, kind)


def put_one(
    scope: Scope, found: Value, kind: Value, target: Store, to: Value, node: core.Node, at_bottom: bool
) -> None:
    with scope.lines.when(found):
        containers.put_component(scope, target, to, kind, node, at_bottom)


def take_component(scope: Scope, what: core.Operand, kind: Value) -> Value:
    """Takes one component out of where it is: where it was chosen or drawn, else wherever it lies."""
    lines = scope.lines
    stores = [(origin, places.store_of(scope, origin)) for origin in find_origins(scope.bench, what)]
    found, kinds = lines.variable(NO, "f"), None
    with lines.block() as done:
        for origin, store in stores:
            if store is not None:
                kinds, index = store.kinds, lines.bind(places.instance_index(scope, origin))
                lines.set(found, containers.take_kind(scope, store, index, kind))
                lines.leave(done, found)
        kinds = kinds if kinds is not None else component_kinds(scope, what)
        lines.set(found, take_anywhere(scope, kinds, kind))
        lines.leave(done, found)
        scope.emit_fault("nowhere", what)
    return found


def component_kinds(scope: Scope, what: core.Operand) -> Kinds:
    found = scope.bench.type_of(what)
    name = getattr(found, "kind", None) or getattr(getattr(found, "item", None), "kind", None)
    if name is not None:
        return scope.bench.kinds_called(name)
    raise CannotCompile(message("it is not clear what kind of component is moved"))


def take_anywhere(scope: Scope, kinds: Kinds, kind: Value) -> Value:
    """Takes one such component out of wherever one lies; gives whether there was one."""
    def write(inner: Scope, given: list[Value]) -> Value:
        found = inner.lines.variable(NO, "f")
        with inner.lines.block() as done:
            for store in containers.stores_of(inner, kinds):
                for number_ in range(store.amount):
                    inner.lines.set(found, containers.take_kind(inner, store, number(number_), given[0]))
                    inner.lines.leave(done, found)
        return found

    name = f"take a {kinds.declaration.name.text}"
    return call_for_player(
        position_function(scope.plan, ("anywhere", id(kinds)), name, ("kind",), TRUTH, write), scope, kind
    )


def take_components(scope: Scope, what: core.Operand, chosen: ValueList) -> None:
    def take(kind: Value) -> None:
        take_component(scope, what, kind)

    chosen.for_each(scope, take)


def put_components(
    scope: Scope, chosen: Collection, target: Store, to: Value, node: core.Node, at_bottom: bool
) -> None:
    chosen.for_each(scope, lambda kind: containers.put_component(scope, target, to, kind, node, at_bottom))


def take_some(scope: Scope, asked: core.TakeSome, kinds: int) -> ValueList:
    """So many taken out; none where there are too few, or where it is not said which."""
    wanted = scope.lines.bind(scope.lower_needed(asked.amount))
    chosen = collect_values(scope, scope.lower_collection(asked.collection))
    amount = locations.count_asked(scope, wanted, chosen, asked.what)
    taken = ValueList(chosen.items, amount, 0, kinds - 1, limit=chosen.limit)
    take_components(scope, asked.collection, taken)
    return taken


def pile_on_pile(scope: Scope, taken: core.Taken, target: Store) -> Store | None:
    """The pile that is put on another as it is, both with parts whose order nobody knows."""
    if not isinstance(taken, core.TakeFrom) or taken.is_filtered:
        return None
    source = scope.plan.stores[id(taken.place.room.declaration)]
    return source if source.shape == target.shape == "bag" else None


def is_set_to_set(scope: Scope, taken: core.TakeFrom, target: Store) -> bool:
    source = scope.plan.stores[id(taken.place.room.declaration)]
    return source.shape == target.shape == "bits" and not target.is_limited and source.kinds is target.kinds


def take_all(
    scope: Scope, taken: core.TakeEverywhere | core.TakeFrom | core.TakeListed, settled: Value | None = None
) -> ValueList:
    """Takes all that is meant, and lists it in the order in which it lay."""
    what = taken.what
    if isinstance(taken, core.TakeEverywhere):
        return take_everywhere(scope, taken)
    chosen = collect_values(scope, locations.lower_taken(scope, taken, settled))
    chosen.low, chosen.high = 0, max(len(component_kinds(scope, what)) - 1, 0)
    if isinstance(taken, core.TakeListed):
        take_components(scope, what, chosen)
        return chosen
    source = scope.plan.stores[id(taken.place.room.declaration)]
    index = source_index(scope, taken, settled)
    if not taken.is_filtered:
        containers.clear_store(scope, source, index)
        return chosen

    def take(kind: Value) -> None:
        containers.take_kind(scope, source, index, kind)

    chosen.for_each(scope, take)
    return chosen


def take_everywhere(scope: Scope, taken: core.TakeEverywhere) -> ValueList:
    """`all Card where …`: every one that fits, wherever it is."""
    what, kinds = taken.what, taken.kinds
    everything = ConstantValues(kinds.all_components(), limit=sum(kinds.copies))
    if not taken.is_filtered:
        chosen = collect_values(scope, everything)
        chosen.low, chosen.high = 0, len(kinds) - 1
        for store in containers.stores_of(scope, kinds):
            for number_ in range(store.amount):
                containers.clear_store(scope, store, number(number_))
        return chosen
    chosen = collect_values(scope, with_all_copies(scope, scope.lower_collection(what), kinds))
    chosen.low, chosen.high = 0, len(kinds) - 1

    def take(kind: Value) -> None:
        scope.lines.bind(take_anywhere(scope, kinds, kind))

    chosen.for_each(scope, take)
    return chosen


def with_all_copies(scope: Scope, fitting: Collection, kinds: Kinds) -> Collection:
    """Of every kind that fits, all equal components."""
    if all(copies == 1 for copies in kinds.copies):
        return fitting
    return AllCopies(fitting, kinds.copies, limit=sum(kinds.copies))


def sort_by_key(scope: Scope, order: core.Order, chosen: ValueList) -> None:
    def key(kind: Value) -> Value:
        inner = scope.inner_scope()
        with inner.element(order, kind):
            return inner.lower_exact(order.key)

    keys = collect_values(scope, chosen, key)
    sort_list(scope, chosen, keys, order.reverse, lists.list_depth_of(scope, order.key))


def take_set(scope: Scope, taken: core.TakeFrom, settled: Value | None) -> Value | None:
    """As bits, out of a set; None where they are not known as bits."""
    lines, source = scope.lines, scope.plan.stores[id(taken.place.room.declaration)]
    assert source.members is not None
    moved = locations.lower_taken(scope, taken, settled).members(scope)
    if moved is None:
        return None
    moved = lines.bind(moved, "m")
    index = source_index(scope, taken, settled)
    lines.store(source.members, set_difference(lines.load(source.members, index), moved), index)
    return moved


def put_set(scope: Scope, moved: Value, target: Store, to: Value) -> None:
    assert target.members is not None
    scope.lines.store(target.members, combine_sets("or", scope.lines.load(target.members, to), moved), to)


# ---- mixing: a pile becomes one unordered part, with what is added to it


def lower_mix(scope: Scope, done: core.Mix) -> None:
    node, taken, lines, target = done.node, done.added, scope.lines, scope.plan.stores[id(done.room.declaration)]
    is_whole = isinstance(taken, core.TakeEverywhere) and not taken.is_filtered
    if is_whole and not locations.is_followed_during(scope.plan, node) and target.shape == "bag" and target.amount == 1:
        gather_all(scope, node, target)
        return
    if is_located(scope, done):
        mix_located(scope, done, target)
        return
    added = take_added(scope, taken) if taken is not None else None
    index = lines.bind(places.place_index(scope, done.place))
    if added is None:
        mix_pile(scope, target, index)
        return
    with piles.checking_room(scope, target, index, added.amount, node):
        mix_pile(scope, target, index)
        into = target.inner if target.inner is not None else target
        added.for_each(scope, lambda kind: containers.put_unchecked(scope, into, index, kind, False))


def is_located(scope: Scope, done: core.Mix) -> bool:
    """Whether it matters which of equal components is taken, or some that lie there are followed."""
    if done.added is not None:
        return locations.does_location_matter(scope, done.node, done.added)
    return has_equals(scope.bench, done.place.node) and locations.is_followed_during(scope.plan, done.node)


def mix_located(scope: Scope, done: core.Mix, target: Store) -> None:
    """The same, where it matters which of equal components is taken, and where the others come to lie."""
    lines, node = scope.lines, done.node
    taken = locations.take_to_mix_in(scope, node, done.added) if done.added is not None else None
    index = lines.bind(places.place_index(scope, done.place))
    if taken is None:
        locations.follow_into_mixed(scope, node, target, index)
        mix_pile(scope, target, index)
        return
    with piles.checking_room(scope, target, index, taken.kinds.amount, node):
        locations.follow_into_mixed(scope, node, target, index)
        mix_pile(scope, target, index)
        locations.mix_in_located(scope, node, taken, target, index)


def mix_pile(scope: Scope, target: Store, index: Value) -> None:
    """What is known to lie on or under the unordered part comes into it."""
    into = target.inner if target.inner is not None else target
    for part in (target.bottom, target.top):
        if part is not None:
            containers.for_each_member(
                scope, part, index, lambda kind: containers.put_unchecked(scope, into, index, kind, False)
            )
            containers.clear_store(scope, part, index)


def gather_all(scope: Scope, node: Located, target: Store) -> None:
    kinds = target.kinds
    for store in containers.stores_of(scope, kinds):
        for number_ in range(store.amount):
            containers.clear_store(scope, store, number(number_))
    if target.is_limited and sum(kinds.copies) > target.capacity:
        scope.emit_fault("zone-full", node)
        return
    inner, lines = target.inner, scope.lines
    assert inner is not None
    assert inner.members is not None
    if inner.shape == "bits":
        lines.store(inner.members, constant_set(inner.set_type, (1 << len(kinds)) - 1))
        return
    assert inner.size is not None
    for kind, copies in enumerate(kinds.copies):
        lines.store(inner.members, number(copies), number(kind))
    lines.store(inner.size, number(sum(kinds.copies)))


def take_added(scope: Scope, taken: core.Taken) -> ValueList:
    """What is taken to be mixed in."""
    if isinstance(taken, core.TakeSome):
        return take_some(scope, taken, len(component_kinds(scope, taken.collection)))
    if not isinstance(taken, core.TakeOne):
        return take_all(scope, taken)
    what = taken.what
    kind, kinds = scope.lines.bind(as_number(scope.lower_value(what))), component_kinds(scope, what)
    scope.emit_fault_if(compare("=", kind, number(NOTHING)), "nothing-used", what)
    kind = scope.lines.bind(narrow(binary("max", kind, number(0)), 0, len(kinds) - 1))
    scope.emit_fault_if(invert(take_component(scope, what, kind)), "nowhere", what)
    place = scope.plan.add_scratch("one", 64)
    scope.lines.store(place, kind)
    return ValueList(place, number(1), limit=1)
