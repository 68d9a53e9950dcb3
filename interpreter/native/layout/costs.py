"""How much work the flow can be at most between two questions, where that is known before the game.

The reference counts the operations of the flow and, where rules can be much work, the elements gone through. Machine
code adds up what one time through a loop can cost at most; where a single expression can be too much, the loops in
expressions are counted as well (`is_counted`). A game in which too much comes together is left to the reference.
"""

from __future__ import annotations

from attrs import define, field

from rulesrun.interpreter.model.compile_context import Workbench
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
from rulesrun.interpreter.model.work_bounds import WorkBounds, list_played_roots
from rulesrun.interpreter.reference.table import Table

OPERATION = MOST_WORK // MOST_STEPS  # an operation of the flow weighs as much as so many elements gone through


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
        listing = sum(self.work.listing_work(action) for action in self.bench.actions)
        everything = listing + sum(map(self.work.work_of, list_played_roots(self.bench.program)))
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
            cost += self.work.statement_work(last.node) + sum(map(self.instruction_work, stretch))
        return min(cost, MOST_WORK)

    def round_cost(self, last: Instruction) -> int:
        return OPERATION * self.table.loops[id(last)] + self.expressions

    # ---- what may be worked out

    def instruction_work(self, one: Instruction) -> int:
        """Of a statement that is reached; what can be chosen, and what is counted, come with the rules for them."""
        if isinstance(one, Reach):
            return self.work.statement_work(one.node)
        if isinstance(one, Ask | AskTogether):
            return sum(self.work.listing_work(offer.action) for offer in one.offers)
        if isinstance(one, FillSheets):
            scores = self.bench.scores
            lines = [line.value for number in one.scores for line in scores[number].lines]
            return self.bench.players * sum(map(self.work.work_of, lines))
        if isinstance(one, NoteFigures):
            return sum(self.work.declaration_work(figure.declaration) for figure in one.figures)
        return 0
