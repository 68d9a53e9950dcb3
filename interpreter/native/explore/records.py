"""`record` where all positions are gone through: what a memory holds lies outside the positions, in chains of nodes.

A node is one record: its values, and the node of the record before it. A position keeps only where the last one lies,
and two numbers by which all that was recorded is known again, in whatever order, and what was recorded last. Positions
that come from one another share their chains; nothing in a node is changed once a position has been kept.
"""

from __future__ import annotations

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import (
    NUMBER,
    CannotCompile,
    Field,
    Function,
    X,
    as_number,
    both,
    compare,
    known,
    local,
    logic,
    number,
)
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.native.explore.arrays import Array
from rulesrun.interpreter.native.expressions import fractions, gathering, kept_lists, list_values
from rulesrun.interpreter.native.expressions.collections import Body, Lying, Several
from rulesrun.interpreter.native.expressions.record_shapes import MOST_CELLS, Shape, Shapes, cell_bits, shapes_of
from rulesrun.interpreter.native.flow.memories import GOLDEN, OTHER, is_made_of_lists
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import LEFT, Plan, Scope, freed
from rulesrun.interpreter.native.layout.stores import MOST_RECORDS
from rulesrun.interpreter.play.relevance import memories_asked

# The words of a node: the one before it, two numbers for what is recorded, the sums of these from the first one on;
# then how often it has come and how many words there are, 32 bits each; then what is recorded.
BEFORE, FIRST, SECOND, FIRST_SUM, SECOND_SUM, AMOUNTS, HEAD = 0, 1, 2, 3, 4, 5, 6
TIMES, WORDS = 2 * AMOUNTS, 2 * AMOUNTS + 1
MOST_BYTES = 8 * (HEAD + MOST_CELLS)
ROOMS = ("records first", "records next", "records end", "records full")  # where a thread writes new nodes


@define(eq=False)
class Remembered:
    """A memory that `times` is asked of."""

    memory: ast.Memory
    slot: int  # of the reference
    number: int  # among those that are asked
    chain: Field  # where the last node lies; 0: nothing is recorded
    again: Field
    times: Field
    bits: int  # of a cell
    shapes: dict[int, Shapes]  # by statement
    cells: int = 0  # of the longest record
    keep: Function = field(init=False)

    @property
    def name(self) -> str:
        return self.memory.name.text

    @property
    def is_written_once(self) -> bool:
        """By one statement: only then what is recorded is ever renamed."""
        return len(self.shapes) == 1

    @property
    def tells_lengths(self) -> bool:
        return len({len(shapes) for shapes in self.shapes.values()}) > 1

    @property
    def most_words(self) -> int:
        return HEAD + (self.cells * self.bits + 63) // 64


def remembered(plan: Plan) -> tuple[Remembered, ...]:
    """Lays out what a position keeps of each memory that is asked."""
    asked, found = memories_asked(plan.table, properties=False), list[Remembered]()
    for name in ROOMS if asked else ():
        plan.scratch(name, 64)
    for memory in plan.bench.of_class(ast.Memory):
        slot = plan.bench.memories[id(memory)]
        if slot in asked:
            name = memory.name.text
            one = Remembered(
                memory, slot, len(found), plan.field(f"chain of {name}", 64), plan.field(f"again in {name}", 64, 2),
                plan.fields[f"times in {name}"], cell_bits(plan, memory), shapes_of(plan, memory),
            )
            one.keep = keeping_function(plan, one)
            found.append(one)
    return tuple(found)


@define(eq=False)
class RememberingMachine(Machine):
    """What compiled games keep of a memory is not used, and so never set back."""

    idle: frozenset[str] = frozenset()

    def forget(self, *places: Field) -> None:
        super().forget(*(place for place in places if place.name not in self.idle))


def idle_fields(memories: tuple[Remembered, ...]) -> frozenset[str]:
    return frozenset(f"{word} of {one.name}" for one in memories for word in ("first", "second"))


# ---- one record


