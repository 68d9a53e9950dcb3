"""`record` where all positions are gone through: what a memory holds lies outside the positions, in chains of nodes.

A node is one record: its values, and the node of the record before it. A position keeps only where the last one lies,
and two numbers by which all that was recorded is known again, in whatever order, and what was recorded last. Positions
that come from one another share their chains; nothing in a node is changed once a position has been kept.
"""

from __future__ import annotations

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.form.form import (
    NUMBER,
    CannotCompile,
    Field,
    Function,
    Value,
    as_number,
    binary,
    compare,
    local,
    logic,
    narrow,
    number,
)
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.form.memory import MemoryArray
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Operand, Record
from rulesrun.interpreter.model.relevance import find_memories_asked
from rulesrun.interpreter.native.expressions import fractions, gathering, kept_lists, lists
from rulesrun.interpreter.native.expressions.collections import Body, Collection, ZoneContents
from rulesrun.interpreter.native.expressions.record_shapes import (
    MOST_CELLS,
    RecordShape,
    Shapes,
    cell_bits,
    shapes_by_statement,
)
from rulesrun.interpreter.native.flow.memories import GOLDEN, OTHER, list_of_lists
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import LEFT, Plan, Scope, free_lists_after
from rulesrun.interpreter.native.layout.stores import MOST_RECORDS

# The words of a node: the one before it, two numbers for what is recorded, the sums of these from the first one on;
# then how often it has come and how many words there are, 32 bits each; then what is recorded.
BEFORE, FIRST, SECOND, FIRST_SUM, SECOND_SUM, AMOUNTS, HEAD = 0, 1, 2, 3, 4, 5, 6
TIMES, WORDS = 2 * AMOUNTS, 2 * AMOUNTS + 1
MOST_BYTES = 8 * (HEAD + MOST_CELLS)
ROOMS = ("records first", "records next", "records end", "records full")  # where a thread writes new nodes


@define(eq=False)
class RecordedMemory:
    """A memory that `times` is asked of."""

    memory: core.Memory
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
    def has_varying_lengths(self) -> bool:
        return len({len(shapes) for shapes in self.shapes.values()}) > 1

    @property
    def max_words(self) -> int:
        return HEAD + (self.cells * self.bits + 63) // 64


def lay_out_memories(plan: Plan) -> tuple[RecordedMemory, ...]:
    """Lays out what a position keeps of each memory that is asked."""
    asked, found = find_memories_asked(plan.bench, properties=False), list[RecordedMemory]()
    for name in ROOMS if asked else ():
        plan.add_scratch(name, 64)
    for memory in plan.bench.declared_memories:
        slot = plan.bench.memories[id(memory)]
        if slot in asked:
            name = memory.name.text
            one = RecordedMemory(
                memory,
                slot,
                len(found),
                plan.add_field(f"chain of {name}", 64),
                plan.add_field(f"again in {name}", 64, 2),
                plan.fields[f"times in {name}"],
                cell_bits(plan, memory),
                shapes_by_statement(plan, memory),
            )
            one.keep = keep_record_function(plan, one)
            found.append(one)
    return tuple(found)


@define(eq=False)
class RememberingMachine(Machine):
    """What compiled games keep of a memory is not used, and so never set back."""

    idle: frozenset[str] = frozenset()

    def forget_fields(self, *places: Field) -> None:
        super().forget_fields(*(place for place in places if place.name not in self.idle))


def idle_fields(memories: tuple[RecordedMemory, ...]) -> frozenset[str]:
    return frozenset(f"{word} of {one.name}" for one in memories for word in ("first", "second"))


# ---- one record


def lower_record(machine: Machine, done: Record, memory: RecordedMemory) -> None:
    """Where there is no more room it is left: what was followed so far is followed again with more."""
    lines, fields = machine.lines, machine.plan.fields
    with lines.when(compare("=", lines.load(memory.times), number(0))):
        lines.store(memory.chain, number(0))
    at = lines.bind(lines.load(fields["records next"]))
    with lines.when(compare(">", at, lines.load(fields["records end"]))) as line:
        lines.store(fields["records full"], number(1))
    with lines.otherwise(line):
        writing = RecordWriter(machine.new_scope(), memory, done.node, binary("add", at, number(8 * HEAD)))
        if memory.has_varying_lengths:
            writing.write_cell(number(len(done.values)))
        for value, shape in zip(done.values, memory.shapes[id(done.node)], strict=True):
            writing.write_expression(writing.scope, value, shape)
        lines.emit("do", call(memory.keep, at, writing.pad_to_words()))
        with lines.when(compare(">", lines.load(memory.times), number(MOST_RECORDS))):
            machine.new_scope().emit_fault(LEFT, done.node)
    if writing.cells > MOST_CELLS:
        raise CannotCompile(message("a memory keeps more values than are kept at once"))
    memory.cells = max(memory.cells, writing.cells)


