"""Chains of records, as lines: new nodes go where they stay; what a memory becomes when words or places are exchanged.

Nodes that a way has made lie in the thread's own room until it is known whether the way leads to a new position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field

from rulesrun.interpreter.form.form import NUMBER, Function, X, both, compare, inverted, local, logic, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.native.explore import records
from rulesrun.interpreter.native.explore.arrays import Array, Told
from rulesrun.interpreter.native.explore.records import HEAD, Remembered, part, words_of
from rulesrun.interpreter.native.expressions.record_shapes import MOST_CELLS, Shape
from rulesrun.interpreter.native.layout.plan import Plan

MOVED = (1 << 32) - 1  # how often a node has come that lies elsewhere now: `BEFORE` says where

# What is known of a memory as one symmetry makes it: which tables are meant; the last node that stays where it is, the
# sums up to it, the two numbers of that node; the second of the numbers by which all is known again.
KNOWN = ("tables", "node", "sum", "other sum", "last", "other last", "second")


# ---- new nodes

def begin_nodes(lines: Lines, plan: Plan) -> None:
    """What was made before is not needed any more."""
    lines.store(plan.fields["records next"], lines.load(plan.fields["records first"]))
    lines.store(plan.fields["records full"], number(0))


def is_new(lines: Lines, plan: Plan, node: X) -> X:
    """Whether it lies in the thread's own room."""
    first, following = (lines.load(plan.fields[name]) for name in ("records first", "records next"))
    return logic("and", compare(">=", node, first), compare("<", node, following))


def moving_function(plan: Plan) -> Function:
    """`keep chain(control, node)`: all nodes of a chain that are new go to where they stay; gives the last node."""
    lines = Lines()
    told, at = Told(lines), lines.variable(local("node"), "at")
    last, link = lines.variable(number(0), "last"), lines.variable(number(0), "link")
    with lines.loop() as done:
        lines.leave(done, inverted(is_new(lines, plan, at)))
        before = part(lines, at, records.BEFORE)
        with lines.when(compare("=", Array(at, 32).get(number(records.TIMES)), number(MOVED))):
            lines.set(at, before)
            lines.leave(done)
        target = moved(lines, told, at)
        put_link(lines, link, last, target)
        lines.set(link, target)
        lines.set(at, before)
    put_link(lines, link, last, at)
    lines.add("return", last)
    return Function("keep chain", ("control", "node"), NUMBER, lines.lines)


def put_link(lines: Lines, link: X, last: X, node: X) -> None:
    """The node before the one that came to where it stays; or the last of all."""
    with lines.when(compare("is not", link, number(0))) as line:
        words_of(link).put(lines, number(records.BEFORE), node)
    with lines.otherwise(line):
        lines.set(last, node)


def moved(lines: Lines, told: Told, node: X) -> X:
    """A copy that stays; there is room for all that is new."""
    target = told.get("record pool")
    many = lines.kept(both("add", Array(node, 32).get(number(records.WORDS)), number(HEAD)))
    lines.count_through(number(0), both("sub", many, number(1)),
                        lambda at: words_of(target).put(lines, at, words_of(node).get(at)))
    told.put("record pool", both("add", target, both("mul", many, number(8))))
    words_of(node).put(lines, number(records.BEFORE), target)
    Array(node, 32).put(lines, number(records.TIMES), number(MOVED))
    return target


# ---- as a symmetry makes it

