"""An answer in steps: first the action, then each of its values. Takes numbered actions, gives far fewer numbers.

Choices with the same values share their numbers. A selection is its items, the smallest first, and then that it is
enough, where more could follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from rulesrun.interpreter.reference.decisions import OptionKey
from rulesrun.interpreter.spaces.action_numbers import ActionNumbers, NumberedAction, SingleValues

Way = tuple[int, ...]


@define(eq=False)
class ActionSteps:
    """Numbers for steps: an action each, then a value of each set of values, then `enough`."""

    numbers: ActionNumbers
    actions: dict[int, int]  # by the number of the action in the file
    sets: dict[tuple[Any, ...], int]  # by its values, the first number
    amount: int
    enough: int | None
    _ways: dict[OptionKey, Way] = field(factory=dict, init=False)

    @staticmethod
    def of_table(numbers: ActionNumbers) -> ActionSteps:
        actions = {one.number: at for at, one in enumerate(numbers.actions)}
        sets: dict[tuple[Any, ...], int] = {}
        amount, has_selections = len(actions), False
        for own in numbers.actions:
            for values, written in zip(own.choices, own.external, strict=True):
                has_selections = has_selections or not isinstance(values, SingleValues)
                if (key := written[0]) not in sets:
                    sets[key] = amount
                    amount += len(key)
        enough = amount if has_selections else None
        return ActionSteps(numbers, actions, sets, amount + has_selections, enough)

    def __len__(self) -> int:
        return self.amount

    def word_at(self, step: int) -> Any:
        """The name of an action, a value as it is written outside, or `enough`."""
        if not 0 <= step < self.amount:
            raise IndexError(f"there are {self.amount} steps, numbered from 0")
        if step < len(self.actions):
            return self.numbers.actions[step].action.name.text
        if step == self.enough:
            return "enough"
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
            if isinstance(values, SingleValues):
                found.append(first + values.index[value])
                continue
            found += [first + values.items.index[one] for one in value]
            if len(value) < values.high:
                assert self.enough is not None
                found.append(self.enough)
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
