"""Positions that differ only in names nobody looks at: takes the symmetries of a table, gives one position for all.

Every symmetry is a permutation of places together with a permutation of the values in each of them.

Where the game begins at a certain seat not every position that is like one that is reached is reached, too. All seats
moved on by as many as there are players: what can follow a position that was moved on is what can follow the position,
moved on. So it is enough to know of each by how many seats the positions that are reached are moved on.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model.values import PC, Slots
from rulesrun.interpreter.play.position_keys import WIDTH, Key, PositionKeys, ValueNumbers
from rulesrun.interpreter.reference.statements import RecordCounts
from rulesrun.interpreter.reference.table import Table

if TYPE_CHECKING:
    from rulesrun.interpreter.explore.breadth_first import Explored

# ---- value maps
# What becomes of a value when words, components or seats are exchanged: as data, so that any engine can do it.
#
# Each takes a value of a position and gives it renamed. `then` puts two of them together; None changes nothing.


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


# ---- canonical positions


Image = tuple[int, Change | None, ValueNumbers, dict[int, int]]
"""Where a value comes from, how it is renamed, the numbers of the values of its new place, those known already."""
Images = list[tuple[int, list[Image | None]]]
"""By slot, then by member."""


@frozen(eq=False)
class Relabelling:
    """`sources[slot]`: where what lies at this slot afterwards comes from; `changes[slot]`: how it is renamed.

    Slots count as in `Table.blank`. A change is data, one of the value maps above; None: nothing is renamed.
    """

    sources: tuple[int, ...]
    changes: tuple[Change | None, ...]

    def relabel(self, S: Slots) -> Slots:
        return [
            S[source] if change is None else change(S[source])
            for source, change in zip(self.sources, self.changes, strict=True)
        ]

    @property
    def key(self) -> tuple[tuple[int, ...], tuple[Change | None, ...]]:
        """The same for those that do the same."""
        return self.sources, self.changes

    def compose_with(self, other: Relabelling) -> Relabelling:
        """One after the other."""
        pairs = list(zip(other.sources, other.changes, strict=True))
        changes = tuple([compose_changes(self.changes[source], change) for source, change in pairs])
        return Relabelling(tuple([self.sources[source] for source, _ in pairs]), changes)


Members = Sequence[Relabelling]
Made = TypeVar("Made")


@define(eq=False)
class SymmetryGroup:
    """All symmetries that are used, but for the one that changes nothing: closed under doing one after the other.

    An engine of its own reads `members`, once the first position is known: there `keep_members_fixing` was called.
    """

    table: Table
    members: Sequence[Relabelling]
    said: tuple[str, ...] = ()  # what is alike, in words
    unless_fault: SymmetryGroup | None = (
        None  # what to use instead once a fault was found: it comes to one seat before others
    )
    elsewhere: Mapping[int, Sequence[Relabelling]] = field(factory=dict)  # by question: what each member does there
    merges_deals: bool = False  # in the middle of a deal positions are one that do not lead to the same ones
    shifts: tuple[int, ...] = ()  # where the beginning names a seat: by how many seats all move on, from none on
    begun_at: int = 0  # and the first question for which that is merged
    positions: PositionKeys = field(init=False)
    images: Images = field(init=False, factory=list)
    images_at: dict[int, Images] = field(init=False, factory=dict)  # by question, where it is not the same

    def attach_positions(self, positions: PositionKeys) -> None:
        """What a position becomes is looked at slot by slot, first where few different values lie."""
        self.positions, self.images = positions, self.make_images(self.members, positions)
        self.images_at = map_distinct_members(self.elsewhere, lambda members: self.make_images(members, positions))

    def make_images(self, members: Sequence[Relabelling], positions: PositionKeys) -> Images:
        slots = sorted(range(len(self.table.blank)), key=self.slot_priority)
        found = [(slot, [None, *(make_image(slot, member, positions) for member in members)]) for slot in slots]
        return [(slot, images) for slot, images in found if any(images)]

    def members_at(self, pc: int) -> Sequence[Relabelling]:
        """What the members do where an answer is needed at this operation."""
        return self.elsewhere.get(pc, self.members)

    def keep_members_fixing(self, S: Slots) -> None:
        """Only symmetries that leave the beginning as it is: then all that a position can become is reached, too.
        Where the beginning names a seat what is reached is counted."""
        if self.shifts:
            return
        key = self.positions.key_of(S)
        here = self.members_at(S[PC])
        kept = [number for number, member in enumerate(here) if self.positions.key_of(member.relabel(S)) == key]
        if len(kept) < len(self.members):
            fewer = message(
                "{kept} of the {total} symmetries keep the start of the game as it is", kept=len(kept) + 1,
                total=len(self.members) + 1,
            )  # fmt: skip
            nothing = message("they differ from the start, so nothing is merged")
            self.said = (*self.said, fewer if kept else nothing)
            self.members = [self.members[number] for number in kept]
            self.elsewhere = map_distinct_members(self.elsewhere, lambda those: [those[number] for number in kept])
            self.attach_positions(self.positions)

    def seat_shift(self, member: int, pc: int) -> int:
        """By how many seats a position is what stands for it, moved on, when the member makes it that."""
        return ITSELF if pc < self.begun_at else -self.shifts[member] % self.table.players

    def slot_priority(self, slot: int) -> tuple[int, int]:
        bench = self.table.bench
        if slot in bench.memories.values():
            return 3, slot
        if slot in bench.boxes.values():
            return 2, slot
        for room in bench.zones.values():
            if room.base <= slot < room.base + room.amount:
                return 2 if room.is_shuffled else 0, slot
        return 1, slot

    def canonical_key(self, S: Slots) -> tuple[Key, int]:
        """The key that stands for the position and all that are like it; how many these are."""
        return self.find_canonical(S)[:2]

    def find_canonical(self, S: Slots) -> tuple[Key, int, int]:
        """The same, and the first member that makes the position what stands for it.

        Of everything that the position can become the least is taken, slot after slot: whatever is larger
        in a slot is left out. What is left in the end are the ways that make it the same.
        """
        key = self.positions.key_of(S)
        if not self.members:
            return key, 1, 0
        row = array(WIDTH, key)
        least = row[:]
        members: Sequence[int] = range(len(self.members) + 1)
        for slot, images in self.images_at.get(S[PC], self.images):
            if len(members) == 1:
                least[slot] = image_number(slot, images[members[0]], row, S)
                continue
            numbers = [image_number(slot, images[member], row, S) for member in members]
            least[slot] = smallest = min(numbers)
            members = [member for member, number in zip(members, numbers, strict=True) if number == smallest]
        return least.tobytes(), (len(self.members) + 1) // len(members), members[0]


def map_distinct_members(elsewhere: Mapping[int, Members], change: Callable[[Members], Made]) -> dict[int, Made]:
    """Something made of what the members do at each question; where they do the same it is made once."""
    made: dict[int, Made] = {}
    for members in elsewhere.values():
        if id(members) not in made:
            made[id(members)] = change(members)
    return {pc: made[id(members)] for pc, members in elsewhere.items()}


def make_image(slot: int, member: Relabelling, positions: PositionKeys) -> Image | None:
    """None where a symmetry changes nothing."""
    source, change = member.sources[slot], member.changes[slot]
    return None if change is None and source == slot else (source, change, positions.numbers[slot], {})


def image_number(slot: int, image: Image | None, row: array[int], S: Slots) -> int:
    if image is None:
        return row[slot]
    source, change, numbers, known = image
    number = row[source]
    renamed = known.get(number)
    if renamed is None:
        renamed = known[number] = numbers[S[source] if change is None else change(S[source])]
    return renamed


# ---- how many positions one stands for



ITSELF = 0xFFFF  # in place of a number of seats: here nothing is merged by seats


def count_reached_positions(found: Explored) -> None:
    """A position that is itself again when all have moved on by some seats counts once for these."""
    seats_at, orbits = found.seats_at, found.orbits
    for number, moved in enumerate(find_reached_shifts(found)):
        if seats_at[number] != ITSELF:
            found.sizes[number] = len({by % orbits[number] for by in range(found.table.players) if moved >> by & 1})
    found.whole = sum(found.sizes)


def find_reached_shifts(found: Explored) -> list[int]:
    """For each position by how many seats it is reached moved on, a bit for each number."""
    n = found.table.players
    every = (1 << n) - 1
    moved = [0] * found.size
    if not moved:
        return moved
    moved[0] = 1
    waiting = deque([0])
    while waiting:
        number = waiting.popleft()
        here = moved[number]
        for edge in range(*edge_bounds(found, number)):
            following = found.edges[edge]
            by = shift_difference(found, edge, following)
            more = moved[following] | (here << by | here >> (n - by)) & every
            if more != moved[following]:
                moved[following] = more
                waiting.append(following)
    return moved


def edge_bounds(found: Explored, number: int) -> tuple[int, int]:
    return (found.offsets[number], found.offsets[number + 1]) if number < found.expanded else (0, 0)


def shift_difference(found: Explored, edge: int, following: int) -> int:
    """By how many seats that which follows is what stands for it, moved on."""
    first = found.seats_at[following]
    return 0 if first == ITSELF else (found.edge_seats[edge] - first) % found.table.players