class Renaming:
    """Writes `renamed(node, tables)`: the cells of a record, each value as the table of its column says; gives the
    first of the two numbers for them, and leaves the other."""

    def __init__(self, plan: Plan, memory: Remembered) -> None:
        self.plan, self.memory, self.lines = plan, memory, Lines()
        self.place = plan.scratch(f"renamed in {memory.name}", 64, MOST_CELLS + 8)
        self.other = plan.scratch(f"other of renamed in {memory.name}", 64)

    def function(self) -> Function:
        lines, node = self.lines, local("node")
        (shapes,) = self.memory.shapes.values()
        start = lines.kept(both("add", X("here", NUMBER), number(self.place.at)))
        self.source, self.target = lines.variable(records.contents(node).at, "from"), lines.variable(start, "to")
        words = lines.kept(Array(node, 32).get(number(records.WORDS)))
        words_of(start).put(lines, lines.kept(both("max", both("sub", words, number(1)), number(0))), number(0))
        for column, shape in enumerate(shapes):
            self.value(shape, lines.kept(words_of(local("tables")).get(number(column))))
        first, second = records.mixed_words(lines, words_of(start), words)
        lines.store(self.other, second)
        lines.add("return", first)
        return Function(f"renamed in {self.memory.name}", ("node", "tables"), NUMBER, lines.lines)

    @property
    def step(self) -> int:
        return self.memory.bits // 8

    def value(self, shape: Shape, table: X) -> None:
        if shape.of is not None:
            inner = shape.of
            self.several(lambda: self.value(inner, table))
        elif shape.kind == "single":
            self.put(self.renamed(table, self.get()))
        elif shape.kind == "counts":
            self.counts(table, shape.kinds)
        else:
            many = self.several(lambda: self.put(self.renamed(table, self.get())))
            if shape.kind == "set":
                self.sort(many)

    def get(self) -> X:
        """The next cell, with its sign."""
        lines, bits = self.lines, self.memory.bits
        value = lines.kept(Array(self.source, bits).get(number(0)))
        lines.add_to(self.source, number(self.step))
        return value if bits == 64 else lines.kept(with_sign(value, bits))

    def put(self, value: X) -> None:
        Array(self.target, self.memory.bits).put(self.lines, number(0), value)
        self.lines.add_to(self.target, number(self.step))

    def renamed(self, table: X, value: X) -> X:
        lines, found = self.lines, self.lines.variable(value, "value")
        with lines.when(compare("is not", table, number(0))):
            many = lines.kept(words_of(table).get(number(0)))
            with lines.when(logic("and", compare(">=", value, number(0)), compare("<", value, many))):
                lines.set(found, words_of(table).get(both("add", value, number(1))))
        return lines.kept(found)

    def counts(self, table: X, kinds: int) -> None:
        lines, bits, first = self.lines, self.memory.bits, self.lines.kept(self.target)

        def kind(which: X) -> None:
            to = self.renamed(table, which)
            Array(first, bits).put(lines, to, Array(self.source, bits).get(number(0)))
            lines.add_to(self.source, number(self.step))

        lines.count_through(number(0), number(kinds - 1), kind)
        lines.add_to(self.target, number(kinds * self.step))

    def several(self, one: Callable[[], None]) -> X:
        many = self.get()
        self.put(many)
        self.lines.count_through(number(1), many, lambda _: one())
        return many

    def sort(self, many: X) -> None:
        """What was just written, in declared order."""
        lines, bits = self.lines, self.memory.bits
        first = lines.kept(both("sub", self.target, both("mul", many, number(self.step))))
        items, at = Array(first, bits), lines.variable(number(1), "i")
        with lines.loop() as done:
            lines.leave(done, compare(">=", at, many))
            value, to = lines.kept(items.get(at)), lines.variable(at, "to")
            with lines.loop() as there:
                lines.leave(there, compare("<=", to, number(0)))
                before = lines.kept(both("sub", to, number(1)))
                lines.leave(there, compare("<=", items.get(before), value))
                items.put(lines, to, items.get(before))
                lines.set(to, before)
            items.put(lines, to, value)
            lines.add_to(at, number(1))


def with_sign(value: X, bits: int) -> X:
    sign = number(1 << (bits - 1))
    return both("sub", X("xor", NUMBER, (value, sign)), sign)


