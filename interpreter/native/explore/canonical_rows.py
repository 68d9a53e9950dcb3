"""Positions that are alike, as lines: of all that a position can become one row stands for them.

What each symmetry does is data, laid out by `exploring_tables`: items, one for each field that any of them changes.
An item says for every symmetry where its value comes from and what becomes of it; which items there are depends on
what is asked. Item by item the least is kept;
whichever symmetries are left in the end give the row, and make positions the same that are.
"""

from __future__ import annotations

from attrs import define, field

from rulesrun.interpreter.form.form import NUMBER, Function, X, both, compare, local, logic, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.native.explore import records, rows
from rulesrun.interpreter.native.explore.arrays import HERE, Array, Told
from rulesrun.interpreter.native.explore.machine import ExploredForm
from rulesrun.interpreter.native.explore.record_chains import KNOWN, Chains

# The numbers of an item.
ITEM = ("kind", "bits", "at", "count", "sources", "tables", "lengths", "length bits")
# A number; one word of a set, `count` words long; a number that is there below a length; one that is in use at some
# questions: then `lengths` says at which, and `count` where the position says what is asked. The two numbers by which
# the records of a memory are known again: `count` says which memory, `lengths` where is kept what is known of each.
PLAIN, SET, IN_ROW, IN_USE, RECORDS, RECORDS_TOO = range(6)


@define(eq=False)
class Alike:
    form: ExploredForm
    chains: Chains = field(init=False)
    row: Function = field(init=False)
    unrow: Function = field(init=False)
    value: Function = field(init=False)
    apply: Function = field(init=False)
    merge: Function = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.row, self.unrow = rows.row_function(self.form), rows.position_of_row(self.form)
        self.chains = Chains(self.form.plan, self.form.memories)
        self.value = value_function(self.chains)
        self.apply = apply_function(self.form, self.value)
        self.merge = merge_function(self)

    @property
    def functions(self) -> tuple[Function, ...]:
        return (*self.chains.functions, self.row, self.unrow, self.value, self.apply, self.merge)


def unpack(form: ExploredForm, alike: Alike, lines: Lines, told: Told, which: X) -> None:
    """A position as it was reached, put where the first of those stands from which somebody chooses."""
    row = rows.row_address(form, lines, told.of("blocks", 64), which)
    member, target = lines.kept(told.of("members", 16).get(which)), told.get("stacks")
    lines.add("do", call(alike.unrow, row, target))
    with lines.when(compare("is not", member, number(0))):
        image = told.get("image")
        lines.add("do", call(alike.unrow, row, image))
        for memory in form.memories:
            records.put_back(lines, memory, image, number(0))
        lines.add("do", call(alike.apply, local("control"), member, image, target))
    for memory in form.memories:
        at = both("add", both("mul", which, number(len(form.memories))), number(memory.number))
        records.put_back(lines, memory, target, lines.kept(told.of("found records", 64).get(at)))


class Item:
    """The numbers of one item, as a kernel reads them."""

    def __init__(self, lines: Lines, address: X) -> None:
        self.lines, self.numbers = lines, Array(address, 64)

    def get(self, name: str) -> X:
        return self.lines.kept(self.numbers.get(number(ITEM.index(name))), "item")


@define(eq=False)
class Items:
    """Those for the question that the position at an address waits for: `stages` says where they lie, and how many."""

    form: ExploredForm
    lines: Lines
    told: Told
    source: X
    first: X = field(init=False)
    many: X = field(init=False)

    def __attrs_post_init__(self) -> None:
        place = self.form.plan.fields["pc"]
        asked = self.lines.kept(X("peek", NUMBER, (both("add", self.source, number(place.at)),), place.bits))
        stages, row = self.told.of("stages", 64), self.lines.kept(both("mul", asked, number(2)))
        self.first = self.lines.kept(stages.get(row))
        self.many = self.lines.kept(stages.get(both("add", row, number(1))))

    def at(self, which: X) -> X:
        return self.lines.kept(both("add", self.first, both("mul", which, number(8 * len(ITEM)))))


# ---- what becomes of one field

def value_function(chains: Chains) -> Function:
    """`value(item, member, source)`: what the item becomes, when the position at `source` is changed."""
    lines = Lines()
    item, member, source = Item(lines, local("item")), local("member"), local("source")
    kind, bits = item.get("kind"), item.get("bits")
    at = lines.kept(both("add", source, Array(item.get("sources"), 64).get(member)))
    table = lines.kept(Array(item.get("tables"), 64).get(member))
    with lines.when(compare("=", kind, number(SET))):
        lines.add("return", set_value(lines, item, at, table))
    value = lines.variable(number_at(lines, at, bits), "v")
    for memory, image in chains.images.items():
        is_it = logic("and", compare(">=", kind, number(RECORDS)), compare("=", item.get("count"), number(memory)))
        with lines.when(logic("and", is_it, compare("is not", table, number(0)))):
            lines.add("return", recorded(lines, item, image, table))
    with lines.when(compare("=", kind, number(IN_ROW))):
        length = both("add", source, Array(item.get("lengths"), 64).get(member))
        many = number_at(lines, lines.kept(length), item.get("length bits"))
        with lines.when(compare(">=", item.get("count"), many)):
            lines.add("return", value)
    with lines.when(compare("=", kind, number(IN_USE))):
        place = lines.kept(both("add", source, item.get("count")))
        asked = number_at(lines, place, item.get("length bits"))
        with lines.when(compare("=", Array(item.get("lengths"), 64).get(asked), number(0))):
            lines.add("return", value)
    with lines.when(compare("=", table, number(0))):
        lines.add("return", value)
    known = Array(table, 64)  # the first number says how many there are
    is_in = logic("and", compare(">=", value, number(0)), compare("<", value, known.get(number(0))))
    with lines.when(is_in):
        lines.set(value, known.get(both("add", value, number(1))))
    lines.add("return", value)
    return Function("value of item", ("item", "member", "source"), NUMBER, lines.lines)


