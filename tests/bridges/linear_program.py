"""The value of a game of two players as a linear program over the ways they may play it, apart from rulesrun's own
solving: the sequence form of Koller, Megiddo and von Stengel (1994), solved by HiGHS."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from attrs import define, field


@define
class Ways:
    """Of one player: the rows of choices that lead somewhere; number 0 is none yet."""

    amount: int = 1
    sets: dict[int, tuple[int, list[int]]] = field(factory=dict)  # by set: the row so far, and each choice added to it

    def choices_at(self, where: int, so_far: int, width: int) -> list[int]:
        if where not in self.sets:
            self.sets[where] = so_far, list(range(self.amount, self.amount + width))
            self.amount += width
        assert self.sets[where][0] == so_far  # perfect recall
        return self.sets[where][1]

    def flow(self) -> Any:
        """What goes into a set goes on from there."""
        found = numpy.zeros((1 + len(self.sets), self.amount))
        found[0, 0] = 1
        for row, (so_far, choices) in enumerate(self.sets.values(), start=1):
            found[row, so_far], found[row, choices] = -1, 1
        return found


def solve_by_program(root: tuple[str, int, Any]) -> float:
    """What the first player can make sure of. `root`: a tree as the tests read it."""
    linprog = pytest.importorskip("scipy.optimize").linprog
    ways = Ways(), Ways()
    worths: dict[tuple[int, int], float] = {}

    def visit(node: tuple[str, int, Any], odds: float, first: int, second: int) -> None:
        kind, where, following = node
        if kind == "t":
            worths[first, second] = worths.get((first, second), 0.0) + odds * float(following[0])
        elif kind == "c":
            for share, child in following:
                visit(child, odds * float(share), first, second)
        else:
            is_first = where // 1000 == 1
            own = ways[0 if is_first else 1].choices_at(where, first if is_first else second, len(following))
            for choice, (_, child) in zip(own, following, strict=True):
                visit(child, odds, choice if is_first else first, second if is_first else choice)

    visit(root, 1.0, 0, 0)
    payoff = numpy.zeros((ways[0].amount, ways[1].amount))
    for place, worth in worths.items():
        payoff[place] = worth
    ours, theirs = ways[0].flow(), ways[1].flow()
    found = linprog(
        numpy.concatenate([numpy.zeros(len(payoff)), -numpy.eye(1, len(theirs))[0]]),
        A_ub=numpy.hstack([-payoff.T, theirs.T]), b_ub=numpy.zeros(payoff.shape[1]),
        A_eq=numpy.hstack([ours, numpy.zeros((len(ours), len(theirs)))]), b_eq=numpy.eye(1, len(ours))[0],
        bounds=[(0, None)] * len(payoff) + [(None, None)] * len(theirs), method="highs",
    )
    assert found.status == 0
    return -float(found.fun)
