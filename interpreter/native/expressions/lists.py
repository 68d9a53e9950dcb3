"""Values put down one after the other: the k-th of several, lists made, sorted and compared."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.types import CollectionOf, OrderOf, Type
from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    TRUTH,
    YES,
    CannotCompile,
    Field,
    Value,
    as_number,
    binary,
    compare,
    logic,
    narrow,
    number,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import CaseLookup, Element, EndOf, Fold, ItemAt, Operand, Register
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.native.expressions.collections import (
    Body,
    Collection,
    ConstantValues,
    OrderValues,
    ValueList,
    ZoneContents,
)
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import HEAP, LEFT, Scope, position_function

# ---- list values
# A list where one value is needed: among other lists, as a parameter, as the better of two. Takes expressions that
# give several values, gives a number that stands for the list: where it lies, and how long it is.
#
# Lists lie one after the other in a heap beside the position, for as long as the value that is worked out of them;
# what does not fit is left to the reference.


LONGEST = 1 << 10  # of one list
LENGTHS = 1 << 20  # how a list is told by one number: its place, then its length


NUMBERED = "number the lists, and have a definition say what each of them is"


# ---- types


def list_depth(found: Type | None) -> int:
    """How many times a value is a list of something: 0 for a single one."""
    return 1 + list_depth(found.item) if isinstance(found, (CollectionOf, OrderOf)) else 0


def list_depth_of(scope: Scope, node: Operand) -> int:
    found = list_depth(scope.bench.type_of(node))
    return found or int(isinstance(lower_expression(scope.bench, node), core.SetOf | core.Range))


def is_list_handle(scope: Scope, node: Operand) -> bool:
    """Whether a list comes as one value of others: from among lists, from a register, from a table."""
    match lower_expression(scope.bench, node):
        case core.IfElse() | core.Best(word="the") | core.Aggregate(word="highest" | "lowest"):
            return True
        case ItemAt() | EndOf() | Fold(word="highest" | "lowest") | CaseLookup():
            return True
        case Register(_, core.Choice() as choice):
            return choice.count is None
        case Register(_, binder) | Element(_, binder):
            return isinstance(binder, core.Parameter | core.Each | core.FilterBinder)
        case _:
            return False


def refuse_nested_lists(scope: Scope, node: Operand, what: str) -> None:
    """Where a list of lists would have to be kept while the game goes on."""
    if list_depth_of(scope, node) > 1:
        raise CannotCompile(message("{what} keeps lists of lists", what=what), node, NUMBERED)


# ---- the heap


def store_list(scope: Scope, found: ValueList) -> Value:
    """A copy in the heap, and the number that stands for it."""
    return put_down_items(scope, found.amount, lambda at: scope.lines.load(found.items, at))


def put_down_items(scope: Scope, many: Value, item: Callable[[Value], Value]) -> Value:
    plan, lines = scope.plan, scope.lines
    plan.lists_written += 1
    heap, end = plan.heap
    first, amount = lines.bind(lines.load(end)), lines.variable(many, "n")
    too_long = compare(">", amount, number(LONGEST))
    no_room = compare(">", binary("add", first, amount), number(HEAP))
    with lines.when(Value("or", TRUTH, (too_long, no_room))):
        lines.store(plan.fields["fault"], number(plan.add_fault(LEFT, plan.bench.program.game)))
        lines.set(amount, number(0))
    last = binary("sub", amount, number(1))
    lines.for_range(number(0), last, lambda at: lines.store(heap, item(at), binary("add", first, at)))
    lines.store(end, lines.bind(binary("add", first, amount)))
    return lines.bind(binary("add", binary("mul", first, number(LENGTHS)), amount), "list")


@define(eq=False)
class HeapList(Collection):
    """The list for which a number stands."""

    place: Value

    def length(self) -> Value:
        return Value("and", NUMBER, (self.place, number(LENGTHS - 1)), None, 0, LONGEST)

    def item_at(self, scope: Scope, place: Value) -> Value:
        heap, _ = scope.plan.heap
        return scope.lines.load(heap, binary("add", binary("div", self.place, number(LENGTHS)), place))

    def for_each(self, scope: Scope, body: Body) -> None:
        last = binary("sub", self.length(), number(1))
        scope.lines.for_range(number(0), last, lambda at: body(scope.lines.bind(self.item_at(scope, at))))

    def size(self, scope: Scope) -> Value:
        return self.length()


def heap_list(scope: Scope, place: Value) -> HeapList:
    return HeapList(scope.lines.bind(as_number(place)), limit=LONGEST)


# ---- comparing


def compare_values(scope: Scope, levels: int, one: Value, other: Value) -> Value:
    """-1, 0 or 1: for single values, or lists element by element."""
    if levels == 0:
        less, more = as_number(compare("<", one, other)), as_number(compare(">", one, other))
        return binary("sub", more, less)
    function = position_function(
        scope.plan, ("compare lists", levels), f"compare lists {levels}", ("one", "other"), NUMBER,
        lambda inner, given: compare_heap_lists(inner, levels, heap_list(inner, given[0]), heap_list(inner, given[1])),
    )
    return scope.lines.bind(Value("call", NUMBER, (scope.player, one, other), function, -1, 1))


def compare_heap_lists(scope: Scope, levels: int, one: HeapList, other: HeapList) -> Value:
    """A shorter one that agrees so far comes first."""
    lines = scope.lines
    found, at = lines.variable(number(0), "f"), lines.variable(number(0), "i")
    length, others = lines.bind(one.length()), lines.bind(other.length())
    with lines.loop() as over:
        lines.leave(over, Value(">=", TRUTH, (at, binary("min", length, others))))
        mine, theirs = lines.bind(one.item_at(scope, at)), lines.bind(other.item_at(scope, at))
        lines.set(found, compare_values(scope, levels - 1, mine, theirs))
        lines.leave(over, compare("is not", found, number(0)))
        lines.add_to(at, number(1))
    with lines.when(compare("=", found, number(0))):
        lines.set(found, compare_values(scope, 0, length, others))
    return found


def are_equal(scope: Scope, levels: int, one: Value, other: Value) -> Value:
    if levels == 0:
        return compare("=", one, other)
    return compare("=", compare_values(scope, levels, one, other), number(0))


def is_better(scope: Scope, levels: int, direction: str, one: Value, other: Value) -> Value:
    op = ">" if direction == "highest" else "<"
    if levels == 0:
        return compare(op, one, other)
    return compare(op, compare_values(scope, levels, one, other), number(0))


def contains_list(scope: Scope, levels: int, collection: Collection, item: Value) -> Value:
    """Whether one of several lists is like this one."""
    lines = scope.lines
    found, item = lines.variable(NO, "f"), lines.bind(item)
    with lines.block() as done:

        def visit(one: Value) -> None:
            with lines.when(are_equal(scope, levels, lines.bind(as_number(one)), item)):
                lines.set(found, YES)
                lines.leave(done)

        collection.for_each(scope, visit)
    return found


# ---- lists


MOST_LISTED = 1 << 17


def lower_item_at(scope: Scope, several: Collection, place: Value, node: Located) -> Value:
    """The k-th, from 1; a fault when there are not so many."""
    lines = scope.lines
    place, size = lines.bind(place), lines.bind(several.size(scope))
    wrong = logic("or", compare("<", place, number(1)), compare(">", place, size))
    scope.emit_fault_if(wrong, "no-such-item", node)
    at = lines.bind(
        narrow(Value("select", NUMBER, (wrong, number(0), binary("sub", place, number(1)))), 0, several.limit)
    )
    if isinstance(several, ConstantValues):
        return lines.look_up(scope.plan.add_constants("items", several.values), at) if several.values else number(0)
    if isinstance(several, (ValueList, OrderValues)):
        return lines.bind(several.item_at(scope, at))
    if isinstance(several, ZoneContents) and several.store.shape == "row":
        return lines.bind(containers.item_at(scope, several.store, several.index, at))
    return find_by_counting(scope, several, at)


def find_by_counting(scope: Scope, several: Collection, at: Value) -> Value:
    lines = scope.lines
    found, left = lines.variable(number(0), "f"), lines.variable(at, "n")
    with lines.block() as done:
        def visit(one: Value) -> None:
            with lines.when(compare("=", left, number(0))):
                lines.set(found, as_number(one))
                lines.leave(done)
            lines.add_to(left, number(-1))

        several.for_each(scope, visit)
    return found


def list_scratch(scope: Scope, limit: int) -> Field:
    """Room for so many values, for a moment."""
    if limit > MOST_LISTED:
        raise CannotCompile(message("too many values would have to be kept at once"))
    scope.plan.names += 1
    return scope.plan.add_scratch(f"list {scope.plan.names}", 64, limit + 1)


def collect_values(scope: Scope, several: Collection, value: Callable[[Value], Value] = lambda one: one) -> ValueList:
    """Put down one after the other, as they are now."""
    if isinstance(several, ValueList) and several.low is not None and value is None:
        return several
    lines, items = scope.lines, list_scratch(scope, several.limit)
    amount = lines.variable(number(0), "n")

    def note(one: Value) -> None:
        lines.store(items, as_number(value(one)), amount)
        lines.add_to(amount, number(1))

    several.for_each(scope, note)
    return ValueList(items, amount, limit=several.limit)


def sort_list(
    scope: Scope, values: ValueList, keys: ValueList | None = None, reverse: bool = False, levels: int = 0,
    beside: tuple[ValueList, ...] = (),
) -> None:
    """Sorted in place, lowest first (or highest first); equal ones stay in their order. `levels`: how many times what
    it is sorted by is a list. What stands `beside` goes with them."""
    lines = scope.lines
    by = keys or values
    moved = [by.items] if keys is None else [keys.items, values.items]
    moved += [one.items for one in beside]
    at = lines.variable(number(1), "i")
    with lines.loop() as done:
        lines.leave(done, Value(">=", TRUTH, (at, values.amount)))
        now = [lines.bind(lines.load(place, at)) for place in moved]
        to = lines.variable(at, "j")
        with lines.loop() as found:
            lines.leave(found, Value("<=", TRUTH, (to, number(0))))
            before = lines.bind(binary("sub", to, number(1)))
            there = lines.load(by.items, before)
            order = compare_values(scope, levels, there, now[0]) if levels else there
            limit = number(0) if levels else now[0]
            lines.leave(found, Value(">=" if reverse else "<=", TRUTH, (order, limit)))
            for place in moved:
                lines.store(place, lines.load(place, before), to)
            lines.set(to, before)
        for place, value in zip(moved, now, strict=True):
            lines.store(place, value, to)
        lines.add_to(at, number(1))


def compare_lists(scope: Scope, left: ValueList, right: ValueList) -> Value:
    """-1, 0 or 1: element by element; a shorter one that agrees so far comes first."""
    lines = scope.lines
    found, at = lines.variable(number(0), "f"), lines.variable(number(0), "i")
    with lines.block() as done, lines.loop() as over:
        lines.leave(over, Value(">=", TRUTH, (at, binary("min", left.amount, right.amount))))
        one, other = lines.bind(left.item_at(scope, at)), lines.bind(right.item_at(scope, at))
        for op, value in (("<", -1), (">", 1)):
            with lines.when(compare(op, one, other)):
                lines.set(found, number(value))
                lines.leave(done)
        lines.add_to(at, number(1))
    undecided = compare("=", found, number(0))
    for op, value in (("<", -1), (">", 1)):
        with lines.when(logic("and", undecided, compare(op, left.amount, right.amount))):
            lines.set(found, number(value))
    return found


# ---- several, from lists


@define(eq=False)
class DistinctValues(Collection):
    """Of a list every value once, where it comes first."""

    base: ValueList
    levels: int  # how many times each is a list of lists

    def for_each(self, scope: Scope, body: Body) -> None:
        lines, base = scope.lines, self.base

        def visit(at: Value) -> None:
            at = lines.bind(at)
            value, is_new = lines.bind(base.item_at(scope, at)), lines.variable(YES, "f")

            def hold(earlier: Value) -> None:
                with lines.when(are_equal(scope, self.levels, base.item_at(scope, earlier), value)):
                    lines.set(is_new, NO)

            lines.for_range(number(0), binary("sub", at, number(1)), hold)
            with lines.when(is_new):
                body(value)

        lines.for_range(number(0), binary("sub", base.amount, number(1)), visit)


@define(eq=False)
class AllCopies(Collection):
    """Every kind of others as often as it is there."""

    base: Collection
    copies: tuple[int, ...]

    def for_each(self, scope: Scope, body: Body) -> None:
        table = scope.plan.add_constants("copies", self.copies)

        def of_kind(kind: Value) -> None:
            kind = scope.lines.bind(kind)
            amount = scope.lines.bind(scope.lines.look_up(table, kind))
            scope.lines.for_range(number(1), amount, lambda _: body(kind))

        self.base.for_each(scope, of_kind)
