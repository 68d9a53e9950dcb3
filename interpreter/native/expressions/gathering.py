"""Expressions over several values: `some … has`, `sum of … over`, `the … with highest`, filters and lists."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, OrderOf
from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    YES,
    CannotCompile,
    Line,
    Value,
    as_number,
    binary,
    compare,
    constant_of,
    constant_set,
    invert,
    logic,
    number,
    set_type,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.located_names import has_equals
from rulesrun.interpreter.native.expressions import (
    boards,
    combinations,
    component_masks,
    fractions,
    kept_lists,
    lists,
    locations,
    names,
    places,
    scales,
    told_sets,
)
from rulesrun.interpreter.native.expressions.collections import (
    Collection,
    ComponentSet,
    ConstantValues,
    FilteredCollection,
    IntegerRange,
    JoinedZones,
    OrderValues,
    Seats,
    Somewhere,
    SpotBody,
    ValueList,
    WrittenValues,
    ZoneContents,
)
from rulesrun.interpreter.native.expressions.lists import DistinctValues, collect_values, list_scratch, sort_list
from rulesrun.interpreter.native.layout.plan import MOST_KINDS_IN_A_SET, Plan, Scope, type_bounds
from rulesrun.interpreter.reference.collections import MOST_ELEMENTS


def lower_collection(scope: Scope, node: core.Operand) -> Collection:
    """The collection an expression means."""
    try:
        return lower_collection_node(scope, node)
    except CannotCompile as reason:
        raise reason.with_node(node) from None


def lower_collection_node(scope: Scope, node: core.Operand) -> Collection:
    fixed = constant_collection(scope, node)
    if fixed is not None:
        return fixed
    lowered = lower_expression(scope.bench, node)
    if isinstance(lowered, core.IfElse):
        either = lower_if_else(scope, lowered)
        lying_there = partial(either_spots, scope, lowered)
        return Somewhere(either, lying_there, limit=either.limit) if by_place(scope, node) else either
    for find_named in (
        boards.line_named, told_sets.set_named, locations.locate_named_several, locations.locate_combined
    ):
        named = find_named(scope, node)
        if named is not None:
            return named
    if lists.is_list_handle(scope, node):
        return lists.heap_list(scope, scope.lower_value(node))
    if isinstance(lowered, core.Form):
        return lower_listing_form(scope, lowered)
    return lower_listing_operation(scope, lowered)


def lower_listing_form(scope: Scope, form: core.Form) -> Collection:
    match form:
        case core.Filter():
            return lower_filter(scope, form)
        case core.Joined(_, parts):
            zones = tuple(zone_of_joined(scope, part) for part in parts)
            kind = zones[0].set_type if all(one.set_type == zones[0].set_type for one in zones) else None
            return JoinedZones(zones, limit=sum(one.limit for one in zones), set_type=kind)
        case core.Combinations():
            return combinations.lower_combinations(scope, form)
        case core.Range(_, low, high):
            return lower_range(scope, low, high)
        case core.SetOf(_, items):
            return written_set(scope, form.node, items)
        case core.Aggregate(word="list" | "sorted"):
            return lower_list(scope, form)
        case core.Best(word="those"):
            return lower_those(scope, form)
        case core.Before(kept) if id(kept) in scope.plan.lists:
            return lists.heap_list(scope, kept_lists.recalled(scope, scope.plan.lists[id(kept)]))
        case core.Before(_, value):
            items, length, limit = scope.plan.made[("before", id(value))]
            return ValueList(items, scope.lines.bind(scope.lines.load(length)), limit=limit)
        case _:
            raise CannotCompile(message("a collection of this form is not compiled"))


def zone_contents(plan: Plan, room: core.Room, index: Value) -> ZoneContents:
    """What lies in this instance of a zone."""
    store = plan.stores[id(room.declaration)]
    limit = sum(store.kinds.copies) if store.shape == "bag" else store.capacity
    return ZoneContents(store, index, limit=limit, set_type=store.set_type if store.shape == "bits" else None)


def lower_listing_operation(scope: Scope, operation: core.Operation) -> Collection:
    match operation:
        case core.Contents(room=ZoneRoom() as room):
            return zone_contents(scope.plan, room, scope.lines.bind(places.place_index(scope, operation)))
        case core.Contents(room=VariableRoom() as room):
            return lower_order_variable(scope, operation, room)
        case core.Opponents():
            return Seats(scope.bench.players, scope.player, limit=scope.bench.players - 1)
        case core.Definition():
            return lower_collection(locations.definition_scope(scope, operation), operation.body)
        case core.Register(_, core.Choice() as choice) if choice.count is not None:
            chosen = combinations.selected_values(scope, choice)
            return locations.locate_selection(scope, choice, chosen) if id(choice) in scope.bench.located else chosen
        case core.PlacesNear():
            return boards.lower_places_near(scope, operation)
        case core.PlacesBetween():
            return boards.lower_places_between(scope, operation)
        case core.Connected():
            return boards.lower_connected(scope, operation)
        case core.Lines():
            return boards.lower_lines(scope, operation)
        case core.Fold(word="list" | "sorted"):
            return lower_whole_list(scope, operation)
        case core.ForPlayer(_, subject, owner):
            return lower_collection(scope.for_player(scope.lines.bind(places.lower_player(scope, owner))), subject)
        case _:
            raise CannotCompile(message("a collection of this name is not compiled"))


def zone_of_joined(scope: Scope, part: core.Operand) -> ZoneContents:
    found = lower_collection(scope, part)
    assert isinstance(found, ZoneContents)
    return found


# ---- where the elements lie


def by_place(scope: Scope, node: core.Operand) -> bool:
    """Whether it may matter which of equal components these are."""
    return has_equals(scope.bench, node)


def either_spots(scope: Scope, asked: core.IfElse, inner: Scope, body: SpotBody) -> None:
    with inner.lines.when(scope.lower_condition(asked.condition)) as line:
        lower_collection(scope, asked.then).for_each_located(inner, body)
    with inner.lines.otherwise(line):
        lower_collection(scope, asked.otherwise).for_each_located(inner, body)


def written_set(scope: Scope, node: core.Operand, items: tuple[core.Literal, ...]) -> Collection:
    found = WrittenValues(tuple(lower_written_item(scope, node, item) for item in items), limit=len(items))
    if not by_place(scope, node):
        return found
    wheres = [scope.lines.bind(locations.locate_component(scope, item.node)) for item in items]

    def spots(_scope: Scope, body: SpotBody) -> None:
        for value, where in zip(found.values, wheres, strict=True):
            body(value, where)

    return Somewhere(found, spots, limit=found.limit)


def listed_where_they_lie(
    scope: Scope, collection: Collection, body: Callable[[Value, Value], tuple[Value, Value]]
) -> ValueList:
    """What the body gives for each: a component, and where that one lies."""
    lines, items, wheres = scope.lines, list_scratch(scope, collection.limit), list_scratch(scope, collection.limit)
    amount = lines.variable(number(0), "n")

    def note(one: Value, place: Value) -> None:
        value, where = body(one, place)
        lines.store(items, as_number(value), amount)
        lines.store(wheres, where, amount)
        lines.add_to(amount, number(1))

    collection.for_each_located(scope, note)
    return ValueList(items, amount, limit=collection.limit, where=wheres)


def list_of_components(scope: Scope, asked: core.Aggregate) -> ValueList:
    """A list of components of which it matters where they lie."""
    collection = lower_binder(scope, asked.each)

    def found_for(one: Value, place: Value) -> tuple[Value, Value]:
        inner = element_scope(scope, asked.each, scope.lines.bind(one), place)
        value = scope.lines.bind(as_number(inner.lower_value(asked.body)))
        return value, scope.lines.bind(locations.locate_component(inner, asked.body))

    found = listed_where_they_lie(scope, collection, found_for)
    if asked.distinct:
        found = first_of_every_kind(scope, found)
    if asked.word == "sorted":
        sort_where_they_lie(scope, found)
    found.low, found.high = type_bounds(scope.plan, scope.bench.type_of(asked.body))
    return found


def first_of_every_kind(scope: Scope, several: ValueList) -> ValueList:
    lines, where = scope.lines, several.where
    assert where is not None
    items, wheres, amount = several.items, where, lines.variable(number(0), "n")

    def keep(at: Value) -> None:
        one, is_new = lines.bind(lines.load(items, at)), lines.variable(YES, "f")

        def visit(earlier: Value) -> None:
            with lines.when(compare("=", lines.load(items, earlier), one)):
                lines.set(is_new, NO)

        lines.for_range(number(0), binary("sub", amount, number(1)), visit)
        with lines.when(is_new):
            lines.store(wheres, lines.load(wheres, at), amount)
            lines.store(items, one, amount)
            lines.add_to(amount, number(1))

    lines.for_range(number(0), binary("sub", several.amount, number(1)), keep)
    return ValueList(items, amount, limit=several.limit, where=wheres)


def sort_where_they_lie(scope: Scope, several: ValueList) -> None:
    assert several.where is not None
    sort_list(scope, several, beside=(ValueList(several.where, several.amount, limit=several.limit),))


def lower_if_else(scope: Scope, asked: core.IfElse) -> Collection:
    """Sets of components that are all different stay sets of bits."""
    lines, kinds = scope.lines, element_kinds(scope, asked.node)
    if kinds is None or len(kinds) > MOST_KINDS_IN_A_SET:
        return lists.heap_list(scope, scope.lower_value(asked.node))
    test = scope.lower_condition(asked.condition)
    fixed = constant_of(test)
    if fixed is not None:
        return lower_collection(scope, asked.then if fixed else asked.otherwise)
    test, kind, found = lines.bind(test), set_type(len(kinds)), []
    for branch in (asked.then, asked.otherwise):
        written: list[Line] = []
        with lines.writing_into(written):
            found.append((written, lower_members(scope, branch)))
    (first, one), (second, other) = found
    if one is None or other is None or one.type != kind or other.type != kind:
        return lists.heap_list(scope, scope.lower_value(asked.node))
    answer = lines.variable(constant_set(kind, 0), "m")
    with lines.when(test) as line:
        lines.lines.extend(first)
        lines.set(answer, one)
    with lines.otherwise(line):
        lines.lines.extend(second)
        lines.set(answer, other)
    return ComponentSet(lines.bind(answer, "m"), len(kinds), limit=len(kinds), set_type=kind)


def lower_members(scope: Scope, node: core.Operand) -> Value | None:
    return lower_collection(scope, node).members(scope)


def constant_collection(scope: Scope, node: core.Operand) -> Collection | None:
    ready = scope.bench.ready.get(id(node))
    if ready is None or not ready[1].is_constant:
        return None
    values = ready[1].value
    if not isinstance(values, (tuple, range)) or not all(isinstance(one, int) for one in values):
        return None
    kinds = element_kinds(scope, node)
    is_set = kinds is not None and len(kinds) <= 256
    return ConstantValues(tuple(int(one) for one in values), limit=len(values),
                 set_type=set_type(len(kinds)) if kinds is not None and is_set else None)


def element_kinds(scope: Scope, node: core.Operand) -> Kinds | None:
    found = scope.bench.type_of(node)
    item = found.item if isinstance(found, CollectionOf) else None
    if not isinstance(item, ComponentOf):
        return None
    return scope.bench.kinds_called(item.kind)


def lower_list_item(scope: Scope, node: core.Operand) -> Value:
    """An element of a list, which may be `nothing`; a fraction at the scale of its expression."""
    is_fraction = scales.scale_of(scope.plan, node) != 1 and not lists.list_depth_of(scope, node)
    return scope.lower_exact(node) if is_fraction else scope.lower_value(node)


def lower_written_item(scope: Scope, node: core.Operand, item: core.Literal) -> Value:
    """An element in braces; where one of them may be a fraction, all are so many times as large."""
    scale = scales.scale_of(scope.plan, node)
    if scale == 1:
        return names.lower_literal(scope, item)
    part, own = item.parts[0], scales.scale_of(scope.plan, item.parts[0])
    if lists.list_depth_of(scope, part):
        return fractions.list_at_scale(scope, part, scale)
    return scope.lines.bind(binary("mul", as_number(lower_list_item(scope, part)), number(scale // own)))


def lower_range(scope: Scope, low: core.Operand, high: core.Operand) -> Collection:
    first, last = scope.lines.bind(scope.lower_needed(low)), scope.lines.bind(scope.lower_needed(high))
    if first.low is not None and last.high is not None and last.high - first.low <= MOST_ELEMENTS:
        return IntegerRange(first, last, limit=max(last.high - first.low + 1, 0))
    too_long = scope.lines.bind(compare(">", binary("sub", last, first), number(MOST_ELEMENTS)))
    scope.emit_fault_if(too_long, "too-many-values", high)
    last = scope.lines.bind(Value("select", NUMBER, (too_long, first, last)))
    return IntegerRange(first, last, limit=MOST_ELEMENTS + 1)


def lower_whole_list(scope: Scope, asked: core.Fold) -> Collection:
    """`sorted of x`, `list of x`."""
    if by_place(scope, asked.node):
        several = lower_collection(scope, asked.collection)
        lying_there = listed_where_they_lie(scope, several, lambda one, place: (one, place))
        if asked.word == "sorted":
            sort_where_they_lie(scope, lying_there)
        return lying_there
    found = collect_values(scope, lower_collection(scope, asked.collection))
    if asked.word == "sorted":
        sort_list(scope, found, levels=lists.list_depth_of(scope, asked.node) - 1)
    return found


def lower_order_variable(scope: Scope, place: core.Contents, room: VariableRoom) -> Collection:
    if room.holds_order and room.is_optional:
        return lists.heap_list(scope, scope.lower_value(place.node))
    if not isinstance(scope.bench.type_of(place.node), OrderOf):
        raise CannotCompile(message("several values are needed here, but there is a variable"))
    length = len(scope.bench.blank[room.base])
    base = binary("mul", places.place_index(scope, place), number(length))
    return OrderValues(scope.plan.variables[id(room.declaration)], scope.lines.bind(base), limit=length)


# ---- filters and binders


def lower_filter(scope: Scope, asked: core.Filter, binder: core.Each | None = None) -> Collection:
    """Those for which the condition holds; it may speak of the name of the binder outside, too."""
    inner = lower_expression(scope.bench, asked.collection)
    base = (
        lower_filter(scope, inner, binder)
        if isinstance(inner, core.Filter)
        else lower_collection(scope, asked.collection)
    )
    if isinstance(base, combinations.Combinations):
        return base.with_test(lower_test_of_set(scope, asked, binder))
    kinds, binders = element_kinds(scope, asked.node), {id(one) for one in (asked.binder, binder) if one is not None}
    own = component_masks.element_values(kinds, *binders) if kinds is not None else {}
    found = component_masks.find_mask(scope, asked.condition, own, kinds) if base.set_type and kinds else None
    members = base.members(scope) if found is not None else None
    if found is not None and members is not None:
        members = scope.lines.bind(found.among(scope, members), "m")
    kept = scope.inner_scope()

    def test(now: Scope, one: Value, place: Value | None = None) -> Value:
        inner = kept.copy_at(now)
        if place is not None:
            inner.spots.update(dict.fromkeys(binders, place))
        if binder is not None:
            inner.names[id(binder)] = one
        with inner.element(asked.binder, one):
            return inner.lower_condition(asked.condition)

    is_exact = members is not None and found is not None and found.is_exact
    return FilteredCollection(
        base, test, members, is_exact, len(kinds) if kinds else 0, limit=base.limit,
        set_type=base.set_type if is_exact else None, by_place=not scope.bench.located.isdisjoint(binders),
    )


def lower_test_of_set(scope: Scope, asked: core.Filter, binder: core.Each | None) -> combinations.Looked:
    """What a combination must satisfy."""
    kept = scope.inner_scope()

    def test(now: Scope, chosen: Collection) -> Value:
        inner = combinations.set_scope(kept.copy_at(now), asked.binder, chosen)
        if binder is not None:
            inner.sets[id(binder)] = chosen
        return inner.lower_condition(asked.condition)

    return test


def lower_binder(scope: Scope, each: core.Each) -> Collection:
    """The collection of a binder."""
    filtered = lower_expression(scope.bench, each.collection)
    if isinstance(filtered, core.Filter):
        return lower_filter(scope, filtered, each)
    return lower_collection(scope, each.collection)


def for_each_element(
    scope: Scope, each: core.Each, collection: Collection, body: Callable[[Value, Scope], None], frees: bool = True
) -> None:
    """The body for every element, inside what the element means; where it lies is known there if it matters. `frees`:
    the lists that are made for an element are not needed afterwards."""
    if isinstance(collection, combinations.Combinations):
        collection.for_each_set(
            scope, lambda chosen: body(number(0), combinations.set_scope(scope, each, chosen)), frees
        )
        return
    if id(each) in scope.bench.located:
        collection.for_each_located(scope, lambda one, place: body(one, element_scope(scope, each, one, place)))
    else:
        collection.for_each(scope, lambda one: body(one, element_scope(scope, each, one)))


def element_scope(scope: Scope, each: Located, value: Value, place: Value | None = None) -> Scope:
    inner = scope.inner_scope()
    if place is not None:
        inner.spots[id(each)] = place
    inner.names[id(each)] = value
    inner.elements.append((id(each), value, None))
    return inner


# ---- lists


def lower_list(scope: Scope, asked: core.Aggregate) -> Collection:
    if by_place(scope, asked.node):
        return list_of_components(scope, asked)
    collection, levels = lower_binder(scope, asked.each), lists.list_depth_of(scope, asked.body)
    by_element = id(asked.each) in scope.bench.located or isinstance(collection, combinations.Combinations)
    found = collect_located(scope, asked, collection) if by_element else collect_values(
        scope, collection, lambda one: as_number(lower_list_item(element_scope(scope, asked.each, one), asked.body))
    )
    if asked.distinct:
        found = collect_values(scope, DistinctValues(found, levels, limit=found.limit))
    if asked.word == "sorted":
        sort_list(scope, found, levels=levels)
    found.low, found.high = type_bounds(scope.plan, scope.bench.type_of(asked.body))
    return found


def collect_located(scope: Scope, asked: core.Aggregate, collection: Collection) -> ValueList:
    """The values of the body, where it asks where the elements lie."""
    lines, items = scope.lines, list_scratch(scope, collection.limit)
    amount = lines.variable(number(0), "n")

    def note(_one: Value, inner: Scope) -> None:
        lines.store(items, as_number(lower_list_item(inner, asked.body)), amount)
        lines.add_to(amount, number(1))

    for_each_element(scope, asked.each, collection, note, frees=not lists.list_depth_of(scope, asked.body))
    return ValueList(items, amount, limit=collection.limit)


def lower_best_key(scope: Scope, asked: core.Best, collection: Collection) -> tuple[Value, Value, Value]:
    """The best key, the first that has it, and whether there is any."""
    lines, levels = scope.lines, lists.list_depth_of(scope, asked.key)
    if isinstance(collection, combinations.Combinations):
        return combinations.best_combination(
            scope, asked.each, collection, lambda inner: inner.lower_exact(asked.key),
            lambda one, other: lists.is_better(scope, levels, asked.direction, one, other), not levels,
        )
    best, first, some = lines.variable(number(0), "n"), lines.variable(number(0), "f"), lines.variable(NO, "f")

    def visit(one: Value, place: Value | None = None) -> None:
        one = lines.bind(one)
        key = lines.bind(element_scope(scope, asked.each, one, place).lower_exact(asked.key))
        better = lists.is_better(scope, levels, asked.direction, key, best)
        with lines.when(logic("or", invert(some), better)):
            lines.set(best, key)
            lines.set(first, as_number(one))
            lines.set(some, YES)

    if id(asked.each) in scope.bench.located:
        collection.for_each_located(scope, visit)
    else:
        collection.for_each(scope, visit)
    return best, first, some


def lower_those(scope: Scope, asked: core.Best) -> Collection:
    collection = lower_binder(scope, asked.each)
    best, _, _ = lower_best_key(scope, asked, collection)
    best, kept = scope.lines.bind(best), scope.inner_scope()
    if isinstance(collection, combinations.Combinations):
        return collection.with_test(lambda now, chosen: lists.are_equal(
            now, lists.list_depth_of(scope, asked.key),
            combinations.set_scope(kept.copy_at(now), asked.each, chosen).lower_exact(asked.key), best,
        ))

    def test(now: Scope, one: Value, place: Value | None = None) -> Value:
        key = element_scope(kept.copy_at(now), asked.each, one, place).lower_exact(asked.key)
        return lists.are_equal(now, lists.list_depth_of(scope, asked.key), key, best)

    return FilteredCollection(collection, test, limit=collection.limit, by_place=id(asked.each) in scope.bench.located)
