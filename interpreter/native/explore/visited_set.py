"""Which positions have been seen, as lines: a table of hashes, shared out among threads by a part of the hash.

Rows that came out of `expand` lie in buffers, one for each thread, in the order in which one thread would have made
them. First every thread looks its part of the hashes up: a row is known, new, or the same as one that came before
it. Then the new ones get their numbers, in their order, so that the numbers are the same for any number of threads;
and every thread enters them into its part of the table.
Nothing here knows of rules: rows are words, side by side.
"""

from __future__ import annotations

from rulesrun.interpreter.form.form import NUMBER, Function, X, both, compare, inverted, known, local, number, select
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.native.explore import rows
from rulesrun.interpreter.native.explore.arrays import Array, Told, move_bytes
from rulesrun.interpreter.native.explore.machine import ExploredForm
from rulesrun.interpreter.native.explore.record_chains import Chains

PARTS_BITS = 6
PARTS = 1 << PARTS_BITS  # parts of the table, by the first bits of a hash; a thread works on some of them
AHEAD, SOON = 8, 4  # how many children ahead the table is asked for, and rows
FURTHER = 64  # and numbers that lie side by side
LOW = (1 << 32) - 1
NEW = 1 << 31  # how a result says that it is the number of a child, not of a position


def visiting(form: ExploredForm, chains: Chains) -> tuple[Function, ...]:
    child = child_hash_function()
    look_up = look_up_function(child)
    return (child, look_up, number_function(form, chains), enter_function(), link_function(form), grow_function())


def first_slot(lines: Lines, told: Told, mixed: X) -> X:
    """The first place of the table where a row with this hash may stand: its first bits."""
    return lines.variable(place_of(told, mixed), "slot")


def place_of(told: Told, mixed: X) -> X:
    return X("lshr", NUMBER, (mixed, told.get("shift")))


def owner_of(lines: Lines, told: Told, mixed: X) -> X:
    """The thread that looks up what has this hash: each has some parts of the table side by side."""
    part = known(X("lshr", NUMBER, (mixed, number(64 - PARTS_BITS))), 0, PARTS - 1)
    spread = known(both("mul", part, known(told.get("partitions"), 1, PARTS)), 0, PARTS * PARTS)
    return lines.kept(X("lshr", NUMBER, (spread, number(PARTS_BITS))))


def next_slot(lines: Lines, slot: X, mask: X) -> None:
    """On, within the part."""
    first = X("and", NUMBER, (slot, X("not", NUMBER, (mask,))))
    inside = X("and", NUMBER, (both("add", slot, number(1)), mask))
    lines.set(slot, X("or", NUMBER, (first, inside)))


def tag_of(mixed: X) -> X:
    """The lower half of a hash, in the upper half of an entry."""
    return X("shl", NUMBER, (mixed, number(32)))


def entry_of(tag: X, which: X) -> X:
    """What stands in the table: the tag, and the number of a position or child, from 1."""
    name = X("and", NUMBER, (both("add", which, number(1)), number(LOW)))
    return X("or", NUMBER, (tag, name))


def share_out(lines: Lines, told: Told, children: X) -> None:
    """Lists the children of a buffer by who is to look them up."""
    hashes, shares, counts = told.of("hashes", 64), told.of("shares", 32), told.of("share counts", 64)
    room = told.get("room")

    def child(which: X) -> None:
        owner = owner_of(lines, told, lines.kept(hashes.get(which)))
        place = lines.kept(counts.get(owner))
        shares.expect(lines, both("add", both("mul", owner, room), both("add", place, number(FURTHER))))
        shares.put(lines, lines.kept(both("add", both("mul", owner, room), place)), which)
        counts.put(lines, owner, both("add", place, number(1)))

    threads = told.get("partitions")
    lines.count_through(number(0), both("sub", threads, number(1)), lambda at: counts.put(lines, at, number(0)))
    lines.count_through(number(0), both("sub", children, number(1)), child)


