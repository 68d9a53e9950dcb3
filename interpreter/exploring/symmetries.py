"""Everything that the rules of a table are proved to treat alike: takes a table, gives the group of its symmetries."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.interpreter.exploring.places_alike import Exchange, closure, places_alike, rooms_of
from rulesrun.interpreter.exploring.relabelling import Group, Relabelling
from rulesrun.interpreter.exploring.renaming import MOST_MEMBERS, group_of_words
from rulesrun.interpreter.table import Table


def group_of(table: Table, most: int = MOST_MEMBERS) -> Group:
    """Words and places; where words are what places are called by, whichever gives more. No more than `most` in all."""
    words = group_of_words(table, most)
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
    members = [*words.members, *places, *(one.then(other) for one in words.members for other in places)]
    says = "; ".join(one.says for one in proved)
    said = (*words.said, f"{says} (proved: the rules stay the same, written out)")
    return Group(words.table, members, said, words.uncertain)
