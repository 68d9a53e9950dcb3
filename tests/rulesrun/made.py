"""Things made in this process for tests: readings, recorded games."""

from __future__ import annotations

from rulesrun.files.loading import Reading, read_rules
from rulesrun.records.traces import trace_random_game
from rulesrun.services.tables import seat_one
from rulesrun.terminal.requests import TraceRequest


def recorded(game: str, players: int | None, seed: int) -> tuple[Reading, list[str]]:
    """`players` None: the smallest table."""
    reading = read_rules(game)
    table = seat_one(reading, TraceRequest(players=None if players is None else str(players)))
    return reading, list(trace_random_game(reading, table, seed))
