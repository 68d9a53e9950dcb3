"""Positions that differ only in names nobody looks at: takes the symmetries of a table, gives one position for all.

Every symmetry is a permutation of places together with a permutation of the values in each of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field, frozen

from rulesrun.interpreter.exploring.positions import Key, Positions
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import Slots

Change = Callable[[Any], Any]


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
    known: list[list[dict[int, int]]] = field(init=False, factory=list)  # by member and slot: numbers of values

    def attach(self, positions: Positions) -> None:
        self.positions = positions
        size = len(self.table.blank)
        self.known = [[{} for _ in range(size)] for _ in self.members]

    def least(self, S: Slots) -> tuple[Key, int]:
        """The key that stands for the position and all that are like it; how many these are."""
        key = self.positions.key(S)
        if not self.members or any(S[slot] for slot in self.uncertain):
            return key, 1
        row = array(self.positions.width, key)
        images = {key}
        for member, known in zip(self.members, self.known, strict=True):
            images.add(self.image(member, known, row, S))
        return min(images), len(images)

    def image(self, member: Relabelling, known: list[dict[int, int]], row: array[int], S: Slots) -> Key:
        found = []
        for slot, source in enumerate(member.sources):
            number, change = row[source], member.changes[slot]
            if change is None and source == slot:
                found.append(number)
                continue
            renamed = known[slot].get(number)
            if renamed is None:
                value = S[source] if change is None else change(S[source])
                renamed = known[slot][number] = self.positions.numbers[slot][value]
            found.append(renamed)
        return array(self.positions.width, found).tobytes()