class Image:
    """Writes `image(tables, known, source)`: the first of the numbers by which the records of the position at `source`
    are known again, as one symmetry makes them; the second is left in `known`."""

    def __init__(self, plan: Plan, memory: Remembered, renamed: Function) -> None:
        self.plan, self.memory, self.renamed, self.lines = plan, memory, renamed, Lines()
        self.other = plan.fields[f"other of renamed in {memory.name}"]
        self.known = words_of(local("known"))

    def function(self) -> Function:
        lines, none = self.lines, number(0)
        head = lines.kept(words_of(both("add", local("source"), number(self.memory.chain.at))).get(none))
        with lines.when(compare("=", head, none)):
            self.note("second", none)
            lines.add("return", none)
        self.sums = lines.variable(none, "sum"), lines.variable(none, "sum")
        self.last = lines.variable(none, "last"), lines.variable(none, "last")
        at = lines.variable(head, "at")
        with lines.loop() as done:
            lines.leave(done, compare("=", at, none))
            with lines.when(inverted(is_new(lines, self.plan, at))):
                self.those_that_stay(head, at)
                lines.leave(done)
            self.one(at, self.sums, self.last, compare("=", at, head))
            lines.set(at, words_of(at).get(number(records.BEFORE)))
        first, second = records.known_again(self.sums, self.last)
        self.note("second", second)
        lines.add("return", first)
        return Function(f"image of {self.memory.name}", ("tables", "known", "source"), NUMBER, lines.lines)

    def note(self, name: str, value: X) -> None:
        self.known.put(self.lines, number(KNOWN.index(name)), value)

    def told(self, name: str) -> X:
        return self.lines.kept(self.known.get(number(KNOWN.index(name))))

    def one(self, node: X, sums: Sequence[X], last: Sequence[X], is_last: X) -> None:
        """A node's two numbers, as they become."""
        lines = self.lines
        first = lines.kept(call(self.renamed, node, local("tables")))
        second = lines.kept(lines.load(self.other))
        for total, value in zip(sums, (first, second), strict=True):
            lines.add_to(total, value)
        with lines.when(is_last):
            for target, value in zip(last, (first, second), strict=True):
                lines.set(target, value)

    def those_that_stay(self, head: X, node: X) -> None:
        """The same for all that follows one position, so that it is kept."""
        lines = self.lines
        is_there = logic("and", compare("=", self.told("tables"), local("tables")),
                         compare("=", self.told("node"), node))
        with lines.when(inverted(is_there)):
            sums, last = ([lines.variable(number(0), "n") for _ in range(2)] for _ in range(2))
            at = lines.variable(node, "at")
            with lines.loop() as done:
                lines.leave(done, compare("=", at, number(0)))
                self.one(at, sums, last, compare("=", at, node))
                lines.set(at, words_of(at).get(number(records.BEFORE)))
            for name, value in zip(KNOWN, (local("tables"), node, *sums, *last), strict=False):
                self.note(name, value)
        for total, name in zip(self.sums, ("sum", "other sum"), strict=True):
            lines.add_to(total, self.told(name))
        with lines.when(compare("=", head, node)):
            for target, name in zip(self.last, ("last", "other last"), strict=True):
                lines.set(target, self.told(name))


@define(eq=False)
class Chains:
    """The functions that a table needs whose rules ask how often a position has come; for others there are none."""

    plan: Plan
    memories: tuple[Remembered, ...]
    keep: Function = field(init=False)
    renamed: dict[int, Function] = field(factory=dict)  # by memory; what several statements write is never renamed
    images: dict[int, Function] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        if self.memories:
            self.keep = moving_function(self.plan)
        for memory in self.memories:
            if memory.is_written_once:
                at = memory.number
                self.renamed[at] = Renaming(self.plan, memory).function()
                self.images[at] = Image(self.plan, memory, self.renamed[at]).function()

    @property
    def functions(self) -> tuple[Function, ...]:
        return (self.keep, *self.renamed.values(), *self.images.values()) if self.memories else ()
