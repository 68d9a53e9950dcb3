"""Turns, repetitions, and one element after the other: their instructions as operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Operand, Order
from rulesrun.interpreter.model.instructions import (
    BeginTurn,
    BeginTurns,
    CountDown,
    EachStep,
    EndEach,
    EndTurns,
    FindTurn,
    GatherElements,
    GatherSeats,
    MoveOn,
    NextElement,
    RepeatStep,
    SetTimes,
    TurnStep,
    Until,
)
from rulesrun.interpreter.model.location_updates import Where
from rulesrun.interpreter.model.locations import Spot, compile_locate_all, place_of_spot
from rulesrun.interpreter.model.values import PLAYER, Run, Slots, constant
from rulesrun.interpreter.reference.choices import compile_forget, compile_restore_player
from rulesrun.interpreter.reference.collections import compile_binder, compile_elements
from rulesrun.interpreter.reference.flow_graph import FlowGraph

# ---- turns


def compile_turns(graph: FlowGraph, one: TurnStep) -> None:
    match one:
        case BeginTurns():
            compile_begin_turns(graph, one)
        case FindTurn(node, done=done):
            graph.emit_jump_unless(node, compile_find_turn(graph.bench, one), done)
        case BeginTurn(node, is_of_game):
            if is_of_game:
                graph.emit_effect("turn", node, lambda S: None)
        case MoveOn():
            compile_move_on(graph, one)
        case EndTurns():
            compile_end_turns(graph, one)
        case _:
            assert_never(one)


def compile_first_and_left_out(bench: Workbench, one: BeginTurns) -> tuple[Run, Run]:
    """With whom the turns begin, and who has none."""
    left_out = bench.compile(one.excluded).run if one.excluded is not None else constant(None).run
    return bench.compile_player(one.start), left_out


def compile_begin_turns(graph: FlowGraph, one: BeginTurns) -> None:
    seat, looked, excluded, kept = one.slots.seat, one.slots.looked, one.slots.excluded, one.slots.before
    start, left_out = compile_first_and_left_out(graph.bench, one)

    def begin(S: Slots) -> None:
        S[kept], S[looked], S[excluded] = S[PLAYER], 0, left_out(S)
        S[seat] = start(S)
        S[PLAYER] = S[seat]

    graph.emit_effect("turns-begin", one.node, begin)


def compile_find_turn(bench: Workbench, one: FindTurn) -> Run:
    """Finds whose turn it is; says no when there is nobody (left)."""
    seat, looked, excluded = one.slots.seat, one.slots.looked, one.slots.excluded
    n, go_on = bench.players, compile_go_on(bench, one.following, seat)
    skipping = bench.compile(one.skipping).run if one.skipping is not None else None

    def anyone(S: Slots) -> bool:
        for _ in range(n):
            S[PLAYER] = S[seat]
            if skipping is None or not skipping(S):
                return True
            go_on(S)
        return False

    def once(S: Slots) -> bool:
        while S[looked] < n:
            S[PLAYER] = S[seat]
            if S[seat] != S[excluded] and (skipping is None or not skipping(S)):
                return True
            go_on(S)
            S[looked] += 1
        return False

    return once if one.is_once else anyone


def compile_go_on(bench: Workbench, asked: Operand | None, seat: int) -> Callable[[Slots], None]:
    """To whose turn comes next, asked of the one whose seat it is: left of that one, unless the rules say otherwise."""
    n, following = bench.players, bench.compile_player(asked) if asked is not None else None

    def go_to_the_left(S: Slots) -> None:
        S[seat] = S[seat] % n + 1

    def go_on(S: Slots) -> None:
        assert following is not None
        S[PLAYER] = S[seat]
        S[seat] = following(S)

    return go_to_the_left if following is None else go_on


def compile_move_on(graph: FlowGraph, one: MoveOn) -> None:
    go_on, looked = compile_go_on(graph.bench, one.following, one.slots.seat), one.slots.looked

    def go_on_once(S: Slots) -> None:
        go_on(S)
        S[looked] += 1

    graph.emit_effect("next-seat", one.node, go_on_once if one.is_once else go_on)


def compile_end_turns(graph: FlowGraph, one: EndTurns) -> None:
    seat, looked, excluded, kept = one.slots.seat, one.slots.looked, one.slots.excluded, one.slots.before

    def finish(S: Slots) -> None:
        S[PLAYER], S[seat], S[looked], S[excluded], S[kept] = S[kept], None, 0, None, None

    graph.emit_effect("turns-end", one.node, finish)


# ---- repetition


def compile_repeat(graph: FlowGraph, one: RepeatStep) -> None:
    bench = graph.bench
    match one:
        case SetTimes(node, written, counter):
            times = bench.compile(written).run
            graph.emit_effect("how-often", node, lambda S: S.__setitem__(counter, times(S)))
        case CountDown(node, counter, done):
            graph.emit_jump_unless(node, compile_count_down(counter), done)
        case Until(node, until, done):
            stop = bench.compile(until).run
            graph.emit_jump_unless(node, lambda S: not stop(S), done)
        case _:
            assert_never(one)


def compile_count_down(counter: int) -> Run:
    def run(S: Slots) -> bool:
        if S[counter] <= 0:
            S[counter] = 0
            return False
        S[counter] -= 1
        return True

    return run


# ---- one after the other


def compile_each(graph: FlowGraph, one: EachStep) -> None:
    match one:
        case GatherElements():
            compile_gather_elements(graph, one)
        case GatherSeats(node, slots):
            several, left, kept = compile_seats(graph.bench, one), slots.left, slots.before or 0
            graph.emit_effect("keep-player", node, lambda S: S.__setitem__(kept, S[PLAYER]))
            graph.emit_effect("gather", node, lambda S: S.__setitem__(left, tuple(several(S))))
        case NextElement(node, done=done):
            graph.emit_jump_unless(node, compile_next_element(one), done)
        case EndEach(node, slots):
            if slots.before is not None:
                graph.emit_effect("player-again", node, compile_restore_player(slots.before))
            else:
                held = [slots.element] if slots.where is None else [slots.element, slots.where]
                graph.emit_effect("forget", node, compile_forget(held))
        case _:
            assert_never(one)


def compile_gather_elements(graph: FlowGraph, one: GatherElements) -> None:
    bench, node, slots, order = graph.bench, one.node, one.slots, one.order
    if slots.where is not None and one.several is not None:
        find = compile_locate_all(bench, one.several)
        graph.emit_effect("gather", node, compile_gather_several(find, slots.left, slots.where))
        return
    compile_binder(bench, one.each)
    several = compile_elements(bench, one.each.collection, slots.element, one.each)
    key = compile_order_key(bench, order, slots.element)
    left, wheres = slots.left, slots.wheres
    if wheres is not None and slots.where is not None:
        spots_of = compile_gather_spots(several, slots.element, slots.where, key, order)
        graph.emit_effect("gather", node, compile_gather_located(spots_of, left, wheres))
        return
    if key is not None and order is not None:
        several = compile_sort_elements(several, slots.element, key, order.reverse)
    graph.emit_effect("gather", node, lambda S: S.__setitem__(left, tuple(several(S))))


def compile_order_key(bench: Workbench, order: Order | None, register: int) -> Run | None:
    """By what they are sorted, of the one in this slot."""
    if order is None:
        return None
    with bench.element_scope(order, register):
        return bench.compile(order.key).run


def compile_gather_several(find: Callable[[Slots], list[Spot]], left: int, where: int) -> Callable[[Slots], None]:
    """One name for several components: each of them is followed."""

    def gather(S: Slots) -> None:
        found = find(S)
        S[left] = (tuple([spot[0] for spot in found]),)
        S[where] = tuple([place_of_spot(spot) for spot in found])

    return gather


def compile_gather_located(
    spots_of: Callable[[Slots], list[tuple[int, Where]]], left: int, wheres: int
) -> Callable[[Slots], None]:
    """Where equal components lie in an order: each is followed to where it lies when its time comes."""

    def gather(S: Slots) -> None:
        found = spots_of(S)
        S[left] = tuple([kind for kind, _ in found])
        S[wheres] = tuple([place_of_spot((kind, *place)) for kind, place in found])

    return gather


def compile_next_element(one: NextElement) -> Run:
    left, element, wheres, where = one.slots.left, one.slots.element, one.slots.wheres or 0, one.slots.where or 0

    def is_more(S: Slots) -> bool:
        if not S[left]:
            return False
        S[element], S[left] = S[left][0], S[left][1:]
        return True

    def is_more_located(S: Slots) -> bool:
        if not is_more(S):
            return False
        S[where], S[wheres] = S[wheres][0], S[wheres][1:]
        return True

    return is_more if one.slots.wheres is None else is_more_located


def compile_seats(bench: Workbench, one: GatherSeats) -> Run:
    """The seats that fit, in their order."""
    n, order = bench.players, one.order
    start = bench.compile_player(one.start) if one.start is not None else None
    condition = bench.compile(one.condition).run if one.condition is not None else None

    def seats(S: Slots) -> tuple[int, ...]:
        first = start(S) if start is not None else 1
        found, kept = [], S[PLAYER]
        for number in range(n):
            S[PLAYER] = (first - 1 + number) % n + 1
            if condition is None or condition(S):
                found.append(S[PLAYER])
        S[PLAYER] = kept
        return tuple(found)

    key = compile_order_key(bench, order, PLAYER)
    return compile_sort_elements(seats, PLAYER, key, order.reverse) if key is not None and order is not None else seats


def compile_gather_spots(
    several: Run, register: int, where: int, key: Run | None, order: Order | None
) -> Callable[[Slots], list[tuple[int, Where]]]:
    """All elements with their places, in their order."""

    def run(S: Slots) -> list[tuple[int, Where]]:
        kept, place, found, keys = S[register], S[where], [], []
        for kind in several(S):
            found.append((kind, S[where]))
            keys.append(key(S) if key is not None else 0)
        S[register], S[where] = kept, place
        if order is None:
            return found
        numbers = sorted(range(len(found)), key=keys.__getitem__, reverse=order.reverse)
        return [found[number] for number in numbers]

    return run


def compile_sort_elements(several: Run, register: int, key: Run, reverse: bool) -> Run:
    def run(S: Slots) -> tuple[Any, ...]:
        kept, keys = S[register], {}
        elements = tuple(several(S))
        for element in elements:
            S[register] = element
            keys[element] = key(S)
        S[register] = kept
        return tuple(sorted(elements, key=keys.__getitem__, reverse=reverse))

    return run