def record(machine: Machine, node: ast.Record, memory: Remembered) -> None:
    """Where there is no more room it is left: what was followed so far is followed again with more."""
    lines, fields = machine.lines, machine.plan.fields
    with lines.when(compare("=", lines.load(memory.times), number(0))):
        lines.store(memory.chain, number(0))
    at = lines.kept(lines.load(fields["records next"]))
    with lines.when(compare(">", at, lines.load(fields["records end"]))) as line:
        lines.store(fields["records full"], number(1))
    with lines.otherwise(line):
        writing = Writing(machine.scope(), memory, node, both("add", at, number(8 * HEAD)))
        if memory.tells_lengths:
            writing.add(number(len(node.values)))
        for value, shape in zip(node.values, memory.shapes[id(node)], strict=True):
            writing.expression(writing.scope, value, shape)
        lines.add("do", call(memory.keep, at, writing.padded()))
        with lines.when(compare(">", lines.load(memory.times), number(MOST_RECORDS))):
            machine.scope().fault(LEFT, node)
    if writing.cells > MOST_CELLS:
        raise CannotCompile("a memory keeps more values than are kept at once")
    memory.cells = max(memory.cells, writing.cells)


class Writing:
    """The values of a record, cell after cell."""

    def __init__(self, scope: Scope, memory: Remembered, node: ast.Record, start: X) -> None:
        self.scope, self.lines, self.memory, self.node = scope, scope.lines, memory, node
        self.start = self.lines.kept(start)
        self.at = self.lines.variable(self.start, "cell")
        self.cells = 0  # at most

    def add(self, value: X) -> None:
        bits, lines = self.memory.bits, self.lines
        value = lines.kept(as_number(value))
        end = 1 << (bits - 1)
        if bits < 64 and not (value.low is not None and value.high is not None
                              and -end <= value.low and value.high < end):
            beyond = logic("or", compare("<", value, number(-end)), compare(">=", value, number(end)))
            self.scope.fault_when(beyond, LEFT, self.node)
        Array(self.at, bits).put(lines, number(0), value)
        lines.add_to(self.at, number(bits // 8))
        self.cells += 1

    def expression(self, scope: Scope, node: ast.Expr, shape: Shape) -> None:
        if shape.is_told:
            self.add(number(int(shape.kind != "single")))
        if shape.kind == "single":
            self.add(fractions.comparable(scope, node) if shape.scale == 1
                     else fractions.at_scale(scope, node, shape.scale))
        elif shape.of is not None and isinstance(node, ast.Aggregate) and is_made_of_lists(scope, node):
            inner, each = shape.of, node.each
            body = node.body
            self.each(gathering.bound(scope, each), lambda one: self.expression(
                gathering.within(scope, each, one), body, inner))
        elif shape.of is not None:
            found = kept_lists.lengths(scope.plan, node, list_values.depth_of(scope, node))
            freed(scope, lambda: self.nested(scope, scope.value(node), found))
        else:
            self.several(scope.several(node), shape)

    def nested(self, scope: Scope, value: X, found: kept_lists.Lengths) -> None:
        """A list that stands for one value; one that is longer than was expected is left to the reference."""
        if not found:
            self.add(value)
            return
        kept = list_values.kept_list(scope, value)
        too_long = scope.lines.kept(compare(">", kept.length(), number(found[0])))
        scope.fault_when(too_long, LEFT, self.node)
        place = scope.lines.kept(X("select", NUMBER, (too_long, number(0), kept.place)))
        self.each(list_values.Kept(place, limit=found[0]), lambda one: self.nested(scope, one, found[1:]))

    def several(self, collection: Several, shape: Shape) -> None:
        if shape.kind == "counts":
            assert isinstance(collection, Lying)
            store, index = collection.store, collection.index
            for kind in range(shape.kinds):
                self.add(containers.amount_of(self.scope, store, index, number(kind)))
            return
        self.each(collection, self.add)

    def each(self, collection: Several, body: Body) -> None:
        """How many there are, then one after the other."""
        self.add(known(collection.size(self.scope), 0, collection.limit))
        before, longest = self.cells, 0

        def one(value: X) -> None:
            nonlocal longest
            self.cells = 0
            body(value)
            longest = max(longest, self.cells)

        collection.each(self.scope, one)
        self.cells = before + collection.limit * longest
        if self.cells > MOST_CELLS:
            raise CannotCompile("a memory keeps more values than are kept at once")

    def padded(self) -> X:
        """How many words there are; the last one is filled up."""
        step = self.memory.bits // 8
        for more in range(8 // step - 1):
            Array(self.at, 8 * step).put(self.lines, number(more), number(0))
        long = both("add", both("sub", self.at, self.start), number(7))
        return self.lines.kept(X("lshr", NUMBER, (long, number(3))))


def mixed_words(lines: Lines, words: Array, many: X) -> tuple[X, X]:
    """Two numbers for what is recorded."""
    first, second = lines.variable(number(1), "first"), lines.variable(number(2), "second")
    at = lines.variable(number(0), "i")
    with lines.loop() as done:
        lines.leave(done, compare(">=", at, many))
        word = lines.kept(words.get(at))
        for target, constant in ((first, GOLDEN), (second, OTHER)):
            moved = X("add", NUMBER, (X("mul", NUMBER, (target, number(constant))), word))
            lines.set(target, X("mix", NUMBER, (moved,)))
        lines.add_to(at, number(1))
    return first, second


def words_of(node: X) -> Array:
    return Array(node, 64)


def part(lines: Lines, node: X, which: int) -> X:
    return lines.kept(words_of(node).get(number(which)))


def contents(node: X) -> Array:
    return Array(both("add", node, number(8 * HEAD)), 64)


def keeping_function(plan: Plan, memory: Remembered) -> Function:
    """`keep(node, words)`: what was written becomes the last node of the chain."""
    lines, node, words = Lines(), local("node"), local("words")
    first, second = mixed_words(lines, contents(node), words)
    before = lines.kept(lines.load(memory.chain))
    times, sums = lines.variable(number(1), "times"), [lines.variable(one, "sum") for one in (first, second)]
    with lines.when(compare("is not", before, number(0))):
        for total, which in zip(sums, (FIRST_SUM, SECOND_SUM), strict=True):
            lines.add_to(total, part(lines, before, which))
    at = lines.variable(before, "at")
    with lines.loop() as done:
        lines.leave(done, compare("=", at, number(0)))
        with lines.when(logic("and", compare("=", words_of(at).get(number(FIRST)), first),
                              compare("=", words_of(at).get(number(SECOND)), second))):
            lines.set(times, both("add", Array(at, 32).get(number(TIMES)), number(1)))
            lines.leave(done)
        lines.set(at, words_of(at).get(number(BEFORE)))
    for which, value in ((BEFORE, before), (FIRST, first), (SECOND, second), (FIRST_SUM, sums[0]),
                         (SECOND_SUM, sums[1])):
        words_of(node).put(lines, number(which), value)
    Array(node, 32).put(lines, number(TIMES), times)
    Array(node, 32).put(lines, number(WORDS), words)
    lines.store(memory.chain, node)
    lines.store(memory.times, times)
    long = both("mul", both("add", words, number(HEAD)), number(8))
    lines.store(plan.fields["records next"], both("add", node, long))
    lines.add("return")
    function = Function(f"keep in {memory.name}", ("node", "words"), None)
    return plan.finish(function, lines)


# ---- what a position keeps


def known_again(sums: tuple[X, X], last: tuple[X, X]) -> tuple[X, X]:
    """Of all records and of the last one."""
    first, second = (
        X("add", NUMBER, (total, X("mix", NUMBER, (X("add", NUMBER, (one, number(constant))),))))
        for total, one, constant in zip(sums, last, (GOLDEN, OTHER), strict=True)
    )
    return first, second


def settle(lines: Lines, memory: Remembered) -> None:
    """Before a row is made of the position. A memory that was set back holds nothing."""
    with lines.when(compare("=", lines.load(memory.times), number(0))) as line:
        for place, which in ((memory.chain, 0), (memory.again, 0), (memory.again, 1)):
            lines.store(place, number(0), number(which))
    with lines.otherwise(line):
        node = lines.kept(lines.load(memory.chain))
        first, second, one, other = (part(lines, node, which) for which in (FIRST, SECOND, FIRST_SUM, SECOND_SUM))
        for which, value in enumerate(known_again((one, other), (first, second))):
            lines.store(memory.again, value, number(which))


def put_back(lines: Lines, memory: Remembered, target: X, node: X) -> None:
    """Into a position that lies at an address, what it keeps of the memory when this node is the last."""
    times = lines.variable(number(0), "times")
    with lines.when(compare("is not", node, number(0))):
        lines.set(times, Array(node, 32).get(number(TIMES)))
    Array(both("add", target, number(memory.chain.at)), 64).put(lines, number(0), node)
    Array(both("add", target, number(memory.times.at)), memory.times.bits).put(lines, number(0), times)
