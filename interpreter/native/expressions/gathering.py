"""Expressions over several values: `some … has`, `sum of … over`, `the … with highest`, filters and lists."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import AllOf, BuiltinMeaning
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, OrderOf
from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    YES,
    CannotCompile,
    Line,
    X,
    as_number,
    both,
    compare,
    constant_of,
    inverted,
    logic,
    number,
    set_constant,
    set_type,
)
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.located_names import has_equals
from rulesrun.interpreter.native.expressions import (
    combinations,
    component_masks,
    fractions,
    kept_lists,
    list_values,
    locations,
    names,
    places,
    scales,
)
from rulesrun.interpreter.native.expressions.collections import (
    Fitting,
    Fixed,
    Listed,
    Lying,
    Members,
    Ordered,
    Seats,
    Several,
    Somewhere,
    SpotBody,
    Stretch,
    Written,
)
from rulesrun.interpreter.native.expressions.lists import Different, listed, room_for, sort_listed
from rulesrun.interpreter.native.layout.plan import MOST_KINDS_IN_A_SET, Scope, bounds
from rulesrun.interpreter.native.layout.stores import order_in
from rulesrun.interpreter.reference.collections import MOST_ELEMENTS


def several(scope: Scope, node: ast.Expr) -> Several:
    """The collection an expression means."""
    try:
        return meant(scope, node)
    except CannotCompile as reason:
        raise reason.at(node) from None


def meant(scope: Scope, node: ast.Expr) -> Several:
    fixed = before_the_game(scope, node)
    if fixed is not None:
        return fixed
    if isinstance(node, ast.IfElse):
        either = one_of_two(scope, node)
        lying_there = partial(either_spots, scope, node)
        return Somewhere(either, lying_there, limit=either.limit) if by_place(scope, node) else either
    if list_values.is_told_by_one(scope, node):
        return list_values.kept_list(scope, scope.value(node))
    match node:
        case ast.Filter():
            return filtered(scope, node)
        case ast.Range(low, high):
            return stretch(scope, low, high)
        case ast.SetOf(items):
            return written_set(scope, node, items)
        case ast.Aggregate(word="list" | "sorted"):
            return list_of(scope, node)
        case ast.Best(word="those"):
            return those(scope, node)
        case ast.Name() | ast.Of() | ast.Index():
            return named(scope, node)
        case ast.Call():
            return asked(scope, node)
        case ast.Before() if id(node) in scope.plan.lists:
            return list_values.kept_list(scope, kept_lists.recalled(scope, scope.plan.lists[id(node)]))
        case ast.Before(value):
            items, length, limit = scope.plan.made[("before", id(value))]
            return Listed(items, scope.lines.kept(scope.lines.load(length)), limit=limit)
        case _:
            raise CannotCompile("a collection of this form is not compiled")


# ---- where the elements lie


def by_place(scope: Scope, node: ast.Expr) -> bool:
    """Whether it may matter which of equal components these are."""
    return has_equals(scope.bench, node)


def either_spots(scope: Scope, node: ast.IfElse, inner: Scope, body: SpotBody) -> None:
    with inner.lines.when(scope.condition(node.condition)) as line:
        several(scope, node.then).each_spot(inner, body)
    with inner.lines.otherwise(line):
        several(scope, node.otherwise).each_spot(inner, body)


def written_set(scope: Scope, node: ast.SetOf, items: tuple[ast.Literal, ...]) -> Several:
    found = Written(tuple(written_item(scope, node, item) for item in items), limit=len(items))
    if not by_place(scope, node):
        return found
    wheres = [scope.lines.kept(locations.place_of(scope, item)) for item in items]

    def spots(_scope: Scope, body: SpotBody) -> None:
        for value, where in zip(found.values, wheres, strict=True):
            body(value, where)

    return Somewhere(found, spots, limit=found.limit)


def listed_where_they_lie(scope: Scope, collection: Several, body: Callable[[X, X], tuple[X, X]]) -> Listed:
    """What the body gives for each: a component, and where that one lies."""
    lines, items, wheres = scope.lines, room_for(scope, collection.limit), room_for(scope, collection.limit)
    amount = lines.variable(number(0), "n")

    def note(one: X, place: X) -> None:
        value, where = body(one, place)
        lines.store(items, as_number(value), amount)
        lines.store(wheres, where, amount)
        lines.add_to(amount, number(1))

    collection.each_spot(scope, note)
    return Listed(items, amount, limit=collection.limit, where=wheres)


def list_of_components(scope: Scope, node: ast.Aggregate) -> Listed:
    """A list of components of which it matters where they lie."""
    collection = bound(scope, node.each)

    def found_for(one: X, place: X) -> tuple[X, X]:
        inner = within(scope, node.each, scope.lines.kept(one), place)
        value = scope.lines.kept(as_number(inner.value(node.body)))
        return value, scope.lines.kept(locations.place_of(inner, node.body))

    found = listed_where_they_lie(scope, collection, found_for)
    if node.distinct:
        found = first_of_every_kind(scope, found)
    if node.word == "sorted":
        sort_where_they_lie(scope, found)
    found.low, found.high = bounds(scope.plan, scope.bench.type_of(node.body))
    return found


def first_of_every_kind(scope: Scope, several: Listed) -> Listed:
    lines, where = scope.lines, several.where
    assert where is not None
    items, wheres, amount = several.items, where, lines.variable(number(0), "n")

    def keep(at: X) -> None:
        one, is_new = lines.kept(lines.load(items, at)), lines.variable(YES, "f")

        def look(earlier: X) -> None:
            with lines.when(compare("=", lines.load(items, earlier), one)):
                lines.set(is_new, NO)

        lines.count_through(number(0), both("sub", amount, number(1)), look)
        with lines.when(is_new):
            lines.store(wheres, lines.load(wheres, at), amount)
            lines.store(items, one, amount)
            lines.add_to(amount, number(1))

    lines.count_through(number(0), both("sub", several.amount, number(1)), keep)
    return Listed(items, amount, limit=several.limit, where=wheres)


def sort_where_they_lie(scope: Scope, several: Listed) -> None:
    assert several.where is not None
    sort_listed(scope, several, beside=(Listed(several.where, several.amount, limit=several.limit),))


def one_of_two(scope: Scope, node: ast.IfElse) -> Several:
    """Sets of components that are all different stay sets of bits."""
    lines, kinds = scope.lines, kinds_of(scope, node)
    if kinds is None or len(kinds) > MOST_KINDS_IN_A_SET:
        return list_values.kept_list(scope, scope.value(node))
    test = scope.condition(node.condition)
    fixed = constant_of(test)
    if fixed is not None:
        return several(scope, node.then if fixed else node.otherwise)
    test, kind, found = lines.kept(test), set_type(len(kinds)), []
    for branch in (node.then, node.otherwise):
        written: list[Line] = []
        with lines.inside(written):
            found.append((written, members_of(scope, branch)))
    (first, one), (second, other) = found
    if one is None or other is None or one.type != kind or other.type != kind:
        return list_values.kept_list(scope, scope.value(node))
    answer = lines.variable(set_constant(kind, 0), "m")
    with lines.when(test) as line:
        lines.lines.extend(first)
        lines.set(answer, one)
    with lines.otherwise(line):
        lines.lines.extend(second)
        lines.set(answer, other)
    return Members(lines.kept(answer, "m"), len(kinds), limit=len(kinds), set_type=kind)


def members_of(scope: Scope, node: ast.Expr) -> X | None:
    return several(scope, node).members(scope)


def before_the_game(scope: Scope, node: ast.Expr) -> Several | None:
    ready = scope.bench.ready.get(id(node))
    if ready is None or not ready[1].is_constant:
        return None
    values = ready[1].value
    if not isinstance(values, (tuple, range)) or not all(isinstance(one, int) for one in values):
        return None
    kinds = kinds_of(scope, node)
    is_set = kinds is not None and len(kinds) <= 256
    return Fixed(tuple(int(one) for one in values), limit=len(values),
                 set_type=set_type(len(kinds)) if kinds is not None and is_set else None)


def kinds_of(scope: Scope, node: ast.Expr) -> Kinds | None:
    found = scope.bench.type_of(node)
    item = found.item if isinstance(found, CollectionOf) else None
    if not isinstance(item, ComponentOf):
        return None
    return next((one for one in scope.bench.kinds.values() if one.declaration.name.text == item.kind), None)


def item_at_scale(scope: Scope, node: ast.Expr) -> X:
    """An element of a list, which may be `nothing`; a fraction at the scale of its expression."""
    is_fraction = scales.scale_of(scope.plan, node) != 1 and not list_values.depth_of(scope, node)
    return scope.exact(node) if is_fraction else scope.value(node)


def written_item(scope: Scope, node: ast.SetOf, item: ast.Literal) -> X:
    """An element in braces; where one of them may be a fraction, all are so many times as large."""
    scale = scales.scale_of(scope.plan, node)
    if scale == 1:
        return names.literal(scope, item)
    part, own = item.parts[0], scales.scale_of(scope.plan, item.parts[0])
    if list_values.depth_of(scope, part):
        return fractions.list_at_scale(scope, part, scale)
    return scope.lines.kept(both("mul", as_number(item_at_scale(scope, part)), number(scale // own)))


def stretch(scope: Scope, low: ast.Expr, high: ast.Expr) -> Several:
    first, last = scope.lines.kept(scope.needed(low)), scope.lines.kept(scope.needed(high))
    if first.low is not None and last.high is not None and last.high - first.low <= MOST_ELEMENTS:
        return Stretch(first, last, limit=max(last.high - first.low + 1, 0))
    too_long = scope.lines.kept(compare(">", both("sub", last, first), number(MOST_ELEMENTS)))
    scope.fault_when(too_long, "too-many-values", high)
    last = scope.lines.kept(X("select", NUMBER, (too_long, first, last)))
    return Stretch(first, last, limit=MOST_ELEMENTS + 1)


def named(scope: Scope, node: ast.Name | ast.Of | ast.Index) -> Several:
    store = places.store_of(scope, node)
    if store is not None:
        index = scope.lines.kept(places.index_of(scope, node))
        limit = sum(store.kinds.copies) if store.shape == "bag" else store.capacity
        return Lying(store, index, limit=limit, set_type=store.set if store.shape == "bits" else None)
    room = places.room_of(scope, node)
    if room is not None:
        return ordered(scope, node)
    meaning = scope.bench.meaning(node) if isinstance(node, ast.Name) else None
    if isinstance(meaning, BuiltinMeaning):
        return of_the_language(scope, meaning.name)
    if isinstance(meaning, ast.Define):
        return several(Scope(scope.plan, scope.lines, scope.player), meaning.body)
    if isinstance(meaning, ast.Choice) and meaning.count is not None:
        chosen = combinations.chosen(scope, meaning)
        return locations.chosen_where_they_lie(scope, meaning, chosen) if id(meaning) in scope.bench.located else chosen
    if isinstance(node, ast.Of):
        if isinstance(node.subject, ast.Name) and isinstance(scope.bench.meaning(node.subject), BuiltinMeaning):
            return of_word(scope, node)
        owner = scope.lines.kept(places.player_value(scope, node.owner))
        return several(scope.asked_of(owner), node.subject)
    if isinstance(meaning, (ast.Components, ast.Values, AllOf)):
        raise CannotCompile("all of a type are not known before the game")
    raise CannotCompile("a collection of this name is not compiled")


def of_word(scope: Scope, node: ast.Of) -> Several:
    """`sorted of x`, `list of x`."""
    assert isinstance(node.subject, ast.Name)
    if node.subject.text not in {"sorted", "list"}:
        raise CannotCompile("a collection of this form is not compiled")
    if by_place(scope, node):
        lying_there = listed_where_they_lie(scope, several(scope, node.owner), lambda one, place: (one, place))
        if node.subject.text == "sorted":
            sort_where_they_lie(scope, lying_there)
        return lying_there
    found = listed(scope, several(scope, node.owner))
    if node.subject.text == "sorted":
        sort_listed(scope, found, levels=list_values.depth_of(scope, node) - 1)
    return found


def of_the_language(scope: Scope, word: str) -> Several:
    n = scope.bench.players
    if word == "players":
        return Seats(n, None, limit=n)
    if word == "opponents":
        return Seats(n, scope.player, limit=n - 1)
    raise CannotCompile(f"`{word}` is no collection that is compiled")


def asked(scope: Scope, node: ast.Call) -> Several:
    meaning = scope.bench.meaning(node.name)
    if not isinstance(meaning, ast.Define):
        raise CannotCompile("a collection of this form is not compiled")
    return several(locations.with_arguments(scope, node, meaning), meaning.body)


def ordered(scope: Scope, node: ast.Expr) -> Several:
    room = places.room_of(scope, node)
    assert room is not None
    if isinstance(room, VariableRoom) and order_in(room.declaration.type) is not None \
            and isinstance(room.declaration.type, ast.Optional):
        return list_values.kept_list(scope, scope.value(node))
    if not isinstance(scope.bench.type_of(node), OrderOf):
        raise CannotCompile("a variable stands where several values are needed")
    length = len(scope.bench.blank[room.base])
    base = both("mul", places.index_of(scope, node), number(length))
    return Ordered(scope.plan.variables[id(room.declaration)], scope.lines.kept(base), limit=length)


# ---- filters and binders


def filtered(scope: Scope, node: ast.Filter, binder: ast.Each | None = None) -> Several:
    """Those for which the condition holds; it may speak of the name of the binder outside, too."""
    collection = node.collection
    base = filtered(scope, collection, binder) if isinstance(collection, ast.Filter) else several(scope, collection)
    kinds, binders = kinds_of(scope, node), {id(node)} | ({id(binder)} if binder is not None else set())
    mask = None
    if base.set_type is not None and kinds is not None:
        mask = component_masks.mask_of(scope, node.condition, component_masks.element(kinds, *binders), kinds)
    kept = scope.inner()

    def test(now: Scope, one: X, place: X | None = None) -> X:
        inner = Scope(now.plan, now.lines, kept.player, dict(kept.names), list(kept.elements), dict(kept.spots))
        if place is not None:
            inner.spots.update(dict.fromkeys(binders, place))
        if binder is not None:
            inner.names[id(binder)] = one
        with inner.element(node, one):
            return inner.condition(node.condition)

    is_masked = mask is not None and base.set_type is not None
    return Fitting(base, test, mask, len(kinds) if kinds else 0, limit=base.limit,
                   set_type=base.set_type if is_masked else None, by_place=not scope.bench.located.isdisjoint(binders))


def bound(scope: Scope, each: ast.Each) -> Several:
    """The collection of a binder."""
    if isinstance(each.collection, ast.Filter):
        return filtered(scope, each.collection, each)
    return several(scope, each.collection)


def through(scope: Scope, each: ast.Each, collection: Several, body: Callable[[X, Scope], None]) -> None:
    """The body for every element, inside what the element means; where it lies is known there if it matters."""
    if id(each) in scope.bench.located:
        collection.each_spot(scope, lambda one, place: body(one, within(scope, each, one, place)))
    else:
        collection.each(scope, lambda one: body(one, within(scope, each, one)))


def within(scope: Scope, each: ast.Node, value: X, place: X | None = None) -> Scope:
    inner = scope.inner()
    if place is not None:
        inner.spots[id(each)] = place
    inner.names[id(each)] = value
    inner.elements.append((id(each), value, None))
    return inner


# ---- lists


def list_of(scope: Scope, node: ast.Aggregate) -> Several:
    if by_place(scope, node):
        return list_of_components(scope, node)
    collection, levels = bound(scope, node.each), list_values.depth_of(scope, node.body)
    found = listed_through(scope, node, collection) if id(node.each) in scope.bench.located else listed(
        scope, collection, lambda one: as_number(item_at_scale(within(scope, node.each, one), node.body))
    )
    if node.distinct:
        found = listed(scope, Different(found, levels, limit=found.limit))
    if node.word == "sorted":
        sort_listed(scope, found, levels=levels)
    found.low, found.high = bounds(scope.plan, scope.bench.type_of(node.body))
    return found


def listed_through(scope: Scope, node: ast.Aggregate, collection: Several) -> Listed:
    """The values of the body, where it asks where the elements lie."""
    lines, items = scope.lines, room_for(scope, collection.limit)
    amount = lines.variable(number(0), "n")

    def note(_one: X, inner: Scope) -> None:
        lines.store(items, as_number(item_at_scale(inner, node.body)), amount)
        lines.add_to(amount, number(1))

    through(scope, node.each, collection, note)
    return Listed(items, amount, limit=collection.limit)


def best_key(scope: Scope, node: ast.Best, collection: Several) -> tuple[X, X, X]:
    """The best key, the first that has it, and whether there is any."""
    lines = scope.lines
    best, first, some = lines.variable(number(0), "n"), lines.variable(number(0), "f"), lines.variable(NO, "f")

    def look(one: X, place: X | None = None) -> None:
        one = lines.kept(one)
        key = lines.kept(within(scope, node.each, one, place).exact(node.key))
        better = list_values.is_better(scope, list_values.depth_of(scope, node.key), node.direction, key, best)
        with lines.when(logic("or", inverted(some), better)):
            lines.set(best, key)
            lines.set(first, as_number(one))
            lines.set(some, YES)

    if id(node.each) in scope.bench.located:
        collection.each_spot(scope, look)
    else:
        collection.each(scope, look)
    return best, first, some


def those(scope: Scope, node: ast.Best) -> Several:
    collection = bound(scope, node.each)
    best, _, _ = best_key(scope, node, collection)
    best, kept = scope.lines.kept(best), scope.inner()

    def test(now: Scope, one: X, place: X | None = None) -> X:
        outer = Scope(now.plan, now.lines, kept.player, kept.names, kept.elements, kept.spots)
        key = within(outer, node.each, one, place).exact(node.key)
        return list_values.are_same(now, list_values.depth_of(scope, node.key), key, best)

    return Fitting(collection, test, limit=collection.limit, by_place=id(node.each) in scope.bench.located)
