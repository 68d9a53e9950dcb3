"""Which positions have been seen, as lines: a table of hashes, shared out among threads by a part of the hash.

Rows that came out of `expand` lie in buffers, one for each thread, in the order in which one thread would have made
them. First every thread looks its part of the hashes up: a row is known, new, or the same as one that came before
it. Then the new ones get their numbers, in their order, so that the numbers are the same for any number of threads;
and every thread enters them into its part of the table.
Nothing here knows of rules: rows are words, side by side.
"""

from __future__ import annotations

from rulesrun.interpreter.form.form import (
    NUMBER,
    Function,
    Value,
    binary,
    compare,
    invert,
    local,
    narrow,
    number,
    select,
)
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.form.memory import MemoryArray, move_bytes
from rulesrun.interpreter.native.explore import rows
from rulesrun.interpreter.native.explore.arrays import KernelControl
from rulesrun.interpreter.native.explore.machine import ExploredForm
from rulesrun.interpreter.native.explore.record_chains import RecordChains

PARTS_BITS = 6
PARTS = 1 << PARTS_BITS  # parts of the table, by the first bits of a hash; a thread works on some of them
AHEAD, SOON = 8, 4  # how many children ahead the table is asked for, and rows
FURTHER = 64  # and numbers that lie side by side
LOW = (1 << 32) - 1
NEW = 1 << 31  # how a result says that it is the number of a child, not of a position


def visited_set_functions(form: ExploredForm, chains: RecordChains) -> tuple[Function, ...]:
    child = child_hash_function()
    look_up = look_up_function(child)
    return (child, look_up, number_function(form, chains), enter_function(), link_function(form), grow_function())


def first_slot(lines: Lines, told: KernelControl, mixed: Value) -> Value:
    """The first place of the table where a row with this hash may stand: its first bits."""
    return lines.variable(slot_of_hash(told, mixed), "slot")


def slot_of_hash(told: KernelControl, mixed: Value) -> Value:
    return Value("lshr", NUMBER, (mixed, told.load("shift")))


def owner_of_hash(lines: Lines, told: KernelControl, mixed: Value) -> Value:
    """The thread that looks up what has this hash: each has some parts of the table side by side."""
    part = narrow(Value("lshr", NUMBER, (mixed, number(64 - PARTS_BITS))), 0, PARTS - 1)
    spread = narrow(binary("mul", part, narrow(told.load("partitions"), 1, PARTS)), 0, PARTS * PARTS)
    return lines.bind(Value("lshr", NUMBER, (spread, number(PARTS_BITS))))


def advance_slot(lines: Lines, slot: Value, mask: Value) -> None:
    """On, within the part."""
    first = Value("and", NUMBER, (slot, Value("not", NUMBER, (mask,))))
    inside = Value("and", NUMBER, (binary("add", slot, number(1)), mask))
    lines.set(slot, Value("or", NUMBER, (first, inside)))


def hash_tag(mixed: Value) -> Value:
    """The lower half of a hash, in the upper half of an entry."""
    return Value("shl", NUMBER, (mixed, number(32)))


def make_entry(tag: Value, which: Value) -> Value:
    """What stands in the table: the tag, and the number of a position or child, from 1."""
    name = Value("and", NUMBER, (binary("add", which, number(1)), number(LOW)))
    return Value("or", NUMBER, (tag, name))


def share_children(lines: Lines, told: KernelControl, children: Value) -> None:
    """Lists the children of a buffer by who is to look them up."""
    hashes, shares, counts = told.array_at("hashes", 64), told.array_at("shares", 32), told.array_at("share counts", 64)
    room = told.load("room")

    def child(which: Value) -> None:
        owner = owner_of_hash(lines, told, lines.bind(hashes.load(which)))
        place = lines.bind(counts.load(owner))
        shares.prefetch(lines, binary("add", binary("mul", owner, room), binary("add", place, number(FURTHER))))
        shares.store(lines, lines.bind(binary("add", binary("mul", owner, room), place)), which)
        counts.store(lines, owner, binary("add", place, number(1)))

    threads = told.load("partitions")
    lines.for_range(number(0), binary("sub", threads, number(1)), lambda at: counts.store(lines, at, number(0)))
    lines.for_range(number(0), binary("sub", children, number(1)), child)


