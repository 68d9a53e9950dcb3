"""What a seat sees of a position as one number, in machine code; and what an option says. For nodes of a search.

Two positions that the reference's `bots.tree_search.sight` finds alike have the same number.
"""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.interpreter.form.form import NOTHING, NUMBER, Field, Function, Value, as_number, binary, compare, number
from rulesrun.interpreter.model.random import GOLDEN, MASK, mix_word
from rulesrun.interpreter.native.expressions import options
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.flow.random_games import to_signed
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.memory_access import FunctionWriter, begin_function, finish_function
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store
from rulesrun.interpreter.play.visibility import can_see

ALWAYS = ("round", "starter", "phase", "total")
START = 0x6A09E667F3BCC909


def combine_hashes(one: Value, other: Value) -> Value:
    """Two numbers as one; which comes first matters."""
    return Value(
        "mix", NUMBER, (Value("add", NUMBER, (Value("xor", NUMBER, (one, other)), number(to_signed(GOLDEN)))),)
    )


def combine_hash_values(one: int, other: int) -> int:
    """The same, of numbers that are known."""
    return mix_word(((one ^ (other & MASK)) + GOLDEN) & MASK)


# ---- options


def hash_option(entry: int, values: tuple[int | None, ...]) -> int:
    found = mix_word(entry + 1)
    for value in values:
        found = combine_hash_values(found, NOTHING if value is None else int(value))
    return found


def option_key(plan: Plan, questions: tuple[Question, ...]) -> Function:
    """Of the option that was taken up last."""
    function, writing = begin_function(plan, "option key", (), NUMBER)
    lines = writing.lines
    here, entry = writing.load("pc"), writing.load("entry")
    for question in questions:
        with lines.when(compare("=", here, number(question.number))):
            for at, action in enumerate(question.actions):
                with lines.when(compare("=", entry, number(at))):
                    key = Value("mix", NUMBER, (number(at + 1),))
                    for place in options.choice_registers(plan, action):
                        key = lines.bind(combine_hashes(key, lines.load(place)) if place.amount == 1
                                         else all_joined(writing, key, place))
                    lines.emit("return", key)
    lines.emit("return", number(0))
    return finish_function(function, writing)


def all_joined(writing: FunctionWriter, key: Value, place: Field) -> Value:
    """With all values of a list, or of what is chosen at once."""
    found = writing.lines.variable(key, "h")
    for_each_value(
        writing, place, 0, place.amount, lambda value: writing.lines.set(found, combine_hashes(found, value))
    )
    return found


# ---- what is seen


def view_hash_function(plan: Plan, seat: int) -> Function:
    function, writing = begin_function(plan, f"seen by {seat}", (), NUMBER)
    lines = writing.lines
    scope, key = Scope(plan, lines, number(1)), lines.variable(number(to_signed(START)), "h")

    def add(value: Value) -> None:
        lines.set(key, combine_hashes(key, as_number(value)))

    for name in ALWAYS:
        for_each_value(writing, plan.fields[name], 0, plan.fields[name].amount, add)
    for room in plan.bench.zones_at_table:
        store = plan.stores[id(room.declaration)]
        for instance in range(room.amount):
            if room.declaration.visibility == "public top":
                add(containers.size_of(scope, store, number(instance)))
                add(known_top(scope, store, instance))
            elif can_see(room, instance, seat):
                add_store_content(writing, scope, store, instance, add)
            else:
                add(containers.size_of(scope, store, number(instance)))
    for variable in plan.bench.variables.values():
        place = plan.variables[id(variable.declaration)]
        each = place.amount // variable.amount
        for instance in range(variable.amount):
            if can_see(variable, instance, seat):
                for_each_value(writing, place, instance * each, each, add)
    lines.emit("return", key)
    return finish_function(function, writing)


def for_each_value(
    writing: FunctionWriter, place: Field, first: int, amount: int, add: Callable[[Value], None]
) -> None:
    lines = writing.lines
    if amount == 1:
        add(lines.load(place, number(first)))
    else:
        lines.for_range(number(first), number(first + amount - 1), lambda at: add(lines.load(place, at)))


def add_store_content(
    writing: FunctionWriter, scope: Scope, store: Store, instance: int, add: Callable[[Value], None]
) -> None:
    lines = writing.lines
    match store.shape:
        case "bits":
            assert store.members is not None
            words = store.members.bits // 64
            first = store.members.at // 8 + instance * words
            for_each_value(writing, writing.plan.fields["memory 64"], first, words, add)
        case "counts":
            assert store.members is not None
            for_each_value(writing, store.members, instance * len(store.kinds), len(store.kinds), add)
        case "row":
            length = lines.bind(containers.length_of(scope, store, number(instance)))
            add(length)
            last = binary("sub", length, number(1))
            lines.for_range(number(0), last, lambda at: add(containers.item_at(scope, store, number(instance), at)))
        case _:
            for part in (store.bottom, store.inner, store.top):
                if part is not None:
                    add_store_content(writing, scope, part, instance, add)


def known_top(scope: Scope, store: Store, instance: int) -> Value:
    """What lies on top, where that is known; else nothing. One that is alone in a shuffled part is known."""
    lines, index = scope.lines, number(instance)
    found = lines.variable(number(NOTHING), "t")
    with lines.block() as done:
        for part in containers.parts_of(store):
            size = lines.bind(containers.size_of(scope, part, index))
            if part.shape == "row":
                with lines.when(compare(">", size, number(0))):
                    lines.set(found, containers.item_at(scope, part, index, binary("sub", size, number(1))))
                    lines.leave(done)
            else:
                with lines.when(compare("=", size, number(1))):
                    containers.for_each_member(scope, part, index, lambda kind: lines.set(found, kind))
                lines.leave(done, compare(">", size, number(0)))
    return found
