"""What one player may see. Takes a position and a player, gives a view: an immutable tuple. Changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from attrs import define, field, frozen

from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.domains import number_to_external, to_external
from rulesrun.interpreter.model.places import count_components, flatten_content
from rulesrun.interpreter.model.values import PC, PHASE, PLAYER, ROUND, SHEETS, SHOWN, STARTER, Slots
from rulesrun.interpreter.reference.decisions import TogetherWait
from rulesrun.interpreter.reference.table import Table

MOST_KNOWN = 4096  # contents of a place that are kept in words
ENCODE = json.JSONEncoder(ensure_ascii=False).encode  # made once: `json.dumps` makes one for each text

View = tuple[Any, ...]
Look = Callable[[Slots], View]


@define(eq=False)
class PlayerViews:
    """For every player a function from a position to what that player sees."""

    table: Table
    looks: dict[int, Look] = field(init=False)  # what lies open: places, variables, the round, points
    sees_alike: bool = field(init=False)
    _together: frozenset[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        players = range(1, self.table.players + 1)
        self.looks = {player: make_view_function(self.table, player) for player in players}
        slots = [visible_slots(self.table, player) for player in players]
        self.sees_alike = all(one == slots[0] for one in slots)
        self._together = frozenset(pc for pc, wait in self.table.waits.items() if isinstance(wait, TogetherWait))

    def view(self, S: Slots, player: int) -> View:
        """All that is seen where somebody is asked."""
        return self.whose_turn(S), self.looks[player](S), shown_to(S[SHOWN], player)

    def whose_turn(self, S: Slots) -> int:
        """While several choose at once, whose answer is being taken is nobody's knowledge."""
        return 0 if S[PC] in self._together else int(S[PLAYER])


def visible_slots(table: Table, player: int) -> tuple[list[int], list[int], list[int]]:
    """Slots seen whole, slots of which the size is seen, slots of which size and top are seen."""
    whole, sizes, tops = [ROUND, STARTER, PHASE, SHEETS], [], []
    for zone in table.bench.zones_at_table:
        for number in range(zone.amount):
            slot = zone.base + number
            if zone.declaration.visibility == "public top":
                tops.append(slot)
            elif can_see(zone, number, player):
                whole.append(slot)
            else:
                sizes.append(slot)
    for variable in table.bench.variables.values():
        whole.extend(variable.base + number for number in range(variable.amount) if can_see(variable, number, player))
    return whole, sizes, tops


def can_see(room: ZoneRoom | VariableRoom, number: int, player: int) -> bool:
    """Whether the player sees what this instance holds."""
    visibility = room.declaration.visibility
    if visibility == "seen by":
        return player in room.seers[number]
    if visibility == "private" and room.declaration.per_player:
        return number // room.per_player + 1 == player
    return visibility not in {"hidden", "private"}


def has_show_statement(table: Table) -> bool:
    return any(operation.kind == "show" for operation in table.operations)


def make_view_function(table: Table, player: int) -> Look:
    whole, sizes, tops = visible_slots(table, player)
    see = itemgetter(*whole)

    def visit(S: Slots) -> View:
        view: View = see(S)
        if sizes:
            view = (*view, *[count_components(S[slot]) for slot in sizes])
        if tops:
            view = (*view, *[(count_components(S[slot]), known_top(S[slot])) for slot in tops])
        return view

    return visit


def known_top(content: tuple[Any, ...]) -> Any:
    """The top of a pile; nobody knows it when the pile is shuffled."""
    return content[-1] if content and not isinstance(content[-1], tuple) else None


def shown_to(shown: tuple[tuple[int, int, Any], ...], player: int) -> tuple[tuple[int, Any], ...]:
    return tuple((slot, content) for to, slot, content in shown if to in {0, player})


# ---- as JSON


def view_to_json(table: Table, S: Slots, player: int) -> dict[str, Any]:
    """The view with names, as it is given to people and programs."""
    zones: dict[str, Any] = {}
    for room in table.bench.zones_at_table:
        for number, name in enumerate(room.names):
            content = S[room.base + number]
            is_seen = can_see(room, number, player)
            zones[name] = zone_to_json(room, content, is_seen)
    variables = {}
    for variable in table.bench.variables.values():
        for number, name in enumerate(variable.names):
            if can_see(variable, number, player):
                value = S[variable.base + number]
                variables[name] = to_external(table.bench, variable.declaration.type, value)
    return {
        **situation_to_json(table, S),
        "zones": zones,
        "variables": variables,
        "shown": shown_to_json(table, S, player),
    }


def zone_to_json(room: ZoneRoom, content: tuple[Any, ...], is_seen: bool) -> Any:
    """What lies there, by name, a part without order as a list in the list; the number of components where one may not
    look."""
    if room.declaration.visibility == "public top":
        known = known_top(content)
        return {"count": count_components(content), "top": None if known is None else room.kinds.names[known]}
    if not is_seen:
        return {"count": count_components(content)}
    names = room.kinds.names
    return [[names[kind] for kind in one] if isinstance(one, tuple) else names[one] for one in content]


def situation_to_json(table: Table, S: Slots) -> dict[str, Any]:
    phases = table.bench.phases
    is_together = isinstance(table.waits.get(S[PC]), TogetherWait)
    return {
        "player": None if is_together else S[PLAYER],
        "round": S[ROUND],
        "starter": S[STARTER],
        "phase": phases[S[PHASE]].name.text if phases else None,
        "scores": {str(player): number_to_external(score) for player, score in table.scoring.scores(S).items()},
    }


