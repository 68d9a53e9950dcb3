"""How much work the flow can be at most between two questions, where that is known before the game.

The reference counts steps and the elements gone through while it plays. Machine code adds up what one time through a
loop can cost at most; where a single expression can be too much, the loops themselves are counted (`is_counted`).
A game in which too much comes together is left to the reference.
"""

from __future__ import annotations

from typing import get_args

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.walk import walk
from rulesrun.interpreter.values import MOST_STEPS, MOST_WORK
from rulesrun.interpreter.work import Work, roots
from rulesrun.interpreter.workbench import Workbench

STEP = 8 * MOST_WORK // MOST_STEPS  # a statement is up to so many operations of the reference
ASIDE = (ast.Example, ast.Words, ast.Persona)
STATEMENTS: tuple[type, ...] = get_args(ast.Statement)


@define(eq=False)
class Costs:
    bench: Workbench
    work: Work = field(init=False)
    total: int = field(init=False)  # of everything once
    is_counted: bool = field(init=False)
    _known: dict[int, int] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.work = Work(self.bench)
        declarations = [one for one in self.bench.program.game.declarations if not isinstance(one, ASIDE)]
        listing = sum(self.work.listing(action) for action in self.bench.of_class(ast.Action))
        self.total = listing + sum(self.work.of(root) for one in declarations for root in roots(one))
        self.is_counted = self.total > MOST_WORK // 5

    @property
    def most(self) -> int:
        """What loops may add up to between two questions."""
        return MOST_WORK if self.is_counted else MOST_WORK - self.total

    def of(self, body: tuple[ast.Statement, ...]) -> int:
        """Of statements once, with all that they lead to."""
        return min(sum(self.statement(line) for line in body) + STEP, MOST_WORK)

    def statement(self, line: ast.Statement) -> int:
        if id(line) not in self._known:
            self._known[id(line)] = 0
            parts = [part for part in walk(line) if not isinstance(part, ast.Action)]
            found = sum(STEP + self.led_to(part) for part in parts if isinstance(part, STATEMENTS))
            if not self.is_counted:
                found += sum(self.work.of(root) for root in roots(line))
            self._known[id(line)] = found
        return self._known[id(line)]

    def led_to(self, line: ast.Node) -> int:
        meanings = []
        if isinstance(line, ast.Do):
            meanings = [self.bench.meaning(line.step)]
        if isinstance(line, ast.Choose):
            meanings = [self.bench.meaning(name) for name in line.actions]
        found = 0
        for meaning in meanings:
            if isinstance(meaning, (ast.Step, ast.Action)):
                found += self.of(meaning.body)
            if isinstance(meaning, ast.Action) and not self.is_counted:
                found += self.work.listing(meaning)
        return found
