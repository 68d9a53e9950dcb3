"""A position as a row of words and back: only what tells it from others, the rest as it is at the beginning.

Writes the functions `row of` and `position of`, `settled` and `copied`. A row is hashed and compared word by word.
"""

from __future__ import annotations

from rulesrun.interpreter.form.form import NUMBER, Field, Function, Value, binary, compare, local, logic, number
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.form.memory import HERE, MemoryArray, move_bytes
from rulesrun.interpreter.native.explore import records
from rulesrun.interpreter.native.explore.arrays import to_signed
from rulesrun.interpreter.native.explore.machine import ExploredForm
from rulesrun.interpreter.native.expressions import locations
from rulesrun.interpreter.native.flow import questions
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store, position_function

GOLDEN = number(to_signed(0x9E3779B97F4A7C15))
SEED = number(7046029254386353131)
LINE = 64  # bytes that go from one processor to another together
BLOCK_BITS = 16  # positions in one block of rows


def word_array(at: Value) -> MemoryArray:
    return MemoryArray(at, 64)


def row_function(form: ExploredForm) -> Function:
    """Writes the row of the position being worked on; gives its hash."""
    lines = Lines()
    asked = lines.bind(lines.load(form.plan.fields["pc"]))
    row, mixed = word_array(local("row")), lines.variable(SEED, "h")
    for at, word in enumerate(form.words):
        value = lines.bind(MemoryArray(HERE, 64).load(number(word.at // 8)))
        masks, rests = (value_at_question(form.plan, lines, several, asked) for several in (word.masks, word.rests))
        value = lines.bind(Value("or", NUMBER, (Value("and", NUMBER, (value, masks)), rests)))
        row.store(lines, number(at), value)
        mix_into_hash(lines, mixed, value)
    lines.emit("return", Value("mix", NUMBER, (mixed,)))
    return Function("row of", ("row",), NUMBER, lines.lines)


def mix_into_hash(lines: Lines, mixed: Value, value: Value) -> None:
    one = lines.bind(Value("mul", NUMBER, (Value("xor", NUMBER, (mixed, value)), GOLDEN)))
    lines.set(mixed, Value("xor", NUMBER, (one, Value("lshr", NUMBER, (one, number(32))))))


def value_at_question(plan: Plan, lines: Lines, several: tuple[int, ...], asked: Value) -> Value:
    """The value for the question; often it is the same for all."""
    values = tuple(to_signed(one) for one in several)
    if len(set(values)) == 1:
        return number(values[0])
    return lines.look_up(plan.add_constants("words", values), asked)


def unpack_row_function(form: ExploredForm) -> Function:
    """Puts a row back into a position that lies at an address."""
    lines = Lines()
    row, target = word_array(local("row")), word_array(local("target"))
    for at, word in enumerate(form.words):
        target.store(lines, number(word.at // 8), row.load(number(at)))
    lines.emit("return")
    return Function("position of row", ("row", "target"), None, lines.lines)


def copy_position(form: ExploredForm, lines: Lines, target: Value, source: Value) -> None:
    for at, amount in form.copied:
        move_bytes(lines, binary("add", target, number(at)), binary("add", source, number(at)), amount)


def row_address(form: ExploredForm, lines: Lines, blocks: MemoryArray, which: Value) -> Value:
    """Where the row of a position lies."""
    block = blocks.load(Value("lshr", NUMBER, (which, number(BLOCK_BITS))))
    inside = Value("and", NUMBER, (which, number((1 << BLOCK_BITS) - 1)))
    return lines.bind(binary("add", block, binary("mul", inside, number(8 * len(form.words)))))


def prefetch_row(form: ExploredForm, lines: Lines, row: Value, to_write: bool = True) -> None:
    for at in range(0, 8 * len(form.words) + LINE - 1, LINE):
        MemoryArray(binary("add", row, number(at)), 8).prefetch(lines, number(0), to_write)


def is_same_row(form: ExploredForm, lines: Lines, one: Value, other: Value) -> Value:
    """Whether two rows hold the same words."""
    same, at = lines.variable(number(1), "same"), lines.variable(number(0), "i")
    with lines.loop() as done:
        lines.leave(done, compare(">=", at, number(len(form.words))))
        with lines.when(compare("is not", word_array(one).load(at), word_array(other).load(at))):
            lines.set(same, number(0))
            lines.leave(done)
        lines.add_to(at, number(1))
    return compare("is not", same, number(0))


# ---- one form for positions that are the same


def settle_function(form: ExploredForm) -> Function:
    """What is written in several ways is written in one: rounds that nobody counts, what is left of an `each`,
    a pile of which everything is known again."""
    plan = form.plan

    def write(scope: Scope, given: list[Value]) -> None:
        lines = scope.lines
        if not form.keeps_rounds:
            place = plan.fields["round"]
            lines.store(place, binary("min", lines.load(place), number(1)))
        for places in form.lists:
            shift_list(scope, *places)
        for store in plan.stores.values():
            if store.shape == "bag" and store.bottom is not None and store.top is not None:
                for index in range(store.amount):
                    gather_pile(scope, store, number(index))
        for memory in form.memories:
            records.settle_memory(lines, memory)

    return position_function(plan, "settled", "settled", (), None, write)


def shift_list(scope: Scope, values: Field, at: Field, end: Field) -> None:
    """What has been gone through is gone."""
    lines = scope.lines
    with lines.when(compare(">", lines.load(end), number(0))):
        gone = lines.bind(lines.load(at))
        left = lines.bind(binary("sub", lines.load(end), gone))

        def one(to: Value) -> None:
            come = lines.variable(number(scope.plan.start_value(values)), "v")
            with lines.when(compare("<", to, left)):
                lines.set(come, lines.load(values, binary("add", to, gone)))
            lines.store(values, come, to)

        lines.for_range(number(0), number(values.amount - 1), one)
        lines.store(at, number(0))
        lines.store(end, left)


def gather_pile(scope: Scope, store: Store, index: Value) -> None:
    """With at most one component in the mixed part all of the pile is known: it lies in one row."""
    lines, bottom, inner, top = scope.lines, store.bottom, store.inner, store.top
    assert bottom is not None
    assert inner is not None
    assert top is not None
    several = lines.bind(containers.size_of(scope, inner, index))
    above = lines.bind(containers.size_of(scope, top, index))
    is_known, is_some = compare("<=", several, number(1)), compare(">", binary("add", several, above), number(0))
    with lines.when(logic("and", is_known, is_some)):
        for part in (inner, top):
            containers.for_each_located(
                scope, part, index, lambda kind, place: append_item(scope, bottom, index, kind, place)
            )
            containers.clear_store(scope, part, index)
        questions.clear_row_rest(scope, top, index)


def append_item(scope: Scope, store: Store, index: Value, kind: Value, place: Value) -> None:
    lines = scope.lines
    assert store.items is not None
    assert store.length is not None
    length = lines.bind(containers.length_of(scope, store, index))
    if locations.follows_draws(scope, store):
        locations.update_followed(
            scope, place, number(0), 0, binary("add", containers.first_place(scope, store, index), length)
        )
    lines.store(store.items, kind, containers.item_index(store, index, length))
    lines.store(store.length, binary("add", length, number(1)), index)




def block_size(form: ExploredForm) -> int:
    """A copy of a position, in bytes."""
    return (form.plan.size + 127) // 64 * 64
