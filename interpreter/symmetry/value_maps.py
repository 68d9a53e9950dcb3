"""What becomes of a value when words, components or seats are exchanged: as data, so that any engine can do it.

Each takes a value of a position and gives it renamed. `then` puts two of them together; None changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from rulesrun.interpreter.reference.statements import RecordCounts

Change = Callable[[Any], Any]
"""One of the classes below; called with a value."""

Permutation = tuple[int, ...]
"""At the place of each number what it becomes; of seats the first place is the team's."""


@frozen
class ValueMap:
    """One word, component or seat; `nothing` stays."""

    becomes: Permutation

    def __call__(self, value: Any) -> Any:
        return None if value is None else self.becomes[value]


@frozen
class EachMap:
    """Several values, in their order."""

    change: Change

    def __call__(self, values: Any) -> Any:
        return values and tuple([self.change(value) for value in values])


@frozen
class SortedMap:
    """Several values whose order says nothing: the least first."""

    change: Change

    def __call__(self, values: Any) -> Any:
        return values and tuple(sorted([self.change(value) for value in values]))


@frozen
class UnorderedMap:
    """What lies in a set or a box: the kinds in declared order, or by `keys`, one for each kind."""

    becomes: Permutation
    keys: tuple[Any, ...] | None = None

    def __call__(self, content: tuple[int, ...]) -> tuple[int, ...]:
        renamed, keys = [self.becomes[kind] for kind in content], self.keys
        return tuple(sorted(renamed) if keys is None else sorted(renamed, key=keys.__getitem__))


@frozen
class OrderedMap:
    """What lies in a pile, a row, a place: one after the other; a part whose order is open is a tuple of its own."""

    becomes: Permutation

    def __call__(self, content: tuple[Any, ...]) -> tuple[Any, ...]:
        becomes = self.becomes
        return tuple([
            tuple(sorted([becomes[kind] for kind in part])) if isinstance(part, tuple) else becomes[part]
            for part in content
        ])


@frozen
class ChosenMap:
    """Options that were chosen, whose effects are still to come; by action a change for each of its choices."""

    actions: tuple[tuple[Change | None, ...], ...]

    def __call__(self, options: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Any, ...], ...]:
        return tuple([(option[0], *change_by_place(option[1:], self.actions[option[0]])) for option in options])


@frozen
class MemoryMap:
    """What a memory keeps: the values noted last, and how often each has been noted."""

    columns: tuple[Change | None, ...]

    def __call__(self, kept: Any) -> Any:
        if not kept:
            return kept
        counts = RecordCounts({change_by_place(one, self.columns): times for one, times in kept[1].items()})
        return change_by_place(kept[0], self.columns), counts


@frozen
class SeatMap:
    """One value for each player: who stands where afterwards."""

    seats: Permutation

    def __call__(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        found = list(values)
        for player, own in enumerate(values, 1):
            found[self.seats[player] - 1] = own
        return tuple(found)


@frozen
class SheetMap:
    """The sheets of points: the countings with one row for each player."""

    seats: Permutation

    def __call__(self, sheets: tuple[Any, ...]) -> tuple[Any, ...]:
        rows = SeatMap(self.seats)
        return tuple([(number, counting, rows(values)) for number, counting, values in sheets])


@frozen
class ComposedMap:
    """One after the other."""

    first: Change
    second: Change

    def __call__(self, value: Any) -> Any:
        return self.second(self.first(value))


def change_by_place(values: tuple[Any, ...], changes: tuple[Change | None, ...]) -> tuple[Any, ...]:
    return tuple([
        value if change is None else change(value) for value, change in zip(values, changes, strict=True)
    ])


def compose_changes(first: Change | None, second: Change | None) -> Change | None:
    """One after the other; two renamings of single values are one."""
    if first is None or second is None:
        return first or second
    if isinstance(first, ValueMap) and isinstance(second, ValueMap):
        return ValueMap(tuple(second.becomes[number] for number in first.becomes))
    return ComposedMap(first, second)


def make_each_map(change: Change | None) -> Change | None:
    return None if change is None else EachMap(change)


def make_sorted_map(change: Change | None) -> Change | None:
    return None if change is None else SortedMap(change)
