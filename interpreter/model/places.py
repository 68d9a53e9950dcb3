"""Zones and variables as places: which slot an expression like `hand`, `column[3]`, `hand of p` means.

Takes such an expression, gives `Code` for its slot, or for what lies there; and how components are put into what lies
in a zone, and taken out. A pile may hold a tuple among its components: a part whose order nobody knows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any, NoReturn

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import changed_place
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.types import OptionalOf
from rulesrun.interpreter.model.compile_context import Workbench, ZoneRoom
from rulesrun.interpreter.model.core import Contents, Operand, Room
from rulesrun.interpreter.model.location_updates import FollowedPlaces
from rulesrun.interpreter.model.values import PLAYER, Code, Run, Slots, constant, fault, read_slot


def count_components(content: tuple[Any, ...]) -> int:
    """How many components lie in a pile that may hold unordered parts."""
    if tuple not in map(type, content):
        return len(content)
    return sum([len(part) if isinstance(part, tuple) else 1 for part in content])


def flatten_content(content: tuple[Any, ...]) -> tuple[int, ...]:
    """All components of such a pile; an unordered part in declared order."""
    if tuple not in map(type, content):
        return content
    found: list[int] = []
    for part in content:
        if isinstance(part, tuple):
            found.extend(part)
        else:
            found.append(part)
    return tuple(found)


def find_room(bench: Workbench, node: Operand) -> Room | None:
    """The zone or variable that an expression names, with or without keys and owner."""
    meaning = bench.meaning_of_place(node)
    if isinstance(meaning, ast.Zone):
        room = bench.zones.get(id(meaning)) or bench.box_rooms.get(id(meaning))
        return room or refuse_too_early(bench, node)
    if isinstance(meaning, ast.Variable):
        return bench.variables.get(id(meaning)) or refuse_too_early(bench, node)
    return None


def find_place(bench: Workbench, node: Operand) -> Contents | None:
    """The instance that an expression names: its room, the keys, and whose it is where that is said."""
    room = find_room(bench, node)
    if room is None:
        return None
    subject = node.subject if isinstance(node, ast.Of) else node
    keys = subject.keys if isinstance(subject, ast.Index) else ()
    return Contents(node, room, keys, node.owner if isinstance(node, ast.Of) else None)


def require_place(bench: Workbench, node: Operand) -> Contents:
    place = find_place(bench, node)
    if place is None:
        raise bench.refusal("not-a-place", message("this is not a place"), node)
    return place


def refuse_too_early(bench: Workbench, node: ast.Node) -> NoReturn:
    """What is settled before the table is there asks for players, options and components only; the checker says it."""
    raise bench.refusal(
        "asked-too-early", message("this is needed before the game begins, when the table is empty"), node
    )


def find_zone(bench: Workbench, node: Operand) -> ZoneRoom | None:
    room = find_room(bench, node)
    return room if isinstance(room, ZoneRoom) else None


def find_changed_room(bench: Workbench, node: Located) -> Room | None:
    """The number, marker or order that a statement changes; None where it changes none, or `starter`."""
    place = changed_place(node)
    return find_room(bench, place) if place is not None else None


def compile_contents(bench: Workbench, place: Contents) -> Code:
    """What lies in a zone, what a variable holds."""
    room, at = place.room, compile_place(bench, place)
    find = at.run
    if isinstance(room, ZoneRoom) and room.is_shuffled:
        return Code(lambda S: flatten_content(S[find(S)]))
    if at.is_constant:
        return read_slot(at.value)
    quick = compile_player_contents(bench, place)
    return quick or Code(lambda S: S[find(S)])


def compile_player_contents(bench: Workbench, place: Contents) -> Code | None:
    """`x of p` and `x` of `player`, read without a call in between."""
    room = place.room
    if room.per_player != 1 or not room.declaration.per_player or (place.keys and place.owner is None):
        return None
    base = room.base - 1
    if place.owner is None:
        return Code(lambda S: S[base + S[PLAYER]])
    slot = bench.compile(place.owner).slot
    if slot is not None and not isinstance(bench.type_of(place.owner), OptionalOf):
        return Code(lambda S: S[base + S[slot]])
    return None


def compile_slot(bench: Workbench, node: Operand) -> Code:
    """The slot of one instance of a zone or variable."""
    return compile_place(bench, require_place(bench, node))


def compile_place(bench: Workbench, place: Contents) -> Code:
    room, keys, node = place.room, place.keys, place.node
    owner = bench.compile(place.owner) if place.owner is not None else None
    if len(keys) != len(room.keys):
        raise bench.refusal(
            "missing-key", message("`{declaration}` needs a key", declaration=room.declaration.name.text), node
        )
    if not room.declaration.per_player:
        return compile_key_offset(bench, room, keys, room.base)
    offset = compile_key_offset(bench, room, keys)
    if owner is not None and owner.is_constant and owner.value not in range(1, bench.players + 1):
        return compile_missing_player(owner.value, node)
    return compile_player_slot(room, offset, owner or read_slot(PLAYER), node)


def compile_missing_player(player: Any, node: Operand) -> Code:
    """`hand of 3` at a table for two: a fault when it is asked, and only then."""

    def run(S: Slots) -> int:
        raise fault("no-such-player", message("there is no player {player} at this table", player=player), node.span)

    return Code(run)


def add_base_slot(offset: Code, base: int) -> Code:
    if offset.is_constant:
        return constant(base + offset.value)
    run = offset.run
    return Code(lambda S: base + run(S))


def compile_player_slot(room: Room, offset: Code, owner: Code, node: ast.Node) -> Code:
    base, each, inner, whose = room.base - room.per_player, room.per_player, offset.run, owner.run

    def run(S: Slots) -> int:
        player = whose(S)
        if player is None:
            raise fault("nothing-used", message("a player is needed here, but there is nobody"), node.span)
        return base + each * int(player) + int(inner(S))

    if offset.is_constant and owner.is_constant:
        return constant(run([]))
    if owner.slot == PLAYER and offset.is_constant:
        start = base + int(offset.value)
        return Code(lambda S: start + each * S[PLAYER])
    return Code(run)


def compile_key_offset(bench: Workbench, room: Room, keys: tuple[Operand, ...], base: int = 0) -> Code:
    """How many instances lie before the one with these keys, and `base`."""
    if not keys:
        return constant(base)
    parts = [compile_key(bench, values, key) for values, key in zip(room.keys, keys, strict=True)]
    total, sizes = parts[0], [len(values) for values in room.keys]
    for part, width in zip(parts[1:], sizes[1:], strict=True):
        total = combine_key_offsets(total, part, width)
    total = add_base_slot(total, base) if base else total
    slots = [bench.compile(key).slot for key in keys]
    if len(keys) == 2 and slots[0] is not None and slots[1] is not None:
        return Code(compile_two_keys(room, (slots[0], slots[1]), base, total.run))
    return total


def compile_two_keys(room: Room, slots: tuple[int, int], base: int, find: Run) -> Run:
    """Rows and columns that stand in slots, read without a call in between. `find` says what is wrong."""
    (one, other), width = slots, len(room.keys[1])
    rows = {value: base + number * width for number, value in enumerate(room.keys[0])}
    columns = {value: number for number, value in enumerate(room.keys[1])}

    def run(S: Slots) -> Any:
        row, column = S[one], S[other]
        return rows[row] + columns[column] if row in rows and column in columns else find(S)

    return run


def combine_key_offsets(left: Code, right: Code, width: int) -> Code:
    a, b = left.run, right.run
    if left.is_constant and right.is_constant:
        return constant(left.value * width + right.value)
    return Code(lambda S: a(S) * width + b(S))


def compile_key(bench: Workbench, values: tuple[Any, ...], key: Operand) -> Code:
    """The number, from 0, of a key among its values."""
    numbers = {value: number for number, value in enumerate(values)}
    code = bench.compile(key)
    run, slot = code.run, code.slot

    def find(S: Slots) -> int:
        try:
            return numbers[run(S)]
        except KeyError:
            raise fault(
                "no-such-place", message("there is no place with the key {run}", run=run(S)), key.span
            ) from None

    if code.is_constant and code.value in numbers:
        return constant(numbers[code.value])
    if slot is not None:
        return Code(compile_key_from_slot(numbers, slot, find))
    return Code(find)


def compile_key_from_slot(numbers: dict[Any, int], slot: int, find: Run) -> Run:
    def run(S: Slots) -> Any:
        value = S[slot]
        return numbers[value] if value in numbers else find(S)

    return run


# ---- putting components into a zone and taking them out: pure operations on what lies there

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
