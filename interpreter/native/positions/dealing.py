"""Positions that fit to what a seat knows, in machine code: a prepared position, and what to put where by chance.

As `bots.deals` does it, number by number: every group of components is shuffled, then handed out from its end; then
come hidden values. What is to be put where stands in lists that are filled in once for each observation.
"""

from __future__ import annotations

from rulesrun.interpreter.form.form import NUMBER, Function, X, both, compare, known, number
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.memory_access import Writing, finished, positive, written
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store

BIT, COUNTED, LAID = 0, 1, 4  # one bit of a set; a count a kind of 8, 16, 32 bits; a place in a row of 8, 16, 32 bits
SORTED = 8  # into the row that is kept sorted, number so many
WIDTHS = (8, 16, 32)
MOST_VALUES = 1 << 14


def components_of(plan: Plan) -> int:
    return sum(sum(kinds.copies) for kinds in plan.bench.kinds.values())


def lay_out(plan: Plan) -> None:
    many = components_of(plan) + 1
    for name in ("first", "size", "left", "kinds"):
        plan.scratch(f"group {name}", 32, many)
    for name in ("shuffled", "fill what", "fill at", "fill group"):
        plan.scratch(name, 32, many)
    variables = sum(room.amount for room in plan.bench.variables.values()) + 1
    for name in ("value width", "value at", "value first", "value many"):
        plan.scratch(name, 32, variables)
    plan.scratch("values", 32, MOST_VALUES)
    for name in ("groups", "fills", "hidden values"):
        plan.scratch(name, 64, 1)


def sorted_rows(plan: Plan) -> list[Store]:
    return [store for store in plan.stores.values() if store.shape == "row" and store.sort_key is not None]


def dealing(plan: Plan) -> Function:
    """Fills a prepared position in."""
    function, writing = written(plan, "deal", (), None)
    lines = writing.lines
    last_group = both("sub", writing.load("groups"), number(1))
    lines.count_through(number(0), last_group, lambda group: shuffle(writing, group))
    lines.count_through(number(0), both("sub", writing.load("fills"), number(1)), lambda at: fill(writing, at))
    last_value = both("sub", writing.load("hidden values"), number(1))
    lines.count_through(number(0), last_value, lambda at: choose_value(writing, at))
    lines.add("return")
    return finished(function, writing)


def shuffle(writing: Writing, group: X) -> None:
    lines = writing.lines
    first, size = writing.load("group first", group), writing.load("group size", group)
    writing.store("group left", size, group)
    end = lines.kept(both("sub", both("add", first, size), number(1)))
    lines.count_through(first, end, lambda at: writing.store("shuffled", writing.load("group kinds", at), at))
    last = lines.variable(both("sub", size, number(1)), "i")
    with lines.loop() as done:
        lines.leave(done, compare("<=", last, number(0)))
        other = lines.kept(both("add", first, writing.below(both("add", last, number(1)))))
        here = lines.kept(both("add", first, last))
        kind = writing.load("shuffled", here)
        writing.store("shuffled", writing.load("shuffled", other), here)
        writing.store("shuffled", kind, other)
        lines.add_to(last, number(-1))


def fill(writing: Writing, at: X) -> None:
    lines, plan = writing.lines, writing.plan
    group, what = writing.load("fill group", at), writing.load("fill what", at)
    left = lines.kept(both("sub", writing.load("group left", group), number(1)))
    writing.store("group left", left, group)
    kind = positive(writing.load("shuffled", both("add", writing.load("group first", group), left)))
    place = positive(writing.load("fill at", at))
    with lines.when(compare("=", what, number(BIT))):
        byte = lines.kept(both("add", place, both("div", kind, number(8))))
        bit = X("bit", NUMBER, (both("mod", kind, number(8)),))
        writing.store("memory 8", X("or", NUMBER, (lines.load(plan.fields["memory 8"], byte), bit)), byte)
    for code, width in enumerate(WIDTHS):
        with lines.when(compare("=", what, number(COUNTED + code))):
            writing.add(f"memory {width}", number(1), lines.kept(both("add", place, kind)))
        with lines.when(compare("=", what, number(LAID + code))):
            writing.store(f"memory {width}", kind, place)
    scope = Scope(plan, lines, number(1))
    for which, store in enumerate(sorted_rows(plan)):
        with lines.when(compare("=", what, number(SORTED + which))):
            inside = known(kind, 0, len(store.kinds) - 1)
            containers.put_in(scope, store, known(place, 0, store.amount - 1), inside, False)


def choose_value(writing: Writing, at: X) -> None:
    lines = writing.lines
    which = writing.below(writing.load("value many", at))
    value = writing.load("values", both("add", writing.load("value first", at), which))
    place, width = writing.load("value at", at), writing.load("value width", at)
    for bits in (*WIDTHS, 64):
        with lines.when(compare("=", width, number(bits))):
            writing.store(f"memory {bits}", value, place)
