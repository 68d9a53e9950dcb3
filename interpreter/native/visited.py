"""Which positions have been seen, as lines: a table of hashes, shared out among threads by a part of the hash.

Rows that came out of `expand` lie in buffers, one for each thread, in the order in which one thread would have made
them. First every thread looks its part of the hashes up: a row is known, new, or the same as one that came before
it. Then the new ones get their numbers, in their order, so that the numbers are the same for any number of threads.
Nothing here knows of rules: rows are words, side by side.
"""

from __future__ import annotations

from rulesrun.interpreter.native import exploring_rows as rows
from rulesrun.interpreter.native.exploring_arrays import Array, Told, move_bytes
from rulesrun.interpreter.native.exploring_form import ExploredForm
from rulesrun.interpreter.native.form import NUMBER, Function, X, both, compare, known, local, number
from rulesrun.interpreter.native.lines import Lines, call

PARTS = 64  # parts of the table, by the first bits of a hash; a thread works on some of them
NEW = 1 << 31  # how a result says that it is the number of a child, not of a position


def visiting(form: ExploredForm) -> tuple[Function, ...]:
    slot = slot_function()
    child = child_row_function(form)
    look_up = look_up_function(form, slot, child)
    return (slot, child, look_up, count_function(), number_function(form), link_function(), grow_function(form, slot))


def slot_function() -> Function:
    """`slot(hash, part, mask)`: the first place of the table where a row with this hash may stand."""
    lines = Lines()
    mixed, mask = local("hash"), local("mask")
    part = X("lshr", NUMBER, (mixed, number(58)))
    inside = X("and", NUMBER, (mixed, mask))
    size = both("add", mask, number(1))
    lines.add("return", both("add", both("mul", part, size), inside))
    return Function("slot", ("hash", "mask"), NUMBER, lines.lines)


def next_slot(lines: Lines, slot: X, mask: X) -> None:
    """On, within the part."""
    first = X("and", NUMBER, (slot, X("not", NUMBER, (mask,))))
    inside = X("and", NUMBER, (both("add", slot, number(1)), mask))
    lines.set(slot, X("or", NUMBER, (first, inside)))


def tag_of(mixed: X) -> X:
    """The upper half of a hash, in the upper half of an entry."""
    return X("and", NUMBER, (mixed, number(-(1 << 32))))


def child_row_function(form: ExploredForm) -> Function:
    """`child row(control, which)`: where the row of a child lies, counted through all buffers."""
    lines = Lines()
    told, left, at = Told(lines), lines.variable(local("which"), "left"), lines.variable(number(0), "at")
    buffers = told.of("buffers", 64)
    with lines.loop() as done:
        buffer = Told(lines, buffers.get(at))
        many = buffer.get("children")
        with lines.when(compare("<", left, many)):
            lines.add("return", both("add", buffer.get("rows"), both("mul", left, number(8 * len(form.words)))))
        lines.set(left, both("sub", left, many))
        lines.add_to(at, number(1))
        lines.leave(done, compare(">=", at, told.get("buffer count")))
    lines.add("return", number(0))
    return Function("child row", ("control", "which"), NUMBER, lines.lines)


def look_up_function(form: ExploredForm, slot_of: Function, child_row: Function) -> Function:
    """`look up(control)`: the children whose hashes are this thread's."""
    lines = Lines()
    told, at, before = Told(lines), lines.variable(number(0), "buffer"), lines.variable(number(0), "before")
    buffers, many = told.of("buffers", 64), told.get("buffer count")
    part, parts = told.get("partition"), known(told.get("partitions"), 1, PARTS)
    with lines.loop() as done:
        lines.leave(done, compare(">=", at, many))
        buffer = Told(lines, lines.kept(buffers.get(at)))
        hashes, start, amount = buffer.of("hashes", 64), buffer.get("rows"), buffer.get("children")

        def child(which: X) -> None:
            mixed = lines.kept(hashes.get(which))
            own = both("mod", known(lines.kept(X("lshr", NUMBER, (mixed, number(58)))), 0, PARTS - 1), parts)
            with lines.when(compare("=", own, part)):
                row = lines.kept(both("add", start, both("mul", which, number(8 * len(form.words)))))
                mine = lines.kept(X("or", NUMBER, (both("add", before, which), number(NEW))))
                slot = lines.variable(call(slot_of, mixed, told.get("mask")), "slot")
                find(form, told, child_row, (mixed, row, mine), slot)
                buffer.of("results", 32).put(lines, which, told.get("found"))
                buffer.of("slots", 64).put(lines, which, slot)

        lines.count_through(number(0), both("sub", amount, number(1)), child)
        lines.add_to(before, amount)
        lines.add_to(at, number(1))
    lines.add("return", number(0))
    return Function("look up", ("control",), NUMBER, lines.lines, is_inner=False)


def find(form: ExploredForm, told: Told, child_row: Function, child: tuple[X, X, X], slot: X) -> None:
    """From a slot on to the entry of the same row, or to a free one, which is the child's from now on."""
    lines, table, low = told.lines, told.of("table", 64), number((1 << 32) - 1)
    mixed, row, mine = child
    with lines.loop() as found:
        entry = lines.kept(table.get(slot))
        with lines.when(compare("=", entry, number(0))):
            name = X("and", NUMBER, (both("add", mine, number(1)), low))
            table.put(lines, slot, X("or", NUMBER, (tag_of(mixed), name)))
            told.put("found", mine)
            lines.leave(found)
        with lines.when(compare("=", tag_of(entry), tag_of(mixed))):
            seen = lines.kept(both("sub", X("and", NUMBER, (entry, low)), number(1)))
            other = lines.variable(number(0), "other")
            with lines.when(compare(">=", seen, number(NEW))) as line:
                lines.set(other, call(child_row, local("control"), both("sub", seen, number(NEW))))
            with lines.otherwise(line):
                lines.set(other, rows.row_address(form, lines, told.of("blocks", 64), seen))
            with lines.when(rows.is_same_row(form, lines, row, other)):
                told.put("found", seen)
                lines.leave(found)
        next_slot(lines, slot, told.get("mask"))


