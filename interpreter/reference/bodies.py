"""Statements one after another: `if`, `each`, `do` and the way to the other rooms of statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from attrs import define

from rulesrun.dsl import ast
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.flow_graph import Graph, Label
from rulesrun.interpreter.model.location_updates import Where
from rulesrun.interpreter.model.locations import where_kept
from rulesrun.interpreter.model.moments import Watches
from rulesrun.interpreter.model.values import PLAYER, Run, Slots
from rulesrun.interpreter.reference import choices, deals, loops, moves, statements
from rulesrun.interpreter.reference.choices import forgetting
from rulesrun.interpreter.reference.collections import bound, going_through
from rulesrun.interpreter.reference.options import ActionBook
from rulesrun.interpreter.reference.scoring import Scoring


@define(eq=False)
class Writer:
    """Writes out the flow of a game as operations."""

    bench: Workbench
    graph: Graph
    actions: ActionBook
    scoring: Scoring
    watches: Watches
    in_turn: bool = False  # a turn of the game is being written

    def body(self, lines: tuple[ast.Statement, ...]) -> None:
        drawn: list[tuple[ast.Deal, int]] = []
        for line in lines:
            first = len(self.graph.operations)
            self.statement(line)
            if isinstance(line, ast.Deal) and line.alias is not None:
                deals.registers_of(self.bench, line)  # left out, it still has a name, of nothing
                for slot in deals.slots_of_alias(self.bench, line):
                    self.graph.forgets(slot, first)
                drawn.append((line, len(self.graph.operations)))
        for draw, first in drawn:
            self.keep_drawn(draw, first)

    def keep_drawn(self, draw: ast.Deal, first: int) -> None:
        """What was drawn has a name until the body is over; longer, when the draw may bring nothing new."""
        count = self.bench.expression(draw.count)
        always_draws = not draw.up_to and count.is_constant and count.value > 0
        for slot in deals.slots_of_alias(self.bench, draw):
            self.graph.keeps(slot, first if always_draws else None)

    def statement(self, node: ast.Statement) -> None:
        if id(node) in self.bench.left_out:
            return
        with self.graph.scope():
            self.graph.noted(node)
            self.write(node)

    def write(self, node: ast.Statement) -> None:
        match node:
            case ast.Shuffle():
                moves.shuffle(self.graph, node)
            case ast.Deal():
                deals.deal(self.graph, node)
            case ast.Move():
                moves.move(self.graph, node)
            case ast.Becomes():
                statements.becomes(self.graph, node)
            case ast.Increases():
                statements.increases(self.graph, node)
            case ast.Roll():
                statements.roll(self.graph, node)
            case ast.Lots():
                statements.lots(self.graph, node)
            case ast.Choose():
                choices.choose(self, node)
            case ast.If():
                self.branches(node)
            case ast.ForEach():
                self.for_each(node)
            case ast.EachPlayer():
                self.each_player(node)
            case ast.Turns():
                loops.turns(self, node, node.body, Label())
            case ast.Repeat():
                loops.repeat(self, node, node.body)
            case ast.Do(step):
                self.step(step)
            case ast.End():
                statements.end(self.graph, node)
            case ast.Show():
                statements.show(self.graph, node)
            case ast.CountPoints():
                self.count_points(node)
            case ast.Record():
                statements.record(self.graph, node)
            case _:
                assert_never(node)

    def step(self, name: ast.Name) -> None:
        meaning = self.bench.meaning(name)
        assert isinstance(meaning, ast.Step)
        self.body(meaning.body)

    def count_points(self, node: ast.CountPoints) -> None:
        for number, score in enumerate(self.bench.of_class(ast.Score)):
            if score.when == "told":
                self.graph.effect("count", node, self.scoring.counting(number))

    def branches(self, node: ast.If) -> None:
        done = Label()
        for branch in node.branches:
            test = self.bench.expression(branch.condition) if branch.condition is not None else None
            if test is not None and test.is_constant and not test.value:
                continue
            following = Label()
            if test is not None and not test.is_constant:
                self.graph.unless(branch, test.run, following)
            self.body(branch.body)
            if test is None or test.is_constant:
                self.graph.place(following)
                break
            self.graph.jump(branch, done)
            self.graph.place(following)
        self.graph.place(done)

    def for_each(self, node: ast.ForEach) -> None:
        """What there is at the beginning is gone through, whatever the body moves."""
        bench = self.bench
        register = bench.registers.setdefault(id(node.each), bench.real(None))
        if id(node.each) in bench.located and register not in bench.wheres:
            bench.wheres[register] = bench.real(None)
            bench.following.follow(register, bench.wheres[register])
        bound(bench, node.each)
        several = going_through(bench, node.each.collection, register, node.each)
        where = bench.wheres.get(register)
        key = None
        if node.order is not None:
            with bench.element(node.order, register):
                key = bench.expression(node.order.key).run
        first = len(self.graph.operations)
        if where is not None and where > 0:
            self.one_by_one_lying(node, gathered_spots(several, register, where, key, node.order), register, where)
            self.graph.keeps(where, first)
        else:
            if key is not None and node.order is not None:
                several = sorted_by(several, register, key, node.order.reverse)
            self.one_by_one(node, several, register, node.body)
        self.graph.keeps(register, first)

    def one_by_one_lying(
        self, node: ast.ForEach, spots_of: Callable[[Slots], list[tuple[int, Where]]], register: int, where: int
    ) -> None:
        """The same, where equal components lie in an order: each is followed to where it lies when its time comes."""
        bench = self.bench
        left, wheres = bench.real(()), bench.real(())
        bench.following.follow_all(left, wheres)
        self.graph.registered(node, "each", left)
        again, done = Label(), Label()

        def gather(S: Slots) -> None:
            found = spots_of(S)
            S[left] = tuple([kind for kind, _ in found])
            S[wheres] = tuple([where_kept((kind, *place)) for kind, place in found])

        def is_more(S: Slots) -> bool:
            if not S[left]:
                return False
            S[register], S[left] = S[left][0], S[left][1:]
            S[where], S[wheres] = S[wheres][0], S[wheres][1:]
            return True

        self.graph.effect("gather", node, gather)
        self.graph.place(again)
        self.graph.unless(node, is_more, done)
        self.body(node.body)
        self.graph.jump(node, again)
        self.graph.place(done)
        self.graph.effect("forget", node, forgetting([register, where]))

    def each_player(self, node: ast.EachPlayer) -> None:
        bench = self.bench
        n = bench.players
        start = bench.somebody(node.start) if node.start is not None else None
        condition = bench.expression(node.condition).run if node.condition is not None else None

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
            with bench.element(node.order, PLAYER):
                key = bench.expression(node.order.key).run
            several = sorted_by(seats, PLAYER, key, node.order.reverse)
        kept = bench.real(None)
        self.graph.registered(node, "player before", kept)
        self.graph.effect("keep-player", node, lambda S: S.__setitem__(kept, S[PLAYER]))
        self.one_by_one(node, several, PLAYER, node.body)
        self.graph.effect("player-again", node, lambda S: (S.__setitem__(PLAYER, S[kept]), S.__setitem__(kept, None)))

    def one_by_one(self, node: ast.Node, several: Run, register: int, body: tuple[ast.Statement, ...]) -> None:
        """The body once for each of the values, which are worked out at the beginning."""
        left = self.bench.real(())
        self.graph.registered(node, "each", left)
        again, done = Label(), Label()
        self.graph.effect("gather", node, lambda S: S.__setitem__(left, tuple(several(S))))
        self.graph.place(again)

        def is_more(S: Slots) -> bool:
            if not S[left]:
                return False
            S[register], S[left] = S[left][0], S[left][1:]
            return True

        self.graph.unless(node, is_more, done)
        self.body(body)
        self.graph.jump(node, again)
        self.graph.place(done)
        if register != PLAYER:
            self.graph.effect("forget", node, lambda S: S.__setitem__(register, None))


def gathered_spots(
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


def sorted_by(several: Run, register: int, key: Run, reverse: bool) -> Run:
    def run(S: Slots) -> tuple[Any, ...]:
        kept, keys = S[register], {}
        elements = tuple(several(S))
        for element in elements:
            S[register] = element
            keys[element] = key(S)
        S[register] = kept
        return tuple(sorted(elements, key=keys.__getitem__, reverse=reverse))

    return run
