"""`deal` and `draw`: takes one, adds the chance events and what leads from one to the next to the graph."""

from __future__ import annotations

from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Contents, Draw
from rulesrun.interpreter.model.instructions import DrawComponents
from rulesrun.interpreter.model.places import compile_place
from rulesrun.interpreter.model.values import Run, Slots, constant
from rulesrun.interpreter.reference.chance import DrawWait
from rulesrun.interpreter.reference.flow_graph import FlowGraph, Place


def compile_draw(graph: FlowGraph, one: DrawComponents) -> None:
    bench, node, done, left, seat = graph.bench, one.node, one.effect, one.left, one.seat
    count, wait = bench.compile(done.count).run, compile_draw_wait(bench, one)
    if seat is not None:
        graph.emit_effect("first-seat", node, lambda S: S.__setitem__(seat, 0))
    first = len(graph.operations)
    graph.emit_effect("how-many", node, lambda S: S.__setitem__(left, count(S)))
    graph.emit_wait("draw", wait)
    if seat is not None:
        amount, _ = target_instances(bench, done.target.place)
        graph.emit_branch(node, compile_is_last_seat(seat, amount), Place(first))
        graph.note_loop(first)
    graph.emit_effect("drawn", node, lambda S: S.__setitem__(left, 0))


def compile_is_last_seat(seat: int, amount: int) -> Run:
    def run(S: Slots) -> bool:
        S[seat] += 1
        if S[seat] < amount:
            return False
        S[seat] = 0
        return True

    return run


def compile_draw_wait(bench: Workbench, one: DrawComponents) -> DrawWait:
    done, register = one.effect, bench.registers[id(one.node)]
    remember = register if done.alias is not None else None
    return DrawWait(
        one.node, what="roll" if done.is_thrown else "draw", is_thrown=done.is_thrown, origin=done.room,
        origin_slot=compile_place(bench, done.origin).run, target=done.target.room,
        target_slot=compile_target_slot(bench, done.target.place, one.seat), left=one.left, remember=remember,
        up_to=done.is_up_to, condition=compile_condition(bench, done), is_set=done.room.declaration.kind == "set",
        where=bench.wheres.get(remember) if remember is not None else None, following=bench.following,
    )


def compile_condition(bench: Workbench, done: Draw) -> tuple[int, Run] | None:
    """The register of the element, the test; once for all uses of the statement."""
    node = done.node
    if done.condition is None:
        return None
    if id(node) not in bench.draws:
        register, slot = bench.registers[id(node)], bench.new_scratch_slot()
        with bench.element_scope(node, slot):
            bench.draws[id(node)] = slot, bench.compile(done.condition).run
        bench.registers[id(node)] = register  # of what is drawn; `it` was the one that is looked at
    return bench.draws[id(node)]


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


