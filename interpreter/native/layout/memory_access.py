"""Words that all rooms of thinking write with: fields by name, memory of any width, chance, stretches of memory."""

from __future__ import annotations

from attrs import define

from rulesrun.interpreter.form.form import NUMBER, Field, Function, X, both, known, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.native.layout.plan import Plan

INTEGER_ROOT = Function("root", ("of",), NUMBER)  # written out in `ROOT_TEXT`

ROOT_TEXT = """declare double @llvm.sqrt.f64(double)
define internal i64 @root(ptr %S, i64 %n) nounwind {
  %a = uitofp i64 %n to double
  %b = call double @llvm.sqrt.f64(double %a)
  %c = fptoui double %b to i64
  ret i64 %c
}
"""
"""Rounded down; exact for numbers below 2 to the 52nd."""


@define(eq=False)
class Writing:
    """A function being written: `local` names its parameters."""

    plan: Plan
    lines: Lines

    def load(self, name: str, at: X | None = None) -> X:
        return self.lines.kept(self.lines.load(self.plan.fields[name], at))

    def store(self, name: str, value: X, at: X | None = None) -> None:
        self.lines.store(self.plan.fields[name], value, at)

    def add(self, name: str, value: X, at: X | None = None) -> None:
        self.store(name, both("add", self.lines.load(self.plan.fields[name], at), value), at)

    def ask(self, function: Function, *given: X) -> X:
        return self.lines.kept(call(function, *given))

    def do(self, function: Function, *given: X) -> None:
        self.lines.add("do", call(function, *given))

    def move(self, to: str, source: str, amount: int) -> None:
        """A stretch of bytes from one field to another."""
        here = self.lines.kept(X("here", NUMBER))
        target = both("add", here, number(self.plan.fields[to].at))
        self.lines.add("move bytes", target, both("add", here, number(self.plan.fields[source].at)), extra=amount)

    def below(self, limit: X) -> X:
        return self.lines.kept(X("below", NUMBER, (number(0), limit), self.plan.fields["streams"], 0, None))


def written(plan: Plan, name: str, parameters: tuple[str, ...], gives: str | None, is_inner: bool = True
            ) -> tuple[Function, Writing]:
    """A function to be filled; `finished` puts it among the others."""
    return Function(name, parameters, gives, is_inner=is_inner), Writing(plan, Lines())


def finished(function: Function, writing: Writing) -> Function:
    return writing.plan.finish(function, writing.lines)


def raw_fields(plan: Plan) -> None:
    """All memory of a position by its bytes, by pairs of bytes, by fours."""
    for bits in (8, 16, 32, 64):
        plan.fields[f"memory {bits}"] = Field(f"memory {bits}", bits, 1, 0)


def positive(value: X) -> X:
    return known(value, 0, None)
