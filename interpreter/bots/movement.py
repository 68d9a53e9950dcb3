"""One movement: a position before and after it in, what went from every place and what came out. Worked out once,
however many seats watch it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, field, frozen

from rulesrun.interpreter.model.places import flat
from rulesrun.interpreter.model.values import Slots

Content = tuple[Any, ...]
Amounts = dict[int, int]  # by kind


@frozen(eq=False)
class Change:
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
    _changes: dict[tuple[int, bool], Change] = field(init=False, factory=dict)

    def changed(self, slots: Sequence[int]) -> list[int]:
        """Those of the places in which anything has changed; asked with the same list by everybody."""
        found = self._changed.get(slots[0]) if slots else []
        if found is None:
            before, after = self.before, self.after
            found = self._changed[slots[0]] = [slot for slot in slots if before[slot] != after[slot]]
        return found

    def at(self, slot: int, is_ordered: bool) -> Change:
        """`is_ordered`: what lies there has an order, so that ends that are as before were not touched."""
        found = self._changes.get((slot, is_ordered))
        if found is None:
            before, after = self.before[slot], self.after[slot]
            first, last = same_ends(before, after) if is_ordered else (0, 0)
            old, new = middle(before, first, last), middle(after, first, last)
            one, other = flat(old), flat(new)
            found = Change(first, last, old, new, less(one, other), less(other, one))
            self._changes[slot, is_ordered] = found
        return found


def less(one: Iterable[int], other: Iterable[int]) -> list[int]:
    """The first without the second, alike ones together."""
    found = amounts(one)
    for kind in other:
        many = found.get(kind)
        if many:
            found[kind] = many - 1
    return [kind for kind, many in found.items() for _ in range(many)]


def amounts(kinds: Iterable[int]) -> Amounts:
    found: Amounts = {}
    for kind in kinds:
        found[kind] = found.get(kind, 0) + 1
    return found


def middle(content: Content, first: int, last: int) -> Content:
    return content[first : len(content) - last]


def same_ends(before: Content, after: Content) -> tuple[int, int]:
    """How many parts at the bottom and at the top are as they were."""
    shorter, first = min(len(before), len(after)), 0
    while first < shorter and before[first] == after[first]:
        first += 1
    last = 0
    while last < shorter - first and before[-1 - last] == after[-1 - last]:
        last += 1
    return first, last
