"""Expressions over several values: filters, ranges, sets, `some … has`, `sum of … over`, `the … with highest`."""

from __future__ import annotations

from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.program import AttributeMeaning, ItMeaning
from rulesrun.dsl.typing.types import ComponentOf
from rulesrun.interpreter.model import locations
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.values import Code, Run, Slots, constant, fault, plain

MOST_ELEMENTS = 100_000


def stretch(bench: Workbench, node: ast.Range) -> Code:
    """`a..b`: every whole number from a to b; as a list among others, too."""
    low, high = bench.expression(node.low), bench.expression(node.high)
    a, b = low.run, high.run

    def run(S: Slots) -> tuple[int, ...]:
        first, last = a(S), b(S)
        if last - first > MOST_ELEMENTS:
            raise fault("too-many-values", "this range is too long to go through", node.span)
        return tuple(range(first, last + 1))

    if low.is_constant and high.is_constant and high.value - low.value <= MOST_ELEMENTS:
        return constant(run([]))
    return Code(run)


def literal(bench: Workbench, node: ast.Literal) -> Code:
    """`red 7`: a component by its written attributes, its row or what it is called here; or any single value."""
    found = bench.type_of(node)
    if not isinstance(found, ComponentOf):
        return bench.expression(node.parts[0])
    if len(node.parts) == 1 and isinstance(bench.type_of(node.parts[0]), ComponentOf):
        return bench.expression(node.parts[0])  # a row's name, or what is called so here
    written = tuple(bench.fixed(part) for part in node.parts)
    kinds = bench.kinds_of(next(one for one in bench.of_class(ast.Components) if one.name.text == found.kind))
    if written not in kinds.by_written:
        raise bench.refused("no-such-component", f"there is no such {kinds.declaration.noun} at this table", node)
    return constant(kinds.by_written[written])


def set_of(bench: Workbench, node: ast.SetOf) -> Code:
    parts = [literal(bench, item) for item in node.items]
    if all(part.is_constant for part in parts):
        return constant(tuple(part.value for part in parts))
    runs = [part.run for part in parts]
    return Code(lambda S: tuple([run(S) for run in runs]))


def item(bench: Workbench, node: ast.Item) -> Code:
    position, collection = bench.expression(node.position), bench.expression(node.collection)
    a, b, check = position.run, collection.run, locations.item_known(bench, node.collection, node, "this item")

    def run(S: Slots) -> Any:
        k, several = a(S), b(S)
        if k is None or not 1 <= k <= len(several):
            raise fault("no-such-item", f"there is no item {k} among {len(several)}", node.span)
        if check is not None:
            check(S, k - 1)
        return several[k - 1]

    return Code(run)


# ---- conditions on elements


def bound(bench: Workbench, each: ast.Each) -> tuple[Code, int]:
    """The collection of a binder and the slot of its element; `c in S where C` tests the same element."""
    slot = bench.slot_of_element(each)
    collection: ast.Expr = each.collection
    while isinstance(collection, ast.Filter):
        bench.registers[id(collection)] = slot
        locate(bench, collection, slot)
        collection = collection.collection
    locate(bench, each, slot)
    return bench.expression(each.collection), slot


def locate(bench: Workbench, binder: ast.Node, slot: int) -> None:
    """Where it matters, it is known of the element where it lies."""
    if id(binder) in bench.located:
        locations.register_of_where(bench, slot)


def going_through(bench: Workbench, collection: ast.Expr, slot: int, node: ast.Node) -> Run:
    """All elements one after the other; where it matters, a register says where each of them lies."""
    if slot in bench.wheres:
        return locations.elements(bench, collection, slot, node)
    return bench.charged(bench.expression(collection).run, node)


def slot_meant(bench: Workbench, node: ast.Node) -> int | None:
    """The slot of the element that a name, or an attribute standing alone, speaks of."""
    meaning = bench.meaning(node) if isinstance(node, ast.Name) else None
    if isinstance(meaning, (AttributeMeaning, ItMeaning)):
        return bench.element_slot(meaning.element) if bench.elements else None
    return bench.registers.get(id(meaning))


def speaks_of(bench: Workbench, node: ast.Node, slot: int) -> bool:
    """Whether the element in this slot occurs in the expression."""
    return any(slot_meant(bench, part) == slot for part in walk(node))


def filtered(bench: Workbench, node: ast.Filter) -> Code:
    collection, slot = bench.expression(node.collection), bench.slot_of_element(node)
    locate(bench, node, slot)
    with bench.element(node, slot):
        quick = by_attribute(bench, node, slot)
        condition = bench.expression(node.condition)
    several, test = going_through(bench, node.collection, slot, node), condition.run
    if condition.is_constant:
        return collection if condition.value else constant(())
    if quick is not None:
        values, wanted = quick
        return Code(lambda S: matching(several(S), values, wanted(S)))

    def run(S: Slots) -> tuple[Any, ...]:
        found = []
        for element in several(S):
            S[slot] = element
            if test(S):
                found.append(element)
        return tuple(found)

    return Code(run)


def matching(several: Any, values: tuple[Any, ...], wanted: Any) -> tuple[Any, ...]:
    return tuple([element for element in several if values[element] == wanted])


