"""The instructions of the flow as operations: one function for each kind, named as in machine code."""

from __future__ import annotations

from typing import assert_never

from attrs import define

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
    Mix,
    Move,
    Record,
    Show,
)
from rulesrun.interpreter.model.flow import (
    Ask,
    AskTogether,
    BeginAction,
    BeginGame,
    BeginRound,
    BeginTogether,
    BeginTurn,
    BeginTurns,
    CountDown,
    Do,
    DrawComponents,
    EndAction,
    EndEach,
    EndTogether,
    EndTurns,
    EnterPhase,
    FillSheets,
    FindTurn,
    GatherElements,
    GatherSeats,
    Instruction,
    Judge,
    JudgeAfter,
    Jump,
    KeepBefore,
    KeepPlayer,
    LoopBack,
    MoveOn,
    NextElement,
    NextRound,
    Over,
    Rank,
    Reach,
    ResetForTurn,
    RestorePlayer,
    SetTimes,
    Unless,
    Until,
)
from rulesrun.interpreter.model.flow_graph import FlowGraph
from rulesrun.interpreter.model.moments import MomentWriter
from rulesrun.interpreter.reference import choices, deals, loops, moves, rounds, statements
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
        match one:
            case Do():
                compile_effect(self.graph, one.effect)
            case DrawComponents():
                deals.compile_draw(self.graph, one)
            case Reach():
                self.compile_reach(one)
            case Unless():
                self.graph.emit_jump_unless(one.node, self.bench.compile(one.condition).run, one.label)
            case Jump():
                self.graph.emit_jump(one.node, one.label)
            case LoopBack():
                self.compile_loop_back(one)
            case BeginGame() | BeginRound() | NextRound() | EnterPhase() | Rank() | Over():
                rounds.compile_round(self, one)
            case ResetForTurn() | FillSheets() | Judge() | KeepBefore() | JudgeAfter():
                rounds.compile_moment(self, one)
            case BeginTurns() | FindTurn() | BeginTurn() | MoveOn() | EndTurns():
                loops.compile_turns(self.graph, one)
            case Until() | SetTimes() | CountDown():
                loops.compile_repeat(self.graph, one)
            case GatherElements() | GatherSeats() | NextElement() | EndEach():
                loops.compile_each(self.graph, one)
            case KeepPlayer() | RestorePlayer() | BeginAction() | EndAction():
                choices.compile_action(self.graph, one)
            case Ask() | BeginTogether() | AskTogether() | EndTogether():
                choices.compile_choice(self, one)
            case _:
                assert_never(one)

    def compile_reach(self, one: Reach) -> None:
        """Told to who watches what is reached; without one there is no operation at all."""
        if self.bench.watcher is not None:
            self.graph.emit_effect("noted", one.node, self.bench.watcher.note_effect(one.node))

    def compile_loop_back(self, one: LoopBack) -> None:
        graph, number = self.graph, one.label.at
        self.graph.emit_jump(one.node, one.label)
        graph.note_loop(one.node, graph.place_of(one.label).at if number < 0 else graph.starts[number])


def compile_effect(graph: FlowGraph, done: Effect) -> None:
    match done:
        case Mix():
            moves.compile_mix(graph, done)
        case Move():
            moves.compile_move(graph, done)
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
        case Draw() | CountPoints() | End():
            raise AssertionError("these have instructions of their own")
        case _:
            assert_never(done)
