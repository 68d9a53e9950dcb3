"""What a seat sees of a position as one number, in machine code; and what an option says. For nodes of a search.

Two positions that the reference's `bots.search.sight` finds alike have the same number.
"""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.interpreter.form.form import NOTHING, NUMBER, Field, Function, X, as_number, both, compare, number
from rulesrun.interpreter.model.random import GOLDEN, MASK, mix
from rulesrun.interpreter.native.expressions import options
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.flow.random_games import signed
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.memory_access import Writing, finished, written
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store
from rulesrun.interpreter.play.visibility import sees

ALWAYS = ("round", "starter", "phase", "total")
START = 0x6A09E667F3BCC909


def joined(one: X, other: X) -> X:
    """Two numbers as one; which comes first matters."""
    return X("mix", NUMBER, (X("add", NUMBER, (X("xor", NUMBER, (one, other)), number(signed(GOLDEN)))),))


def joined_number(one: int, other: int) -> int:
    """The same, of numbers that are known."""
    return mix(((one ^ (other & MASK)) + GOLDEN) & MASK)


# ---- options


def option_number(entry: int, values: tuple[int | None, ...]) -> int:
    found = mix(entry + 1)
    for value in values:
        found = joined_number(found, NOTHING if value is None else int(value))
    return found


def option_key(plan: Plan, questions: tuple[Question, ...]) -> Function:
    """Of the option that was taken up last."""
    function, writing = written(plan, "option key", (), NUMBER)
    lines = writing.lines
    here, entry = writing.load("pc"), writing.load("entry")
    for question in questions:
        with lines.when(compare("=", here, number(question.number))):
            for at, action in enumerate(question.actions):
                with lines.when(compare("=", entry, number(at))):
                    key = X("mix", NUMBER, (number(at + 1),))
                    for place in options.registers(plan, action):
                        key = lines.kept(joined(key, lines.load(place)) if place.amount == 1
                                         else all_joined(writing, key, place))
                    lines.add("return", key)
    lines.add("return", number(0))
    return finished(function, writing)


def all_joined(writing: Writing, key: X, place: Field) -> X:
    """With all values of a list, or of what is chosen at once."""
    found = writing.lines.variable(key, "h")
    each_of(writing, place, 0, place.amount, lambda value: writing.lines.set(found, joined(found, value)))
    return found


# ---- what is seen


def seen_number(plan: Plan, seat: int) -> Function:
    function, writing = written(plan, f"seen by {seat}", (), NUMBER)
    lines = writing.lines
    scope, key = Scope(plan, lines, number(1)), lines.variable(number(signed(START)), "h")

    def add(value: X) -> None:
        lines.set(key, joined(key, as_number(value)))

    for name in ALWAYS:
        each_of(writing, plan.fields[name], 0, plan.fields[name].amount, add)
    for room in plan.bench.zones.values():
        store = plan.stores[id(room.declaration)]
        for instance in range(room.amount):
            if room.declaration.visibility == "public top":
                add(containers.size(scope, store, number(instance)))
                add(top_of(scope, store, instance))
            elif sees(room, instance, seat):
                add_content(writing, scope, store, instance, add)
            else:
                add(containers.size(scope, store, number(instance)))
    for variable in plan.bench.variables.values():
        place = plan.variables[id(variable.declaration)]
        each = place.amount // variable.amount
        for instance in range(variable.amount):
            if sees(variable, instance, seat):
                each_of(writing, place, instance * each, each, add)
    lines.add("return", key)
    return finished(function, writing)


def each_of(writing: Writing, place: Field, first: int, amount: int, add: Callable[[X], None]) -> None:
    lines = writing.lines
    if amount == 1:
        add(lines.load(place, number(first)))
    else:
        lines.count_through(number(first), number(first + amount - 1), lambda at: add(lines.load(place, at)))


def add_content(writing: Writing, scope: Scope, store: Store, instance: int, add: Callable[[X], None]) -> None:
    lines = writing.lines
    match store.shape:
        case "bits":
            assert store.members is not None
            words = store.members.bits // 64
            first = store.members.at // 8 + instance * words
            each_of(writing, writing.plan.fields["memory 64"], first, words, add)
        case "counts":
            assert store.members is not None
            each_of(writing, store.members, instance * len(store.kinds), len(store.kinds), add)
        case "row":
            length = lines.kept(containers.length_of(scope, store, number(instance)))
            add(length)
            last = both("sub", length, number(1))
            lines.count_through(number(0), last, lambda at: add(containers.item_at(scope, store, number(instance), at)))
        case _:
            for part in (store.bottom, store.inner, store.top):
                if part is not None:
                    add_content(writing, scope, part, instance, add)


def top_of(scope: Scope, store: Store, instance: int) -> X:
    """What lies on top, where that is known; else nothing. One that is alone in a shuffled part is known."""
    lines, index = scope.lines, number(instance)
    found = lines.variable(number(NOTHING), "t")
    with lines.block() as done:
        for part in containers.parts_of(store):
            size = lines.kept(containers.size(scope, part, index))
            if part.shape == "row":
                with lines.when(compare(">", size, number(0))):
                    lines.set(found, containers.item_at(scope, part, index, both("sub", size, number(1))))
                    lines.leave(done)
            else:
                with lines.when(compare("=", size, number(1))):
                    containers.each_member(scope, part, index, lambda kind: lines.set(found, kind))
                lines.leave(done, compare(">", size, number(0)))
    return found
