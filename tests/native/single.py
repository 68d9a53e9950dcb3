"""Single positions of both engines side by side: walks that go back, and everything that Python may ask compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rulesrun
from rulesrun.api.native_position import NativePosition
from rulesrun.api.position import Position, ReferencePosition, TableContext
from rulesrun.files.loading import Reading
from rulesrun.interpreter.form.machine_code import compile_text
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.native.flow.asked_games import lower_asked_games
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.native.positions.blocks import Blocks
from rulesrun.interpreter.native.positions.positions import NativePositions, format_positions
from rulesrun.interpreter.native.views.pausing import compile_moment_positions
from rulesrun.interpreter.native.views.shown_components import lower_showing_games
from rulesrun.interpreter.play.visibility import has_show_statement
from rulesrun.interpreter.reference.table import Table
from rulesrun.records.native_memory import NativeRecall

Pair = tuple[Position, Position]  # in machine code, by the reference


def quick_blocks(table: Table, care: int = 0) -> Blocks:
    """Compiled with as little care as can be: much sooner ready than fast."""
    form = lower_table(table, lower_showing_games if has_show_statement(table) else lower_asked_games)
    return Blocks(NativePositions(table, form, compile_text(format_positions(form), None, care)))


def quick_moments(table: Table) -> Blocks:
    return Blocks(compile_moment_positions(table, None, 0))


def started(reading: Reading, table: Table, blocks: Blocks, seed: int | None = None) -> Pair:
    game = TableContext.for_table(reading, table)
    streams = None if seed is None else Streams(seed)
    retold = NativeRecall(blocks, lambda: quick_moments(table))
    return NativePosition.begin_game(game, retold, seed), ReferencePosition.begin_game(game, streams)


def compare(pair: Pair, with_words: bool = True) -> None:
    """What is asked, what may be answered, the end, what every seat knows."""
    ours, theirs = pair
    assert ours.pending == theirs.pending
    assert len(ours.legal()) == len(theirs.legal())
    assert ours.result() == theirs.result()
    if with_words:
        assert ours.legal() == theirs.legal()
    for seat in range(1, theirs.players + 1):
        assert ours.observe(seat) == theirs.observe(seat)


def walk(start: Pair, choose: Callable[[int], int], steps: int, back: int = 4, every: int = 1) -> list[Pair]:
    """Goes on from the last position, or now and then (one in `back`) from one that was met before.

    A fault ends a way: both engines say the same, and the walk goes on elsewhere.
    """
    met, here = [start], start
    compare(here)
    for step in range(steps):
        if back and not choose(back):
            here = met[choose(len(met))]
        amount = len(here[1].legal())
        if not amount:
            here = met[choose(len(met))]
            continue
        following = after(here, choose(amount))
        if following is not None:
            here = following
            met.append(here)
            if step % every == 0:
                compare(here)
    return met


def after(pair: Pair, index: int) -> Pair | None:
    """None where the rules get stuck, for the same reason."""
    found, told = [], []
    for position in pair:
        try:
            found.append(position.apply(index))
        except rulesrun.RulesFault as fault:
            told.append((str(fault), fault.diagnostics))
    assert len(told) in (0, 2)
    if told:
        assert told[0] == told[1]
        return None
    return found[0], found[1]


def equal_alike(met: list[Pair]) -> None:
    """Two positions that are equal in machine code are equal by the reference, and have one hash; and the other way."""
    kept = [pair for pair in met if pair[0].engine == "native"]
    for at, (ours, theirs) in enumerate(kept):
        for other, another in kept[at:]:
            if ours == other:
                assert theirs == another
                assert hash(ours) == hash(other)
            else:
                assert theirs != another


def saved_alike(pair: Pair) -> None:
    ours, theirs = pair
    document: dict[str, Any] = ours.to_json()
    assert document == theirs.to_json()