def child_hash_function() -> Function:
    """`child hash(control, which)`: the hash of a child, counted through all buffers."""
    lines = Lines()
    told, left, at = KernelControl(lines), lines.variable(local("which"), "left"), lines.variable(number(0), "at")
    buffers = told.array_at("buffers", 64)
    with lines.loop() as done:
        buffer = KernelControl(lines, lines.bind(buffers.load(at)))
        many = buffer.load("children")
        with lines.when(compare("<", left, many)):
            lines.emit("return", buffer.array_at("hashes", 64).load(left))
        lines.set(left, binary("sub", left, many))
        lines.add_to(at, number(1))
        lines.leave(done, compare(">=", at, told.load("buffer count")))
    lines.emit("return", number(0))
    return Function("child hash", ("control", "which"), NUMBER, lines.lines)


def look_up_function(child_hash: Function) -> Function:
    """`look up(control)`: the children whose hashes are this thread's; how many of each buffer are new."""
    lines = Lines()
    told, at, before = KernelControl(lines), lines.variable(number(0), "buffer"), lines.variable(number(0), "before")
    buffers, many = told.array_at("buffers", 64), told.load("buffer count")
    mine_is, results, news = told.load("partition"), told.array_at("results", 32), told.array_at("news", 64)
    fresh = lines.variable(number(0), "fresh")
    with lines.loop() as done:
        lines.leave(done, compare(">=", at, many))
        buffer = KernelControl(lines, lines.bind(buffers.load(at)))
        hashes, shares = buffer.array_at("hashes", 64), buffer.array_at("shares", 32)
        amount, listed = buffer.load("children"), lines.bind(binary("mul", mine_is, buffer.load("room")))
        own = select(compare(">", amount, number(0)), buffer.array_at("share counts", 64).load(mine_is), number(0))
        last, known_before = lines.bind(binary("sub", own, number(1))), lines.bind(fresh)

        def child(place: Value) -> None:
            soon = lines.bind(
                shares.load(binary("add", listed, binary("min", binary("add", place, number(AHEAD)), last)))
            )
            told.array_at("table", 64).prefetch(lines, slot_of_hash(told, hashes.load(soon)))
            results.prefetch(lines, binary("add", before, soon))
            which = lines.bind(shares.load(binary("add", listed, place)))
            mixed = lines.bind(hashes.load(which))
            mine = lines.bind(Value("or", NUMBER, (binary("add", before, which), number(NEW))))
            slot = find_slot(told, child_hash, mixed, mine)
            found = told.load("found")
            with lines.when(compare("=", found, mine)):
                told.array_at("fresh slots", 32).store(lines, fresh, slot)
                told.array_at("fresh children", 32).store(lines, fresh, which)
                lines.add_to(fresh, number(1))
            results.store(lines, binary("add", before, which), found)

        lines.for_range(number(0), last, child)
        news.store(lines, at, binary("sub", fresh, known_before))
        lines.add_to(before, amount)
        lines.add_to(at, number(1))
    lines.emit("return", number(0))
    return Function("look up", ("control",), NUMBER, lines.lines, is_inner=False)


def find_slot(told: KernelControl, child_hash: Function, mixed: Value, mine: Value) -> Value:
    """The place of the entry with the same hash, or of a free one, which is the child's from now on."""
    lines, table = told.lines, told.array_at("table", 64)
    slot = first_slot(lines, told, mixed)
    with lines.loop() as found:
        entry = lines.bind(table.load(slot))
        with lines.when(compare("=", entry, number(0))):
            table.store(lines, slot, make_entry(hash_tag(mixed), mine))
            told.store("found", mine)
            lines.leave(found)
        with lines.when(compare("=", Value("and", NUMBER, (entry, number(~LOW))), hash_tag(mixed))):
            seen = lines.bind(binary("sub", Value("and", NUMBER, (entry, number(LOW))), number(1)))
            other = lines.variable(number(0), "other")
            with lines.when(compare(">=", seen, number(NEW))) as line:
                lines.set(other, call(child_hash, local("control"), binary("sub", seen, number(NEW))))
            with lines.otherwise(line):
                lines.set(other, told.array_at("found hashes", 64).load(seen))
            with lines.when(compare("=", other, mixed)):
                told.store("found", seen)
                lines.leave(found)
        advance_slot(lines, slot, told.load("mask"))
    return slot


