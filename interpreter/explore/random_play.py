"""Random games that note what is reached in them. Takes ways and chance, gives how long a game was and how it ended.

A game is left when it is long, by its choices or by what chance brings in it, so that none goes on for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import frozen

from rulesrun.interpreter.model.values import EVENTS, Fault, Slots
from rulesrun.interpreter.play.successors import Successors
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait

MOST_BY_CHANCE = 10_000  # answers of one game

Look = Callable[[Slots, bool], None]  # at a position in which somebody chooses, or at the end


@frozen
class RandomGame:
    """`is_over`: at its end; None: something went wrong."""

    decisions: int
    is_over: bool | None


def play_at_random(ways: Successors, chance: Random, most_decisions: int, look: Look | None = None) -> RandomGame:
    table, decisions, by_chance = ways.table, 0, 0
    S = table.new_slots()
    try:
        while decisions < most_decisions and by_chance < MOST_BY_CHANCE:
            S[EVENTS] = []
            wait = table.run_to_question(S)
            ways.collect_broken(S)
            S[EVENTS] = None
            if look is not None and not isinstance(wait, ChanceWait):
                look(S, not isinstance(wait, DecisionWait))
            if isinstance(wait, DecisionWait):
                decisions += 1
                option = chance.choice(wait.list_options(S))
                ways.chosen.add(option[0])
                wait.apply_answer(S, option)
            elif isinstance(wait, ChanceWait):
                by_chance += 1
                wait.apply_answer(S, wait.outcome_at(S, chance.randrange(wait.total_weight(S))))
            else:
                return RandomGame(decisions, True)
    except Fault:
        return RandomGame(decisions, None)
    return RandomGame(decisions, False)
