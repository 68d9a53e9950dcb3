"""The game of a session as a trace, as far as it has come; the same lines that `rulesrun trace` writes."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.game_loop import Question, random_picker
from rulesrun.interpreter.play.step import PlayerDecision
from rulesrun.records.traces import record_game, start_event
from rulesrun.table.session import Session
from rulesrun.terminal.output import one_line_json


class _NothingMore(Exception):
    """All that was answered is told."""


def trace_session(session: Session) -> Iterator[str]:
    """The first line has the seed where it gives this game by itself: everybody has chosen as at random."""
    picked = _is_random_game(session)
    yield one_line_json(start_event(session.reading, session.table, session.seed if picked else None))
    following = iter(session.answers)

    def pick(question: Question) -> int:
        number = next(following, None)
        if number is None:
            raise _NothingMore
        return number if isinstance(question, PlayerDecision) else question.index_at_weight(number)

    try:
        for event in record_game(session.table, pick):
            yield one_line_json(event)
    except (_NothingMore, Fault):
        return


def _is_random_game(session: Session) -> bool:
    """Whether the seed alone gives all these answers and a whole game."""
    if not session.is_over:
        return False
    by_chance, given = random_picker(Streams(session.seed)), iter(session.answers)
    different: list[int] = []

    def pick(question: Question) -> int:
        number, index = next(given, -1), by_chance(question)
        found = number if isinstance(question, PlayerDecision) or number < 0 else question.index_at_weight(number)
        if found != index:
            different.append(index)
            raise _NothingMore
        return index

    try:
        for _ in record_game(session.table, pick):
            pass
    except (_NothingMore, Fault):
        return not different
    return True

