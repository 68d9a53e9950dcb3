"""A judge of candidates in machine code: as `search.candidates`, answer for answer.

Takes a table compiled for random search. What certainly does not fail is only counted; the reference plays the rest.
"""

from __future__ import annotations

import ctypes
from array import array
from collections import Counter
from typing import Any

from attrs import define, field

from rulesrun.interpreter.native.flow.random_games import to_signed
from rulesrun.interpreter.native.layout.machine import MOST_PROPERTIES, by_bit
from rulesrun.interpreter.native.search.biased_search import BiasedGames
from rulesrun.interpreter.native.search.replayed_games import APART, AT_RANDOM, CERTAINLY_NOT, FIRST, LEANING
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import FailureKind
from rulesrun.interpreter.search.candidates import Candidate, ReferenceJudge, TriedCandidate

NOT_WRITTEN = 7 << MOST_PROPERTIES  # what is looked at in every game, besides the properties


@define(eq=False)
class NativeJudge:
    """Goes on where the reference is: with what it has counted."""

    games: BiasedGames
    reference: ReferenceJudge
    _run: Any = field(init=False)
    _numbers: dict[str, Any] = field(init=False)

    def __attrs_post_init__(self) -> None:
        number = ctypes.c_int64
        self._run = self.games.code.function("tried", number, ctypes.c_void_p, *([number] * 7))
        self.games.begin_search(0)
        names = ("seed", "tried answers", "tried choices", "tried width")
        self._numbers = {name: self.games.field_numbers(name) for name in names}
        self.games.field_numbers("looked for")[0] = property_bits(self.reference.table, self.reference.kind)
        self.games.set_uses(self.reference.used)

    def reset_bias(self) -> None:
        self.games.set_uses(Counter())

    def try_candidate(self, candidate: Candidate, limit: int, most: int) -> TriedCandidate:
        try:
            answers, row = array("q", candidate.answers), array("q", candidate.row or ())
        except OverflowError:
            return self.judge_by_reference(candidate, limit, most)
        then = FIRST
        if candidate.seed is not None:
            then = LEANING if candidate.leans else AT_RANDOM
            self._numbers["seed"][0] = to_signed(candidate.seed)
        in_row = APART if candidate.row is None else len(row)
        verdict = self._run(
            self.games.address, answers.buffer_info()[0], len(answers), row.buffer_info()[0], in_row, then, limit, most
        )
        if verdict != CERTAINLY_NOT:
            return self.judge_by_reference(candidate, limit, most)
        spent, choices = 1 + self._numbers["tried answers"][0], self._numbers["tried choices"][0]
        return TriedCandidate(spent, choices, None, self._numbers["tried width"][0])

    def judge_by_reference(self, candidate: Candidate, limit: int, most: int) -> TriedCandidate:
        """With what had been done before it; what was done in it counts from now on."""
        if candidate.leans:
            self.reference.used.clear()
            self.reference.used.update(self.games.uses_before_game())
        found = self.reference.try_candidate(candidate, limit, most)
        if candidate.leans:
            self.games.set_uses(self.reference.used)
        return found


def property_bits(table: Table, kind: FailureKind) -> int:
    """One bit for every property that may be meant; a fault leads to the reference anyway."""
    found = 0
    for at, judged in by_bit(table):
        if judged.declaration.title == kind.name:
            found |= 1 << at
    return found or NOT_WRITTEN
