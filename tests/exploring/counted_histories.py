"""The small table of three colours, three tokens of each, played by a program of its own: every position with the whole
history that matters there, and what follows it. Written from the rulebook; knows nothing of the language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Any

COLOURS, EACH, LINE, SEATS = 3, 3, 2, 2
Position = tuple[Any, ...]


class Asked(Exception):
    """A question without an answer."""

    def __init__(self, position: Position, options: int) -> None:
        self.position, self.options = position, options


class Match:
    """Goes through one match with answers that are given; stops where there is none left."""

    def __init__(self, answers: Sequence[int]) -> None:
        self.answers = list(answers)
        self.reserve, self.centre, self.gathered = [EACH] * COLOURS, [0] * COLOURS, [0] * COLOURS
        self.collections = [[0] * COLOURS for _ in range(SEATS)]
        self.lined = [[False] * COLOURS for _ in range(SEATS)]
        self.passed = [False] * SEATS
        self.seat, self.bonus, self.turn_over = 0, 0, False
        self.seen: Counter[Position] = Counter()
        self.last: Position | None = None

    def position(self, where: str, *more: int) -> Position:
        several: tuple[Sequence[int], ...] = (self.reserve, self.centre, self.gathered, *self.collections, *self.lined)
        flow = (where, *more, self.seat, self.bonus, self.turn_over, *self.passed)
        return flow, tuple(tuple(one) for one in several), frozenset(self.seen.items()), self.last

    def ask(self, options: int, where: str, *more: int) -> int:
        if not self.answers:
            raise Asked(self.position(where, *more), options)
        return self.answers.pop(0)

    def draw(self, where: str, *more: int) -> int:
        """A colour out of the reserve; what is certain is no question."""
        colours = [colour for colour in range(COLOURS) if self.reserve[colour]]
        colour = colours[self.ask(len(colours), where, *more) if len(colours) > 1 else 0]
        self.reserve[colour] -= 1
        return colour

    def play(self) -> Position:
        """To the end, whose position it gives."""
        for left in range(3, 0, -1):
            self.centre[self.draw("setup", left)] += 1
        while not self.whole_turn():
            self.seat, self.bonus = (self.seat + 1) % SEATS, 0
        return self.position("end")

    def whole_turn(self) -> bool:
        """Whether the match is over."""
        self.fill("fill")
        self.last = ((tuple(self.centre), *map(tuple, self.collections)), self.seat)
        self.seen[self.last] += 1
        if self.seen[self.last] == 3 or self.one_turn("turn"):
            return True
        while self.bonus:
            self.bonus -= 1
            self.fill("fill for bonus")
            if self.one_turn("bonus"):
                return True
        self.give_back()
        return False

    def fill(self, where: str) -> None:
        for left in range(min(3 - sum(self.centre), sum(self.reserve)), 0, -1):
            self.centre[self.draw(where, left)] += 1

    def one_turn(self, where: str) -> bool:
        self.turn_over = False
        own = self.collections[self.seat]
        fewest = [one for one in range(COLOURS) if own.count(own[one]) == 1 and own[one] == min(own)]
        options = ["reveal"] * (sum(self.reserve) > 0) + ["alternative"] * any(self.centre[one] for one in fewest)
        chosen = (options or ["pass"])[self.ask(len(options) or 1, f"{where}: first")]
        while True:
            if chosen == "pass":
                return self.pass_by()
            if chosen == "alternative":
                self.passed = [False] * SEATS
                self.centre[fewest[0]] -= 1
                own[fewest[0]] += 1
                return self.taken()
            if chosen == "take":
                return self.take()
            if self.reveal(where):
                return False
            options = ["reveal"] * (sum(self.reserve) > 0) + ["take"]
            chosen = options[self.ask(len(options), f"{where}: on")]

    def reveal(self, where: str) -> bool:
        """Whether it was one too many."""
        self.passed = [False] * SEATS
        colour = self.draw(f"{where}: reveal")
        self.gathered[colour] += 1
        if self.gathered[colour] == 1 and self.centre[colour]:
            return False
        self.centre = [one + other for one, other in zip(self.centre, self.gathered, strict=True)]
        self.gathered, self.turn_over = [0] * COLOURS, True
        return True

    def take(self) -> bool:
        for colour in range(COLOURS):
            if self.gathered[colour]:
                self.collections[self.seat][colour] += self.gathered[colour] + self.centre[colour]
                self.gathered[colour] = self.centre[colour] = 0
        return self.taken()

    def taken(self) -> bool:
        self.turn_over = True
        own, lined = self.collections[self.seat], self.lined[self.seat]
        if all(one >= LINE for one in own):
            return True
        for colour in range(COLOURS):
            if own[colour] >= LINE and not lined[colour]:
                lined[colour] = True
                self.bonus += 1
        return False

    def pass_by(self) -> bool:
        self.give_back()
        self.passed[self.seat] = self.turn_over = True
        return sum(self.reserve) == 0 and all(self.passed)

    def give_back(self) -> None:
        own = self.collections[self.seat]
        for colour in range(COLOURS):
            above = max(own[colour] - LINE, 0)
            own[colour] -= above
            self.reserve[colour] += above


def renamed(position: Position, order: Sequence[int]) -> Position:
    """What it is when the colours are exchanged."""

    def rows(several: Sequence[Sequence[int]]) -> Position:
        return tuple(tuple(row[one] for one in order) for row in several)

    def noted(record: Position) -> Position:
        return rows(record[0]), record[1]

    flow, several, seen, last = position
    return flow, rows(several), frozenset((noted(one), times) for one, times in seen), last and noted(last)


def up_to_colours(found: Iterable[Position]) -> int:
    """How many there are of which no two differ by an exchange of colours alone."""
    orders, left, many = list(permutations(range(COLOURS))), set(found), 0
    while left:
        position, many = next(iter(left)), many + 1
        left.difference_update([renamed(position, order) for order in orders])
    return many


def all_positions() -> dict[Position, list[Position]]:
    """What follows each; nothing follows an end."""
    found: dict[Position, list[Position]] = {}
    ways: dict[Position, list[int]] = {}

    def reached(answers: list[int]) -> tuple[Position, int]:
        try:
            position, options = Match(answers).play(), 0
        except Asked as asked:
            position, options = asked.position, asked.options
        return position, options

    waiting: list[list[int]] = [[]]
    while waiting:
        answers = waiting.pop()
        position, options = reached(answers)
        if position not in ways:
            ways[position] = answers
            found[position] = [reached([*answers, one])[0] for one in range(options)]
            waiting += [[*answers, one] for one in range(options)]
    return found
