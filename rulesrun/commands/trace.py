"""`rulesrun trace`: one game, every event, as JSON Lines; with `--text` for people to read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import Reading, read_playable
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.reference.table import Table
from rulesrun.records.complaints import print_fault
from rulesrun.services.tables import seat_one
from rulesrun.terminal.output import print_error, print_text
from rulesrun.terminal.requests import TraceRequest
from rulesrun.terminal.trouble import WrongUse


def run(request: TraceRequest) -> int:
    reading = read_playable(request.files[0], request.variants)
    table = seat_one(reading, request)
    try:
        for line in _trace_lines(reading, table, request):
            print_text(line)
    except Fault as fault:
        print_fault(reading, fault)
        print_error(message("rulesrun: the game got stuck here; the trace is partial"))
        return 1
    except KeyboardInterrupt:
        print_error(message("rulesrun: interrupted; the trace is partial"))
        return 2
    return 0


def _trace_lines(reading: Reading, table: Table, request: TraceRequest) -> Iterator[str]:
    seed, has_states, code = request.seed, request.states, request.lang
    if request.text:
        return _text_lines(reading, table, request)
    if request.engine == "native" and (code is not None or request.seats is not None):
        raise WrongUse(
            message("a game with `--seats` or `--lang` needs the reference engine: remove `--engine native`")
        )
    if request.seats is not None:
        from rulesrun.records.bot_traces import trace_seated_game
        from rulesrun.run.seats import make_bots

        if code is not None:
            raise WrongUse(message("`--seats` cannot be used with `--lang`"))
        bots = make_bots(request.seats, table, request.engine or "auto")
        if bots is not None:
            return trace_seated_game(reading, table, bots, seed, has_states)
    if code is None:
        from rulesrun.records.traces import trace_random_game

        if request.engine == "native":
            return _native_lines(reading, table, seed, has_states)
        return trace_random_game(reading, table, seed, has_states)
    from rulesrun.report.game_text import trace_with_words

    return trace_with_words(reading, table, seed, has_states)


def _text_lines(reading: Reading, table: Table, request: TraceRequest) -> Iterator[str]:
    from rulesrun.interpreter.model.random import Streams
    from rulesrun.interpreter.play.game_loop import random_picker
    from rulesrun.records.bot_traces import pick_as_seated
    from rulesrun.report.game_text import tell_game
    from rulesrun.run.seats import make_bots

    if request.states or request.json or request.engine == "native":
        raise WrongUse(
            message("`--text` cannot be used with `--states`, `--json` or `--engine native`")
        )
    bots = make_bots(request.seats, table, request.engine or "auto") if request.seats is not None else None
    seed = request.seed
    pick = random_picker(Streams(seed)) if bots is None else pick_as_seated(table, bots, seed)
    return tell_game(reading, table, pick)


def _native_lines(reading: Reading, table: Table, seed: int, has_states: bool) -> Iterator[str]:
    """The same lines from machine code; where it gets stuck, the reference goes on and tells why."""
    from rulesrun.records.traces import trace_random_game
    from rulesrun.run.compiled import require_native_positions

    told = 0
    try:
        for line in trace_random_game(reading, table, seed, has_states, require_native_positions(table)):
            yield line
            told += 1
    except Fault:
        yield from islice(trace_random_game(reading, table, seed, has_states), told, None)
