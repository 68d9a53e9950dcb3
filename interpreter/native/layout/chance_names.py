"""What the streams of a question of chance are called. Takes a table and the question."""

from __future__ import annotations

from rulesrun.interpreter.model.places import find_changed_room
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait
from rulesrun.interpreter.reference.table import Table


def stream_names(table: Table, wait: ChanceWait) -> tuple[tuple[str, ...], int]:
    """And which of the numbers that it tells says whose of them it is."""
    if isinstance(wait, DrawWait):
        return wait.origin.names, 0
    room = find_changed_room(table.bench, wait.node)
    return (("starter",), 1) if room is None else (room.names, 1)
