"""Positions that differ only in names nobody looks at: takes the symmetries of a table, gives one position for all.

Every symmetry is a permutation of places together with a permutation of the values in each of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field, frozen

from rulesrun.interpreter.exploring.positions import WIDTH, Key, Numbers, Positions
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import Slots

Change = Callable[[Any], Any]
Moved = tuple[int, int, Change | None, Numbers, dict[int, int]]
"""A slot, where its value comes from, how it is renamed, the numbers of its values, those that are known already."""


@frozen(eq=False)
class Relabelling:
    """`sources[slot]`: where what lies at this slot afterwards comes from; `changes[slot]`: how it is renamed."""

    sources: tuple[int, ...]
    changes: tuple[Change | None, ...]

    def of(self, S: Slots) -> Slots:
        return [
            S[source] if change is None else change(S[source])
            for source, change in zip(self.sources, self.changes, strict=True)
        ]


@define(eq=False)
class Group:
    """All symmetries that are used, but for the one that changes nothing."""

    table: Table
    members: Sequence[Relabelling]
    said: tuple[str, ...] = ()  # what is alike, in words
    uncertain: tuple[int, ...] = ()  # where one of these is in use, a position stands for itself
    positions: Positions = field(init=False)
    moved: list[list[Moved]] = field(init=False, factory=list)  # by member

    def attach(self, positions: Positions) -> None:
        self.positions = positions
        self.moved = [moved_by(member, positions) for member in self.members]

    def least(self, S: Slots) -> tuple[Key, int]:
        """The key that stands for the position and all that are like it; how many these are."""
        key = self.positions.key(S)
        if not self.members or any(S[slot] for slot in self.uncertain):
            return key, 1
        row = array(WIDTH, key)
        images = {key}
        for moved in self.moved:
            images.add(image(moved, row, S))
        return min(images), len(images)


def moved_by(member: Relabelling, positions: Positions) -> list[Moved]:
    """The slots that a symmetry changes at all."""
    return [
        (slot, source, change, positions.numbers[slot], {})
        for slot, (source, change) in enumerate(zip(member.sources, member.changes, strict=True))
        if change is not None or source != slot
    ]


def image(moved: list[Moved], row: array[int], S: Slots) -> Key:
    found = row[:]
    for slot, source, change, numbers, known in moved:
        number = row[source]
        renamed = known.get(number)
        if renamed is None:
            renamed = known[number] = numbers[S[source] if change is None else change(S[source])]
        found[slot] = renamed
    return found.tobytes()
