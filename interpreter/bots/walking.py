"""Playing on at random from a position, a little or to the end. Takes a position to be changed, gives its worth."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.interpreter.bots.worth import Judge
from rulesrun.interpreter.chance import ChanceWait
from rulesrun.interpreter.decisions import DecisionWait
from rulesrun.interpreter.graph import Wait
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import OPTIONS, Slots

Below = Callable[[int], int]


def to_decision(table: Table, S: Slots, below: Below) -> Wait:
    """Through everything that chance decides."""
    wait = table.run(S)
    while isinstance(wait, ChanceWait):
        wait.settle(S, wait.pick(S, below(wait.total(S))))
        wait = table.run(S)
    return wait


def walked(table: Table, judge: Judge, S: Slots, below: Below, decisions: int) -> list[float]:
    """The worth for everyone after so many more random decisions, or at the end."""
    wait = to_decision(table, S, below)
    while isinstance(wait, DecisionWait) and decisions > 0:
        options = S[OPTIONS]
        wait.settle(S, options[below(len(options))])
        decisions -= 1
        wait = to_decision(table, S, below)
    return judge.now(S) if isinstance(wait, DecisionWait) else judge.at_end(S)
