"""Positions that are alike, as lines: of all that a position can become one row stands for them.

What each symmetry does is data, laid out by `symmetry_tables`: items, one for each field that any of them changes.
An item says for every symmetry where its value comes from and what becomes of it; which items there are depends on
what is asked. Item by item the least is kept;
whichever symmetries are left in the end give the row, and make positions the same that are.
"""

from __future__ import annotations

from attrs import define, field

from rulesrun.interpreter.form.form import NUMBER, Function, Value, binary, compare, local, logic, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.form.memory import HERE, MemoryArray
from rulesrun.interpreter.native.explore import records, rows
from rulesrun.interpreter.native.explore.arrays import KernelControl
from rulesrun.interpreter.native.explore.machine import ExploredForm
from rulesrun.interpreter.native.explore.record_chains import KNOWN, RecordChains

# The numbers of an item.
ITEM = ("kind", "bits", "at", "count", "sources", "tables", "lengths", "length bits")
# A number; one word of a set, `count` words long; a number that is there below a length; one that is in use at some
# questions: then `lengths` says at which, and `count` where the position says what is asked. The two numbers by which
# the records of a memory are known again: `count` says which memory, `lengths` where is kept what is known of each.
PLAIN, SET, IN_ROW, IN_USE, RECORDS, RECORDS_TOO = range(6)


@define(eq=False)
class CanonicalRows:
    form: ExploredForm
    chains: RecordChains = field(init=False)
    row: Function = field(init=False)
    unrow: Function = field(init=False)
    value: Function = field(init=False)
    apply: Function = field(init=False)
    merge: Function = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.row, self.unrow = rows.row_function(self.form), rows.unpack_row_function(self.form)
        self.chains = RecordChains(self.form.plan, self.form.memories)
        self.value = item_value_function(self.chains)
        self.apply = apply_function(self.form, self.value)
        self.merge = merge_function(self)

    @property
    def functions(self) -> tuple[Function, ...]:
        return (*self.chains.functions, self.row, self.unrow, self.value, self.apply, self.merge)


def unpack_position(form: ExploredForm, alike: CanonicalRows, lines: Lines, told: KernelControl, which: Value) -> None:
    """A position as it was reached, put where the first of those stands from which somebody chooses."""
    row = rows.row_address(form, lines, told.array_at("blocks", 64), which)
    member, target = lines.bind(told.array_at("members", 16).load(which)), told.load("stacks")
    lines.emit("do", call(alike.unrow, row, target))
    with lines.when(compare("is not", member, number(0))):
        image = told.load("image")
        lines.emit("do", call(alike.unrow, row, image))
        for memory in form.memories:
            records.restore_memory(lines, memory, image, number(0))
        lines.emit("do", call(alike.apply, local("control"), member, image, target))
    for memory in form.memories:
        at = binary("add", binary("mul", which, number(len(form.memories))), number(memory.number))
        records.restore_memory(lines, memory, target, lines.bind(told.array_at("found records", 64).load(at)))


class LoadedItem:
    """The numbers of one item, as a kernel reads them."""

    def __init__(self, lines: Lines, address: Value) -> None:
        self.lines, self.numbers = lines, MemoryArray(address, 64)

    def load(self, name: str) -> Value:
        return self.lines.bind(self.numbers.load(number(ITEM.index(name))), "item")


@define(eq=False)
class QuestionItems:
    """Those for the question that the position at an address waits for: `stages` says where they lie, and how many."""

    form: ExploredForm
    lines: Lines
    told: KernelControl
    source: Value
    first: Value = field(init=False)
    many: Value = field(init=False)

    def __attrs_post_init__(self) -> None:
        place = self.form.plan.fields["pc"]
        asked = self.lines.bind(Value("peek", NUMBER, (binary("add", self.source, number(place.at)),), place.bits))
        stages, row = self.told.array_at("stages", 64), self.lines.bind(binary("mul", asked, number(2)))
        self.first = self.lines.bind(stages.load(row))
        self.many = self.lines.bind(stages.load(binary("add", row, number(1))))

    def item_address(self, which: Value) -> Value:
        return self.lines.bind(binary("add", self.first, binary("mul", which, number(8 * len(ITEM)))))


