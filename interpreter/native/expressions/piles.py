"""A shuffled pile put on or under another without being drawn from: its unordered part stays one.

Machine code knows one unordered part in a pile; where there would be two, the reference goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from attrs import frozen

from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.form.form import Value, binary, compare, number
from rulesrun.interpreter.native.expressions import locations
from rulesrun.interpreter.native.expressions.collections import ValueList, ZoneContents
from rulesrun.interpreter.native.expressions.lists import collect_values
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import LEFT, Scope, Store


@frozen(eq=False)
class Part:
    """What lay there, one after the other, held under these numbers while somebody follows some of it."""

    kinds: ValueList
    first: Value

    @property
    def amount(self) -> Value:
        return self.kinds.amount

    def for_each_located(self, scope: Scope, body: Callable[[Value, Value], None], turned: bool = False) -> None:
        """Every component with its number; `turned`: the last first."""
        lines, last = scope.lines, binary("sub", self.amount, number(1))

        def show(at: Value) -> None:
            place = lines.bind(binary("sub", last, at)) if turned else at
            body(lines.bind(self.kinds.item_at(scope, place)), binary("add", self.first, place))

        lines.for_range(number(0), last, show)


Parts = tuple[Part | None, ...]
"""What lay under the unordered part, that part, and what lay on it."""


def take_pile(scope: Scope, node: Located, source: Store, index: Value) -> Parts:
    is_watched = locations.is_followed_during(scope.plan, node)
    parts = parts_taken(scope, (source.bottom, source.inner, source.top), index, number(0), is_watched)
    containers.clear_store(scope, source, index)
    return tuple(parts)


def put_pile(
    scope: Scope, node: Located, parts: Parts, target: Store, to: Value, at_bottom: bool, first: int = 0
) -> None:
    """`first`: so much was added to the numbers under which they are held."""
    lines, is_watched = scope.lines, locations.is_followed_during(scope.plan, node)
    if first:
        parts = tuple([
            Part(one.kinds, binary("add", one.first, number(first))) if one is not None else None for one in parts
        ])
    under, mixed, on = parts
    is_known = compare("<=", part_size(mixed), number(1))
    with lines.when(is_known) as line:
        for part in (under, mixed, on):
            if part is not None:
                part.for_each_located(scope, lambda kind, which: locations.put_located(
                    scope, target, to, kind, node, at_bottom, which, is_watched
                ))
    with lines.otherwise(line):
        more = part_size(mixed)
        for part in (under, on):
            more = binary("add", more, part_size(part))
        with checking_room(scope, target, to, more, node):
            put_unordered_pile(scope, node, (under, mixed, on), target, to, at_bottom)


@contextmanager
def checking_room(scope: Scope, store: Store, index: Value, more: Value, node: Located) -> Iterator[None]:
    """Inside, so many more can be put there; where they cannot, it is a fault."""
    if not store.is_limited:
        yield
        return
    total = binary("add", containers.size_of(scope, store, index), more)
    fits = scope.lines.bind(compare("<=", total, number(store.capacity)))
    with scope.lines.when(fits) as line:
        yield
    with scope.lines.otherwise(line):
        scope.emit_fault("zone-full", node)


def put_unordered_pile(
    scope: Scope, node: Located, parts: Parts, target: Store, to: Value, at_bottom: bool
) -> None:
    lines, is_watched, (under, mixed, on) = scope.lines, locations.is_followed_during(scope.plan, node), parts
    inner, bottom, top = target.inner, target.bottom, target.top
    assert inner is not None
    assert bottom is not None
    assert top is not None
    is_mixed = lines.bind(compare(">", containers.size_of(scope, inner, to), number(1)))
    scope.emit_fault_if(is_mixed, LEFT, node)
    held = number(0)
    for part in parts:
        held = binary("add", held, part_size(part))
    (there,) = parts_taken(scope, (target,), to, lines.bind(held), is_watched)
    assert there is not None
    containers.clear_store(scope, target, to)
    first, last = ((on, under) if at_bottom else (under, on))
    below, above = ((), (there,)) if at_bottom else ((there,), ())
    for part in (*below, *([first] if first is not None else [])):
        put_row(scope, part, bottom, to, at_bottom and part is first, is_watched)
    if mixed is not None:
        mixed.for_each_located(
            scope, lambda kind, which: locations.mix_one_in(scope, inner, to, kind, which, is_watched)
        )
    for part in (*([last] if last is not None else []), *above):
        put_row(scope, part, top, to, at_bottom and part is last, is_watched)


def put_row(scope: Scope, part: Part, row: Store, to: Value, turned: bool, is_watched: bool) -> None:
    """One after the other; what goes under a pile one by one is turned round."""

    def put(kind: Value, which: Value) -> None:
        if is_watched:
            locations.update_after_put(scope, row, to, containers.length_of(scope, row, to), which)
        containers.push_item(scope, row, to, kind)

    part.for_each_located(scope, put, turned)


def parts_taken(
    scope: Scope, parts: Sequence[Store | None], index: Value, first: Value, is_watched: bool
) -> list[Part | None]:
    """What lies in parts of a pile, listed; what is followed of it is held, numbered from `first` on."""
    lines, found = scope.lines, list[Part | None]()
    for part in parts:
        if part is None:
            found.append(None)
            continue
        kinds = collect_values(scope, ZoneContents(part, index, limit=sum(part.kinds.copies)))
        kinds.low, kinds.high = 0, len(part.kinds) - 1
        found.append(Part(kinds, first))
        if is_watched:
            which = lines.variable(first, "w")

            def hold(_kind: Value, place: Value, which: Value = which) -> None:
                locations.update_followed(scope, place, number(0), 0, binary("add", number(locations.HELD), which))
                lines.add_to(which, number(1))

            containers.for_each_located(scope, part, index, hold)
        first = lines.bind(binary("add", first, kinds.amount)) if is_watched else first
    return found


def part_size(part: Part | None) -> Value:
    return part.amount if part is not None else number(0)