def is_new(lines: Lines, results: Array, before: X, which: X) -> X:
    mine = X("or", NUMBER, (both("add", before, which), number(NEW)))
    return compare("=", results.get(which), lines.kept(mine))


def count_function() -> Function:
    """`count(control)`: how many children of a buffer are new."""
    lines = Lines()
    told, found = Told(lines), lines.variable(number(0), "found")
    results, before = told.of("results", 32), told.get("before")

    def child(which: X) -> None:
        with lines.when(is_new(lines, results, before, which)):
            lines.add_to(found, number(1))

    lines.count_through(number(0), both("sub", told.get("children"), number(1)), child)
    told.put("new", found)
    lines.add("return", found)
    return Function("count", ("control",), NUMBER, lines.lines, is_inner=False)


def number_function(form: ExploredForm) -> Function:
    """`number(control)`: the new children of a buffer become positions, from `next number` on."""
    lines = Lines()
    told = Told(lines)
    results, slots, hashes, before = (
        told.of("results", 32), told.of("slots", 64), told.of("hashes", 64), told.get("before"))
    ends, first, table, blocks = told.of("ends", 64), told.get("first"), told.of("table", 64), told.of("blocks", 64)
    into = {name: told.of(name, bits) for name, bits in (
        ("parents", 32), ("came", 32), ("found sizes", 32), ("found members", 16))}
    out = {name: told.of(name, bits) for name, bits in (("ways", 32), ("sizes", 32), ("images", 16))}
    start, which = told.get("rows"), lines.variable(number(0), "child")
    following, whole = lines.variable(told.get("next number"), "number"), lines.variable(number(0), "whole")

    def position(parent: X) -> None:
        mixed, size = lines.kept(hashes.get(which)), lines.kept(out["sizes"].get(which))
        row = lines.kept(both("add", start, both("mul", which, number(8 * len(form.words)))))
        move_bytes(lines, rows.row_address(form, lines, blocks, following), row, 8 * len(form.words))
        into["parents"].put(lines, following, parent)
        into["came"].put(lines, following, out["ways"].get(which))
        into["found sizes"].put(lines, following, size)
        into["found members"].put(lines, following, out["images"].get(which))
        table.put(lines, slots.get(which), X("or", NUMBER, (tag_of(mixed), both("add", following, number(1)))))
        slots.put(lines, which, following)
        lines.add_to(whole, size)
        lines.add_to(following, number(1))

    def of_parent(parent: X) -> None:
        last = lines.kept(ends.get(both("sub", parent, first)))
        with lines.loop() as done:
            lines.leave(done, compare(">=", which, last))
            with lines.when(is_new(lines, results, before, which)):
                position(parent)
            lines.add_to(which, number(1))

    lines.count_through(first, both("sub", told.get("reached"), number(1)), of_parent)
    told.put("whole", whole)
    lines.add("return", following)
    return Function("number", ("control",), NUMBER, lines.lines, is_inner=False)


def link_function() -> Function:
    """`link(control)`: what follows each position of a buffer, by number."""
    lines = Lines()
    told = Told(lines)
    results, edges, first_edge = told.of("results", 32), told.of("edges", 32), told.get("edge count")
    buffers, ends, offsets, first = (
        told.of("buffers", 64), told.of("ends", 64), told.of("offsets", 32), told.get("first"))

    def child(which: X) -> None:
        found = lines.variable(results.get(which), "found")
        with lines.when(compare(">=", found, number(NEW))):
            left, at = lines.variable(both("sub", found, number(NEW)), "left"), lines.variable(number(0), "at")
            with lines.loop() as done:
                buffer = Told(lines, lines.kept(buffers.get(at)))
                many = buffer.get("children")
                with lines.when(compare("<", left, many)):
                    lines.set(found, buffer.of("slots", 64).get(left))
                    lines.leave(done)
                lines.set(left, both("sub", left, many))
                lines.add_to(at, number(1))
        edges.put(lines, both("add", first_edge, which), found)

    def parent(which: X) -> None:
        place = both("sub", which, first)
        offsets.put(lines, both("add", which, number(1)), both("add", first_edge, ends.get(place)))

    lines.count_through(number(0), both("sub", told.get("children"), number(1)), child)
    lines.count_through(first, both("sub", told.get("reached"), number(1)), parent)
    lines.add("return", number(0))
    return Function("link", ("control",), NUMBER, lines.lines, is_inner=False)


def grow_function(form: ExploredForm, slot_of: Function) -> Function:
    """`grow(control)`: all positions into a table that is empty still."""
    lines = Lines()
    told = Told(lines)
    table, mask, blocks = told.of("table", 64), told.get("mask"), told.of("blocks", 64)

    def position(which: X) -> None:
        row = rows.row_address(form, lines, blocks, which)
        mixed = rows.mixed_row(form, lines, row)
        slot = lines.variable(call(slot_of, mixed, mask), "slot")
        with lines.loop() as done:
            lines.leave(done, compare("=", table.get(slot), number(0)))
            next_slot(lines, slot, mask)
        table.put(lines, slot, X("or", NUMBER, (tag_of(mixed), both("add", which, number(1)))))

    lines.count_through(number(0), both("sub", told.get("next number"), number(1)), position)
    lines.add("return", number(0))
    return Function("grow", ("control",), NUMBER, lines.lines, is_inner=False)
