"""A game among bots. Takes a table, a bot a seat and a seed, gives how the game ended.

The chance of the game is the same as in random games of that seed, whoever plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.bots.bot import Bot, RandomBot
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.observer import Observer, seats_that_choose
from rulesrun.interpreter.bots.solution import find_book
from rulesrun.interpreter.model.random import MASK, Streams
from rulesrun.interpreter.model.values import OPTIONS, PLACES, RESULT, Fault, Slots, State, fault
from rulesrun.interpreter.play.game_loop import (
    MOST_BY_CHANCE,
    MOST_DECISIONS,
    Picker,
    Question,
    player_stream_name,
    too_much_chance_fault,
)
from rulesrun.interpreter.play.step import PlayerDecision
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.scoring import Places
from rulesrun.interpreter.reference.table import Table


class NotOver(Fault):
    """The game was stopped after very long; `state`: where."""

    def __init__(self, problem: Fault, state: State) -> None:
        super().__init__(problem.diagnostic)
        self.state = state


class OutOfTime(Exception):
    """The game took longer than anybody waits; of how it ends nothing is known."""


@frozen
class MatchResult:
    places: Places
    scores: tuple[Any, ...]
    result: str | None
    decisions: int
    team_size: int = 1

    def win_share(self, seat: int) -> float:
        """Of the first place."""
        return self.team_size / len(self.places[0]) if seat in self.places[0] else 0.0


def bot_of(bots: Sequence[Bot], player: int) -> Bot:
    """For the team the one at the first seat decides."""
    return bots[max(player, 1) - 1]


def make_observer(table: Table, bots: Sequence[Bot]) -> Observer:
    """For those at the table who look."""
    watched = [seat for seat in seats_that_choose(table) if bot_of(bots, seat).looks]
    return Observer(table, tuple(watched), find_book(bots), any(bot.listens for bot in bots))


def play_match(
    table: Table, bots: Sequence[Bot], streams: Streams, limit: int = MOST_DECISIONS, answers: list[int] | None = None,
    until: float = float("inf"),
) -> MatchResult:  # fmt: skip
    """`bots`: seat by seat. `answers` is filled with the numbers of all options, and what chance threw.

    Raises OutOfTime where somebody is to choose after `until`.
    """
    noted: list[int] = answers if answers is not None else []
    observer = make_observer(table, bots)
    S, by_chance = table.new_slots(), 0
    for decisions in range(limit + 1):
        wait = observer.run_to_question(S)
        while isinstance(wait, ChanceWait):
            by_chance += 1
            if by_chance > MOST_BY_CHANCE:
                raise NotOver(too_much_chance_fault(wait.node.span, decisions), table.to_state(S))
            noted.append(streams.random_below(wait.total_weight(S), wait.stream_name(S)))
            observer.apply_answer(S, wait, wait.outcome_at(S, noted[-1]))
            wait = observer.run_to_question(S)
        if not isinstance(wait, DecisionWait):
            scores = table.scoring.scores(S)
            return MatchResult(S[PLACES], tuple(scores.values()), S[RESULT], decisions, table.bench.team_size)
        if monotonic() > until:
            raise OutOfTime
        player = wait.chooser(S)
        index = choose_option(table, observer, S, player, bot_of(bots, player), streams)
        noted.append(index)
        observer.apply_answer(S, wait, S[OPTIONS][index])
    observer.run_to_question(S)
    problem = fault(
        "too-long", message("the game has not ended after {limit} decisions", limit=limit), table.program.game.span
    )
    raise NotOver(problem, table.to_state(S))


def replay_picker(answers: Sequence[int]) -> Picker:
    """The picker that plays a match again."""
    left = iter(answers)

    def pick(question: Question) -> int:
        answer = next(left)
        return answer if isinstance(question, PlayerDecision) else question.index_at_weight(answer)

    return pick


def choose_option(table: Table, observer: Observer, S: Slots, player: int, bot: Bot, streams: Streams) -> int:
    """A random player picks as in games where all do; any other gets a seed for chance of its own instead."""
    if isinstance(bot, RandomBot):
        return streams.random_below(len(S[OPTIONS]), player_stream_name(player))
    seed = streams.random_below(MASK, player_stream_name(player))
    return bot.choose(make_observation(table, observer, S, player, bot, seed))


def make_observation(table: Table, observer: Observer, S: Slots, player: int, bot: Bot, seed: int) -> Observation:
    if bot.looks:
        return observer.make_observation(S, player, seed)
    return Observation(table, player, (), (), tuple(S[OPTIONS]), seed)
