"""Statements one after another: `if`, `each`, `do` and the way to the other modules of statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from attrs import define

from rulesrun.dsl import ast
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import (
    Adjust,
    Assign,
    CountPoints,
    Draw,
    DrawOrder,
    DrawValue,
    Effect,
    End,
    FlowForm,
    Mix,
    Move,
    Record,
    Show,
)
from rulesrun.interpreter.model.core_lowering import lower_statement
from rulesrun.interpreter.model.flow_graph import FlowGraph, Label
from rulesrun.interpreter.model.location_updates import Where
from rulesrun.interpreter.model.locations import place_of_spot
from rulesrun.interpreter.model.moments import MomentWriter
from rulesrun.interpreter.model.values import PLAYER, Run, Slots
from rulesrun.interpreter.reference import choices, deals, loops, moves, statements
from rulesrun.interpreter.reference.choices import compile_forget
from rulesrun.interpreter.reference.collections import compile_binder, compile_elements
from rulesrun.interpreter.reference.options import ActionBook
from rulesrun.interpreter.reference.scoring import Scoring


@define(eq=False)
class FlowCompiler:
    """Writes out the flow of a game as operations."""

    bench: Workbench
    graph: FlowGraph
    actions: ActionBook
    scoring: Scoring
    watches: MomentWriter
    in_turn: bool = False  # a turn of the game is being written

    def compile_body(self, lines: tuple[ast.Statement, ...]) -> None:
        drawn: list[tuple[Draw, int]] = []
        for line in lines:
            first = len(self.graph.operations)
            self.compile_statement(line)
            done = lower_statement(self.bench, line)
            if isinstance(done, Draw) and done.alias is not None:
                deals.draw_registers(self.bench, done)  # left out, it still has a name, of nothing
                for slot in deals.alias_slots(self.bench, done):
                    self.graph.mark_dead(slot, first)
                drawn.append((done, len(self.graph.operations)))
        for draw, first in drawn:
            self.mark_drawn_live(draw, first)

    def mark_drawn_live(self, draw: Draw, first: int) -> None:
        """What was drawn has a name until the body is over; longer, when the draw may bring nothing new."""
        count = self.bench.compile(draw.count)
        always_draws = not draw.is_up_to and count.is_constant and count.value > 0
        for slot in deals.alias_slots(self.bench, draw):
            self.graph.mark_live(slot, first if always_draws else None)

    def compile_statement(self, node: ast.Statement) -> None:
        if id(node) in self.bench.left_out:
            return
        with self.graph.new_scope():
            self.graph.emit_note(node)
            done = lower_statement(self.bench, node)
            if isinstance(done, FlowForm):
                self.compile_flow(done)
            else:
                self.compile_effect(done)

    def compile_effect(self, done: Effect) -> None:
        graph = self.graph
        match done:
            case Mix():
                moves.compile_mix(graph, done)
            case Move():
                moves.compile_move(graph, done)
            case Draw():
                deals.compile_draw(graph, done)
            case Assign():
                statements.compile_assign(graph, done)
            case Adjust():
                statements.compile_adjust(graph, done)
            case DrawValue():
                statements.compile_draw_value(graph, done)
            case DrawOrder():
                statements.compile_draw_order(graph, done)
            case Show():
                statements.compile_show(graph, done)
            case Record():
                statements.compile_record(graph, done)
            case CountPoints(node):
                self.compile_count_points(node)
            case End():
                statements.compile_end(graph, done)
            case _:
                assert_never(done)

    def compile_flow(self, node: FlowForm) -> None:
        match node:
            case ast.Choose():
                choices.compile_choose(self, node)
            case ast.If():
                self.compile_if(node)
            case ast.ForEach():
                self.compile_for_each(node)
            case ast.EachPlayer():
                self.compile_each_player(node)
            case ast.Turns():
                loops.compile_turns(self, node, node.body, Label())
            case ast.Repeat():
                loops.compile_repeat(self, node, node.body)
            case ast.Do(step):
                self.compile_step(step)
            case _:
                assert_never(node)

    def compile_step(self, name: ast.Name) -> None:
        meaning = self.bench.meaning(name)
        assert isinstance(meaning, ast.Step)
        self.compile_body(meaning.body)

    def compile_count_points(self, node: ast.Statement) -> None:
        for number, score in enumerate(self.bench.declarations(ast.Score)):
            if score.when == "told":
                self.graph.emit_effect("count", node, self.scoring.compile_counting(number))

    def compile_if(self, node: ast.If) -> None:
        done = Label()
        for branch in node.branches:
            test = self.bench.compile(branch.condition) if branch.condition is not None else None
            if test is not None and test.is_constant and not test.value:
                continue
            following = Label()
            if test is not None and not test.is_constant:
                self.graph.emit_jump_unless(branch, test.run, following)
            self.compile_body(branch.body)
            if test is None or test.is_constant:
                self.graph.place_label(following)
                break
            self.graph.emit_jump(branch, done)
            self.graph.place_label(following)
        self.graph.place_label(done)

    def compile_for_each(self, node: ast.ForEach) -> None:
        """What there is at the beginning is gone through, whatever the body moves."""
        bench = self.bench
        register = bench.registers.setdefault(id(node.each), bench.new_slot(None))
        if id(node.each) in bench.located and register not in bench.wheres:
            bench.wheres[register] = bench.new_slot(None)
            bench.following.follow(register, bench.wheres[register])
        compile_binder(bench, node.each)
        several = compile_elements(bench, node.each.collection, register, node.each)
        where = bench.wheres.get(register)
        key = None
        if node.order is not None:
            with bench.element_scope(node.order, register):
                key = bench.compile(node.order.key).run
        first = len(self.graph.operations)
        if where is not None and where > 0:
            self.compile_located_each_loop(
                node, compile_gather_spots(several, register, where, key, node.order), register, where
            )
            self.graph.mark_live(where, first)
        else:
            if key is not None and node.order is not None:
                several = compile_sort_elements(several, register, key, node.order.reverse)
            self.compile_each_loop(node, several, register, node.body)
        self.graph.mark_live(register, first)

    def compile_located_each_loop(
        self, node: ast.ForEach, spots_of: Callable[[Slots], list[tuple[int, Where]]], register: int, where: int
    ) -> None:
        """The same, where equal components lie in an order: each is followed to where it lies when its time comes."""
        bench = self.bench
        left, wheres = bench.new_slot(()), bench.new_slot(())
        bench.following.follow_all(left, wheres)
        self.graph.record_registers(node, "each", left)
        again, done = Label(), Label()

        def gather(S: Slots) -> None:
            found = spots_of(S)
            S[left] = tuple([kind for kind, _ in found])
            S[wheres] = tuple([place_of_spot((kind, *place)) for kind, place in found])

        def is_more(S: Slots) -> bool:
            if not S[left]:
                return False
            S[register], S[left] = S[left][0], S[left][1:]
            S[where], S[wheres] = S[wheres][0], S[wheres][1:]
            return True

        self.graph.emit_effect("gather", node, gather)
        self.graph.place_label(again)
        self.graph.emit_jump_unless(node, is_more, done)
        self.compile_body(node.body)
        self.graph.emit_jump(node, again)
        self.graph.place_label(done)
        self.graph.emit_effect("forget", node, compile_forget([register, where]))

    def compile_each_player(self, node: ast.EachPlayer) -> None:
        bench = self.bench
        n = bench.players
        start = bench.compile_player(node.start) if node.start is not None else None
        condition = bench.compile(node.condition).run if node.condition is not None else None

        def seats(S: Slots) -> tuple[int, ...]:
            first = start(S) if start is not None else 1
            found, kept = [], S[PLAYER]
            for number in range(n):
                S[PLAYER] = (first - 1 + number) % n + 1
                if condition is None or condition(S):
                    found.append(S[PLAYER])
            S[PLAYER] = kept
            return tuple(found)

        several: Run = seats
        if node.order is not None:
            with bench.element_scope(node.order, PLAYER):
                key = bench.compile(node.order.key).run
            several = compile_sort_elements(seats, PLAYER, key, node.order.reverse)
        kept = bench.new_slot(None)
        self.graph.record_registers(node, "player before", kept)
        self.graph.emit_effect("keep-player", node, lambda S: S.__setitem__(kept, S[PLAYER]))
        self.compile_each_loop(node, several, PLAYER, node.body)
        self.graph.emit_effect(
            "player-again", node, lambda S: (S.__setitem__(PLAYER, S[kept]), S.__setitem__(kept, None))
        )

    def compile_each_loop(self, node: ast.Node, several: Run, register: int, body: tuple[ast.Statement, ...]) -> None:
        """The body once for each of the values, which are worked out at the beginning."""
        left = self.bench.new_slot(())
        self.graph.record_registers(node, "each", left)
        again, done = Label(), Label()
        self.graph.emit_effect("gather", node, lambda S: S.__setitem__(left, tuple(several(S))))
        self.graph.place_label(again)

        def is_more(S: Slots) -> bool:
            if not S[left]:
                return False
            S[register], S[left] = S[left][0], S[left][1:]
            return True

        self.graph.emit_jump_unless(node, is_more, done)
        self.compile_body(body)
        self.graph.emit_jump(node, again)
        self.graph.place_label(done)
        if register != PLAYER:
            self.graph.emit_effect("forget", node, lambda S: S.__setitem__(register, None))


def compile_gather_spots(
    several: Run, register: int, where: int, key: Run | None, order: ast.Order | None
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