def shown_to_json(table: Table, S: Slots, player: int) -> list[dict[str, Any]]:
    return [shown_entry_to_json(table, slot, content) for slot, content in shown_to(S[SHOWN], player)]


def shown_entry_to_json(table: Table, slot: int, content: Any) -> dict[str, Any]:
    if slot < 0:
        return {"zone": None, "components": component_names(table, ~slot, content)}
    for told in table.bench.variables.values():
        if told.base <= slot < told.base + told.amount:
            value = to_external(table.bench, told.declaration.type, content)
            return {"variable": told.names[slot - told.base], "value": value}
    room = next(one for one in table.bench.zones.values() if one.base <= slot < one.base + one.amount)
    return {
        "zone": room.names[slot - room.base],
        "components": [room.kinds.names[kind] for kind in flatten_content(content)],
    }


def component_names(table: Table, which: int, content: Any) -> list[str]:
    """Components shown without all of a zone, or a single one."""
    kinds = list(table.bench.kinds.values())[which]
    several = content if isinstance(content, tuple) else (content,)
    return [kinds.names[kind] for kind in flatten_content(several) if kind is not None]


# ---- as text


@frozen
class Sight:
    """What lies open to a player, part by part, each as JSON with its name, always in one order. `whose`: whose turn it
    is; `shown`: what lies shown."""

    whose: str
    head: tuple[str, ...]
    zones: tuple[str, ...]
    variables: tuple[str, ...]
    shown: tuple[str, ...] = ()

    def format_view(self) -> str:
        """All of it."""
        parts = ((self.whose, *self.head), self.zones, self.variables, self.shown)
        head, zones, variables, shown = map(", ".join, parts)
        return f'{{"view": {{{head}, "zones": {{{zones}}}, "variables": {{{variables}}}, "shown": [{shown}]}}}}'

    def has_same_open_parts(self, before: Sight) -> bool:
        """Whose turn it is and what lies shown is seen where somebody is asked."""
        return self.zones == before.zones and self.variables == before.variables and self.head == before.head

    def format_changes(self, before: Sight | None) -> str:
        """What has become different."""
        parts = changed_parts(self.head, before.head if before is not None else None)
        for name, now, then in (
            ("zones", self.zones, before.zones if before is not None else None),
            ("variables", self.variables, before.variables if before is not None else None),
        ):
            different = changed_parts(now, then)
            parts += [f'"{name}": {{{", ".join(different)}}}'] if different else []
        return f'{{"saw": {{{", ".join(parts)}}}}}'


def changed_parts(now: tuple[str, ...], then: tuple[str, ...] | None) -> list[str]:
    return list(now) if then is None else [one for one, other in zip(now, then, strict=True) if one != other]


def format_part(name: str, value: Any) -> str:
    """One part of a view."""
    return f"{ENCODE(name)}: {ENCODE(value)}"


@define(eq=False)
class SightPart:
    """One place or variable in words; what was in it before is not put into words again."""

    slot: int
    name: str
    told: Callable[[Any], Any]
    _known: dict[Any, str] = field(init=False, factory=dict)

    def format_content(self, S: Slots) -> str:
        found = self._known.get(S[self.slot])
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[S[self.slot]] = format_part(self.name, self.told(S[self.slot]))
        return found


@define(eq=False)
class SightWriter:
    """What each player sees of the positions of a table, as text. `first`: 0 where who only watches sees, too."""

    table: Table
    first: int = 1
    _zones: dict[int, list[SightPart]] = field(init=False, factory=dict)  # by player
    _variables: dict[int, list[SightPart]] = field(init=False, factory=dict)
    _heads: dict[tuple[Any, ...], tuple[str, ...]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        zones, variables = self.table.bench.zones_at_table, self.table.bench.variables.values()
        places = [(room, number) for room in zones for number in range(room.amount)]
        values = [(room, number) for room in variables for number in range(room.amount)]
        known = {
            (room.base + number, is_seen): SightPart(
                room.base + number, room.names[number], zone_formatter(room, is_seen)
            )
            for room, number in places
            for is_seen in (False, True)
        }
        told = {room.base + number: SightPart(room.base + number, room.names[number], self.value_formatter(room))
                for room, number in values}
        for player in range(self.first, self.table.players + 1):
            self._zones[player] = [known[room.base + at, can_see(room, at, player)] for room, at in places]
            self._variables[player] = [told[room.base + at] for room, at in values if can_see(room, at, player)]

    def value_formatter(self, room: VariableRoom) -> Callable[[Any], Any]:
        return lambda value: to_external(self.table.bench, room.declaration.type, value)

    def write_all_sights(self, S: Slots) -> list[Sight]:
        whose, *head = self._write_head(situation_to_json(self.table, S))
        return [
            Sight(
                whose, tuple(head), tuple([one.format_content(S) for one in self._zones[player]]),
                tuple([one.format_content(S) for one in self._variables[player]]),
                tuple([ENCODE(one) for one in shown_to_json(self.table, S, player)]),
            )
            for player in self._zones
        ]

    def _write_head(self, where: dict[str, Any]) -> tuple[str, ...]:
        """Whose turn it is, the round, the scores: mostly as they were a moment ago."""
        key = (*where.values(),)[:-1] + tuple(where["scores"].items())
        found = self._heads.get(key)
        if found is None:
            if len(self._heads) >= MOST_KNOWN:
                self._heads.clear()
            found = self._heads[key] = tuple(format_part(name, value) for name, value in where.items())
        return found


def zone_formatter(room: ZoneRoom, is_seen: bool) -> Callable[[Any], Any]:
    return lambda content: zone_to_json(room, content, is_seen)
