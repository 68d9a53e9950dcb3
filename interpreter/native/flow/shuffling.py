"""`shuffle`: a pile becomes one unordered part, with what is added to it. Takes the statement, writes its lines."""

from __future__ import annotations

from rulesrun.dsl import ast
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
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.native.expressions import locations, places
from rulesrun.interpreter.native.expressions.collections import ValueList
from rulesrun.interpreter.native.expressions.piles import checking_room
from rulesrun.interpreter.native.flow.effects import component_kinds, take_all, take_component, take_some
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import Scope, Store
from rulesrun.interpreter.reference.moves import find_kinds, is_amount, strip_filters


def lower_shuffle(scope: Scope, node: ast.Shuffle) -> None:
    """The pile becomes one unordered part, with what is added to it."""
    zone = node.into or node.what
    target = places.store_of(scope, zone)
    assert target is not None
    lines = scope.lines
    kinds = find_kinds(scope.bench, strip_filters(node.what)) if node.into is not None else None
    is_whole = (
        kinds is not None
        and not isinstance(node.what, ast.Filter)
        and not locations.is_followed_during(scope.plan, node)
    )
    if kinds is not None and is_whole and target.shape == "bag" and target.amount == 1:
        gather_all(scope, node, target, kinds)
        return
    if locations.does_location_matter(scope, node):
        shuffle_located(scope, node, zone, target)
        return
    added = take_added(scope, node) if node.into is not None else None
    index = lines.bind(places.instance_index(scope, zone))
    if added is None:
        mix_pile(scope, target, index)
        return
    with checking_room(scope, target, index, added.amount, node):
        mix_pile(scope, target, index)
        into = target.inner if target.inner is not None else target
        added.for_each(scope, lambda kind: containers.put_unchecked(scope, into, index, kind, False))


def shuffle_located(scope: Scope, node: ast.Shuffle, zone: ast.Expr, target: Store) -> None:
    """The same, where it matters which of equal components is taken, and where the others come to lie."""
    lines = scope.lines
    taken = locations.take_for_shuffle(scope, node) if node.into is not None else None
    index = lines.bind(places.instance_index(scope, zone))
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


def gather_all(scope: Scope, node: ast.Shuffle, target: Store, kinds: Kinds) -> None:
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


def take_added(scope: Scope, node: ast.Shuffle) -> ValueList:
    """What is taken to be mixed in."""
    what = node.what
    is_single = is_some_of(scope, what)
    if node.all or not is_single:
        return take_all(scope, ast.Move(True, what, node.into or what, None, span=node.span))
    if isinstance(what, ast.Of) and is_amount(scope.bench, what):
        return take_some(scope, what, len(component_kinds(scope, what.owner)))
    kind, kinds = scope.lines.bind(as_number(scope.lower_value(what))), component_kinds(scope, what)
    scope.emit_fault_if(compare("=", kind, number(NOTHING)), "nothing-used", what)
    kind = scope.lines.bind(narrow(binary("max", kind, number(0)), 0, len(kinds) - 1))
    scope.emit_fault_if(invert(take_component(scope, what, kind)), "nowhere", what)
    place = scope.plan.add_scratch("one", 64)
    scope.lines.store(place, kind)
    return ValueList(place, number(1), limit=1)


def is_some_of(scope: Scope, what: ast.Expr) -> bool:
    if isinstance(what, ast.Of) and is_amount(scope.bench, what):
        return True
    is_zone = places.store_of(scope, strip_filters(what)) is not None
    return not is_zone and find_kinds(scope.bench, strip_filters(what)) is None
