"""Everything that the rules of a table are proved to treat alike: takes a table, gives the group of its symmetries."""

from __future__ import annotations

from collections.abc import Sequence

from rulesrun.dsl import ast
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import Group, Relabelling, once_each
from rulesrun.interpreter.symmetry.renaming import MOST_MEMBERS, group_of_words, is_unsure
from rulesrun.interpreter.symmetry.symmetric_openings import seats_once_begun
from rulesrun.interpreter.symmetry.symmetric_places import Exchange, closure, places_alike, rooms_of
from rulesrun.interpreter.symmetry.symmetric_seats import seats_at_once
from rulesrun.interpreter.symmetry.symmetric_turns import seats_in_turn


def group_of(table: Table, most: int = MOST_MEMBERS) -> Group:
    """Words, places and seats. No more than `most` in all; none where it is remembered which of equal ones is meant."""
    if table.bench.following.is_used:
        return Group(table, ())
    found = group_of_things(table, most)
    room = most // (len(found.members) + 1)
    seats = seats_at_once(table, room) or seats_in_turn(table, room) or seats_once_begun(table, room)
    if seats is None or (found.members and not seats.goes_with_others):
        return found
    whole = with_all(found, seats.members, seats.says)
    whole.elsewhere = once_each(seats.elsewhere, lambda those: products(found.members, those))
    whole.merges_deals, whole.unless_fault = seats.merges_deals, found
    if seats.begun_at is not None:
        whole.begun_at, whole.shifts = seats.begun_at, tuple(range(table.players))
    return whole


def group_of_things(table: Table, most: int) -> Group:
    """Words and places; where words are what places are called by, whichever gives more."""
    words = group_of_words(table, most)
    if is_unsure(table, seats=False):
        return words
    moved = {slot for one in words.members for slot, source in enumerate(one.sources) if slot != source}
    taken = {room.base for room in rooms_of(table) if not moved.isdisjoint(range(room.base, room.base + room.amount))}
    first = both(words, *closure(places_alike(table, taken), most // (len(words.members) + 1)))
    if not taken:
        return first
    proved, places = closure(places_alike(table), most)
    others = group_of_words(table, most // (len(places) + 1), keys_of(table, proved))
    second = both(others, proved, places)
    return second if len(second.members) > len(first.members) else first


def keys_of(table: Table, proved: tuple[Exchange, ...]) -> set[str]:
    """The words by which the places are called."""
    moved = {room for one in proved for room in one.places}
    keys = (key for room in rooms_of(table) if id(room.declaration) in moved for key in room.declaration.keys)
    return {key.name.text for key in keys if isinstance(key, ast.NamedType)}


def both(words: Group, proved: tuple[Exchange, ...], places: list[Relabelling]) -> Group:
    """All ways to do one and the other; they do not get in each other's way."""
    if not places:
        return words
    says = "; ".join(one.says for one in proved)
    return with_all(words, places, f"{says} (proved: the rules stay the same, written out)")


def with_all(group: Group, others: list[Relabelling], says: str) -> Group:
    return Group(group.table, products(group.members, others), (*group.said, says))


def products(members: Sequence[Relabelling], others: Sequence[Relabelling]) -> list[Relabelling]:
    return [*members, *others, *(one.then(other) for one in members for other in others)]
