"""The whole flow of a game: setup, rounds with their phases, counting, the end. Writes it out as operations."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.interpreter.model.flow_graph import Label, PhaseStart, Wait
from rulesrun.interpreter.model.values import PHASE, PLAYER, ROUND, STARTER, Run, Slots
from rulesrun.interpreter.reference import loops
from rulesrun.interpreter.reference.bodies import Writer


class EndWait(Wait):
    """The game is over."""

    def step(self, S: Slots) -> int:
        return ~self.pc


def whole_game(writer: Writer) -> EndWait:
    bench, graph = writer.bench, writer.graph
    game = bench.program.game
    again, round_over, game_over, finish = Label(), Label(), Label(), Label()
    graph.ends.game = game_over
    graph.effect("game-begins", game, begin)
    for variable in bench.of_class(ast.Variable):
        graph.effect("set-back", variable, writer.watches.starting(variable))
    for setup in bench.of_class(ast.Setup):
        if not setup.each_round:
            writer.body(setup.body)
    graph.place(again)
    round_begins(writer, game)
    graph.ends.round = round_over
    for setup in bench.of_class(ast.Setup):
        if setup.each_round:
            writer.body(setup.body)
    for number, one in enumerate(bench.of_class(ast.Phase)):
        with graph.scope():
            phase(writer, one, number)
    graph.ends.round = None
    graph.place(round_over)
    round_ends(writer, game)
    graph.unless(game, is_over(writer), again)
    graph.place(game_over)
    count(writer, game, "end")
    graph.place(finish)
    graph.effect("rank", game, writer.scoring.finish)
    writer.watches.moment(graph, game, "game")
    end = EndWait(game)
    graph.wait("end", end)
    return end


def begin(S: Slots) -> None:
    S[PLAYER], S[STARTER], S[ROUND], S[PHASE] = 1, 1, 0, 0


def round_begins(writer: Writer, game: ast.Game) -> None:
    rounds, n = writer.bench.of_class(ast.Rounds), writer.bench.players
    moves = rounds[0].moves if rounds else None
    step = {"left": 1, "right": -1}.get(moves or "", 0)

    def change(S: Slots) -> None:
        S[ROUND] += 1
        if step and S[ROUND] > 1:
            S[STARTER] = (S[STARTER] - 1 + step) % n + 1
        S[PLAYER], S[PHASE] = S[STARTER], 0

    writer.watches.reset(writer.graph, game, "round")
    writer.graph.effect("round-begins", game, change)


def round_ends(writer: Writer, game: ast.Game) -> None:
    writer.watches.moment(writer.graph, game, "round")
    count(writer, game, "round")


def count(writer: Writer, game: ast.Game, when: str) -> None:
    for number, score in enumerate(writer.bench.of_class(ast.Score)):
        if score.when == when:
            writer.graph.effect("count", score, writer.scoring.counting(number))


def is_over(writer: Writer) -> Run:
    """Looked at after each round."""
    rounds = writer.bench.of_class(ast.Rounds)
    if not rounds:
        return lambda S: True
    if rounds[0].until is not None:
        return writer.bench.expression(rounds[0].until).run
    amount = writer.bench.expression(rounds[0].count).run
    return lambda S: S[ROUND] >= amount(S)


def phase(writer: Writer, node: ast.Phase, number: int) -> None:
    graph = writer.graph
    over = Label()
    if node.when is not None:
        graph.unless(node, writer.bench.expression(node.when).run, over)

    def enter(S: Slots) -> None:
        S[PHASE], S[PLAYER] = number, S[STARTER]

    graph.phases[number] = PhaseStart(Label())
    graph.place(graph.phases[number].entry)
    graph.effect("phase", node, enter)
    graph.noted(node)
    graph.ends.phase = over
    match node.loop:
        case ast.Turns():
            over_inside = Label()
            graph.ends.phase = over_inside
            loops.turns(writer, node.loop, node.body, over_inside, graph.phases[number])
        case ast.Repeat():
            loops.repeat(writer, node.loop, node.body, graph.phases[number])
        case None:
            loops.lines_of_phase(writer, node, node.body, graph.phases[number])
    graph.ends.phase = None
    graph.place(over)
