"""Chains of records, as lines: new nodes go where they stay; what a memory becomes when words or places are exchanged.

Nodes that a way has made lie in the thread's own room until it is known whether the way leads to a new position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field

from rulesrun.interpreter.form.form import NUMBER, Function, Value, binary, compare, invert, local, logic, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.form.memory import MemoryArray
from rulesrun.interpreter.native.explore import records
from rulesrun.interpreter.native.explore.arrays import KernelControl
from rulesrun.interpreter.native.explore.records import HEAD, RecordedMemory, load_node_word, node_words
from rulesrun.interpreter.native.expressions.record_shapes import MOST_CELLS, RecordShape
from rulesrun.interpreter.native.layout.plan import Plan

MOVED = (1 << 32) - 1  # how often a node has come that lies elsewhere now: `BEFORE` says where

# What is known of a memory as one symmetry makes it: which tables are meant; the last node that stays where it is, the
# sums up to it, the two numbers of that node; the second of the numbers by which all is known again.
KNOWN = ("tables", "node", "sum", "other sum", "last", "other last", "second")


# ---- new nodes

def reset_new_nodes(lines: Lines, plan: Plan) -> None:
    """What was made before is not needed any more."""
    lines.store(plan.fields["records next"], lines.load(plan.fields["records first"]))
    lines.store(plan.fields["records full"], number(0))


def is_new_node(lines: Lines, plan: Plan, node: Value) -> Value:
    """Whether it lies in the thread's own room."""
    first, following = (lines.load(plan.fields[name]) for name in ("records first", "records next"))
    return logic("and", compare(">=", node, first), compare("<", node, following))


def keep_chain_function(plan: Plan) -> Function:
    """`keep chain(control, node)`: all nodes of a chain that are new go to where they stay; gives the last node."""
    lines = Lines()
    told, at = KernelControl(lines), lines.variable(local("node"), "at")
    last, link = lines.variable(number(0), "last"), lines.variable(number(0), "link")
    with lines.loop() as done:
        lines.leave(done, invert(is_new_node(lines, plan, at)))
        before = load_node_word(lines, at, records.BEFORE)
        with lines.when(compare("=", MemoryArray(at, 32).load(number(records.TIMES)), number(MOVED))):
            lines.set(at, before)
            lines.leave(done)
        target = move_node(lines, told, at)
        link_node(lines, link, last, target)
        lines.set(link, target)
        lines.set(at, before)
    link_node(lines, link, last, at)
    lines.emit("return", last)
    return Function("keep chain", ("control", "node"), NUMBER, lines.lines)


def link_node(lines: Lines, link: Value, last: Value, node: Value) -> None:
    """The node before the one that came to where it stays; or the last of all."""
    with lines.when(compare("is not", link, number(0))) as line:
        node_words(link).store(lines, number(records.BEFORE), node)
    with lines.otherwise(line):
        lines.set(last, node)


def move_node(lines: Lines, told: KernelControl, node: Value) -> Value:
    """A copy that stays; there is room for all that is new."""
    target = told.load("record pool")
    many = lines.bind(binary("add", MemoryArray(node, 32).load(number(records.WORDS)), number(HEAD)))
    lines.for_range(number(0), binary("sub", many, number(1)),
                        lambda at: node_words(target).store(lines, at, node_words(node).load(at)))
    told.store("record pool", binary("add", target, binary("mul", many, number(8))))
    node_words(node).store(lines, number(records.BEFORE), target)
    MemoryArray(node, 32).store(lines, number(records.TIMES), number(MOVED))
    return target


# ---- as a symmetry makes it

