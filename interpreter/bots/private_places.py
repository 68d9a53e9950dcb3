"""Places into which one player looks and not everybody. Takes a table or an observation, gives places, or in how many
ways they may be filled."""

from __future__ import annotations

from math import prod
from weakref import WeakKeyDictionary

from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import TEAM
from rulesrun.interpreter.play.visibility import can_see
from rulesrun.interpreter.reference.table import Table

_found: WeakKeyDictionary[Table, tuple[tuple[int, ...], ...]] = WeakKeyDictionary()


def find_private_places(table: Table) -> tuple[tuple[int, ...], ...]:
    """By seat; the team has none."""
    found = _found.get(table)
    if found is None:
        found = _found[table] = tuple(places_of_seat(table, seat) for seat in range(table.players + 1))
    return found


def places_of_seat(table: Table, seat: int) -> tuple[int, ...]:
    return tuple(
        room.base + number for room in table.bench.zones_at_table for number in range(room.amount)
        if room.declaration.visibility != "public top" and can_see(room, number, seat)
        and not can_see(room, number, TEAM)
    )


def count_holdings(seen: Observation) -> int:
    """At most so many ways there are, as far as the seat knows, to fill the places into which others look."""
    kinds = [len(set(group)) for group in seen.groups]
    others = {slot for places in find_private_places(seen.table) for slot in places}
    return prod(kinds[-mark - 1] for slot in others for mark in flatten_content(seen.slots[slot]) if mark < 0)
