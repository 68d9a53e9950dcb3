"""Positions that fit to what a seat knows, in machine code: a prepared position, and what to put where by chance.

As `bots.consistent_deals` does it, number by number: every group of components is shuffled, or its dice thrown, then
handed out from its end; then come hidden values. What is to be put where stands in lists that are filled in once for
each observation.
"""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.interpreter.bots.consistent_deals import SWEEPS
from rulesrun.interpreter.form.form import NUMBER, Function, Value, binary, compare, narrow, number
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.memory_access import (
    FunctionWriter,
    begin_function,
    finish_function,
    narrow_to_natural,
)
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store

BIT, COUNTED, LAID = 0, 1, 4  # one bit of a set; a count a kind of 8, 16, 32 bits; a place in a row of 8, 16, 32 bits
SORTED = 8  # into the row that is kept sorted, number so many
WIDTHS = (8, 16, 32)
MOST_VALUES = 1 << 14
MOST_ROWS = 64  # places of which something is told, and one for all others


def count_components(plan: Plan) -> int:
    return sum(sum(kinds.copies) for kinds in plan.bench.kinds.values())


def count_faces(plan: Plan) -> int:
    """Of the dice with most faces; 0 where there are no dice."""
    dice = [kinds for kinds in plan.bench.kinds.values() if kinds.declaration.noun == "die"]
    return max(map(len, dice), default=0)


def lay_out_dealing(plan: Plan) -> None:
    many = count_components(plan) + 1
    for name in ("first", "size", "left", "kinds", "thrown"):
        plan.add_scratch(f"group {name}", 32, many)
    plan.add_scratch("faces left", 32, count_faces(plan) + 1)
    for name in ("shuffled", "fill what", "fill at", "fill group"):
        plan.add_scratch(name, 32, many)
    variables = sum(room.amount for room in plan.bench.variables.values()) + 1
    for name in ("value width", "value at", "value first", "value many"):
        plan.add_scratch(name, 32, variables)
    plan.add_scratch("values", 32, MOST_VALUES)
    for name in ("weighed group", "weighed at", "weight row"):
        plan.add_scratch(name, 32, many)
    plan.add_scratch("weights", 32, MOST_ROWS * count_kinds(plan))
    for name in ("groups", "fills", "hidden values", "weighed"):
        plan.add_scratch(name, 64, 1)


def count_kinds(plan: Plan) -> int:
    """Of the declaration that has most of them."""
    return max(map(len, plan.bench.kinds.values()), default=1)


def sorted_row_stores(plan: Plan) -> list[Store]:
    return [store for store in plan.stores.values() if store.shape == "row" and store.sort_key is not None]


def deal_function(plan: Plan) -> Function:
    """Fills a prepared position in."""
    function, writing = begin_function(plan, "deal", (), None)
    lines = writing.lines
    last_group = binary("sub", writing.load("groups"), number(1))
    lines.for_range(number(0), last_group, lambda group: shuffle_or_throw(writing, group))
    with lines.when(compare(">", writing.load("weighed"), number(0))):
        last = binary("sub", writing.load("weighed"), number(1))
        lines.for_range(
            number(1), number(SWEEPS),
            lambda sweep: lines.for_range(number(0), last, lambda at: exchange_component(writing, at)),
        )
    lines.for_range(number(0), binary("sub", writing.load("fills"), number(1)), lambda at: fill_gap(writing, at))
    last_value = binary("sub", writing.load("hidden values"), number(1))
    lines.for_range(number(0), last_value, lambda at: choose_hidden_value(writing, at))
    lines.emit("return")
    return finish_function(function, writing)


def shuffle_or_throw(writing: FunctionWriter, group: Value) -> None:
    lines = writing.lines
    first, size = writing.load("group first", group), writing.load("group size", group)
    writing.store("group left", size, group)
    if not count_faces(writing.plan):
        shuffle_group(writing, first, size)
        return
    thrown = writing.load("group thrown", group)
    with lines.when(compare("<", thrown, number(0))) as is_shuffled:
        shuffle_group(writing, first, size)
    with lines.otherwise(is_shuffled):
        throw_group(writing, first, size, thrown)


def throw_group(writing: FunctionWriter, first: Value, size: Value, thrown: Value) -> None:
    """The faces that come, from the end; before them those that the box keeps."""
    lines, last_face = writing.lines, number(count_faces(writing.plan) - 1)
    lines.for_range(number(0), last_face, lambda face: writing.store("faces left", number(0), face))
    end = lines.bind(binary("sub", binary("add", first, size), number(1)))
    at = lines.variable(end, "i")

    def count_face(at: Value) -> None:
        writing.add_to("faces left", number(1), narrow_to_natural(writing.load("group kinds", at)))

    def lay_face(face: Value) -> None:
        writing.store("shuffled", face, at)
        lines.add_to(at, number(-1))

    lines.for_range(first, end, count_face)
    lines.for_range(number(1), thrown, lambda die: lay_face(draw_face(writing, last_face)))
    lines.for_range(number(0), last_face, lambda face: lines.for_range(
        number(1), writing.load("faces left", face), lambda one: lay_face(face)
    ))


