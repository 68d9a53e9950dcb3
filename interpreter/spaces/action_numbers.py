"""All answers that the declared domains of a table allow, numbered from 0: takes a table, gives numbers for option keys
and keys for numbers.

An action's numbers follow those of the action before it in the file; inside of it the last choice changes fastest.
Equal components are one. A number means the same answer at every position, whoever is asked.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.typing.types import CollectionOf, OptionalOf, OrderOf, Type
from rulesrun.interpreter.model.domains import argument_to_external, typed_to_external
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey
from rulesrun.interpreter.reference.options import CompiledAction, CompiledChoice
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.spaces.choice_values import (
    NOTHING_CHOSEN,
    CannotNumber,
    Lists,
    OptionalValues,
    Orders,
    Selections,
    SingleValues,
    Values,
    freeze_words,
    list_choice_values,
)

MOST_ACTIONS = 1 << 20


@frozen(eq=False)
class NumberedAction:
    """An action, its first number, and for each of its choices the values and how many numbers one step is worth."""

    ready: CompiledAction
    number: int  # of the action in the file
    first: int
    choices: tuple[Values, ...]
    strides: tuple[int, ...]
    external: tuple[tuple[tuple[Any, ...], Mapping[Any, int]], ...]  # how single values are written

    @property
    def amount(self) -> int:
        return prod(one.amount for one in self.choices)


@define(eq=False)
class ActionNumbers:
    """Every action that is offered somewhere at this table. Made by `number_actions`."""

    table: Table
    actions: tuple[NumberedAction, ...]
    by_number: dict[int, NumberedAction] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.by_number = {one.number: one for one in self.actions}

    def __len__(self) -> int:
        return self.amount

    @property
    def amount(self) -> int:
        """How many there are; `len` knows no numbers as large as this one may be."""
        return self.actions[-1].first + self.actions[-1].amount if self.actions else 0

    def number_of(self, key: OptionKey) -> int:
        """The number of an option, as the engines have it."""
        own = self.by_number[key[0]]
        found = own.first
        for values, stride, value in zip(own.choices, own.strides, key[1:], strict=True):
            rank = values.rank(value)
            if rank is None:
                name = own.ready.action.name.text
                raise CannotNumber(f"`{name}` was offered with a value outside of its domain: {value}")
            found += rank * stride
        return found

    def action_at(self, number: int) -> NumberedAction:
        if not 0 <= number < self.amount:
            raise IndexError(f"there are {self.amount} actions, numbered from 0")
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
            (choice.name.text, argument_to_external(self.table.bench, choice, value))
            for choice, value in zip(own.ready.action.choices, key[1:], strict=True)
        )

    def key_from_words(self, action: str, arguments: Mapping[str, Any]) -> OptionKey:
        """The option that is written so; raises ValueError where there is none."""
        own = next((one for one in self.actions if one.ready.action.name.text == action), None)
        if own is None:
            raise ValueError(f"nobody is offered an action `{action}` at this table")
        names = [choice.name.text for choice in own.ready.action.choices]
        if sorted(arguments) != sorted(names):
            raise ValueError(f"`{action}` takes {', '.join(names) or 'nothing'}")
        found: list[Any] = []
        for name, values, written in zip(names, own.choices, own.external, strict=True):
            found.append(self.value_from_words(name, values, written, arguments[name]))
        return (own.number, *found)

    def value_from_words(self, name: str, values: Values, written: Any, value: Any) -> Any:
        try:
            found = values.read_words(value, written[1])
        except (KeyError, TypeError):
            what = "value" if isinstance(values, SingleValues) else "selection"
            raise ValueError(f"`{value}` is no {what} of `{name}`") from None
        if values.rank(found) is None:
            if isinstance(values, Selections):
                raise ValueError(f"`{name}` takes {values.low} to {values.high} at once")
            raise ValueError(f"`{value}` is no value of `{name}`")
        return found


# ---- from a table


def number_actions(table: Table, most: int = MOST_ACTIONS) -> ActionNumbers:
    """Raises CannotNumber where a domain has no bounds, or there are more than `most`."""
    offered = {
        number: offer.action
        for wait in table.waits.values() if isinstance(wait, DecisionWait)
        for number, offer in wait.offers.items() if id(offer.action.action) not in table.bench.left_out
    }
    found, first = [], 0
    for number, ready in sorted(offered.items()):
        choices = tuple(list_choice_values(table.bench, choice) for choice in ready.choices)
        if any(not one.amount for one in choices):
            continue
        sizes = [one.amount for one in choices]
        strides = tuple(prod(sizes[at + 1 :]) for at in range(len(sizes)))
        external = tuple(
            write_values(table, choice, values) for choice, values in zip(ready.choices, choices, strict=True)
        )
        found.append(NumberedAction(ready, number, first, choices, strides, external))
        first += prod(sizes)
    if first > most:
        raise CannotNumber(
            f"there are {first:,} different answers at this table, more than {most:,}; "
            "ask for steps: the action first, then each of its values"
        )
    return ActionNumbers(table, tuple(found))


def write_values(
    table: Table, ready: CompiledChoice, values: Values
) -> tuple[tuple[Any, ...], Mapping[Any, int]]:
    """How single values are written outside."""
    found = table.bench.type_of(ready.choice.domain)
    item = found.item if isinstance(found, (CollectionOf, OrderOf)) else None
    if not isinstance(values, SingleValues):
        item = innermost_type(item)
    words = tuple(freeze_words(typed_to_external(table.bench, item, value)) for value in values.single.values)
    return words, {word: number for number, word in enumerate(words)}


def innermost_type(found: Type | None) -> Type | None:
    """Of the single values of lists and orders."""
    match found:
        case CollectionOf(item) | OrderOf(item) | OptionalOf((CollectionOf() | OrderOf()) as item):
            return innermost_type(item)
        case _:
            return found


# ---- action steps
# An answer in steps: first the action, then each of its values. Takes numbered actions, gives far fewer numbers.
#
# Choices with the same values share their numbers. A selection is its items, the smallest first, and then that it is
# enough, where more could follow; so is a list.


Way = tuple[int, ...]


@define(eq=False)
class ActionSteps:
    """Numbers for steps: an action each, then a value of each set of values, then the marks: `enough` and others."""

    numbers: ActionNumbers
    actions: dict[int, int]  # by the number of the action in the file
    sets: dict[tuple[Any, ...], int]  # by its values, the first number
    marks: dict[int, int]  # by the mark
    amount: int
    _ways: dict[OptionKey, Way] = field(factory=dict, init=False)

    @staticmethod
    def of_table(numbers: ActionNumbers) -> ActionSteps:
        actions = {one.number: at for at, one in enumerate(numbers.actions)}
        sets: dict[tuple[Any, ...], int] = {}
        amount, found = len(actions), set[int]()
        for own in numbers.actions:
            for values, written in zip(own.choices, own.external, strict=True):
                found |= marks_of(values)
                if (key := written[0]) not in sets:
                    sets[key] = amount
                    amount += len(key)
        marks = {mark: amount + at for at, mark in enumerate(sorted(found, reverse=True))}
        return ActionSteps(numbers, actions, sets, marks, amount + len(marks))

    def __len__(self) -> int:
        return self.amount

    @property
    def longest(self) -> int:
        """So many steps has no answer more."""
        return 1 + max(
            (sum(most_marks(values) for values in own.choices) for own in self.numbers.actions), default=0
        )

    def word_at(self, step: int) -> Any:
        """The name of an action, a value as it is written outside, `enough`."""
        if not 0 <= step < self.amount:
            raise IndexError(f"there are {self.amount} steps, numbered from 0")
        if step < len(self.actions):
            return self.numbers.actions[step].ready.action.name.text
        for mark, number in self.marks.items():
            if step == number:
                return "nothing" if mark == NOTHING_CHOSEN else "enough" + " inside" * (-1 - mark)
        words, first = next(
            (words, first) for words, first in self.sets.items() if first <= step < first + len(words)
        )
        return words[step - first]

    def way_of(self, key: OptionKey) -> Way:
        """The steps that an option takes."""
        if key not in self._ways:
            self._ways[key] = self.compute_way(self.numbers.by_number[key[0]], key)
        return self._ways[key]

    def compute_way(self, own: NumberedAction, key: OptionKey) -> Way:
        found = [self.actions[own.number]]
        for values, written, value in zip(own.choices, own.external, key[1:], strict=True):
            first = self.sets[written[0]]
            found += [first + mark if mark >= 0 else self.marks[mark] for mark in values.list_marks(value)]
        return tuple(found)

    def legal_steps(self, keys: Sequence[OptionKey], taken: Way) -> Way:
        """How it may go on, in the order of the numbers."""
        many = len(taken)
        ways = [way for way in map(self.way_of, keys) if way[:many] == taken]
        if not ways:
            raise ValueError("no answer begins with these steps")
        return tuple(sorted({way[many] for way in ways if len(way) > many}))

    def finished_key(self, keys: Sequence[OptionKey], taken: Way) -> OptionKey | None:
        return next((key for key in keys if self.way_of(key) == taken), None)


def marks_of(values: Values, depth: int = 0) -> set[int]:
    """The marks with which values may be told."""
    match values:
        case Selections():
            return {-1 - depth}
        case Lists(items):
            return {-1 - depth} | marks_of(items, depth + 1)
        case OptionalValues(others):
            return {NOTHING_CHOSEN} | marks_of(others, depth)
        case SingleValues() | Orders():
            return set()
        case _:
            raise TypeError(f"these values have no steps: {values}")


def most_marks(values: Values) -> int:
    """So many steps tell one of the values, at most."""
    match values:
        case Selections():
            return max(values.high, 1)
        case Lists(items, longest):
            return max(longest * most_marks(items), 1) + 1
        case Orders(single):
            return single.amount
        case OptionalValues(others):
            return max(most_marks(others), 1)
        case _:
            return 1
