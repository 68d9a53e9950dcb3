"""What one seat knows of the places it cannot look into. Takes movements, keeps a mark for every component.

From where to where a component goes is seen by everybody; which one it is, where it can be seen before or after.
What leaves a heap unseen may be any of it: the whole heap and what is away from it become one group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import define, field, frozen

from rulesrun.interpreter.bots.movement import Content, Movement, PlaceChange, middle_part, subtract_kinds
from rulesrun.interpreter.bots.unseen import (
    Mark,
    MarkGroup,
    MistakenBelief,
    are_alike,
    flatten_marks,
    groups_in,
    join_marks,
    resolve_mark,
    resolve_marks,
    sort_marks,
    take_mark,
    use_up_mark,
)
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import Slots
from rulesrun.interpreter.play.visibility import can_see
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
    told: set[int] = field(init=False, factory=set)  # values that were shown to this seat and are the same since
    _values: frozenset[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        bench = self.table.bench
        values = bench.variables.values()
        self._values = frozenset(slot for room in values for slot in range(room.base, room.base + room.amount))
        self.heaps = [self.make_heap(kinds) for kinds in bench.kinds.values()]
        for heap in self.heaps:
            for slot in heap.slots:
                if slot not in heap.seen:
                    self.marks[slot] = tuple(self.table.blank[slot])

    def make_heap(self, kinds: Kinds) -> Heap:
        seen, tops, ordered = set(), set(), set()
        for room in self.table.bench.zones.values():
            for number in range(room.amount):
                slot = room.base + number
                if room.declaration.visibility == "public top":
                    tops.add(slot)
                elif self.can_see(room, number):
                    seen.add(slot)
                if room.declaration.kind in {"pile", "row"} and room.sort_key is None:
                    ordered.add(slot)
        return Heap(
            kinds, all_zone_slots(self.table.bench, kinds), frozenset(seen), frozenset(tops), frozenset(ordered)
        )

    def can_see(self, room: ZoneRoom, number: int) -> bool:
        """Whether the seat may look into this place at any time."""
        return can_see(room, number, self.seat)

    # ---- what moves

    def follow_movement(self, movement: Movement) -> None:
        for heap in self.heaps:
            changed = movement.changed_slots(heap.slots)
            if heap.seen.issuperset(changed):  # nothing of it is hidden
                continue
            try:
                self.update_heap(heap, changed, movement)
            except (MistakenBelief, ValueError):
                self.reset_heap(heap, movement.after)
            if heap.tops:
                self.look_at_tops(heap, changed, movement.after)

    def update_heap(self, heap: Heap, changed: list[int], movement: Movement) -> None:
        pool: Pool = {}
        seen_arriving: Counter[int] = Counter()
        open_ones = [movement.change_at(slot, False) for slot in changed if slot in heap.seen]
        for change in open_ones:
            for kind in change.gone:
                pool.setdefault(kind, []).append(kind)
            seen_arriving.update(change.come)
            seen_arriving.subtract(change.gone)
        hidden = [(slot, movement.change_at(slot, slot in heap.ordered)) for slot in changed if slot not in heap.seen]
        is_spread = sum(bool(change.come) for _, change in hidden) > 1
        leaving = LeavingMarks(seen_arriving, pool, is_spread, movement.is_at_once)
        left = [self.take_leaving_marks(heap, slot, change, leaving) for slot, change in hidden]
        for change in open_ones:
            for kind in change.come:
                use_up_mark(take_seen_mark(pool.get(kind, []), kind), kind)
        for (slot, change), rest in zip(hidden, left, strict=True):
            self.put_arriving_marks(heap, slot, change, rest, pool)

    def take_leaving_marks(self, heap: Heap, slot: int, change: PlaceChange, leaving: LeavingMarks) -> list[Mark]:
        """The marks of what stays of the changed part of a place; those of what leaves go to the pool."""
        marks = middle_part(self.marks[slot], change.first, change.last)
        if not change.new and slot in heap.ordered:
            leaving.take_from_pile(change.old, marks)
            return []
        rest = flatten_marks(marks)
        leaving.take_from_heap(change.gone, rest)
        return rest

    def put_arriving_marks(self, heap: Heap, slot: int, change: PlaceChange, rest: list[Mark], pool: Pool) -> None:
        if not rest and slot in heap.ordered:
            changed: list[Any] = []
            for part in change.new:
                if isinstance(part, tuple):
                    changed.append(tuple(sort_marks(resolve_mark(pool[kind].pop()) for kind in part)))
                else:
                    changed.append(resolve_mark(pool[part].pop()))
        else:
            marks = resolve_marks(rest) + [resolve_mark(pool[kind].pop()) for kind in change.come]
            changed = shape_marks(marks, change.new, slot in heap.ordered)
        kept = self.marks[slot]
        self.marks[slot] = (*kept[: change.first], *changed, *kept[len(kept) - change.last :])

    def look_at_tops(self, heap: Heap, changed: list[int], after: Slots) -> None:
        for slot in changed:
            content = after[slot]
            if slot in heap.tops and content and not isinstance(content[-1], tuple):
                top = resolve_mark(self.marks[slot][-1])
                try:
                    use_up_mark(top, content[-1])
                    self.marks[slot] = (*self.marks[slot][:-1], content[-1])
                except MistakenBelief:
                    self.reset_heap(heap, after)

    def reset_heap(self, heap: Heap, after: Slots) -> None:
        """Only what lies open is known; everything else is one group."""
        unseen = Counter(heap.kinds.all_components())
        for slot in heap.seen & set(heap.slots):
            unseen.subtract(flatten_content(after[slot]))
        group = MarkGroup(+unseen)
        for slot in heap.slots:
            if slot in self.marks:
                self.marks[slot] = tuple(
                    (group,) * len(part) if isinstance(part, tuple) else group for part in after[slot]
                )

    # ---- what is shown

    def note_shown(self, slot: int, content: Any) -> None:
        """The seat may look into a place, or is told a value."""
        if slot in self._values:
            self.told.add(slot)
        if slot not in self.marks:
            return
        marks = flatten_marks(self.marks[slot])
        try:
            for kind in flatten_content(content):
                take_mark(marks, kind)
                marks = resolve_marks(marks)
        except MistakenBelief:
            return
        self.marks[slot] = content


def take_seen_mark(marks: list[Mark], kind: int) -> Mark:
    """The mark of one that is seen where it comes to, taken out of the pool: one that is known, if there is one."""
    for at, mark in enumerate(marks):
        if resolve_mark(mark) == kind:
            return marks.pop(at)
    return resolve_mark(marks.pop()) if marks else kind


@frozen(eq=False)
class LeavingMarks:
    """What leaves its place. `seen`: how many of each kind can be seen where they come to; `pool`: the marks of what is
    on the way; `is_spread`: whether what is not seen comes to several places; `is_at_once`: whether all of it is
    seen in one moment, so that nobody knows which of it was which."""

    seen: Counter[int]
    pool: Pool
    is_spread: bool
    is_at_once: bool

    def take_from_pile(self, parts: Content, marks: Sequence[Any]) -> None:
        """Part by part; of several that are seen at once it is not known which lay where."""
        seen_together: list[int] = []
        of_them: list[Mark] = []
        for part, own in zip(parts, marks, strict=True):
            if isinstance(part, tuple):
                self.take_from_heap(subtract_kinds(part, ()), resolve_marks(own))
            elif self.is_at_once and isinstance(resolve_mark(own), MarkGroup) and self.seen[part] > 0:
                seen_together.append(part)
                of_them.append(own)
            else:
                self.take_from_heap([part], [resolve_mark(own)])
        self.take_from_heap(seen_together, resolve_marks(of_them))

    def take_from_heap(self, gone: Sequence[int], marks: list[Mark]) -> None:
        """Takes the marks of what leaves out of those of a heap without order."""
        unseen = []
        for kind in gone:
            if self.seen[kind] > 0:
                self.seen[kind] -= 1
                take_mark(marks, kind)
                marks[:] = resolve_marks(marks)
                self.pool.setdefault(kind, []).append(kind)
            else:
                unseen.append(kind)
        if unseen and len(unseen) == len(marks) and not self.is_spread:
            take_all_marks(unseen, marks, self.pool)
        elif unseen:
            one = marks[0] if are_alike(marks) else join_marks(marks)
            marks[:] = [one] * (len(marks) - len(unseen))
            for kind in unseen:
                self.pool.setdefault(kind, []).append(one)


def take_all_marks(kinds: list[int], marks: list[Mark], pool: Pool) -> None:
    """Everything goes: what is known stays known."""
    groups = groups_in(marks)
    one: Mark | None = join_marks(groups) if len(groups) > 1 else groups[0] if groups else None
    known = Counter(mark for mark in marks if isinstance(mark, int))
    for kind in kinds:
        if known[kind] > 0:
            known[kind] -= 1
            pool.setdefault(kind, []).append(kind)
        elif one is not None:
            pool.setdefault(kind, []).append(one)
        else:
            raise MistakenBelief
    marks.clear()


def shape_marks(marks: list[Mark], new: Content, is_ordered: bool) -> list[Any]:
    """The marks laid out as the new content; where an order is unseen, they become one group."""
    if is_ordered and len(new) == 1 and isinstance(new[0], tuple):
        return [tuple(sort_marks(marks))]
    if not is_ordered:
        return list(sort_marks(marks))
    one = marks[0] if marks and are_alike(marks) else join_marks(marks) if marks else 0
    return [(one,) * len(part) if isinstance(part, tuple) else one for part in new]
