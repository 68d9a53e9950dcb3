"""Every reachable position, the nearest first. Takes a table and a limit, gives what was found on the way.

Positions that cannot be told apart are one; of what is broken the shortest way there is kept.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from time import perf_counter
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.source import Span
from rulesrun.interpreter.chance import ChanceWait
from rulesrun.interpreter.decisions import DecisionWait
from rulesrun.interpreter.explain import Explained
from rulesrun.interpreter.exploring.positions import Key, Positions
from rulesrun.interpreter.exploring.reached import count_reached
from rulesrun.interpreter.exploring.relabelling import Group
from rulesrun.interpreter.exploring.relevance import unjudged
from rulesrun.interpreter.exploring.rule_columns import RuleColumns
from rulesrun.interpreter.exploring.ways import Answers, Way, Ways
from rulesrun.interpreter.invariants import Guard
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import EVENTS, PC, Fault, Slots

MOST_POSITIONS = 200_000
LOOK_UP = 256  # positions between two looks at the clock
NONE = 2**32 - 1

Tell = Callable[[int], None]
Engine = Callable[["Search"], None]
"""Goes on from the first position; the reference does it with `Search.go_through`."""


@frozen(eq=False)
class Finding:
    """Something broken: after the position with this number and these answers; None: at that position itself."""

    kind: str  # property | fault
    title: str
    message: str
    span: Span
    position: int
    answers: Answers | None
    values: tuple[Explained, ...] = ()


@define(eq=False)
class Explored:
    """Positions have numbers, in the order of their distance from the start.

    Of those that are alike the one that was reached first stands for all: so the way there is a real game.
    """

    table: Table
    positions: Positions
    group: Group
    ways: Ways
    guard: Guard
    rules: RuleColumns
    keys: list[Key] = field(factory=list)  # of the positions by number; another engine keeps them elsewhere
    parents: array[int] = field(factory=lambda: array("I"))
    came: array[int] = field(factory=lambda: array("I"))  # which of the parent's ways led there
    sizes: array[int] = field(factory=lambda: array("I"))  # how many positions each stands for
    orbits: array[int] = field(factory=lambda: array("I"))  # how many are like each, reached or not
    edges: array[int] = field(factory=lambda: array("I"))  # what follows, position after position
    seats_at: array[int] = field(factory=lambda: array("H"))  # by how many seats each was moved on, see `reached`
    edge_seats: array[int] = field(factory=lambda: array("H"))  # and what follows
    offsets: array[int] = field(factory=lambda: array("I", [0]))  # where the edges of each begin; its length: expanded
    levels: list[int] = field(factory=list)  # how many positions there are at each distance
    ended: set[int] = field(factory=set)  # the game is over there, or a fault ends it
    faulty: set[int] = field(factory=set)
    findings: list[Finding] = field(factory=list)
    happened: dict[str, int] = field(factory=dict)  # by title of `can happen`: the first position where it did
    decisions: int = 0
    chances: int = 0
    overs: int = 0
    whole: int = 0  # positions told apart, were nothing merged by symmetries
    transitions: int = 0
    stopped: str | None = None
    engine: str = "reference"
    seconds: float = 0.0

    @property
    def size(self) -> int:
        """How many positions."""
        return len(self.parents)

    @property
    def is_complete(self) -> bool:
        return self.stopped is None

    @property
    def expanded(self) -> int:
        return len(self.offsets) - 1

    @property
    def depth(self) -> int:
        return max(len(self.levels) - 1, 0)

    def distance(self, number: int) -> int:
        """How many steps from the start."""
        return bisect_right(list(accumulate(self.levels)), number)

    def following(self, number: int) -> array[int]:
        return self.edges[self.offsets[number] : self.offsets[number + 1]]


def explore(
    table: Table, limit: int = MOST_POSITIONS, *, group: Group | None = None, seconds: float | None = None,
    tell: Tell | None = None, engine: Engine | None = None,
) -> Explored:
    """Stops, incomplete, at the limit, when the time is over, or at Ctrl-C."""
    return Search(table, limit, group, seconds, tell).search(engine or Search.go_through)


@define(eq=False)
class Search:
    table: Table
    limit: int
    asked_group: Group | None
    time: float | None
    tell: Tell | None
    found: Explored = field(init=False)
    index: dict[Key, int] = field(init=False, factory=dict)
    faults: set[tuple[str, Span]] = field(init=False, factory=set)
    began: float = field(init=False, factory=perf_counter)

    def __attrs_post_init__(self) -> None:
        positions = Positions(self.table)
        group = self.asked_group or Group(self.table, ())
        ways = Ways(self.table)
        guard = Guard(self.table)
        guard.leave_out(unjudged(self.table))
        guard.begin()
        group.attach(positions)
        self.found = Explored(self.table, positions, group, ways, guard, RuleColumns(self.table))

    def search(self, engine: Engine) -> Explored:
        found = self.found
        try:
            for way in found.ways.begin():
                self.check_start(way)
                self.arrive(way, NONE, 0)
            if found.size:
                engine(self)
        except KeyboardInterrupt:
            found.stopped = "interrupted"
        except Fault as problem:
            found.stopped = str(problem)
        found.orbits = found.sizes[:]
        if found.group.shifts:
            count_reached(found)
        found.seconds = perf_counter() - self.began
        return found

    def check_start(self, way: Way) -> None:
        """Symmetries must leave the beginning as it is."""
        if way.problem is None:
            self.found.group.keep_those_that_fix(self.found.positions.settled(way.S))

    def go_through(self) -> None:
        found, number, next_level = self.found, 0, 1
        found.levels = [1]
        while number < found.size:
            if number == next_level:
                found.levels.append(found.size - number)
                next_level = found.size
            if number % LOOK_UP == 0 and self.is_time_over(found.size):
                found.stopped = "time"
                return
            if found.size > self.limit:
                found.stopped = "limit"
                return
            self.expand(number)
            number += 1

    def is_time_over(self, positions: int) -> bool:
        if self.tell is not None:
            self.tell(positions)
        return self.time is not None and perf_counter() - self.began > self.time

    def expand(self, number: int) -> None:
        found = self.found
        if number not in found.ended:
            S = found.positions.slots(found.keys[number])
            for which, way in enumerate(found.ways.all_from(S)):
                self.arrive(way, number, which)
        found.offsets.append(len(found.edges))

    def arrive(self, way: Way, parent: int, which: int) -> None:
        found = self.found
        for judged, position in way.broken:
            self.note_moment(judged, position, way, parent)
        found.transitions += parent != NONE
        if way.problem is not None:
            self.note_fault(way.problem, parent, way.answers)
            return
        key, size, member = found.group.standing(found.positions.settled(way.S))
        number = self.index.get(key)
        if number is None:
            number = self.index[key] = self.add(found.positions.key(way.S), size, parent, which)
            if found.group.shifts:
                found.seats_at.append(found.group.seats_of(member, way.S[PC]))
            self.look_at(way.S, number)
        if parent != NONE:
            found.edges.append(number)
            if found.group.shifts:
                found.edge_seats.append(found.group.seats_of(member, way.S[PC]))

    def add(self, key: Key, size: int, parent: int, which: int) -> int:
        found = self.found
        number = found.size
        found.keys.append(key)
        found.parents.append(parent)
        found.came.append(which)
        found.sizes.append(size)
        found.whole += size
        return number

    # ---- what is to be seen at a position

    def look_at(self, S: Slots, number: int) -> None:
        found = self.found
        wait = self.table.waits[S[PC]]
        if isinstance(wait, ChanceWait):
            found.chances += 1
            return
        is_over = not isinstance(wait, DecisionWait)
        if is_over:
            found.overs += 1
            found.ended.add(number)
        else:
            found.decisions += 1
        self.look(S, number, is_over)

    def look(self, S: Slots, number: int, is_over: bool) -> None:
        known = len(self.found.guard.broken)
        S[EVENTS] = None
        try:
            self.found.guard.look(S, is_over)
            for title in self.found.guard.happened - self.found.happened.keys():
                self.found.happened[title] = number
            self.found.rules.look(S)
        except Fault as problem:
            self.note_fault(problem, number, None)
        self.note_broken(known, number, None)

    def note_moment(self, judged: Any, position: Slots, way: Way, parent: int) -> None:
        guard = self.found.guard
        known = len(guard.broken)
        if judged.declaration.title not in guard.broken:
            guard.add(judged.declaration, self.table.closed(position))
        self.note_broken(known, parent, way.answers)

    def note_broken(self, known: int, position: int, answers: Answers | None) -> None:
        for one in list(self.found.guard.broken.values())[known:]:
            self.found.findings.append(
                Finding("property", one.title, "this does not hold", one.span, position, answers, one.values)
            )

    def note_fault(self, problem: Fault, position: int, answers: Answers | None) -> None:
        found, diagnostic = self.found, problem.diagnostic
        if position != NONE and answers is not None:
            found.faulty.add(position)
        if (diagnostic.code, diagnostic.span) not in self.faults:
            self.faults.add((diagnostic.code, diagnostic.span))
            found.findings.append(
                Finding("fault", diagnostic.code, diagnostic.message, diagnostic.span, position, answers)
            )