class RecordRenaming:
    """Writes `renamed(node, tables)`: the cells of a record, each value as the table of its column says; gives the
    first of the two numbers for them, and leaves the other."""

    def __init__(self, plan: Plan, memory: RecordedMemory) -> None:
        self.plan, self.memory, self.lines = plan, memory, Lines()
        self.place = plan.add_scratch(f"renamed in {memory.name}", 64, MOST_CELLS + 8)
        self.other = plan.add_scratch(f"other of renamed in {memory.name}", 64)

    def write_function(self) -> Function:
        lines, node = self.lines, local("node")
        (shapes,) = self.memory.shapes.values()
        start = lines.bind(binary("add", Value("here", NUMBER), number(self.place.at)))
        self.source, self.target = lines.variable(records.node_contents(node).at, "from"), lines.variable(start, "to")
        words = lines.bind(MemoryArray(node, 32).load(number(records.WORDS)))
        node_words(start).store(lines, lines.bind(binary("max", binary("sub", words, number(1)), number(0))), number(0))
        for column, shape in enumerate(shapes):
            self.rename_value(shape, lines.bind(node_words(local("tables")).load(number(column))))
        first, second = records.hash_words(lines, node_words(start), words)
        lines.store(self.other, second)
        lines.emit("return", first)
        return Function(f"renamed in {self.memory.name}", ("node", "tables"), NUMBER, lines.lines)

    @property
    def cell_bytes(self) -> int:
        return self.memory.bits // 8

    def rename_value(self, shape: RecordShape, table: Value) -> None:
        if shape.of is not None:
            inner = shape.of
            self.rename_list(lambda: self.rename_value(inner, table))
        elif shape.kind == "single":
            self.write_cell(self.rename_cell(table, self.read_cell()))
        elif shape.kind == "counts":
            self.rename_counts(table, shape.kinds)
        else:
            many = self.rename_list(lambda: self.write_cell(self.rename_cell(table, self.read_cell())))
            if shape.kind == "set":
                self.sort_cells(many)

    def read_cell(self) -> Value:
        """The next cell, with its sign."""
        lines, bits = self.lines, self.memory.bits
        value = lines.bind(MemoryArray(self.source, bits).load(number(0)))
        lines.add_to(self.source, number(self.cell_bytes))
        return value if bits == 64 else lines.bind(sign_extend(value, bits))

    def write_cell(self, value: Value) -> None:
        MemoryArray(self.target, self.memory.bits).store(self.lines, number(0), value)
        self.lines.add_to(self.target, number(self.cell_bytes))

    def rename_cell(self, table: Value, value: Value) -> Value:
        lines, found = self.lines, self.lines.variable(value, "value")
        with lines.when(compare("is not", table, number(0))):
            many = lines.bind(node_words(table).load(number(0)))
            with lines.when(logic("and", compare(">=", value, number(0)), compare("<", value, many))):
                lines.set(found, node_words(table).load(binary("add", value, number(1))))
        return lines.bind(found)

    def rename_counts(self, table: Value, kinds: int) -> None:
        lines, bits, first = self.lines, self.memory.bits, self.lines.bind(self.target)

        def kind(which: Value) -> None:
            to = self.rename_cell(table, which)
            MemoryArray(first, bits).store(lines, to, MemoryArray(self.source, bits).load(number(0)))
            lines.add_to(self.source, number(self.cell_bytes))

        lines.for_range(number(0), number(kinds - 1), kind)
        lines.add_to(self.target, number(kinds * self.cell_bytes))

    def rename_list(self, one: Callable[[], None]) -> Value:
        many = self.read_cell()
        self.write_cell(many)
        self.lines.for_range(number(1), many, lambda _: one())
        return many

    def sort_cells(self, many: Value) -> None:
        """What was just written, in declared order."""
        lines, bits = self.lines, self.memory.bits
        first = lines.bind(binary("sub", self.target, binary("mul", many, number(self.cell_bytes))))
        items, at = MemoryArray(first, bits), lines.variable(number(1), "i")
        with lines.loop() as done:
            lines.leave(done, compare(">=", at, many))
            value, to = lines.bind(items.load(at)), lines.variable(at, "to")
            with lines.loop() as there:
                lines.leave(there, compare("<=", to, number(0)))
                before = lines.bind(binary("sub", to, number(1)))
                lines.leave(there, compare("<=", items.load(before), value))
                items.store(lines, to, items.load(before))
                lines.set(to, before)
            items.store(lines, to, value)
            lines.add_to(at, number(1))


def sign_extend(value: Value, bits: int) -> Value:
    sign = number(1 << (bits - 1))
    return binary("sub", Value("xor", NUMBER, (value, sign)), sign)


