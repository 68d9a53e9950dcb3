"""Turns and repetitions: takes the header and the body of one, adds the loop to the graph.

The turns of the game are the outermost ones. Turns inside a turn ask players, and the outer turn goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulesrun.dsl import ast
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.flow_graph import FlowGraph, Label, PhaseStart
from rulesrun.interpreter.model.values import PLAYER, Run, Slots, constant

if TYPE_CHECKING:
    from rulesrun.interpreter.reference.bodies import FlowCompiler


def compile_turns(
    writer: FlowCompiler,
    node: ast.Turns,
    body: tuple[ast.Statement, ...],
    done: Label,
    start_of: PhaseStart | None = None,
) -> None:
    """Clockwise from a player; `one turn each` stops after everyone has been looked at once. `done` is its end.

    Registers: whose turn may be next, how many have been looked at, who is left out, who was `player` before.
    """
    bench, graph = writer.bench, writer.graph
    seat, looked, excluded, kept = bench.new_slot(None), bench.new_slot(0), bench.new_slot(None), bench.new_slot(None)
    graph.record_registers(node, "turns", seat, looked, excluded, kept)
    start = bench.compile_player(node.start)
    left_out = bench.compile(node.excluded).run if node.excluded is not None else constant(None).run

    def begin(S: Slots) -> None:
        S[kept], S[looked], S[excluded] = S[PLAYER], 0, left_out(S)
        S[seat] = start(S)
        S[PLAYER] = S[seat]

    again = Label()
    graph.emit_effect("turns-begin", node, begin)
    graph.place_label(again)
    if start_of is not None:
        start_of.turn, start_of.seat, start_of.looked = again, seat, looked
        start_of.excluded, start_of.before, start_of.first, start_of.left_out = excluded, kept, start, left_out
    graph.emit_jump_unless(node, compile_until(bench, node.until), done)
    graph.emit_jump_unless(node, compile_find_next_turn(bench, node, seat, looked, excluded), done)
    compile_turn(writer, node, body, start_of)
    emit_seat_advance(bench, graph, node, seat, looked)
    graph.emit_jump(node, again)
    graph.place_label(done)

    def finish(S: Slots) -> None:
        S[PLAYER], S[seat], S[looked], S[excluded], S[kept] = S[kept], None, 0, None, None

    graph.emit_effect("turns-end", node, finish)


def compile_turn(
    writer: FlowCompiler, node: ast.Turns, body: tuple[ast.Statement, ...], start_of: PhaseStart | None
) -> None:
    """Of one player: a turn of the game, or a part of the turn around it."""
    graph, is_turn = writer.graph, not writer.in_turn
    if is_turn:
        graph.turns_begun[len(graph.operations) - 1] = node
        writer.watches.reset_at_moment(graph, node, "turn")
    place_body_label(graph, start_of)
    writer.in_turn = True
    compile_turn_body(writer, body)
    writer.in_turn = not is_turn
    if is_turn:
        writer.watches.judge_at_moment(graph, node, "turn")


def place_body_label(graph: FlowGraph, start_of: PhaseStart | None) -> None:
    if start_of is not None:
        graph.place_label(start_of.body)


def compile_turn_body(writer: FlowCompiler, body: tuple[ast.Statement, ...]) -> None:
    """`end turn` leads behind the lines."""
    graph, turn_over = writer.graph, Label()
    outer, graph.ends.turn = graph.ends.turn, turn_over
    writer.compile_body(body)
    graph.ends.turn = outer
    graph.place_label(turn_over)


def compile_until(bench: Workbench, until: ast.Expr | None) -> Run:
    if until is None:
        return lambda S: True
    stop = bench.compile(until).run
    return lambda S: not stop(S)


def compile_find_next_turn(bench: Workbench, node: ast.Turns, seat: int, looked: int, excluded: int) -> Run:
    """Finds whose turn it is; says no when there is nobody (left)."""
    n, move_on = bench.players, compile_move_on(bench, node, seat)
    skipping = bench.compile(node.skipping).run if node.skipping is not None else None

    def anyone(S: Slots) -> bool:
        for _ in range(n):
            S[PLAYER] = S[seat]
            if skipping is None or not skipping(S):
                return True
            move_on(S)
        return False

    def once(S: Slots) -> bool:
        while S[looked] < n:
            S[PLAYER] = S[seat]
            if S[seat] != S[excluded] and (skipping is None or not skipping(S)):
                return True
            move_on(S)
            S[looked] += 1
        return False

    return once if node.once else anyone


def compile_move_on(bench: Workbench, node: ast.Turns, seat: int) -> Callable[[Slots], None]:
    """To whose turn comes next, asked of the one whose seat it is: left of that one, unless the rules say otherwise."""
    n, following = bench.players, bench.compile_player(node.following) if node.following is not None else None

    def go_to_the_left(S: Slots) -> None:
        S[seat] = S[seat] % n + 1

    def go_on(S: Slots) -> None:
        assert following is not None
        S[PLAYER] = S[seat]
        S[seat] = following(S)

    return go_to_the_left if following is None else go_on


def emit_seat_advance(bench: Workbench, graph: FlowGraph, node: ast.Turns, seat: int, looked: int) -> None:
    move_on = compile_move_on(bench, node, seat)

    def move_on_once(S: Slots) -> None:
        move_on(S)
        S[looked] += 1

    graph.emit_effect("next-seat", node, move_on_once if node.once else move_on)


def compile_repeat(
    writer: FlowCompiler, node: ast.Repeat, body: tuple[ast.Statement, ...], start_of: PhaseStart | None = None
) -> None:
    """A number of times, or until something holds; looked at before each time. `start_of`: of the phase that it is."""
    bench, graph = writer.bench, writer.graph
    again, done = Label(), Label()
    left = bench.new_slot(0) if node.times is not None else None
    if node.times is not None and left is not None:
        times, counter = bench.compile(node.times).run, left
        graph.record_registers(node, "repeat", counter)
        graph.emit_effect("how-often", node, lambda S: S.__setitem__(counter, times(S)))
    graph.place_label(again)
    if left is not None:
        graph.emit_jump_unless(node, compile_count_down(left), done)
    graph.emit_jump_unless(node, compile_until(bench, node.until), done)
    if start_of is not None:
        compile_phase_body(writer, node, body, start_of)
    else:
        writer.compile_body(body)
    graph.emit_jump(node, again)
    graph.place_label(done)


def compile_count_down(counter: int) -> Run:
    def run(S: Slots) -> bool:
        if S[counter] <= 0:
            S[counter] = 0
            return False
        S[counter] -= 1
        return True

    return run


def compile_phase_body(
    writer: FlowCompiler, node: ast.Node, body: tuple[ast.Statement, ...], start_of: PhaseStart
) -> None:
    """The lines of a phase whose header has no turns are a turn, unless they hold turns."""
    graph = writer.graph
    begins, already = len(graph.operations) - 1, len(graph.turns_begun)
    writer.watches.reset_at_moment(graph, node, "turn")
    place_body_label(graph, start_of)
    compile_turn_body(writer, body)
    if len(graph.turns_begun) == already:
        graph.turns_begun[begins] = node
        writer.watches.judge_at_moment(graph, node, "turn")
