"""The words of the language in expressions: `player`, `count of`, `top of`, `left of`, `smallest(…)`, `total of`."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import BuiltinMeaning
from rulesrun.interpreter.form.form import NUMBER, CannotCompile, X, as_number, both, compare, known, logic, number
from rulesrun.interpreter.native.expressions import aggregates, list_values, locations, names, places
from rulesrun.interpreter.native.expressions.collections import Lying, Several
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import Scope

OF = {"count", "sum", "highest", "lowest", "list", "sorted", "top", "bottom", "first", "last", "left", "right"}


def alone(scope: Scope, word: str, node: ast.Node) -> X:
    fields, lines, n = scope.plan.fields, scope.lines, scope.bench.players
    match word:
        case "player":
            return scope.player
        case "players":
            return number(n)
        case "starter":
            return known(lines.load(fields["starter"]), 1, n)
        case "round":
            return lines.load(fields["round"])
        case "phase":
            return lines.load(fields["phase"])
        case "it":
            return names.element(scope, None)
        case "total":
            return total(scope)
        case "place":
            return place(scope, node)
        case _:
            raise CannotCompile(f"`{word}` is not compiled")


def of(scope: Scope, word: str, node: ast.Of) -> X:
    match word:
        case "count":
            amount: X = scope.several(node.owner).size(scope)
            return amount
        case "left" | "right":
            return neighbour(scope, word, node.owner)
        case "top" | "last":
            return end_of(scope, node, True)
        case "bottom" | "first":
            return end_of(scope, node, False)
        case "sum" | "highest" | "lowest":
            return aggregates.gathered(scope, word, scope.several(node.owner), node, list_values.depth_of(scope, node))
        case _:
            raise CannotCompile(f"`{word} of` is not compiled here")


def neighbour(scope: Scope, word: str, owner: ast.Expr) -> X:
    """Clockwise is to the left: seat 2 is to the left of seat 1."""
    n, seat = number(scope.bench.players), places.player_value(scope, owner)
    if word == "left":
        return after(scope, seat)
    return both("add", both("mod", both("add", both("sub", seat, number(2)), n), n), number(1))


def after(scope: Scope, seat: X) -> X:
    """The next seat, clockwise."""
    n = scope.bench.players
    seat = scope.lines.kept(seat)
    following = X("select", NUMBER, (compare(">=", seat, number(n)), number(1), both("add", seat, number(1))))
    return known(following, 1, n)


def end_of(scope: Scope, node: ast.Of, last: bool) -> X:
    store = places.store_of(scope, node.owner)
    collection: Several = scope.several(node.owner)
    if store is not None and store.shape == "bag":
        return end_of_bag(scope, node, collection, last)
    scope.fault_when(collection.is_empty(scope), "of-nothing", node)
    which = scope.lines.kept(collection.size(scope)) if last and locations.unordered_part(scope, node.owner) else number(1)
    locations.item_is_known(scope, node.owner, collection, which, node)
    end = collection.end(scope, last)
    if end is None:
        end = end_by_counting(scope, collection, last)
    return safe_kind(scope, end, node)


def end_by_counting(scope: Scope, collection: Several, last: bool) -> X:
    """The last or first, found by going through them; 0 where there is none."""
    lines, found = scope.lines, scope.lines.variable(number(0), "f")
    with lines.block() as done:
        def look(one: X) -> None:
            lines.set(found, as_number(one))
            if not last:
                lines.leave(done)

        collection.each(scope, look)
    return found


def safe_kind(scope: Scope, value: X, node: ast.Expr) -> X:
    """What was read from an empty place is no value: another one stands for it after the fault."""
    low, high = value.low, value.high
    value = scope.lines.kept(value)
    if low is None or high is None:
        return value
    wrong = logic("or", compare("<", value, number(low)), compare(">", value, number(high)))
    return scope.lines.kept(known(X("select", NUMBER, (wrong, number(low), value)), low, high))


def end_of_bag(scope: Scope, node: ast.Of, collection: Several, last: bool) -> X:
    """What is known to lie on or under a shuffled pile; a mixed part of one is known too."""

    assert isinstance(collection, Lying)
    store, lines = collection.store, scope.lines
    index = lines.kept(collection.index)
    parts = [store.top, store.inner, store.bottom] if last else [store.bottom, store.inner, store.top]
    found = lines.variable(number(0), "f")
    with lines.block() as done:
        for part in parts:
            if part is None:
                continue
            size = lines.kept(containers.size(scope, part, index))
            with lines.when(compare(">", size, number(0))):
                if part is store.inner:
                    scope.fault_when(compare(">", size, number(1)), "not-known-yet", node)

                def note(one: X) -> None:
                    lines.set(found, one)
                    if not last:
                        lines.leave(done)

                containers.each_member(scope, part, index, note)
                lines.leave(done)
        scope.fault("of-nothing", node)
    return known(found, 0, len(store.kinds) - 1)


def function(scope: Scope, word: str, node: ast.Call) -> X:
    match word:
        case "counted" | "latest":
            return line_of_score(scope, word, node)
        case "times":
            return times(scope, node)
        case "smallest" | "largest":
            found = scope.needed(node.arguments[0])
            for argument in node.arguments[1:]:
                found = both("min" if word == "smallest" else "max", found, scope.needed(argument))
            return found
        case _:
            raise CannotCompile(f"`{word}` is not compiled")


def position(scope: Scope, node: ast.Call, item: X, several: Several) -> X:
    """Where the first that is like it stands, from 1; 0 where none is."""
    lines = scope.lines
    wanted = lines.kept(as_number(item))
    at, found = lines.variable(number(0), "i"), lines.variable(number(0), "f")
    levels = list_values.depth_of(scope, node.arguments[0])
    with lines.block() as done:
        def look(one: X) -> None:
            lines.add_to(at, number(1))
            with lines.when(list_values.are_same(scope, levels, as_number(one), wanted)):
                lines.set(found, at)
                lines.leave(done)

        several.each(scope, look)
    locations.place_is_known(scope, node, found)
    return found


def times(scope: Scope, node: ast.Call) -> X:
    name = node.arguments[0]
    meaning = scope.bench.meaning(name) if isinstance(name, ast.Name) else None
    assert isinstance(meaning, ast.Memory)
    return known(scope.lines.load(scope.plan.fields[f"times in {meaning.name.text}"]), 0, 1 << 30)


# ---- score sheets


def seat_number(scope: Scope) -> X:
    return both("sub", scope.player, number(1))


def total(scope: Scope) -> X:
    return known(scope.lines.load(scope.plan.fields["total"], seat_number(scope)), -(1 << 50), 1 << 50)


def place(scope: Scope, node: ast.Node) -> X:
    lines, fields = scope.lines, scope.plan.fields
    scope.fault_when(compare("=", lines.load(fields["over"]), number(0)), "not-over-yet", node)
    return lines.load(fields["place"], seat_number(scope))


def line_of_score(scope: Scope, word: str, node: ast.Call) -> X:
    name = node.arguments[0]
    meaning = scope.bench.meaning(name) if isinstance(name, ast.Name) else None
    if isinstance(meaning, BuiltinMeaning):
        if word == "counted":
            return total(scope)
        return known(scope.lines.load(scope.plan.fields["latest total"], seat_number(scope)), -(1 << 50), 1 << 50)
    at = 0
    for score in scope.bench.of_class(ast.Score):
        for one in score.lines:
            if one is meaning:
                index = both("add", seat_number(scope), number(at * scope.bench.players))
                return known(scope.lines.load(scope.plan.fields[word], index), -(1 << 50), 1 << 50)
            at += 1
    raise CannotCompile("this asks for a line of the score")
