"""One game among bots as a trace: bots and a seed in, lines out. The seed says nothing of who plays: it is not told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from rulesrun.files.loading import Reading
from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.match import play_match, replay_picker
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.game_loop import Picker, Question
from rulesrun.interpreter.reference.table import Table
from rulesrun.records.traces import record_game, start_event
from rulesrun.terminal.output import one_line_json


def trace_seated_game(
    reading: Reading, table: Table, bots: Sequence[Bot], seed: int, with_states: bool
) -> Iterator[str]:
    """A game that is cut short is told as far as it has come; then what has stopped it is raised."""
    pick = pick_as_seated(table, bots, seed)
    yield one_line_json(start_event(reading, table, None))
    for event in record_game(table, pick, with_states):
        yield one_line_json(event)


def pick_as_seated(table: Table, bots: Sequence[Bot], seed: int) -> Picker:
    """What chance and the bots answer in one game, one answer after the other; then what has stopped it is raised."""
    answers: list[int] = []
    stopped: BaseException | None = None
    try:
        play_match(table, bots, Streams(seed), answers=answers)
    except (Fault, KeyboardInterrupt) as reason:
        stopped = reason
    following, asked = replay_picker(answers), count()

    def pick(question: Question) -> int:
        if stopped is not None and next(asked) == len(answers):
            raise stopped
        return following(question)

    return pick