class RecordImage:
    """Writes `image(tables, known, source)`: the first of the numbers by which the records of the position at `source`
    are known again, as one symmetry makes them; the second is left in `known`."""

    def __init__(self, plan: Plan, memory: RecordedMemory, renamed: Function) -> None:
        self.plan, self.memory, self.renamed, self.lines = plan, memory, renamed, Lines()
        self.other = plan.fields[f"other of renamed in {memory.name}"]
        self.known = node_words(local("known"))

    def write_function(self) -> Function:
        lines, none = self.lines, number(0)
        head = lines.bind(node_words(binary("add", local("source"), number(self.memory.chain.at))).load(none))
        with lines.when(compare("=", head, none)):
            self.store_known("second", none)
            lines.emit("return", none)
        self.sums = lines.variable(none, "sum"), lines.variable(none, "sum")
        self.last = lines.variable(none, "last"), lines.variable(none, "last")
        at = lines.variable(head, "at")
        with lines.loop() as done:
            lines.leave(done, compare("=", at, none))
            with lines.when(invert(is_new_node(lines, self.plan, at))):
                self.add_kept_nodes(head, at)
                lines.leave(done)
            self.add_node(at, self.sums, self.last, compare("=", at, head))
            lines.set(at, node_words(at).load(number(records.BEFORE)))
        first, second = records.memory_hash(self.sums, self.last)
        self.store_known("second", second)
        lines.emit("return", first)
        return Function(f"image of {self.memory.name}", ("tables", "known", "source"), NUMBER, lines.lines)

    def store_known(self, name: str, value: Value) -> None:
        self.known.store(self.lines, number(KNOWN.index(name)), value)

    def load_known(self, name: str) -> Value:
        return self.lines.bind(self.known.load(number(KNOWN.index(name))))

    def add_node(self, node: Value, sums: Sequence[Value], last: Sequence[Value], is_last: Value) -> None:
        """A node's two numbers, as they become."""
        lines = self.lines
        first = lines.bind(call(self.renamed, node, local("tables")))
        second = lines.bind(lines.load(self.other))
        for total, value in zip(sums, (first, second), strict=True):
            lines.add_to(total, value)
        with lines.when(is_last):
            for target, value in zip(last, (first, second), strict=True):
                lines.set(target, value)

    def add_kept_nodes(self, head: Value, node: Value) -> None:
        """The same for all that follows one position, so that it is kept."""
        lines = self.lines
        is_there = logic("and", compare("=", self.load_known("tables"), local("tables")),
                         compare("=", self.load_known("node"), node))
        with lines.when(invert(is_there)):
            sums, last = ([lines.variable(number(0), "n") for _ in range(2)] for _ in range(2))
            at = lines.variable(node, "at")
            with lines.loop() as done:
                lines.leave(done, compare("=", at, number(0)))
                self.add_node(at, sums, last, compare("=", at, node))
                lines.set(at, node_words(at).load(number(records.BEFORE)))
            for name, value in zip(KNOWN, (local("tables"), node, *sums, *last), strict=False):
                self.store_known(name, value)
        for total, name in zip(self.sums, ("sum", "other sum"), strict=True):
            lines.add_to(total, self.load_known(name))
        with lines.when(compare("=", head, node)):
            for target, name in zip(self.last, ("last", "other last"), strict=True):
                lines.set(target, self.load_known(name))


@define(eq=False)
class RecordChains:
    """The functions that a table needs whose rules ask how often a position has come; for others there are none."""

    plan: Plan
    memories: tuple[RecordedMemory, ...]
    keep: Function = field(init=False)
    renamed: dict[int, Function] = field(factory=dict)  # by memory; what several statements write is never renamed
    images: dict[int, Function] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        if self.memories:
            self.keep = keep_chain_function(self.plan)
        for memory in self.memories:
            if memory.is_written_once:
                at = memory.number
                self.renamed[at] = RecordRenaming(self.plan, memory).write_function()
                self.images[at] = RecordImage(self.plan, memory, self.renamed[at]).write_function()

    @property
    def functions(self) -> tuple[Function, ...]:
        return (self.keep, *self.renamed.values(), *self.images.values()) if self.memories else ()
