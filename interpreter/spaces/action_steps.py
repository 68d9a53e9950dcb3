"""An answer in steps: first the action, then each of its values. Takes numbered actions, gives far fewer numbers.

Choices with the same values share their numbers. A selection is its items, the smallest first, and then that it is
enough, where more could follow; so is a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from rulesrun.interpreter.reference.decisions import OptionKey
from rulesrun.interpreter.spaces.action_numbers import ActionNumbers, NumberedAction
from rulesrun.interpreter.spaces.choice_values import (
    NOTHING_CHOSEN,
    Lists,
    OptionalValues,
    Orders,
    Selections,
    SingleValues,
    Values,
)

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
