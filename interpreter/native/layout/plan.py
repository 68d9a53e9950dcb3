"""What is known while a table is being compiled: the fields of a position, functions, tables, faults.

Takes a table that the reference has set up; the other modules of lowering ask it for places and names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.notebook import LIMIT
from rulesrun.dsl.typing.types import ComponentOf, NumberOf, OptionalOf, PlayerOf, TruthOf, Type, WordOf
from rulesrun.interpreter.form.form import (
    NOTHING,
    NUMBER,
    CannotCompile,
    Constants,
    Field,
    Function,
    Line,
    Value,
    as_number,
    as_truth,
    bit_width,
    compare,
    local,
    logic,
    narrow,
    number,
    set_type,
)
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.instructions import (
    Ask,
    AskTogether,
    FillSheets,
    Instruction,
    LoopBack,
    NoteFigures,
    Reach,
)
from rulesrun.interpreter.model.values import MOST_STEPS, MOST_WORK
from rulesrun.interpreter.model.work_bounds import WorkBounds, list_played_roots
from rulesrun.interpreter.reference.table import Table

# ---- costs
# How much work the flow can be at most between two questions, where that is known before the game.
#
# The reference counts the operations of the flow and, where rules can be much work, the elements gone through. Machine
# code adds up what one time through a loop can cost at most; where a single expression can be too much, the loops in
# expressions are counted as well (`is_counted`). A game in which too much comes together is left to the reference.


OPERATION = MOST_WORK // MOST_STEPS  # an operation of the flow weighs as much as so many elements gone through


@define(eq=False)
class Costs:
    table: Table
    bench: Workbench = field(init=False)
    work: WorkBounds = field(init=False)
    expressions: int = field(init=False)  # all of them once, where they are charged for
    is_counted: bool = field(init=False)
    numbers: dict[int, int] = field(init=False)  # by id of the instruction

    def __attrs_post_init__(self) -> None:
        self.bench = self.table.bench
        self.work = WorkBounds(self.bench)
        self.numbers = {id(one): number for number, one in enumerate(self.table.flow.instructions)}
        listing = sum(self.work.listing_work(action) for action in self.bench.actions)
        everything = listing + sum(map(self.work.work_of, list_played_roots(self.bench.program)))
        self.is_counted = self.bench.is_charged and everything > MOST_WORK // 5
        self.expressions = everything if self.bench.is_charged and not self.is_counted else 0

    @property
    def most_loop_cost(self) -> int:
        """What loops may add up to between two questions, beside all that is done once."""
        return MOST_WORK - self.expressions - OPERATION * len(self.table.operations)

    def loop_cost(self, last: Instruction) -> int:
        """Once through the loop that this instruction ends, with all that lies in it."""
        cost = OPERATION * self.table.loops[id(last)]
        if self.expressions:
            first = last.label.at if isinstance(last, LoopBack) else self.numbers[id(last)]
            stretch = self.table.flow.instructions[first : self.numbers[id(last)] + 1]
            cost += self.work.statement_work(last.node) + sum(map(self.instruction_work, stretch))
        return min(cost, MOST_WORK)

    def round_cost(self, last: Instruction) -> int:
        return OPERATION * self.table.loops[id(last)] + self.expressions

    # ---- what may be worked out

    def instruction_work(self, one: Instruction) -> int:
        """Of a statement that is reached; what can be chosen, and what is counted, come with the rules for them."""
        if isinstance(one, Reach):
            return self.work.statement_work(one.node)
        if isinstance(one, Ask | AskTogether):
            return sum(self.work.listing_work(offer.action) for offer in one.offers)
        if isinstance(one, FillSheets):
            scores = self.bench.scores
            lines = [line.value for number in one.scores for line in scores[number].lines]
            return self.bench.players * sum(map(self.work.work_of, lines))
        if isinstance(one, NoteFigures):
            return sum(self.work.declaration_work(figure.declaration) for figure in one.figures)
        return 0


# ---- plan


ROOM = 1 << 16  # bytes of a position; what only lasts for a moment comes after it
MOST_ROOM = 1 << 22
LEFT = "left-to-reference"  # no fault of the rules: here machine code says that the reference must go on
MOST_SCRATCH = 1 << 24
MOST_KINDS_IN_A_SET = 256
HEAP = 1 << 15  # numbers in lists that stand for one value each, at one moment


@frozen(eq=False)
class Store:
    """How the contents of a zone, or of a box, lie in a position.

    `bits`: one bit a kind; `counts`: a number a kind; `row`: one after the other;
    `bag`: a pile that was shuffled, of `inner` bits or counts, with what is known to lie under and on it.
    """

    shape: str
    name: str
    kinds: Kinds
    amount: int  # instances
    capacity: int  # what it can hold at most
    is_limited: bool
    members: Field | None = None  # bits, counts
    size: Field | None = None  # of counts
    items: Field | None = None
    length: Field | None = None
    bottom: Store | None = None
    inner: Store | None = None
    top: Store | None = None
    sort_key: tuple[Any, ...] | None = None
    origin: str = "set"
    is_mixed: bool = False  # the part of a pile of which the order is not known

    @property
    def set_type(self) -> str:
        return set_type(len(self.kinds))


@define(eq=False)
class Plan:
    table: Table
    fields: dict[str, Field] = field(factory=dict)
    size: int = 0
    room: int = ROOM
    scratch_end: int = field(init=False)
    starts: dict[int, int] = field(factory=dict)  # byte -> value, where a position does not begin with zeroes
    constants: dict[tuple[Any, ...], Constants] = field(factory=dict)
    functions: list[Function] = field(factory=list)
    made: dict[Any, Any] = field(factory=dict)  # what is written once, by what it is
    stores: dict[int, Store] = field(factory=dict)  # by id of the zone's or the components' declaration
    variables: dict[int, Field] = field(factory=dict)
    streams: dict[str, int] = field(factory=dict)
    has_one_stream: bool = False  # all chance is that of who thinks
    lines_of_boards: dict[int, Any] = field(factory=dict)  # id(binder) -> its lines as sets of places, what is asked
    lists_written: int = 0  # how often a list has been put into the heap, in the lines so far
    luck: Any = None  # who answers for chance and players, where it is not each source's own stream
    faults: list[tuple[str, Located]] = field(factory=list)
    fixed_names: dict[int, Field] = field(factory=dict)  # choices, `each`, `as`: by id of their node
    lists: dict[int, Any] = field(factory=dict)  # those of them that are lists: how they lie there
    names: int = 0
    expression: Callable[[Scope, Operand], Value] = field(init=False)
    collection: Callable[[Scope, Operand], Any] = field(init=False)
    work: Field | None = None  # where loops are counted, when they must be
    keeps_places: bool = False  # it stops between questions, too: where components lie that are followed belongs to it
    _costs: Costs | None = field(init=False, default=None)
    fraction: Callable[[Scope, Operand], Value] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.scratch_end = self.room

    @property
    def bench(self) -> Workbench:
        return self.table.bench

    @property
    def costs(self) -> Costs:
        if self._costs is None:
            self._costs = Costs(self.table)
        return self._costs

    # ---- fields

    def add_field(self, name: str, bits: int, amount: int = 1, start: int = 0) -> Field:
        step = max(bits // 8, 1)
        at = align_offset(self.size, step)
        self.size = at + step * max(amount, 1)
        if self.size > self.room - 64:
            raise CannotCompile(message("a position would need too much memory"))
        found = self.place_field(name, bits, amount, at)
        if start:
            for number_ in range(amount):
                self.set_start(found, number_, start)
        return found

    def add_scratch(self, name: str, bits: int, amount: int = 1) -> Field:
        """Room that is no part of a position."""
        step = max(bits // 8, 1)
        at = align_offset(self.scratch_end, step)
        self.scratch_end = at + step * max(amount, 1)
        if self.scratch_end > self.room + MOST_SCRATCH:
            raise CannotCompile(message("working this out would need too much memory"))
        return self.place_field(name, bits, amount, at)

    def place_field(self, name: str, bits: int, amount: int, at: int) -> Field:
        unique = name if name not in self.fields else f"{name}.{len(self.fields)}"
        found = self.fields[unique] = Field(unique, bits, max(amount, 1), at)
        return found

    def set_start(self, place: Field, index: int, value: int) -> None:
        step = place.bits // 8
        data = (value & ((1 << place.bits) - 1)).to_bytes(step, "little")
        for offset, byte in enumerate(data):
            self.starts[place.at + index * step + offset] = byte

    def start_value(self, place: Field) -> int:
        """What the first of a field's values is at the beginning."""
        step = max(place.bits // 8, 1)
        data = bytes(self.starts.get(place.at + offset, 0) for offset in range(step))
        return int.from_bytes(data, "little", signed=True)

    def add_number_field(self, name: str, low: int, high: int, amount: int = 1, start: int = 0) -> Field:
        """A field just wide enough."""
        for bits in (8, 16, 32, 64):
            if -(1 << (bits - 1)) <= low and high < 1 << (bits - 1):
                return self.add_field(name, bits, amount, start)
        raise CannotCompile(message("the numbers of `{name}` are too large", name=name))

    def add_value_field(self, name: str, amount: int = 1, start: int = NOTHING) -> Field:
        """A field for any single value, or nothing."""
        return self.add_field(name, 32, amount, start)

    @property
    def heap(self) -> tuple[Field, Field]:
        """Lists that stand for one value each, and how much of their room is taken."""
        if "heap" not in self.made:
            self.made["heap"] = self.add_scratch("lists", 64, HEAP), self.add_scratch("lists end", 64)
        found: tuple[Field, Field] = self.made["heap"]
        return found

    # ---- functions, tables

    def new_function(self, name: str, parameters: tuple[str, ...], gives: str | None) -> Function:
        self.names += 1
        return Function(f"{name}#{self.names}", parameters, gives)

    def add_function(self, function: Function, lines: Lines) -> Function:
        function.body = lines.lines
        self.functions.append(function)
        return function

    def add_constants(self, name: str, values: tuple[int, ...], kind: str = NUMBER) -> Constants:
        values = tuple(int(one) for one in values)
        if all(0 <= one < 1 << 64 for one in values):  # the last bit of a set is the sign of a number
            values = tuple(one - (1 << 64) if one >> 63 else one for one in values)
        key = (kind, values)
        if key not in self.constants:
            self.names += 1
            if kind == NUMBER:
                bits = next((b for b in (8, 16, 32, 64) if all(-(1 << (b - 1)) <= v < 1 << (b - 1) for v in values)), 0)
                if not bits:
                    raise CannotCompile(message("the numbers of `{name}` are too large", name=name))
                self.constants[key] = Constants(f"{name}#{self.names}", bits, values)
            else:
                self.constants[key] = Constants(f"set {name}#{self.names}", bit_width(kind), values)
        return self.constants[key]

    def stream_number(self, source: str) -> int:
        return self.streams.setdefault(source, len(self.streams))

    def add_fault(self, code: str, node: Located) -> int:
        self.faults.append((code, node))
        return len(self.faults)


def plan_layout(table: Table, lay_out: Callable[[Plan], None]) -> Plan:
    """What is laid out first, in as much room as it needs: a large position has its scratch farther away."""
    plan = Plan(table, room=MOST_ROOM)
    lay_out(plan)
    if plan.size <= ROOM // 4:
        plan = Plan(table)
        lay_out(plan)
    if plan.costs.is_counted:
        plan.work = plan.add_scratch("work", 64)
    return plan


def align_offset(at: int, step: int) -> int:
    align = min(step, 8)
    return (at + align - 1) // align * align


@define(eq=False)
class Scope:
    """Where an expression is being written: the lines, whose `player` it is, what the names mean."""

    plan: Plan
    lines: Lines
    player: Value
    names: dict[int, Value] = field(factory=dict)
    elements: list[tuple[int, Value, Any]] = field(factory=list)  # (id of the binder, value, kinds or None)
    spots: dict[int, Value] = field(factory=dict)  # where the component lies that a binder or parameter means
    sets: dict[int, Any] = field(factory=dict)  # the collections that binders and parameters stand for

    @property
    def bench(self) -> Workbench:
        return self.plan.bench

    def lower_value(self, node: Operand) -> Value:
        """What an expression gives, written here."""
        return self.plan.expression(self, node)

    def lower_condition(self, node: Operand) -> Value:
        return as_truth(self.lower_value(node))

    def lower_needed(self, node: Operand) -> Value:
        """A number, where `nothing` would be a fault."""
        return require_present(self, as_number(self.lower_value(node)), node)

    def lower_exact(self, node: Operand) -> Value:
        """A number to be compared or added up: one that may be a fraction, so many times that it is whole."""
        return self.plan.fraction(self, node)

    def lower_collection(self, node: Operand) -> Any:
        """The collection that an expression means."""
        return self.plan.collection(self, node)

    def emit_fault(self, code: str, node: Located) -> None:
        """Noted; the game is played again by the reference, which tells the story."""
        place = self.plan.fields["fault"]
        self.lines.store(place, number(self.plan.add_fault(code, node)))

    def emit_fault_if(self, test: Value, code: str, node: Located) -> None:
        if test.op == "const" and not test.extra:
            return
        with self.lines.when(test):
            self.emit_fault(code, node)

    def for_player(self, player: Value) -> Scope:
        return Scope(self.plan, self.lines, player, self.names, self.elements, self.spots, self.sets)

    def inner_scope(self) -> Scope:
        return self.copy_at(self)

    def copy_at(self, now: Scope) -> Scope:
        """What the names mean here, for lines that are written elsewhere."""
        names, spots, sets = dict(self.names), dict(self.spots), dict(self.sets)
        return Scope(now.plan, now.lines, self.player, names, list(self.elements), spots, sets)

    @contextmanager
    def element(self, node: object, value: Value) -> Iterator[None]:
        had = self.names.get(id(node))
        self.names[id(node)] = value
        self.elements.append((id(node), value, None))
        try:
            yield
        finally:
            self.elements.pop()
            if had is None:
                del self.names[id(node)]
            else:
                self.names[id(node)] = had


def type_bounds(plan: Plan, found: Type | None) -> tuple[int | None, int | None]:
    """What a type says of the number that stands for its value."""
    match found:
        case NumberOf(low, high):  # the checker does not look beyond its limit
            return (low, high) if low > -LIMIT and high < LIMIT else (None, None)
        case TruthOf():
            return 0, 1
        case PlayerOf():
            return 1, plan.bench.players
        case WordOf(_, words):
            return 0, len(words) - 1
        case ComponentOf(kind):
            kinds = plan.bench.kinds_called(kind)
            return 0, max(len(kinds) - 1, 0)
        case _:
            return None, None


def require_present(scope: Scope, value: Value, node: Operand, code: str = "nothing-used") -> Value:
    """The value, where `nothing` would be a fault."""
    found = scope.bench.type_of(node)
    if not isinstance(found, OptionalOf):
        return value
    low, high = type_bounds(scope.plan, found.item)
    value = scope.lines.bind(as_number(value))
    missing = compare("=", value, number(NOTHING))
    if missing.op == "const" and not missing.extra:
        return value
    scope.emit_fault_if(missing, code, node)
    safe = Value("select", NUMBER, (missing, number(low or 0), value))
    return scope.lines.bind(narrow(safe, low, high))


def position_function(
    plan: Plan, key: Any, name: str, parameters: tuple[str, ...], gives: str | None,
    write: Callable[[Scope, list[Value]], Value | None],
) -> Function:
    """A function of the position, written once; its first parameter is always whose it is."""
    if key not in plan.made:
        function = plan.made[key] = plan.new_function(name, ("player", *parameters), gives)
        lines = Lines(work=plan.work)
        scope = Scope(plan, lines, local("player", NUMBER, 1, plan.bench.players))
        value = free_lists_after(scope, lambda: write(scope, [local(one) for one in parameters]))
        lines.emit("return", *([value] if value is not None else []))
        plan.add_function(function, lines)
    found: Function = plan.made[key]
    return found


def free_lists_after(scope: Scope, write: Callable[[], Value | None]) -> Value | None:
    """A single value; the lists that it was worked out of are forgotten."""
    plan, lines = scope.plan, scope.lines
    before, own, at = plan.lists_written, lines.lines, len(lines.lines)
    value = write()
    if plan.lists_written == before:
        return value
    _, end = plan.heap
    mark = lines.fresh_name("mark")
    value = lines.bind(value) if value is not None else None
    own.insert(min(at, len(own)), Line("set", (lines.load(end),), mark))
    lines.store(end, local(mark))
    return value


def call_for_player(
    function: Function, scope: Scope, *args: Value, low: int | None = None, high: int | None = None
) -> Value:
    return call(function, scope.player, *args, low=low, high=high)


def limit_magnitude(scope: Scope, value: Value, limit: int, node: Located) -> Value:
    """Where a number might outgrow a word of the machine, a game in which it does is left to the reference."""
    if value.low is not None and value.high is not None and -limit <= value.low and value.high <= limit:
        return value
    lines = scope.lines
    value = lines.bind(value)
    beyond = logic("or", compare("<", value, number(-limit)), compare(">", value, number(limit)))
    scope.emit_fault_if(beyond, LEFT, node)
    return lines.bind(narrow(Value("select", NUMBER, (beyond, number(0), value)), -limit, limit))
