"""What a position promises, in whole numbers: which situation it is, what everybody has, who would win how surely.

Takes a position that waits for an answer, or is over; gives the number of its situation and a row of numbers. They are
the same on every machine. They need not be right about the game: they only tell how lucky a choice was.
"""

from __future__ import annotations

from math import exp

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.interpreter.chance import ChanceWait
from rulesrun.interpreter.decisions import DecisionWait
from rulesrun.interpreter.graph import Wait
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import EVENTS, PHASE, ROUND, SHEETS, Fault, Slots
from rulesrun.interpreter.workbench import VariableRoom

MOST_SITUATIONS = 512
MOST_ROUNDS = 8
MOST_VALUES = 9  # of a number that tells situations apart
MOST_POINTS = 1 << 16
PARTS = 16  # of a point
FINE = 32  # steps of a lead in which the chance falls to a third
WAYS = tuple(round((1 << 20) * exp(-step / FINE)) for step in range(16 * FINE))
SURE = 1 << 10  # a chance of 1
SPREADS = 4
BLURRED = 2 * SPREADS  # chances of each seat in a row


@frozen
class Blur:
    """`shares`: by situation and line, how much of the points that lie there will count, in parts of a point;
    `spreads`: how far the points may still move, in such parts."""

    shares: tuple[tuple[int, ...], ...]
    spreads: tuple[int, ...]


@define(eq=False)
class Outlook:
    table: Table
    sign: int = field(init=False)  # whether many points are good
    numbers: list[VariableRoom] = field(init=False)  # that tell situations apart
    phases: int = field(init=False)
    rounds: int = field(init=False)
    lines: list[int] = field(init=False)  # of each `score`
    has_chances: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        bench = self.table.bench
        self.sign = 1 if self.table.scoring.criteria[0][0].direction == "highest" else -1
        self.phases, self.rounds = max(len(bench.of_class(ast.Phase)), 1), MOST_ROUNDS
        self.lines = [len(one) for one in self.table.scoring.lines]
        self.has_chances = bool(sum(self.lines)) and bench.players > 1
        self.numbers = []
        if self.situations > MOST_SITUATIONS:
            self.rounds = self.phases = 1
        for room in bench.variables.values():
            if tells_situations(room):
                self.numbers.append(room)
                if self.situations > MOST_SITUATIONS:
                    self.numbers.pop()

    @property
    def situations(self) -> int:
        """The last one is the end."""
        found = 2 * self.rounds * self.phases
        for room in self.numbers:
            found *= span(room)
        return found + 1

    @property
    def of_seat(self) -> int:
        """So many numbers a seat: its points line by line, what it has had before, its chances."""
        return sum(self.lines) + 1 + (BLURRED if self.has_chances else 0)

    @property
    def width(self) -> int:
        return 1 + self.table.players * self.of_seat

    def plain_blur(self) -> Blur:
        """Before anything is known."""
        return Blur(((PARTS,) * sum(self.lines),) * self.situations, (PARTS,) * SPREADS)

    def look(self, S: Slots, wait: Wait, blur: Blur) -> tuple[int, list[int]]:
        """The situation, and its row: 1, then seat by seat."""
        situation = self.situation(S, wait)
        is_over = situation == self.situations - 1
        points = [] if is_over else self.points_now(S)
        points = points or [[0] * self.table.players for _ in range(sum(self.lines))]
        totals = [bounded(one) for one in self.table.scoring.scores(S).values()]
        by_seat = [[line[at] for line in points] for at in range(len(totals))]
        rows = [[*own, had] for own, had in zip(by_seat, totals, strict=True)]
        if self.has_chances:
            for shares in (blur.shares[situation], (PARTS,) * len(points)):
                ahead = [
                    self.sign * (PARTS * had + sum(part * one for part, one in zip(shares, own, strict=True)))
                    for own, had in zip(by_seat, totals, strict=True)
                ]
                for spread in blur.spreads:
                    for row, chance in zip(rows, chances(ahead, spread), strict=True):
                        row.append(chance)
        return situation, [1, *(one for row in rows for one in row)]

    def situation(self, S: Slots, wait: Wait) -> int:
        if not isinstance(wait, (DecisionWait, ChanceWait)):
            return self.situations - 1
        found: int = int(isinstance(wait, ChanceWait))
        found = found * self.rounds + min(max(S[ROUND], 0), self.rounds - 1)
        found = found * self.phases + min(S[PHASE], self.phases - 1)
        for room in self.numbers:
            assert room.low is not None
            found = found * span(room) + int(S[room.base]) - room.low
        return found

    def points_now(self, S: Slots) -> list[list[int]]:
        """Line by line, seat by seat, as if each `score` were counted now, alone; what cannot be counted here is 0."""
        ended, found = S.copy(), []
        ended[EVENTS] = None
        for number, lines in enumerate(self.lines):
            ended[SHEETS] = S[SHEETS]
            try:
                self.table.scoring.counting(number)(ended)
                sheet = ended[SHEETS][-1][2]
                found += [[bounded(own[line]) for own in sheet] for line in range(lines)]
            except (Fault, TypeError, RecursionError, OverflowError):
                found += [[0] * self.table.players for _ in range(lines)]
        return found


def tells_situations(room: VariableRoom) -> bool:
    if room.amount != 1 or room.declaration.per_player or room.declaration.reset == "turn":
        return False
    return room.low is not None and room.high is not None and 1 < span(room) <= MOST_VALUES


def span(room: VariableRoom) -> int:
    assert room.low is not None
    assert room.high is not None
    return room.high - room.low + 1


def bounded(points: int) -> int:
    kept: int = min(max(points, -MOST_POINTS), MOST_POINTS)
    return kept


def chances(ahead: list[int], spread: int) -> list[int]:
    """Who wins how surely when all may still move so far; the best has the best chance."""
    best = max(ahead)
    ways = [WAYS[min((best - own) * FINE // spread, len(WAYS) - 1)] for own in ahead]
    return [SURE * own // sum(ways) for own in ways]
