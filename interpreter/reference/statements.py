"""Statements without a body: takes one, adds its operations to the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import CollectionOf, OptionalOf
from rulesrun.interpreter.model import locations
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench
from rulesrun.interpreter.model.core import Contents, Current
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.domains import list_values
from rulesrun.interpreter.model.flow_graph import FlowGraph, Label
from rulesrun.interpreter.model.places import compile_place, compile_slot, find_room, find_zone
from rulesrun.interpreter.model.values import SHOWN, STARTER, Code, Run, Slots, constant, fault
from rulesrun.interpreter.reference.chance import OrderWait, ValueWait

Assign = Callable[[Slots, Any], None]


def compile_assignment(bench: Workbench, target: ast.Expr) -> Assign:
    """How a value is put where `target` says, kept within its range."""
    core = lower_expression(bench, target)
    if isinstance(core, Current):
        return lambda S, value: S.__setitem__(STARTER, value)
    assert isinstance(core, Contents)
    assert isinstance(core.room, VariableRoom)
    room, at = core.room, compile_place(bench, core)
    if id(room.declaration) in bench.marked:
        return compile_unlocated_assignment(bench, room, at)
    if room.low is None or room.high is None:
        find = at.run
        return lambda S, value: S.__setitem__(find(S), value)
    return compile_bounded_assignment(room, at, target)


def compile_unlocated_assignment(bench: Workbench, room: VariableRoom, at: Code) -> Assign:
    """A component of which nobody said where it lies."""
    find, offset = at.run, bench.marked[id(room.declaration)] - room.base

    def assign(S: Slots, value: Any) -> None:
        slot = find(S)
        S[slot], S[slot + offset] = value, None

    return assign


def compile_marker_assignment(bench: Workbench, node: ast.Becomes, room: VariableRoom) -> Run:
    """The marker remembers the very component, wherever it goes."""
    find, spot_of = compile_slot(bench, node.target).run, locations.compile_locate_one(bench, node.value)
    offset = bench.marked[id(room.declaration)] - room.base

    def change(S: Slots) -> None:
        spot, slot = spot_of(S), find(S)
        S[slot], S[slot + offset] = None if spot is None else spot[0], locations.place_of_spot(spot)

    return change


def compile_bounded_assignment(room: VariableRoom, at: Code, target: ast.Expr) -> Assign:
    low, high, find = room.low or 0, room.high or 0, at.run
    is_clamped = room.declaration.clamped

    def assign(S: Slots, value: Any) -> None:
        slot = find(S)
        if value is None:
            raise fault("nothing-used", message("there is nothing here, where a number is needed"), target.span)
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


def compile_becomes(graph: FlowGraph, node: ast.Becomes) -> None:
    bench = graph.bench
    value, assign = bench.compile(node.value).run, compile_assignment(bench, node.target)
    room = find_room(bench, node.target)
    if isinstance(room, VariableRoom) and id(room.declaration) in bench.marked:
        graph.emit_effect("becomes", node, compile_marker_assignment(bench, node, room))
    elif isinstance(room, VariableRoom) and room.low is None and compile_slot(bench, node.target).is_constant:
        slot = compile_slot(bench, node.target).value
        graph.emit_effect("becomes", node, lambda S: S.__setitem__(slot, value(S)))
    else:
        graph.emit_effect("becomes", node, lambda S: assign(S, value(S)))


def compile_increases(graph: FlowGraph, node: ast.Increases) -> None:
    bench, sign = graph.bench, node.sign
    amount, assign, now = (
        bench.compile(node.amount).run, compile_assignment(bench, node.target), bench.compile(node.target).run,
    )
    graph.emit_effect("increases", node, lambda S: assign(S, now(S) + sign * amount(S)))


# ---- chance


def compile_target_name(bench: Workbench, target: ast.Expr) -> Callable[[Slots], str]:
    room = find_room(bench, target)
    if room is None:
        return lambda S: "starter"
    find, names, base = compile_slot(bench, target).run, room.names, room.base
    return lambda S: names[find(S) - base]


def compile_roll(graph: FlowGraph, node: ast.Roll) -> None:
    bench = graph.bench
    room = find_room(bench, node.target)
    assert isinstance(room, VariableRoom)
    written = room.declaration.type
    values = list_values(bench, written.item if isinstance(written, ast.Optional) else written)  # never `nothing`
    weights = tuple(bench.constant_number(one) for one in node.chances) or (1,) * len(values)
    if not values:
        raise bench.refusal("no-values", "there is no value to roll at this table", node)
    if len(weights) != len(values) or min(weights) < 0 or sum(weights) == 0:
        raise bench.refusal("wrong-chances", f"there must be one chance for each of the {len(values)} values", node)
    assign, name = compile_assignment(bench, node.target), compile_target_name(bench, node.target)
    graph.emit_wait(
        "roll", ValueWait(node, what="roll", values=values, weights=weights, target=assign, target_name=name)
    )


def compile_lots(graph: FlowGraph, node: ast.Lots) -> None:
    bench = graph.bench
    values = tuple(range(1, bench.players + 1))
    assign, name = compile_assignment(bench, node.target), compile_target_name(bench, node.target)
    ones = (1,) * len(values)
    graph.emit_wait("lot", ValueWait(node, what="lot", values=values, weights=ones, target=assign, target_name=name))


def compile_random_order(graph: FlowGraph, node: ast.Shuffle, room: VariableRoom) -> None:
    bench = graph.bench
    if not isinstance(room.declaration.type, ast.OrderType):
        raise bench.refusal("wrong-type", "only a pile or an `order` can be shuffled", node)
    values = list_values(bench, room.declaration.type.item)
    assign, name = compile_assignment(bench, node.what), compile_target_name(bench, node.what)
    graph.emit_wait("order", OrderWait(node, what="order", values=values, weights=(), target=assign, target_name=name))


# ---- ends, shows, records


def compile_end(graph: FlowGraph, node: ast.End) -> None:
    targets: dict[str, Label | None] = {
        "turn": graph.ends.turn, "phase": graph.ends.phase, "round": graph.ends.round, "game": graph.ends.game,
    }
    label = targets[node.what]
    if label is None:
        raise graph.bench.refusal("nothing-to-end", f"there is no {node.what} to end here", node)
    graph.emit_jump(node, label)


def compile_show(graph: FlowGraph, node: ast.Show) -> None:
    """What is shown is seen until the next decision or chance event.

    Of what is no whole zone it is kept which kind of component it is, as a number below zero.
    """
    bench = graph.bench
    content = bench.compile(node.what).run
    to: Run = bench.compile(node.to).run if node.to else constant(0).run
    is_zone = find_zone(bench, node.what) is not None
    find: Run = compile_slot(bench, node.what).run if is_zone else constant(~shown_kinds_index(bench, node.what)).run

    def change(S: Slots) -> None:
        seen = content(S)
        shown = (to(S), find(S), tuple(seen) if isinstance(seen, range) else seen)
        if shown not in S[SHOWN]:
            S[SHOWN] = (*S[SHOWN], shown)

    graph.emit_effect("show", node, change)


def shown_kinds_index(bench: Workbench, what: ast.Expr) -> int:
    """Which of the declarations of components it is one of."""
    found = bench.type_of(what)
    while isinstance(found, (CollectionOf, OptionalOf)):
        found = found.item
    names = [kinds.declaration.name.text for kinds in bench.kinds.values()]
    return names.index(getattr(found, "kind", names[0]))


class RecordCounts(dict[Any, int]):
    """How often each position has been recorded; never changed once it lies in a position."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


def compile_record(graph: FlowGraph, node: ast.Record) -> None:
    bench = graph.bench
    meaning = bench.meaning(node.memory)
    assert isinstance(meaning, ast.Memory)
    slot, runs = bench.memories[id(meaning)], [bench.compile(value).run for value in node.values]

    def change(S: Slots) -> None:
        key = tuple([run(S) for run in runs])
        known = RecordCounts(S[slot][1] if S[slot] else {})
        known[key] = known.get(key, 0) + 1
        S[slot] = (key, known)

    graph.emit_effect("record", node, change)
