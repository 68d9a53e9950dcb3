"""A whole tree of OpenSpiel: how many histories it has, and what random play gives. What follows from a position that
comes again is counted once, so the game must lie open, and its text must say all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from attrs import frozen

import rulesrun


@frozen
class Counts:
    decisions: int
    terminals: int
    lead: Fraction  # how much more often the first seat wins than the second, when both play at random


def describe(state: Any) -> str:
    return f"{state.current_player()} {state}"


def count_openspiel(game: Any, describe: Callable[[Any], str] = describe) -> Counts:
    known: dict[str, Counts] = {}

    def count(state: Any) -> Counts:
        if state.is_terminal():
            first, second = state.returns()
            return Counts(0, 1, Fraction((first > second) - (first < second)))
        if (name := describe(state)) not in known:
            below = [count(state.child(action)) for action in state.legal_actions()]
            lead = sum((one.lead for one in below), Fraction(0)) / len(below)
            known[name] = Counts(1 + sum(one.decisions for one in below), sum(one.terminals for one in below), lead)
        return known[name]

    return count(game.new_initial_state())


def count_rulebook(name: str, options: Mapping[str, Any]) -> Counts:
    told = rulesrun.load(name).tree(options=dict(options)).to_json()
    first, second = (Fraction(told["win_shares"][seat]) for seat in ("1", "2"))
    return Counts(told["decisions"], told["terminals"], first - second)
