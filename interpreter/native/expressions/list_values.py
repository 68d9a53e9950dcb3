"""A list where one value is needed: among other lists, as a parameter, as the better of two. Takes expressions that
give several values, gives a number that stands for the list: where it lies, and how long it is.

Lists lie one after the other in a heap beside the position, for as long as the value that is worked out of them; what
does not fit is left to the reference.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import CollectionOf, OrderOf, Type
from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    TRUTH,
    YES,
    CannotCompile,
    Value,
    as_number,
    binary,
    compare,
    number,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import CaseLookup, Element, EndOf, Fold, ItemAt, Operand, Register
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.native.expressions.collections import Body, Collection, ValueList
from rulesrun.interpreter.native.layout.plan import HEAP, LEFT, Scope, position_function

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
