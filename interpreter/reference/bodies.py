"""The instructions of the flow as operations: one function for each kind, named as in machine code."""

from __future__ import annotations

from typing import assert_never

from attrs import define

from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.instructions import (
    ActionStep,
    ChoiceStep,
    Do,
    DrawComponents,
    EachStep,
    GameStep,
    Instruction,
    Jump,
    LoopBack,
    MomentStep,
    Reach,
    RepeatStep,
    TurnStep,
    Unless,
)
from rulesrun.interpreter.model.moments import MomentWriter
from rulesrun.interpreter.reference import chance, choices, loops, moves, rounds, statements
from rulesrun.interpreter.reference.flow_graph import FlowGraph
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

    def compile_flow(self) -> None:
        for instruction in self.graph.flow.instructions:
            self.graph.begin_instruction(instruction)
            self.compile_instruction(instruction)

    def compile_instruction(self, one: Instruction) -> None:
        graph = self.graph
        if isinstance(one, Do):
            compile_effect(graph, one.effect)
        elif isinstance(one, DrawComponents):
            chance.compile_draw(graph, one)
        elif isinstance(one, Reach):
            self.compile_reach(one)
        elif isinstance(one, Unless):
            graph.emit_jump_unless(one.node, self.bench.compile(one.condition).run, one.label)
        elif isinstance(one, Jump):
            graph.emit_jump(one.node, one.label)
        elif isinstance(one, LoopBack):
            graph.emit_jump(one.node, one.label)
            graph.note_loop(graph.starts[one.label.at])
        elif isinstance(one, GameStep):
            rounds.compile_game(self, one)
        elif isinstance(one, MomentStep):
            rounds.compile_moment(self, one)
        elif isinstance(one, TurnStep):
            loops.compile_turns(graph, one)
        elif isinstance(one, RepeatStep):
            loops.compile_repeat(graph, one)
        elif isinstance(one, EachStep):
            loops.compile_each(graph, one)
        elif isinstance(one, ActionStep):
            choices.compile_action(graph, one)
        elif isinstance(one, ChoiceStep):
            choices.compile_choice(self, one)
        else:
            assert_never(one)

    def compile_reach(self, one: Reach) -> None:
        """Told to who watches what is reached; without one there is no operation at all."""
        if self.bench.watcher is not None:
            self.graph.emit_effect("noted", one.node, self.bench.watcher.note_effect(one.node))


def compile_effect(graph: FlowGraph, done: core.Effect) -> None:
    match done:
        case core.Mix():
            moves.compile_mix(graph, done)
        case core.Move():
            moves.compile_move(graph, done)
        case core.Assign():
            statements.compile_assign(graph, done)
        case core.Adjust():
            statements.compile_adjust(graph, done)
        case core.DrawValue():
            statements.compile_draw_value(graph, done)
        case core.DrawOrder():
            statements.compile_draw_order(graph, done)
        case core.Show():
            statements.compile_show(graph, done)
        case core.Record():
            statements.compile_record(graph, done)
        case core.Draw() | core.CountPoints() | core.End():
            raise AssertionError("these have instructions of their own")
        case _:
            assert_never(done)
