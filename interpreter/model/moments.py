"""Moments of the game: what is set back at a turn or round, and what is reported when a moment has come.

Properties are not judged here: a moment is noted among the events, for who watches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench
from rulesrun.interpreter.model.flow_graph import Graph
from rulesrun.interpreter.model.values import EVENTS, PLAYER, Code, Run, Slots


@define(eq=False)
class Judged:
    """A property made ready, with the values that `before` keeps."""

    declaration: ast.Property
    code: Code
    befores: list[tuple[int, Code]] = field(factory=list)

    def is_over(self, lives: Mapping[int, list[tuple[int, int]]], pc: int) -> bool:
        """Whether nobody is in the middle of the action at this operation: what `before` kept will not be read."""
        return not any(first <= pc < last for slot, _ in self.befores for first, last in lives.get(slot, []))


@define(eq=False)
class Watches:
    bench: Workbench
    properties: list[Judged]
    starts: dict[int, Run] = field(factory=dict)

    def moment(self, graph: Graph, node: ast.Node, moment: str) -> None:
        """`at end of turn|round` properties are judged here, when somebody watches."""
        if moment == "turn" and any(one.declaration.moment == "turns" for one in self.properties):
            graph.effect("moment", node, turn_over)
        for judged in self.properties:
            if judged.declaration.moment == moment:
                graph.effect("moment", node, judging(judged))

    def before_action(self, graph: Graph, action: ast.Action) -> None:
        for judged in self.after(action):
            for slot, code in judged.befores:
                graph.effect("before", action, keeping(slot, code.run))

    def after_action(self, graph: Graph, action: ast.Action) -> None:
        for judged in self.after(action):
            graph.effect("after", action, judging(judged))
            for slot, _code in judged.befores:
                graph.effect("forget", action, keeping(slot, lambda S: None))

    def after(self, action: ast.Action) -> list[Judged]:
        names = [(one, one.declaration.action) for one in self.properties]
        return [one for one, name in names if name is not None and self.bench.meaning(name) is action]

    # ---- what is set back

    def reset(self, graph: Graph, node: ast.Node, moment: str) -> None:
        for variable in self.bench.of_class(ast.Variable):
            if variable.reset == moment:
                graph.effect("set-back", node, self.starting(variable))
                if id(variable) in self.bench.marked:
                    graph.effect("set-back", node, self.forgetting_places(variable))
        for memory in self.bench.of_class(ast.Memory):
            if memory.reset == moment:
                graph.effect("set-back", node, keeping(self.bench.memories[id(memory)], lambda S: None))

    def forgetting_places(self, variable: ast.Variable) -> Callable[[Slots], None]:
        first = self.bench.marked[id(variable)]
        after = first + self.bench.variables[id(variable)].amount
        return lambda S: S.__setitem__(slice(first, after), [None] * (after - first))

    def starting(self, variable: ast.Variable) -> Callable[[Slots], None]:
        """Sets every instance to its start; the start of a player's own is asked of that player."""
        room = self.bench.variables[id(variable)]
        if variable.start is None:
            first = self.bench.blank[room.base]
            if room.amount == 1:
                only = room.base
                return lambda S: S.__setitem__(only, first)
            return same_for_all(room, first)
        start = self.bench.expression(variable.start)
        if start.is_constant:
            return same_for_all(room, start.value)
        run = start.run

        def change(S: Slots) -> None:
            kept = S[PLAYER]
            for number in range(room.amount):
                if variable.per_player:
                    S[PLAYER] = number // room.per_player + 1
                S[room.base + number] = run(S)
            S[PLAYER] = kept

        return change


def same_for_all(room: VariableRoom, value: Any) -> Callable[[Slots], None]:
    first, after = room.base, room.base + room.amount
    values = [value] * room.amount

    def change(S: Slots) -> None:
        S[first:after] = values

    return change


def keeping(slot: int, run: Run) -> Callable[[Slots], None]:
    return lambda S: S.__setitem__(slot, run(S))


def turn_over(S: Slots) -> None:
    """Noted for who counts turns."""
    if S[EVENTS] is not None:
        S[EVENTS].append(("turn",))


def judging(judged: Judged) -> Callable[[Slots], None]:
    """Notes a property that does not hold at its moment, with the position as it is."""
    run = judged.code.run

    def judge(S: Slots) -> None:
        if S[EVENTS] is not None and not run(S):
            S[EVENTS].append(("broken", judged, list(S)))

    return judge


def make_watches(bench: Workbench) -> Watches:
    found = []
    for declaration in bench.of_class(ast.Property):
        if declaration.bound is not None:
            bench.fixed_number(declaration.bound)  # refused here, where it goes wrong
        bench.befores = []
        code = bench.expression(declaration.condition)
        found.append(Judged(declaration, code, bench.befores))
        bench.befores = None
    return Watches(bench, found)
