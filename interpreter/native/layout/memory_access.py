"""What all modules of thinking write with: fields by name, memory of any width, chance, stretches of memory."""

from __future__ import annotations

from attrs import define

from rulesrun.interpreter.form import memory
from rulesrun.interpreter.form.form import NUMBER, Field, Function, Value, binary, narrow, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.native.layout.plan import Plan


@define(eq=False)
class FunctionWriter:
    """A function being written: `local` names its parameters."""

    plan: Plan
    lines: Lines

    def load(self, name: str, at: Value | None = None) -> Value:
        return self.lines.bind(self.lines.load(self.plan.fields[name], at))

    def store(self, name: str, value: Value, at: Value | None = None) -> None:
        self.lines.store(self.plan.fields[name], value, at)

    def add_to(self, name: str, value: Value, at: Value | None = None) -> None:
        self.store(name, binary("add", self.lines.load(self.plan.fields[name], at), value), at)

    def call(self, function: Function, *given: Value) -> Value:
        return self.lines.bind(call(function, *given))

    def call_procedure(self, function: Function, *given: Value) -> None:
        self.lines.emit("do", call(function, *given))

    def move_bytes(self, to: str, source: str, amount: int) -> None:
        """A stretch of bytes from one field to another."""
        fields = self.plan.fields
        memory.move_bytes(self.lines, memory.HERE + fields[to].at, memory.HERE + fields[source].at, amount)

    def random_below(self, limit: Value) -> Value:
        return self.lines.bind(Value("below", NUMBER, (number(0), limit), self.plan.fields["streams"], 0, None))


def begin_function(plan: Plan, name: str, parameters: tuple[str, ...], gives: str | None, is_inner: bool = True
            ) -> tuple[Function, FunctionWriter]:
    """A function to be filled; `finished` puts it among the others."""
    return Function(name, parameters, gives, is_inner=is_inner), FunctionWriter(plan, Lines())


def finish_function(function: Function, writing: FunctionWriter) -> Function:
    return writing.plan.add_function(function, writing.lines)


def add_raw_fields(plan: Plan) -> None:
    """All memory of a position by its bytes, by pairs of bytes, by fours."""
    for bits in (8, 16, 32, 64):
        plan.fields[f"memory {bits}"] = Field(f"memory {bits}", bits, 1, 0)


def narrow_to_natural(value: Value) -> Value:
    return narrow(value, 0, None)
