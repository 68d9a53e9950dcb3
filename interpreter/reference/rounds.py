"""The whole flow of a game: setup, rounds with their phases, counting, the end. Writes it out as operations."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.interpreter.model.flow_graph import Label, PhaseStart, Wait
from rulesrun.interpreter.model.values import PHASE, PLAYER, ROUND, STARTER, Run, Slots
from rulesrun.interpreter.reference import loops
from rulesrun.interpreter.reference.bodies import FlowCompiler


class EndWait(Wait):
    """The game is over."""

    def step(self, S: Slots) -> int:
        return ~self.pc


def compile_game(writer: FlowCompiler) -> EndWait:
    bench, graph = writer.bench, writer.graph
    game = bench.program.game
    again, round_over, game_over, finish = Label(), Label(), Label(), Label()
    graph.ends.game = game_over
    graph.emit_effect("game-begins", game, begin_game)
    for variable in bench.declarations(ast.Variable):
        graph.emit_effect("set-back", variable, writer.watches.compile_reset_variable(variable))
    for setup in bench.declarations(ast.Setup):
        if not setup.each_round:
            writer.compile_body(setup.body)
    graph.place_label(again)
    compile_round_start(writer, game)
    graph.ends.round = round_over
    for setup in bench.declarations(ast.Setup):
        if setup.each_round:
            writer.compile_body(setup.body)
    for number, one in enumerate(bench.declarations(ast.Phase)):
        with graph.new_scope():
            compile_phase(writer, one, number)
    graph.ends.round = None
    graph.place_label(round_over)
    compile_round_end(writer, game)
    graph.emit_jump_unless(game, compile_is_over(writer), again)
    graph.place_label(game_over)
    compile_counting_at(writer, game, "end")
    graph.place_label(finish)
    graph.emit_effect("rank", game, writer.scoring.finish_scoring)
    writer.watches.judge_at_moment(graph, game, "game")
    end = EndWait(game)
    graph.emit_wait("end", end)
    return end


def begin_game(S: Slots) -> None:
    S[PLAYER], S[STARTER], S[ROUND], S[PHASE] = 1, 1, 0, 0


def compile_round_start(writer: FlowCompiler, game: ast.Game) -> None:
    rounds, n = writer.bench.declarations(ast.Rounds), writer.bench.players
    moves = rounds[0].moves if rounds else None
    step = {"left": 1, "right": -1}.get(moves or "", 0)

    def change(S: Slots) -> None:
        S[ROUND] += 1
        if step and S[ROUND] > 1:
            S[STARTER] = (S[STARTER] - 1 + step) % n + 1
        S[PLAYER], S[PHASE] = S[STARTER], 0

    writer.watches.reset_at_moment(writer.graph, game, "round")
    writer.graph.emit_effect("round-begins", game, change)


def compile_round_end(writer: FlowCompiler, game: ast.Game) -> None:
    writer.watches.judge_at_moment(writer.graph, game, "round")
    compile_counting_at(writer, game, "round")


def compile_counting_at(writer: FlowCompiler, game: ast.Game, when: str) -> None:
    for number, score in enumerate(writer.bench.declarations(ast.Score)):
        if score.when == when:
            writer.graph.emit_effect("count", score, writer.scoring.compile_counting(number))


def compile_is_over(writer: FlowCompiler) -> Run:
    """Looked at after each round."""
    rounds = writer.bench.declarations(ast.Rounds)
    if not rounds:
        return lambda S: True
    if rounds[0].until is not None:
        return writer.bench.compile(rounds[0].until).run
    amount = writer.bench.compile(rounds[0].count).run
    return lambda S: S[ROUND] >= amount(S)


def compile_phase(writer: FlowCompiler, node: ast.Phase, number: int) -> None:
    graph = writer.graph
    over = Label()
    if node.when is not None:
        graph.emit_jump_unless(node, writer.bench.compile(node.when).run, over)

    def enter(S: Slots) -> None:
        S[PHASE], S[PLAYER] = number, S[STARTER]

    graph.phases[number] = PhaseStart(Label())
    graph.place_label(graph.phases[number].entry)
    graph.emit_effect("phase", node, enter)
    graph.emit_note(node)
    graph.ends.phase = over
    match node.loop:
        case ast.Turns():
            over_inside = Label()
            graph.ends.phase = over_inside
            loops.compile_turns(writer, node.loop, node.body, over_inside, graph.phases[number])
        case ast.Repeat():
            loops.compile_repeat(writer, node.loop, node.body, graph.phases[number])
        case None:
            loops.compile_phase_body(writer, node, node.body, graph.phases[number])
    graph.ends.phase = None
    graph.place_label(over)