def draw_face(writing: FunctionWriter, last_face: Value) -> Value:
    """One of those that are left, each as likely."""
    lines = writing.lines
    possible, drawn = lines.variable(number(0), "n"), lines.variable(number(0), "k")

    def for_each_left(body: Callable[[Value], None]) -> None:
        def visit(face: Value) -> None:
            with lines.when(compare(">", writing.load("faces left", face), number(0))):
                body(face)

        lines.for_range(number(0), last_face, visit)

    for_each_left(lambda face: lines.add_to(possible, number(1)))
    before = lines.variable(writing.random_below(possible), "n")
    with lines.block() as found:

        def stop_at(face: Value) -> None:
            with lines.when(compare("=", before, number(0))):
                lines.set(drawn, face)
                lines.leave(found)
            lines.add_to(before, number(-1))

        for_each_left(stop_at)
    face = narrow_to_natural(lines.bind(drawn))
    writing.add_to("faces left", number(-1), face)
    return face


def shuffle_group(writing: FunctionWriter, first: Value, size: Value) -> None:
    lines = writing.lines
    end = lines.bind(binary("sub", binary("add", first, size), number(1)))
    lines.for_range(first, end, lambda at: writing.store("shuffled", writing.load("group kinds", at), at))
    last = lines.variable(binary("sub", size, number(1)), "i")
    with lines.loop() as done:
        lines.leave(done, compare("<=", last, number(0)))
        other = lines.bind(binary("add", first, writing.random_below(binary("add", last, number(1)))))
        here = lines.bind(binary("add", first, last))
        kind = writing.load("shuffled", here)
        writing.store("shuffled", writing.load("shuffled", other), here)
        writing.store("shuffled", kind, other)
        lines.add_to(last, number(-1))


def exchange_component(writing: FunctionWriter, at: Value) -> None:
    """Of both ways to lay it and another one of its group, one as often as the weights say."""
    lines = writing.lines
    group = writing.load("weighed group", at)
    here = lines.bind(writing.load("weighed at", at))
    others = lines.bind(binary("sub", writing.load("group size", group), number(1)))
    there = lines.variable(binary("add", writing.load("group first", group), writing.random_below(others)), "t")
    with lines.when(compare(">=", there, here)):
        lines.add_to(there, number(1))
    kind, another = (lines.bind(narrow_to_natural(writing.load("shuffled", one))) for one in (here, there))
    stay = lines.bind(binary("mul", load_weight(writing, here, kind), load_weight(writing, there, another)))
    go = lines.bind(binary("mul", load_weight(writing, here, another), load_weight(writing, there, kind)))
    with lines.when(compare("<", writing.random_below(lines.bind(binary("add", stay, go))), go)):
        writing.store("shuffled", another, here)
        writing.store("shuffled", kind, there)


def load_weight(writing: FunctionWriter, at: Value, kind: Value) -> Value:
    row = binary("mul", narrow_to_natural(writing.load("weight row", at)), number(count_kinds(writing.plan)))
    return writing.lines.bind(writing.load("weights", binary("add", row, kind)))


def fill_gap(writing: FunctionWriter, at: Value) -> None:
    lines, plan = writing.lines, writing.plan
    group, what = writing.load("fill group", at), writing.load("fill what", at)
    left = lines.bind(binary("sub", writing.load("group left", group), number(1)))
    writing.store("group left", left, group)
    kind = narrow_to_natural(writing.load("shuffled", binary("add", writing.load("group first", group), left)))
    place = narrow_to_natural(writing.load("fill at", at))
    with lines.when(compare("=", what, number(BIT))):
        byte = lines.bind(binary("add", place, binary("div", kind, number(8))))
        bit = Value("bit", NUMBER, (binary("mod", kind, number(8)),))
        writing.store("memory 8", Value("or", NUMBER, (lines.load(plan.fields["memory 8"], byte), bit)), byte)
    for code, width in enumerate(WIDTHS):
        with lines.when(compare("=", what, number(COUNTED + code))):
            writing.add_to(f"memory {width}", number(1), lines.bind(binary("add", place, kind)))
        with lines.when(compare("=", what, number(LAID + code))):
            writing.store(f"memory {width}", kind, place)
    scope = Scope(plan, lines, number(1))
    for which, store in enumerate(sorted_row_stores(plan)):
        with lines.when(compare("=", what, number(SORTED + which))):
            inside = narrow(kind, 0, len(store.kinds) - 1)
            containers.put_unchecked(scope, store, narrow(place, 0, store.amount - 1), inside, False)


def choose_hidden_value(writing: FunctionWriter, at: Value) -> None:
    lines = writing.lines
    which = writing.random_below(writing.load("value many", at))
    value = writing.load("values", binary("add", writing.load("value first", at), which))
    place, width = writing.load("value at", at), writing.load("value width", at)
    for bits in (*WIDTHS, 64):
        with lines.when(compare("=", width, number(bits))):
            writing.store(f"memory {bits}", value, place)
