"""One movement: a position before and after it in, what went from every place and what came out. Worked out once,
however many seats watch it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, field, frozen

from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import Slots

Content = tuple[Any, ...]
Amounts = dict[int, int]  # by kind


@frozen(eq=False)
class PlaceChange:
    """Of one place. `first`, `last`: so many parts at its bottom and at its top are as they were; `old`, `new`: what
    lies between them."""

    first: int
    last: int
    old: Content
    new: Content
    gone: list[int]  # kinds, as often as they went
    come: list[int]


@define(eq=False)
class Movement:
    """`is_at_once`: components came one after the other, but were seen when all were there."""

    before: Slots
    after: Slots
    is_at_once: bool = False
    _changed: dict[int, list[int]] = field(init=False, factory=dict)
    _changes: dict[tuple[int, bool], PlaceChange] = field(init=False, factory=dict)

    def changed_slots(self, slots: Sequence[int]) -> list[int]:
        """Those of the places in which anything has changed; asked with the same list by everybody."""
        found = self._changed.get(slots[0]) if slots else []
        if found is None:
            before, after = self.before, self.after
            found = self._changed[slots[0]] = [slot for slot in slots if before[slot] != after[slot]]
        return found

    def change_at(self, slot: int, is_ordered: bool) -> PlaceChange:
        """`is_ordered`: what lies there has an order, so that ends that are as before were not touched."""
        found = self._changes.get((slot, is_ordered))
        if found is None:
            before, after = self.before[slot], self.after[slot]
            first, last = count_same_ends(before, after) if is_ordered else (0, 0)
            old, new = middle_part(before, first, last), middle_part(after, first, last)
            one, other = flatten_content(old), flatten_content(new)
            found = PlaceChange(first, last, old, new, subtract_kinds(one, other), subtract_kinds(other, one))
            self._changes[slot, is_ordered] = found
        return found


def subtract_kinds(one: Iterable[int], other: Iterable[int]) -> list[int]:
    """The first without the second, alike ones together."""
    found = count_kinds(one)
    for kind in other:
        many = found.get(kind)
        if many:
            found[kind] = many - 1
    return [kind for kind, many in found.items() for _ in range(many)]


def count_kinds(kinds: Iterable[int]) -> Amounts:
    found: Amounts = {}
    for kind in kinds:
        found[kind] = found.get(kind, 0) + 1
    return found


def middle_part(content: Content, first: int, last: int) -> Content:
    return content[first : len(content) - last]


def count_same_ends(before: Content, after: Content) -> tuple[int, int]:
    """How many parts at the bottom and at the top are as they were."""
    shorter, first = min(len(before), len(after)), 0
    while first < shorter and before[first] == after[first]:
        first += 1
    last = 0
    while last < shorter - first and before[-1 - last] == after[-1 - last]:
        last += 1
    return first, last
