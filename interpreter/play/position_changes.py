"""What is different between two positions, in the game's own words: what went where, which number became what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from rulesrun.dsl.text.messages import Message, Names, join_messages, message
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.domains import number_to_external, to_external
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import PHASE, ROUND, SHEETS, Slots
from rulesrun.interpreter.play.step import decode_sheet
from rulesrun.interpreter.reference.table import Table

MOST_NAMES = 8
MOST_DECIDING = 40
THE_BOX, NOWHERE = message("the box"), message("nowhere")
Deciding = Collection[str]
Position = tuple[Any, ...] | Slots


def changes(table: Table, before: Position, after: Position, deciding: Deciding = frozenset()) -> tuple[str, ...]:
    """`deciding`: components that are named however many there are."""
    found = [*component_changes(table, before, after, deciding), *variable_changes(table, before, after)]
    found += sheet_changes(table, before, after)
    if before[ROUND] != after[ROUND]:
        found.append(message("round {round} begins", round=after[ROUND]))
    elif before[PHASE] != after[PHASE]:
        phase = table.bench.phases[after[PHASE]].name.text
        found.append(message("phase {phase} begins", phase=Names(phase)))
    return tuple(found)


def zone_slots(table: Table) -> dict[int, tuple[ZoneRoom, str]]:
    """Every place for components: its slot, its room and its name."""
    return {
        room.base + number: (room, name)
        for room in table.bench.zones.values()
        for number, name in enumerate(room.names)
    }


def changed_zones(table: Table, before: Position, after: Position) -> set[int]:
    return {
        slot
        for slot in zone_slots(table)
        if Counter(flatten_content(before[slot])) != Counter(flatten_content(after[slot]))
    }


def component_changes(
    table: Table, before: Position, after: Position, deciding: Deciding = frozenset()
) -> list[Message]:
    """`red-1: hand[1] to supply`; what appears or vanishes says so."""
    found: list[Message] = []
    for kinds in table.bench.kinds.values():
        places: dict[int, str] = {
            slot: Names(name) for slot, (room, name) in zone_slots(table).items() if room.kinds is kinds
        }
        places[table.bench.boxes[id(kinds.declaration)]] = THE_BOX
        left: dict[int, list[str]] = {}
        came: dict[int, list[str]] = {}
        for slot, name in places.items():
            here, there = Counter(flatten_content(before[slot])), Counter(flatten_content(after[slot]))
            for kind in (here - there).elements():
                left.setdefault(kind, []).append(name)
            for kind in (there - here).elements():
                came.setdefault(kind, []).append(name)
        if kinds.declaration.noun == "die":
            found += describe_throws(kinds.names, left, came, {name: after[slot] for slot, name in places.items()})
        else:
            found += describe_moves(kinds.names, left, came, deciding)
    return found


def describe_throws(
    names: tuple[str, ...], left: dict[int, list[str]], came: dict[int, list[str]], lying: dict[str, Any]
) -> list[Message]:
    """Dice that are moved; of those that were thrown, what lies there now."""
    moved: tuple[dict[int, list[str]], dict[int, list[str]]] = ({}, {})
    thrown: set[str] = set()
    for kind in {*left, *came}:
        sources, targets = (
            [place for place in places.get(kind, []) if place != THE_BOX] for places in (left, came)
        )
        both = min(len(sources), len(targets))
        moved[0][kind], moved[1][kind] = sources[:both], targets[:both]
        thrown.update(sources[both:], targets[both:])
    shown = [
        message("{place} shows {components}", place=place, components=format_components(names, lying[place]))
        for place in lying if place in thrown and lying[place]
    ]
    return [*describe_moves(names, *moved, frozenset()), *shown]


def describe_moves(
    names: tuple[str, ...], left: dict[int, list[str]], came: dict[int, list[str]], deciding: Deciding
) -> list[Message]:
    ways: dict[tuple[str, str], list[int]] = {}
    for kind in sorted({*left, *came}):
        sources, targets = left.get(kind, []), came.get(kind, [])
        for number in range(max(len(sources), len(targets))):
            way = (
                sources[number] if number < len(sources) else NOWHERE,
                targets[number] if number < len(targets) else NOWHERE,
            )
            ways.setdefault(way, []).append(kind)
    return [
        message(
            "{what}: {before} to {after}", what=format_components(names, kinds, deciding), before=source, after=target
        )
        for (source, target), kinds in ways.items()
    ]


def format_components(names: tuple[str, ...], kinds: Iterable[int], deciding: Deciding = frozenset()) -> Message:
    """The names of components; of many, those that decide and a few others, and how many more there are."""
    counts = Counter(kinds)
    shown = list(counts)
    if len(counts) > MOST_NAMES:
        named = [kind for kind in counts if names[kind] in deciding][:MOST_DECIDING]
        others = [kind for kind in counts if kind not in named][: max(MOST_NAMES - 1 - len(named), 0)]
        shown = [kind for kind in counts if kind in named or kind in others]
    told = [Names(f"{names[kind]}{f' x{counts[kind]}' if counts[kind] > 1 else ''}") for kind in shown]
    more = sum(counts.values()) - sum(counts[kind] for kind in shown)
    return message("{components} and {amount} more", components=told, amount=more) if more else join_messages(told)


def variable_changes(
    table: Table, before: Position, after: Position, told: Collection[str] = frozenset()
) -> list[Message]:
    """`told`: numbers and markers that are told elsewhere."""
    found = []
    for room in table.bench.variables.values():
        for number, name in enumerate(room.names):
            old, new = before[room.base + number], after[room.base + number]
            if old != new and name not in told:
                found.append(message(
                    "{what}: {before} to {after}", what=Names(name),
                    before=format_variable_value(table, room, old),
                    after=format_variable_value(table, room, new),
                ))  # fmt: skip
    return found


def format_variable_value(table: Table, room: VariableRoom, value: Any) -> str:
    try:
        shown = to_external(table.bench, room.declaration.type, value)
    except (TypeError, IndexError):
        return str(number_to_external(value))
    return Names("nothing" if shown is None else str(shown))


def sheet_changes(table: Table, before: Position, after: Position) -> list[Message]:
    """Points that were counted, player by player."""
    found = []
    for sheet in after[SHEETS][len(before[SHEETS]) :]:
        lines = decode_sheet(table, sheet).lines
        totals = [
            message("{points} for {player}", points=str(number_to_external(own["total"])), player=player)
            for player, own in lines.items()
        ]
        found.append(message("points are counted: {totals}", totals=totals))
    return found
