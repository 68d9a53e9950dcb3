"""Turns and repetitions: takes the header and the body of one, adds the loop to the graph.

The turns of the game are the outermost ones. Turns inside a turn ask players, and the outer turn goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesrun.dsl import ast
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.flow_graph import Graph, Label, PhaseStart
from rulesrun.interpreter.model.values import PLAYER, Run, Slots, constant

if TYPE_CHECKING:
    from rulesrun.interpreter.reference.bodies import Writer


def turns(
    writer: Writer, node: ast.Turns, body: tuple[ast.Statement, ...], done: Label, start_of: PhaseStart | None = None
) -> None:
    """Clockwise from a player; `one turn each` stops after everyone has been looked at once. `done` is its end.

    Registers: whose turn may be next, how many have been looked at, who is left out, who was `player` before.
    """
    bench, graph = writer.bench, writer.graph
    seat, looked, excluded, kept = bench.real(None), bench.real(0), bench.real(None), bench.real(None)
    graph.registered(node, "turns", seat, looked, excluded, kept)
    start = bench.somebody(node.start)
    left_out = bench.expression(node.excluded).run if node.excluded is not None else constant(None).run

    def begin(S: Slots) -> None:
        S[kept], S[looked], S[excluded] = S[PLAYER], 0, left_out(S)
        S[seat] = start(S)
        S[PLAYER] = S[seat]

    again = Label()
    graph.effect("turns-begin", node, begin)
    graph.place(again)
    if start_of is not None:
        start_of.turn, start_of.seat, start_of.looked = again, seat, looked
        start_of.excluded, start_of.before, start_of.first, start_of.left_out = excluded, kept, start, left_out
    graph.unless(node, going_on(bench, node.until), done)
    graph.unless(node, next_turn(bench, node, seat, looked, excluded), done)
    one_go(writer, node, body, start_of)
    step_on(graph, node, seat, looked, bench.players)
    graph.jump(node, again)
    graph.place(done)

    def finish(S: Slots) -> None:
        S[PLAYER], S[seat], S[looked], S[excluded], S[kept] = S[kept], None, 0, None, None

    graph.effect("turns-end", node, finish)


def one_go(
    writer: Writer, node: ast.Turns, body: tuple[ast.Statement, ...], start_of: PhaseStart | None
) -> None:
    """Of one player: a turn of the game, or a part of the turn around it."""
    graph, is_turn = writer.graph, not writer.in_turn
    if is_turn:
        graph.turns_begun[len(graph.operations) - 1] = node
        writer.watches.reset(graph, node, "turn")
    body_begins(graph, start_of)
    writer.in_turn = True
    until_end_of_turn(writer, body)
    writer.in_turn = not is_turn
    if is_turn:
        writer.watches.moment(graph, node, "turn")


def body_begins(graph: Graph, start_of: PhaseStart | None) -> None:
    if start_of is not None:
        graph.place(start_of.body)


def until_end_of_turn(writer: Writer, body: tuple[ast.Statement, ...]) -> None:
    """`end turn` leads behind the lines."""
    graph, turn_over = writer.graph, Label()
    outer, graph.ends.turn = graph.ends.turn, turn_over
    writer.body(body)
    graph.ends.turn = outer
    graph.place(turn_over)


def going_on(bench: Workbench, until: ast.Expr | None) -> Run:
    if until is None:
        return lambda S: True
    stop = bench.expression(until).run
    return lambda S: not stop(S)


def next_turn(bench: Workbench, node: ast.Turns, seat: int, looked: int, excluded: int) -> Run:
    """Finds whose turn it is; says no when there is nobody (left)."""
    n = bench.players
    skipping = bench.expression(node.skipping).run if node.skipping is not None else None

    def anyone(S: Slots) -> bool:
        for _ in range(n):
            S[PLAYER] = S[seat]
            if skipping is None or not skipping(S):
                return True
            S[seat] = S[seat] % n + 1
        return False

    def once(S: Slots) -> bool:
        while S[looked] < n:
            S[PLAYER] = S[seat]
            if S[seat] != S[excluded] and (skipping is None or not skipping(S)):
                return True
            S[seat] = S[seat] % n + 1
            S[looked] += 1
        return False

    return once if node.once else anyone


def step_on(graph: Graph, node: ast.Turns, seat: int, looked: int, n: int) -> None:
    def change(S: Slots) -> None:
        S[seat] = S[seat] % n + 1
        S[looked] += 1

    def only_seat(S: Slots) -> None:
        S[seat] = S[seat] % n + 1

    graph.effect("next-seat", node, change if node.once else only_seat)


def repeat(
    writer: Writer, node: ast.Repeat, body: tuple[ast.Statement, ...], start_of: PhaseStart | None = None
) -> None:
    """A number of times, or until something holds; looked at before each time. `start_of`: of the phase that it is."""
    bench, graph = writer.bench, writer.graph
    again, done = Label(), Label()
    left = bench.real(0) if node.times is not None else None
    if node.times is not None and left is not None:
        times, counter = bench.expression(node.times).run, left
        graph.registered(node, "repeat", counter)
        graph.effect("how-often", node, lambda S: S.__setitem__(counter, times(S)))
    graph.place(again)
    if left is not None:
        graph.unless(node, once_more(left), done)
    graph.unless(node, going_on(bench, node.until), done)
    if start_of is not None:
        lines_of_phase(writer, node, body, start_of)
    else:
        writer.body(body)
    graph.jump(node, again)
    graph.place(done)


def once_more(counter: int) -> Run:
    def run(S: Slots) -> bool:
        if S[counter] <= 0:
            S[counter] = 0
            return False
        S[counter] -= 1
        return True

    return run


def lines_of_phase(
    writer: Writer, node: ast.Node, body: tuple[ast.Statement, ...], start_of: PhaseStart
) -> None:
    """The lines of a phase whose header has no turns are a turn, unless they hold turns."""
    graph = writer.graph
    begins, already = len(graph.operations) - 1, len(graph.turns_begun)
    writer.watches.reset(graph, node, "turn")
    body_begins(graph, start_of)
    until_end_of_turn(writer, body)
    if len(graph.turns_begun) == already:
        graph.turns_begun[begins] = node
        writer.watches.moment(graph, node, "turn")
