"""A position as a row of words and back: only what tells it from others, the rest as it is at the beginning.

Writes the functions `row of` and `position of`, `settled` and `copied`. A row is hashed and compared word by word.
"""

from __future__ import annotations

from rulesrun.interpreter.form.form import NUMBER, Field, Function, X, both, compare, local, logic, number
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.native.explore import records
from rulesrun.interpreter.native.explore.arrays import HERE, Array, move_bytes, signed
from rulesrun.interpreter.native.explore.machine import ExploredForm
from rulesrun.interpreter.native.expressions import locations
from rulesrun.interpreter.native.flow import questions
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store, position_function

GOLDEN = number(signed(0x9E3779B97F4A7C15))
SEED = number(7046029254386353131)
LINE = 64  # bytes that go from one processor to another together
BLOCK_BITS = 16  # positions in one block of rows


def words_at(at: X) -> Array:
    return Array(at, 64)


def row_function(form: ExploredForm) -> Function:
    """Writes the row of the position being worked on; gives its hash."""
    lines = Lines()
    asked = lines.kept(lines.load(form.plan.fields["pc"]))
    row, mixed = words_at(local("row")), lines.variable(SEED, "h")
    for at, word in enumerate(form.words):
        value = lines.kept(Array(HERE, 64).get(number(word.at // 8)))
        masks, rests = (choice_of(form.plan, lines, several, asked) for several in (word.masks, word.rests))
        value = lines.kept(X("or", NUMBER, (X("and", NUMBER, (value, masks)), rests)))
        row.put(lines, number(at), value)
        mix_in(lines, mixed, value)
    lines.add("return", X("mix", NUMBER, (mixed,)))
    return Function("row of", ("row",), NUMBER, lines.lines)


def mix_in(lines: Lines, mixed: X, value: X) -> None:
    one = lines.kept(X("mul", NUMBER, (X("xor", NUMBER, (mixed, value)), GOLDEN)))
    lines.set(mixed, X("xor", NUMBER, (one, X("lshr", NUMBER, (one, number(32))))))


def choice_of(plan: Plan, lines: Lines, several: tuple[int, ...], asked: X) -> X:
    """The value for the question; often it is the same for all."""
    values = tuple(signed(one) for one in several)
    if len(set(values)) == 1:
        return number(values[0])
    return lines.look_up(plan.table_of("words", values), asked)


def position_of_row(form: ExploredForm) -> Function:
    """Puts a row back into a position that lies at an address."""
    lines = Lines()
    row, target = words_at(local("row")), words_at(local("target"))
    for at, word in enumerate(form.words):
        target.put(lines, number(word.at // 8), row.get(number(at)))
    lines.add("return")
    return Function("position of row", ("row", "target"), None, lines.lines)


def copy_position(form: ExploredForm, lines: Lines, target: X, source: X) -> None:
    for at, amount in form.copied:
        move_bytes(lines, both("add", target, number(at)), both("add", source, number(at)), amount)


def row_address(form: ExploredForm, lines: Lines, blocks: Array, which: X) -> X:
    """Where the row of a position lies."""
    block = blocks.get(X("lshr", NUMBER, (which, number(BLOCK_BITS))))
    inside = X("and", NUMBER, (which, number((1 << BLOCK_BITS) - 1)))
    return lines.kept(both("add", block, both("mul", inside, number(8 * len(form.words)))))


def expect_row(form: ExploredForm, lines: Lines, row: X, to_write: bool = True) -> None:
    for at in range(0, 8 * len(form.words) + LINE - 1, LINE):
        Array(both("add", row, number(at)), 8).expect(lines, number(0), to_write)


def is_same_row(form: ExploredForm, lines: Lines, one: X, other: X) -> X:
    """Whether two rows hold the same words."""
    same, at = lines.variable(number(1), "same"), lines.variable(number(0), "i")
    with lines.loop() as done:
        lines.leave(done, compare(">=", at, number(len(form.words))))
        with lines.when(compare("is not", words_at(one).get(at), words_at(other).get(at))):
            lines.set(same, number(0))
            lines.leave(done)
        lines.add_to(at, number(1))
    return compare("is not", same, number(0))


# ---- one form for positions that are the same


def settling(form: ExploredForm) -> Function:
    """What is written in several ways is written in one: rounds that nobody counts, what is left of an `each`,
    a pile of which everything is known again."""
    plan = form.plan

    def write(scope: Scope, given: list[X]) -> None:
        lines = scope.lines
        if not form.keeps_rounds:
            place = plan.fields["round"]
            lines.store(place, both("min", lines.load(place), number(1)))
        for places in form.lists:
            shift(scope, *places)
        for store in plan.stores.values():
            if store.shape == "bag" and store.bottom is not None and store.top is not None:
                for index in range(store.amount):
                    gather(scope, store, number(index))
        for memory in form.memories:
            records.settle(lines, memory)

    return position_function(plan, "settled", "settled", (), None, write)


def shift(scope: Scope, values: Field, at: Field, end: Field) -> None:
    """What has been gone through is gone."""
    lines = scope.lines
    with lines.when(compare(">", lines.load(end), number(0))):
        gone = lines.kept(lines.load(at))
        left = lines.kept(both("sub", lines.load(end), gone))

        def one(to: X) -> None:
            come = lines.variable(number(scope.plan.start_of(values)), "v")
            with lines.when(compare("<", to, left)):
                lines.set(come, lines.load(values, both("add", to, gone)))
            lines.store(values, come, to)

        lines.count_through(number(0), number(values.amount - 1), one)
        lines.store(at, number(0))
        lines.store(end, left)


def gather(scope: Scope, store: Store, index: X) -> None:
    """With at most one component in the mixed part all of the pile is known: it lies in one row."""
    lines, bottom, inner, top = scope.lines, store.bottom, store.inner, store.top
    assert bottom is not None
    assert inner is not None
    assert top is not None
    several = lines.kept(containers.size(scope, inner, index))
    above = lines.kept(containers.size(scope, top, index))
    is_known, is_some = compare("<=", several, number(1)), compare(">", both("add", several, above), number(0))
    with lines.when(logic("and", is_known, is_some)):
        for part in (inner, top):
            containers.each_spot(scope, part, index, lambda kind, place: append(scope, bottom, index, kind, place))
            containers.clear(scope, part, index)
        questions.clean(scope, top, index)


def append(scope: Scope, store: Store, index: X, kind: X, place: X) -> None:
    lines = scope.lines
    assert store.items is not None
    assert store.length is not None
    length = lines.kept(containers.length_of(scope, store, index))
    if locations.follows_draws(scope, store):
        locations.change_all(scope, place, number(0), 0, both("add", containers.base_of_place(scope, store, index), length))
    lines.store(store.items, kind, containers.at_item(store, index, length))
    lines.store(store.length, both("add", length, number(1)), index)




def block_size(form: ExploredForm) -> int:
    """A copy of a position, in bytes."""
    return (form.plan.size + 127) // 64 * 64
