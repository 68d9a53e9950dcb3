"""What one seat knows of the places it cannot look into. Takes movements, keeps a mark for every component.

From where to where a component goes is seen by everybody; which one it is, where it can be seen before or after.
What leaves a heap unseen may be any of it: the whole heap and what is away from it become one group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from rulesrun.interpreter.bots.observation import HeardChoice, Observation, Tell
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import TEAM, Slots
from rulesrun.interpreter.play.player_memory import announcement
from rulesrun.interpreter.play.visibility import can_see
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, TogetherWait
from rulesrun.interpreter.reference.table import Table

# ---- movement
# One movement: a position before and after it in, what went from every place and what came out. Worked out once,
# however many seats watch it.


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


# ---- unseen
# Components that a seat cannot tell apart: groups with what is in them, and the marks that stand for one of a group.
#
# A mark is the number of a kind where the seat knows it, else a `MarkGroup`. A group with n marks holds n components,
# and every way to give them to the marks is as likely as another; of dice whose box has some of them, every face is
# (`consistent_deals`).


@define(eq=False)
class MarkGroup:
    kinds: Counter[int]
    into: MarkGroup | None = field(default=None)  # the group it has become a part of

    def is_one_kind(self) -> bool:
        return len(self.kinds) == 1


Mark = int | MarkGroup


def resolve_mark(mark: Mark) -> Mark:
    """What a mark stands for now: groups may have become one, or may have one kind left."""
    while isinstance(mark, MarkGroup) and mark.into is not None:
        mark = mark.into
    if isinstance(mark, MarkGroup) and mark.is_one_kind():
        return next(iter(mark.kinds))
    return mark


def resolve_marks(marks: Iterable[Mark]) -> list[Mark]:
    """Of many marks, most of which stand for the same."""
    found: list[Mark] = []
    last, now = None, None
    for mark in marks:
        if type(mark) is int:
            found.append(mark)
            continue
        if mark is not last or now is None:
            last, now = mark, resolve_mark(mark)
        found.append(now)
    return found


def are_alike(marks: list[Mark]) -> bool:
    return marks.count(marks[0]) == len(marks)


def groups_in(marks: Iterable[Mark]) -> list[MarkGroup]:
    """Every group among them, once."""
    return list({id(mark): mark for mark in marks if isinstance(mark, MarkGroup)}.values())


def join_marks(marks: Iterable[Mark]) -> Mark:
    """All that these marks stand for becomes one group; the mark of it."""
    marks = resolve_marks(marks)
    known = Counter(mark for mark in marks if isinstance(mark, int))
    groups = groups_in(marks)
    together = MarkGroup(Counter(known))
    for group in groups:
        together.kinds.update(group.kinds)
        group.into = together
    return resolve_mark(together)


class MistakenBelief(Exception):
    """What was seen does not fit to what was believed."""


def take_mark(marks: list[Mark], kind: int) -> None:
    """A component of this kind, seen, leaves the marks: the one that is known, else one of a group."""
    if kind in marks:
        marks.remove(kind)
        return
    possible = [group for group in groups_in(marks) if group.kinds[kind] > 0]
    if not possible:
        raise MistakenBelief
    if len(possible) > 1:
        one = join_marks(possible)
        marks[:] = resolve_marks(marks)
    else:
        one = possible[0]
    marks.remove(one)
    use_up_mark(one, kind)


def use_up_mark(mark: Mark, kind: int) -> None:
    """One of the group has turned out to be of this kind."""
    if isinstance(mark, int):
        if mark != kind:
            raise MistakenBelief
        return
    if mark.kinds[kind] <= 0:
        raise MistakenBelief
    mark.kinds[kind] -= 1
    if not mark.kinds[kind]:
        del mark.kinds[kind]


def flatten_marks(content: Iterable[Mark | tuple[Mark, ...]]) -> list[Mark]:
    """All marks of a pile that may hold unordered parts."""
    found: list[Mark] = []
    for part in content:
        found.extend(resolve_marks(part)) if isinstance(part, tuple) else found.append(resolve_mark(part))
    return found


def sort_marks(marks: Iterable[Mark]) -> list[Mark]:
    """Known ones first, then groups by what is in them."""
    marks = list(marks)
    groups = {id(group): (group.kinds.total(), sorted(group.kinds.items())) for group in groups_in(marks)}
    if len(groups) <= 1:
        return [
            *sorted(mark for mark in marks if isinstance(mark, int)),
            *(m for m in marks if isinstance(m, MarkGroup)),
        ]
    return sorted(marks, key=lambda mark: (0, mark, []) if isinstance(mark, int) else (1, *groups[id(mark)]))


# ---- belief


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


# ---- heard choices
# What everybody hears of the choices of others, and what everybody knew when they were made.
#
# Takes the choices and movements of one game, gives for each choice a `HeardChoice`; nothing of it is hidden from
# anybody. Who wants to know what it tells of the cards asks `opponent_model`.


MOST_TELLS = 12  # of one game that are thought about: the last ones


@define(eq=False)
class ChoiceListener:
    """Of one game. `arrived`: how many components have come to a private place so far."""

    private: tuple[tuple[int, ...], ...]  # by seat the places into which it looks, and not everybody
    heard: list[HeardChoice] = field(init=False, factory=list)
    arrived: Counter[int] = field(init=False, factory=Counter)
    _arrived_then: list[Counter[int]] = field(init=False, factory=list)
    _is_moving: bool = field(init=False, default=False)  # since the last choice nothing has moved

    def note_choice(self, before: Observation, wait: DecisionWait, chooser: int, option: OptionKey) -> None:
        """`before`: what everybody knew. What is secret, or chosen at the same moment, is not heard."""
        self._is_moving = False
        if chooser == TEAM or isinstance(wait, TogetherWait) or not self.private[chooser]:
            return
        said = announcement(wait, option)
        if said is not None:
            self.heard.append(
                HeardChoice(len(self.heard), before, chooser, said, places=self.private[chooser])
            )
            self._arrived_then.append(self.arrived.copy())
            self._is_moving = True

    def follow_movement(self, movement: Movement, heap: Heap) -> None:
        """`heap`: the components of one declaration, as everybody sees them."""
        changed = movement.changed_slots(heap.slots)
        if not changed:
            return
        for slot in changed:
            if slot not in heap.seen:
                self.arrived[slot] += len(movement.change_at(slot, False).come)
        if self._is_moving:
            self._is_moving = False
            self.heard[-1] = describe_movement(self.heard[-1], movement, changed, heap)

    def tells_for(self, seat: int, S: Slots) -> tuple[Tell, ...]:
        """What may tell this seat something: what others did, and how much of what they held then is still there."""
        found = []
        for one, arrived in zip(self.heard[-MOST_TELLS:], self._arrived_then[-MOST_TELLS:], strict=True):
            if one.chooser == seat:
                continue
            kept = []
            for slot in self.private[one.chooser]:
                size = len(flatten_content(S[slot]))
                left = size - (self.arrived[slot] - arrived[slot])
                if left > 0:
                    kept.append((slot, left, size))
            if kept:
                found.append(Tell(one, tuple(kept)))
        return tuple(found)


def describe_movement(one: HeardChoice, movement: Movement, changed: Sequence[int], heap: Heap) -> HeardChoice:
    """With what everybody saw of the first components that moved: which they were, and from whose hand they came."""
    seen, come, left = list[int](), Counter[int](), list[tuple[int, int]]()
    for slot in changed:
        gone, arriving = visible_change(movement, slot, heap)
        seen += [*gone, *arriving]
        come.update(arriving)
    for slot in changed:
        if slot not in heap.seen and slot not in heap.tops:
            for kind in movement.change_at(slot, False).gone:
                if come[kind] > 0:
                    come[kind] -= 1
                    left.append((slot, kind))
    return evolve(one, seen=tuple(sorted(seen)), left=tuple(left))


def visible_change(movement: Movement, slot: int, heap: Heap) -> tuple[Sequence[int], Sequence[int]]:
    """What everybody sees leave a place, and come there: of a pile with an open top the top alone."""
    if slot in heap.seen:
        change = movement.change_at(slot, False)
        return change.gone, change.come
    if slot not in heap.tops:
        return (), ()
    before, after = movement.before[slot], movement.after[slot]
    few, many = len(flatten_content(before)), len(flatten_content(after))
    return (open_top(before) if few > many else (), open_top(after) if many > few else ())


def open_top(content: Sequence[Any]) -> Sequence[int]:
    return (content[-1],) if content and isinstance(content[-1], int) else ()
