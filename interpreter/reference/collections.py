"""Expressions over several values: filters, ranges, sets, `some … has`, `sum of … over`, `the … with highest`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, assert_never

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.notebook import MOST_COMBINATIONS, count_combinations
from rulesrun.dsl.typing.types import ComponentOf
from rulesrun.interpreter.model import core, locations
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import ItemAt, Operand
from rulesrun.interpreter.model.core_lowering import list_filters, lower_expression, walk_operations
from rulesrun.interpreter.model.places import compile_slot, flatten_content
from rulesrun.interpreter.model.values import Code, Run, Slots, constant, fault, simplify_number, sort_values

# ---- selections
# All ways to take some of several: the small ones first, then element by element; equal ones make one way.


def list_selections(values: Sequence[Any], low: int, high: int) -> list[tuple[Any, ...]]:
    """Of values in their order: all different selections."""
    counts = sorted(Counter(values).items())
    low, high = max(low, 0), min(high, len(values))
    if len(counts) == len(values):
        return [one for size in range(low, high + 1) for one in combinations(values, size)]
    return [one for size in range(low, high + 1) for one in list_selections_of_size(counts, size)]


def list_selections_of_size(counts: list[tuple[Any, int]], size: int) -> list[tuple[Any, ...]]:
    selections: list[tuple[Any, ...]] = [()]
    for number, (kind, amount) in enumerate(counts):
        later = sum(one[1] for one in counts[number + 1 :])
        selections = [
            so_far + (kind,) * more
            for so_far in selections
            for more in range(max(0, size - len(so_far) - later), min(amount, size - len(so_far)) + 1)
        ]
    return sorted(selections)


def count_selections_by_size(amounts: Sequence[int], most: int) -> list[int]:
    """How many different selections there are of each size up to `most`, when there are so many of each kind.

    Counted before any is written down: who may choose twelve of twenty-five cards is told so at once.
    """
    ways = [1] + [0] * max(most, 0)
    for amount in amounts:
        ways = [sum(ways[max(size - amount, 0) : size + 1]) for size in range(len(ways))]
    return ways


# ---- collections


MOST_ELEMENTS = 100_000


def compile_elements_form(bench: Workbench, form: core.FormOfSeveral) -> Code:
    match form:
        case core.Filter():
            return compile_filter(bench, form)
        case core.Joined(_, parts):
            return compile_joined(bench, parts)
        case core.Combinations():
            return compile_combinations(bench, form)
        case core.Range():
            return compile_range(bench, form)
        case core.Literal():
            return compile_literal(bench, form.node)
        case core.SetOf():
            return compile_set(bench, form)
        case core.Quantified():
            return compile_quantified(bench, form)
        case core.Aggregate():
            return compile_aggregate(bench, form)
        case core.Best():
            return compile_best(bench, form)
        case _:
            assert_never(form)


def compile_range(bench: Workbench, asked: core.Range) -> Code:
    """`a..b`: every whole number from a to b; as a list among others, too."""
    low, high = bench.compile(asked.low), bench.compile(asked.high)
    a, b = low.run, high.run

    def run(S: Slots) -> tuple[int, ...]:
        first, last = a(S), b(S)
        if last - first > MOST_ELEMENTS:
            raise fault("too-many-values", message("this range is too long to go through"), asked.node.span)
        return tuple(range(first, last + 1))

    if low.is_constant and high.is_constant and high.value - low.value <= MOST_ELEMENTS:
        return constant(run([]))
    return Code(run)


def compile_joined(bench: Workbench, parts: tuple[Operand, ...]) -> Code:
    """What lies in the first zone, then what lies in the next."""
    finds = [compile_slot(bench, part).run for part in parts]

    def run(S: Slots) -> tuple[int, ...]:
        slots = dict.fromkeys(find(S) for find in finds)
        return tuple([one for slot in slots for one in flatten_content(S[slot])])

    return Code(run)


def compile_combinations(bench: Workbench, asked: core.Combinations) -> Code:
    """How many there are is known before any is written down."""
    several = bench.compile(asked.collection).run
    first, last = bench.compile(asked.low).run, bench.compile(asked.high).run

    def run(S: Slots) -> list[tuple[Any, ...]]:
        values, low, high = sort_values(several(S)), first(S), last(S)
        if isinstance(low, Fraction) or isinstance(high, Fraction):
            raise fault("not-whole", message("the number to take must be whole, not a fraction"), asked.node.span)
        if count_combinations(len(values), low, high) > MOST_COMBINATIONS:
            raise fault("too-many-combinations", message("these are too many combinations"), asked.node.span)
        return list_selections(values, low, high)

    return Code(bench.compile_charged(run, asked.node))


def compile_literal(bench: Workbench, item: core.Operand) -> Code:
    """`red 7`: a component by its written attributes, its row or what it is called here; or any single value."""
    asked, found = lower_expression(bench, item), bench.type_of(item)
    assert isinstance(asked, core.Literal)
    if not isinstance(found, ComponentOf):
        return bench.compile(asked.parts[0])
    if len(asked.parts) == 1 and isinstance(bench.type_of(asked.parts[0]), ComponentOf):
        return bench.compile(asked.parts[0])  # a row's name, or what is called so here
    written = tuple(bench.constant_value(part) for part in asked.parts)
    declaration = next(one for one in bench.components if one.name.text == found.kind)
    by_written = bench.kinds_of(declaration).part_of(declaration).by_written
    if written not in by_written:
        raise bench.refusal(
            "no-such-component", message("there is no such {noun} at this table", noun=declaration.noun), item
        )
    return constant(by_written[written])


def compile_set(bench: Workbench, asked: core.SetOf) -> Code:
    parts = [compile_literal(bench, item.node) for item in asked.items]
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

    is_fixed = asked.is_index and position.is_constant and collection.is_constant
    return constant(run([])) if is_fixed else Code(run)


# ---- conditions on elements


def compile_binder(bench: Workbench, each: core.Each) -> tuple[Code, int]:
    """The collection of a binder and the slot of its element; `c in S where C` tests the same element."""
    slot = bench.reserve_element_slot(each)
    for one in list_filters(bench, each.collection):
        bench.registers[id(one.binder)] = slot
        reserve_place_if_located(bench, one.binder, slot)
    reserve_place_if_located(bench, each, slot)
    return bench.compile(each.collection), slot


def reserve_place_if_located(bench: Workbench, binder: Located, slot: int) -> None:
    """Where it matters, it is known of the element where it lies."""
    if id(binder) in bench.located:
        locations.reserve_place_register(bench, slot)


def compile_elements(bench: Workbench, collection: Operand, slot: int, node: Located) -> Run:
    """All elements one after the other; where it matters, a register says where each of them lies."""
    if slot in bench.wheres:
        return locations.compile_located_elements(bench, collection, slot, node)
    return bench.compile_charged(bench.compile(collection).run, node)


def find_element_slot(bench: Workbench, asked: core.Core) -> int | None:
    """The slot of the element that a name, or an attribute standing alone, speaks of; `suit of top of heap` may fail
    where there is none: it counts as speaking of the element, too, and is asked where there is one."""
    match asked:
        case core.Element(_, binder):
            return bench.element_slot(binder) if bench.elements else None
        case core.Attribute(meaning=meaning):
            return bench.element_slot(meaning.element) if bench.elements else None
        case core.Register(_, binder):
            return bench.registers.get(id(binder))
        case _:
            return None


def mentions_element(bench: Workbench, node: core.Operand, slot: int) -> bool:
    """Whether the element in this slot occurs in the expression."""
    return any(find_element_slot(bench, part) == slot for part in walk_operations(bench, node))


def compile_filter(bench: Workbench, asked: core.Filter) -> Code:
    collection, slot = bench.compile(asked.collection), bench.reserve_element_slot(asked.binder)
    reserve_place_if_located(bench, asked.binder, slot)
    with bench.element_scope(asked.binder, slot):
        quick = compile_attribute_test(bench, asked, slot)
        condition = bench.compile(asked.condition)
    several, test = compile_elements(bench, asked.collection, slot, asked.node), condition.run
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


def compile_attribute_test(bench: Workbench, asked: core.Filter, slot: int) -> tuple[tuple[Any, ...], Run] | None:
    """`where colour = E` with an E that does not speak of the element: by far the most frequent condition."""
    condition = lower_expression(bench, asked.condition)
    if not isinstance(condition, core.Compare) or condition.operator != "=":
        return None
    for side, other in ((condition.left, condition.right), (condition.right, condition.left)):
        values = values_by_kind(bench, side, slot)
        if values is not None and not mentions_element(bench, other, slot):
            return values, bench.compile(other).run
    return None


def values_by_kind(bench: Workbench, node: Operand, slot: int) -> tuple[Any, ...] | None:
    """The values, by kind, of an attribute of the element in this slot, when that is all the expression is."""
    asked = lower_expression(bench, node)
    if not isinstance(asked, core.Attribute):
        return None
    owner = asked.owner if isinstance(asked.owner, core.Element) else lower_expression(bench, asked.owner)
    if isinstance(owner, core.Attribute) or find_element_slot(bench, owner) != slot:
        return None
    return bench.kinds_of(asked.meaning.components).attributes.get(id(asked.meaning.attribute))


def compile_filter_count(bench: Workbench, asked: core.Filter) -> Code:
    """`count of S where C`, without making the collection."""
    collection, slot = bench.compile(asked.collection), bench.reserve_element_slot(asked.binder)
    reserve_place_if_located(bench, asked.binder, slot)
    with bench.element_scope(asked.binder, slot):
        quick = compile_attribute_test(bench, asked, slot)
        test = bench.compile(asked.condition).run
    several, source = compile_elements(bench, asked.collection, slot, asked.node), collection.slot
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


def compile_quantified(bench: Workbench, asked: core.Quantified) -> Code:
    _, slot = compile_binder(bench, asked.each)
    with bench.element_scope(asked.each, slot):
        body = bench.compile(asked.body)
    several, test = compile_elements(bench, asked.each.collection, slot, asked.node), body.run
    if asked.word == "every":
        return Code(compile_every(several, test, slot))
    some = compile_some(several, test, slot)
    return Code(some) if asked.word == "some" else Code(lambda S: not some(S))


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


def compile_mapping(bench: Workbench, each: core.Each, body: Operand) -> Run:
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


def compile_aggregate(bench: Workbench, asked: core.Aggregate) -> Code:
    values = compile_mapping(bench, asked.each, asked.body)
    if asked.distinct:
        every = values
        values = lambda S: list(dict.fromkeys(every(S)))  # noqa: E731
    return Code(aggregate_collection(asked.word, values, asked.node))


def aggregate_collection(word: str, values: Run, node: Located) -> Run:
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


def compile_only(several: Run, asked: core.Best) -> Code:
    """The one for which it holds: that there is none, or another, is a fault of the rules."""

    def only(S: Slots) -> Any:
        elements = tuple(several(S))
        if not elements:
            raise fault("of-nothing", message("none of them satisfies this"), asked.node.span)
        if len(elements) > 1:
            sentence = message("{amount} of them satisfy this, not just one", amount=len(elements))
            raise fault("of-several", sentence, asked.node.span)
        return elements[0]

    return Code(only)


def compile_best(bench: Workbench, asked: core.Best) -> Code:
    _, slot = compile_binder(bench, asked.each)
    with bench.element_scope(asked.each, slot):
        key = bench.compile(asked.key).run
    several = compile_elements(bench, asked.each.collection, slot, asked.node)
    direction = max if asked.direction == "highest" else min
    if asked.direction == "only":
        return compile_only(several, asked)

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
                    direction=asked.direction), asked.node.span
            )
        return elements[keys.index(direction(keys))]

    def those(S: Slots) -> tuple[Any, ...]:
        elements, keys = keyed(S)
        wanted = direction(keys) if keys else None
        return tuple([element for element, own in zip(elements, keys, strict=True) if own == wanted])

    return Code(the if asked.word == "the" else those)
