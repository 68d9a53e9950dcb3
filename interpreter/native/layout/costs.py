"""How much work the flow can be at most between two questions, where that is known before the game.

The reference counts the operations of the flow and, where rules can be much work, the elements gone through. Machine
code adds up what one time through a loop can cost at most; where a single expression can be too much, the loops in
expressions are counted as well (`is_counted`). A game in which too much comes together is left to the reference.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import children
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.instructions import (
    Ask,
    AskTogether,
    FillSheets,
    Instruction,
    LoopBack,
    NoteFigures,
    Reach,
)
from rulesrun.interpreter.model.values import MOST_STEPS, MOST_WORK
from rulesrun.interpreter.model.work_bounds import WorkBounds, root_expressions
from rulesrun.interpreter.reference.table import Table

OPERATION = MOST_WORK // MOST_STEPS  # an operation of the flow weighs as much as so many elements gone through
FOR_EVERYONE = (ast.Turns, ast.EachPlayer, ast.Choose)
ASIDE = (ast.Example, ast.Words, ast.Persona)


@define(eq=False)
class Costs:
    table: Table
    bench: Workbench = field(init=False)
    work: WorkBounds = field(init=False)
    expressions: int = field(init=False)  # all of them once, where they are charged for
    is_counted: bool = field(init=False)
    numbers: dict[int, int] = field(init=False)  # by id of the instruction

    def __attrs_post_init__(self) -> None:
        self.bench = self.table.bench
        self.work = WorkBounds(self.bench)
        self.numbers = {id(one): number for number, one in enumerate(self.table.flow.instructions)}
        declarations = [one for one in self.bench.program.game.declarations if not isinstance(one, ASIDE)]
        listing = sum(self.work.listing_work(action) for action in self.bench.actions)
        everything = listing + sum(self.work.work_of(root) for one in declarations for root in root_expressions(one))
        self.is_counted = self.bench.is_charged and everything > MOST_WORK // 5
        self.expressions = everything if self.bench.is_charged and not self.is_counted else 0

    @property
    def most_loop_cost(self) -> int:
        """What loops may add up to between two questions, beside all that is done once."""
        return MOST_WORK - self.expressions - OPERATION * len(self.table.operations)

    def loop_cost(self, last: Instruction) -> int:
        """Once through the loop that this instruction ends, with all that lies in it."""
        cost = OPERATION * self.table.loops[id(last)]
        if self.expressions:
            first = last.label.at if isinstance(last, LoopBack) else self.numbers[id(last)]
            stretch = self.table.flow.instructions[first : self.numbers[id(last)] + 1]
            cost += self.header_work(last.node) + sum(map(self.instruction_work, stretch))
        return min(cost, MOST_WORK)

    def round_cost(self, last: Instruction) -> int:
        return OPERATION * self.table.loops[id(last)] + self.expressions

    # ---- what may be worked out

    def instruction_work(self, one: Instruction) -> int:
        """Of a statement that is reached; what can be chosen, and what is counted, come with the rules for them."""
        if isinstance(one, Reach):
            return self.header_work(one.node) if isinstance(one.node, ast.Statement) else 0
        if isinstance(one, Ask | AskTogether):
            return sum(self.work.listing_work(offer.action) for offer in one.offers)
        if isinstance(one, FillSheets):
            scores = self.bench.scores
            lines = [line.value for number in one.scores for line in scores[number].lines]
            return self.bench.players * sum(map(self.work.work_of, lines))
        if isinstance(one, NoteFigures):
            return sum(self.header_work(figure.declaration) for figure in one.figures)
        return 0

    def header_work(self, node: ast.Node) -> int:
        """All that a statement asks, but for the statements in it; where it may, of everyone."""
        times = self.bench.players if isinstance(node, FOR_EVERYONE) else 1
        return times * sum(map(self.work.work_of, header_expressions(node)))


def header_expressions(node: ast.Node) -> Iterator[Operand]:
    for child in children(node):
        if isinstance(child, Operand):
            yield child
        elif not isinstance(child, ast.Statement):
            yield from header_expressions(child)
