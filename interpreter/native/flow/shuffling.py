"""`shuffle`: a pile becomes one unordered part, with what is added to it. Takes the statement, writes its lines."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import NOTHING, X, as_number, both, compare, inverted, known, number, set_constant
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.native.expressions import locations, places
from rulesrun.interpreter.native.expressions.collections import Listed
from rulesrun.interpreter.native.expressions.piles import room_for
from rulesrun.interpreter.native.flow.effects import chosen_from, kinds_named, take_known, taken_some
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import Scope, Store
from rulesrun.interpreter.reference.moves import base_of, is_amount, kinds_meant


def shuffle(scope: Scope, node: ast.Shuffle) -> None:
    """The pile becomes one unordered part, with what is added to it."""
    zone = node.into or node.what
    target = places.store_of(scope, zone)
    assert target is not None
    lines = scope.lines
    kinds = kinds_meant(scope.bench, base_of(node.what)) if node.into is not None else None
    is_whole = kinds is not None and not isinstance(node.what, ast.Filter) and not locations.watched(scope.plan, node)
    if kinds is not None and is_whole and target.shape == "bag" and target.amount == 1:
        gather_all(scope, node, target, kinds)
        return
    if locations.matters(scope, node):
        shuffle_lying(scope, node, zone, target)
        return
    added = added_by(scope, node) if node.into is not None else None
    index = lines.kept(places.index_of(scope, zone))
    if added is None:
        mix(scope, target, index)
        return
    with room_for(scope, target, index, added.amount, node):
        mix(scope, target, index)
        into = target.inner if target.inner is not None else target
        added.each(scope, lambda kind: containers.put_in(scope, into, index, kind, False))


def shuffle_lying(scope: Scope, node: ast.Shuffle, zone: ast.Expr, target: Store) -> None:
    """The same, where it matters which of equal components is taken, and where the others come to lie."""
    lines = scope.lines
    taken = locations.taken_to_mix(scope, node) if node.into is not None else None
    index = lines.kept(places.index_of(scope, zone))
    if taken is None:
        locations.hold_mixed(scope, node, target, index)
        mix(scope, target, index)
        return
    with room_for(scope, target, index, taken.kinds.amount, node):
        locations.hold_mixed(scope, node, target, index)
        mix(scope, target, index)
        locations.mix_in(scope, node, taken, target, index)


def mix(scope: Scope, target: Store, index: X) -> None:
    """What is known to lie on or under the unordered part comes into it."""
    into = target.inner if target.inner is not None else target
    for part in (target.bottom, target.top):
        if part is not None:
            containers.each_member(scope, part, index, lambda kind: containers.put_in(scope, into, index, kind, False))
            containers.clear(scope, part, index)


def gather_all(scope: Scope, node: ast.Shuffle, target: Store, kinds: Kinds) -> None:
    for store in containers.stores_of(scope, kinds):
        for number_ in range(store.amount):
            containers.clear(scope, store, number(number_))
    if target.is_limited and sum(kinds.copies) > target.capacity:
        scope.fault("zone-full", node)
        return
    inner, lines = target.inner, scope.lines
    assert inner is not None
    assert inner.members is not None
    if inner.shape == "bits":
        lines.store(inner.members, set_constant(inner.set, (1 << len(kinds)) - 1))
        return
    assert inner.size is not None
    for kind, copies in enumerate(kinds.copies):
        lines.store(inner.members, number(copies), number(kind))
    lines.store(inner.size, number(sum(kinds.copies)))


def added_by(scope: Scope, node: ast.Shuffle) -> Listed:
    """What is taken to be mixed in."""
    what = node.what
    is_single = is_one(scope, what)
    if node.all or not is_single:
        return chosen_from(scope, ast.Move(True, what, node.into or what, None, span=node.span))
    if isinstance(what, ast.Of) and is_amount(scope.bench, what):
        return taken_some(scope, what, len(kinds_named(scope, what.owner)))
    kind, kinds = scope.lines.kept(as_number(scope.value(what))), kinds_named(scope, what)
    scope.fault_when(compare("=", kind, number(NOTHING)), "nothing-used", what)
    kind = scope.lines.kept(known(both("max", kind, number(0)), 0, len(kinds) - 1))
    scope.fault_when(inverted(take_known(scope, what, kind)), "nowhere", what)
    place = scope.plan.scratch("one", 64)
    scope.lines.store(place, kind)
    return Listed(place, number(1), limit=1)


def is_one(scope: Scope, what: ast.Expr) -> bool:
    if isinstance(what, ast.Of) and is_amount(scope.bench, what):
        return True
    is_zone = places.store_of(scope, base_of(what)) is not None
    return not is_zone and kinds_meant(scope.bench, base_of(what)) is None