def recorded(lines: Lines, item: Item, image: Function, table: X) -> X:
    """The first number, or the second, which was found together with it."""
    width = number(8 * len(KNOWN))
    known = lines.kept(both("add", item.get("lengths"), both("mul", local("member"), width)))
    with lines.when(compare("=", item.get("kind"), number(RECORDS_TOO))):
        lines.add("return", Array(known, 64).get(number(KNOWN.index("second"))))
    return lines.kept(call(image, table, known, local("source")))


def number_at(lines: Lines, at: X, bits: X) -> X:
    """A number of 8, 16, 32 or 64 bits, with its sign."""
    found = lines.variable(number(0), "n")
    for wide in (8, 16, 32, 64):
        with lines.when(compare("=", bits, number(wide))):
            value = lines.kept(X("peek", NUMBER, (at,), wide))
            sign = number(1 << (wide - 1))
            signed = both("sub", X("xor", NUMBER, (value, sign)), sign) if wide < 64 else value
            lines.set(found, signed)
    return lines.kept(found)


def set_value(lines: Lines, item: Item, at: X, table: X) -> X:
    """One word of a set: `length bits` says which; a bit for each kind that becomes one of its kinds."""
    found, word = lines.variable(number(0), "set"), lines.variable(number(0), "word")
    wanted, many, known = item.get("length bits"), item.get("count"), Array(table, 64)
    with lines.when(compare("=", table, number(0))):
        lines.add("return", Array(at, 64).get(wanted))
    with lines.loop() as done:
        lines.leave(done, compare(">=", word, many))
        first = lines.kept(both("mul", word, number(64)))

        def one(kind: X) -> None:
            becomes = lines.kept(known.get(both("add", both("add", first, kind), number(1))))
            here = compare("=", X("lshr", NUMBER, (becomes, number(6))), wanted)
            with lines.when(here):
                lines.set(found, X("or", NUMBER, (found, X("bit", NUMBER, (becomes,)))))

        lines.each_bit(Array(at, 64).get(word), one, 64)
        lines.add_to(word, number(1))
    return found


def apply_function(form: ExploredForm, value: Function) -> Function:
    """`apply(member, source, target)`: the whole position changed; what no symmetry changes is there already."""
    lines = Lines()
    member, source, target = local("member"), local("source"), local("target")
    items = Items(form, lines, Told(lines), source)
    which = lines.variable(number(0), "i")
    with lines.loop() as done:
        lines.leave(done, compare(">=", which, items.many))
        address = items.at(which)
        item = Item(lines, address)
        found = lines.kept(call(value, address, member, source))
        at, bits = lines.kept(both("add", target, item.get("at"))), item.get("bits")
        for wide in (8, 16, 32, 64):
            with lines.when(compare("=", bits, number(wide))):
                Array(at, wide).put(lines, number(0), found)
        lines.add_to(which, number(1))
    lines.add("return")
    return Function("apply", ("control", "member", "source", "target"), None, lines.lines)


# ---- one row for all that are alike


def merge_function(alike: Alike) -> Function:
    """`merge(child, row, hash)`: writes the row that stands for the position being worked on; gives its hash."""
    form, lines = alike.form, Lines()
    told, child, row = Told(lines), local("child"), local("row")
    lines.add("do", call(alike.unrow, row, HERE))
    order = lines.kept(both("add", told.get("group"), number(1)))
    survivors, many = told.of("survivors", 32), lines.variable(order, "many")
    lines.count_through(number(0), both("sub", order, number(1)), lambda at: survivors.put(lines, at, at))
    items, which = Items(form, lines, told, HERE), lines.variable(number(0), "i")
    with lines.loop() as done:
        lines.leave(done, compare(">=", which, items.many))
        lines.leave(done, compare("=", many, number(1)))
        lines.set(many, keep_least(alike, lines, items.at(which), survivors, many))
        lines.add_to(which, number(1))
    told.of("sizes", 32).put(lines, child, X("div", NUMBER, (order, many)))
    chosen, mixed = lines.kept(survivors.get(number(0))), lines.variable(local("hash"), "mixed")
    with lines.when(compare("is not", chosen, number(0))):
        image = told.get("image")
        rows.copy_position(form, lines, image, HERE)
        lines.add("do", call(alike.apply, local("control"), chosen, HERE, image))
        rows.copy_position(form, lines, HERE, image)
        told.of("images", 16).put(lines, child, told.of("inverses", 16).get(chosen))
        lines.set(mixed, call(alike.row, row))
    lines.add("return", mixed)
    return Function("merge", ("control", "child", "row", "hash"), NUMBER, lines.lines)


def keep_least(alike: Alike, lines: Lines, item: X, survivors: Array, many: X) -> X:
    """The symmetries that make an item least move to the front; gives how many these are."""
    least, kept, at = (lines.variable(number(0), stem) for stem in ("least", "kept", "at"))
    with lines.loop() as done:
        lines.leave(done, compare(">=", at, many))
        member = lines.kept(survivors.get(at))
        value = lines.kept(call(alike.value, item, member, HERE))
        with lines.when(logic("or", compare("=", at, number(0)), compare("<", value, least))):
            lines.set(least, value)
            lines.set(kept, number(0))
        with lines.when(compare("=", value, least)):
            survivors.put(lines, kept, member)
            lines.add_to(kept, number(1))
        lines.add_to(at, number(1))
    return kept
