"""Effects that move components, and those that mix them: takes one, adds its operations to the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import CollectionOf
from rulesrun.interpreter.model import core, locations
from rulesrun.interpreter.model.compile_context import Workbench, ZoneRoom
from rulesrun.interpreter.model.core_lowering import lower_expression, lower_target
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.located_names import find_component_kinds, has_equals
from rulesrun.interpreter.model.location_updates import MOST_HELD
from rulesrun.interpreter.model.places import (
    check_capacity,
    compile_place,
    compile_slot,
    find_zone,
    flatten_content,
    mix_contents,
    put_components,
    remove_component,
)
from rulesrun.interpreter.model.values import Run, Slots, constant, fault
from rulesrun.interpreter.reference.flow_graph import FlowGraph

# ---- move


def compile_move(graph: FlowGraph, done: core.Move) -> None:
    if len(done.transfers) > 1:
        compile_moves_at_once(graph, done)
        return
    bench, node, (transfer,) = graph.bench, done.node, done.transfers
    target = transfer.target
    room, find, at_bottom = target.room, compile_place(bench, target.place).run, target.is_bottom
    take, following = compile_take(bench, transfer.taken, transfer.order), bench.following

    def change(S: Slots) -> None:
        put_components(S, room, find(S), take(S), node, at_bottom, following)

    graph.emit_effect("move", node, change)


def compile_moves_at_once(graph: FlowGraph, done: core.Move) -> None:
    """Where to is settled before anything is taken. What was taken first is held under higher numbers."""
    bench, node, following = graph.bench, done.node, graph.bench.following
    rooms = [(one.target.room, one.target.is_bottom) for one in done.transfers]
    finds = [compile_place(bench, one.target.place).run for one in done.transfers]
    sources = [
        compile_place(bench, one.taken.place).run if isinstance(one.taken, core.TakeFrom) else constant(None).run
        for one in done.transfers
    ]
    settled = bench.new_scratch_slot()
    takes = [compile_take(bench, one.taken, one.order, lambda S: S[settled]) for one in done.transfers]

    def change(S: Slots) -> None:
        slots, origins, held = [find(S) for find in finds], [find(S) for find in sources], []
        for take, S[settled] in zip(takes, origins, strict=True):
            following.raise_held(S, MOST_HELD)
            held.append(take(S))
        for number, (slot, kinds, (room, at_bottom)) in enumerate(zip(slots, held, rooms, strict=True)):
            first = MOST_HELD * (len(takes) - 1 - number)
            put_components(S, room, slot, kinds, node, at_bottom, following, first)

    graph.emit_effect("move", node, change)


def compile_take(bench: Workbench, taken: core.Taken, order: core.Order | None, find: Run | None = None) -> Run:
    """Takes out what is to be moved, and gives it in the order in which it is put down. `find`: the slot of the zone
    that it is taken from, where that is settled already."""
    if has_equals(bench, taken.what):
        return compile_take_located(bench, taken, order, find)
    match taken:
        case core.TakeEverywhere():
            take = compile_take_everywhere(bench, taken)
        case core.TakeFrom():
            take = compile_take_from(bench, taken, find or compile_place(bench, taken.place).run)
        case core.TakeListed(what):
            take = compile_take_listed(bench, what)
        case core.TakeSome():
            take = compile_take_some(bench, taken)
        case core.TakeOne(what):
            value, take_one = bench.compile(what).run, compile_take_component(bench, what)
            return lambda S: (take_one(S, found := value(S)), (found,))[1]
        case _:
            assert_never(taken)
    return compile_sort(bench, order, take) if order is not None else take


def compile_sort(bench: Workbench, order: core.Order, take: Run) -> Run:
    slot, reverse = bench.reserve_element_slot(order), order.reverse
    with bench.element_scope(order, slot):
        key = bench.compile(order.key).run

    def keyed(S: Slots, kind: int) -> Any:
        S[slot] = kind
        return key(S)

    def run(S: Slots) -> tuple[int, ...]:
        return tuple(sorted(flatten_content(take(S)), key=lambda kind: keyed(S, kind), reverse=reverse))

    return run


def compile_take_listed(bench: Workbench, what: core.Operand) -> Run:
    take_one, value = compile_take_component(bench, what), bench.compile(what).run

    def run(S: Slots) -> tuple[int, ...]:
        several = tuple(value(S))
        for kind in several:
            take_one(S, kind)
        return several

    return run


def compile_take_from(bench: Workbench, taken: core.TakeFrom, find: Run) -> Run:
    if taken.is_filtered:
        return compile_take_matching(find, bench.compile(taken.what).run)

    def everything(S: Slots) -> tuple[Any, ...]:
        slot = find(S)
        content: tuple[Any, ...] = S[slot]
        S[slot] = ()
        return content

    return everything


def compile_take_matching(find: Run, matching: Run) -> Run:
    def run(S: Slots) -> tuple[int, ...]:
        slot, several = find(S), tuple(matching(S))
        for kind in several:
            S[slot] = remove_component(S[slot], kind)
        return several

    return run


def compile_take_everywhere(bench: Workbench, taken: core.TakeEverywhere) -> Run:
    kinds, slots = taken.kinds, all_zone_slots(bench, taken.kinds)
    if not taken.is_filtered:
        everything = kinds.all_components()

        def take_all(S: Slots) -> tuple[int, ...]:
            for slot in slots:
                S[slot] = ()
            return everything

        return take_all
    matching = bench.compile(taken.what).run

    def run(S: Slots) -> tuple[int, ...]:
        wanted = frozenset(matching(S))
        for slot in slots:
            for kind in [one for one in flatten_content(S[slot]) if one in wanted]:
                S[slot] = remove_component(S[slot], kind)
        return tuple(kind for kind in kinds.all_components() if kind in wanted)

    return run


def compile_take_some(bench: Workbench, taken: core.TakeSome) -> Run:
    what, amount, collection = taken.what, bench.compile(taken.amount).run, bench.compile(taken.collection).run
    take_one = compile_take_component(bench, taken.collection)

    def run(S: Slots) -> tuple[int, ...]:
        wanted, several = amount(S), tuple(collection(S))
        if wanted <= 0:
            return ()
        if wanted > len(several):
            raise fault(
                "too-few",
                message("there are only {several} of them, not {wanted}", several=len(several), wanted=wanted),
                what.span,
            )
        if len(set(several)) > 1 and wanted < len(several):
            raise fault("not-alike", message("they are not all the same: say which ones"), what.span)
        for kind in several[:wanted]:
            take_one(S, kind)
        return several[:wanted]

    return run


# ---- the ones that lie there, where others are equal


def compile_take_located(bench: Workbench, taken: core.Taken, order: core.Order | None, source: Run | None) -> Run:
    """As above, where it matters which of several equal components is taken: the one that is meant."""
    if isinstance(taken, core.TakeFrom) and order is None and not taken.is_filtered:
        return compile_take_whole_zone(bench, source or compile_place(bench, taken.place).run)
    some = bench.compile(taken.amount).run if isinstance(taken, core.TakeSome) else None
    what = taken.collection if isinstance(taken, core.TakeSome) else taken.what
    find, kinds = compile_locate_moved(bench, taken, what), find_component_kinds(bench, taken.what)
    assert kinds is not None
    places, mover = all_zone_slots(bench, kinds), locations.compile_mover_register(bench, what)
    by_key = compile_sort_spots(bench, order) if order is not None else None

    def run(S: Slots) -> tuple[int, ...]:
        found = find(S)
        if some is not None:
            found = limit_to_amount(found, some(S), taken.what)
        found = locations.resolve_spots(S, found, places, what)
        if by_key is not None:
            found = by_key(S, found)
        return locations.take_located(bench, S, found, mover(S))

    return run


def compile_locate_moved(bench: Workbench, taken: core.Taken, what: core.Operand) -> locations.FindAll:
    """What an expression means: every component of a declaration, several, or one."""
    if isinstance(taken, core.TakeEverywhere):
        return compile_locate_everywhere(bench, taken)
    if isinstance(bench.type_of(what), CollectionOf):
        return locations.compile_locate_all(bench, what)
    one = locations.compile_locate_one(bench, what)

    def run(S: Slots) -> list[locations.Spot]:
        spot = one(S)
        if spot is None:
            raise fault("nothing-used", message("there is nothing here to move"), what.span)
        return [spot]

    return run


def limit_to_amount(found: list[locations.Spot], wanted: int, what: core.Operand) -> list[locations.Spot]:
    """The first of some that nothing tells apart."""
    if wanted <= 0:
        return []
    if wanted > len(found):
        raise fault(
            "too-few",
            message("there are only {found} of them, not {wanted}", found=len(found), wanted=wanted),
            what.span,
        )
    if wanted < len(found) and len({spot[0] for spot in found}) > 1:
        raise fault("not-alike", message("they are not all the same: say which ones"), what.span)
    return found[:wanted]


def compile_locate_everywhere(bench: Workbench, taken: core.TakeEverywhere) -> locations.FindAll:
    """In declared order."""
    slots = all_zone_slots(bench, taken.kinds)
    matching = bench.compile(taken.what).run if taken.is_filtered else None

    def run(S: Slots) -> list[locations.Spot]:
        found = [spot for slot in slots for spot in locations.list_spots(S[slot], slot)]
        if matching is not None:
            wanted = frozenset(matching(S))
            found = [spot for spot in found if spot[0] in wanted]
        return sorted(found, key=lambda spot: spot[0])

    return run


def compile_take_whole_zone(bench: Workbench, find: Run) -> Run:
    following = bench.following

    def everything(S: Slots) -> tuple[Any, ...]:
        slot = find(S)
        content: tuple[Any, ...] = S[slot]
        S[slot] = ()
        following.update_after_take_all(S, slot)
        return content

    return everything


def compile_sort_spots(
    bench: Workbench, order: core.Order
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


def compile_take_component(bench: Workbench, what: core.Operand) -> Any:
    """Takes one component out of where it is: where it was chosen or drawn, else wherever it lies."""
    origins = find_origins(bench, what)
    finds = [compile_slot(bench, origin).run for origin in origins]
    find = finds[0] if len(finds) == 1 else None
    room = find_zone(bench, origins[0]) if origins else None
    kind_name = getattr(bench.type_of(what), "kind", None) or getattr(
        getattr(bench.type_of(what), "item", None), "kind", None
    )
    wanted = room.kinds if room is not None else bench.kinds_called(kind_name) if kind_name is not None else None
    slots = all_zone_slots(bench, wanted) if wanted is not None else []

    def take(S: Slots, kind: int | None) -> None:
        if kind is None:
            raise fault("nothing-used", message("there is nothing here to move"), what.span)
        for slot in [find(S) for find in finds] + slots:
            left = remove_component(S[slot], kind)
            if left is not None:
                S[slot] = left
                return
        raise fault("nowhere", message("this component is nowhere to be found"), what.span)

    def take_quickly(S: Slots, kind: int) -> None:
        """From a zone without unordered parts."""
        slot = find(S) if find is not None else 0
        content = S[slot]
        if kind in content:
            at = content.index(kind)
            S[slot] = content[:at] + content[at + 1 :]
        else:
            take(S, kind)

    is_simple = room is not None and not room.is_shuffled and room.declaration.kind in {"set", "place"}
    if find is not None and is_simple:
        return take_quickly
    return take


def find_origin(bench: Workbench, what: core.Operand) -> core.Operand | None:
    """The one zone where the component lies, as far as the text says."""
    found = find_origins(bench, what)
    return found[0] if len(found) == 1 else None


def find_origins(bench: Workbench, what: core.Operand) -> tuple[core.Operand, ...]:
    """The zones where it may lie, as far as the text says: it is looked for in the first of them first."""
    lowered = lower_expression(bench, what)
    match lowered:
        case core.Contents(room=ZoneRoom()):
            return (what,)
        case core.Register(_, core.Deal() as draw):
            return () if draw.each else (lower_target(bench, draw.target).place.node,)
        case core.Register(_, core.Choice(domain=several)) | core.Register(_, core.Each(collection=several)):
            return find_origins(bench, several)
        case core.Filter(_, several) | core.ItemAt(collection=several, is_index=False):
            return find_origins(bench, several)
        case core.Best(each=core.Each(collection=several)):
            return find_origins(bench, several)
        case core.Joined(_, parts):
            found = [find_origins(bench, part) for part in parts]
            return tuple(one for origins in found for one in origins) if all(found) else ()
        case core.EndOf(collection=several) | core.Fold(collection=several) | core.ForPlayer(owner=several):
            return find_origins(bench, several)
        case core.Attribute(owner=core.Operand() as owner) | core.Contents(owner=core.Operand() as owner):
            return find_origins(bench, owner)
        case _:
            return ()


# ---- shuffle


def compile_mix(graph: FlowGraph, done: core.Mix) -> None:
    bench, node, target, find = graph.bench, done.node, done.room, compile_place(graph.bench, done.place).run
    is_set, following = target.declaration.kind == "set", bench.following
    take = compile_take(bench, done.added, None) if done.added is not None else constant(()).run

    def change(S: Slots) -> None:
        more, slot = take(S), find(S)
        if is_set:
            put_components(S, target, slot, flatten_content(more), node, following=following)
        else:
            S[slot] = check_capacity(target, slot, mix_contents(S[slot], more), node)
            following.update_after_shuffle(S, slot)

    graph.emit_effect("shuffle", node, change)
