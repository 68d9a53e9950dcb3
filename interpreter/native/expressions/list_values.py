"""A list where one value is needed: among other lists, as a parameter, as the better of two. Takes expressions that
give several values, gives a number that stands for the list: where it lies, and how long it is.

Lists lie one after the other in a heap beside the position, for as long as the value that is worked out of them; what
does not fit is left to the reference.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import BuiltinMeaning, ItMeaning
from rulesrun.dsl.typing.types import CollectionOf, OrderOf, Type
from rulesrun.interpreter.form.form import NO, NUMBER, TRUTH, YES, CannotCompile, X, as_number, both, compare, number
from rulesrun.interpreter.model.places import room_meant
from rulesrun.interpreter.native.expressions.collections import Body, Listed, Several
from rulesrun.interpreter.native.layout.plan import HEAP, LEFT, Scope, position_function

LONGEST = 1 << 10  # of one list
LENGTHS = 1 << 20  # how a list is told by one number: its place, then its length


ONE_OF = {"top", "bottom", "first", "last", "highest", "lowest"}

NUMBERED = "number the lists, and have a definition say what each of them is"


# ---- types


def depth(found: Type | None) -> int:
    """How many times a value is a list of something: 0 for a single one."""
    return 1 + depth(found.item) if isinstance(found, (CollectionOf, OrderOf)) else 0


def depth_of(scope: Scope, node: ast.Expr) -> int:
    found = depth(scope.bench.type_of(node))
    return max(found, 1) if isinstance(node, (ast.SetOf, ast.Range)) else found


def is_told_by_one(scope: Scope, node: ast.Expr) -> bool:
    """Whether a list comes as one value of others: from among lists, from a register, from a table."""
    meaning = scope.bench.meaning(node) if isinstance(node, ast.Name) else None
    match node:
        case ast.IfElse() | ast.Item() | ast.Best(word="the") | ast.Aggregate(word="highest" | "lowest"):
            return True
        case ast.Name():
            if isinstance(meaning, ast.Choice):
                return meaning.count is None
            return isinstance(meaning, (ast.Parameter, ast.Each, ItMeaning))
        case ast.Index():
            return room_meant(scope.bench, node) is None
        case ast.Call(name):
            return isinstance(scope.bench.meaning(name), ast.Table)
        case ast.Of(ast.Name() as subject):
            word = scope.bench.meaning(subject)
            return isinstance(word, BuiltinMeaning) and word.name in ONE_OF
        case _:
            return False


def refuse_lists(scope: Scope, node: ast.Expr, what: str) -> None:
    """Where a list of lists would have to be kept while the game goes on."""
    if depth_of(scope, node) > 1:
        raise CannotCompile(f"{what} keeps lists of lists", node, NUMBERED)


# ---- the heap


def put_down(scope: Scope, found: Listed) -> X:
    """A copy in the heap, and the number that stands for it."""
    return put_down_items(scope, found.amount, lambda at: scope.lines.load(found.items, at))


def put_down_items(scope: Scope, many: X, item: Callable[[X], X]) -> X:
    plan, lines = scope.plan, scope.lines
    plan.lists_written += 1
    heap, end = plan.heap
    first, amount = lines.kept(lines.load(end)), lines.variable(many, "n")
    too_long = compare(">", amount, number(LONGEST))
    no_room = compare(">", both("add", first, amount), number(HEAP))
    with lines.when(X("or", TRUTH, (too_long, no_room))):
        lines.store(plan.fields["fault"], number(plan.fault_number(LEFT, plan.bench.program.game)))
        lines.set(amount, number(0))
    last = both("sub", amount, number(1))
    lines.count_through(number(0), last, lambda at: lines.store(heap, item(at), both("add", first, at)))
    lines.store(end, lines.kept(both("add", first, amount)))
    return lines.kept(both("add", both("mul", first, number(LENGTHS)), amount), "list")


@define(eq=False)
class Kept(Several):
    """The list for which a number stands."""

    place: X

    def length(self) -> X:
        return X("and", NUMBER, (self.place, number(LENGTHS - 1)), None, 0, LONGEST)

    def at(self, scope: Scope, place: X) -> X:
        heap, _ = scope.plan.heap
        return scope.lines.load(heap, both("add", both("div", self.place, number(LENGTHS)), place))

    def each(self, scope: Scope, body: Body) -> None:
        last = both("sub", self.length(), number(1))
        scope.lines.count_through(number(0), last, lambda at: body(scope.lines.kept(self.at(scope, at))))

    def size(self, scope: Scope) -> X:
        return self.length()


def kept_list(scope: Scope, place: X) -> Kept:
    return Kept(scope.lines.kept(as_number(place)), limit=LONGEST)


# ---- comparing


def order_of_two(scope: Scope, levels: int, one: X, other: X) -> X:
    """-1, 0 or 1: for single values, or lists element by element."""
    if levels == 0:
        less, more = as_number(compare("<", one, other)), as_number(compare(">", one, other))
        return both("sub", more, less)
    function = position_function(
        scope.plan, ("compare lists", levels), f"compare lists {levels}", ("one", "other"), NUMBER,
        lambda inner, given: compared(inner, levels, kept_list(inner, given[0]), kept_list(inner, given[1])),
    )
    return scope.lines.kept(X("call", NUMBER, (scope.player, one, other), function, -1, 1))


def compared(scope: Scope, levels: int, one: Kept, other: Kept) -> X:
    """A shorter one that agrees so far comes first."""
    lines = scope.lines
    found, at = lines.variable(number(0), "f"), lines.variable(number(0), "i")
    length, others = lines.kept(one.length()), lines.kept(other.length())
    with lines.loop() as over:
        lines.leave(over, X(">=", TRUTH, (at, both("min", length, others))))
        mine, theirs = lines.kept(one.at(scope, at)), lines.kept(other.at(scope, at))
        lines.set(found, order_of_two(scope, levels - 1, mine, theirs))
        lines.leave(over, compare("is not", found, number(0)))
        lines.add_to(at, number(1))
    with lines.when(compare("=", found, number(0))):
        lines.set(found, order_of_two(scope, 0, length, others))
    return found


def are_same(scope: Scope, levels: int, one: X, other: X) -> X:
    if levels == 0:
        return compare("=", one, other)
    return compare("=", order_of_two(scope, levels, one, other), number(0))


def is_better(scope: Scope, levels: int, direction: str, one: X, other: X) -> X:
    op = ">" if direction == "highest" else "<"
    if levels == 0:
        return compare(op, one, other)
    return compare(op, order_of_two(scope, levels, one, other), number(0))


def is_among(scope: Scope, levels: int, collection: Several, item: X) -> X:
    """Whether one of several lists is like this one."""
    lines = scope.lines
    found, item = lines.variable(NO, "f"), lines.kept(item)
    with lines.block() as done:

        def look(one: X) -> None:
            with lines.when(are_same(scope, levels, lines.kept(as_number(one)), item)):
                lines.set(found, YES)
                lines.leave(done)

        collection.each(scope, look)
    return found