def child_hash_function() -> Function:
    """`child hash(control, which)`: the hash of a child, counted through all buffers."""
    lines = Lines()
    told, left, at = Told(lines), lines.variable(local("which"), "left"), lines.variable(number(0), "at")
    buffers = told.of("buffers", 64)
    with lines.loop() as done:
        buffer = Told(lines, lines.kept(buffers.get(at)))
        many = buffer.get("children")
        with lines.when(compare("<", left, many)):
            lines.add("return", buffer.of("hashes", 64).get(left))
        lines.set(left, both("sub", left, many))
        lines.add_to(at, number(1))
        lines.leave(done, compare(">=", at, told.get("buffer count")))
    lines.add("return", number(0))
    return Function("child hash", ("control", "which"), NUMBER, lines.lines)


def look_up_function(child_hash: Function) -> Function:
    """`look up(control)`: the children whose hashes are this thread's; how many of each buffer are new."""
    lines = Lines()
    told, at, before = Told(lines), lines.variable(number(0), "buffer"), lines.variable(number(0), "before")
    buffers, many = told.of("buffers", 64), told.get("buffer count")
    mine_is, results, news = told.get("partition"), told.of("results", 32), told.of("news", 64)
    fresh = lines.variable(number(0), "fresh")
    with lines.loop() as done:
        lines.leave(done, compare(">=", at, many))
        buffer = Told(lines, lines.kept(buffers.get(at)))
        hashes, shares = buffer.of("hashes", 64), buffer.of("shares", 32)
        amount, listed = buffer.get("children"), lines.kept(both("mul", mine_is, buffer.get("room")))
        own = select(compare(">", amount, number(0)), buffer.of("share counts", 64).get(mine_is), number(0))
        last, known_before = lines.kept(both("sub", own, number(1))), lines.kept(fresh)

        def child(place: X) -> None:
            soon = lines.kept(shares.get(both("add", listed, both("min", both("add", place, number(AHEAD)), last))))
            told.of("table", 64).expect(lines, place_of(told, hashes.get(soon)))
            results.expect(lines, both("add", before, soon))
            which = lines.kept(shares.get(both("add", listed, place)))
            mixed = lines.kept(hashes.get(which))
            mine = lines.kept(X("or", NUMBER, (both("add", before, which), number(NEW))))
            slot = find(told, child_hash, mixed, mine)
            found = told.get("found")
            with lines.when(compare("=", found, mine)):
                told.of("fresh slots", 32).put(lines, fresh, slot)
                told.of("fresh children", 32).put(lines, fresh, which)
                lines.add_to(fresh, number(1))
            results.put(lines, both("add", before, which), found)

        lines.count_through(number(0), last, child)
        news.put(lines, at, both("sub", fresh, known_before))
        lines.add_to(before, amount)
        lines.add_to(at, number(1))
    lines.add("return", number(0))
    return Function("look up", ("control",), NUMBER, lines.lines, is_inner=False)


def find(told: Told, child_hash: Function, mixed: X, mine: X) -> X:
    """The place of the entry with the same hash, or of a free one, which is the child's from now on."""
    lines, table = told.lines, told.of("table", 64)
    slot = first_slot(lines, told, mixed)
    with lines.loop() as found:
        entry = lines.kept(table.get(slot))
        with lines.when(compare("=", entry, number(0))):
            table.put(lines, slot, entry_of(tag_of(mixed), mine))
            told.put("found", mine)
            lines.leave(found)
        with lines.when(compare("=", X("and", NUMBER, (entry, number(~LOW))), tag_of(mixed))):
            seen = lines.kept(both("sub", X("and", NUMBER, (entry, number(LOW))), number(1)))
            other = lines.variable(number(0), "other")
            with lines.when(compare(">=", seen, number(NEW))) as line:
                lines.set(other, call(child_hash, local("control"), both("sub", seen, number(NEW))))
            with lines.otherwise(line):
                lines.set(other, told.of("found hashes", 64).get(seen))
            with lines.when(compare("=", other, mixed)):
                told.put("found", seen)
                lines.leave(found)
        next_slot(lines, slot, told.get("mask"))
    return slot


