"""Every value that a choice can have, numbered from 0: single ones, several at once, lists, orders, and nothing.

Takes a choice and its table. Each kind of values says how many there are, which number a value has and which value a
number, and in which steps a value is told: the places of single values, and marks for the end of a list.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import factorial
from typing import Any, Protocol

from attrs import frozen

from rulesrun.dsl.typing import types
from rulesrun.dsl.typing.notebook import LIMIT
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.domains import count_words
from rulesrun.interpreter.model.locations import find_base_zone
from rulesrun.interpreter.model.places import find_zone
from rulesrun.interpreter.model.values import sort_values
from rulesrun.interpreter.model.work_bounds import WorkBounds
from rulesrun.interpreter.reference.options import CompiledChoice

MOST_SINGLE = 1 << 20  # single values of one choice
MOST_AT_ONCE = 64  # components in one selection, items in one list
NOTHING_CHOSEN = -1000  # the mark for nothing, where a list could be; the end of a list is -1, of one in it -2 …

Marks = tuple[int, ...]


class CannotNumber(Exception):
    """Why the answers of a table have no fixed numbers; a sentence."""


class Values(Protocol):
    """`single`: the values that it is told with."""

    @property
    def single(self) -> SingleValues: ...
    @property
    def amount(self) -> int: ...
    def rank(self, value: Any) -> int | None:
        """The number of a value; None where it is none of them."""
    def value_at(self, number: int) -> Any: ...
    def list_marks(self, value: Any, depth: int = 0) -> Marks:
        """The places of single values, and negative marks."""
    def read_words(self, written: Any, by_words: Mapping[Any, int]) -> Any:
        """The value that is written so outside. Raises KeyError or TypeError where there is none."""


@frozen(eq=False)
class SingleValues:
    """A choice of one value: its values in their order."""

    values: tuple[Any, ...]
    index: Mapping[Any, int]

    @staticmethod
    def from_values(values: Sequence[Any]) -> SingleValues:
        return SingleValues(tuple(values), {value: number for number, value in enumerate(values)})

    @property
    def single(self) -> SingleValues:
        return self

    @property
    def amount(self) -> int:
        return len(self.values)

    def rank(self, value: Any) -> int | None:
        return self.index.get(value)

    def value_at(self, number: int) -> Any:
        return self.values[number]

    def list_marks(self, value: Any, depth: int = 0) -> Marks:
        return (self.index[value],)

    def read_words(self, written: Any, by_words: Mapping[Any, int]) -> Any:
        return self.values[by_words[freeze_words(written)]]


@frozen(eq=False)
class Selections:
    """A choice of several at once: selections by size, in each size those with the smaller largest item first.

    `ways[k][m]`: how many selections of m items there are among the first k. The number of a selection is the sum of
    what each of its items adds: of the i-th, which is the k-th item, `ways[k][i + 1]`.
    """

    single: SingleValues
    low: int
    high: int
    ways: tuple[tuple[int, ...], ...]
    before: tuple[int, ...]  # by size, how many selections are smaller

    @staticmethod
    def from_values(single: SingleValues, copies: Sequence[int], low: int, high: int) -> Selections:
        ways = [(1, *(0 for _ in range(high)))]
        for amount in copies:
            row = ways[-1]
            ways.append(tuple(sum(row[max(size - amount, 0) : size + 1]) for size in range(high + 1)))
        totals = [ways[-1][size] if size >= low else 0 for size in range(high + 1)]
        return Selections(single, low, high, tuple(ways), (0, *accumulate(totals)))

    @property
    def amount(self) -> int:
        return self.before[-1]

    def rank(self, value: Sequence[Any]) -> int | None:
        if not self.low <= len(value) <= self.high:
            return None
        places = [self.single.rank(one) for one in value]
        if None in places:
            return None
        return self.before[len(value)] + sum(
            self.ways[place][at + 1] for at, place in enumerate(sorted(one for one in places if one is not None))
        )

    def value_at(self, number: int) -> tuple[Any, ...]:
        size = bisect_right(self.before, number) - 1
        number -= self.before[size]
        found: list[Any] = []
        for left in range(size, 0, -1):
            place = max(k for k in range(self.single.amount) if self.ways[k][left] <= number)
            number -= self.ways[place][left]
            found.append(self.single.value_at(place))
        return tuple(reversed(found))

    def list_marks(self, value: Sequence[Any], depth: int = 0) -> Marks:
        """The smallest first, then that it is enough, where more could follow."""
        places = tuple(self.single.index[one] for one in value)
        return places if len(value) == self.high else (*places, -1 - depth)

    def read_words(self, written: Any, by_words: Mapping[Any, int]) -> Any:
        return tuple(sorted(self.single.values[by_words[one]] for one in list_words(written)))


@frozen(eq=False)
class Lists:
    """A choice of a list: the k-th of n items, as the i-th of the list, adds (k + 1) · n**i (bijective numeration). So
    no list shares its number, and none is left out."""

    items: Values
    longest: int

    @property
    def single(self) -> SingleValues:
        return self.items.single

    @property
    def amount(self) -> int:
        size, found = self.items.amount, 0
        for _ in range(self.longest + 1):
            found = found * size + 1
        return found

    def rank(self, value: Sequence[Any]) -> int | None:
        places = [self.items.rank(one) for one in value]
        if len(value) > self.longest or None in places:
            return None
        size, found = self.items.amount, 0
        for place in reversed(places):
            found = found * size + (place or 0) + 1
        return found

    def value_at(self, number: int) -> tuple[Any, ...]:
        found = []
        while number:
            number, place = divmod(number - 1, self.items.amount)
            found.append(self.items.value_at(place))
        return tuple(found)

    def list_marks(self, value: Sequence[Any], depth: int = 0) -> Marks:
        told = tuple(mark for one in value for mark in self.items.list_marks(one, depth + 1))
        return told if len(value) == self.longest else (*told, -1 - depth)

    def read_words(self, written: Any, by_words: Mapping[Any, int]) -> Any:
        return tuple(self.items.read_words(one, by_words) for one in list_words(written))


@frozen(eq=False)
class Orders:
    """A choice of an order of all values, in the order of dictionaries."""

    single: SingleValues

    @property
    def amount(self) -> int:
        return factorial(self.single.amount)

    def rank(self, value: Sequence[Any]) -> int | None:
        left, found = list(self.single.values), 0
        if len(value) != len(left):
            return None
        for one in value:
            if one not in left:
                return None
            place = left.index(one)
            left.pop(place)
            found += place * factorial(len(left))
        return found

    def value_at(self, number: int) -> tuple[Any, ...]:
        left, found = list(self.single.values), []
        while left:
            place, number = divmod(number, factorial(len(left) - 1))
            found.append(left.pop(place))
        return tuple(found)

    def list_marks(self, value: Sequence[Any], depth: int = 0) -> Marks:
        return tuple(self.single.index[one] for one in value)

    def read_words(self, written: Any, by_words: Mapping[Any, int]) -> Any:
        return tuple(self.single.values[by_words[one]] for one in list_words(written))


@frozen(eq=False)
class OptionalValues:
    """Nothing, or one of others: of lists, orders."""

    others: Values

    @property
    def single(self) -> SingleValues:
        return self.others.single

    @property
    def amount(self) -> int:
        return self.others.amount + 1

    def rank(self, value: Any) -> int | None:
        found = -1 if value is None else self.others.rank(value)
        return None if found is None else found + 1

    def value_at(self, number: int) -> Any:
        return self.others.value_at(number - 1) if number else None

    def list_marks(self, value: Any, depth: int = 0) -> Marks:
        return (NOTHING_CHOSEN,) if value is None else self.others.list_marks(value, depth)

    def read_words(self, written: Any, by_words: Mapping[Any, int]) -> Any:
        return None if written is None else self.others.read_words(written, by_words)


def freeze_words(written: Any) -> Any:
    """A list in words, to be found in tables."""
    return tuple(freeze_words(one) for one in written) if isinstance(written, (list, tuple)) else written


def list_words(written: Any) -> Sequence[Any]:
    if not isinstance(written, (list, tuple)):
        raise TypeError(f"{written} is no list")
    return written


# ---- of a choice


def list_choice_values(bench: Workbench, ready: CompiledChoice) -> Values:
    """Raises CannotNumber where there are no bounds."""
    name, domain, count = ready.choice.name.text, ready.choice.domain, ready.choice.count
    found = bench.type_of(domain)
    if not isinstance(found, (types.CollectionOf, types.OrderOf)):
        raise CannotNumber(f"`{name}` is chosen from no known set of values")
    values = list_domain(bench, name, domain, found.item)
    if count is None:
        return values
    if not isinstance(values, SingleValues):
        raise CannotNumber(f"`{name}` is several lists at once: these are not numbered")
    lowest, highest = bench.bounds_of(count.low), bench.bounds_of(count.high)
    size = WorkBounds(bench).collection_size(domain)
    low, high = max(lowest[0], 0) if lowest else 0, min(highest[1], size) if highest else size
    if high > MOST_AT_ONCE:
        raise CannotNumber(f"`{name}`: more than {MOST_AT_ONCE} may be chosen at once")
    return Selections.from_values(values, count_copies(bench, domain, values, high), low, max(high, 0))


def count_copies(bench: Workbench, domain: Operand, single: SingleValues, high: int) -> list[int]:
    """How often each item can be in one selection; of what lies in a zone no more than there are."""
    found = bench.type_of(domain)
    item = found.item if isinstance(found, types.CollectionOf) else None
    if find_base_zone(bench, domain) is None or not isinstance(item, types.ComponentOf):
        return [high] * single.amount
    copies = copies_of(bench, item)
    return [copies[kind] for kind in single.values]


def copies_of(bench: Workbench, item: types.ComponentOf) -> Sequence[int]:
    return bench.kinds_called(item.kind).copies


def list_domain(bench: Workbench, name: str, domain: Operand, item: types.Type) -> Values:
    """Every value that one item of the choice can have."""
    code = bench.compile(domain)
    if code.is_constant:
        return SingleValues.from_values(sort_values(set(code.value)))
    match lower_expression(bench, domain):
        case core.Range(low=first, high=last):
            low, high = bench.bounds_of(first), bench.bounds_of(last)
            if low is not None and high is not None:
                return SingleValues.from_values(list_numbers(name, low[0], high[1]))
        case _:
            pass
    return list_type_values(bench, name, item, list_element_nodes(bench, domain))


def list_numbers(name: str, low: int, high: int) -> range:
    if low <= -LIMIT or high >= LIMIT or high - low >= MOST_SINGLE:
        raise CannotNumber(f"`{name}` is a number without bounds that are known")
    return range(low, high + 1)


def list_type_values(bench: Workbench, name: str, item: types.Type, nodes: Sequence[Operand]) -> Values:
    """`nodes`: what gives such a value, as far as the text says."""
    match item:
        case types.NumberOf(low, high):
            return SingleValues.from_values(list_numbers(name, low, high))
        case types.TruthOf():
            return SingleValues.from_values((False, True))
        case types.PlayerOf():
            return SingleValues.from_values(range(1, bench.players + 1))
        case types.WordOf():
            return SingleValues.from_values(range(count_words(bench, item)))
        case types.ComponentOf():
            return SingleValues.from_values(range(len(copies_of(bench, item))))
        case types.NothingOf():
            return SingleValues.from_values((None,))
        case types.OptionalOf(inner):
            others = list_type_values(bench, name, inner, nodes)
            is_single = isinstance(others, SingleValues)
            return SingleValues.from_values((None, *others.single.values)) if is_single else OptionalValues(others)
        case types.OrderOf(inner):
            return Orders(list_type_values(bench, name, inner, ()).single)
        case types.CollectionOf(inner):
            return list_lists(bench, name, inner, nodes)
        case types.TextOf() | types.Unknown():
            raise CannotNumber(f"`{name}` is chosen from no known set of values")


def list_lists(bench: Workbench, name: str, item: types.Type, nodes: Sequence[Operand]) -> Values:
    """What lies in zones without order are selections, all else is a list."""
    inner = [one for node in nodes for one in list_element_nodes(bench, node)]
    items = list_type_values(bench, name, item, inner)
    most = sum(copies_of(bench, item)) if isinstance(item, types.ComponentOf) else MOST_AT_ONCE
    longest = min(max((longest_list(bench, node) for node in nodes), default=most), most)
    if longest > MOST_AT_ONCE:
        raise CannotNumber(f"`{name}`: more than {MOST_AT_ONCE} may be in one list")
    if isinstance(item, types.ComponentOf) and nodes and all(is_without_order(bench, node) for node in nodes):
        return Selections.from_values(items.single, copies_of(bench, item), 0, longest)
    return Lists(items, longest)


def is_without_order(bench: Workbench, node: Operand) -> bool:
    zone = find_base_zone(bench, node)
    room = find_zone(bench, zone) if zone is not None else None
    return room is not None and room.declaration.kind == "set"


def list_element_nodes(bench: Workbench, node: Operand) -> tuple[Operand, ...]:
    """What the elements of a collection are worked out by; none where the text does not say."""
    match lower_expression(bench, node):
        case core.SetOf(items=items) if all(len(one.parts) == 1 for one in items):
            return tuple(one.parts[0] for one in items)
        case core.Aggregate(word="list" | "sorted", body=body):
            return (body,)
        case core.Filter(collection=collection):
            return list_element_nodes(bench, collection)
        case core.Definition(arguments=()) as defined:
            return list_element_nodes(bench, defined.body)
        case _:
            return ()


def longest_list(bench: Workbench, node: Operand) -> int:
    match lower_expression(bench, node):
        case core.Aggregate(word="list" | "sorted", each=each):
            return longest_list(bench, each.collection)
        case _:
            return WorkBounds(bench).collection_size(node)
