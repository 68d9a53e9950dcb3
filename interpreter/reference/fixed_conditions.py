"""Conditions that are fixed, or watched: given while a table is set up, they stand in for the expressions."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.values import Code, Run, Slots, constant
from rulesrun.interpreter.reference.expressions import compile_expression


@define(eq=False)
class FixedConditions:
    """Makes expressions ready, some of them as a value that never changes."""

    fixed: Mapping[int, object]

    def note_effect(self, node: Located) -> Run:
        return lambda S: None

    def compile_expression(self, bench: Workbench, node: Operand) -> Code:
        if id(node) in self.fixed:
            return constant(self.fixed[id(node)])
        return compile_expression(bench, node)


@define(eq=False)
class WatchedConditions:
    """Makes some conditions ready so that it is known whether they were true and false in a game."""

    watched: set[int]
    true: set[int] = field(factory=set)
    false: set[int] = field(factory=set)
    decided: set[int] = field(factory=set)  # by the options, before the game

    def note_effect(self, node: Located) -> Run:
        return lambda S: None

    def compile_expression(self, bench: Workbench, node: Operand) -> Code:
        code = compile_expression(bench, node)
        if id(node) not in self.watched:
            return code
        if code.is_constant:
            self.decided.add(id(node))
        yes, no, key, run = self.true.add, self.false.add, id(node), code.run

        def asked(S: Slots) -> object:
            found = run(S)
            (yes if found else no)(key)
            return found

        return Code(asked, code.is_constant, code.value)