class RecordWriter:
    """The values of a record, cell after cell."""

    def __init__(self, scope: Scope, memory: RecordedMemory, node: Located, start: Value) -> None:
        self.scope, self.lines, self.memory, self.node = scope, scope.lines, memory, node
        self.start = self.lines.bind(start)
        self.at = self.lines.variable(self.start, "cell")
        self.cells = 0  # at most

    def write_cell(self, value: Value) -> None:
        bits, lines = self.memory.bits, self.lines
        value = lines.bind(as_number(value))
        end = 1 << (bits - 1)
        if bits < 64 and not (value.low is not None and value.high is not None
                              and -end <= value.low and value.high < end):
            beyond = logic("or", compare("<", value, number(-end)), compare(">=", value, number(end)))
            self.scope.emit_fault_if(beyond, LEFT, self.node)
        MemoryArray(self.at, bits).store(lines, number(0), value)
        lines.add_to(self.at, number(bits // 8))
        self.cells += 1

    def write_expression(self, scope: Scope, node: Operand, shape: RecordShape) -> None:
        if shape.is_told:
            self.write_cell(number(int(shape.kind != "single")))
        if shape.kind == "single":
            self.write_cell(fractions.lower_comparable(scope, node) if shape.scale == 1
                     else fractions.lower_at_scale(scope, node, shape.scale))
        elif shape.of is not None and (made := list_of_lists(scope, node)) is not None:
            inner, each, body = shape.of, made.each, made.body
            self.write_each(gathering.lower_binder(scope, each), lambda one: self.write_expression(
                gathering.element_scope(scope, each, one), body, inner))
        elif shape.of is not None:
            found = kept_lists.lengths(scope.plan, node, lists.list_depth_of(scope, node))
            free_lists_after(scope, lambda: self.nested(scope, scope.lower_value(node), found))
        else:
            self.write_collection(scope.lower_collection(node), shape)

    def nested(self, scope: Scope, value: Value, found: kept_lists.Lengths) -> None:
        """A list that stands for one value; one that is longer than was expected is left to the reference."""
        if not found:
            self.write_cell(value)
            return
        kept = lists.heap_list(scope, value)
        too_long = scope.lines.bind(compare(">", kept.length(), number(found[0])))
        scope.emit_fault_if(too_long, LEFT, self.node)
        place = scope.lines.bind(Value("select", NUMBER, (too_long, number(0), kept.place)))
        self.write_each(lists.HeapList(place, limit=found[0]), lambda one: self.nested(scope, one, found[1:]))

    def write_collection(self, collection: Collection, shape: RecordShape) -> None:
        if shape.kind == "counts":
            assert isinstance(collection, ZoneContents)
            store, index = collection.store, collection.index
            for kind in range(shape.kinds):
                self.write_cell(containers.amount_of(self.scope, store, index, number(kind)))
            return
        self.write_each(collection, self.write_cell)

    def write_each(self, collection: Collection, body: Body) -> None:
        """How many there are, then one after the other."""
        self.write_cell(narrow(collection.size(self.scope), 0, collection.limit))
        before, longest = self.cells, 0

        def one(value: Value) -> None:
            nonlocal longest
            self.cells = 0
            body(value)
            longest = max(longest, self.cells)

        collection.for_each(self.scope, one)
        self.cells = before + collection.limit * longest
        if self.cells > MOST_CELLS:
            raise CannotCompile(message("a memory keeps more values than are kept at once"))

    def pad_to_words(self) -> Value:
        """How many words there are; the last one is filled up."""
        step = self.memory.bits // 8
        for more in range(8 // step - 1):
            MemoryArray(self.at, 8 * step).store(self.lines, number(more), number(0))
        long = binary("add", binary("sub", self.at, self.start), number(7))
        return self.lines.bind(Value("lshr", NUMBER, (long, number(3))))


def hash_words(lines: Lines, words: MemoryArray, many: Value) -> tuple[Value, Value]:
    """Two numbers for what is recorded."""
    first, second = lines.variable(number(1), "first"), lines.variable(number(2), "second")
    at = lines.variable(number(0), "i")
    with lines.loop() as done:
        lines.leave(done, compare(">=", at, many))
        word = lines.bind(words.load(at))
        for target, constant in ((first, GOLDEN), (second, OTHER)):
            moved = Value("add", NUMBER, (Value("mul", NUMBER, (target, number(constant))), word))
            lines.set(target, Value("mix", NUMBER, (moved,)))
        lines.add_to(at, number(1))
    return first, second


def node_words(node: Value) -> MemoryArray:
    return MemoryArray(node, 64)


def load_node_word(lines: Lines, node: Value, which: int) -> Value:
    return lines.bind(node_words(node).load(number(which)))


def node_contents(node: Value) -> MemoryArray:
    return MemoryArray(binary("add", node, number(8 * HEAD)), 64)


def keep_record_function(plan: Plan, memory: RecordedMemory) -> Function:
    """`keep(node, words)`: what was written becomes the last node of the chain."""
    lines, node, words = Lines(), local("node"), local("words")
    first, second = hash_words(lines, node_contents(node), words)
    before = lines.bind(lines.load(memory.chain))
    times, sums = lines.variable(number(1), "times"), [lines.variable(one, "sum") for one in (first, second)]
    with lines.when(compare("is not", before, number(0))):
        for total, which in zip(sums, (FIRST_SUM, SECOND_SUM), strict=True):
            lines.add_to(total, load_node_word(lines, before, which))
    at = lines.variable(before, "at")
    with lines.loop() as done:
        lines.leave(done, compare("=", at, number(0)))
        with lines.when(logic("and", compare("=", node_words(at).load(number(FIRST)), first),
                              compare("=", node_words(at).load(number(SECOND)), second))):
            lines.set(times, binary("add", MemoryArray(at, 32).load(number(TIMES)), number(1)))
            lines.leave(done)
        lines.set(at, node_words(at).load(number(BEFORE)))
    for which, value in ((BEFORE, before), (FIRST, first), (SECOND, second), (FIRST_SUM, sums[0]),
                         (SECOND_SUM, sums[1])):
        node_words(node).store(lines, number(which), value)
    MemoryArray(node, 32).store(lines, number(TIMES), times)
    MemoryArray(node, 32).store(lines, number(WORDS), words)
    lines.store(memory.chain, node)
    lines.store(memory.times, times)
    long = binary("mul", binary("add", words, number(HEAD)), number(8))
    lines.store(plan.fields["records next"], binary("add", node, long))
    lines.emit("return")
    function = Function(f"keep in {memory.name}", ("node", "words"), None)
    return plan.add_function(function, lines)


# ---- what a position keeps


def memory_hash(sums: tuple[Value, Value], last: tuple[Value, Value]) -> tuple[Value, Value]:
    """Of all records and of the last one."""
    first, second = (
        Value("add", NUMBER, (total, Value("mix", NUMBER, (Value("add", NUMBER, (one, number(constant))),))))
        for total, one, constant in zip(sums, last, (GOLDEN, OTHER), strict=True)
    )
    return first, second


def settle_memory(lines: Lines, memory: RecordedMemory) -> None:
    """Before a row is made of the position. A memory that was set back holds nothing."""
    with lines.when(compare("=", lines.load(memory.times), number(0))) as line:
        for place, which in ((memory.chain, 0), (memory.again, 0), (memory.again, 1)):
            lines.store(place, number(0), number(which))
    with lines.otherwise(line):
        node = lines.bind(lines.load(memory.chain))
        first, second, one, other = (
            load_node_word(lines, node, which) for which in (FIRST, SECOND, FIRST_SUM, SECOND_SUM)
        )
        for which, value in enumerate(memory_hash((one, other), (first, second))):
            lines.store(memory.again, value, number(which))


def restore_memory(lines: Lines, memory: RecordedMemory, target: Value, node: Value) -> None:
    """Into a position that lies at an address, what it keeps of the memory when this node is the last."""
    times = lines.variable(number(0), "times")
    with lines.when(compare("is not", node, number(0))):
        lines.set(times, MemoryArray(node, 32).load(number(TIMES)))
    MemoryArray(binary("add", target, number(memory.chain.at)), 64).store(lines, number(0), node)
    MemoryArray(binary("add", target, number(memory.times.at)), memory.times.bits).store(lines, number(0), times)
