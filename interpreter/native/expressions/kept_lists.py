"""A list that is kept while the game goes on: chosen, gone through one after the other, asked `before`.

Takes expressions, gives cells of a position: how many there are, then one after the other; of lists among lists each
again so, and what is left is empty. So equal lists lie there alike. What does not fit is left to the reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.form.form import NO, NOTHING, YES, Field, Value, binary, compare, invert, narrow, number
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.domains import list_order_values
from rulesrun.interpreter.model.work_bounds import WorkBounds
from rulesrun.interpreter.native.expressions import lists
from rulesrun.interpreter.native.layout.plan import LEFT, Plan, Scope

MOST_CELLS = 1 << 12  # of all lists that one statement goes through
UNKNOWN_LENGTH = 16

Lengths = tuple[int, ...]
"""How long a list is at most, then each in it, and so on."""


# ---- how long lists are


def lengths(plan: Plan, node: core.Operand, levels: int) -> Lengths:
    """At most, as far as it can be seen; `levels`: how many times it is a list."""
    if not levels:
        return ()
    ready = plan.bench.ready.get(id(node))
    if ready is not None and ready[1].is_constant:
        return of_value(ready[1].value, levels)
    found = of_parts(plan, node, levels)
    first = min(found[0], lists.LONGEST) if found else WorkBounds(plan.bench).collection_size(node)
    return (min(first, lists.LONGEST), *found[1:], *[UNKNOWN_LENGTH] * (levels - max(len(found), 1)))


def of_value(value: object, levels: int) -> Lengths:
    if not levels or not isinstance(value, (tuple, range)):
        return (0,) * levels
    return (len(value), *longest([of_value(one, levels - 1) for one in value], levels - 1))


def longest(several: list[Lengths], levels: int) -> Lengths:
    return tuple(max((one[level] for one in several), default=0) for level in range(levels))


def of_parts(plan: Plan, node: core.Operand, levels: int) -> Lengths:
    """Of what it is made of; empty where that does not say it."""
    lowered = lower_expression(plan.bench, node)
    match lowered:
        case core.SetOf(_, items):
            inner = [lengths(plan, one.parts[0], levels - 1) for one in items if len(one.parts) == 1]
            return (len(items), *longest(inner, levels - 1))
        case core.IfElse(_, _, then, otherwise):
            return longest([lengths(plan, one, levels) for one in (then, otherwise)], levels)
        case core.Aggregate(word="list" | "sorted", body=body, each=each):
            return (lengths(plan, each.collection, 1)[0], *lengths(plan, body, levels - 1))
        case core.Aggregate(body=inner) | core.Before(_, inner) | core.ForPlayer(subject=inner):
            return lengths(plan, inner, levels)
        case core.Filter(_, collection) | core.Best(word="those", each=core.Each(collection=collection)):
            return lengths(plan, collection, levels)
        case core.Fold(_, "list" | "sorted", collection):
            return lengths(plan, collection, levels)
        case core.Best(each=core.Each(collection=several)):
            return lengths(plan, several, levels + 1)[1:]
        case core.Fold(collection=several) | core.EndOf(collection=several) | core.ItemAt(collection=several):
            return lengths(plan, several, levels + 1)[1:]
        case core.Register(_, core.Each(collection=several) | core.Choice(domain=several, count=None)):
            return lengths(plan, several, levels + 1)[1:]
        case core.Element(_, core.Each(collection=several) | core.FilterBinder(collection=several)):
            return lengths(plan, several, levels + 1)[1:]
        case core.Register(_, core.Parameter(is_order=True) as told):
            return (len(list_order_values(plan.bench, told)),)
        case core.Contents(room=room):
            is_zone = isinstance(room, ZoneRoom)
            return (plan.stores[id(room.declaration)].capacity if is_zone else len(plan.bench.blank[room.base]),)
        case core.Definition():
            return lengths(plan, lowered.body, levels)
        case core.CaseLookup(_, table):
            return longest([lengths(plan, entry.value, levels) for entry in table.entries], levels)
        case _:
            return ()


def cells_of(found: Lengths) -> int:
    """So many cells hold one of them."""
    return 1 + found[0] * cells_of(found[1:]) if found else 1


# ---- registers


@frozen(eq=False)
class KeptList:
    """Where a list lies that stands for one value, and how many times it is a list."""

    cells: Field
    levels: int

    @property
    def wide(self) -> int:
        return self.cells.amount


def register_of(plan: Plan, node: Located, name: str, collection: core.Operand, levels: int) -> KeptList:
    """For one of a collection of lists, each `levels` deep."""
    if id(node) not in plan.lists:
        found = lengths(plan, collection, levels + 1)[1:]
        plan.fixed_names[id(node)] = lay_out(plan, node, name, found).cells
    register: KeptList = plan.lists[id(node)]
    return register


def lay_out(plan: Plan, node: Located, name: str, found: Lengths) -> KeptList:
    register = KeptList(plan.add_field(name, 64, min(cells_of(found), MOST_CELLS)), len(found))
    plan.lists[id(node)] = register
    return register


def keep_list(
    scope: Scope,
    value: Value,
    register: KeptList,
    node: Located,
    cells: Field | None = None,
    first: Value | None = None,
) -> None:
    """A list from the heap into its cells, or into others like them from `first` on."""
    lines, cells, first = scope.lines, cells or register.cells, scope.lines.bind(first or number(0))
    end = lines.bind(binary("add", first, number(register.wide)))
    at, fits = lines.variable(first, "cell"), lines.variable(YES, "f")
    pack(scope, value, register.levels, cells, (at, end, fits))
    with lines.when(invert(fits)):
        scope.emit_fault(LEFT, node)
        lines.store(cells, number(0), first)
        lines.set(at, binary("add", first, number(1)))
    lines.for_range(at, binary("sub", end, number(1)), lambda rest: lines.store(cells, number(0), rest))


def pack(scope: Scope, value: Value, levels: int, cells: Field, room: tuple[Value, Value, Value]) -> None:
    lines, kept, (at, end, fits) = scope.lines, lists.heap_list(scope, value), room
    many = lines.bind(kept.length())
    with lines.when(compare(">=", binary("add", at, many), end)) as full:
        lines.set(fits, NO)
    with lines.otherwise(full):
        lines.store(cells, many, at)
        lines.add_to(at, number(1))

        def one(item: Value) -> None:
            if levels > 1:
                pack(scope, item, levels - 1, cells, room)
                return
            lines.store(cells, item, at)
            lines.add_to(at, number(1))

        kept.for_each(scope, one)


def recalled(scope: Scope, register: KeptList) -> Value:
    """The list in the heap again, as the number that stands for it."""
    at = scope.lines.variable(number(0), "cell")
    return unpacked(scope, register.cells, register.levels, at)


def unpacked(scope: Scope, cells: Field, levels: int, at: Value) -> Value:
    lines = scope.lines
    many = lines.bind(narrow(lines.load(cells, at), 0, cells.amount))
    lines.add_to(at, number(1))
    if levels == 1:
        first = lines.bind(at)
        lines.add_to(at, many)
        return lists.put_down_items(
            scope, many, lambda step: lines.load(cells, binary("add", first, step))
        )
    scope.plan.names += 1
    items = scope.plan.add_scratch(f"lists {scope.plan.names}", 64, cells.amount + 1)
    last = binary("sub", many, number(1))
    lines.for_range(number(0), last, lambda to: lines.store(items, unpacked(scope, cells, levels - 1, at), to))
    return lists.put_down_items(scope, many, lambda step: lines.load(items, step))


# ---- the same for a list of the reference


def packed(value: object, levels: int, wide: int) -> tuple[int, ...] | None:
    """Cells as above; nothing, where they are too few."""
    found = cells_in(value, levels)
    return (*found, *[0] * (wide - len(found))) if len(found) <= wide else None


def cells_in(value: object, levels: int) -> list[int]:
    assert isinstance(value, (tuple, range))
    inner = [cells_in(one, levels - 1) if levels > 1 else [NOTHING if one is None else int(one)] for one in value]
    return [len(value), *(cell for one in inner for cell in one)]


def list_in(cells: Sequence[int], levels: int) -> tuple[object, ...]:
    """The list of the reference that lies in cells."""
    return taken(iter(cells), levels)


def taken(cells: Iterator[int], levels: int) -> tuple[object, ...]:
    return tuple([taken(cells, levels - 1) if levels > 1 else next(cells) for _ in range(next(cells))])
