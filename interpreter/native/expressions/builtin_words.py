"""The words of the language in expressions: `player`, `count of`, `top of`, `left of`, `smallest(…)`, `total of`."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import BuiltinMeaning
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
from rulesrun.interpreter.native.expressions import aggregates, list_values, locations, names, places
from rulesrun.interpreter.native.expressions.collections import Collection, ZoneContents
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import Scope

OF: set[str] = {
    "count", "sum", "highest", "lowest", "list", "sorted", "top", "bottom", "first", "last", "left", "right",
}  # fmt: skip


def lower_word(scope: Scope, word: str, node: ast.Node) -> Value:
    fields, lines, n = scope.plan.fields, scope.lines, scope.bench.players
    match word:
        case "player":
            return scope.player
        case "players":
            return number(n)
        case "starter":
            return narrow(lines.load(fields["starter"]), 1, n)
        case "round":
            return lines.load(fields["round"])
        case "phase":
            return lines.load(fields["phase"])
        case "it":
            return names.load_element(scope, None)
        case "total":
            return lower_total(scope)
        case "place":
            return lower_place(scope, node)
        case _:
            raise CannotCompile(f"`{word}` is not compiled")


def lower_word_of(scope: Scope, word: str, node: ast.Of) -> Value:
    match word:
        case "count":
            amount: Value = scope.lower_collection(node.owner).size(scope)
            return amount
        case "left" | "right":
            return lower_neighbour(scope, word, node.owner)
        case "top" | "last":
            return lower_end_of(scope, node, True)
        case "bottom" | "first":
            return lower_end_of(scope, node, False)
        case "sum" | "highest" | "lowest":
            return aggregates.aggregate_collection(
                scope, word, scope.lower_collection(node.owner), node, list_values.list_depth_of(scope, node)
            )
        case _:
            raise CannotCompile(f"`{word} of` is not compiled here")


def lower_neighbour(scope: Scope, word: str, owner: ast.Expr) -> Value:
    """Clockwise is to the left: seat 2 is to the left of seat 1."""
    n, seat = number(scope.bench.players), places.lower_player(scope, owner)
    if word == "left":
        return next_seat(scope, seat)
    return binary("add", binary("mod", binary("add", binary("sub", seat, number(2)), n), n), number(1))


def next_seat(scope: Scope, seat: Value) -> Value:
    """The next seat, clockwise."""
    n = scope.bench.players
    seat = scope.lines.bind(seat)
    following = Value("select", NUMBER, (compare(">=", seat, number(n)), number(1), binary("add", seat, number(1))))
    return narrow(following, 1, n)


def lower_end_of(scope: Scope, node: ast.Of, last: bool) -> Value:
    store = places.store_of(scope, node.owner)
    collection: Collection = scope.lower_collection(node.owner)
    if store is not None and store.shape == "bag":
        return lower_end_of_bag(scope, node, collection, last)
    scope.emit_fault_if(collection.is_empty(scope), "of-nothing", node)
    which = (
        scope.lines.bind(collection.size(scope)) if last and locations.unordered_part(scope, node.owner) else number(1)
    )
    locations.item_is_known(scope, node.owner, collection, which, node)
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


def ensure_valid_kind(scope: Scope, value: Value, node: ast.Expr) -> Value:
    """What was read from an empty place is no value: another one stands for it after the fault."""
    low, high = value.low, value.high
    value = scope.lines.bind(value)
    if low is None or high is None:
        return value
    wrong = logic("or", compare("<", value, number(low)), compare(">", value, number(high)))
    return scope.lines.bind(narrow(Value("select", NUMBER, (wrong, number(low), value)), low, high))


def lower_end_of_bag(scope: Scope, node: ast.Of, collection: Collection, last: bool) -> Value:
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


def lower_word_call(scope: Scope, word: str, node: ast.Call) -> Value:
    match word:
        case "counted" | "latest":
            return lower_score_line(scope, word, node)
        case "times":
            return lower_times(scope, node)
        case "smallest" | "largest":
            found = scope.lower_needed(node.arguments[0])
            for argument in node.arguments[1:]:
                found = binary("min" if word == "smallest" else "max", found, scope.lower_needed(argument))
            return found
        case _:
            raise CannotCompile(f"`{word}` is not compiled")


def lower_position(scope: Scope, node: ast.Call, item: Value, several: Collection) -> Value:
    """Where the first that is like it stands, from 1; 0 where none is."""
    lines = scope.lines
    wanted = lines.bind(as_number(item))
    at, found = lines.variable(number(0), "i"), lines.variable(number(0), "f")
    levels = list_values.list_depth_of(scope, node.arguments[0])
    with lines.block() as done:
        def visit(one: Value) -> None:
            lines.add_to(at, number(1))
            with lines.when(list_values.are_equal(scope, levels, as_number(one), wanted)):
                lines.set(found, at)
                lines.leave(done)

        several.for_each(scope, visit)
    locations.place_is_known(scope, node, found)
    return found


def lower_times(scope: Scope, node: ast.Call) -> Value:
    name = node.arguments[0]
    meaning = scope.bench.meaning(name) if isinstance(name, ast.Name) else None
    assert isinstance(meaning, ast.Memory)
    return narrow(scope.lines.load(scope.plan.fields[f"times in {meaning.name.text}"]), 0, 1 << 30)


# ---- score sheets


def seat_index(scope: Scope) -> Value:
    return binary("sub", scope.player, number(1))


def lower_total(scope: Scope) -> Value:
    return narrow(scope.lines.load(scope.plan.fields["total"], seat_index(scope)), -(1 << 50), 1 << 50)


def lower_place(scope: Scope, node: ast.Node) -> Value:
    lines, fields = scope.lines, scope.plan.fields
    scope.emit_fault_if(compare("=", lines.load(fields["over"]), number(0)), "not-over-yet", node)
    return lines.load(fields["place"], seat_index(scope))


def lower_score_line(scope: Scope, word: str, node: ast.Call) -> Value:
    name = node.arguments[0]
    meaning = scope.bench.meaning(name) if isinstance(name, ast.Name) else None
    if isinstance(meaning, BuiltinMeaning):
        if word == "counted":
            return lower_total(scope)
        return narrow(scope.lines.load(scope.plan.fields["latest total"], seat_index(scope)), -(1 << 50), 1 << 50)
    at = 0
    for score in scope.bench.declarations(ast.Score):
        for one in score.lines:
            if one is meaning:
                index = binary("add", seat_index(scope), number(at * scope.bench.players))
                return narrow(scope.lines.load(scope.plan.fields[word], index), -(1 << 50), 1 << 50)
            at += 1
    raise CannotCompile("this asks for a line of the score")
