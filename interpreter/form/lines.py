"""Writes the lines of a function one after the other: loops, conditions, values kept in locals, faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from attrs import define, field

from rulesrun.interpreter.form.form import (
    NUMBER,
    TRUTH,
    Constants,
    Field,
    Function,
    Line,
    Value,
    as_value,
    binary,
    constant_of,
    local,
    number,
)
from rulesrun.interpreter.model.values import MOST_WORK


@define(eq=False)
class Lines:
    """What is being written; `lines` is the innermost list."""

    lines: list[Line] = field(factory=list)
    names: Iterator[int] = field(factory=count)
    work: Field | None = None  # where the times through loops are counted, when they must be

    def emit(self, op: str, *args: Value, extra: Any = None) -> Line:
        line = Line(op, args, extra)
        self.lines.append(line)
        return line

    # ---- locals

    def fresh_name(self, stem: str) -> str:
        return f"{stem}{next(self.names)}"

    def bind(self, value: Value, stem: str = "v") -> Value:
        """The value as it is now, in a local."""
        if value.op == "const":
            return value
        name = self.fresh_name(stem)
        self.emit("set", value, extra=name)
        return local(name, value.type, value.low, value.high)

    def variable(self, value: Value, stem: str = "v") -> Value:
        """A local that will be set again."""
        name = self.fresh_name(stem)
        self.emit("set", value, extra=name)
        return local(name, value.type)

    def set(self, target: Value, value: Value) -> None:
        self.emit("set", value, extra=target.extra)

    def add_to(self, target: Value, value: Value | int) -> None:
        self.set(target, binary("add", target, as_value(value)))

    # ---- the position

    def load(self, place: Field, index: Value | None = None) -> Value:
        kind = f"i{place.bits}" if place.bits > 64 or place.name.startswith("set ") else NUMBER
        return Value("load", kind, (index or number(0),), place)

    def store(self, place: Field, value: Value, index: Value | None = None) -> None:
        self.emit("store", index or number(0), value, extra=place)

    def look_up(self, table: Constants, index: Value) -> Value:
        at = constant_of(index)
        kind = f"i{table.bits}" if table.bits > 64 or table.name.startswith("set ") else NUMBER
        if at is not None and 0 <= at < len(table.values):
            value = table.values[at]
            known = (value, value) if kind == NUMBER else (None, None)
            return Value("const", kind, (), value, *known)
        low, high = (min(table.values), max(table.values)) if kind == NUMBER else (None, None)
        return Value("table", kind, (index,), table, low, high)

    # ---- control

    @contextmanager
    def writing_into(self, lines: list[Line]) -> Iterator[None]:
        outer, self.lines = self.lines, lines
        try:
            yield
        finally:
            self.lines = outer

    @contextmanager
    def when(self, test: Value) -> Iterator[Line]:
        line = self.emit("if", test)
        with self.writing_into(line.body):
            yield line

    @contextmanager
    def otherwise(self, line: Line) -> Iterator[None]:
        with self.writing_into(line.otherwise):
            yield

    @contextmanager
    def block(self) -> Iterator[str]:
        """What stands in it can be left early."""
        name = self.fresh_name("b")
        line = self.emit("block", extra=name)
        with self.writing_into(line.body):
            yield name

    @contextmanager
    def loop(self) -> Iterator[str]:
        """Again and again, until it is left."""
        name = self.fresh_name("b")
        line = self.emit("loop", extra=name)
        with self.writing_into(line.body):
            if self.work is not None:
                done = self.bind(binary("add", self.load(self.work), number(1)))
                self.store(self.work, done)
                self.leave(name, Value(">", TRUTH, (done, number(MOST_WORK))))
            yield name

    def leave(self, name: str, test: Value | None = None) -> None:
        if test is None:
            self.emit("leave", extra=name)
        elif constant_of(test) != 0:
            with self.when(test):
                self.emit("leave", extra=name)

    def for_range(self, first: Value, last: Value, body: Callable[[Value], None]) -> None:
        """The body for every whole number from first to last."""
        at = self.variable(first, "i")
        end = self.bind(last)
        with self.loop() as name:
            self.leave(name, Value(">", TRUTH, (at, end)))
            now = local(at.extra, NUMBER, first.low, last.high)
            body(now)
            self.add_to(at, number(1))

    @contextmanager
    def repeat(self, amount: Value | int, first: Value | int = 0) -> Iterator[Value]:
        """What stands in it, for every number from the first on that is below the amount."""
        at, end = self.variable(as_value(first), "i"), self.bind(as_value(amount))
        with self.loop() as done:
            self.leave(done, at >= end)
            yield at
            self.add_to(at, number(1))

    def for_each_bit(self, members: Value, body: Callable[[Value], None], kinds: int) -> None:
        """The body for every kind in a set, in order."""
        left = self.variable(members, "s")
        with self.loop() as name:
            self.leave(name, Value("=", TRUTH, (left, Value("const", left.type, extra=0))))
            kind = self.bind(narrow_to_kinds(Value("lowest", NUMBER, (left,)), kinds), "k")
            self.set(left, Value("drop_lowest", left.type, (left,)))
            body(kind)

    def capture(self, make: Callable[[], Value]) -> tuple[list[Line], Value]:
        """What making a value writes, put aside, and the value."""
        lines: list[Line] = []
        with self.writing_into(lines):
            value = make()
        return lines, value


def narrow_to_kinds(value: Value, kinds: int) -> Value:
    return Value(value.op, value.type, value.args, value.extra, 0, kinds - 1)


def call(function: Function, *args: Value, low: int | None = None, high: int | None = None) -> Value:
    return Value("call", function.gives or "void", args, function, low, high)
