"""The game, its rounds and phases; what begins anew with a moment, and what is counted or judged when it is over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, assert_never

from rulesrun.interpreter.model.core import Memory, Node, Variable
from rulesrun.interpreter.model.instructions import (
    BeginGame,
    BeginRound,
    EnterPhase,
    FillSheets,
    GameStep,
    Judge,
    JudgeAfter,
    KeepBefore,
    MomentStep,
    NextRound,
    NoteFigures,
    Over,
    Rank,
    ResetForTurn,
)
from rulesrun.interpreter.model.moments import compile_judge_property, compile_store, note_turn_end
from rulesrun.interpreter.model.values import PHASE, PLAYER, ROUND, STARTER, Run, Slots
from rulesrun.interpreter.reference.flow_graph import Wait

if TYPE_CHECKING:
    from rulesrun.interpreter.reference.bodies import FlowCompiler


class EndWait(Wait):
    """The game is over."""

    def step(self, S: Slots) -> int:
        return ~self.pc


def compile_game(writer: FlowCompiler, one: GameStep) -> None:
    graph = writer.graph
    match one:
        case BeginGame(game, variables):
            graph.emit_effect("game-begins", game, begin_game)
            for variable in variables:
                graph.emit_effect("set-back", variable, writer.watches.compile_reset_variable(variable))
        case BeginRound():
            compile_begin_round(writer, one)
        case NextRound(game, again):
            graph.emit_jump_unless(game, compile_is_over(writer, one), again)
            graph.note_loop(graph.starts[again.at])
        case EnterPhase():
            compile_enter_phase(writer, one)
        case Rank(game):
            graph.emit_effect("rank", game, writer.scoring.finish_scoring)
        case Over(game):
            graph.emit_wait("end", EndWait(game))
        case _:
            assert_never(one)


def begin_game(S: Slots) -> None:
    S[PLAYER], S[STARTER], S[ROUND], S[PHASE] = 1, 1, 0, 0


def compile_begin_round(writer: FlowCompiler, one: BeginRound) -> None:
    step, n = one.step, writer.bench.players

    def change(S: Slots) -> None:
        S[ROUND] += 1
        if step and S[ROUND] > 1:
            S[STARTER] = (S[STARTER] - 1 + step) % n + 1
        S[PLAYER], S[PHASE] = S[STARTER], 0

    compile_reset(writer, one.node, one.variables, one.memories)
    writer.graph.emit_effect("round-begins", one.node, change)


def compile_is_over(writer: FlowCompiler, one: NextRound) -> Run:
    """Looked at after each round."""
    if one.until is not None:
        return writer.bench.compile(one.until).run
    if one.count is None:
        return lambda S: True
    amount = writer.bench.compile(one.count).run
    return lambda S: S[ROUND] >= amount(S)


def compile_enter_phase(writer: FlowCompiler, one: EnterPhase) -> None:
    number = one.number

    def enter(S: Slots) -> None:
        S[PHASE], S[PLAYER] = number, S[STARTER]

    writer.graph.emit_effect("phase", one.node, enter)


# ---- moments


def compile_moment(writer: FlowCompiler, one: MomentStep) -> None:
    graph = writer.graph
    match one:
        case ResetForTurn(node, variables, memories):
            compile_reset(writer, node, variables, memories)
        case FillSheets():
            compile_fill_sheets(writer, one)
        case Judge(node, _, properties, counts_turn):
            if counts_turn:
                graph.emit_effect("moment", node, note_turn_end)
            for judged in properties:
                graph.emit_effect("moment", node, compile_judge_property(judged))
        case KeepBefore(action, properties):
            for slot, code in (kept for judged in properties for kept in judged.befores):
                graph.emit_effect("before", action, compile_store(slot, code.run))
        case JudgeAfter(action, properties):
            for judged in properties:
                graph.emit_effect("after", action, compile_judge_property(judged))
                for slot, _ in judged.befores:
                    graph.emit_effect("forget", action, compile_store(slot, lambda S: None))
        case NoteFigures(node, figures):
            for figure in figures:
                graph.emit_effect("figure", node, figure.note_value)
        case _:
            assert_never(one)


def compile_reset(
    writer: FlowCompiler, node: Node, variables: Iterable[Variable], memories: Iterable[Memory]
) -> None:
    bench, graph, watches = writer.bench, writer.graph, writer.watches
    for variable in variables:
        graph.emit_effect("set-back", node, watches.compile_reset_variable(variable))
        if id(variable) in bench.marked:
            graph.emit_effect("set-back", node, watches.compile_forget_places(variable))
    for memory in memories:
        graph.emit_effect("set-back", node, compile_store(bench.memories[id(memory)], lambda S: None))


def compile_fill_sheets(writer: FlowCompiler, one: FillSheets) -> None:
    scores = writer.bench.scores
    for number in one.scores:
        node = one.node if one.is_told else scores[number]
        writer.graph.emit_effect("count", node, writer.scoring.compile_counting(number))