def result_of_child(lines: Lines, told: KernelControl, which: Value) -> Value:
    """What came of looking up a child of this buffer, whichever thread did it."""
    owner = owner_of_hash(lines, told, lines.bind(told.array_at("hashes", 64).load(which)))
    results = MemoryArray(lines.bind(told.array_at("answers", 64).load(owner)), 32)
    return lines.bind(results.load(binary("add", told.load("before"), which)))


def child_name(lines: Lines, told: KernelControl, which: Value) -> Value:
    return lines.bind(Value("or", NUMBER, (binary("add", told.load("before"), which), number(NEW))))


OUTGOING = (("ways", 32), ("sizes", 32), ("images", 16), ("hashes", 64))
FOUND = (("parents", 32), ("came", 32), ("found sizes", 32), ("found members", 16), ("found hashes", 64))


def number_function(form: ExploredForm, chains: RecordChains) -> Function:
    """`number(control)`: the new children of a buffer become positions, from `next number` on."""
    lines = Lines()
    told = KernelControl(lines)
    numbered, blocks = told.array_at("numbered", 32), told.array_at("blocks", 64)
    ends, first = told.array_at("ends", 64), told.load("first")
    into = {name: told.array_at(name, bits) for name, bits in FOUND}
    out = {name: told.array_at(name, bits) for name, bits in OUTGOING}
    start, which = told.load("rows"), lines.variable(number(0), "child")
    following, whole = lines.variable(told.load("next number"), "number"), lines.variable(number(0), "whole")

    def position(parent: Value) -> None:
        size = lines.bind(out["sizes"].load(which))
        row = lines.bind(binary("add", start, binary("mul", which, number(8 * len(form.words)))))
        move_bytes(lines, rows.row_address(form, lines, blocks, following), row, 8 * len(form.words))
        into["parents"].store(lines, following, parent)
        into["came"].store(lines, following, out["ways"].load(which))
        into["found sizes"].store(lines, following, size)
        into["found members"].store(lines, following, out["images"].load(which))
        for memory in chains.memories:
            keep_records(lines, told, chains, (which, following), memory.number)
        into["found hashes"].store(lines, following, out["hashes"].load(which))
        numbered.prefetch(lines, binary("add", which, number(FURTHER)))
        numbered.store(lines, which, following)
        lines.add_to(whole, size)
        lines.add_to(following, number(1))

    def of_parent(parent: Value) -> None:
        last = lines.bind(ends.load(binary("sub", parent, first)))
        with lines.loop() as done:
            lines.leave(done, compare(">=", which, last))
            with lines.when(compare("=", result_of_child(lines, told, which), child_name(lines, told, which))):
                position(parent)
            lines.add_to(which, number(1))

    lines.for_range(first, binary("sub", told.load("reached"), number(1)), of_parent)
    told.store("whole", whole)
    lines.emit("return", following)
    return Function("number", ("control",), NUMBER, lines.lines, is_inner=False)


def keep_records(
    lines: Lines, told: KernelControl, chains: RecordChains, numbers: tuple[Value, Value], memory: int
) -> None:
    """What a child's way has recorded belongs to the position that it becomes."""
    child, position = (
        binary("add", binary("mul", one, number(len(chains.memories))), number(memory)) for one in numbers
    )
    node = lines.bind(told.array_at("records", 64).load(child))
    told.array_at("found records", 64).store(lines, position, call(chains.keep, local("control"), node))


