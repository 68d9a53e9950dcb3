"""`deal` and `draw`: takes one, adds the chance events and what leads from one to the next to the graph."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Contents, Draw
from rulesrun.interpreter.model.flow_graph import FlowGraph, Label
from rulesrun.interpreter.model.places import compile_place
from rulesrun.interpreter.model.values import Run, Slots, constant
from rulesrun.interpreter.reference.chance import DrawWait


def compile_draw(graph: FlowGraph, done: Draw) -> None:
    bench, node = graph.bench, done.node
    left, count = bench.new_slot(0), bench.compile(done.count).run
    seat = bench.new_slot(0) if done.is_each else None
    wait = compile_draw_wait(bench, done, left, seat)
    loop, over = Label(), Label()
    if seat is not None:
        graph.emit_effect("first-seat", node, lambda S: S.__setitem__(seat, 0))
        graph.place_label(loop)
    graph.emit_effect("how-many", node, lambda S: S.__setitem__(left, count(S)))
    graph.emit_wait("draw", wait)
    if seat is not None:
        amount, _ = target_instances(bench, done.target.place)
        emit_next_seat(graph, node, seat, amount, loop)
        graph.place_label(over)
    graph.emit_effect("drawn", node, lambda S: S.__setitem__(left, 0))


def emit_next_seat(graph: FlowGraph, node: ast.Node, seat: int, amount: int, loop: Label) -> None:
    def more(S: Slots) -> bool:
        S[seat] += 1
        if S[seat] < amount:
            return False
        S[seat] = 0
        return True

    graph.emit_jump_unless(node, more, loop)


def compile_draw_wait(bench: Workbench, done: Draw, left: int, seat: int | None) -> DrawWait:
    condition, remember = draw_registers(bench, done)
    return DrawWait(
        done.node, what="draw", origin=done.room, origin_slot=compile_place(bench, done.origin).run,
        target=done.target.room, target_slot=compile_target_slot(bench, done.target.place, seat), left=left,
        remember=remember, up_to=done.is_up_to, condition=condition, is_set=done.room.declaration.kind == "set",
        where=bench.wheres.get(remember) if remember is not None else None, following=bench.following,
    )


def draw_registers(bench: Workbench, done: Draw) -> tuple[tuple[int, Run] | None, int | None]:
    """The condition with the register of its element, and the register of `as`; once for all uses of the statement."""
    node = done.node
    if id(node) not in bench.draws:
        condition = None
        if done.condition is not None:
            slot = bench.new_scratch_slot()
            with bench.element_scope(node, slot):
                condition = (slot, bench.compile(done.condition).run)
        bench.registers[id(node)] = bench.new_slot(None)
        if id(node) in bench.located:
            bench.wheres[bench.registers[id(node)]] = bench.new_slot(None)
            bench.following.follow(bench.registers[id(node)], bench.wheres[bench.registers[id(node)]])
        bench.draws[id(node)] = (condition, bench.registers[id(node)] if done.alias is not None else None)
    return bench.draws[id(node)]


def alias_slots(bench: Workbench, done: Draw) -> list[int]:
    """Of what was drawn, and of where it lies."""
    register = bench.registers[id(done.node)]
    return [register, bench.wheres[register]] if register in bench.wheres else [register]


def compile_target_slot(bench: Workbench, target: Contents, seat: int | None) -> Run:
    if seat is None:
        return compile_place(bench, target).run
    _, first = target_instances(bench, target)
    return lambda S: first(S) + S[seat]


def target_instances(bench: Workbench, target: Contents) -> tuple[int, Run]:
    """`each hand`: how many places, and the slot of the first; seat by seat, key by key."""
    room = target.room
    if target.owner is not None:
        owner, base, each = bench.compile(target.owner).run, room.base - room.per_player, room.per_player
        return each, lambda S: base + each * owner(S)
    return room.amount, constant(room.base).run


