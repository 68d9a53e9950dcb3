"""A shuffled pile put on or under another without being drawn from: its unordered part stays one.

Machine code knows one unordered part in a pile; where there would be two, the reference goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulesrun.dsl import ast
from rulesrun.interpreter.native import handling, places
from rulesrun.interpreter.native.form import X, both, compare, number
from rulesrun.interpreter.native.lists import listed
from rulesrun.interpreter.native.plan import LEFT, Scope, Store
from rulesrun.interpreter.native.several import Listed, Lying


def move_pile(scope: Scope, node: ast.Move, source: Store, target: Store, to: X, at_bottom: bool) -> None:
    lines = scope.lines
    index = lines.kept(places.index_of(scope, node.what))
    under, mixed, on = (part_listed(scope, part, index) for part in (source.bottom, source.inner, source.top))
    handling.clear(scope, source, index)
    is_known = compare("<=", amount_of(mixed), number(1))
    with lines.when(is_known) as line:
        for part in (under, mixed, on):
            if part is not None:
                part.each(scope, lambda kind: handling.put(scope, target, to, kind, node, at_bottom))
    with lines.otherwise(line):
        more = amount_of(mixed)
        for part in (under, on):
            more = both("add", more, amount_of(part))
        with room_for(scope, target, to, more, node):
            put_unordered(scope, node, (under, mixed, on), target, to, at_bottom)


@contextmanager
def room_for(scope: Scope, store: Store, index: X, more: X, node: ast.Node) -> Iterator[None]:
    """Inside, so many more can be put there; where they cannot, it is a fault."""
    if not store.is_limited:
        yield
        return
    total = both("add", handling.size(scope, store, index), more)
    fits = scope.lines.kept(compare("<=", total, number(store.capacity)))
    with scope.lines.when(fits) as line:
        yield
    with scope.lines.otherwise(line):
        scope.fault("zone-full", node)


def put_unordered(
    scope: Scope, node: ast.Move, parts: tuple[Listed | None, ...], target: Store, to: X, at_bottom: bool
) -> None:
    lines, (under, mixed, on) = scope.lines, parts
    inner, bottom, top = target.inner, target.bottom, target.top
    assert inner is not None
    assert bottom is not None
    assert top is not None
    is_mixed = lines.kept(compare(">", handling.size(scope, inner, to), number(1)))
    scope.fault_when(is_mixed, LEFT, node)
    there = listed(scope, Lying(target, to, limit=sum(target.kinds.copies)))
    handling.clear(scope, target, to)
    first, last = ((on, under) if at_bottom else (under, on))
    below, above = ((), (there,)) if at_bottom else ((there,), ())
    for part in (*below, *([first] if first is not None else [])):
        put_row(scope, part, bottom, to, at_bottom and part is first)
    if mixed is not None:
        mixed.each(scope, lambda kind: handling.put_in(scope, inner, to, kind, False))
    for part in (*([last] if last is not None else []), *above):
        put_row(scope, part, top, to, at_bottom and part is last)


def put_row(scope: Scope, part: Listed, row: Store, to: X, turned: bool) -> None:
    """One after the other; what goes under a pile one by one is turned round."""
    lines, last = scope.lines, both("sub", part.amount, number(1))

    def put(at: X) -> None:
        place = both("sub", last, at) if turned else at
        handling.push(scope, row, to, lines.kept(part.at(scope, lines.kept(place))))

    lines.count_through(number(0), last, put)


def part_listed(scope: Scope, part: Store | None, index: X) -> Listed | None:
    if part is None:
        return None
    found = listed(scope, Lying(part, index, limit=sum(part.kinds.copies)))
    found.low, found.high = 0, len(part.kinds) - 1
    return found


def amount_of(part: Listed | None) -> X:
    return part.amount if part is not None else number(0)
