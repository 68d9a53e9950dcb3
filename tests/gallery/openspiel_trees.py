"""A whole tree of OpenSpiel, counted one history after the other."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attrs import define


@define
class Counts:
    decisions: int = 0
    terminals: int = 0
    first_score: Fraction = Fraction(0)  # what the first seat gets when all play at random


def count_tree(game: Any) -> Counts:
    counts = Counts()
    _count_below(game.new_initial_state(), Fraction(1), counts)
    return counts


def _count_below(state: Any, odds: Fraction, counts: Counts) -> None:
    if state.is_terminal():
        counts.terminals += 1
        counts.first_score += odds * Fraction(state.returns()[0])
        return
    counts.decisions += 1
    actions = state.legal_actions()
    for action in actions:
        _count_below(state.child(action), odds / len(actions), counts)
