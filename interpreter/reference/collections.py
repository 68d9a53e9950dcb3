"""Expressions over several values: filters, ranges, sets, `some … has`, `sum of … over`, `the … with highest`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import AttributeMeaning, ItMeaning
from rulesrun.dsl.typing.sizes import MOST_COMBINATIONS, count_combinations
from rulesrun.dsl.typing.types import ComponentOf
from rulesrun.interpreter.model import locations
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import ItemAt
from rulesrun.interpreter.model.places import compile_slot, flatten_content
from rulesrun.interpreter.model.values import Code, Run, Slots, constant, fault, simplify_number, sort_values
from rulesrun.interpreter.reference.selections import list_selections

MOST_ELEMENTS = 100_000


ElementsForm = (
    ast.Filter | ast.Joined | ast.Combinations | ast.Range | ast.Literal | ast.SetOf | ast.Quantified | ast.Aggregate
    | ast.Best
)


def compile_elements_form(bench: Workbench, form: ElementsForm) -> Code:
    match form:
        case ast.Filter():
            return compile_filter(bench, form)
        case ast.Joined(parts):
            return compile_joined(bench, parts)
        case ast.Combinations():
            return compile_combinations(bench, form)
        case ast.Range():
            return compile_range(bench, form)
        case ast.Literal():
            return compile_literal(bench, form)
        case ast.SetOf():
            return compile_set(bench, form)
        case ast.Quantified():
            return compile_quantified(bench, form)
        case ast.Aggregate():
            return compile_aggregate(bench, form)
        case ast.Best():
            return compile_best(bench, form)
        case _:
            assert_never(form)


def compile_range(bench: Workbench, node: ast.Range) -> Code:
    """`a..b`: every whole number from a to b; as a list among others, too."""
    low, high = bench.compile(node.low), bench.compile(node.high)
    a, b = low.run, high.run

    def run(S: Slots) -> tuple[int, ...]:
        first, last = a(S), b(S)
        if last - first > MOST_ELEMENTS:
            raise fault("too-many-values", message("this range is too long to go through"), node.span)
        return tuple(range(first, last + 1))

    if low.is_constant and high.is_constant and high.value - low.value <= MOST_ELEMENTS:
        return constant(run([]))
    return Code(run)


def compile_joined(bench: Workbench, parts: tuple[ast.Expr, ...]) -> Code:
    """What lies in the first zone, then what lies in the next."""
    finds = [compile_slot(bench, part).run for part in parts]

    def run(S: Slots) -> tuple[int, ...]:
        slots = dict.fromkeys(find(S) for find in finds)
        return tuple([one for slot in slots for one in flatten_content(S[slot])])

    return Code(run)


def compile_combinations(bench: Workbench, node: ast.Combinations) -> Code:
    """How many there are is known before any is written down."""
    several = bench.compile(node.collection).run
    first, last = bench.compile(node.low).run, bench.compile(node.high).run

    def run(S: Slots) -> list[tuple[Any, ...]]:
        values, low, high = sort_values(several(S)), first(S), last(S)
        if isinstance(low, Fraction) or isinstance(high, Fraction):
            raise fault("not-whole", message("the number to take must be whole, not a fraction"), node.span)
        if count_combinations(len(values), low, high) > MOST_COMBINATIONS:
            raise fault("too-many-combinations", message("these are too many combinations"), node.span)
        return list_selections(values, low, high)

    return Code(bench.compile_charged(run, node))


def compile_literal(bench: Workbench, node: ast.Literal) -> Code:
    """`red 7`: a component by its written attributes, its row or what it is called here; or any single value."""
    found = bench.type_of(node)
    if not isinstance(found, ComponentOf):
        return bench.compile(node.parts[0])
    if len(node.parts) == 1 and isinstance(bench.type_of(node.parts[0]), ComponentOf):
        return bench.compile(node.parts[0])  # a row's name, or what is called so here
    written = tuple(bench.constant_value(part) for part in node.parts)
    declaration = next(one for one in bench.components if one.name.text == found.kind)
    by_written = bench.kinds_of(declaration).part_of(declaration).by_written
    if written not in by_written:
        raise bench.refusal(
            "no-such-component", message("there is no such {noun} at this table", noun=declaration.noun), node
        )
    return constant(by_written[written])


def compile_set(bench: Workbench, node: ast.SetOf) -> Code:
    parts = [compile_literal(bench, item) for item in node.items]
    if all(part.is_constant for part in parts):
        return constant(tuple(part.value for part in parts))
    runs = [part.run for part in parts]
    return Code(lambda S: tuple([run(S) for run in runs]))


def compile_item(bench: Workbench, asked: ItemAt) -> Code:
    position, collection, node = bench.compile(asked.position), bench.compile(asked.collection), asked.node
    a, b, check = position.run, collection.run, locations.item_known(bench, asked.collection, node, "this item")

    def run(S: Slots) -> Any:
        k, several = a(S), b(S)
        if k is None or not 1 <= k <= len(several):
            raise fault(
                "no-such-item", message("there is no item {k} among {several}", k=k, several=len(several)), node.span
            )
        if check is not None:
            check(S, k - 1)
        return several[k - 1]

    is_fixed = isinstance(node, ast.Index) and position.is_constant and collection.is_constant
    return constant(run([])) if is_fixed else Code(run)


# ---- conditions on elements


def compile_binder(bench: Workbench, each: ast.Each) -> tuple[Code, int]:
    """The collection of a binder and the slot of its element; `c in S where C` tests the same element."""
    slot = bench.reserve_element_slot(each)
    collection: ast.Expr = each.collection
    while isinstance(collection, ast.Filter):
        bench.registers[id(collection)] = slot
        reserve_place_if_located(bench, collection, slot)
        collection = collection.collection
    reserve_place_if_located(bench, each, slot)
    return bench.compile(each.collection), slot


def reserve_place_if_located(bench: Workbench, binder: ast.Node, slot: int) -> None:
    """Where it matters, it is known of the element where it lies."""
    if id(binder) in bench.located:
        locations.reserve_place_register(bench, slot)


def compile_elements(bench: Workbench, collection: ast.Expr, slot: int, node: ast.Node) -> Run:
    """All elements one after the other; where it matters, a register says where each of them lies."""
    if slot in bench.wheres:
        return locations.compile_located_elements(bench, collection, slot, node)
    return bench.compile_charged(bench.compile(collection).run, node)


def find_element_slot(bench: Workbench, node: ast.Node) -> int | None:
    """The slot of the element that a name, or an attribute standing alone, speaks of."""
    meaning = bench.meaning(node)
    if isinstance(meaning, (AttributeMeaning, ItMeaning)):
        return bench.element_slot(meaning.element) if bench.elements else None
    return bench.registers.get(id(meaning))


def mentions_element(bench: Workbench, node: ast.Node, slot: int) -> bool:
    """Whether the element in this slot occurs in the expression."""
    return any(find_element_slot(bench, part) == slot for part in walk(node))


def compile_filter(bench: Workbench, node: ast.Filter) -> Code:
    collection, slot = bench.compile(node.collection), bench.reserve_element_slot(node)
    reserve_place_if_located(bench, node, slot)
    with bench.element_scope(node, slot):
        quick = compile_attribute_test(bench, node, slot)
        condition = bench.compile(node.condition)
    several, test = compile_elements(bench, node.collection, slot, node), condition.run
    if condition.is_constant:
        return collection if condition.value else constant(())
    if quick is not None:
        values, wanted = quick
        return Code(lambda S: filter_by_attribute(several(S), values, wanted(S)))

    def run(S: Slots) -> tuple[Any, ...]:
        found = []
        for element in several(S):
            S[slot] = element
            if test(S):
                found.append(element)
        return tuple(found)

    return Code(run)


def filter_by_attribute(several: Any, values: tuple[Any, ...], wanted: Any) -> tuple[Any, ...]:
    return tuple([element for element in several if values[element] == wanted])


def compile_attribute_test(bench: Workbench, node: ast.Filter, slot: int) -> tuple[tuple[Any, ...], Run] | None:
    """`where colour = E` with an E that does not speak of the element: by far the most frequent condition."""
    condition = node.condition
    if not isinstance(condition, ast.Compare) or condition.operator not in {"=", "is"}:
        return None
    for side, other in ((condition.left, condition.right), (condition.right, condition.left)):
        values = values_by_kind(bench, side, slot)
        if values is not None and not mentions_element(bench, other, slot):
            return values, bench.compile(other).run
    return None


def values_by_kind(bench: Workbench, node: ast.Expr, slot: int) -> tuple[Any, ...] | None:
    """The values, by kind, of an attribute of the element in this slot, when that is all the expression is."""
    owner = node.owner if isinstance(node, ast.Of) else node
    if find_element_slot(bench, owner) != slot:
        return None
    meaning = bench.meaning(node.subject if isinstance(node, ast.Of) else node)
    if not isinstance(meaning, AttributeMeaning):
        return None
    return bench.kinds_of(meaning.components).attributes.get(id(meaning.attribute))


def compile_filter_count(bench: Workbench, node: ast.Filter) -> Code:
    """`count of S where C`, without making the collection."""
    collection, slot = bench.compile(node.collection), bench.reserve_element_slot(node)
    reserve_place_if_located(bench, node, slot)
    with bench.element_scope(node, slot):
        quick = compile_attribute_test(bench, node, slot)
        test = bench.compile(node.condition).run
    several, source = compile_elements(bench, node.collection, slot, node), collection.slot
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


def compile_quantified(bench: Workbench, node: ast.Quantified) -> Code:
    _, slot = compile_binder(bench, node.each)
    with bench.element_scope(node.each, slot):
        body = bench.compile(node.body)
    several, test = compile_elements(bench, node.each.collection, slot, node), body.run
    if node.word == "every":
        return Code(compile_every(several, test, slot))
    some = compile_some(several, test, slot)
    return Code(some) if node.word == "some" else Code(lambda S: not some(S))


def compile_some(several: Run, test: Run, slot: int) -> Run:
    def run(S: Slots) -> bool:
        for element in several(S):
            S[slot] = element
            if test(S):
                return True
        return False

    return run


def compile_every(several: Run, test: Run, slot: int) -> Run:
    def run(S: Slots) -> bool:
        for element in several(S):
            S[slot] = element
            if not test(S):
                return False
        return True

    return run


# ---- making one value of several


def compile_mapping(bench: Workbench, each: ast.Each, body: ast.Expr) -> Run:
    """The body for every element, in order."""
    _, slot = compile_binder(bench, each)
    with bench.element_scope(each, slot):
        values = values_by_kind(bench, body, slot)
        code = bench.compile(body)
    several, run = compile_elements(bench, each.collection, slot, each), code.run
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


def compile_aggregate(bench: Workbench, node: ast.Aggregate) -> Code:
    values = compile_mapping(bench, node.each, node.body)
    if node.distinct:
        every = values
        values = lambda S: list(dict.fromkeys(every(S)))  # noqa: E731
    return Code(aggregate_collection(node.word, values, node))


def aggregate_collection(word: str, values: Run, node: ast.Node) -> Run:
    """`sum`, `highest`, … of values."""
    match word:
        case "sum":
            return lambda S: simplify_number(sum(values(S)))
        case "count":
            return lambda S: len(values(S))
        case "list":
            return lambda S: tuple(values(S))
        case "sorted":
            return lambda S: tuple(sort_values(values(S)))
        case _:
            best_of = max if word == "highest" else min

            def extreme(S: Slots) -> Any:
                several = values(S)
                if not several:
                    raise fault("of-nothing", message(
                        "there is no {word} one, because there are none",
                        word=word), node.span)
                return best_of(several)

            return extreme


def compile_only(several: Run, node: ast.Best) -> Code:
    """The one for which it holds: that there is none, or another, is a fault of the rules."""

    def only(S: Slots) -> Any:
        elements = tuple(several(S))
        if not elements:
            raise fault("of-nothing", message("none of them satisfies this"), node.span)
        if len(elements) > 1:
            raise fault(
                "of-several", message("{amount} of them satisfy this, not just one", amount=len(elements)), node.span
            )
        return elements[0]

    return Code(only)


def compile_best(bench: Workbench, node: ast.Best) -> Code:
    _, slot = compile_binder(bench, node.each)
    with bench.element_scope(node.each, slot):
        key = bench.compile(node.key).run
    several = compile_elements(bench, node.each.collection, slot, node)
    direction = max if node.direction == "highest" else min
    if node.direction == "only":
        return compile_only(several, node)

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
            raise fault(
                "of-nothing", message(
                    "there is no {direction} one, because there are none",
                    direction=node.direction), node.span
            )
        return elements[keys.index(direction(keys))]

    def those(S: Slots) -> tuple[Any, ...]:
        elements, keys = keyed(S)
        wanted = direction(keys) if keys else None
        return tuple([element for element, own in zip(elements, keys, strict=True) if own == wanted])

    return Code(the if node.word == "the" else those)
