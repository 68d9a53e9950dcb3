"""What is asked of the places of a board, in machine code: tables with a set of places, one bit each, for every place.

Takes operations of the core, gives sets of places; writes what it needs. A board that is too large for sets is played
by the reference.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from attrs import define

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import OptionalOf
from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    YES,
    CannotCompile,
    Constants,
    Value,
    as_number,
    binary,
    combine_sets,
    constant_set,
    invert,
    is_empty,
    narrow,
    number,
    set_difference,
    set_type,
    singleton,
)
from rulesrun.interpreter.form.lines import narrow_to_kinds
from rulesrun.interpreter.model import boards, core
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core import (
    Connected,
    Distance,
    Element,
    Lines,
    Operand,
    PlacesBetween,
    PlacesNear,
    Register,
)
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.native.expressions import lists
from rulesrun.interpreter.native.expressions.collections import Body, Collection, ComponentSet
from rulesrun.interpreter.native.layout.plan import MOST_KINDS_IN_A_SET, Scope, require_present


def lower_place(scope: Scope, board: Kinds, node: Operand) -> Value:
    """A place; `nothing` is a fault."""
    value = as_number(scope.lower_value(node))
    if isinstance(scope.bench.type_of(node), OptionalOf):
        value = require_present(scope, value, node)
    return scope.lines.bind(narrow(value, 0, len(board) - 1))


def lower_pair(scope: Scope, board: Kinds, one: Operand, other: Operand) -> Value:
    first, second = lower_place(scope, board, one), lower_place(scope, board, other)
    return scope.lines.bind(binary("add", binary("mul", first, number(len(board))), second))


def lower_distance(scope: Scope, asked: Distance) -> Value:
    board = asked.board
    steps = tuple(step for row in boards.list_distances(board) for step in row)
    return scope.lines.look_up(scope.plan.add_constants("distance", steps),
                               lower_pair(scope, board, asked.start, asked.end))  # fmt: skip


# ---- sets of places


def add_sets(scope: Scope, board: Kinds, name: str, sets: Iterable[Iterable[int]]) -> Constants:
    if len(board) > MOST_KINDS_IN_A_SET:
        raise CannotCompile(message("a board has more than {most} places", most=MOST_KINDS_IN_A_SET))
    bits = tuple(sum(1 << place for place in places) for places in sets)
    return scope.plan.add_constants(name, bits, set_type(len(board)))


def place_set(scope: Scope, board: Kinds, value: Value, most: int) -> ComponentSet:
    bits = set_type(len(board))
    return ComponentSet(scope.lines.bind(value, "m"), len(board), limit=most, set_type=bits)


def lower_places_near(scope: Scope, asked: PlacesNear) -> ComponentSet:
    board, near = asked.board, boards.list_near(asked.board, asked.what, asked.steps)
    table = add_sets(scope, board, asked.what, near)
    at = lower_place(scope, board, asked.place)
    return place_set(scope, board, scope.lines.look_up(table, at), max(map(len, near), default=0))


def lower_places_between(scope: Scope, asked: PlacesBetween) -> ComponentSet:
    board = asked.board
    known, everywhere = boards.list_between(board), range(len(board))
    inner = (known.get((one, other), ()) for one, other in product(everywhere, everywhere))
    table = add_sets(scope, board, "between", inner)
    at = lower_pair(scope, board, asked.one, asked.other)
    return place_set(scope, board, scope.lines.look_up(table, at), max(map(len, known.values()), default=0))


def collect_places(scope: Scope, board: Kinds, node: Operand) -> Value:
    """All of several places as a set."""
    lines, bits = scope.lines, set_type(len(board))
    several = scope.lower_collection(node)
    known = several.members(scope)
    if known is not None and known.type == bits:
        return lines.bind(known, "m")
    found = lines.variable(constant_set(bits, 0), "m")
    several.for_each(scope, lambda one: lines.set(found, combine_sets("or", found, singleton(bits, as_number(one)))))
    return lines.bind(found, "m")


def lower_connected(scope: Scope, asked: Connected) -> ComponentSet:
    """Step by step from those that were reached; each is left once."""
    board, lines, bits = asked.board, scope.lines, set_type(len(asked.board))
    table = add_sets(scope, board, "neighbours", boards.list_neighbours(board))
    free = collect_places(scope, board, asked.among)
    reached = lines.variable(combine_sets("and", collect_places(scope, board, asked.start), free), "m")
    edge = lines.variable(reached, "m")
    with lines.loop() as done:
        lines.leave(done, is_empty(edge))
        one = lines.bind(narrow_to_kinds(Value("lowest", NUMBER, (edge,)), len(board)), "k")
        beside = combine_sets("and", lines.look_up(table, one), free)
        new = lines.bind(set_difference(beside, reached), "m")
        lines.set(reached, combine_sets("or", reached, new))
        lines.set(edge, combine_sets("or", Value("drop_lowest", bits, (edge,)), new))
    return place_set(scope, board, reached, len(board))


# ---- lines


def find_lines(scope: Scope, asked: Lines) -> tuple[Constants, Value, Value]:
    """A table with the lines as sets of places, and the numbers of the first and the last that is asked for."""
    board, lines = asked.board, scope.lines
    if asked.through is None:
        table = add_sets(scope, board, "lines", boards.list_lines(board, asked.length))
        return table, number(0), number(len(table.values) - 1)
    of_places = boards.list_lines_through(board, asked.length)
    table = add_sets(scope, board, "lines", (line for several in of_places for line in several))
    ends = [0]
    for several in of_places:
        ends.append(ends[-1] + len(several))
    place = lower_place(scope, board, asked.through)
    starts = scope.plan.add_constants("first line", tuple(ends))
    first = lines.bind(lines.look_up(starts, place))
    last = lines.bind(binary("sub", lines.look_up(starts, binary("add", place, number(1))), number(1)))
    return table, first, last


@define(eq=False)
class BoardLines(Collection):
    """Lines as lists of their places. A place has a number as low as it comes, so a set of them is in order."""

    table: Constants
    first: Value
    last: Value
    length: int

    def for_each(self, scope: Scope, body: Body) -> None:
        if not self.table.values:
            return

        def visit(at: Value) -> None:
            lines = scope.lines
            left = lines.variable(lines.look_up(self.table, narrow(at, 0, len(self.table.values) - 1)), "m")

            def take_lowest(_at: Value) -> Value:
                place = lines.bind(Value("lowest", NUMBER, (left,)), "k")
                lines.set(left, Value("drop_lowest", left.type, (left,)))
                return place

            body(lists.put_down_items(scope, number(self.length), take_lowest))

        scope.lines.for_range(self.first, self.last, visit)

    def size(self, scope: Scope) -> Value:
        return narrow(binary("add", binary("sub", self.last, self.first), number(1)), 0, self.limit)


def lower_lines(scope: Scope, asked: Lines) -> BoardLines:
    table, first, last = find_lines(scope, asked)
    return BoardLines(table, first, last, asked.length, limit=max(len(table.values), 1))


def lower_line_quantified(scope: Scope, asked: core.Quantified, several: core.Lines) -> Value:
    """`some line of 3 in Square has …`: a line is known by its number, and is a set of places."""
    lines = scope.lines
    table, first, last = find_lines(scope, several)
    if not table.values:
        return YES if asked.word != "some" else NO
    scope.plan.lines_of_boards[id(asked.each)] = table, several
    is_every = asked.word == "every"
    found = lines.variable(YES if is_every else NO, "q")
    with lines.block() as done:
        def visit(at: Value) -> None:
            inner = scope.inner_scope()
            inner.names[id(asked.each)] = lines.bind(narrow(at, 0, len(table.values) - 1))
            test = inner.lower_condition(asked.body)
            with lines.when(invert(test) if is_every else test):
                lines.set(found, NO if is_every else YES)
                lines.leave(done)

        lines.for_range(first, last, visit)
    return invert(found) if asked.word == "no" else found


def line_named(scope: Scope, node: Operand) -> ComponentSet | None:
    """The places of a line that is being gone through, where the expression names one."""
    match lower_expression(scope.bench, node):
        case Register(_, binder) | Element(_, binder) if id(binder) in scope.plan.lines_of_boards:
            table, asked = scope.plan.lines_of_boards[id(binder)]
            masks = scope.lines.look_up(table, scope.names[id(binder)])
            return place_set(scope, asked.board, masks, asked.length)
        case _:
            return None
