"""Every reachable position, the nearest first. Takes a table and a limit, gives what was found on the way.

Positions that cannot be told apart are one; of what is broken the shortest way there is kept.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from time import perf_counter, process_time

from attrs import define, field, frozen

from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.model.moments import JudgedProperty
from rulesrun.interpreter.model.relevance import unjudged
from rulesrun.interpreter.model.values import EVENTS, PC, PLAYER, Fault, Run, Slots
from rulesrun.interpreter.play.explanation import ExplainedValue
from rulesrun.interpreter.play.position_keys import Key, PositionKeys
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.play.successors import Answers, Successor, Successors
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import SymmetryGroup, count_reached_positions

MOST_POSITIONS = 200_000
MOST_MEMORY = 3 << 30  # bytes of positions and edges
LOOK_UP = 256  # positions between two looks at the clock and at the memory
PER_POSITION = 1_000  # bytes that the reference needs for a position beside its key
NONE = 2**32 - 1

Tell = Callable[[int], None]
Enough = Callable[["Explored"], bool]
Engine = Callable[["BreadthFirstSearch"], None]
"""Goes on from the first position; the reference does it with `Search.expand_all`."""


@frozen(eq=False)
class Finding:
    """Something broken: after the position with this number and these answers; None: at that position itself."""

    kind: str  # property | fault
    title: str
    message: str
    span: Span
    position: int
    answers: Answers | None
    values: tuple[ExplainedValue, ...] = ()


@define(eq=False)
class Explored:
    """Positions have numbers, in the order of their distance from the start.

    Of those that are alike the one that was reached first stands for all: so the way there is a real game.
    """

    table: Table
    positions: PositionKeys
    group: SymmetryGroup
    ways: Successors
    guard: PropertyGuard
    rules: UnmetRules
    keys: list[Key] = field(factory=list)  # of the positions by number; another engine keeps them elsewhere
    parents: array[int] = field(factory=lambda: array("I"))
    came: array[int] = field(factory=lambda: array("I"))  # which of the parent's ways led there
    sizes: array[int] = field(factory=lambda: array("I"))  # how many positions each stands for
    orbits: array[int] = field(factory=lambda: array("I"))  # how many are like each, reached or not
    edges: array[int] = field(factory=lambda: array("I"))  # what follows, position after position
    seats_at: array[int] = field(factory=lambda: array("H"))  # by how many seats each was moved on, see `reached`
    edge_seats: array[int] = field(factory=lambda: array("H"))  # and what follows
    lengths: dict[str, array[int]] = field(factory=dict)  # how much longer a game becomes on each edge, by unit
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
    is_interrupted: bool = False  # somebody asked for it to stop, if only when all had been looked at
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

    def distance_of(self, number: int) -> int:
        """How many steps from the start."""
        return bisect_right(list(accumulate(self.levels)), number)

    def successors_of(self, number: int) -> array[int]:
        return self.edges[self.offsets[number] : self.offsets[number + 1]]


def explore_table(
    table: Table, limit: int = MOST_POSITIONS, *, group: SymmetryGroup | None = None, seconds: float | None = None,
    tell: Tell | None = None, engine: Engine | None = None, enough: Enough | None = None, memory: int = MOST_MEMORY,
) -> Explored:
    """Stops, incomplete, at the limit, when the time is over or the memory full, when `enough` was found, or at Ctrl-C.

    The time is that which this process works, so that what else the machine does changes nothing.
    """
    return BreadthFirstSearch(table, limit, group, seconds, tell, enough, memory).run_engine(
        engine or BreadthFirstSearch.expand_all
    )


def length_units(table: Table) -> list[str]:
    """What `ends within` counts at this table."""
    bounded = (one for one in table.bench.properties if one.bound is not None)
    return sorted({one.moment or "decisions" for one in bounded})


@define(eq=False)
class BreadthFirstSearch:
    table: Table
    limit: int
    asked_group: SymmetryGroup | None
    time: float | None
    tell: Tell | None
    enough: Enough | None = None
    memory: int = MOST_MEMORY
    found: Explored = field(init=False)
    index: dict[Key, int] = field(init=False, factory=dict)
    faults: set[tuple[str, Span]] = field(init=False, factory=set)
    began: float = field(init=False, factory=perf_counter)
    worked: float = field(init=False, factory=process_time)

    def __attrs_post_init__(self) -> None:
        positions = PositionKeys(self.table)
        group = self.asked_group or SymmetryGroup(self.table, ())
        ways = Successors(self.table)
        guard = PropertyGuard(self.table)
        guard.leave_out_properties(unjudged(self.table.bench))
        guard.begin_game()
        group.attach_positions(positions)
        self.found = Explored(self.table, positions, group, ways, guard, UnmetRules(self.table))
        self.found.lengths.update((unit, array("I")) for unit in length_units(self.table))

    def run_engine(self, engine: Engine) -> Explored:
        found = self.found
        try:
            for way in found.ways.first_successors():
                self.check_start(way)
                self.add_arrival(way, NONE, 0)
            if found.size:
                engine(self)
        except KeyboardInterrupt:
            found.stopped, found.is_interrupted = "interrupted", True
        except Fault as problem:
            found.stopped = str(problem)
        found.orbits = found.sizes[:]
        if found.group.shifts:
            count_reached_positions(found)
        found.seconds = perf_counter() - self.began
        return found

    def check_start(self, way: Successor) -> None:
        """Symmetries must leave the beginning as it is."""
        if way.problem is None:
            self.found.group.keep_members_fixing(self.found.positions.normalize_position(way.S))

    def expand_all(self) -> None:
        found, number, next_level = self.found, 0, 1
        found.levels = [1]
        while number < found.size:
            if number == next_level:
                found.levels.append(found.size - number)
                next_level = found.size
            looks_up = number % LOOK_UP == 0
            found.stopped = self.reason_to_stop(found.size, self.bytes_used if looks_up else 0, looks_up)
            if found.stopped is not None:
                return
            self.expand_position(number)
            number += 1

    @property
    def bytes_used(self) -> int:
        """About so many: keys, what is known of each position, and the edges."""
        found = self.found
        key = len(found.keys[-1]) if found.keys else 0
        return found.size * (key + PER_POSITION) + found.edges.itemsize * len(found.edges) * (1 + len(found.lengths))

    def reason_to_stop(self, positions: int, used: int, looks_up: bool = True) -> str | None:
        """Why not to go on from here. `used`: bytes."""
        if looks_up and self.tell is not None:
            self.tell(positions)
        if looks_up and self.time is not None and process_time() - self.worked > self.time:
            return "time"
        if self.enough is not None and self.found.findings and self.enough(self.found):
            return "found"
        if used > self.memory:
            return "memory"
        return "limit" if positions > self.limit else None

    def expand_position(self, number: int) -> None:
        found = self.found
        if number not in found.ended:
            S = found.positions.slots_of_key(found.keys[number])
            for which, way in enumerate(found.ways.successors_of(S)):
                added = [way.added_length(unit, S) for unit in found.lengths]
                if self.add_arrival(way, number, which):
                    for known, amount in zip(found.lengths.values(), added, strict=True):
                        known.append(amount)
        found.offsets.append(len(found.edges))

    def add_arrival(self, way: Successor, parent: int, which: int) -> bool:
        """Whether it leads to a position."""
        found = self.found
        for judged, position in way.broken:
            self.note_moment(judged, position, way, parent)
        found.transitions += parent != NONE
        if way.problem is not None:
            self.note_fault(way.problem, parent, way.answers)
            return False
        key, size, member = found.group.find_canonical(found.positions.normalize_position(way.S))
        number = self.index.get(key)
        if number is None:
            number = self.index[key] = self.add_position(found.positions.key_of(way.S), size, parent, which)
            if found.group.shifts:
                found.seats_at.append(found.group.seat_shift(member, way.S[PC]))
            self.check_position(way.S, number)
        if parent != NONE:
            found.edges.append(number)
            if found.group.shifts:
                found.edge_seats.append(found.group.seat_shift(member, way.S[PC]))
        return True

    def add_position(self, key: Key, size: int, parent: int, which: int) -> int:
        found = self.found
        number = found.size
        found.keys.append(key)
        found.parents.append(parent)
        found.came.append(which)
        found.sizes.append(size)
        found.whole += size
        return number

    # ---- what is to be seen at a position

    def check_position(self, S: Slots, number: int) -> None:
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
        self.check_properties(S, number, is_over)

    def check_properties(self, S: Slots, number: int, is_over: bool) -> None:
        known = len(self.found.guard.broken)
        S[EVENTS] = None
        try:
            self.found.guard.check_position(S, is_over)
            for title in self.found.guard.happened - self.found.happened.keys():
                self.found.happened[title] = number
            self.found.rules.drop_met_rules(S)
        except Fault as problem:
            self.note_fault(problem, number, None)
        self.note_broken(known, number, None)

    def note_moment(self, judged: JudgedProperty, position: Slots, way: Successor, parent: int) -> None:
        guard = self.found.guard
        known = len(guard.broken)
        if judged.declaration.title not in guard.broken:
            guard.add_broken(judged, self.table.to_state(position))
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


# ---- rules that single components carry


@define(eq=False)
class UnmetRules:
    """The rules of single components (`rule met`), until each has held for somebody."""

    table: Table
    waiting: dict[str, tuple[Run, Span]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        calls = self.table.bench.calls
        rules = self.table.bench.list_component_rules()
        self.waiting.update({name: (calls[id(rule)].run, span) for name, rule, span in rules})

    def drop_met_rules(self, S: Slots) -> None:
        kept = S[PLAYER]
        for name in [name for name, (run, _) in self.waiting.items() if self.is_met(S, run)]:
            del self.waiting[name]
        S[PLAYER] = kept

    def is_met(self, S: Slots, run: Run) -> bool:
        try:
            for S[PLAYER] in range(1, self.table.players + 1):
                if run(S):
                    return True
        except (Fault, TypeError):
            return False
        return False
