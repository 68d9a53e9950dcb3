"""What one seat knows of the places it cannot look into. Takes movements, keeps a mark for every component.

From where to where a component goes is seen by everybody; which one it is, where it can be seen before or after.
What leaves a heap unseen may be any of it: the whole heap and what is away from it become one group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import define, field, frozen

from rulesrun.interpreter.bots.movement import Change, Content, Movement, less, middle
from rulesrun.interpreter.bots.unseen import (
    Group,
    Mark,
    Mistaken,
    all_meant,
    are_alike,
    flat_marks,
    groups_in,
    in_group_order,
    joined,
    meant,
    taken_out,
    used_up,
)
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.places import flat
from rulesrun.interpreter.model.values import Slots
from rulesrun.interpreter.play.visibility import sees
from rulesrun.interpreter.reference.table import Table

Pool = dict[int, list[Mark]]


@define(eq=False)
class Heap:
    """All components of one declaration: where they may lie, and where the seat sees them."""

    kinds: Kinds
    slots: list[int]
    seen: frozenset[int]
    tops: frozenset[int]
    ordered: frozenset[int]


@define(eq=False)
class Belief:
    """`marks`: by slot the contents of what this seat cannot look into."""

    table: Table
    seat: int
    heaps: list[Heap] = field(init=False)
    marks: dict[int, tuple[Any, ...]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        bench = self.table.bench
        self.heaps = [self.heap(kinds) for kinds in bench.kinds.values()]
        for heap in self.heaps:
            for slot in heap.slots:
                if slot not in heap.seen:
                    self.marks[slot] = tuple(self.table.blank[slot])

    def heap(self, kinds: Kinds) -> Heap:
        seen, tops, ordered = set(), set(), set()
        for room in self.table.bench.zones.values():
            for number in range(room.amount):
                slot = room.base + number
                if room.declaration.visibility == "public top":
                    tops.add(slot)
                elif self.sees(room, number):
                    seen.add(slot)
                if room.declaration.kind in {"pile", "row"} and room.sort_key is None:
                    ordered.add(slot)
        return Heap(
            kinds, all_zone_slots(self.table.bench, kinds), frozenset(seen), frozenset(tops), frozenset(ordered)
        )

    def sees(self, room: ZoneRoom, number: int) -> bool:
        """Whether the seat may look into this place at any time."""
        return sees(room, number, self.seat)

    # ---- what moves

    def follow(self, movement: Movement) -> None:
        for heap in self.heaps:
            changed = movement.changed(heap.slots)
            if not changed:
                continue
            try:
                self.moved(heap, changed, movement)
            except (Mistaken, ValueError):
                self.begin_anew(heap, movement.after)
            if heap.tops:
                self.look_at_tops(heap, changed, movement.after)

    def moved(self, heap: Heap, changed: list[int], movement: Movement) -> None:
        pool: Pool = {}
        seen_arriving: Counter[int] = Counter()
        open_ones = [movement.at(slot, False) for slot in changed if slot in heap.seen]
        for change in open_ones:
            for kind in change.gone:
                pool.setdefault(kind, []).append(kind)
            seen_arriving.update(change.come)
            seen_arriving.subtract(change.gone)
        hidden = [(slot, movement.at(slot, slot in heap.ordered)) for slot in changed if slot not in heap.seen]
        is_spread = sum(bool(change.come) for _, change in hidden) > 1
        leaving = Leaving(seen_arriving, pool, is_spread, movement.is_at_once)
        left = [self.leaving(heap, slot, change, leaving) for slot, change in hidden]
        for change in open_ones:
            for kind in change.come:
                used_up(seen_of(pool.get(kind, []), kind), kind)
        for (slot, change), rest in zip(hidden, left, strict=True):
            self.arriving(heap, slot, change, rest, pool)

    def leaving(self, heap: Heap, slot: int, change: Change, leaving: Leaving) -> list[Mark]:
        """The marks of what stays of the changed part of a place; those of what leaves go to the pool."""
        marks = middle(self.marks[slot], change.first, change.last)
        if not change.new and slot in heap.ordered:
            leaving.of_pile(change.old, marks)
            return []
        rest = flat_marks(marks)
        leaving.of_heap(change.gone, rest)
        return rest

    def arriving(self, heap: Heap, slot: int, change: Change, rest: list[Mark], pool: Pool) -> None:
        if not rest and slot in heap.ordered:
            changed: list[Any] = []
            for part in change.new:
                if isinstance(part, tuple):
                    changed.append(tuple(in_group_order(meant(pool[kind].pop()) for kind in part)))
                else:
                    changed.append(meant(pool[part].pop()))
        else:
            marks = all_meant(rest) + [meant(pool[kind].pop()) for kind in change.come]
            changed = shaped(marks, change.new, slot in heap.ordered)
        kept = self.marks[slot]
        self.marks[slot] = (*kept[: change.first], *changed, *kept[len(kept) - change.last :])

    def look_at_tops(self, heap: Heap, changed: list[int], after: Slots) -> None:
        for slot in changed:
            content = after[slot]
            if slot in heap.tops and content and not isinstance(content[-1], tuple):
                top = meant(self.marks[slot][-1])
                try:
                    used_up(top, content[-1])
                    self.marks[slot] = (*self.marks[slot][:-1], content[-1])
                except Mistaken:
                    self.begin_anew(heap, after)

    def begin_anew(self, heap: Heap, after: Slots) -> None:
        """Only what lies open is known; everything else is one group."""
        unseen = Counter(heap.kinds.all())
        for slot in heap.seen & set(heap.slots):
            unseen.subtract(flat(after[slot]))
        group = Group(+unseen)
        for slot in heap.slots:
            if slot in self.marks:
                self.marks[slot] = tuple(
                    (group,) * len(part) if isinstance(part, tuple) else group for part in after[slot]
                )

    # ---- what is shown

    def shown(self, slot: int, content: Content) -> None:
        """The seat may look into a place."""
        if slot not in self.marks:
            return
        marks = flat_marks(self.marks[slot])
        try:
            for kind in flat(content):
                taken_out(marks, kind)
                marks = all_meant(marks)
        except Mistaken:
            return
        self.marks[slot] = content


def seen_of(marks: list[Mark], kind: int) -> Mark:
    """The mark of one that is seen where it comes to, taken out of the pool: one that is known, if there is one."""
    for at, mark in enumerate(marks):
        if meant(mark) == kind:
            return marks.pop(at)
    return meant(marks.pop()) if marks else kind


@frozen(eq=False)
class Leaving:
    """What leaves its place. `seen`: how many of each kind can be seen where they come to; `pool`: the marks of what is
    on the way; `is_spread`: whether what is not seen comes to several places; `is_at_once`: whether all of it is
    seen in one moment, so that nobody knows which of it was which."""

    seen: Counter[int]
    pool: Pool
    is_spread: bool
    is_at_once: bool

    def of_pile(self, parts: Content, marks: Sequence[Any]) -> None:
        """Part by part; of several that are seen at once it is not known which lay where."""
        seen_together: list[int] = []
        of_them: list[Mark] = []
        for part, own in zip(parts, marks, strict=True):
            if isinstance(part, tuple):
                self.of_heap(less(part, ()), all_meant(own))
            elif self.is_at_once and isinstance(meant(own), Group) and self.seen[part] > 0:
                seen_together.append(part)
                of_them.append(own)
            else:
                self.of_heap([part], [meant(own)])
        self.of_heap(seen_together, all_meant(of_them))

    def of_heap(self, gone: Sequence[int], marks: list[Mark]) -> None:
        """Takes the marks of what leaves out of those of a heap without order."""
        unseen = []
        for kind in gone:
            if self.seen[kind] > 0:
                self.seen[kind] -= 1
                taken_out(marks, kind)
                marks[:] = all_meant(marks)
                self.pool.setdefault(kind, []).append(kind)
            else:
                unseen.append(kind)
        if unseen and len(unseen) == len(marks) and not self.is_spread:
            leave_altogether(unseen, marks, self.pool)
        elif unseen:
            one = marks[0] if are_alike(marks) else joined(marks)
            marks[:] = [one] * (len(marks) - len(unseen))
            for kind in unseen:
                self.pool.setdefault(kind, []).append(one)


def leave_altogether(kinds: list[int], marks: list[Mark], pool: Pool) -> None:
    """Everything goes: what is known stays known."""
    groups = groups_in(marks)
    one: Mark | None = joined(groups) if len(groups) > 1 else groups[0] if groups else None
    known = Counter(mark for mark in marks if isinstance(mark, int))
    for kind in kinds:
        if known[kind] > 0:
            known[kind] -= 1
            pool.setdefault(kind, []).append(kind)
        elif one is not None:
            pool.setdefault(kind, []).append(one)
        else:
            raise Mistaken
    marks.clear()


def shaped(marks: list[Mark], new: Content, is_ordered: bool) -> list[Any]:
    """The marks laid out as the new content; where an order is unseen, they become one group."""
    if is_ordered and len(new) == 1 and isinstance(new[0], tuple):
        return [tuple(in_group_order(marks))]
    if not is_ordered:
        return list(in_group_order(marks))
    one = marks[0] if marks and are_alike(marks) else joined(marks) if marks else 0
    return [(one,) * len(part) if isinstance(part, tuple) else one for part in new]