def result_of(lines: Lines, told: Told, which: X) -> X:
    """What came of looking up a child of this buffer, whichever thread did it."""
    owner = owner_of(lines, told, lines.kept(told.of("hashes", 64).get(which)))
    results = Array(lines.kept(told.of("answers", 64).get(owner)), 32)
    return lines.kept(results.get(both("add", told.get("before"), which)))


def own_name(lines: Lines, told: Told, which: X) -> X:
    return lines.kept(X("or", NUMBER, (both("add", told.get("before"), which), number(NEW))))


def number_function(form: ExploredForm, chains: Chains) -> Function:
    """`number(control)`: the new children of a buffer become positions, from `next number` on."""
    lines = Lines()
    told = Told(lines)
    numbered, blocks = told.of("numbered", 32), told.of("blocks", 64)
    ends, first = told.of("ends", 64), told.get("first")
    into = {name: told.of(name, bits) for name, bits in (
        ("parents", 32), ("came", 32), ("found sizes", 32), ("found members", 16), ("found hashes", 64))}
    out = {name: told.of(name, bits) for name, bits in (("ways", 32), ("sizes", 32), ("images", 16), ("hashes", 64))}
    start, which = told.get("rows"), lines.variable(number(0), "child")
    following, whole = lines.variable(told.get("next number"), "number"), lines.variable(number(0), "whole")

    def position(parent: X) -> None:
        size = lines.kept(out["sizes"].get(which))
        row = lines.kept(both("add", start, both("mul", which, number(8 * len(form.words)))))
        move_bytes(lines, rows.row_address(form, lines, blocks, following), row, 8 * len(form.words))
        into["parents"].put(lines, following, parent)
        into["came"].put(lines, following, out["ways"].get(which))
        into["found sizes"].put(lines, following, size)
        into["found members"].put(lines, following, out["images"].get(which))
        for memory in chains.memories:
            keep_records(lines, told, chains, (which, following), memory.number)
        into["found hashes"].put(lines, following, out["hashes"].get(which))
        numbered.expect(lines, both("add", which, number(FURTHER)))
        numbered.put(lines, which, following)
        lines.add_to(whole, size)
        lines.add_to(following, number(1))

    def of_parent(parent: X) -> None:
        last = lines.kept(ends.get(both("sub", parent, first)))
        with lines.loop() as done:
            lines.leave(done, compare(">=", which, last))
            with lines.when(compare("=", result_of(lines, told, which), own_name(lines, told, which))):
                position(parent)
            lines.add_to(which, number(1))

    lines.count_through(first, both("sub", told.get("reached"), number(1)), of_parent)
    told.put("whole", whole)
    lines.add("return", following)
    return Function("number", ("control",), NUMBER, lines.lines, is_inner=False)


def keep_records(lines: Lines, told: Told, chains: Chains, numbers: tuple[X, X], memory: int) -> None:
    """What a child's way has recorded belongs to the position that it becomes."""
    child, position = (
        both("add", both("mul", one, number(len(chains.memories))), number(memory)) for one in numbers
    )
    node = lines.kept(told.of("records", 64).get(child))
    told.of("found records", 64).put(lines, position, call(chains.keep, local("control"), node))


def enter_function() -> Function:
    """`enter(control)`: where new children were looked up their numbers stand from now on, in this thread's parts."""
    lines = Lines()
    told, at, listed = Told(lines), lines.variable(number(0), "buffer"), lines.variable(number(0), "listed")
    table, slots, children = told.of("table", 64), told.of("fresh slots", 32), told.of("fresh children", 32)
    buffers, news = told.of("buffers", 64), told.of("news", 64)
    with lines.loop() as done:
        lines.leave(done, compare(">=", at, told.get("buffer count")))
        buffer = Told(lines, lines.kept(buffers.get(at)))
        numbered, many = buffer.of("numbered", 32), buffer.get("children")

        def child(place: X) -> None:
            which, slot = lines.kept(children.get(place)), lines.kept(slots.get(place))
            with lines.when(compare("<", which, many)):  # it was not cut off
                tag = lines.kept(X("and", NUMBER, (table.get(slot), number(~LOW))))
                table.put(lines, slot, entry_of(tag, lines.kept(numbered.get(which))))

        after = lines.kept(both("add", listed, news.get(at)))
        lines.count_through(listed, both("sub", after, number(1)), child)
        lines.set(listed, after)
        lines.add_to(at, number(1))
    lines.add("return", number(0))
    return Function("enter", ("control",), NUMBER, lines.lines, is_inner=False)


