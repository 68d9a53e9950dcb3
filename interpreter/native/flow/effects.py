"""Statements that change the position at once: assignments, moves, shuffles. Takes one, writes its lines."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import BuiltinMeaning
from rulesrun.interpreter.form.form import (
    NO,
    NOTHING,
    TRUTH,
    CannotCompile,
    X,
    as_number,
    both,
    compare,
    inverted,
    known,
    logic,
    mix_sets,
    number,
    without_set,
)
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.native.expressions import list_values, locations, names, piles, places, scales
from rulesrun.interpreter.native.expressions.collections import Fixed, Listed, Several
from rulesrun.interpreter.native.expressions.lists import Copied, listed, sort_listed
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import LEFT, Scope, Store, ask, position_function
from rulesrun.interpreter.native.layout.stores import order_in
from rulesrun.interpreter.reference.moves import base_of, is_amount, kinds_meant, origin_of

# ---- variables


def assign(scope: Scope, target: ast.Expr, value: X) -> None:
    """A value is put where `target` says, kept within its range."""
    plan, lines = scope.plan, scope.lines
    value = lines.kept(as_number(value))
    if isinstance(target, ast.Name) and isinstance(scope.bench.meaning(target), BuiltinMeaning):
        scope.fault_when(compare("=", value, number(NOTHING)), "nothing-used", target)
        lines.store(plan.fields["starter"], value)
        return
    room = places.room_of(scope, target)
    assert isinstance(room, VariableRoom)
    if order_in(room.declaration.type) is not None:
        raise CannotCompile("several values are assigned at once")
    index = lines.kept(places.index_of(scope, target))
    if room.low is not None and room.high is not None:
        value = within_range(scope, room, value, target)
    elif not isinstance(room.declaration.type, ast.Optional):
        scope.fault_when(compare("=", value, number(NOTHING)), "nothing-used", target)
    lines.store(plan.variables[id(room.declaration)], value, index)
    locations.mark(scope, target, number(containers.NOWHERE))


def within_range(scope: Scope, room: VariableRoom, value: X, target: ast.Expr) -> X:
    low, high = room.low or 0, room.high or 0
    if value.low is not None and value.high is not None and low <= value.low and value.high <= high:
        return value
    clamped = both("min", both("max", value, number(low)), number(high))
    if room.declaration.clamped:
        scope.fault_when(compare("=", value, number(NOTHING)), "nothing-used", target)
    else:
        outside = logic("or", compare("<", value, number(low)), compare(">", value, number(high)))
        scope.fault_when(outside, "leaves-range", target)
    return scope.lines.kept(clamped)


def becomes(scope: Scope, node: ast.Becomes) -> None:
    room = places.room_of(scope, node.target)
    if isinstance(room, VariableRoom) and order_in(room.declaration.type) is not None:
        assign_order(scope, node, room)
        return
    if locations.marker_of(scope, node.target) is None:
        assign(scope, node.target, scope.value(node.value))
        return
    place = scope.lines.kept(locations.place_of(scope, node.value))
    assign(scope, node.target, scope.value(node.value))
    locations.mark(scope, node.target, place)


def assign_order(scope: Scope, node: ast.Becomes, room: VariableRoom) -> None:
    """All values of an order; any other number of values is left to the reference."""
    lines, place = scope.lines, scope.plan.variables[id(room.declaration)]
    length = place.amount // room.amount
    scales.refuse_fractions(scope.plan, node.value, "an order")
    is_some: X | None = None
    if isinstance(room.declaration.type, ast.Optional):
        value = lines.kept(as_number(scope.value(node.value)))
        values = listed(scope, list_values.kept_list(scope, value))
        is_some = lines.kept(compare("is not", value, number(NOTHING)))
    else:
        values = listed(scope, scope.several(node.value))
    fits = lines.kept(compare("=", values.amount, number(length)))
    wrong = inverted(fits) if is_some is None else logic("and", is_some, inverted(fits))
    scope.fault_when(wrong, LEFT, node.value)
    first = lines.kept(both("mul", places.index_of(scope, node.target), number(length)))
    with lines.when(fits):
        lines.count_through(number(0), number(length - 1), lambda at: lines.store(
            place, values.at(scope, at), both("add", first, at)
        ))
    if is_some is not None:
        with lines.when(inverted(is_some)):
            lines.count_through(number(0), number(length - 1), lambda at: lines.store(
                place, number(NOTHING), both("add", first, at)
            ))


def increases(scope: Scope, node: ast.Increases) -> None:
    now, amount = scope.needed(node.target), scope.needed(node.amount)
    assign(scope, node.target, both("add" if node.sign > 0 else "sub", now, amount))


# ---- moving


def move(scope: Scope, node: ast.Move) -> None:
    at_bottom, zone = places.end_and_zone(scope, node.target)
    target = places.store_of(scope, zone)
    assert target is not None
    to = scope.lines.kept(places.index_of(scope, zone))
    pile = pile_on_pile(scope, node, target)
    if pile is not None:
        piles.move_pile(scope, node, pile, target, to, at_bottom)
        return
    if locations.matters(scope, node):
        locations.move(scope, node, target, to, at_bottom)
        return
    if node.all:
        move_all(scope, node, target, to, at_bottom)
        return
    if isinstance(node.what, ast.Of) and is_amount(scope.bench, node.what):
        move_some(scope, node, target, to, at_bottom)
        return
    if names.is_several(scope, node.what):
        chosen = listed(scope, scope.several(node.what))
        take_each(scope, node.what, chosen)
        put_each(scope, chosen, target, to, node, at_bottom)
        return
    kind = scope.lines.kept(as_number(scope.value(node.what)))
    scope.fault_when(compare("=", kind, number(NOTHING)), "nothing-used", node.what)
    kind = scope.lines.kept(known(both("max", kind, number(0)), 0, len(target.kinds) - 1))
    with scope.lines.when(take_known(scope, node.what, kind)):
        containers.put(scope, target, to, kind, node, at_bottom)


def take_known(scope: Scope, what: ast.Expr, kind: X) -> X:
    """Takes one component out of where it is: where it was chosen or drawn, else wherever it lies."""
    lines = scope.lines
    origin = origin_of(scope.bench, what)
    first = places.store_of(scope, origin) if origin is not None else None
    found = lines.variable(NO, "f")
    with lines.block() as done:
        if origin is not None and first is not None:
            index = lines.kept(places.index_of(scope, origin))
            lines.set(found, containers.take_kind(scope, first, index, kind))
            lines.leave(done, found)
        kinds = first.kinds if first is not None else kinds_named(scope, what)
        lines.set(found, taken_anywhere(scope, kinds, kind))
        lines.leave(done, found)
        scope.fault("nowhere", what)
    return found


def kinds_named(scope: Scope, what: ast.Expr) -> Kinds:
    found = scope.bench.type_of(what)
    name = getattr(found, "kind", None) or getattr(getattr(found, "item", None), "kind", None)
    for kinds in scope.bench.kinds.values():
        if kinds.declaration.name.text == name:
            return kinds
    raise CannotCompile("it is not clear what kind of component is moved")


def taken_anywhere(scope: Scope, kinds: Kinds, kind: X) -> X:
    """Takes one such component out of wherever one lies; gives whether there was one."""
    def write(inner: Scope, given: list[X]) -> X:
        found = inner.lines.variable(NO, "f")
        with inner.lines.block() as done:
            for store in containers.stores_of(inner, kinds):
                for number_ in range(store.amount):
                    inner.lines.set(found, containers.take_kind(inner, store, number(number_), given[0]))
                    inner.lines.leave(done, found)
        return found

    name = f"take a {kinds.declaration.name.text}"
    return ask(position_function(scope.plan, ("anywhere", id(kinds)), name, ("kind",), TRUTH, write), scope, kind)


def take_each(scope: Scope, what: ast.Expr, chosen: Listed) -> None:
    def take(kind: X) -> None:
        take_known(scope, what, kind)

    chosen.each(scope, take)


def put_each(scope: Scope, chosen: Several, target: Store, to: X, node: ast.Node, at_bottom: bool) -> None:
    chosen.each(scope, lambda kind: containers.put(scope, target, to, kind, node, at_bottom))


def move_some(scope: Scope, node: ast.Move, target: Store, to: X, at_bottom: bool) -> None:
    """`3 of (hand where …)`: some that nothing tells apart."""
    assert isinstance(node.what, ast.Of)
    put_each(scope, taken_some(scope, node.what, len(target.kinds)), target, to, node, at_bottom)


def taken_some(scope: Scope, what: ast.Of, kinds: int) -> Listed:
    """So many taken out; none where there are too few, or where it is not said which."""
    lines = scope.lines
    wanted = lines.kept(scope.needed(what.subject))
    chosen = listed(scope, scope.several(what.owner))
    amount = lines.variable(number(0), "n")
    with lines.block() as done:
        lines.leave(done, compare("<=", wanted, number(0)))
        too_few = compare(">", wanted, chosen.amount)
        scope.fault_when(too_few, "too-few", what)
        lines.leave(done, too_few)
        with lines.when(compare("<", wanted, chosen.amount)):
            chosen.each(scope, lambda one: scope.fault_when(
                compare("is not", one, chosen.at(scope, number(0))), "not-alike", what
            ))
        lines.set(amount, wanted)
    taken = Listed(chosen.items, amount, 0, kinds - 1, limit=chosen.limit)
    take_each(scope, what.owner, taken)
    return taken


def move_all(scope: Scope, node: ast.Move, target: Store, to: X, at_bottom: bool) -> None:
    source = places.store_of(scope, base_of(node.what))
    if source is not None and node.order is None and is_set_to_set(source, target):
        move_sets(scope, node, source, target, to)
        return
    chosen = chosen_from(scope, node)
    if node.order is not None:
        in_order(scope, node.order, chosen)
    put_each(scope, chosen, target, to, node, at_bottom)


def pile_on_pile(scope: Scope, node: ast.Move, target: Store) -> Store | None:
    """The pile that is put on another as it is, both with parts whose order nobody knows."""
    source = places.store_of(scope, node.what) if node.all and node.order is None else None
    return source if source is not None and source.shape == target.shape == "bag" else None


def is_set_to_set(source: Store, target: Store) -> bool:
    return source.shape == target.shape == "bits" and not target.is_limited and source.kinds is target.kinds


def chosen_from(scope: Scope, node: ast.Move) -> Listed:
    """Takes all that is meant, and lists it in the order in which it lay."""
    lines, what = scope.lines, node.what
    kinds = kinds_meant(scope.bench, base_of(what))
    if kinds is not None:
        return chosen_everywhere(scope, what, kinds)
    source = places.store_of(scope, base_of(what))
    chosen = listed(scope, scope.several(what))
    chosen.low, chosen.high = 0, max(len(kinds_named(scope, what)) - 1, 0)
    if source is None:
        take_each(scope, what, chosen)
        return chosen
    index = lines.kept(places.index_of(scope, base_of(what)))
    if not isinstance(what, ast.Filter):
        containers.clear(scope, source, index)
        return chosen

    def take(kind: X) -> None:
        containers.take_kind(scope, source, index, kind)

    chosen.each(scope, take)
    return chosen


def chosen_everywhere(scope: Scope, what: ast.Expr, kinds: Kinds) -> Listed:
    """`all Card where …`: every one that fits, wherever it is."""
    everything = Fixed(kinds.all(), limit=sum(kinds.copies))
    if not isinstance(what, ast.Filter):
        chosen = listed(scope, everything)
        chosen.low, chosen.high = 0, len(kinds) - 1
        for store in containers.stores_of(scope, kinds):
            for number_ in range(store.amount):
                containers.clear(scope, store, number(number_))
        return chosen
    chosen = listed(scope, every_copy(scope, scope.several(what), kinds))
    chosen.low, chosen.high = 0, len(kinds) - 1

    def take(kind: X) -> None:
        scope.lines.kept(taken_anywhere(scope, kinds, kind))

    chosen.each(scope, take)
    return chosen


def every_copy(scope: Scope, fitting: Several, kinds: Kinds) -> Several:
    """Of every kind that fits, all equal components."""
    if all(copies == 1 for copies in kinds.copies):
        return fitting
    return Copied(fitting, kinds.copies, limit=sum(kinds.copies))


def in_order(scope: Scope, order: ast.Order, chosen: Listed) -> None:
    def key(kind: X) -> X:
        inner = scope.inner()
        with inner.element(order, kind):
            return inner.exact(order.key)

    keys = listed(scope, chosen, key)
    sort_listed(scope, chosen, keys, order.reverse, list_values.depth_of(scope, order.key))


def move_sets(scope: Scope, node: ast.Move, source: Store, target: Store, to: X) -> None:
    """Bits from one set to the other."""
    lines = scope.lines
    assert source.members is not None
    assert target.members is not None
    moved = scope.several(node.what).members(scope)
    if moved is None:
        chosen = chosen_from(scope, node)
        put_each(scope, chosen, target, to, node, False)
        return
    moved = lines.kept(moved, "m")
    index = lines.kept(places.index_of(scope, base_of(node.what)))
    lines.store(source.members, without_set(lines.load(source.members, index), moved), index)
    lines.store(target.members, mix_sets("or", lines.load(target.members, to), moved), to)
