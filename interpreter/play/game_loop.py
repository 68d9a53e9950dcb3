"""The loop of the game. Takes a table and a picker that answers every question, gives the steps of one game."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault, fault
from rulesrun.interpreter.play.step import (
    ChanceDecision,
    GameOver,
    PlayerDecision,
    Step,
    begin_game,
    next_step,
    pending_decision,
)
from rulesrun.interpreter.reference.table import Table

Question = PlayerDecision | ChanceDecision
Picker = Callable[[Question], int]
MOST_DECISIONS = 10_000
MOST_BY_CHANCE = 8 * MOST_DECISIONS  # events of a game, whoever is asked in between


@frozen
class PlayedStep:
    """A question that came up, the answer (None at the end), and the step that led to the question."""

    step: Step
    question: Question | GameOver
    answer: int | None


def play_game(table: Table, pick: Picker, limit: int = MOST_DECISIONS) -> Iterator[PlayedStep]:
    step = begin_game(table)
    for _ in range(limit * 8):
        question = pending_decision(table, step.state)
        if isinstance(question, GameOver):
            yield PlayedStep(step, question, None)
            return
        index = pick(question)
        yield PlayedStep(step, question, index)
        step = next_step(table, step.state, index)
    raise fault(
        "too-long", message("the game has not ended after {limit} decisions", limit=limit), table.program.game.span
    )


def endless_chance_fault(at: Span) -> Fault:
    return fault("too-long", message("chance goes on for ever without asking anybody"), at)


def too_much_chance_fault(at: Span, decisions: int) -> Fault:
    """What a whole game may ask chance is asked."""
    if not decisions:
        return endless_chance_fault(at)
    return fault(
        "too-long",
        message("the game has not ended after {most_by_chance} chance events", most_by_chance=MOST_BY_CHANCE),
        at,
    )


def random_picker(streams: Streams) -> Picker:
    """Every option alike, every outcome by its weight."""

    def pick(question: Question) -> int:
        if isinstance(question, PlayerDecision):
            return streams.random_below(len(question.options), player_stream_name(question.player))
        return question.index_at_weight(streams.random_below(question.total, question.stream))

    return pick


PLAYER_SOURCES = tuple(f"player {player}" for player in range(101))


def player_stream_name(player: int) -> str:
    return PLAYER_SOURCES[player]
