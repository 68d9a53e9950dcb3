"""Where the components lie that an expression means, in machine code, as `model.locations` says it.

A place is one number: which store, which of its instances, where in it. In a row that is the place from the beginning;
without order the kind and, but for the mixed part of a pile, which of the equal ones. Places are kept as long as they
are needed (`model.followed_names`), and told of what moves meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.form.form import (
    NO,
    NOTHING,
    TRUTH,
    YES,
    CannotCompile,
    Field,
    Value,
    as_number,
    binary,
    compare,
    invert,
    logic,
    narrow,
    number,
)
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.followed_names import FollowedStatements, find_followed_statements
from rulesrun.interpreter.model.located_names import (
    ComponentName,
    find_component_kinds,
    find_element,
    has_equals,
    list_component_names,
)
from rulesrun.interpreter.model.location_updates import MOST_HELD
from rulesrun.interpreter.model.locations import find_choice_source, find_combined, pile_behind
from rulesrun.interpreter.native.expressions import combinations, gathering, lists, places, told_sets
from rulesrun.interpreter.native.expressions.collections import Collection, Everywhere, ValueList, ZoneContents
from rulesrun.interpreter.native.expressions.lists import collect_values, list_scratch, sort_list
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.containers import INSTANCE, KIND, NOWHERE, first_place, parts_of
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store, call_for_player, position_function
from rulesrun.interpreter.reference.moves import find_origin

HELD = 1 << 60  # with the number of what is on its way

# ---- one place


def locate_component(scope: Scope, node: core.Operand) -> Value:
    """Where the component lies that an expression means; `NOWHERE` where it is only named."""
    marker = marker_of(scope, node)
    if marker is not None:
        return scope.lines.bind(scope.lines.load(marker.now, places.instance_index(scope, node)))
    lowered = lower_expression(scope.bench, node)
    match lowered:
        case core.Literal(_, parts) if len(parts) == 1:
            return locate_component(scope, parts[0])
        case core.ItemAt(_, position, collection):
            return locate_item(scope, scope.lower_collection(collection), scope.lower_needed(position))
        case core.EndOf(_, _, collection):
            several = scope.lower_collection(collection)
            return locate_last(scope, several) if lowered.index else locate_item(scope, several, number(1))
        case core.Best(word="the"):
            return locate_best(scope, lowered)
        case core.IfElse(_, condition, then, otherwise):
            return locate_if_else(scope, condition, then, otherwise)
        case core.Element(_, binder) if binder is not None:
            innermost = scope.elements[-1][0] if scope.elements else 0
            return scope.spots.get(id(binder) if id(binder) in scope.spots else innermost, number(NOWHERE))
        case core.Register(_, binder):
            return locate_register(scope, node, binder)
        case core.Definition():
            return locate_component(definition_scope(scope, lowered), lowered.body)
        case core.ForPlayer(_, subject, owner) if isinstance(lower_expression(scope.bench, subject), core.Definition):
            return locate_component(scope.for_player(scope.lines.bind(places.lower_player(scope, owner))), subject)
        case _:
            return number(NOWHERE)


def locate_item(scope: Scope, collection: Collection, which: Value) -> Value:
    """Of the k-th, from 1."""
    lines = scope.lines
    found, left = lines.variable(number(NOWHERE), "p"), lines.variable(which, "n")
    with lines.block() as done:
        def visit(_one: Value, place: Value) -> None:
            lines.add_to(left, number(-1))
            with lines.when(compare("<=", left, number(0))):
                lines.set(found, place)
                lines.leave(done)

        collection.for_each_located(scope, visit)
    return found


def locate_last(scope: Scope, collection: Collection) -> Value:
    lines = scope.lines
    if isinstance(collection, ZoneContents) and collection.store.shape == "row":
        length = containers.length_of(scope, collection.store, collection.index)
        first = first_place(scope, collection.store, collection.index)
        return lines.bind(binary("add", first, binary("sub", length, number(1))))
    found = lines.variable(number(NOWHERE), "p")
    collection.for_each_located(scope, lambda _one, place: lines.set(found, place))
    return found


def locate_best(scope: Scope, asked: core.Best) -> Value:
    lines = scope.lines
    best, found, some = lines.variable(number(0), "n"), lines.variable(number(NOWHERE), "p"), lines.variable(NO, "f")

    def visit(one: Value, place: Value) -> None:
        one = lines.bind(one)
        key = lines.bind(gathering.element_scope(scope, asked.each, one, place).lower_exact(asked.key))
        better = lists.is_better(scope, lists.list_depth_of(scope, asked.key), asked.direction, key, best)
        with lines.when(logic("or", invert(some), better)):
            lines.set(best, key)
            lines.set(found, place)
            lines.set(some, YES)

    gathering.lower_binder(scope, asked.each).for_each_located(scope, visit)
    return found


def locate_if_else(scope: Scope, condition: core.Operand, then: core.Operand, otherwise: core.Operand) -> Value:
    lines = scope.lines
    found = lines.variable(number(NOWHERE), "p")
    with lines.when(scope.lower_condition(condition)) as line:
        lines.set(found, locate_component(scope, then))
    with lines.otherwise(line):
        lines.set(found, locate_component(scope, otherwise))
    return found


def locate_register(scope: Scope, node: core.Operand, meaning: Located) -> Value:
    if id(meaning) in scope.spots:
        return scope.spots[id(meaning)]
    if isinstance(meaning, (core.Each, core.Deal, core.Choice)) and id(meaning) not in scope.names:
        kept = followed_places_of(scope.plan, meaning)
        if kept is not None:
            return scope.lines.bind(scope.lines.load(kept.now))
    if not isinstance(meaning, core.Choice):
        return number(NOWHERE)
    domain = find_choice_source(scope.bench, meaning)
    if domain is None:
        return number(NOWHERE)
    return locate_first_of_kind(
        scope, scope.lower_collection(domain), scope.lines.bind(as_number(scope.lower_value(node)))
    )


def locate_first_of_kind(scope: Scope, collection: Collection, kind: Value) -> Value:
    lines = scope.lines
    found = lines.variable(number(NOWHERE), "p")
    with lines.block() as done:
        def visit(one: Value, place: Value) -> None:
            with lines.when(compare("=", one, kind)):
                lines.set(found, place)
                lines.leave(done)

        collection.for_each_located(scope, visit)
    return found


def definition_scope(scope: Scope, called: core.Definition) -> Scope:
    """The body of a definition, written where it is asked: where its arguments lie is known inside."""
    inner = Scope(scope.plan, scope.lines, scope.player)
    for parameter, argument in zip(called.parameters, called.arguments, strict=True):
        if parameter.is_set:
            bind_set(scope, inner, parameter, argument)
            continue
        inner.names[id(parameter)] = scope.lines.bind(as_number(scope.lower_value(argument)))
        if id(parameter) in scope.bench.located:
            inner.spots[id(parameter)] = scope.lines.bind(locate_component(scope, argument))
    return inner


def bind_set(scope: Scope, inner: Scope, parameter: core.Parameter, argument: core.Operand) -> None:
    """What a parameter is told, and where each of them lies if that matters."""
    if id(parameter) not in scope.bench.located:
        told_sets.bind_told(inner, parameter, told_sets.told_value(scope, parameter, argument))
        return
    told = gathering.listed_where_they_lie(scope, scope.lower_collection(argument), lambda one, place: (one, place))
    gathering.sort_where_they_lie(scope, told)
    inner.sets[id(parameter)] = told


def lower_position(scope: Scope, asked: core.PositionOf) -> Value:
    """The place of the component where it lies there; else that of the first equal one."""
    lines = scope.lines
    wanted = lines.bind(as_number(scope.lower_value(asked.item)))
    where = lines.bind(locate_component(scope, asked.item))
    at, found = lines.variable(number(0), "i"), lines.variable(number(0), "f")
    with lines.block() as done:
        def visit(one: Value, place: Value) -> None:
            lines.add_to(at, number(1))
            is_it = logic("and", compare("is not", where, number(NOWHERE)), compare("=", place, where))
            with lines.when(is_it):
                lines.set(found, at)
                lines.leave(done)
            is_first = logic("and", compare("=", found, number(0)), compare("=", as_number(one), wanted))
            with lines.when(is_first):
                lines.set(found, at)

        scope.lower_collection(asked.collection).for_each_located(scope, visit)
    place_is_known(scope, asked, found)
    return found


# ---- what nobody has drawn yet


def unordered_part(scope: Scope, collection: core.Operand) -> Store | None:
    """Of the shuffled pile whose order a collection has."""
    room = pile_behind(scope.bench, collection)
    return scope.plan.stores[id(room.declaration)].inner if room is not None else None


def item_is_known(scope: Scope, collection: core.Operand, several: Collection, which: Value, node: Located) -> None:
    """A fault where the k-th, from 1, is one of several different ones of which nobody knows the order."""
    part = unordered_part(scope, collection)
    if part is None:
        return
    lines = scope.lines
    at, kind, others = lines.variable(number(0), "i"), lines.variable(number(NOTHING), "k"), lines.variable(NO, "f")

    def find(one: Value, place: Value) -> None:
        lines.add_to(at, number(1))
        with lines.when(logic("and", compare("=", at, which), lies_in(scope, part, place))):
            lines.set(kind, as_number(one))

    def visit(one: Value, place: Value) -> None:
        with lines.when(logic("and", compare("is not", one, kind), lies_in(scope, part, place))):
            lines.set(others, YES)

    several.for_each_located(scope, find)
    with lines.when(compare("is not", kind, number(NOTHING))):
        several.for_each_located(scope, visit)
        scope.emit_fault_if(others, "not-known-yet", node)


def place_is_known(scope: Scope, asked: core.PositionOf, found: Value) -> None:
    """A fault where the component stands at this place, from 1, among others of which nobody knows the order."""
    part = unordered_part(scope, asked.collection)
    if part is None:
        return
    lines, several = scope.lines, scope.lower_collection(asked.collection)
    at, mixed, is_one = lines.variable(number(0), "i"), lines.variable(number(0), "n"), lines.variable(NO, "f")

    def visit(_one: Value, place: Value) -> None:
        lines.add_to(at, number(1))
        with lines.when(lies_in(scope, part, place)):
            lines.add_to(mixed, number(1))
            with lines.when(compare("=", at, found)):
                lines.set(is_one, YES)

    several.for_each_located(scope, visit)
    scope.emit_fault_if(logic("and", is_one, compare(">", mixed, number(1))), "not-known-yet", asked.node)


def lies_in(scope: Scope, part: Store, place: Value) -> Value:
    first, end = first_place(scope, part, number(0)), first_place(scope, part, number(part.amount))
    return logic("and", compare(">=", place, first), compare("<", place, end))


# ---- what is followed


@frozen(eq=False)
class Ahead:
    """Places of components that are still to come, and of several that were chosen at once."""

    places: Field
    amount: Field
    gone: Field  # how many a loop has come to


@frozen(eq=False)
class FollowedPlaces:
    """Where the component of a name lies, of a marker that of every instance."""

    now: Field
    several: Ahead | None

    @property
    def fields(self) -> list[Field]:
        several = self.several
        return [self.now, *([several.places, several.amount, several.gone] if several is not None else [])]


def is_followed_during(plan: Plan, node: Located) -> bool:
    """Whether some component is followed while this statement moves others."""
    found = followed_statements(plan)
    return found.always or id(node) in found.statements


def followed_statements(plan: Plan) -> FollowedStatements:
    if "watched" not in plan.made:
        plan.made["watched"] = find_followed_statements(plan.bench, plan.table.flow)
    found: FollowedStatements = plan.made["watched"]
    return found


def all_followed_places(plan: Plan) -> dict[int, FollowedPlaces]:
    """By the id of what means them."""
    if "followed" not in plan.made:
        found = plan.made["followed"] = {}
        for one in list_component_names(plan.bench):
            if is_followed(plan, one):
                found[id(one.binder)] = room_to_follow(plan, one)
    known_: dict[int, FollowedPlaces] = plan.made["followed"]
    return known_


def room_to_follow(plan: Plan, named: ComponentName) -> FollowedPlaces:
    if named.marker is not None:
        return FollowedPlaces(plan.add_field("marked", 64, named.marker.amount, NOWHERE), None)
    room = plan.add_field if plan.keeps_places or followed_statements(plan).always else plan.add_scratch
    several = None
    if named.is_several:
        most = max((sum(kinds.copies) for kinds in plan.bench.kinds.values()), default=0) + 1
        names = (("followed", most), ("many followed", 1), ("gone through", 1))
        several = Ahead(*(room(name, 64, amount) for name, amount in names))
    return FollowedPlaces(room("followed now", 64), several)


def is_followed(plan: Plan, named: ComponentName) -> bool:
    if named.is_choice:
        return id(named.binder) in followed_statements(plan).choices
    return id(named.binder) in (plan.bench.marked if named.marker is not None else plan.bench.located)


def marker_of(scope: Scope, node: core.Operand) -> FollowedPlaces | None:
    """Of a marker that remembers where its component lies."""
    room = places.room_of(scope, node)
    return followed_places_of(scope.plan, room.declaration) if isinstance(room, VariableRoom) else None


def mark(scope: Scope, target: core.Operand, place: Value) -> None:
    """Where the component lies that a marker is put on."""
    marker = marker_of(scope, target)
    if marker is not None:
        scope.lines.store(marker.now, place, scope.lines.bind(places.instance_index(scope, target)))


def unmark(plan: Plan, lines: Lines, variable: Located) -> None:
    """A marker goes back to its start: nothing is known of where its component lies."""
    marker = followed_places_of(plan, variable)
    if marker is not None:
        last = number(marker.now.amount - 1)
        lines.for_range(number(0), last, lambda at: lines.store(marker.now, number(NOWHERE), at))


def followed_fields(plan: Plan, meanings: Iterable[Located]) -> list[Field]:
    """Where the components of these names are kept."""
    kept = [followed_places_of(plan, one) for one in meanings]
    return [place for one in kept if one is not None for place in one.fields]


def lists_followed(plan: Plan) -> list[tuple[Field, Field, Field]]:
    """As the values of an `each`: what is to come, how far it has come, how many there are; where that belongs to a
    position."""
    several = [kept.several for kept in all_followed_places(plan).values() if kept.several is not None]
    return [(one.places, one.gone, one.amount) for one in several if one.places.at < plan.size]


def slots_followed(plan: Plan) -> dict[str, tuple[int, ...]]:
    """By the name of a field: in which slots the reference keeps the same."""
    bench, found = plan.bench, dict[str, tuple[int, ...]]()
    ahead: dict[int, list[int]] = {}
    for node, what, slots in plan.table.flow.registers:
        element = find_element(bench, node) if what == "each" else None
        if element is not None:
            ahead.setdefault(id(element), []).append(slots[0])
    for meaning, kept in all_followed_places(plan).items():
        if meaning in bench.marked:
            first = bench.marked[meaning]
            found[kept.now.name] = tuple(range(first, first + kept.now.amount))
            continue
        where = (bench.wheres[bench.registers[meaning]],) if meaning in bench.registers else ()
        found[kept.now.name] = where
        if kept.several is not None:
            for place in kept.fields[1:]:
                found[place.name] = tuple(ahead.get(meaning, where))
    return found


def followed_places_of(plan: Plan, meaning: Located) -> FollowedPlaces | None:
    return all_followed_places(plan).get(id(meaning))


def follow_drawn(scope: Scope, draw: core.Deal, target: Store, index: Value, kind: Value) -> None:
    """What was drawn lies here now, the last of its equals or, where they are sorted, the first."""
    if id(draw) not in scope.bench.located:
        return
    kept, lines = followed_places_of(scope.plan, draw), scope.lines
    assert kept is not None
    if target.shape == "bag" and target.top is not None:
        target = target.top
    if target.sort_key is not None:
        place = locate_first_of_kind(scope, ZoneContents(target, index, limit=target.capacity), kind)
    elif target.shape == "row":
        place = locate_last(scope, ZoneContents(target, index, limit=target.capacity))
    else:
        at = binary("add", binary("mul", kind, number(KIND)), containers.amount_of(scope, target, index, kind))
        place = binary("add", first_place(scope, target, index), binary("sub", at, number(1)))
    lines.store(kept.now, place)


def follow_choices(scope: Scope, action: core.Action) -> None:
    """What was chosen is followed from here on: of equal ones the first that could be chosen."""
    inner = scope
    for choice in action.choices:
        kept = followed_places_of(scope.plan, choice) if id(choice) in scope.bench.located else None
        if choice.name.text == "player":
            inner = scope.for_player(scope.lines.bind(scope.lines.load(scope.plan.fixed_names[id(choice)])))
        if kept is not None:
            follow_choice(inner, choice, kept)


def follow_choice(scope: Scope, choice: core.Choice, kept: FollowedPlaces) -> None:
    lines, several = scope.lines, kept.several
    domain = find_choice_source(scope.bench, choice)
    assert domain is not None
    if several is None:
        kind = lines.bind(lines.load(scope.plan.fixed_names[id(choice)]))
        lines.store(kept.now, locate_first_of_kind(scope, scope.lower_collection(domain), kind))
        return
    chosen = locate_first_of_each(scope, scope.lower_collection(domain), combinations.selected_values(scope, choice))
    assert chosen.where is not None
    where = chosen.where
    lines.store(several.amount, chosen.amount)
    lines.for_range(number(0), binary("sub", chosen.amount, number(1)), lambda at: lines.store(
        several.places, lines.load(where, at), at
    ))


def update_after_take(scope: Scope, store: Store, index: Value, at: Value, kind: Value, which: Value) -> None:
    """What lay at a place is held now; what lay behind it has moved down."""
    lines = scope.lines
    first = first_place(scope, store, index)
    start = lines.bind(binary("add", first, at))
    if store.is_mixed:
        with lines.when(compare("=", containers.amount_of(scope, store, index, kind), number(0))):
            update_followed(scope, start, number(1), 0, binary("add", number(HELD), which))
        return
    end = binary("add", first, number(1 << INSTANCE))
    if store.shape != "row":
        end = binary("add", first, binary("mul", binary("add", kind, number(1)), number(KIND)))
    update_followed(scope, start, end, -1, binary("add", number(HELD), which))


def update_after_put(scope: Scope, store: Store, index: Value, at: Value, which: Value) -> None:
    """What was held lies here now; what lay here has moved up."""
    lines = scope.lines
    first = first_place(scope, store, index)
    start = lines.bind(binary("add", first, at))
    if store.shape == "row":
        update_followed(
            scope, binary("sub", start, number(1)), binary("add", first, number(1 << INSTANCE)), 1, number(0)
        )
    update_followed(scope, binary("add", number(HELD), which), number(0), 0, start)


def update_followed(scope: Scope, start: Value, end: Value, step: int, becomes: Value) -> None:
    """Every place that is followed: the one at the start becomes another, those up to the end move by a step."""
    function = position_function(
        scope.plan, ("followed change", step), "follow", ("start", "end", "becomes"), None,
        lambda inner, given: lower_update_followed(inner, given, step),
    )
    scope.lines.emit("do", call_for_player(function, scope, start, end, becomes))


def lower_update_followed(scope: Scope, given: list[Value], step: int) -> None:
    lines, (start, end, becomes) = scope.lines, given

    def change(field: Field, at: Value) -> None:
        place = lines.bind(lines.load(field, at))
        if step != 1:
            with lines.when(compare("=", place, start)):
                lines.store(field, becomes, at)
        if step:
            moved = logic("and", compare(">", place, start), compare("<", place, end))
            with lines.when(moved):
                lines.store(field, binary("add", place, number(step)), at)

    for kept in all_followed_places(scope.plan).values():
        lines.for_range(number(0), number(kept.now.amount - 1), partial(change, kept.now))
        several = kept.several
        if several is not None:
            last = binary("sub", lines.load(several.amount), number(1))
            lines.for_range(number(0), last, partial(change, several.places))


# ---- taking and putting


def take_at_place(
    scope: Scope, store: Store, index: Value, at: Value, kind: Value, which: Value, is_watched: bool
) -> None:
    """The component at this place of a store."""
    if store.shape == "row":
        containers.remove_item(scope, store, index, at)
    else:
        containers.take_kind(scope, store, index, kind)
    if is_watched:
        update_after_take(scope, store, index, at, kind, which)


def take_located(scope: Scope, kinds: Kinds, kind: Value, place: Value, which: Value, is_watched: bool) -> Value:
    """The component at a place; where none such lies there, the first anywhere. Gives whether there was one."""
    function = position_function(
        scope.plan, ("take the one", id(kinds), is_watched), f"take the {kinds.declaration.name.text}",
        ("kind", "place", "which"), TRUTH,
        lambda inner, given: lower_take_located(inner, kinds, given[0], given[1], given[2], is_watched),
    )
    return scope.lines.bind(call_for_player(function, scope, kind, place, which))


def lower_take_located(
    scope: Scope, kinds: Kinds, kind: Value, place: Value, which: Value, is_watched: bool
) -> Value:
    lines = scope.lines
    kind = narrow(kind, 0, max(len(kinds) - 1, 0))
    found = lines.variable(NO, "f")
    with lines.block() as done:
        for store in containers.stores_of(scope, kinds):
            for part in reversed(parts_of(store)):
                take_if_there(scope, part, kind, place, which, is_watched, found)
                lines.leave(done, found)
        for store in containers.stores_of(scope, kinds):
            for index in range(store.amount):
                where = lines.bind(
                    locate_first_of_kind(scope, ZoneContents(store, number(index), limit=store.capacity), kind)
                )
                with lines.when(compare("is not", where, number(NOWHERE))):
                    for part in reversed(parts_of(store)):
                        take_if_there(scope, part, kind, where, which, is_watched, found)
                    lines.leave(done)
    return found


def take_if_there(
    scope: Scope, part: Store, kind: Value, place: Value, which: Value, is_watched: bool, found: Value
) -> None:
    """Where the place is one of this store, and such a component lies there."""
    lines = scope.lines
    first = first_place(scope, part, number(0))
    last = first_place(scope, part, number(part.amount))
    with lines.when(logic("and", compare(">=", place, first), compare("<", place, last))):
        rest = lines.bind(binary("sub", place, first))
        index = lines.bind(narrow(binary("div", rest, number(1 << INSTANCE)), 0, part.amount - 1))
        at = lines.bind(narrow(binary("mod", rest, number(1 << INSTANCE)), 0, (1 << INSTANCE) - 1))
        if part.shape == "row":
            with lines.when(compare("<", at, containers.length_of(scope, part, index))):
                inside = narrow(at, 0, max(part.capacity - 1, 0))
                with lines.when(compare("=", containers.item_at(scope, part, index, inside), kind)):
                    take_at_place(scope, part, index, inside, kind, which, is_watched)
                    lines.set(found, YES)
        else:
            with lines.when(containers.holds_kind(scope, part, index, kind)):
                take_at_place(scope, part, index, at, kind, which, is_watched)
                lines.set(found, YES)


def put_located(
    scope: Scope,
    store: Store,
    index: Value,
    kind: Value,
    node: Located,
    at_bottom: bool,
    which: Value,
    is_watched: bool,
) -> None:
    if not is_watched:
        containers.put_component(scope, store, index, kind, node, at_bottom)
        return
    lines = scope.lines
    part = store
    if store.shape == "bag":
        end = store.bottom if at_bottom else store.top
        if end is None:
            raise CannotCompile(message("`{store}` was not expected to be put on", store=store.name), node)
        part = end
    before = lines.bind(number(0) if at_bottom else containers.size_of(scope, part, index))
    if part.shape != "row":
        amount = containers.amount_of(scope, part, index, kind)
        before = lines.bind(binary("add", binary("mul", kind, number(KIND)), amount))
    containers.put_component(scope, store, index, kind, node, at_bottom)
    if part.sort_key is not None:
        first = binary("sub", locate_first_of_kind(scope, ZoneContents(part, index, limit=part.capacity), kind),
                     first_place(scope, part, index))
        before = lines.bind(first)
    update_after_put(scope, part, index, before, which)


# ---- statements


def does_location_matter(scope: Scope, node: Located, taken: core.Taken) -> bool:
    """Whether it matters which of equal components is taken: not where all of a place go, nor where all that are equal
    lie side by side or without order, and nobody follows them."""
    what, bench = taken.what, scope.bench
    if not has_equals(bench, what):
        return False
    if is_followed_during(scope.plan, node) or is_followed_name(scope, what):
        return True
    if isinstance(taken, core.TakeEverywhere) or (isinstance(taken, core.TakeFrom) and not taken.is_filtered):
        return False
    origin = find_origin(bench, taken.collection if isinstance(taken, core.TakeSome) else what)
    store = places.store_of(scope, origin) if origin is not None else None
    return store is None or store.shape == "bag" or (store.shape == "row" and store.sort_key is None)


def is_followed_name(scope: Scope, what: core.Operand) -> bool:
    meaning = scope.bench.meaning(what)
    is_named = (
        isinstance(meaning, (core.Each, core.Deal, core.Choice)) and followed_places_of(scope.plan, meaning) is not None
    )
    return is_named or marker_of(scope, what) is not None


def component_kinds(scope: Scope, what: core.Operand) -> Kinds:
    found = find_component_kinds(scope.bench, what)
    assert found is not None
    return found


@frozen(eq=False)
class TakenComponents:
    """What was taken out, in the order in which it is put down, each with the number under which it is held."""

    kinds: ValueList
    numbers: ValueList

    def for_each(self, scope: Scope, body: Callable[[Value, Value], None]) -> None:
        def put_down(at: Value) -> None:
            at = scope.lines.bind(at)
            body(scope.lines.bind(self.kinds.item_at(scope, at)), scope.lines.bind(self.numbers.item_at(scope, at)))

        scope.lines.for_range(number(0), binary("sub", self.kinds.amount, number(1)), put_down)


def collect_located(scope: Scope, collection: Collection) -> tuple[ValueList, ValueList]:
    """The components, and where each of them lies."""
    lines = scope.lines
    kinds, where = list_scratch(scope, collection.limit), list_scratch(scope, collection.limit)
    amount = lines.variable(number(0), "n")

    def note(one: Value, place: Value) -> None:
        lines.store(kinds, as_number(one), amount)
        lines.store(where, place, amount)
        lines.add_to(amount, number(1))

    collection.for_each_located(scope, note)
    return ValueList(kinds, amount, limit=collection.limit), ValueList(where, amount, limit=collection.limit)


def take_in_order(
    scope: Scope, taken: core.Taken, found: tuple[ValueList, ValueList], node: Located, amount: Value
) -> TakenComponents:
    """What lies last first, so that the others stay where they are; put down in the order in which they are meant."""
    what = taken.collection if isinstance(taken, core.TakeSome) else taken.what
    lines, kinds, is_watched = scope.lines, component_kinds(scope, what), is_followed_during(scope.plan, node)
    chosen = ValueList(found[0].items, amount, 0, max(len(kinds) - 1, 0), limit=found[0].limit)
    where = ValueList(found[1].items, amount, limit=chosen.limit)
    numbers = ValueList(list_scratch(scope, chosen.limit), amount, limit=chosen.limit)
    lines.for_range(number(0), binary("sub", amount, number(1)), lambda at: lines.store(numbers.items, at, at))
    by_name = isinstance(taken, (core.TakeEverywhere, core.TakeListed))  # they may come in another order than they lie
    if by_name:
        sort_list(scope, where, beside=(chosen, numbers))
    left = lines.variable(amount, "i")
    with lines.loop() as done:
        lines.leave(done, compare("<=", left, number(0)))
        lines.add_to(left, number(-1))
        kind, place, which = (lines.bind(one.item_at(scope, left)) for one in (chosen, where, numbers))
        scope.emit_fault_if(invert(take_located(scope, kinds, kind, place, which, is_watched)), "nowhere", what)
    if by_name:
        sort_list(scope, numbers, beside=(chosen,))
    return TakenComponents(chosen, numbers)


def lower_taken(scope: Scope, taken: core.Taken, settled: Value | None) -> Collection:
    """What is taken; of a whole zone, where it is settled already which instance it is, that one."""
    if settled is not None and isinstance(taken, core.TakeFrom) and not taken.is_filtered:
        return gathering.zone_contents(scope.plan, taken.place.room, settled)
    found: Collection = scope.lower_collection(taken.what)
    return found


def take_all(
    scope: Scope, taken: core.Taken, node: Located, order: core.Order | None, settled: Value | None = None
) -> TakenComponents:
    if isinstance(taken, core.TakeEverywhere):
        fitting = scope.lower_collection(taken.what) if taken.is_filtered else None
        several: Collection = Everywhere(taken.kinds, fitting, limit=sum(taken.kinds.copies))
    else:
        several = lower_taken(scope, taken, settled)
    found = collect_located(scope, several)
    gone = take_in_order(scope, taken, found, node, scope.lines.bind(found[0].amount))
    if order is not None:
        sort_taken(scope, order, gone)
    return gone


def sort_taken(scope: Scope, order: core.Order, gone: TakenComponents) -> None:
    def key(kind: Value) -> Value:
        inner = scope.inner_scope()
        with inner.element(order, kind):
            return inner.lower_exact(order.key)

    keys = collect_values(scope, gone.kinds, key)
    levels = lists.list_depth_of(scope, order.key)
    sort_list(scope, gone.kinds, keys, order.reverse, levels, (gone.numbers,))


def locate_combined(scope: Scope, node: core.Operand) -> ValueList | None:
    """The best combination, with where each of them lies."""
    if not has_equals(scope.bench, node):
        return None
    source = find_combined(scope.bench, lower_expression(scope.bench, node))
    if source is None:
        return None
    best = lists.heap_list(scope, scope.lower_value(node))
    return locate_first_of_each(scope, scope.lower_collection(source), best)


def locate_named_several(scope: Scope, node: core.Operand) -> ValueList | None:
    """What `let`, or a step, has given one name, with where each of them lies now."""
    lowered = lower_expression(scope.bench, node)
    if not isinstance(lowered, core.Register) or id(lowered.binder) not in scope.plan.lists:
        return None
    kept = followed_places_of(scope.plan, lowered.binder)
    if kept is None or kept.several is None:
        return None
    named = collect_values(scope, lists.heap_list(scope, scope.lower_value(node)))
    named.where = kept.several.places
    return named


def locate_selection(scope: Scope, choice: core.Choice, several: Collection) -> Collection:
    """Several chosen at once, with where they lie now."""
    kept = followed_places_of(scope.plan, choice) if id(choice) not in scope.names else None
    if kept is not None and kept.several is not None and isinstance(several, ValueList):
        several.where = kept.several.places
        return several
    domain = find_choice_source(scope.bench, choice)
    return several if domain is None else locate_first_of_each(scope, scope.lower_collection(domain), several)


def locate_first_of_each(scope: Scope, collection: Collection, several: Collection) -> ValueList:
    """Of equal ones those nearest the beginning of the collection."""
    lines = scope.lines
    chosen = collect_values(scope, several)
    where = collect_values(scope, chosen, lambda _one: number(NOWHERE))

    def note(one: Value, place: Value) -> None:
        with lines.block() as done:
            def fits(at: Value) -> None:
                is_free = compare("=", where.item_at(scope, at), number(NOWHERE))
                with lines.when(logic("and", is_free, compare("=", chosen.item_at(scope, at), one))):
                    lines.store(where.items, place, at)
                    lines.leave(done)

            lines.for_range(number(0), binary("sub", chosen.amount, number(1)), fits)

    collection.for_each_located(scope, note)
    chosen.where = where.items
    return chosen


def take_some(scope: Scope, taken: core.TakeSome, node: Located) -> TakenComponents:
    """`3 of (row where …)`: the first of some that nothing tells apart."""
    wanted = scope.lines.bind(scope.lower_needed(taken.amount))
    found = collect_located(scope, scope.lower_collection(taken.collection))
    return take_in_order(scope, taken, found, node, scope.lines.bind(count_asked(scope, wanted, found[0], taken.what)))


def count_asked(scope: Scope, wanted: Value, chosen: ValueList, what: core.Operand) -> Value:
    """How many are taken: so many; none where there are too few, or where it is not said which."""
    lines, amount = scope.lines, scope.lines.variable(number(0), "n")
    with lines.block() as done:
        lines.leave(done, compare("<=", wanted, number(0)))
        too_few = compare(">", wanted, chosen.amount)
        scope.emit_fault_if(too_few, "too-few", what)
        lines.leave(done, too_few)
        with lines.when(compare("<", wanted, chosen.amount)):
            chosen.for_each(scope, lambda one: scope.emit_fault_if(
                compare("is not", one, chosen.item_at(scope, number(0))), "not-alike", what
            ))
        lines.set(amount, wanted)
    return amount


def take_single(scope: Scope, what: core.Operand, kind: Value, node: Located) -> Value:
    """The one component that is meant; gives whether there was one."""
    lines = scope.lines
    is_watched = is_followed_during(scope.plan, node)
    place = lines.bind(locate_component(scope, what))
    found = take_located(scope, component_kinds(scope, what), kind, place, number(0), is_watched)
    if is_watched:
        hold(scope, what)
    scope.emit_fault_if(invert(found), "nowhere", what)
    return found


def hold(scope: Scope, what: core.Operand) -> None:
    """Whoever meant the one that was taken follows it from here on, if it was more than named."""
    mark(scope, what, number(HELD))
    meaning = scope.bench.meaning(what)
    kept = followed_places_of(scope.plan, meaning) if isinstance(meaning, (core.Each, core.Deal, core.Choice)) else None
    if kept is not None:
        was = scope.lines.bind(scope.lines.load(kept.now))
        with scope.lines.when(compare("is not", was, number(NOWHERE))):
            scope.lines.store(kept.now, number(HELD))


def follow_into_mixed(scope: Scope, node: Located, target: Store, index: Value) -> None:
    """What is known to lie in a pile is followed into its mixed part, before it comes there."""
    if not is_followed_during(scope.plan, node):
        return
    into = target.inner if target.inner is not None else target
    for part in (target.bottom, target.top):
        if part is not None:
            containers.for_each_located(scope, part, index, lambda kind, place: update_followed(
                scope, place, number(0), 0, next_unordered_place(scope, into, index, kind)
            ))


def take_drawn(scope: Scope, part: Store, index: Value, kind: Value) -> Value:
    """One such component drawn: from a row the last, without order the first. Gives whether there was one."""
    lines = scope.lines
    if not follows_draws(scope, part):
        return containers.take_kind(scope, part, index, kind)
    found = lines.variable(NO, "f")
    if part.shape != "row":
        with lines.when(containers.holds_kind(scope, part, index, kind)):
            at = lines.bind(binary("mul", kind, number(KIND)))
            take_at_place(scope, part, index, at, kind, number(0), True)
            lines.set(found, YES)
        return found
    at = lines.variable(binary("sub", containers.length_of(scope, part, index), number(1)), "i")
    with lines.loop() as done:
        lines.leave(done, compare("<", at, number(0)))
        with lines.when(compare("=", containers.item_at(scope, part, index, at), kind)):
            take_at_place(scope, part, index, at, kind, number(0), True)
            lines.set(found, YES)
            lines.leave(done)
        lines.add_to(at, number(-1))
    return found


def follows_draws(scope: Scope, store: Store) -> bool:
    """Whether some of these components are followed while others are drawn."""
    return store.kinds.declaration.name.text in scope.bench.equals and followed_statements(scope.plan).always


def put_drawn(scope: Scope, target: Store, to: Value, kind: Value, drawn: core.Draw) -> None:
    node = drawn.node
    put_located(scope, target, to, kind, node, False, number(0), follows_draws(scope, target))
    if drawn.alias is not None:
        scope.lines.store(scope.plan.fixed_names[id(node)], kind)
        follow_drawn(scope, node, target, to, kind)


def next_unordered_place(scope: Scope, store: Store, index: Value, kind: Value) -> Value:
    """Where the next such component comes to lie without order."""
    at = binary("mul", kind, number(KIND))
    if not store.is_mixed:
        at = binary("add", at, containers.amount_of(scope, store, index, kind))
    return scope.lines.bind(binary("add", first_place(scope, store, index), at))


ForEachTaken = Callable[[Callable[[Value, Value], None]], None]
"""Goes through what was taken: every component with the number under which it is held."""


def take_moved(
    scope: Scope, node: Located, taken: core.Taken, order: core.Order | None, settled: Value | None
) -> ForEachTaken:
    if isinstance(taken, core.TakeOne):
        kind = lower_single_kind(scope, taken.what)
        found = take_single(scope, taken.what, kind, node)

        def put_single(put_down: Callable[[Value, Value], None]) -> None:
            with scope.lines.when(found):
                put_down(kind, number(0))

        return put_single
    if isinstance(taken, core.TakeSome):
        gone = take_some(scope, taken, node)
    else:
        gone = take_all(scope, taken, node, order, settled)
    return lambda put_down: gone.for_each(scope, put_down)


def put_moved(
    scope: Scope, node: Located, for_each: ForEachTaken, target: Store, to: Value, at_bottom: bool, first: int
) -> None:
    """`first`: so much was added to the numbers under which they are held."""
    is_watched = is_followed_during(scope.plan, node)

    def put_down(kind: Value, which: Value) -> None:
        held = binary("add", which, number(first)) if first else which
        put_located(scope, target, to, narrow(kind, 0, len(target.kinds) - 1), node, at_bottom, held, is_watched)

    for_each(put_down)


def raise_held(scope: Scope, node: Located) -> None:
    """More is about to be taken out: what is held already makes room for its numbers."""
    if is_followed_during(scope.plan, node):
        update_followed(scope, number(HELD - 1), number(HELD << 1), MOST_HELD, number(NOWHERE))


def lower_single_kind(scope: Scope, what: core.Operand) -> Value:
    lines = scope.lines
    kind = lines.bind(as_number(scope.lower_value(what)))
    scope.emit_fault_if(compare("=", kind, number(NOTHING)), "nothing-used", what)
    return lines.bind(narrow(binary("max", kind, number(0)), 0, len(component_kinds(scope, what)) - 1))


def take_to_mix_in(scope: Scope, node: Located, taken: core.Taken) -> TakenComponents:
    what, lines = taken.what, scope.lines
    if isinstance(taken, core.TakeOne):
        kind, amount = lower_single_kind(scope, what), lines.variable(number(0), "n")
        kinds, numbers = list_scratch(scope, 1), list_scratch(scope, 1)
        lines.store(kinds, kind)
        lines.store(numbers, number(0))
        with lines.when(take_single(scope, what, kind, node)):
            lines.set(amount, number(1))
        return TakenComponents(ValueList(kinds, amount, limit=1), ValueList(numbers, amount, limit=1))
    return take_some(scope, taken, node) if isinstance(taken, core.TakeSome) else take_all(scope, taken, node, None)


def mix_in_located(scope: Scope, node: Located, taken: TakenComponents, target: Store, index: Value) -> None:
    is_watched, into = is_followed_during(scope.plan, node), target.inner if target.inner is not None else target

    def put_in(kind: Value, which: Value) -> None:
        mix_one_in(scope, into, index, scope.lines.bind(narrow(kind, 0, len(target.kinds) - 1)), which, is_watched)

    taken.for_each(scope, put_in)


def mix_one_in(scope: Scope, into: Store, index: Value, kind: Value, which: Value, is_watched: bool) -> None:
    place = next_unordered_place(scope, into, index, kind) if is_watched else number(NOWHERE)
    containers.put_unchecked(scope, into, index, kind, False)
    if is_watched:
        update_followed(scope, binary("add", number(HELD), which), number(0), 0, place)
