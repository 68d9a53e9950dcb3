"""The words of the language in expressions: `player`, `count of`, `top of`, `left of`, `smallest(…)`, `total of`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.form.form import (
    NUMBER,
    CannotCompile,
    Value,
    as_number,
    binary,
    compare,
    logic,
    narrow,
    number,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.located_names import has_equals
from rulesrun.interpreter.native.expressions import fractions, lists, locations, places
from rulesrun.interpreter.native.expressions.collections import Collection, ZoneContents
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import Scope


def lower_word(scope: Scope, word: core.WordOperation) -> Value:
    match word:
        case core.Current(_, what):
            return lower_current(scope, what)
        case core.Opponents():
            raise CannotCompile(message("one value is needed here, but there is `opponents`"))
        case core.Count(_, collection):
            amount: Value = scope.lower_collection(collection).size(scope)
            return amount
        case core.EndOf():
            return lower_end_of(scope, word)
        case core.Neighbour(_, is_left, player):
            return lower_neighbour(scope, is_left, player)
        case core.SeatsFrom(_, start, player):
            return lower_seats_from(scope, start, player)
        case core.Extreme(_, is_smallest, arguments):
            return fold_extreme(is_smallest, [scope.lower_needed(argument) for argument in arguments])
        case core.PositionOf(_, item):
            by_place = has_equals(scope.bench, item)
            return locations.lower_position(scope, word) if by_place else lower_position(scope, word)
        case core.Times(_, memory):
            return narrow(scope.lines.load(scope.plan.fields[f"times in {memory.name.text}"]), 0, 1 << 30)
        case _:
            assert_never(word)


def lower_current(scope: Scope, what: str) -> Value:
    if what == "player":
        return scope.player
    found = scope.lines.load(scope.plan.fields[what])
    return narrow(found, 1, scope.bench.players) if what == "starter" else found


def fold_extreme(is_smallest: bool, values: Sequence[Value]) -> Value:
    found = values[0]
    for value in values[1:]:
        found = binary("min" if is_smallest else "max", found, value)
    return found


def lower_neighbour(scope: Scope, is_left: bool, owner: core.Operand) -> Value:
    """Clockwise is to the left: seat 2 is to the left of seat 1."""
    n, seat = number(scope.bench.players), places.lower_player(scope, owner)
    if is_left:
        return next_seat(scope, seat)
    return binary("add", binary("mod", binary("add", binary("sub", seat, number(2)), n), n), number(1))


def lower_seats_from(scope: Scope, start: core.Operand, player: core.Operand) -> Value:
    n = scope.bench.players
    first, seat = places.lower_player(scope, start), places.lower_player(scope, player)
    around = binary("mod", binary("add", binary("sub", seat, first), number(n)), number(n))
    return narrow(scope.lines.bind(around), 0, n - 1)


def next_seat(scope: Scope, seat: Value) -> Value:
    """The next seat, clockwise."""
    n = scope.bench.players
    seat = scope.lines.bind(seat)
    following = Value("select", NUMBER, (compare(">=", seat, number(n)), number(1), binary("add", seat, number(1))))
    return narrow(following, 1, n)


def lower_end_of(scope: Scope, asked: core.EndOf) -> Value:
    node, last = asked.node, asked.index < 0
    store = places.store_of(scope, asked.collection)
    collection: Collection = scope.lower_collection(asked.collection)
    if store is not None and store.shape == "bag":
        return lower_end_of_bag(scope, node, collection, last)
    scope.emit_fault_if(collection.is_empty(scope), "of-nothing", node)
    is_mixed = last and locations.unordered_part(scope, asked.collection) is not None
    which = scope.lines.bind(collection.size(scope)) if is_mixed else number(1)
    locations.item_is_known(scope, asked.collection, collection, which, node)
    end = collection.first_or_last(scope, last)
    if end is None:
        end = end_by_counting(scope, collection, last)
    return ensure_valid_kind(scope, end, node)


def end_by_counting(scope: Scope, collection: Collection, last: bool) -> Value:
    """The last or first, found by going through them; 0 where there is none."""
    lines, found = scope.lines, scope.lines.variable(number(0), "f")
    with lines.block() as done:
        def visit(one: Value) -> None:
            lines.set(found, as_number(one))
            if not last:
                lines.leave(done)

        collection.for_each(scope, visit)
    return found


def ensure_valid_kind(scope: Scope, value: Value, node: core.Operand) -> Value:
    """What was read from an empty place is no value: another one stands for it after the fault."""
    low, high = value.low, value.high
    value = scope.lines.bind(value)
    if low is None or high is None:
        return value
    wrong = logic("or", compare("<", value, number(low)), compare(">", value, number(high)))
    return scope.lines.bind(narrow(Value("select", NUMBER, (wrong, number(low), value)), low, high))


def lower_end_of_bag(scope: Scope, node: core.Operand, collection: Collection, last: bool) -> Value:
    """What is known to lie on or under a shuffled pile; a mixed part of one is known too."""

    assert isinstance(collection, ZoneContents)
    store, lines = collection.store, scope.lines
    index = lines.bind(collection.index)
    parts = [store.top, store.inner, store.bottom] if last else [store.bottom, store.inner, store.top]
    found = lines.variable(number(0), "f")
    with lines.block() as done:
        for part in parts:
            if part is None:
                continue
            size = lines.bind(containers.size_of(scope, part, index))
            with lines.when(compare(">", size, number(0))):
                if part is store.inner:
                    scope.emit_fault_if(compare(">", size, number(1)), "not-known-yet", node)

                def note(one: Value) -> None:
                    lines.set(found, one)
                    if not last:
                        lines.leave(done)

                containers.for_each_member(scope, part, index, note)
                lines.leave(done)
        scope.emit_fault("of-nothing", node)
    return narrow(found, 0, len(store.kinds) - 1)


def lower_position(scope: Scope, asked: core.PositionOf) -> Value:
    lines = scope.lines
    item, several = fractions.lower_at_common_scale(scope, asked.item, asked.collection)
    wanted = lines.bind(as_number(item))
    at, found = lines.variable(number(0), "i"), lines.variable(number(0), "f")
    levels = lists.list_depth_of(scope, asked.item)
    with lines.block() as done:
        def visit(one: Value) -> None:
            lines.add_to(at, number(1))
            with lines.when(lists.are_equal(scope, levels, as_number(one), wanted)):
                lines.set(found, at)
                lines.leave(done)

        several.for_each(scope, visit)
    locations.place_is_known(scope, asked, found)
    return found


# ---- score sheets


def seat_index(scope: Scope) -> Value:
    return binary("sub", scope.player, number(1))


def lower_place(scope: Scope, node: Located) -> Value:
    lines, fields = scope.lines, scope.plan.fields
    scope.emit_fault_if(compare("=", lines.load(fields["over"]), number(0)), "not-over-yet", node)
    return lines.load(fields["place"], seat_index(scope))


def lower_points(scope: Scope, asked: core.Points) -> Value:
    if asked.line is None:
        return load_points(scope, "latest total" if asked.is_latest else "total", 0)
    score, column = asked.line
    before = sum(len(one.lines) for one in scope.bench.scores[:score])
    return load_points(scope, "latest" if asked.is_latest else "counted", before + column)


def lower_total(scope: Scope) -> Value:
    return load_points(scope, "total", 0)


def load_points(scope: Scope, name: str, line: int) -> Value:
    """Of `player`, in a line of a table of points."""
    index = binary("add", seat_index(scope), number(line * scope.bench.players))
    return narrow(scope.lines.load(scope.plan.fields[name], index), -(1 << 50), 1 << 50)
