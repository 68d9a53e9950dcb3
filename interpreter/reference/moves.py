"""`move` and `shuffle`: takes the statement, adds its operations to the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import AllOf
from rulesrun.dsl.typing.types import CollectionOf
from rulesrun.interpreter.model import locations
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.contents import check_capacity, mix_contents, put_components, remove_component
from rulesrun.interpreter.model.flow_graph import FlowGraph
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.located_names import component_type_name, has_equals
from rulesrun.interpreter.model.places import compile_slot, find_room, find_zone, flatten_content
from rulesrun.interpreter.model.values import Run, Slots, constant, fault
from rulesrun.interpreter.reference import statements
from rulesrun.interpreter.reference.deals import require_zone, split_end_and_zone

# ---- move


def compile_move(graph: FlowGraph, node: ast.Move) -> None:
    bench = graph.bench
    at_bottom, zone = split_end_and_zone(bench, node.target)
    target, find = require_zone(bench, zone), compile_slot(bench, zone).run
    take, following = compile_take(bench, node), bench.following

    def change(S: Slots) -> None:
        put_components(S, target, find(S), take(S), node, at_bottom, following)

    graph.emit_effect("move", node, change)


def compile_take(bench: Workbench, node: ast.Move) -> Run:
    """Takes out what is to be moved, and gives it in the order in which it is put down."""
    if has_equals(bench, node.what):
        return compile_take_located(bench, node)
    if node.all:
        return compile_sort(bench, node, compile_take_all(bench, node.what))
    if isinstance(node.what, ast.Of) and is_amount(bench, node.what):
        return compile_take_some(bench, node.what)
    value = bench.compile(node.what).run
    take_one = compile_take_component(bench, node.what)

    def run(S: Slots) -> tuple[int, ...]:
        found = value(S)
        several = found if isinstance(found, tuple) else (found,)
        for kind in several:
            take_one(S, kind)
        return several

    return run


def is_amount(bench: Workbench, what: ast.Of) -> bool:
    """`3 of hand`: a number stands before `of`."""
    if isinstance(what.subject, (ast.Number, ast.Arithmetic)):
        return True
    return bench.bounds_of(what.subject) is not None


def compile_sort(bench: Workbench, node: ast.Move, take: Run) -> Run:
    if node.order is None:
        return take
    slot, reverse = bench.reserve_element_slot(node.order), node.order.reverse
    with bench.element_scope(node.order, slot):
        key = bench.compile(node.order.key).run

    def keyed(S: Slots, kind: int) -> Any:
        S[slot] = kind
        return key(S)

    def run(S: Slots) -> tuple[int, ...]:
        return tuple(sorted(flatten_content(take(S)), key=lambda kind: keyed(S, kind), reverse=reverse))

    return run


def strip_filters(node: ast.Expr) -> ast.Expr:
    while isinstance(node, ast.Filter):
        node = node.collection
    return node


def find_kinds(bench: Workbench, node: ast.Expr) -> Kinds | None:
    """`Card` as a collection: every Card."""
    meaning = bench.meaning(node) if isinstance(node, ast.Name) else None
    declaration = meaning.declaration if isinstance(meaning, AllOf) else meaning
    return bench.kinds[id(declaration)] if isinstance(declaration, ast.Components) else None


def compile_take_all(bench: Workbench, what: ast.Expr) -> Run:
    kinds = find_kinds(bench, strip_filters(what))
    if kinds is not None:
        return compile_take_everywhere(bench, what, kinds)
    room, find = find_filtered_zone(bench, what), None
    if room is None:
        take_one, value = compile_take_component(bench, what), bench.compile(what).run

        def run(S: Slots) -> tuple[int, ...]:
            several = tuple(value(S))
            for kind in several:
                take_one(S, kind)
            return several

        return run
    find = compile_slot(bench, strip_filters(what)).run
    if isinstance(what, ast.Filter):
        return compile_take_matching(find, bench.compile(what).run)

    def everything(S: Slots) -> tuple[Any, ...]:
        slot = find(S)
        content: tuple[Any, ...] = S[slot]
        S[slot] = ()
        return content

    return everything


def find_filtered_zone(bench: Workbench, what: ast.Expr) -> ZoneRoom | None:
    return find_zone(bench, strip_filters(what))


def compile_take_matching(find: Run, matching: Run) -> Run:
    def run(S: Slots) -> tuple[int, ...]:
        slot, several = find(S), tuple(matching(S))
        for kind in several:
            S[slot] = remove_component(S[slot], kind)
        return several

    return run


def compile_take_everywhere(bench: Workbench, what: ast.Expr, kinds: Kinds) -> Run:
    """Every component of a declaration, or every one that fits, wherever it is."""
    slots = all_zone_slots(bench, kinds)
    if not isinstance(what, ast.Filter):
        everything = kinds.all_components()

        def take_all(S: Slots) -> tuple[int, ...]:
            for slot in slots:
                S[slot] = ()
            return everything

        return take_all
    matching = bench.compile(what).run

    def run(S: Slots) -> tuple[int, ...]:
        wanted = frozenset(matching(S))
        for slot in slots:
            for kind in [one for one in flatten_content(S[slot]) if one in wanted]:
                S[slot] = remove_component(S[slot], kind)
        return tuple(kind for kind in kinds.all_components() if kind in wanted)

    return run


def compile_take_some(bench: Workbench, what: ast.Of) -> Run:
    """`3 of (hand where …)`: some that nothing tells apart."""
    amount, collection = bench.compile(what.subject).run, bench.compile(what.owner).run
    take_one = compile_take_component(bench, what.owner)

    def run(S: Slots) -> tuple[int, ...]:
        wanted, several = amount(S), tuple(collection(S))
        if wanted <= 0:
            return ()
        if wanted > len(several):
            raise fault("too-few", f"there are only {len(several)} of them, not {wanted}", what.span)
        if len(set(several)) > 1 and wanted < len(several):
            raise fault("not-alike", "they are not all alike: say which of them", what.span)
        for kind in several[:wanted]:
            take_one(S, kind)
        return several[:wanted]

    return run


# ---- the ones that lie there, where others are equal


def compile_take_located(bench: Workbench, node: ast.Move) -> Run:
    """As above, where it matters which of several equal components is taken: the one that is meant."""
    what: ast.Expr = node.what
    some: Run | None = None
    if node.all and node.order is None and not isinstance(what, ast.Filter) and find_zone(bench, what) is not None:
        return compile_take_whole_zone(bench, what)
    if not node.all and isinstance(node.what, ast.Of) and is_amount(bench, node.what):
        what, some = node.what.owner, bench.compile(node.what.subject).run
    find, kinds = (
        compile_locate_moved(bench, what),
        next(
            one
            for one in bench.kinds.values()
            if one.declaration.name.text == component_type_name(bench.type_of(node.what))
        ),
    )
    places, mover = all_zone_slots(bench, kinds), locations.compile_mover_register(bench, what)
    by_key = compile_sort_spots(bench, node.order) if node.order is not None else None

    def run(S: Slots) -> tuple[int, ...]:
        found = find(S)
        if some is not None:
            found = limit_to_amount(found, some(S), node.what)
        found = locations.resolve_spots(S, found, places, what)
        if by_key is not None:
            found = by_key(S, found)
        return locations.take_located(bench, S, found, mover(S))

    return run


def compile_locate_moved(bench: Workbench, what: ast.Expr) -> locations.FindAll:
    """What an expression means: every component of a declaration, several, or one."""
    if find_kinds(bench, strip_filters(what)) is not None:
        return compile_locate_everywhere(bench, what)
    if isinstance(bench.type_of(what), CollectionOf):
        return locations.compile_locate_all(bench, what)
    one = locations.compile_locate_one(bench, what)

    def run(S: Slots) -> list[locations.Spot]:
        spot = one(S)
        if spot is None:
            raise fault("nothing-used", "there is nothing here to move", what.span)
        return [spot]

    return run


def limit_to_amount(found: list[locations.Spot], wanted: int, what: ast.Expr) -> list[locations.Spot]:
    """The first of some that nothing tells apart."""
    if wanted <= 0:
        return []
    if wanted > len(found):
        raise fault("too-few", f"there are only {len(found)} of them, not {wanted}", what.span)
    if wanted < len(found) and len({spot[0] for spot in found}) > 1:
        raise fault("not-alike", "they are not all alike: say which of them", what.span)
    return found[:wanted]


def compile_locate_everywhere(bench: Workbench, what: ast.Expr) -> locations.FindAll:
    """Every component of a declaration, or every one that fits, in declared order, wherever it is."""
    kinds = find_kinds(bench, strip_filters(what))
    assert kinds is not None
    slots = all_zone_slots(bench, kinds)
    matching = bench.compile(what).run if isinstance(what, ast.Filter) else None

    def run(S: Slots) -> list[locations.Spot]:
        found = [spot for slot in slots for spot in locations.list_spots(S[slot], slot)]
        if matching is not None:
            wanted = frozenset(matching(S))
            found = [spot for spot in found if spot[0] in wanted]
        return sorted(found, key=lambda spot: spot[0])

    return run


def compile_take_whole_zone(bench: Workbench, zone: ast.Expr) -> Run:
    find, following = compile_slot(bench, zone).run, bench.following

    def everything(S: Slots) -> tuple[Any, ...]:
        slot = find(S)
        content: tuple[Any, ...] = S[slot]
        S[slot] = ()
        following.update_after_take_all(S, slot)
        return content

    return everything


def compile_sort_spots(
    bench: Workbench, order: ast.Order
) -> Callable[[Slots, list[locations.Spot]], list[locations.Spot]]:
    slot, reverse = bench.reserve_element_slot(order), order.reverse
    where = locations.reserve_place_register(bench, slot)
    with bench.element_scope(order, slot):
        key = bench.compile(order.key).run

    def keyed(S: Slots, spot: locations.Spot) -> Any:
        S[slot], S[where] = spot[0], spot[1:]
        return key(S)

    return lambda S, found: sorted(found, key=lambda spot: keyed(S, spot), reverse=reverse)


# ---- components whose place is known


def compile_take_component(bench: Workbench, what: ast.Expr) -> Any:
    """Takes one component out of where it is: where it was chosen or drawn, else wherever it lies."""
    origin = find_origin(bench, what)
    find = compile_slot(bench, origin).run if origin is not None else None
    room = find_zone(bench, origin) if origin is not None else None
    places = [(kinds, all_zone_slots(bench, kinds)) for kinds in bench.kinds.values()]
    kind_name = getattr(bench.type_of(what), "kind", None) or getattr(
        getattr(bench.type_of(what), "item", None), "kind", None
    )
    wanted = room.kinds if room is not None else None
    slots = next((
        found for kinds, found in places if kinds is wanted or kinds.declaration.name.text == kind_name
    ), [])

    def take(S: Slots, kind: int | None) -> None:
        if kind is None:
            raise fault("nothing-used", "there is nothing here to move", what.span)
        for slot in ([find(S)] if find is not None else []) + slots:
            left = remove_component(S[slot], kind)
            if left is not None:
                S[slot] = left
                return
        raise fault("nowhere", "this component is nowhere to be found", what.span)

    def take_quickly(S: Slots, kind: int) -> None:
        """From a zone without unordered parts."""
        slot = find(S) if find is not None else 0
        content = S[slot]
        if kind in content:
            at = content.index(kind)
            S[slot] = content[:at] + content[at + 1 :]
        else:
            take(S, kind)

    if room is not None and not room.is_shuffled and room.declaration.kind in {"set", "place"}:
        return take_quickly
    return take


def find_origin(bench: Workbench, what: ast.Expr) -> ast.Expr | None:
    """The zone where the component lies, as far as the text says."""
    if find_zone(bench, strip_filters(what)) is not None:
        return strip_filters(what)
    match what:
        case ast.Name():
            meaning = bench.meaning(what)
            if isinstance(meaning, ast.Choice):
                return find_origin(bench, meaning.domain)
            if isinstance(meaning, ast.Each):
                return find_origin(bench, meaning.collection)
            if isinstance(meaning, ast.Deal):
                return None if meaning.each else split_end_and_zone(bench, meaning.target)[1]
        case ast.Of(_, owner):
            return find_origin(bench, owner)
        case ast.Item(_, collection) | ast.Filter(collection, _):
            return find_origin(bench, collection)
        case ast.Best(_, each):
            return find_origin(bench, each.collection)
        case _:
            return None
    return None


# ---- shuffle


def compile_shuffle(graph: FlowGraph, node: ast.Shuffle) -> None:
    bench = graph.bench
    room = find_room(bench, node.what)
    if isinstance(room, VariableRoom):
        statements.compile_random_order(graph, node, room)
        return
    target = require_zone(bench, node.into or node.what)
    find = compile_slot(bench, node.into or node.what).run
    is_set, following = target.declaration.kind == "set", bench.following
    take: Run = constant(()).run
    if node.into is not None:
        take = compile_take(bench, ast.Move(node.all or not is_some_of(bench, node.what), node.what, node.into, None,
                                      span=node.span))

    def change(S: Slots) -> None:
        more, slot = take(S), find(S)
        if is_set:
            put_components(S, target, slot, flatten_content(more), node, following=following)
        else:
            S[slot] = check_capacity(target, slot, mix_contents(S[slot], more), node)
            following.update_after_shuffle(S, slot)

    graph.emit_effect("shuffle", node, change)


def is_some_of(bench: Workbench, what: ast.Expr) -> bool:
    """A single component, or a number of them; not a whole collection."""
    if isinstance(what, ast.Of) and is_amount(bench, what):
        return True
    return find_filtered_zone(bench, what) is None and find_kinds(bench, strip_filters(what)) is None