def link_function(form: ExploredForm) -> Function:
    """`link(control)`: what follows each position of a buffer, by number; whether rows with one hash are the same."""
    lines = Lines()
    told = Told(lines)
    edges, first_edge, start = told.of("edges", 32), told.get("edge count"), told.get("rows")
    ends, offsets, first = told.of("ends", 64), told.of("offsets", 32), told.get("first")
    blocks, last = told.of("blocks", 64), lines.kept(both("sub", told.get("children"), number(1)))

    def child(which: X) -> None:
        soon = lines.kept(result_of(lines, told, lines.kept(both("min", both("add", which, number(SOON)), last))))
        with lines.when(compare("<", soon, number(NEW))):
            rows.expect_row(form, lines, rows.row_address(form, lines, blocks, soon), to_write=False)
        found = lines.variable(result_of(lines, told, which), "found")
        with lines.when(compare("is not", found, own_name(lines, told, which))) as line:
            with lines.when(compare(">=", found, number(NEW))):
                number_of_child(told, found)
            row = lines.kept(both("add", start, both("mul", which, number(8 * len(form.words)))))
            is_same = rows.is_same_row(form, lines, row, rows.row_address(form, lines, blocks, found))
            with lines.when(inverted(is_same)):
                told.put("unlike", number(1))
        with lines.otherwise(line):
            lines.set(found, told.of("numbered", 32).get(which))
        edges.put(lines, both("add", first_edge, which), found)

    def parent(which: X) -> None:
        place = both("sub", which, first)
        offsets.put(lines, both("add", which, number(1)), both("add", first_edge, ends.get(place)))

    lines.count_through(number(0), last, child)
    lines.count_through(first, both("sub", told.get("reached"), number(1)), parent)
    lines.add("return", number(0))
    return Function("link", ("control",), NUMBER, lines.lines, is_inner=False)


def number_of_child(told: Told, found: X) -> None:
    """In place of the name of a child, of whichever buffer."""
    lines, buffers = told.lines, told.of("buffers", 64)
    left, at = lines.variable(both("sub", found, number(NEW)), "left"), lines.variable(number(0), "at")
    with lines.loop() as done:
        buffer = Told(lines, lines.kept(buffers.get(at)))
        many = buffer.get("children")
        with lines.when(compare("<", left, many)):
            lines.set(found, buffer.of("numbered", 32).get(left))
            lines.leave(done)
        lines.set(left, both("sub", left, many))
        lines.add_to(at, number(1))


def grow_function() -> Function:
    """`grow(control)`: all positions whose hashes are this thread's, into a table that is empty still."""
    lines = Lines()
    told = Told(lines)
    table, hashes, mask = told.of("table", 64), told.of("found hashes", 64), told.get("mask")

    def one(which: X) -> None:
        mixed = lines.kept(hashes.get(which))
        with lines.when(compare("=", owner_of(lines, told, mixed), told.get("partition"))):
            slot = first_slot(lines, told, mixed)
            with lines.loop() as done:
                lines.leave(done, compare("=", table.get(slot), number(0)))
                next_slot(lines, slot, mask)
            table.put(lines, slot, entry_of(tag_of(mixed), which))

    lines.count_through(number(0), both("sub", told.get("known"), number(1)), one)
    lines.add("return", number(0))
    return Function("grow", ("control",), NUMBER, lines.lines, is_inner=False)
