"""Everything that the rules of a table are proved to treat alike: takes a table, gives the group of its symmetries."""

from __future__ import annotations

from collections.abc import Sequence

from rulesrun.dsl.contents.written_values import kind_of_values
from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import Relabelling, SymmetryGroup, map_distinct_members
from rulesrun.interpreter.symmetry.renaming import MOST_MEMBERS, find_word_group, has_unknown_slots_in_use
from rulesrun.interpreter.symmetry.symmetric_openings import find_seats_once_begun
from rulesrun.interpreter.symmetry.symmetric_places import (
    PlaceExchange,
    close_exchanges,
    find_symmetric_places,
    list_rooms,
)
from rulesrun.interpreter.symmetry.symmetric_seats import find_seats_at_once
from rulesrun.interpreter.symmetry.symmetric_turns import find_seats_in_turn


def find_symmetry_group(table: Table, most: int = MOST_MEMBERS) -> SymmetryGroup:
    """Words, places and seats. No more than `most` in all; none where it is remembered which of equal ones is meant."""
    if table.bench.following.is_used:
        return SymmetryGroup(table, ())
    found = find_word_and_place_group(table, most)
    room = most // (len(found.members) + 1)
    seats = find_seats_at_once(table, room) or find_seats_in_turn(table, room) or find_seats_once_begun(table, room)
    if seats is None or (found.members and not seats.goes_with_others):
        return found
    whole = extend_group(found, seats.members, seats.says)
    whole.elsewhere = map_distinct_members(seats.elsewhere, lambda those: compose_all(found.members, those))
    whole.merges_deals, whole.unless_fault = seats.merges_deals, found
    if seats.begun_at is not None:
        whole.begun_at, whole.shifts = seats.begun_at, tuple(range(table.players))
    return whole


def find_word_and_place_group(table: Table, most: int) -> SymmetryGroup:
    """Words and places; where words are what places are called by, whichever gives more."""
    words = find_word_group(table, most)
    if has_unknown_slots_in_use(table, seats=False):
        return words
    moved = {slot for one in words.members for slot, source in enumerate(one.sources) if slot != source}
    taken = {room.base for room in list_rooms(table) if not moved.isdisjoint(range(room.base, room.base + room.amount))}
    first = add_place_exchanges(
        words, *close_exchanges(find_symmetric_places(table, taken), most // (len(words.members) + 1))
    )
    if not taken:
        return first
    proved, places = close_exchanges(find_symmetric_places(table), most)
    others = find_word_group(table, most // (len(places) + 1), find_words_of_places(table, proved))
    second = add_place_exchanges(others, proved, places)
    return second if len(second.members) > len(first.members) else first


def find_words_of_places(table: Table, proved: tuple[PlaceExchange, ...]) -> set[str]:
    """The words by which the places are called."""
    moved = {room for one in proved for room in one.places}
    rooms = (room for room in list_rooms(table) if id(room.declaration) in moved)
    return {kind_of_values(key) for room in rooms for key in room.declaration.keys}


def add_place_exchanges(
    words: SymmetryGroup, proved: tuple[PlaceExchange, ...], places: list[Relabelling]
) -> SymmetryGroup:
    """All ways to do one and the other; they do not get in each other's way."""
    if not places:
        return words
    exchanges = join_messages([one.says for one in proved], "; ")
    return extend_group(
        words, places, message("{exchanges} (proved: the rules stay the same)", exchanges=exchanges)
    )


def extend_group(group: SymmetryGroup, others: list[Relabelling], says: str) -> SymmetryGroup:
    return SymmetryGroup(group.table, compose_all(group.members, others), (*group.said, says))


def compose_all(members: Sequence[Relabelling], others: Sequence[Relabelling]) -> list[Relabelling]:
    return [*members, *others, *(one.compose_with(other) for one in members for other in others)]
