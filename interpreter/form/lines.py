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
    X,
    both,
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

    def add(self, op: str, *args: X, extra: Any = None) -> Line:
        line = Line(op, args, extra)
        self.lines.append(line)
        return line

    # ---- locals

    def fresh(self, stem: str) -> str:
        return f"{stem}{next(self.names)}"

    def kept(self, value: X, stem: str = "v") -> X:
        """The value as it is now, in a local."""
        if value.op == "const":
            return value
        name = self.fresh(stem)
        self.add("set", value, extra=name)
        return local(name, value.type, value.low, value.high)

    def variable(self, value: X, stem: str = "v") -> X:
        """A local that will be set again."""
        name = self.fresh(stem)
        self.add("set", value, extra=name)
        return local(name, value.type)

    def set(self, target: X, value: X) -> None:
        self.add("set", value, extra=target.extra)

    def add_to(self, target: X, value: X) -> None:
        self.set(target, both("add", target, value))

    # ---- the position

    def load(self, place: Field, index: X | None = None) -> X:
        kind = f"i{place.bits}" if place.bits > 64 or place.name.startswith("set ") else NUMBER
        return X("load", kind, (index or number(0),), place)

    def store(self, place: Field, value: X, index: X | None = None) -> None:
        self.add("store", index or number(0), value, extra=place)

    def look_up(self, table: Constants, index: X) -> X:
        at = constant_of(index)
        kind = f"i{table.bits}" if table.bits > 64 or table.name.startswith("set ") else NUMBER
        if at is not None and 0 <= at < len(table.values):
            value = table.values[at]
            known = (value, value) if kind == NUMBER else (None, None)
            return X("const", kind, (), value, *known)
        low, high = (min(table.values), max(table.values)) if kind == NUMBER else (None, None)
        return X("table", kind, (index,), table, low, high)

    # ---- control

    @contextmanager
    def inside(self, lines: list[Line]) -> Iterator[None]:
        outer, self.lines = self.lines, lines
        try:
            yield
        finally:
            self.lines = outer

    @contextmanager
    def when(self, test: X) -> Iterator[Line]:
        line = self.add("if", test)
        with self.inside(line.body):
            yield line

    @contextmanager
    def otherwise(self, line: Line) -> Iterator[None]:
        with self.inside(line.otherwise):
            yield

    @contextmanager
    def block(self) -> Iterator[str]:
        """What stands in it can be left early."""
        name = self.fresh("b")
        line = self.add("block", extra=name)
        with self.inside(line.body):
            yield name

    @contextmanager
    def loop(self) -> Iterator[str]:
        """Again and again, until it is left."""
        name = self.fresh("b")
        line = self.add("loop", extra=name)
        with self.inside(line.body):
            if self.work is not None:
                done = self.kept(both("add", self.load(self.work), number(1)))
                self.store(self.work, done)
                self.leave(name, X(">", TRUTH, (done, number(MOST_WORK))))
            yield name

    def leave(self, name: str, test: X | None = None) -> None:
        if test is None:
            self.add("leave", extra=name)
        elif constant_of(test) != 0:
            with self.when(test):
                self.add("leave", extra=name)

    def count_through(self, first: X, last: X, body: Callable[[X], None]) -> None:
        """The body for every whole number from first to last."""
        at = self.variable(first, "i")
        end = self.kept(last)
        with self.loop() as name:
            self.leave(name, X(">", TRUTH, (at, end)))
            now = local(at.extra, NUMBER, first.low, last.high)
            body(now)
            self.add_to(at, number(1))

    def each_bit(self, members: X, body: Callable[[X], None], kinds: int) -> None:
        """The body for every kind in a set, in order."""
        left = self.variable(members, "s")
        with self.loop() as name:
            self.leave(name, X("=", TRUTH, (left, X("const", left.type, extra=0))))
            kind = self.kept(known_kind(X("lowest", NUMBER, (left,)), kinds), "k")
            self.set(left, X("drop_lowest", left.type, (left,)))
            body(kind)

    def captured(self, make: Callable[[], X]) -> tuple[list[Line], X]:
        """What making a value writes, put aside, and the value."""
        lines: list[Line] = []
        with self.inside(lines):
            value = make()
        return lines, value


def known_kind(value: X, kinds: int) -> X:
    return X(value.op, value.type, value.args, value.extra, 0, kinds - 1)


def call(function: Function, *args: X, low: int | None = None, high: int | None = None) -> X:
    return X("call", function.gives or "void", args, function, low, high)