# ---- what becomes of one field

def item_value_function(chains: RecordChains) -> Function:
    """`value(item, member, source)`: what the item becomes, when the position at `source` is changed."""
    lines = Lines()
    item, member, source = LoadedItem(lines, local("item")), local("member"), local("source")
    kind, bits = item.load("kind"), item.load("bits")
    at = lines.bind(binary("add", source, MemoryArray(item.load("sources"), 64).load(member)))
    table = lines.bind(MemoryArray(item.load("tables"), 64).load(member))
    with lines.when(compare("=", kind, number(SET))):
        lines.emit("return", map_set_word(lines, item, at, table))
    value = lines.variable(load_signed(lines, at, bits), "v")
    for memory, image in chains.images.items():
        is_it = logic("and", compare(">=", kind, number(RECORDS)), compare("=", item.load("count"), number(memory)))
        with lines.when(logic("and", is_it, compare("is not", table, number(0)))):
            lines.emit("return", record_image(lines, item, image, table))
    with lines.when(compare("=", kind, number(IN_ROW))):
        length = binary("add", source, MemoryArray(item.load("lengths"), 64).load(member))
        many = load_signed(lines, lines.bind(length), item.load("length bits"))
        with lines.when(compare(">=", item.load("count"), many)):
            lines.emit("return", value)
    with lines.when(compare("=", kind, number(IN_USE))):
        place = lines.bind(binary("add", source, item.load("count")))
        asked = load_signed(lines, place, item.load("length bits"))
        with lines.when(compare("=", MemoryArray(item.load("lengths"), 64).load(asked), number(0))):
            lines.emit("return", value)
    with lines.when(compare("=", table, number(0))):
        lines.emit("return", value)
    known = MemoryArray(table, 64)  # the first number says how many there are
    is_in = logic("and", compare(">=", value, number(0)), compare("<", value, known.load(number(0))))
    with lines.when(is_in):
        lines.set(value, known.load(binary("add", value, number(1))))
    lines.emit("return", value)
    return Function("value of item", ("item", "member", "source"), NUMBER, lines.lines)


def record_image(lines: Lines, item: LoadedItem, image: Function, table: Value) -> Value:
    """The first number, or the second, which was found together with it."""
    width = number(8 * len(KNOWN))
    known = lines.bind(binary("add", item.load("lengths"), binary("mul", local("member"), width)))
    with lines.when(compare("=", item.load("kind"), number(RECORDS_TOO))):
        lines.emit("return", MemoryArray(known, 64).load(number(KNOWN.index("second"))))
    return lines.bind(call(image, table, known, local("source")))


def load_signed(lines: Lines, at: Value, bits: Value) -> Value:
    """A number of 8, 16, 32 or 64 bits, with its sign."""
    found = lines.variable(number(0), "n")
    for wide in (8, 16, 32, 64):
        with lines.when(compare("=", bits, number(wide))):
            value = lines.bind(Value("peek", NUMBER, (at,), wide))
            sign = number(1 << (wide - 1))
            signed = binary("sub", Value("xor", NUMBER, (value, sign)), sign) if wide < 64 else value
            lines.set(found, signed)
    return lines.bind(found)


def map_set_word(lines: Lines, item: LoadedItem, at: Value, table: Value) -> Value:
    """One word of a set: `length bits` says which; a bit for each kind that becomes one of its kinds."""
    found, word = lines.variable(number(0), "set"), lines.variable(number(0), "word")
    wanted, many, known = item.load("length bits"), item.load("count"), MemoryArray(table, 64)
    with lines.when(compare("=", table, number(0))):
        lines.emit("return", MemoryArray(at, 64).load(wanted))
    with lines.loop() as done:
        lines.leave(done, compare(">=", word, many))
        first = lines.bind(binary("mul", word, number(64)))

        def one(kind: Value) -> None:
            becomes = lines.bind(known.load(binary("add", binary("add", first, kind), number(1))))
            here = compare("=", Value("lshr", NUMBER, (becomes, number(6))), wanted)
            with lines.when(here):
                lines.set(found, Value("or", NUMBER, (found, Value("bit", NUMBER, (becomes,)))))

        lines.for_each_bit(MemoryArray(at, 64).load(word), one, 64)
        lines.add_to(word, number(1))
    return found