def by_attribute(bench: Workbench, node: ast.Filter, slot: int) -> tuple[tuple[Any, ...], Run] | None:
    """`where colour = E` with an E that does not speak of the element: by far the most frequent condition."""
    condition = node.condition
    if not isinstance(condition, ast.Compare) or condition.operator not in {"=", "is"}:
        return None
    for side, other in ((condition.left, condition.right), (condition.right, condition.left)):
        values = attribute_of(bench, side, slot)
        if values is not None and not speaks_of(bench, other, slot):
            return values, bench.expression(other).run
    return None


def attribute_of(bench: Workbench, node: ast.Expr, slot: int) -> tuple[Any, ...] | None:
    """The values, by kind, of an attribute of the element in this slot, when that is all the expression is."""
    owner = node.owner if isinstance(node, ast.Of) else node
    if slot_meant(bench, owner) != slot:
        return None
    meaning = bench.meaning(node.subject if isinstance(node, ast.Of) else node)  # type: ignore[arg-type]
    if not isinstance(meaning, AttributeMeaning):
        return None
    return bench.kinds_of(meaning.components).attributes.get(id(meaning.attribute))


def counting(bench: Workbench, node: ast.Filter) -> Code:
    """`count of S where C`, without making the collection."""
    collection, slot = bench.expression(node.collection), bench.slot_of_element(node)
    locate(bench, node, slot)
    with bench.element(node, slot):
        quick = by_attribute(bench, node, slot)
        test = bench.expression(node.condition).run
    several, source = going_through(bench, node.collection, slot, node), collection.slot
    if quick is not None:
        values, wanted = quick
        if source is not None:
            return Code(lambda S: [values[element] for element in S[source]].count(wanted(S)))
        return Code(lambda S: [values[element] for element in several(S)].count(wanted(S)))

    def run(S: Slots) -> int:
        found = 0
        for element in several(S):
            S[slot] = element
            if test(S):
                found += 1
        return found

    return Code(run)


def quantified(bench: Workbench, node: ast.Quantified) -> Code:
    _, slot = bound(bench, node.each)
    with bench.element(node.each, slot):
        body = bench.expression(node.body)
    several, test = going_through(bench, node.each.collection, slot, node), body.run
    if node.word == "every":
        return Code(every_one(several, test, slot))
    some = some_one(several, test, slot)
    return Code(some) if node.word == "some" else Code(lambda S: not some(S))


def some_one(several: Run, test: Run, slot: int) -> Run:
    def run(S: Slots) -> bool:
        for element in several(S):
            S[slot] = element
            if test(S):
                return True
        return False

    return run


def every_one(several: Run, test: Run, slot: int) -> Run:
    def run(S: Slots) -> bool:
        for element in several(S):
            S[slot] = element
            if not test(S):
                return False
        return True

    return run


# ---- making one value of several


def mapped(bench: Workbench, each: ast.Each, body: ast.Expr) -> Run:
    """The body for every element, in order."""
    _, slot = bound(bench, each)
    with bench.element(each, slot):
        values = attribute_of(bench, body, slot)
        code = bench.expression(body)
    several, run = going_through(bench, each.collection, slot, each), code.run
    if values is not None:
        known = values
        return lambda S: [known[element] for element in several(S)]

    def each_one(S: Slots) -> list[Any]:
        found = []
        for element in several(S):
            S[slot] = element
            found.append(run(S))
        return found

    return each_one


def aggregate(bench: Workbench, node: ast.Aggregate) -> Code:
    values = mapped(bench, node.each, node.body)
    if node.distinct:
        every = values
        values = lambda S: list(dict.fromkeys(every(S)))  # noqa: E731
    return Code(gathered(node.word, values, node))


def gathered(word: str, values: Run, node: ast.Node) -> Run:
    """`sum`, `highest`, … of values."""
    match word:
        case "sum":
            return lambda S: plain(sum(values(S)))
        case "count":
            return lambda S: len(values(S))
        case "list":
            return lambda S: tuple(values(S))
        case "sorted":
            return lambda S: tuple(sorted(values(S)))
        case _:
            best_of = max if word == "highest" else min

            def extreme(S: Slots) -> Any:
                several = values(S)
                if not several:
                    raise fault("of-nothing", f"there is no {word} one among nothing", node.span)
                return best_of(several)

            return extreme


def best(bench: Workbench, node: ast.Best) -> Code:
    _, slot = bound(bench, node.each)
    with bench.element(node.each, slot):
        key = bench.expression(node.key).run
    several = going_through(bench, node.each.collection, slot, node)
    direction = max if node.direction == "highest" else min

    def keyed(S: Slots) -> tuple[list[Any], list[Any]]:
        elements, keys = [], []
        for element in several(S):
            S[slot] = element
            elements.append(element)
            keys.append(key(S))
        return elements, keys

    def the(S: Slots) -> Any:
        elements, keys = keyed(S)
        if not elements:
            raise fault("of-nothing", f"there is no {node.direction} one among nothing", node.span)
        return elements[keys.index(direction(keys))]

    def those(S: Slots) -> tuple[Any, ...]:
        elements, keys = keyed(S)
        wanted = direction(keys) if keys else None
        return tuple([element for element, own in zip(elements, keys, strict=True) if own == wanted])

    return Code(the if node.word == "the" else those)
