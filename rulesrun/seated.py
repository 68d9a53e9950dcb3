"""One game among bots as a trace: bots and a seed in, lines out. The seed says nothing of who plays: it is not told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.match import again, play_match
from rulesrun.interpreter.random import Streams
from rulesrun.interpreter.table import Table
from rulesrun.loading import Reading
from rulesrun.output import one_line_json
from rulesrun.traces import record, start_event


def seated_lines(
    reading: Reading, table: Table, bots: Sequence[Bot], seed: int, with_states: bool
) -> Iterator[str]:
    answers: list[int] = []
    play_match(table, bots, Streams(seed), answers=answers)
    yield one_line_json(start_event(reading, table, None))
    for event in record(table, again(answers), with_states):
        yield one_line_json(event)
