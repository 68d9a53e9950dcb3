"""A pile becomes one unordered part, with what is added to it. Takes the effect, writes its lines."""

from __future__ import annotations

from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.form.form import (
    NOTHING,
    Value,
    as_number,
    binary,
    compare,
    constant_set,
    invert,
    narrow,
    number,
)
from rulesrun.interpreter.model.core import Mix, TakeEverywhere, Taken, TakeOne, TakeSome
from rulesrun.interpreter.model.located_names import has_equals
from rulesrun.interpreter.native.expressions import locations, places
from rulesrun.interpreter.native.expressions.collections import ValueList
from rulesrun.interpreter.native.expressions.piles import checking_room
from rulesrun.interpreter.native.flow.effects import component_kinds, take_all, take_component, take_some
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import Scope, Store


def lower_mix(scope: Scope, done: Mix) -> None:
    node, taken, lines, target = done.node, done.added, scope.lines, scope.plan.stores[id(done.room.declaration)]
    is_whole = isinstance(taken, TakeEverywhere) and not taken.is_filtered
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
    with checking_room(scope, target, index, added.amount, node):
        mix_pile(scope, target, index)
        into = target.inner if target.inner is not None else target
        added.for_each(scope, lambda kind: containers.put_unchecked(scope, into, index, kind, False))


def is_located(scope: Scope, done: Mix) -> bool:
    """Whether it matters which of equal components is taken, or some that lie there are followed."""
    if done.added is not None:
        return locations.does_location_matter(scope, done.node, done.added)
    return has_equals(scope.bench, done.place.node) and locations.is_followed_during(scope.plan, done.node)


def mix_located(scope: Scope, done: Mix, target: Store) -> None:
    """The same, where it matters which of equal components is taken, and where the others come to lie."""
    lines, node = scope.lines, done.node
    taken = locations.take_to_mix_in(scope, node, done.added) if done.added is not None else None
    index = lines.bind(places.place_index(scope, done.place))
    if taken is None:
        locations.follow_into_mixed(scope, node, target, index)
        mix_pile(scope, target, index)
        return
    with checking_room(scope, target, index, taken.kinds.amount, node):
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


def take_added(scope: Scope, taken: Taken) -> ValueList:
    """What is taken to be mixed in."""
    if isinstance(taken, TakeSome):
        return take_some(scope, taken, len(component_kinds(scope, taken.collection)))
    if not isinstance(taken, TakeOne):
        return take_all(scope, taken)
    what = taken.what
    kind, kinds = scope.lines.bind(as_number(scope.lower_value(what))), component_kinds(scope, what)
    scope.emit_fault_if(compare("=", kind, number(NOTHING)), "nothing-used", what)
    kind = scope.lines.bind(narrow(binary("max", kind, number(0)), 0, len(kinds) - 1))
    scope.emit_fault_if(invert(take_component(scope, what, kind)), "nowhere", what)
    place = scope.plan.add_scratch("one", 64)
    scope.lines.store(place, kind)
    return ValueList(place, number(1), limit=1)