def enter_function() -> Function:
    """`enter(control)`: where new children were looked up their numbers stand from now on, in this thread's parts."""
    lines = Lines()
    told, at, listed = KernelControl(lines), lines.variable(number(0), "buffer"), lines.variable(number(0), "listed")
    table, slots, children = (
        told.array_at("table", 64),
        told.array_at("fresh slots", 32),
        told.array_at("fresh children", 32),
    )
    buffers, news = told.array_at("buffers", 64), told.array_at("news", 64)
    with lines.loop() as done:
        lines.leave(done, compare(">=", at, told.load("buffer count")))
        buffer = KernelControl(lines, lines.bind(buffers.load(at)))
        numbered, many = buffer.array_at("numbered", 32), buffer.load("children")

        def child(place: Value) -> None:
            which, slot = lines.bind(children.load(place)), lines.bind(slots.load(place))
            with lines.when(compare("<", which, many)):  # it was not cut off
                tag = lines.bind(Value("and", NUMBER, (table.load(slot), number(~LOW))))
                table.store(lines, slot, make_entry(tag, lines.bind(numbered.load(which))))

        after = lines.bind(binary("add", listed, news.load(at)))
        lines.for_range(listed, binary("sub", after, number(1)), child)
        lines.set(listed, after)
        lines.add_to(at, number(1))
    lines.emit("return", number(0))
    return Function("enter", ("control",), NUMBER, lines.lines, is_inner=False)


def link_function(form: ExploredForm) -> Function:
    """`link(control)`: what follows each position of a buffer, by number; whether rows with one hash are the same."""
    lines = Lines()
    told = KernelControl(lines)
    edges, first_edge, start = told.array_at("edges", 32), told.load("edge count"), told.load("rows")
    ends, offsets, first = told.array_at("ends", 64), told.array_at("offsets", 32), told.load("first")
    blocks, last = told.array_at("blocks", 64), lines.bind(binary("sub", told.load("children"), number(1)))

    def child(which: Value) -> None:
        soon = lines.bind(
            result_of_child(lines, told, lines.bind(binary("min", binary("add", which, number(SOON)), last)))
        )
        with lines.when(compare("<", soon, number(NEW))):
            rows.prefetch_row(form, lines, rows.row_address(form, lines, blocks, soon), to_write=False)
        found = lines.variable(result_of_child(lines, told, which), "found")
        with lines.when(compare("is not", found, child_name(lines, told, which))) as line:
            with lines.when(compare(">=", found, number(NEW))):
                replace_child_name(told, found)
            row = lines.bind(binary("add", start, binary("mul", which, number(8 * len(form.words)))))
            is_same = rows.is_same_row(form, lines, row, rows.row_address(form, lines, blocks, found))
            with lines.when(invert(is_same)):
                told.store("unlike", number(1))
        with lines.otherwise(line):
            lines.set(found, told.array_at("numbered", 32).load(which))
        edges.store(lines, binary("add", first_edge, which), found)

    def parent(which: Value) -> None:
        place = binary("sub", which, first)
        offsets.store(lines, binary("add", which, number(1)), binary("add", first_edge, ends.load(place)))

    lines.for_range(number(0), last, child)
    lines.for_range(first, binary("sub", told.load("reached"), number(1)), parent)
    lines.emit("return", number(0))
    return Function("link", ("control",), NUMBER, lines.lines, is_inner=False)


def replace_child_name(told: KernelControl, found: Value) -> None:
    """In place of the name of a child, of whichever buffer."""
    lines, buffers = told.lines, told.array_at("buffers", 64)
    left, at = lines.variable(binary("sub", found, number(NEW)), "left"), lines.variable(number(0), "at")
    with lines.loop() as done:
        buffer = KernelControl(lines, lines.bind(buffers.load(at)))
        many = buffer.load("children")
        with lines.when(compare("<", left, many)):
            lines.set(found, buffer.array_at("numbered", 32).load(left))
            lines.leave(done)
        lines.set(left, binary("sub", left, many))
        lines.add_to(at, number(1))


def grow_function() -> Function:
    """`grow(control)`: all positions whose hashes are this thread's, into a table that is empty still."""
    lines = Lines()
    told = KernelControl(lines)
    table, hashes, mask = told.array_at("table", 64), told.array_at("found hashes", 64), told.load("mask")

    def one(which: Value) -> None:
        mixed = lines.bind(hashes.load(which))
        with lines.when(compare("=", owner_of_hash(lines, told, mixed), told.load("partition"))):
            slot = first_slot(lines, told, mixed)
            with lines.loop() as done:
                lines.leave(done, compare("=", table.load(slot), number(0)))
                advance_slot(lines, slot, mask)
            table.store(lines, slot, make_entry(hash_tag(mixed), which))

    lines.for_range(number(0), binary("sub", told.load("known"), number(1)), one)
    lines.emit("return", number(0))
    return Function("grow", ("control",), NUMBER, lines.lines, is_inner=False)