def apply_function(form: ExploredForm, value: Function) -> Function:
    """`apply(member, source, target)`: the whole position changed; what no symmetry changes is there already."""
    lines = Lines()
    member, source, target = local("member"), local("source"), local("target")
    items = QuestionItems(form, lines, KernelControl(lines), source)
    which = lines.variable(number(0), "i")
    with lines.loop() as done:
        lines.leave(done, compare(">=", which, items.many))
        address = items.item_address(which)
        item = LoadedItem(lines, address)
        found = lines.bind(call(value, address, member, source))
        at, bits = lines.bind(binary("add", target, item.load("at"))), item.load("bits")
        for wide in (8, 16, 32, 64):
            with lines.when(compare("=", bits, number(wide))):
                MemoryArray(at, wide).store(lines, number(0), found)
        lines.add_to(which, number(1))
    lines.emit("return")
    return Function("apply", ("control", "member", "source", "target"), None, lines.lines)


# ---- one row for all that are alike


def merge_function(alike: CanonicalRows) -> Function:
    """`merge(child, row, hash)`: writes the row that stands for the position being worked on; gives its hash."""
    form, lines = alike.form, Lines()
    told, child, row = KernelControl(lines), local("child"), local("row")
    lines.emit("do", call(alike.unrow, row, HERE))
    order = lines.bind(binary("add", told.load("group"), number(1)))
    survivors, many = told.array_at("survivors", 32), lines.variable(order, "many")
    lines.for_range(number(0), binary("sub", order, number(1)), lambda at: survivors.store(lines, at, at))
    items, which = QuestionItems(form, lines, told, HERE), lines.variable(number(0), "i")
    with lines.loop() as done:
        lines.leave(done, compare(">=", which, items.many))
        lines.leave(done, compare("=", many, number(1)))
        lines.set(many, keep_least(alike, lines, items.item_address(which), survivors, many))
        lines.add_to(which, number(1))
    told.array_at("sizes", 32).store(lines, child, Value("div", NUMBER, (order, many)))
    chosen, mixed = lines.bind(survivors.load(number(0))), lines.variable(local("hash"), "mixed")
    with lines.when(compare("is not", chosen, number(0))):
        image = told.load("image")
        rows.copy_position(form, lines, image, HERE)
        lines.emit("do", call(alike.apply, local("control"), chosen, HERE, image))
        rows.copy_position(form, lines, HERE, image)
        told.array_at("images", 16).store(lines, child, told.array_at("inverses", 16).load(chosen))
        lines.set(mixed, call(alike.row, row))
    lines.emit("return", mixed)
    return Function("merge", ("control", "child", "row", "hash"), NUMBER, lines.lines)


def keep_least(alike: CanonicalRows, lines: Lines, item: Value, survivors: MemoryArray, many: Value) -> Value:
    """The symmetries that make an item least move to the front; gives how many these are."""
    least, kept, at = (lines.variable(number(0), stem) for stem in ("least", "kept", "at"))
    with lines.loop() as done:
        lines.leave(done, compare(">=", at, many))
        member = lines.bind(survivors.load(at))
        value = lines.bind(call(alike.value, item, member, HERE))
        with lines.when(logic("or", compare("=", at, number(0)), compare("<", value, least))):
            lines.set(least, value)
            lines.set(kept, number(0))
        with lines.when(compare("=", value, least)):
            survivors.store(lines, kept, member)
            lines.add_to(kept, number(1))
        lines.add_to(at, number(1))
    return kept
