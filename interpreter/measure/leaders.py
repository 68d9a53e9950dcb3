"""Who leads now. Takes a table and a position in the middle of a game, gives the leading players, or nobody."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulesrun.interpreter.model.values import PLAYER, SHEETS, WORK, Fault, Slots
from rulesrun.interpreter.reference.table import Table


@define(eq=False)
class Standings:
    """As if the game were over now: sheets of the end are filled in on trial, sheets of rounds only when they are."""

    table: Table
    at_end: list[int] = field(init=False)
    in_rounds: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        scores = self.table.bench.scores
        self.at_end = [number for number, score in enumerate(scores) if score.when == "end"]
        self.in_rounds = len(self.at_end) < len(scores)

    def find_leaders(self, S: Slots) -> tuple[int, ...] | None:
        """None when all are level, or when nothing can be said at this moment."""
        kept: tuple[Any, ...] = (S[SHEETS], S[PLAYER], S[WORK])
        try:
            for number in self.at_end:
                self.table.scoring.compile_counting(number)(S)
            first = self.table.scoring.rank_players(S)[0]
        except (Fault, TypeError, RecursionError, OverflowError):
            return None
        finally:
            S[SHEETS], S[PLAYER], S[WORK] = kept
        return first if len(first) < self.table.players else None


@define(eq=False)
class LeadTracker:
    """Who led when: fed with looks, asked at the end."""

    leading: tuple[int, ...] | None = None
    changes: int = 0
    since: int = 0  # the decision after which the present leaders came to lead

    def note_leaders(self, leaders: tuple[int, ...] | None, decisions: int) -> None:
        if leaders == self.leading or leaders is None:
            return
        self.changes += self.leading is not None
        self.leading, self.since = leaders, decisions

    def settling_decision(self, winners: tuple[int, ...], decisions: int) -> int:
        """The decision after which the winners led until the end."""
        return self.since if winners == self.leading else decisions
