"""A judge of candidates in machine code: as `searching.candidates`, answer for answer.

Takes a table compiled for random search. What certainly does not fail is only counted; the reference plays the rest.
"""

from __future__ import annotations

import ctypes
from array import array
from collections import Counter
from typing import Any

from attrs import define, field

from rulesrun.interpreter.native.flow.random_games import signed
from rulesrun.interpreter.native.layout.property_bits import MOST_PROPERTIES, by_bit
from rulesrun.interpreter.native.search.biased_search import LeanGames
from rulesrun.interpreter.native.search.replayed_games import APART, AT_RANDOM, CERTAINLY_NOT, FIRST, LEANING
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import Kind
from rulesrun.interpreter.search.candidates import ByReference, Candidate, Tried

NOT_WRITTEN = 7 << MOST_PROPERTIES  # what is looked at in every game, besides the properties


@define(eq=False)
class NativeJudge:
    """Goes on where the reference is: with what it has counted."""

    games: LeanGames
    reference: ByReference
    _run: Any = field(init=False)
    _numbers: dict[str, Any] = field(init=False)

    def __attrs_post_init__(self) -> None:
        number = ctypes.c_int64
        self._run = self.games.code.function("tried", number, ctypes.c_void_p, *([number] * 7))
        self.games.begin(0)
        names = ("seed", "tried answers", "tried choices", "tried width")
        self._numbers = {name: self.games.numbers(name) for name in names}
        self.games.numbers("looked for")[0] = looked_for(self.reference.table, self.reference.kind)
        self.games.set_used(self.reference.used)

    def begin_leaning(self) -> None:
        self.games.set_used(Counter())

    def tried(self, candidate: Candidate, limit: int, most: int) -> Tried:
        try:
            answers, row = array("q", candidate.answers), array("q", candidate.row or ())
        except OverflowError:
            return self.by_reference(candidate, limit, most)
        then = FIRST
        if candidate.seed is not None:
            then = LEANING if candidate.leans else AT_RANDOM
            self._numbers["seed"][0] = signed(candidate.seed)
        in_row = APART if candidate.row is None else len(row)
        verdict = self._run(
            self.games.address, answers.buffer_info()[0], len(answers), row.buffer_info()[0], in_row, then, limit, most
        )
        if verdict != CERTAINLY_NOT:
            return self.by_reference(candidate, limit, most)
        spent, choices = 1 + self._numbers["tried answers"][0], self._numbers["tried choices"][0]
        return Tried(spent, choices, None, self._numbers["tried width"][0])

    def by_reference(self, candidate: Candidate, limit: int, most: int) -> Tried:
        """With what had been done before it; what was done in it counts from now on."""
        if candidate.leans:
            self.reference.used.clear()
            self.reference.used.update(self.games.used_before())
        found = self.reference.tried(candidate, limit, most)
        if candidate.leans:
            self.games.set_used(self.reference.used)
        return found


def looked_for(table: Table, kind: Kind) -> int:
    """One bit for every property that may be meant; a fault leads to the reference anyway."""
    found = 0
    for at, judged in by_bit(table):
        if judged.declaration.title == kind.name:
            found |= 1 << at
    return found or NOT_WRITTEN
