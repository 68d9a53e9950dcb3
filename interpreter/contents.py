"""Putting components into a zone and taking them out: pure operations on what lies in a zone.

A pile may hold a tuple among its components: a part whose order nobody knows.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import Any

from rulesrun.dsl import ast
from rulesrun.interpreter.places import flat, size
from rulesrun.interpreter.values import Slots, fault
from rulesrun.interpreter.workbench import ZoneRoom

Content = tuple[Any, ...]


def put(S: Slots, room: ZoneRoom, slot: int, kind: int, node: ast.Node, at_bottom: bool = False) -> None:
    """One component goes to where such a zone keeps a new one."""
    content = S[slot]
    if room.capacity is not None and size(content) >= room.capacity:
        name = room.names[slot - room.base]
        raise fault("zone-full", f"`{name}` holds {room.capacity} already", node.span)
    if room.declaration.kind == "set":
        ordered = list(content)
        insort(ordered, kind)
        S[slot] = tuple(ordered)
    elif room.sort_key is not None:
        S[slot] = sorted_in(content, kind, room.sort_key)
    else:
        S[slot] = (kind, *content) if at_bottom else (*content, kind)


def sorted_in(content: Content, kind: int, keys: tuple[Any, ...]) -> Content:
    at = bisect_left([keys[one] for one in content], keys[kind])
    return (*content[:at], kind, *content[at:])


def without(content: Content, kind: int) -> Content | None:
    """One such component taken out, the last put first; None when there is none."""
    for at in range(len(content) - 1, -1, -1):
        part = content[at]
        if part == kind:
            return content[:at] + content[at + 1 :]
        if isinstance(part, tuple) and kind in part:
            return content[:at] + unordered(without(part, kind) or ()) + content[at + 1 :]
    return None


def unordered(kinds: Content) -> Content:
    """An unordered part of a pile; a single component has no order anyway."""
    if len(kinds) > 1:
        return (tuple(sorted(kinds)),)
    return tuple(kinds)


def mixed(content: Content, more: Content = ()) -> Content:
    """All of it as one unordered part."""
    return unordered((*flat(content), *flat(more)))


def put_all(S: Slots, room: ZoneRoom, slot: int, kinds: Content, node: ast.Node, at_bottom: bool = False) -> None:
    """One after another; an unordered part stays one when the zone can hold it."""
    for part in kinds:
        if not isinstance(part, tuple):
            put(S, room, slot, part, node, at_bottom)
        elif room.is_shuffled:
            S[slot] = within(room, slot, (part, *S[slot]) if at_bottom else (*S[slot], part), node)
        else:
            for kind in part:
                put(S, room, slot, kind, node, at_bottom)


def within(room: ZoneRoom, slot: int, content: Content, node: ast.Node) -> Content:
    """The content, where the zone can hold it all."""
    if room.capacity is not None and size(content) > room.capacity:
        name = room.names[slot - room.base]
        raise fault("zone-full", f"`{name}` holds {room.capacity} at most, not {size(content)}", node.span)
    return content


def drawable(content: Content, is_set: bool) -> tuple[int, Content]:
    """What may be drawn next: where it lies in the content, and the components it may be, in declared order."""
    if is_set:
        return -1, content
    if not content:
        return 0, ()
    part = content[-1]
    return len(content) - 1, part if isinstance(part, tuple) else (part,)


def taken(content: Content, at: int, kind: int) -> Content:
    """The content without a component drawn from the part at `at`; -1 is a set."""
    if at < 0:
        where = content.index(kind)
        return content[:where] + content[where + 1 :]
    part = content[at]
    if not isinstance(part, tuple):
        return content[:at] + content[at + 1 :]
    where = part.index(kind)
    left = part[:where] + part[where + 1 :]
    inner = (left,) if len(left) > 1 else left
    return content[:at] + inner + content[at + 1 :]
