"""Where the components lie that an expression means, in machine code, as `interpreter.spots` says it.

A place is one number: which store, which of its instances, where in it. In a row that is the place from the beginning;
without order the kind and, but for the mixed part of a pile, which of the equal ones. Places are kept as long as they
are needed (`extents`), and told of what moves meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.program import BuiltinMeaning, ItMeaning
from rulesrun.interpreter.form.form import (
    NO,
    NOTHING,
    TRUTH,
    YES,
    CannotCompile,
    Field,
    X,
    as_number,
    both,
    compare,
    inverted,
    known,
    logic,
    number,
)
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.located_names import component_of, has_equals
from rulesrun.interpreter.model.locations import ENDS, chosen_from, pile_behind
from rulesrun.interpreter.native.expressions import combinations, gathering, list_values, names, places
from rulesrun.interpreter.native.expressions.collections import Everywhere, Listed, Lying, Several
from rulesrun.interpreter.native.expressions.lists import listed, room_for, sort_listed
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.containers import INSTANCE, KIND, NOWHERE, base_of_place, parts_of
from rulesrun.interpreter.native.layout.extents import Watched, watched_statements
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store, ask, position_function
from rulesrun.interpreter.reference.moves import base_of, is_amount, kinds_meant, origin_of

HELD = 1 << 60  # with the number of what is on its way

# ---- one place


def place_of(scope: Scope, node: ast.Expr) -> X:
    """Where the component lies that an expression means; `NOWHERE` where it is only named."""
    marker = marker_of(scope, node)
    if marker is not None:
        return scope.lines.kept(scope.lines.load(marker.now, places.index_of(scope, node)))
    match node:
        case ast.Literal(parts) if len(parts) == 1:
            return place_of(scope, parts[0])
        case ast.Item(position, collection):
            return place_of_item(scope, scope.several(collection), scope.needed(position))
        case ast.Index(name, keys) if places.room_of(scope, node) is None:
            return place_of_item(scope, scope.several(name), scope.needed(keys[-1]))
        case ast.Best(word="the"):
            return place_of_best(scope, node)
        case ast.IfElse(condition, then, otherwise):
            return place_of_either(scope, condition, then, otherwise)
        case ast.Name():
            return place_of_name(scope, node)
        case ast.Of():
            return place_of_owned(scope, node)
        case ast.Call():
            meaning = scope.bench.meaning(node.name)
            if isinstance(meaning, ast.Define):
                return place_of(with_arguments(scope, node, meaning), meaning.body)
            return number(NOWHERE)
        case _:
            return number(NOWHERE)


def place_of_owned(scope: Scope, node: ast.Of) -> X:
    meaning = scope.bench.meaning(node.subject) if isinstance(node.subject, ast.Name) else None
    if isinstance(meaning, BuiltinMeaning) and meaning.name in ENDS:
        collection = scope.several(node.owner)
        if ENDS[meaning.name] == 0:
            return place_of_item(scope, collection, number(1))
        return place_of_last(scope, collection)
    if isinstance(meaning, ast.Define) or isinstance(node.subject, ast.Call):
        owner = scope.lines.kept(places.player_value(scope, node.owner))
        return place_of(scope.asked_of(owner), node.subject)
    return number(NOWHERE)


def place_of_item(scope: Scope, collection: Several, which: X) -> X:
    """Of the k-th, from 1."""
    lines = scope.lines
    found, left = lines.variable(number(NOWHERE), "p"), lines.variable(which, "n")
    with lines.block() as done:
        def look(_one: X, place: X) -> None:
            lines.add_to(left, number(-1))
            with lines.when(compare("<=", left, number(0))):
                lines.set(found, place)
                lines.leave(done)

        collection.each_spot(scope, look)
    return found


def place_of_last(scope: Scope, collection: Several) -> X:
    lines = scope.lines
    if isinstance(collection, Lying) and collection.store.shape == "row":
        length = containers.length_of(scope, collection.store, collection.index)
        first = base_of_place(scope, collection.store, collection.index)
        return lines.kept(both("add", first, both("sub", length, number(1))))
    found = lines.variable(number(NOWHERE), "p")
    collection.each_spot(scope, lambda _one, place: lines.set(found, place))
    return found


def place_of_best(scope: Scope, node: ast.Best) -> X:
    lines = scope.lines
    best, found, some = lines.variable(number(0), "n"), lines.variable(number(NOWHERE), "p"), lines.variable(NO, "f")

    def look(one: X, place: X) -> None:
        one = lines.kept(one)
        key = lines.kept(gathering.within(scope, node.each, one, place).exact(node.key))
        better = list_values.is_better(scope, list_values.depth_of(scope, node.key), node.direction, key, best)
        with lines.when(logic("or", inverted(some), better)):
            lines.set(best, key)
            lines.set(found, place)
            lines.set(some, YES)

    gathering.bound(scope, node.each).each_spot(scope, look)
    return found


def place_of_either(scope: Scope, condition: ast.Expr, then: ast.Expr, otherwise: ast.Expr) -> X:
    lines = scope.lines
    found = lines.variable(number(NOWHERE), "p")
    with lines.when(scope.condition(condition)) as line:
        lines.set(found, place_of(scope, then))
    with lines.otherwise(line):
        lines.set(found, place_of(scope, otherwise))
    return found


def place_of_name(scope: Scope, node: ast.Name) -> X:
    bench, meaning = scope.bench, scope.bench.meaning(node)
    if isinstance(meaning, ast.Define):
        return place_of(Scope(scope.plan, scope.lines, scope.player), meaning.body)
    if isinstance(meaning, ItMeaning):
        known_of = meaning.element if id(meaning.element) in scope.spots else None
        innermost = scope.elements[-1][0] if scope.elements else 0
        return scope.spots.get(id(known_of) if known_of is not None else innermost, number(NOWHERE))
    if id(meaning) in scope.spots:
        return scope.spots[id(meaning)]
    if isinstance(meaning, (ast.Each, ast.Deal, ast.Choice)) and id(meaning) not in scope.names:
        kept = followed_by(scope.plan, meaning)
        if kept is not None:
            return scope.lines.kept(scope.lines.load(kept.now))
    if not isinstance(meaning, ast.Choice):
        return number(NOWHERE)
    domain = chosen_from(bench, meaning)
    if domain is None:
        return number(NOWHERE)
    return first_such(scope, scope.several(domain), scope.lines.kept(as_number(scope.value(node))))


def first_such(scope: Scope, collection: Several, kind: X) -> X:
    lines = scope.lines
    found = lines.variable(number(NOWHERE), "p")
    with lines.block() as done:
        def look(one: X, place: X) -> None:
            with lines.when(compare("=", one, kind)):
                lines.set(found, place)
                lines.leave(done)

        collection.each_spot(scope, look)
    return found


def with_arguments(scope: Scope, node: ast.Call, meaning: ast.Define) -> Scope:
    """The body of a definition, written where it is asked: where its arguments lie is known inside."""
    inner = Scope(scope.plan, scope.lines, scope.player)
    for parameter, argument in zip(meaning.parameters, node.arguments, strict=True):
        inner.names[id(parameter)] = scope.lines.kept(as_number(scope.value(argument)))
        if id(parameter) in scope.bench.located:
            inner.spots[id(parameter)] = scope.lines.kept(place_of(scope, argument))
    return inner


def position(scope: Scope, node: ast.Call) -> X:
    """The place of the component where it lies there; else that of the first equal one."""
    lines = scope.lines
    wanted = lines.kept(as_number(scope.value(node.arguments[0])))
    where = lines.kept(place_of(scope, node.arguments[0]))
    at, found = lines.variable(number(0), "i"), lines.variable(number(0), "f")
    with lines.block() as done:
        def look(one: X, place: X) -> None:
            lines.add_to(at, number(1))
            is_it = logic("and", compare("is not", where, number(NOWHERE)), compare("=", place, where))
            with lines.when(is_it):
                lines.set(found, at)
                lines.leave(done)
            is_first = logic("and", compare("=", found, number(0)), compare("=", as_number(one), wanted))
            with lines.when(is_first):
                lines.set(found, at)

        scope.several(node.arguments[1]).each_spot(scope, look)
    place_is_known(scope, node, found)
    return found


# ---- what nobody has drawn yet


def unordered_part(scope: Scope, collection: ast.Expr) -> Store | None:
    """Of the shuffled pile whose order a collection has."""
    room = pile_behind(scope.bench, collection)
    return scope.plan.stores[id(room.declaration)].inner if room is not None else None


def item_is_known(scope: Scope, collection: ast.Expr, several: Several, which: X, node: ast.Node) -> None:
    """A fault where the k-th, from 1, is one of several different ones of which nobody knows the order."""
    part = unordered_part(scope, collection)
    if part is None:
        return
    lines = scope.lines
    at, kind, others = lines.variable(number(0), "i"), lines.variable(number(NOTHING), "k"), lines.variable(NO, "f")

    def find(one: X, place: X) -> None:
        lines.add_to(at, number(1))
        with lines.when(logic("and", compare("=", at, which), lies_in(scope, part, place))):
            lines.set(kind, as_number(one))

    def look(one: X, place: X) -> None:
        with lines.when(logic("and", compare("is not", one, kind), lies_in(scope, part, place))):
            lines.set(others, YES)

    several.each_spot(scope, find)
    with lines.when(compare("is not", kind, number(NOTHING))):
        several.each_spot(scope, look)
        scope.fault_when(others, "not-known-yet", node)


def place_is_known(scope: Scope, node: ast.Call, found: X) -> None:
    """A fault where the component stands at this place, from 1, among others of which nobody knows the order."""
    part = unordered_part(scope, node.arguments[1])
    if part is None:
        return
    lines, several = scope.lines, scope.several(node.arguments[1])
    at, mixed, is_one = lines.variable(number(0), "i"), lines.variable(number(0), "n"), lines.variable(NO, "f")

    def look(_one: X, place: X) -> None:
        lines.add_to(at, number(1))
        with lines.when(lies_in(scope, part, place)):
            lines.add_to(mixed, number(1))
            with lines.when(compare("=", at, found)):
                lines.set(is_one, YES)

    several.each_spot(scope, look)
    scope.fault_when(logic("and", is_one, compare(">", mixed, number(1))), "not-known-yet", node)


def lies_in(scope: Scope, part: Store, place: X) -> X:
    first, end = base_of_place(scope, part, number(0)), base_of_place(scope, part, number(part.amount))
    return logic("and", compare(">=", place, first), compare("<", place, end))


# ---- what is followed


@frozen(eq=False)
class Ahead:
    """Places of components that are still to come, and of several that were chosen at once."""

    places: Field
    amount: Field
    gone: Field  # how many a loop has come to


@frozen(eq=False)
class Followed:
    """Where the component of a name lies, of a marker that of every instance."""

    now: Field
    several: Ahead | None

    @property
    def fields(self) -> list[Field]:
        several = self.several
        return [self.now, *([several.places, several.amount, several.gone] if several is not None else [])]


def watched(plan: Plan, node: ast.Node) -> bool:
    """Whether some component is followed while this statement moves others."""
    found = all_watched(plan)
    return found.always or id(node) in found.statements


def all_watched(plan: Plan) -> Watched:
    if "watched" not in plan.made:
        plan.made["watched"] = watched_statements(plan.table)
    found: Watched = plan.made["watched"]
    return found


def all_followed(plan: Plan) -> dict[int, Followed]:
    """By the id of what means them."""
    if "followed" not in plan.made:
        found = plan.made["followed"] = {}
        for declaration in plan.bench.program.game.declarations:
            for node in walk(declaration):
                meaning = node.each if isinstance(node, ast.ForEach) else node
                if is_followed(plan, node, meaning):
                    found[id(meaning)] = room_to_follow(plan, node)
    known_: dict[int, Followed] = plan.made["followed"]
    return known_


def room_to_follow(plan: Plan, node: ast.Node) -> Followed:
    if isinstance(node, ast.Variable):
        return Followed(plan.field("marked", 64, plan.bench.variables[id(node)].amount, NOWHERE), None)
    room = plan.field if plan.keeps_places or all_watched(plan).always else plan.scratch
    several = None
    if isinstance(node, ast.ForEach) or (isinstance(node, ast.Choice) and node.count is not None):
        most = max((sum(kinds.copies) for kinds in plan.bench.kinds.values()), default=0) + 1
        names = (("followed", most), ("many followed", 1), ("gone through", 1))
        several = Ahead(*(room(name, 64, amount) for name, amount in names))
    return Followed(room("followed now", 64), several)


def is_followed(plan: Plan, node: ast.Node, meaning: ast.Node) -> bool:
    match node:
        case ast.Choice():
            return id(node) in all_watched(plan).choices
        case ast.Variable():
            return id(node) in plan.bench.marked
        case _:
            return isinstance(node, (ast.ForEach, ast.Deal)) and id(meaning) in plan.bench.located


def marker_of(scope: Scope, node: ast.Expr) -> Followed | None:
    """Of a marker that remembers where its component lies."""
    room = places.room_of(scope, node) if isinstance(node, (ast.Name, ast.Index, ast.Of)) else None
    return followed_by(scope.plan, room.declaration) if isinstance(room, VariableRoom) else None


def mark(scope: Scope, target: ast.Expr, place: X) -> None:
    """Where the component lies that a marker is put on."""
    marker = marker_of(scope, target)
    if marker is not None:
        scope.lines.store(marker.now, place, scope.lines.kept(places.index_of(scope, target)))


def unmark(plan: Plan, lines: Lines, variable: ast.Variable) -> None:
    """A marker goes back to its start: nothing is known of where its component lies."""
    marker = followed_by(plan, variable)
    if marker is not None:
        last = number(marker.now.amount - 1)
        lines.count_through(number(0), last, lambda at: lines.store(marker.now, number(NOWHERE), at))


def followed_fields(plan: Plan, meanings: Iterable[ast.Node]) -> list[Field]:
    """Where the components of these names are kept."""
    kept = [followed_by(plan, one) for one in meanings]
    return [place for one in kept if one is not None for place in one.fields]


def lists_followed(plan: Plan) -> list[tuple[Field, Field, Field]]:
    """As the values of an `each`: what is to come, how far it has come, how many there are; where that belongs to a
    position."""
    several = [kept.several for kept in all_followed(plan).values() if kept.several is not None]
    return [(one.places, one.gone, one.amount) for one in several if one.places.at < plan.size]


def slots_followed(plan: Plan) -> dict[str, tuple[int, ...]]:
    """By the name of a field: in which slots the reference keeps the same."""
    bench, found = plan.bench, dict[str, tuple[int, ...]]()
    ahead: dict[int, list[int]] = {}
    for node, what, slots in plan.table.registers:
        if what == "each" and isinstance(node, ast.ForEach):
            ahead.setdefault(id(node.each), []).append(slots[0])
    for meaning, kept in all_followed(plan).items():
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


def followed_by(plan: Plan, meaning: ast.Node) -> Followed | None:
    return all_followed(plan).get(id(meaning))


def begin_following(scope: Scope, draw: ast.Deal, target: Store, index: X, kind: X) -> None:
    """What was drawn lies here now, the last of its equals or, where they are sorted, the first."""
    if id(draw) not in scope.bench.located:
        return
    kept, lines = followed_by(scope.plan, draw), scope.lines
    assert kept is not None
    if target.shape == "bag" and target.top is not None:
        target = target.top
    if target.sort_key is not None:
        place = first_such(scope, Lying(target, index, limit=target.capacity), kind)
    elif target.shape == "row":
        place = place_of_last(scope, Lying(target, index, limit=target.capacity))
    else:
        at = both("add", both("mul", kind, number(KIND)), containers.amount_of(scope, target, index, kind))
        place = both("add", base_of_place(scope, target, index), both("sub", at, number(1)))
    lines.store(kept.now, place)


def begin_choices(scope: Scope, action: ast.Action) -> None:
    """What was chosen is followed from here on: of equal ones the first that could be chosen."""
    inner = scope
    for choice in action.choices:
        kept = followed_by(scope.plan, choice) if id(choice) in scope.bench.located else None
        if choice.name.text == "player":
            inner = scope.asked_of(scope.lines.kept(scope.lines.load(scope.plan.fixed_names[id(choice)])))
        if kept is not None:
            begin_choice(inner, choice, kept)


def begin_choice(scope: Scope, choice: ast.Choice, kept: Followed) -> None:
    lines, several = scope.lines, kept.several
    domain = chosen_from(scope.bench, choice)
    assert domain is not None
    if several is None:
        kind = lines.kept(lines.load(scope.plan.fixed_names[id(choice)]))
        lines.store(kept.now, first_such(scope, scope.several(domain), kind))
        return
    chosen = first_of_each(scope, scope.several(domain), combinations.chosen(scope, choice))
    assert chosen.where is not None
    where = chosen.where
    lines.store(several.amount, chosen.amount)
    lines.count_through(number(0), both("sub", chosen.amount, number(1)), lambda at: lines.store(
        several.places, lines.load(where, at), at
    ))


def tell_taken(scope: Scope, store: Store, index: X, at: X, kind: X, which: X) -> None:
    """What lay at a place is held now; what lay behind it has moved down."""
    lines = scope.lines
    first = base_of_place(scope, store, index)
    start = lines.kept(both("add", first, at))
    if store.is_mixed:
        with lines.when(compare("=", containers.amount_of(scope, store, index, kind), number(0))):
            change_all(scope, start, number(1), 0, both("add", number(HELD), which))
        return
    end = both("add", first, number(1 << INSTANCE))
    if store.shape != "row":
        end = both("add", first, both("mul", both("add", kind, number(1)), number(KIND)))
    change_all(scope, start, end, -1, both("add", number(HELD), which))


def tell_put(scope: Scope, store: Store, index: X, at: X, which: X) -> None:
    """What was held lies here now; what lay here has moved up."""
    lines = scope.lines
    first = base_of_place(scope, store, index)
    start = lines.kept(both("add", first, at))
    if store.shape == "row":
        change_all(scope, both("sub", start, number(1)), both("add", first, number(1 << INSTANCE)), 1, number(0))
    change_all(scope, both("add", number(HELD), which), number(0), 0, start)


def change_all(scope: Scope, start: X, end: X, step: int, becomes: X) -> None:
    """Every place that is followed: the one at the start becomes another, those up to the end move by a step."""
    function = position_function(
        scope.plan, ("followed change", step), "follow", ("start", "end", "becomes"), None,
        lambda inner, given: change_followed(inner, given, step),
    )
    scope.lines.add("do", ask(function, scope, start, end, becomes))


def change_followed(scope: Scope, given: list[X], step: int) -> None:
    lines, (start, end, becomes) = scope.lines, given

    def change(field: Field, at: X) -> None:
        place = lines.kept(lines.load(field, at))
        if step != 1:
            with lines.when(compare("=", place, start)):
                lines.store(field, becomes, at)
        if step:
            moved = logic("and", compare(">", place, start), compare("<", place, end))
            with lines.when(moved):
                lines.store(field, both("add", place, number(step)), at)

    for kept in all_followed(scope.plan).values():
        lines.count_through(number(0), number(kept.now.amount - 1), partial(change, kept.now))
        several = kept.several
        if several is not None:
            last = both("sub", lines.load(several.amount), number(1))
            lines.count_through(number(0), last, partial(change, several.places))


# ---- taking and putting


def take_one(scope: Scope, store: Store, index: X, at: X, kind: X, which: X, is_watched: bool) -> None:
    """The component at this place of a store."""
    if store.shape == "row":
        containers.remove_at(scope, store, index, at)
    else:
        containers.take_kind(scope, store, index, kind)
    if is_watched:
        tell_taken(scope, store, index, at, kind, which)


def take(scope: Scope, kinds: Kinds, kind: X, place: X, which: X, is_watched: bool) -> X:
    """The component at a place; where none such lies there, the first anywhere. Gives whether there was one."""
    function = position_function(
        scope.plan, ("take the one", id(kinds), is_watched), f"take the {kinds.declaration.name.text}",
        ("kind", "place", "which"), TRUTH,
        lambda inner, given: taken_from_its_place(inner, kinds, given[0], given[1], given[2], is_watched),
    )
    return scope.lines.kept(ask(function, scope, kind, place, which))


def taken_from_its_place(
    scope: Scope, kinds: Kinds, kind: X, place: X, which: X, is_watched: bool
) -> X:
    lines = scope.lines
    kind = known(kind, 0, max(len(kinds) - 1, 0))
    found = lines.variable(NO, "f")
    with lines.block() as done:
        for store in containers.stores_of(scope, kinds):
            for part in reversed(parts_of(store)):
                take_there(scope, part, kind, place, which, is_watched, found)
                lines.leave(done, found)
        for store in containers.stores_of(scope, kinds):
            for index in range(store.amount):
                where = lines.kept(first_such(scope, Lying(store, number(index), limit=store.capacity), kind))
                with lines.when(compare("is not", where, number(NOWHERE))):
                    for part in reversed(parts_of(store)):
                        take_there(scope, part, kind, where, which, is_watched, found)
                    lines.leave(done)
    return found


def take_there(scope: Scope, part: Store, kind: X, place: X, which: X, is_watched: bool, found: X) -> None:
    """Where the place is one of this store, and such a component lies there."""
    lines = scope.lines
    first = base_of_place(scope, part, number(0))
    last = base_of_place(scope, part, number(part.amount))
    with lines.when(logic("and", compare(">=", place, first), compare("<", place, last))):
        rest = lines.kept(both("sub", place, first))
        index = lines.kept(known(both("div", rest, number(1 << INSTANCE)), 0, part.amount - 1))
        at = lines.kept(known(both("mod", rest, number(1 << INSTANCE)), 0, (1 << INSTANCE) - 1))
        if part.shape == "row":
            with lines.when(compare("<", at, containers.length_of(scope, part, index))):
                inside = known(at, 0, max(part.capacity - 1, 0))
                with lines.when(compare("=", containers.item_at(scope, part, index, inside), kind)):
                    take_one(scope, part, index, inside, kind, which, is_watched)
                    lines.set(found, YES)
        else:
            with lines.when(containers.holds(scope, part, index, kind)):
                take_one(scope, part, index, at, kind, which, is_watched)
                lines.set(found, YES)


def put(
    scope: Scope, store: Store, index: X, kind: X, node: ast.Node, at_bottom: bool, which: X, is_watched: bool
) -> None:
    if not is_watched:
        containers.put(scope, store, index, kind, node, at_bottom)
        return
    lines = scope.lines
    part = store
    if store.shape == "bag":
        end = store.bottom if at_bottom else store.top
        if end is None:
            raise CannotCompile(f"`{store.name}` was not expected to be put on", node)
        part = end
    before = lines.kept(number(0) if at_bottom else containers.size(scope, part, index))
    if part.shape != "row":
        amount = containers.amount_of(scope, part, index, kind)
        before = lines.kept(both("add", both("mul", kind, number(KIND)), amount))
    containers.put(scope, store, index, kind, node, at_bottom)
    if part.sort_key is not None:
        first = both("sub", first_such(scope, Lying(part, index, limit=part.capacity), kind),
                     base_of_place(scope, part, index))
        before = lines.kept(first)
    tell_put(scope, part, index, before, which)


# ---- statements


def matters(scope: Scope, node: ast.Move | ast.Shuffle) -> bool:
    """Whether it matters which of equal components is taken: not where all of a place go, nor where all that are equal
    lie side by side or without order, and nobody follows them."""
    what, bench = node.what, scope.bench
    if not has_equals(bench, what):
        return False
    if watched(scope.plan, node) or means_followed(scope, what):
        return True
    is_all = isinstance(node, ast.Shuffle) or node.all
    if is_all and (kinds_meant(bench, base_of(what)) is not None or places.store_of(scope, what) is not None):
        return False
    origin = origin_of(bench, what.owner if isinstance(what, ast.Of) and is_amount(bench, what) else what)
    store = places.store_of(scope, origin) if origin is not None else None
    return store is None or store.shape == "bag" or (store.shape == "row" and store.sort_key is None)


def means_followed(scope: Scope, what: ast.Expr) -> bool:
    meaning = scope.bench.meaning(what) if isinstance(what, ast.Name) else None
    is_named = isinstance(meaning, (ast.Each, ast.Deal, ast.Choice)) and followed_by(scope.plan, meaning) is not None
    return is_named or marker_of(scope, what) is not None


def kinds_of(scope: Scope, what: ast.Expr) -> Kinds:
    name = component_of(scope.bench.type_of(what))
    return next(one for one in scope.bench.kinds.values() if one.declaration.name.text == name)


@frozen(eq=False)
class Taken:
    """What was taken out, in the order in which it is put down, each with the number under which it is held."""

    kinds: Listed
    numbers: Listed

    def each(self, scope: Scope, body: Callable[[X, X], None]) -> None:
        def put_down(at: X) -> None:
            at = scope.lines.kept(at)
            body(scope.lines.kept(self.kinds.at(scope, at)), scope.lines.kept(self.numbers.at(scope, at)))

        scope.lines.count_through(number(0), both("sub", self.kinds.amount, number(1)), put_down)


def listed_spots(scope: Scope, collection: Several) -> tuple[Listed, Listed]:
    """The components, and where each of them lies."""
    lines = scope.lines
    kinds, where = room_for(scope, collection.limit), room_for(scope, collection.limit)
    amount = lines.variable(number(0), "n")

    def note(one: X, place: X) -> None:
        lines.store(kinds, as_number(one), amount)
        lines.store(where, place, amount)
        lines.add_to(amount, number(1))

    collection.each_spot(scope, note)
    return Listed(kinds, amount, limit=collection.limit), Listed(where, amount, limit=collection.limit)


def take_listed(scope: Scope, what: ast.Expr, found: tuple[Listed, Listed], node: ast.Node, amount: X) -> Taken:
    """What lies last first, so that the others stay where they are; put down in the order in which they are meant."""
    lines, kinds, is_watched = scope.lines, kinds_of(scope, what), watched(scope.plan, node)
    chosen = Listed(found[0].items, amount, 0, max(len(kinds) - 1, 0), limit=found[0].limit)
    where = Listed(found[1].items, amount, limit=chosen.limit)
    numbers = Listed(room_for(scope, chosen.limit), amount, limit=chosen.limit)
    lines.count_through(number(0), both("sub", amount, number(1)), lambda at: lines.store(numbers.items, at, at))
    is_everywhere = kinds_meant(scope.bench, base_of(what)) is not None
    by_name = is_everywhere or (isinstance(what, ast.Name) and isinstance(scope.bench.meaning(what), ast.Choice))
    if by_name:
        sort_listed(scope, where, beside=(chosen, numbers))
    left = lines.variable(amount, "i")
    with lines.loop() as done:
        lines.leave(done, compare("<=", left, number(0)))
        lines.add_to(left, number(-1))
        kind, place, which = (lines.kept(one.at(scope, left)) for one in (chosen, where, numbers))
        scope.fault_when(inverted(take(scope, kinds, kind, place, which, is_watched)), "nowhere", what)
    if by_name:
        sort_listed(scope, numbers, beside=(chosen,))
    return Taken(chosen, numbers)


def taken_all(scope: Scope, what: ast.Expr, node: ast.Node, order: ast.Order | None) -> Taken:
    kinds = kinds_meant(scope.bench, base_of(what))
    several = scope.several(what) if kinds is None else Everywhere(
        kinds, scope.several(what) if isinstance(what, ast.Filter) else None, limit=sum(kinds.copies)
    )
    found = listed_spots(scope, several)
    gone = take_listed(scope, what, found, node, scope.lines.kept(found[0].amount))
    if order is not None:
        put_in_order(scope, order, gone)
    return gone


def put_in_order(scope: Scope, order: ast.Order, gone: Taken) -> None:
    def key(kind: X) -> X:
        inner = scope.inner()
        with inner.element(order, kind):
            return inner.exact(order.key)

    keys = listed(scope, gone.kinds, key)
    levels = list_values.depth_of(scope, order.key)
    sort_listed(scope, gone.kinds, keys, order.reverse, levels, (gone.numbers,))


def chosen_where_they_lie(scope: Scope, choice: ast.Choice, several: Several) -> Several:
    """Several chosen at once, with where they lie now."""
    kept = followed_by(scope.plan, choice) if id(choice) not in scope.names else None
    if kept is not None and kept.several is not None and isinstance(several, Listed):
        several.where = kept.several.places
        return several
    domain = chosen_from(scope.bench, choice)
    return several if domain is None else first_of_each(scope, scope.several(domain), several)


def first_of_each(scope: Scope, collection: Several, several: Several) -> Listed:
    """Of equal ones those nearest the beginning of the collection."""
    lines = scope.lines
    chosen = listed(scope, several)
    where = listed(scope, chosen, lambda _one: number(NOWHERE))

    def note(one: X, place: X) -> None:
        with lines.block() as done:
            def fits(at: X) -> None:
                is_free = compare("=", where.at(scope, at), number(NOWHERE))
                with lines.when(logic("and", is_free, compare("=", chosen.at(scope, at), one))):
                    lines.store(where.items, place, at)
                    lines.leave(done)

            lines.count_through(number(0), both("sub", chosen.amount, number(1)), fits)

    collection.each_spot(scope, note)
    chosen.where = where.items
    return chosen


def taken_some(scope: Scope, what: ast.Of, node: ast.Node) -> Taken:
    """`3 of (row where …)`: the first of some that nothing tells apart."""
    lines = scope.lines
    wanted = lines.kept(scope.needed(what.subject))
    found = listed_spots(scope, scope.several(what.owner))
    chosen = found[0]
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
    return take_listed(scope, what.owner, found, node, lines.kept(amount))


def take_meant(scope: Scope, what: ast.Expr, kind: X, node: ast.Node) -> X:
    """The one component that is meant; gives whether there was one."""
    lines = scope.lines
    is_watched = watched(scope.plan, node)
    place = lines.kept(place_of(scope, what))
    found = take(scope, kinds_of(scope, what), kind, place, number(0), is_watched)
    if is_watched:
        hold(scope, what)
    scope.fault_when(inverted(found), "nowhere", what)
    return found


def hold(scope: Scope, what: ast.Expr) -> None:
    """Whoever meant the one that was taken follows it from here on, if it was more than named."""
    mark(scope, what, number(HELD))
    meaning = scope.bench.meaning(what) if isinstance(what, ast.Name) else None
    kept = followed_by(scope.plan, meaning) if isinstance(meaning, (ast.Each, ast.Deal, ast.Choice)) else None
    if kept is not None:
        was = scope.lines.kept(scope.lines.load(kept.now))
        with scope.lines.when(compare("is not", was, number(NOWHERE))):
            scope.lines.store(kept.now, number(HELD))


def hold_mixed(scope: Scope, node: ast.Shuffle, target: Store, index: X) -> None:
    """What is known to lie in a pile is followed into its mixed part, before it comes there."""
    if not watched(scope.plan, node):
        return
    into = target.inner if target.inner is not None else target
    for part in (target.bottom, target.top):
        if part is not None:
            containers.each_spot(scope, part, index, lambda kind, place: change_all(
                scope, place, number(0), 0, place_in(scope, into, index, kind)
            ))


def take_drawn(scope: Scope, part: Store, index: X, kind: X) -> X:
    """One such component drawn: from a row the last, without order the first. Gives whether there was one."""
    lines = scope.lines
    if not follows_draws(scope, part):
        return containers.take_kind(scope, part, index, kind)
    found = lines.variable(NO, "f")
    if part.shape != "row":
        with lines.when(containers.holds(scope, part, index, kind)):
            at = lines.kept(both("mul", kind, number(KIND)))
            take_one(scope, part, index, at, kind, number(0), True)
            lines.set(found, YES)
        return found
    at = lines.variable(both("sub", containers.length_of(scope, part, index), number(1)), "i")
    with lines.loop() as done:
        lines.leave(done, compare("<", at, number(0)))
        with lines.when(compare("=", containers.item_at(scope, part, index, at), kind)):
            take_one(scope, part, index, at, kind, number(0), True)
            lines.set(found, YES)
            lines.leave(done)
        lines.add_to(at, number(-1))
    return found


def follows_draws(scope: Scope, store: Store) -> bool:
    """Whether some of these components are followed while others are drawn."""
    return store.kinds.declaration.name.text in scope.bench.equals and all_watched(scope.plan).always


def put_drawn(scope: Scope, target: Store, to: X, kind: X, node: ast.Deal) -> None:
    put(scope, target, to, kind, node, False, number(0), follows_draws(scope, target))
    if node.alias is not None:
        scope.lines.store(scope.plan.fixed_names[id(node)], kind)
        begin_following(scope, node, target, to, kind)


def place_in(scope: Scope, store: Store, index: X, kind: X) -> X:
    """Where the next such component comes to lie without order."""
    at = both("mul", kind, number(KIND))
    if not store.is_mixed:
        at = both("add", at, containers.amount_of(scope, store, index, kind))
    return scope.lines.kept(both("add", base_of_place(scope, store, index), at))


def move(scope: Scope, node: ast.Move, target: Store, to: X, at_bottom: bool) -> None:
    is_watched = watched(scope.plan, node)

    def put_down(kind: X, which: X) -> None:
        put(scope, target, to, known(kind, 0, len(target.kinds) - 1), node, at_bottom, which, is_watched)

    if is_one(scope, node.what, node.all):
        kind = one_kind(scope, node.what)
        with scope.lines.when(take_meant(scope, node.what, kind, node)):
            put_down(kind, number(0))
    elif not node.all and isinstance(node.what, ast.Of) and is_amount(scope.bench, node.what):
        taken_some(scope, node.what, node).each(scope, put_down)
    else:
        taken_all(scope, node.what, node, node.order).each(scope, put_down)


def is_one(scope: Scope, what: ast.Expr, is_all: bool) -> bool:
    is_some = isinstance(what, ast.Of) and is_amount(scope.bench, what)
    return not (is_all or is_some or names.is_several(scope, what))


def one_kind(scope: Scope, what: ast.Expr) -> X:
    lines = scope.lines
    kind = lines.kept(as_number(scope.value(what)))
    scope.fault_when(compare("=", kind, number(NOTHING)), "nothing-used", what)
    return lines.kept(known(both("max", kind, number(0)), 0, len(kinds_of(scope, what)) - 1))


def taken_to_mix(scope: Scope, node: ast.Shuffle) -> Taken:
    what, lines = node.what, scope.lines
    if is_one(scope, what, node.all):
        kind, amount = one_kind(scope, what), lines.variable(number(0), "n")
        kinds, numbers = room_for(scope, 1), room_for(scope, 1)
        lines.store(kinds, kind)
        lines.store(numbers, number(0))
        with lines.when(take_meant(scope, what, kind, node)):
            lines.set(amount, number(1))
        return Taken(Listed(kinds, amount, limit=1), Listed(numbers, amount, limit=1))
    if not node.all and isinstance(what, ast.Of) and is_amount(scope.bench, what):
        return taken_some(scope, what, node)
    return taken_all(scope, what, node, None)


def mix_in(scope: Scope, node: ast.Shuffle, taken: Taken, target: Store, index: X) -> None:
    is_watched, into = watched(scope.plan, node), target.inner if target.inner is not None else target

    def put_in(kind: X, which: X) -> None:
        mix_one_in(scope, into, index, scope.lines.kept(known(kind, 0, len(target.kinds) - 1)), which, is_watched)

    taken.each(scope, put_in)


def mix_one_in(scope: Scope, into: Store, index: X, kind: X, which: X, is_watched: bool) -> None:
    place = place_in(scope, into, index, kind) if is_watched else number(NOWHERE)
    containers.put_in(scope, into, index, kind, False)
    if is_watched:
        change_all(scope, both("add", number(HELD), which), number(0), 0, place)
