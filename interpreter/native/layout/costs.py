"""How much work the flow can be at most between two questions, where that is known before the game.

The reference counts the operations of the flow and, where rules can be much work, the elements gone through. Machine
code adds up what one time through a loop can cost at most; where a single expression can be too much, the loops in
expressions are counted as well (`is_counted`). A game in which too much comes together is left to the reference.
"""

from __future__ import annotations

from typing import get_args

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.values import MOST_STEPS, MOST_WORK
from rulesrun.interpreter.model.work_bounds import WorkBounds, root_expressions
from rulesrun.interpreter.native.layout.early_exits import called_bodies
from rulesrun.interpreter.reference.table import Table

OPERATION = MOST_WORK // MOST_STEPS  # an operation of the flow weighs as much as so many elements gone through
ASIDE = (ast.Example, ast.Words, ast.Persona)
STATEMENTS: tuple[type, ...] = get_args(ast.Statement)


@define(eq=False)
class Costs:
    table: Table
    bench: Workbench = field(init=False)
    work: WorkBounds = field(init=False)
    expressions: int = field(init=False)  # all of them once, where they are charged for
    is_counted: bool = field(init=False)
    _known: dict[int, int] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.bench = self.table.bench
        self.work = WorkBounds(self.bench)
        declarations = [one for one in self.bench.program.game.declarations if not isinstance(one, ASIDE)]
        listing = sum(self.work.listing_work(action) for action in self.bench.declarations(ast.Action))
        everything = listing + sum(self.work.work_of(root) for one in declarations for root in root_expressions(one))
        self.is_counted = self.bench.is_charged and everything > MOST_WORK // 5
        self.expressions = everything if self.bench.is_charged and not self.is_counted else 0

    @property
    def most_loop_cost(self) -> int:
        """What loops may add up to between two questions, beside all that is done once."""
        return MOST_WORK - self.expressions - OPERATION * len(self.table.operations)

    def loop_cost(self, node: ast.Node, body: tuple[ast.Statement, ...]) -> int:
        """Once through a loop, with all that its body leads to."""
        operations = self.table.loops.get(id(node), len(self.table.operations))
        return min(OPERATION * operations + self.body_cost(body), MOST_WORK)

    def round_cost(self) -> int:
        game = self.bench.program.game
        return OPERATION * self.table.loops.get(id(game), len(self.table.operations)) + self.expressions

    def body_cost(self, body: tuple[ast.Statement, ...]) -> int:
        return sum(self.statement_cost(line) for line in body) if self.expressions else 0

    def statement_cost(self, line: ast.Statement) -> int:
        if id(line) not in self._known:
            self._known[id(line)] = 0
            parts = [part for part in walk(line) if not isinstance(part, ast.Action)]
            found = sum(self.callee_cost(part) for part in parts if isinstance(part, STATEMENTS))
            self._known[id(line)] = found + sum(self.work.work_of(root) for root in root_expressions(line))
        return self._known[id(line)]

    def callee_cost(self, line: ast.Node) -> int:
        found = 0
        for meaning in called_bodies(self.bench, line):
            found += self.body_cost(meaning.body)
            if isinstance(meaning, ast.Action):
                found += self.work.listing_work(meaning)
        return found
