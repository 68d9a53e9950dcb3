"""`rulesrun trace`: one random game, every event, as JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rulesrun.files.loading import Reading, read_playable
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.reference.table import Table
from rulesrun.services.tables import seat_one
from rulesrun.terminal.arguments import Request
from rulesrun.terminal.output import complain, say
from rulesrun.terminal.trouble import WrongUse


def run(request: Request) -> int:
    from rulesrun.dsl.diagnostics.report import to_text
    reading = read_playable(request.files[0], request.variants)
    table = seat_one(reading, request)
    try:
        for line in _lines(reading, table, request):
            say(line)
    except Fault as fault:
        complain(to_text([fault.diagnostic], reading.sources).rstrip("\n"))
        complain("rulesrun: the game got stuck here; the trace is partial")
        return 1
    except KeyboardInterrupt:
        complain("rulesrun: interrupted; the trace is partial")
        return 2
    return 0


def _lines(reading: Reading, table: Table, request: Request) -> Iterator[str]:
    seed, has_states, code = request.number("seed") or 0, request.has("states"), request.text("lang")
    if request.text("engine") == "native" and (code is not None or request.text("seats") is not None):
        raise WrongUse("a game with `--seats` or `--lang` is told by the reference: leave `--engine native` out")
    if request.text("seats") is not None:
        from rulesrun.records.bot_traces import seated_lines
        from rulesrun.run.seats import bots_of

        if code is not None:
            raise WrongUse("a game with `--seats` is told without `--lang`")
        bots = bots_of(request.text("seats"), table, request.text("engine") or "auto")
        if bots is not None:
            return seated_lines(reading, table, bots, seed, has_states)
    if code is None:
        from rulesrun.records.traces import recorded_lines

        if request.text("engine") == "native":
            return _natively(reading, table, seed, has_states)
        return recorded_lines(reading, table, seed, has_states)
    from rulesrun.locale.languages import language_of
    from rulesrun.report.trace_text import told_lines

    return told_lines(reading, table, seed, has_states, language_of(reading, code))


def _natively(reading: Reading, table: Table, seed: int, has_states: bool) -> Iterator[str]:
    """The same lines from machine code; where it gets stuck, the reference goes on and tells why."""
    from rulesrun.records.traces import recorded_lines
    from rulesrun.run.engines import native_positions

    told = 0
    try:
        for line in recorded_lines(reading, table, seed, has_states, native_positions(table)):
            yield line
            told += 1
    except Fault:
        yield from islice(recorded_lines(reading, table, seed, has_states), told, None)
