"""All answers that the declared domains of a table allow, numbered from 0: takes a table, gives numbers for option keys
and keys for numbers.

An action's numbers follow those of the action before it in the file; inside of it the last choice changes fastest.
Equal components are one. A number means the same answer at every position, whoever is asked.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import prod
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.typing.intervals import LIMIT
from rulesrun.dsl.typing.types import (
    CollectionOf,
    ComponentOf,
    NothingOf,
    NumberOf,
    OptionalOf,
    OrderOf,
    PlayerOf,
    TextOf,
    TruthOf,
    Type,
    Unknown,
    WordOf,
)
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.locations import find_base_zone
from rulesrun.interpreter.model.work_bounds import WorkBounds
from rulesrun.interpreter.play.step import argument_to_external
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey
from rulesrun.interpreter.reference.table import Table

MOST_ACTIONS = 1 << 20
MOST_AT_ONCE = 64  # components in one selection


class CannotNumber(Exception):
    """Why the answers of a table have no fixed numbers; a sentence."""


@frozen(eq=False)
class SingleValues:
    """A choice of one value: its values in their order."""

    values: tuple[Any, ...]
    index: Mapping[Any, int]

    @staticmethod
    def of(values: Sequence[Any]) -> SingleValues:
        return SingleValues(tuple(values), {value: number for number, value in enumerate(values)})

    def __len__(self) -> int:
        return len(self.values)

    def rank(self, value: Any) -> int | None:
        return self.index.get(value)

    def places_of(self, value: Any) -> tuple[int, ...]:
        """Where its items stand among all."""
        return (self.index[value],)

    def value_at(self, number: int) -> Any:
        return self.values[number]


@frozen(eq=False)
class Selections:
    """A choice of several at once: selections by size, in each size those with the smaller largest item first.

    `ways[k][m]`: how many selections of m items there are among the first k. The number of a selection is the sum of
    what each of its items adds: of the i-th, which is the k-th item, `ways[k][i + 1]`.
    """

    items: SingleValues
    low: int
    high: int
    ways: tuple[tuple[int, ...], ...]
    before: tuple[int, ...]  # by size, how many selections are smaller

    @staticmethod
    def of(items: SingleValues, copies: Sequence[int], low: int, high: int) -> Selections:
        ways = [(1, *(0 for _ in range(high)))]
        for amount in copies:
            row = ways[-1]
            ways.append(tuple(sum(row[max(size - amount, 0) : size + 1]) for size in range(high + 1)))
        totals = [ways[-1][size] if size >= low else 0 for size in range(high + 1)]
        return Selections(items, low, high, tuple(ways), (0, *accumulate(totals)))

    def __len__(self) -> int:
        return self.before[-1]

    def places_of(self, value: Sequence[Any]) -> tuple[int, ...]:
        """Where its items stand among all."""
        return tuple(self.items.index[one] for one in value)

    def rank(self, value: Sequence[Any]) -> int | None:
        if not self.low <= len(value) <= self.high:
            return None
        places = [self.items.rank(one) for one in value]
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
            place = max(k for k in range(len(self.items)) if self.ways[k][left] <= number)
            number -= self.ways[place][left]
            found.append(self.items.value_at(place))
        return tuple(reversed(found))


Values = SingleValues | Selections


@frozen(eq=False)
class NumberedAction:
    """An action, its first number, and for each of its choices the values and how many numbers one step is worth."""

    action: ast.Action
    number: int  # of the action in the file
    first: int
    choices: tuple[Values, ...]
    strides: tuple[int, ...]
    external: tuple[tuple[tuple[Any, ...], Mapping[Any, int]], ...]  # how values, or items of selections, are written

    @property
    def amount(self) -> int:
        return prod(len(one) for one in self.choices)


@define(eq=False)
class ActionNumbers:
    """Every action that is offered somewhere at this table. Made by `number_actions`."""

    table: Table
    actions: tuple[NumberedAction, ...]
    by_number: dict[int, NumberedAction] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.by_number = {one.number: one for one in self.actions}

    def __len__(self) -> int:
        return self.actions[-1].first + self.actions[-1].amount if self.actions else 0

    def number_of(self, key: OptionKey) -> int:
        """The number of an option, as the engines have it."""
        own = self.by_number[key[0]]
        found = own.first
        for values, stride, value in zip(own.choices, own.strides, key[1:], strict=True):
            rank = values.rank(value)
            if rank is None:
                raise CannotNumber(f"`{own.action.name.text}` was offered with a value outside of its domain: {value}")
            found += rank * stride
        return found

    def action_at(self, number: int) -> NumberedAction:
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} actions, numbered from 0")
        firsts = [one.first for one in self.actions]
        return self.actions[bisect_right(firsts, number) - 1]

    def key_at(self, number: int) -> OptionKey:
        """The option that has this number."""
        own = self.action_at(number)
        rest, values = number - own.first, []
        for choice, stride in zip(own.choices, own.strides, strict=True):
            at, rest = divmod(rest, stride)
            values.append(choice.value_at(at))
        return (own.number, *values)

    def arguments_at(self, key: OptionKey) -> tuple[tuple[str, Any], ...]:
        """The values of an option as they are written outside."""
        own = self.by_number[key[0]]
        return tuple(
            (choice.name.text, argument_to_external(self.table, choice, value))
            for choice, value in zip(own.action.choices, key[1:], strict=True)
        )

    def key_from_words(self, action: str, arguments: Mapping[str, Any]) -> OptionKey:
        """The option that is written so; raises ValueError where there is none."""
        own = next((one for one in self.actions if one.action.name.text == action), None)
        if own is None:
            raise ValueError(f"nobody is offered an action `{action}` at this table")
        names = [choice.name.text for choice in own.action.choices]
        if sorted(arguments) != sorted(names):
            raise ValueError(f"`{action}` takes {', '.join(names) or 'nothing'}")
        found: list[Any] = []
        for name, choice, values, written in zip(names, own.action.choices, own.choices, own.external, strict=True):
            found.append(self.value_from_words(choice, values, written, arguments[name]))
        return (own.number, *found)

    def value_from_words(self, choice: ast.Choice, values: Values, written: Any, value: Any) -> Any:
        if isinstance(values, SingleValues):
            at = written[1].get(value)
            if at is None:
                raise ValueError(f"`{value}` is no value of `{choice.name.text}`")
            return values.values[at]
        by_words = written[1]
        if not isinstance(value, (list, tuple)) or any(one not in by_words for one in value):
            raise ValueError(f"`{value}` is no selection of `{choice.name.text}`")
        picked = tuple(sorted(values.items.values[by_words[one]] for one in value))
        if values.rank(picked) is None:
            raise ValueError(f"`{choice.name.text}` takes {values.low} to {values.high} at once")
        return picked


# ---- from a table


def number_actions(table: Table, most: int = MOST_ACTIONS) -> ActionNumbers:
    """Raises CannotNumber where a domain has no bounds, or there are more than `most`."""
    offered = {
        number: offer.action.action
        for wait in table.waits.values() if isinstance(wait, DecisionWait)
        for number, offer in wait.offers.items() if id(offer.action.action) not in table.bench.left_out
    }
    found, first = [], 0
    for number, action in sorted(offered.items()):
        choices = tuple(list_choice_values(table.bench, choice) for choice in action.choices)
        if any(not len(one) for one in choices):
            continue
        sizes = [len(one) for one in choices]
        strides = tuple(prod(sizes[at + 1 :]) for at in range(len(sizes)))
        external = tuple(
            write_values(table, choice, values) for choice, values in zip(action.choices, choices, strict=True)
        )
        found.append(NumberedAction(action, number, first, choices, strides, external))
        first += prod(sizes)
    if first > most:
        raise CannotNumber(
            f"there are {first:,} different answers at this table, more than {most:,}; "
            "ask for steps: the action first, then each of its values"
        )
    return ActionNumbers(table, tuple(found))


def write_values(
    table: Table, choice: ast.Choice, values: Values
) -> tuple[tuple[Any, ...], Mapping[Any, int]]:
    """How values are written outside; of a selection its items."""
    if isinstance(values, SingleValues):
        words = tuple(argument_to_external(table, choice, value) for value in values.values)
    else:
        words = tuple(argument_to_external(table, choice, (value,))[0] for value in values.items.values)
    return words, {word: number for number, word in enumerate(words)}


def list_choice_values(bench: Workbench, choice: ast.Choice) -> Values:
    if choice.count is None:
        return SingleValues.of(list_domain(bench, choice))
    items = SingleValues.of(list_domain(bench, choice))
    lowest, highest = bench.bounds_of(choice.count.low), bench.bounds_of(choice.count.high)
    size = WorkBounds(bench).collection_size(choice.domain)
    low, high = max(lowest[0], 0) if lowest else 0, min(highest[1], size) if highest else size
    if high > MOST_AT_ONCE:
        raise CannotNumber(f"`{choice.name.text}`: more than {MOST_AT_ONCE} may be chosen at once")
    return Selections.of(items, count_copies(bench, choice, items, high), low, max(high, 0))


def count_copies(bench: Workbench, choice: ast.Choice, items: SingleValues, high: int) -> list[int]:
    """How often each item can be in one selection; of what lies in a zone no more than there are."""
    zone = find_base_zone(bench, choice.domain)
    found = bench.type_of(choice.domain)
    item = found.item if isinstance(found, CollectionOf) else None
    if zone is None or not isinstance(item, ComponentOf):
        return [high] * len(items)
    kinds = next(one for one in bench.kinds.values() if one.declaration.name.text == item.kind)
    return [kinds.copies[kind] for kind in items.values]


def list_domain(bench: Workbench, choice: ast.Choice) -> Sequence[Any]:
    """Every value that one item of the choice can have."""
    found = bench.type_of(choice.domain)
    if not isinstance(found, (CollectionOf, OrderOf)):
        raise CannotNumber(f"`{choice.name.text}` is chosen from no known set of values")
    domain = bench.compile(choice.domain)
    if domain.is_constant and not isinstance(found.item, (CollectionOf, OrderOf, OptionalOf)):
        return sorted(set(domain.value))
    if isinstance(choice.domain, ast.Range):
        low, high = bench.bounds_of(choice.domain.low), bench.bounds_of(choice.domain.high)
        if low is not None and high is not None:
            return list_numbers(choice, low[0], high[1])
    return list_type_values(bench, choice, found.item)


def list_numbers(choice: ast.Choice, low: int, high: int) -> range:
    if low <= -LIMIT or high >= LIMIT or high - low >= MOST_ACTIONS:
        raise CannotNumber(f"`{choice.name.text}` is a number without bounds that are known")
    return range(low, high + 1)


def list_type_values(bench: Workbench, choice: ast.Choice, item: Type) -> Sequence[Any]:
    match item:
        case NumberOf(low, high):
            return list_numbers(choice, low, high)
        case TruthOf():
            return (False, True)
        case PlayerOf():
            return range(1, bench.players + 1)
        case WordOf(name, words):
            options = [one for one in bench.declarations(ast.Option) if one.name.text == name]
            is_seat = any(isinstance(one.type, ast.WordsType) and one.type.or_player for one in options)
            return range(len(words) + (bench.players if is_seat else 0))
        case ComponentOf(kind):
            return range(len(next(one for one in bench.kinds.values() if one.declaration.name.text == kind)))
        case CollectionOf() | OrderOf() | OptionalOf() | NothingOf() | TextOf() | Unknown():
            raise CannotNumber(f"a value of `{choice.name.text}` is a list, or may be nothing: these are not numbered")
