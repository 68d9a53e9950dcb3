"""Putting components into a zone and taking them out: pure operations on what lies in a zone.

A pile may hold a tuple among its components: a part whose order nobody knows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.location_updates import FollowedPlaces
from rulesrun.interpreter.model.places import count_components, flatten_content
from rulesrun.interpreter.model.values import Slots, fault

Content = tuple[Any, ...]


def put_component(S: Slots, room: ZoneRoom, slot: int, kind: int, node: Located, at_bottom: bool = False) -> int:
    """One component goes to where such a zone keeps a new one; gives its place."""
    content = S[slot]
    if room.capacity is not None and count_components(content) >= room.capacity:
        name = room.names[slot - room.base]
        raise fault(
            "zone-full", message(
                "`{name}` already holds {capacity}, and has no more room",
                name=name, capacity=room.capacity), node.span
        )
    if room.declaration.kind == "set":
        at = bisect_right(content, kind)
    elif room.sort_key is not None:
        at = bisect_left([room.sort_key[one] for one in content], room.sort_key[kind])
    else:
        at = 0 if at_bottom else len(content)
    S[slot] = (*content[:at], kind, *content[at:])
    return at


def remove_component(content: Content, kind: int) -> Content | None:
    """One such component taken out, the one nearest the beginning; None when there is none."""
    for at, part in enumerate(content):
        if part == kind or (isinstance(part, tuple) and kind in part):
            return remove_component_at(content, at, kind)
    return None


def remove_component_at(content: Content, at: int, kind: int) -> Content:
    """What lies at a place taken out; of an unordered part, one such component."""
    part = content[at]
    left: Content = ()
    if isinstance(part, tuple):
        where = part.index(kind)
        left = make_unordered_part(part[:where] + part[where + 1 :])
    return content[:at] + left + content[at + 1 :]


def make_unordered_part(kinds: Content) -> Content:
    """An unordered part of a pile; a single component has no order anyway."""
    if len(kinds) > 1:
        return (tuple(sorted(kinds)),)
    return tuple(kinds)


def mix_contents(content: Content, more: Content = ()) -> Content:
    """All of it as one unordered part."""
    return make_unordered_part((*flatten_content(content), *flatten_content(more)))


def put_components(
    S: Slots, room: ZoneRoom, slot: int, kinds: Content, node: Located, at_bottom: bool = False,
    following: FollowedPlaces | None = None, first: int = 0,
) -> None:
    """One after another; an unordered part stays one when the zone can hold it. `first`: the number of the first."""
    for number, part in enumerate(kinds, first):
        if not isinstance(part, tuple):
            at = put_component(S, room, slot, part, node, at_bottom)
            if following is not None:
                following.update_after_put(S, slot, at, number)
        elif room.is_shuffled:
            at = 0 if at_bottom else len(S[slot])
            S[slot] = check_capacity(room, slot, (*S[slot][:at], part, *S[slot][at:]), node)
            if following is not None:
                following.update_after_put(S, slot, at, number)
        else:
            for kind in part:
                at = put_component(S, room, slot, kind, node, at_bottom)
                if following is not None:
                    following.update_after_put(S, slot, at, number, kind)


def check_capacity(room: ZoneRoom, slot: int, content: Content, node: Located) -> Content:
    """The content, where the zone can hold it all."""
    if room.capacity is not None and count_components(content) > room.capacity:
        name = room.names[slot - room.base]
        raise fault(
            "zone-full",
            message(
                "`{name}` holds at most {capacity}, not {count_components}",
                name=name,
                capacity=room.capacity,
                count_components=count_components(content),
            ),
            node.span,
        )
    return content


def find_drawable(content: Content, is_set: bool) -> tuple[int, Content]:
    """What may be drawn next: where it lies in the content, and the components it may be, in declared order."""
    if is_set:
        return -1, content
    if not content:
        return 0, ()
    part = content[-1]
    return len(content) - 1, part if isinstance(part, tuple) else (part,)
