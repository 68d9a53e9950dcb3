"""Every bundled rulebook at every number of players; recorded games to be played again."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from rulesrun.files.loading import Reading, read_rules
from rulesrun.files.sources import bundled_names
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.records.traces import trace_random_game
from rulesrun.services.tables import allowed_players
from rulesrun.table.session import is_open_game

RULEBOOKS = [name for name in bundled_names() if not name.startswith("variants/")]


@cache
def reading_of(name: str) -> Reading:
    return read_rules(name)


def table_of(name: str, players: int) -> Table:
    reading = reading_of(name)
    assert reading.program is not None
    return set_up_table(reading.program, players, {})


def all_tables() -> list[tuple[str, int]]:
    found = []
    for name in RULEBOOKS:
        found += [(name, players) for players in players_of(name)]
    return found


def hides_something(name: str) -> bool:
    """Whether there is anything that a seat cannot know while it plays."""
    table = table_of(name, max(players_of(name)))
    return not is_open_game(table)


def players_of(name: str) -> list[int]:
    program = reading_of(name).program
    assert program is not None
    return list(allowed_players(program))


def recorded_game(name: str, players: int, seed: int) -> list[str]:
    """As `rulesrun trace` writes it."""
    return list(trace_random_game(reading_of(name), table_of(name, players), seed))


def decisions_of(trace: list[str]) -> list[dict[str, Any]]:
    events = [json.loads(line) for line in trace]
    return [one for one in events if one["event"] == "decision"]
