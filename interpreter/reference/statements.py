"""Effects that move no component: takes one, adds its operations to the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model import core, locations
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench
from rulesrun.interpreter.model.core_lowering import list_chances
from rulesrun.interpreter.model.domains import list_values
from rulesrun.interpreter.model.located_names import find_component_kinds
from rulesrun.interpreter.model.places import compile_place
from rulesrun.interpreter.model.values import SHOWN, STARTER, Code, Run, Slots, constant, fault
from rulesrun.interpreter.reference.chance import OrderWait, ValueWait
from rulesrun.interpreter.reference.flow_graph import FlowGraph

Put = Callable[[Slots, Any], None]


def compile_assignment(bench: Workbench, place: core.Assigned) -> Put:
    """How a value is put into a variable, kept within its range."""
    if isinstance(place, core.Current):
        return lambda S, value: S.__setitem__(STARTER, value)
    assert isinstance(place.room, VariableRoom)
    room, at = place.room, compile_place(bench, place)
    if id(room.declaration) in bench.marked:
        return compile_unlocated_assignment(bench, room, at)
    if room.low is None or room.high is None:
        find = at.run
        return lambda S, value: S.__setitem__(find(S), value)
    return compile_bounded_assignment(room, at, place.node)


def compile_unlocated_assignment(bench: Workbench, room: VariableRoom, at: Code) -> Put:
    """A component of which nobody said where it lies."""
    find, offset = at.run, bench.marked[id(room.declaration)] - room.base

    def assign(S: Slots, value: Any) -> None:
        slot = find(S)
        S[slot], S[slot + offset] = value, None

    return assign


def compile_marker_assignment(bench: Workbench, place: core.Contents, value: core.Operand) -> Run:
    """The marker remembers the very component, wherever it goes."""
    room, find, spot_of = place.room, compile_place(bench, place).run, locations.compile_locate_one(bench, value)
    offset = bench.marked[id(room.declaration)] - room.base

    def change(S: Slots) -> None:
        spot, slot = spot_of(S), find(S)
        S[slot], S[slot + offset] = None if spot is None else spot[0], locations.place_of_spot(spot)

    return change


def compile_bounded_assignment(room: VariableRoom, at: Code, target: core.Operand) -> Put:
    low, high, find = room.low or 0, room.high or 0, at.run
    is_clamped = room.declaration.clamped

    def assign(S: Slots, value: Any) -> None:
        slot = find(S)
        if value is None:
            raise fault("nothing-used", message("a number is needed here, but there is nothing"), target.span)
        if not low <= value <= high:
            if not is_clamped:
                name = room.names[slot - room.base]
                raise fault("leaves-range", message(
                    "`{name}` would become {value}, outside {low}..{high}", name=name, value=value, low=low,
                    high=high,
                ), target.span)
            value = low if value < low else high
        if not isinstance(value, int):
            raise fault("not-whole", message("{value} is not a whole number", value=value), target.span)
        S[slot] = value

    return assign


def compile_assign(graph: FlowGraph, done: core.Assign) -> None:
    bench, place = graph.bench, done.place
    value, assign = bench.compile(done.value).run, compile_assignment(bench, place)
    room = place.room if isinstance(place, core.Contents) else None
    at = compile_place(bench, place) if isinstance(place, core.Contents) else None
    if isinstance(place, core.Contents) and id(place.room.declaration) in bench.marked:
        graph.emit_effect("becomes", done.node, compile_marker_assignment(bench, place, done.value))
    elif isinstance(room, VariableRoom) and room.low is None and at is not None and at.is_constant:
        slot = at.value
        graph.emit_effect("becomes", done.node, lambda S: S.__setitem__(slot, value(S)))
    else:
        graph.emit_effect("becomes", done.node, lambda S: assign(S, value(S)))


def compile_adjust(graph: FlowGraph, done: core.Adjust) -> None:
    bench, sign = graph.bench, done.sign
    amount, assign, now = (
        bench.compile(done.amount).run, compile_assignment(bench, done.place), bench.compile(done.place.node).run,
    )
    graph.emit_effect("increases", done.node, lambda S: assign(S, now(S) + sign * amount(S)))


# ---- chance


def compile_target_name(bench: Workbench, place: core.Assigned) -> Callable[[Slots], str]:
    if isinstance(place, core.Current):
        return lambda S: "starter"
    find, names, base = compile_place(bench, place).run, place.room.names, place.room.base
    return lambda S: names[find(S) - base]


def compile_draw_value(graph: FlowGraph, done: core.DrawValue) -> None:
    bench = graph.bench
    values, weights = list_chances(bench, done)
    assign, name = compile_assignment(bench, done.place), compile_target_name(bench, done.place)
    graph.emit_wait(done.what, ValueWait(
        done.node, what=done.what, values=values, weights=weights, target=assign, target_name=name
    ))


def compile_draw_order(graph: FlowGraph, done: core.DrawOrder) -> None:
    bench, values = graph.bench, list_values(graph.bench, done.room.item_type)
    assign, name = compile_assignment(bench, done.place), compile_target_name(bench, done.place)
    graph.emit_wait("order", OrderWait(
        done.node, what="order", values=values, weights=(), target=assign, target_name=name
    ))


# ---- shows, records


def compile_show(graph: FlowGraph, done: core.Show) -> None:
    """What is shown is seen until the next decision or chance event.

    Of a whole zone, of a number or marker its slot is kept; of other components which kind it is, as a number below
    zero.
    """
    bench = graph.bench
    content = bench.compile(done.what).run
    to: Run = bench.compile(done.to).run if done.to else constant(0).run
    place = done.zone or done.value
    find: Run = (
        compile_place(bench, place) if place is not None else constant(~shown_kinds_index(bench, done.what))
    ).run

    def change(S: Slots) -> None:
        seen = content(S)
        shown = (to(S), find(S), tuple(seen) if isinstance(seen, range) else seen)
        if shown not in S[SHOWN]:
            S[SHOWN] = (*S[SHOWN], shown)

    graph.emit_effect("show", done.node, change)


def shown_kinds_index(bench: Workbench, what: core.Operand) -> int:
    """Which of the declarations of components it is one of."""
    kinds = find_component_kinds(bench, what)
    every = list(bench.kinds.values())
    return every.index(kinds) if kinds is not None else 0


class RecordCounts(dict[Any, int]):
    """How often each position has been recorded; never changed once it lies in a position."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


def compile_record(graph: FlowGraph, done: core.Record) -> None:
    bench = graph.bench
    slot, runs = bench.memories[id(done.memory)], [bench.compile(value).run for value in done.values]

    def change(S: Slots) -> None:
        key = tuple([run(S) for run in runs])
        known = RecordCounts(S[slot][1] if S[slot] else {})
        known[key] = known.get(key, 0) + 1
        S[slot] = (key, known)

    graph.emit_effect("record", done.node, change)
