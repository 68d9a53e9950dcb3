"""Findings as games: takes what was explored, gives for each finding the shortest game that shows it, as a story."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from itertools import islice

from attrs import define, evolve, field, frozen

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Titled
from rulesrun.interpreter.explore.breadth_first import NONE, Explored, Finding
from rulesrun.interpreter.model.values import PC, Slots
from rulesrun.interpreter.play.position_keys import Key
from rulesrun.interpreter.play.successors import Answers, Successor, Successors
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import (
    AnsweredGame,
    Failure,
    FailureKind,
    GameChecker,
    ListedAnswers,
    fault_kind,
)
from rulesrun.interpreter.stories.story import Story, tell_story

# ---- endings
# Whether games end: takes the positions and what follows each, gives those from which no end can be reached,
# and the shortest way of coming back to where one was.


UNSEEN = 2**32 - 1


@frozen
class Circle:
    """A game that comes back: the position where it begins, and those that follow until it is there again."""

    positions: tuple[int, ...]
    members: int  # how many positions lie on some circle


@frozen(eq=False)
class EndingAnalysis:
    """Positions from which the end cannot be reached any more, and the circle that is reached soonest."""

    trapped: list[int]
    circle: Circle | None


def analyze_endings(found: Explored) -> EndingAnalysis:
    return EndingAnalysis(find_trapped_positions(found), find_circle(found))


def reverse_edges(found: Explored) -> tuple[array[int], array[int]]:
    """The edges the other way round: offsets, and what lies before each position."""
    offsets = array("I", bytes(4 * (found.size + 1)))
    for following in found.edges:
        offsets[following + 1] += 1
    for number in range(found.size):
        offsets[number + 1] += offsets[number]
    place, before = array("I", offsets), array("I", bytes(4 * len(found.edges)))
    for number in range(found.expanded):
        for edge in range(found.offsets[number], found.offsets[number + 1]):
            following = found.edges[edge]
            before[place[following]] = number
            place[following] += 1
    return offsets, before


def find_trapped_positions(found: Explored) -> list[int]:
    """Positions from which the end cannot be reached any more, whatever is chosen and whatever chance brings.

    A fault ends a game, too; and nobody knows what lies behind a position that was not followed.
    """
    offsets, before = reverse_edges(found)
    can_end = bytearray(found.size)
    waiting = deque([*found.ended, *found.faulty, *range(found.expanded, found.size)])
    for number in waiting:
        can_end[number] = 1
    while waiting:
        number = waiting.popleft()
        for edge in range(offsets[number], offsets[number + 1]):
            if not can_end[before[edge]]:
                can_end[before[edge]] = 1
                waiting.append(before[edge])
    return [number for number in range(found.size) if not can_end[number]]


def longest_game_length(found: Explored) -> int:
    """How many steps a game has at most; of positions that cannot come twice, and all of which were followed."""
    before = array("I", bytes(4 * found.size))
    for following in found.edges:
        before[following] += 1
    steps, waiting = array("I", bytes(4 * found.size)), [0]
    while waiting:
        number = waiting.pop()
        for following in found.successors_of(number):
            steps[following] = max(steps[following], steps[number] + 1)
            before[following] -= 1
            if not before[following]:
                waiting.append(following)
    return max(steps)


def find_circle(found: Explored) -> Circle | None:
    """The circle that is reached soonest, and of those the shortest."""
    parts = strongly_connected_components(found)
    members = [number for number, part in enumerate(parts) if part]
    if not members:
        return None
    return Circle(tuple(find_way_back(found, members[0], parts)), sum(found.sizes[number] for number in members))


def find_way_back(found: Explored, first: int, parts: Sequence[int]) -> list[int]:
    """From a position of a knot the shortest way to itself; all of it lies in the knot."""
    came: dict[int, int] = {}
    waiting = deque([first])
    while waiting:
        number = waiting.popleft()
        for following in found.successors_of(number):
            if following == first:
                way = [number]
                while way[-1] != first:
                    way.append(came[way[-1]])
                return way[::-1]
            if parts[following] == parts[first] and following not in came:
                came[following] = number
                waiting.append(following)
    raise AssertionError("a knot has a way back")


def strongly_connected_components(found: Explored) -> array[int]:
    """For each position the number of the knot it belongs to, from 1: from each of its positions one can come
    to each other. 0: one never comes back to it. (Tarjan's algorithm, with a stack of its own.)"""
    size = found.expanded
    seen, low = array("I", [UNSEEN]) * size, array("I", bytes(4 * size))
    parts, stack, is_open = array("I", bytes(4 * found.size)), array("I"), bytearray(size)
    clock = knot = 0
    for root in range(size):
        if seen[root] != UNSEEN:
            continue
        path = [(root, found.offsets[root])]
        while path:
            number, edge = path.pop()
            if edge == found.offsets[number] and seen[number] == UNSEEN:
                seen[number] = low[number] = clock
                clock += 1
                stack.append(number)
                is_open[number] = 1
            while edge < found.offsets[number + 1]:
                following = found.edges[edge]
                edge += 1
                if following >= size:
                    continue
                if seen[following] == UNSEEN:
                    path.append((number, edge))
                    path.append((following, found.offsets[following]))
                    break
                if is_open[following]:
                    low[number] = min(low[number], low[following] if following != number else low[number])
            else:
                knot = close_component(found, number, seen, low, stack, is_open, parts, knot)
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[number])
    return parts


def close_component(
    found: Explored, number: int, seen: array[int], low: array[int], stack: array[int], is_open: bytearray,
    parts: array[int], knot: int,
) -> int:
    """All that a position leads to has been looked at: a knot is whole when nothing led before its first one."""
    if low[number] != seen[number]:
        return knot
    members: list[int] = []
    while not members or members[-1] != number:
        members.append(stack.pop())
        is_open[members[-1]] = 0
    if len(members) > 1 or number in found.successors_of(number):
        knot += 1
        for member in members:
            parts[member] = knot
    return knot


# ---- lengths
# How long games can go on: takes the positions and what each way adds, gives for a bound the longest game there is.
#
# Positions know nothing of time, so each is looked at with every length it can have.


MOST_STATES = 2_000_000  # positions, each with every length


@frozen(eq=False)
class LengthCheck:
    """`longest`: of the games that were followed; beyond the bound, its first excess. `steps`: positions after the
    first one, with what each adds. `is_known`: every game was followed."""

    declaration: Titled
    unit: str
    bound: int
    longest: int
    is_known: bool
    steps: tuple[tuple[int, int], ...] = ()

    @property
    def is_broken(self) -> bool:
        return self.longest > self.bound


def check_lengths(found: Explored) -> list[LengthCheck]:
    """Of every `ends within`."""
    bench = found.table.bench
    bounds = [one for one in bench.properties if one.bound is not None]
    return [
        find_longest_game(found, one, one.moment or "decisions", bench.constant_number(one.bound))
        for one in bounds
        if one.bound is not None and found.size
    ]


def find_longest_game(found: Explored, declaration: Titled, unit: str, bound: int) -> LengthCheck:
    """Breadth first over positions with lengths, so that what goes beyond is reached in as few steps as can be."""
    added = found.lengths[unit]
    first = 1 if unit == "rounds" else 0
    wide = bound + 2
    came: dict[int, int] = {first: -1}  # position * wide + length: where from
    waiting, most = deque(came), first
    while waiting and len(came) <= MOST_STATES:
        state = waiting.popleft()
        number, length = divmod(state, wide)
        most = max(most, length)
        if length > bound:
            return LengthCheck(declaration, unit, bound, length, found.is_complete, trace_steps(state, came, wide))
        if number >= found.expanded:
            continue
        for edge in range(found.offsets[number], found.offsets[number + 1]):
            after = found.edges[edge] * wide + min(length + added[edge], bound + 1)
            if after not in came:
                came[after] = state
                waiting.append(after)
    return LengthCheck(declaration, unit, bound, most, found.is_complete and not waiting)


def trace_steps(state: int, came: dict[int, int], wide: int) -> tuple[tuple[int, int], ...]:
    steps: list[tuple[int, int]] = []
    while came[state] >= 0:
        before = came[state]
        steps.append((state // wide, state % wide - before % wide))
        state = before
    return tuple(reversed(steps))


# ---- retracing
# From a position back to a game that leads there: takes what was explored, gives the answers of a real game.


def path_to(found: Explored, position: int) -> list[int]:
    """The positions on the shortest way, the first one first."""
    way: list[int] = []
    while position != NONE:
        way.append(position)
        position = found.parents[position]
    return way[::-1]


@define(eq=False)
class RetracedGame:
    """A game played along positions that were found; `answers` are all its answers so far."""

    found: Explored
    table: Table = field(init=False)
    ways: Successors = field(init=False)
    S: Slots = field(init=False)
    answers: Answers = ()

    def __attrs_post_init__(self) -> None:
        self.table = self.found.table
        self.ways = Successors(self.table)
        self.take_successor(next(iter(self.ways.first_successors())))

    def take_successor(self, way: Successor) -> None:
        self.answers = (*self.answers, *way.answers)
        self.S = self.found.positions.normalize_position(way.S)

    def walk_to(self, position: int) -> RetracedGame:
        """From the beginning to a position, as it was reached first."""
        for one in path_to(self.found, position)[1:]:
            self.take_successor(nth_successor(self.ways, self.S, self.found.came[one]))
        return self

    def walk_along(self, positions: Sequence[int]) -> RetracedGame:
        """On to positions that are like these, one after the other."""
        for position in positions:
            key = self.canonical_key(RetracedGame(self.found).walk_to(position).S)
            ways = self.ways.successors_of(self.S)
            self.take_successor(next(way for way in ways if way.problem is None and self.leads_to(way, key)))
        return self

    def walk_measured(self, steps: Sequence[tuple[int, int]], unit: str) -> RetracedGame:
        """On to positions that are like these, by ways that make the game so much longer each."""
        for position, amount in steps:
            key, before = self.canonical_key(RetracedGame(self.found).walk_to(position).S), self.S.copy()
            ways = (way for way in self.ways.successors_of(self.S) if way.problem is None)
            self.take_successor(
                next(way for way in ways if way.added_length(unit, before) == amount and self.leads_to(way, key))
            )
        return self

    def leads_to(self, way: Successor, key: Key) -> bool:
        return self.canonical_key(self.found.positions.normalize_position(way.S.copy())) == key

    def canonical_key(self, S: Slots) -> Key:
        return self.found.group.canonical_key(S)[0]


def nth_successor(ways: Successors, S: Slots, which: int) -> Successor:
    """The way with this number out of a position."""
    return next(islice(ways.successors_of(S), which, None))


def fill_in_keys(found: Explored) -> None:
    """The positions as the reference keeps them, where another engine has gone through them."""
    if len(found.keys) == found.size:
        return
    ways, number = Successors(found.table), 1  # the first position is always there
    for parent in range(found.expanded):
        if number < found.size and found.parents[number] == parent:
            for which, way in enumerate(ways.successors_of(found.positions.slots_of_key(found.keys[parent]))):
                if number < found.size and found.parents[number] == parent and found.came[number] == which:
                    found.keys.append(found.positions.key_of(found.positions.normalize_position(way.S)))
                    number += 1


def answers_to(found: Explored, position: int, then: Answers = ()) -> Answers:
    """The answers of the shortest game to a position, and on from there."""
    return (*RetracedGame(found).walk_to(position).answers, *then)


# ---- findings


@frozen(eq=False)
class CirclingStory:
    """A game that comes back to where it was: after its last move all is as it was after the first `until` moves."""

    story: Story
    until: int


def tell_finding(found: Explored, finding: Finding) -> Story | None:
    """None when it happens before there is anything to answer."""
    if finding.position == NONE:
        answers: Answers = finding.answers or ()
    else:
        answers = answers_to(found, finding.position, finding.answers or ())
    kind = FailureKind(finding.title, finding.span.file, finding.span.start)
    failure = GameChecker(found.table, len(answers) + 1, kind).play_game(ListedAnswers(answers)).find_failure(kind)
    if failure is None:
        return None
    game = cut_game(found, answers[: failure.answers])
    return tell_story(evolve(game, failures=(failure,)), failure)


def tell_length(found: Explored, length: LengthCheck) -> Story | None:
    """The shortest game that is longer than it may be."""
    span = length.declaration.span
    kind = FailureKind(length.declaration.title, span.file, span.start)
    walk = RetracedGame(found).walk_measured(length.steps, length.unit)
    answers = walk.answers
    failure = GameChecker(found.table, len(answers) + 1, kind).play_game(ListedAnswers(answers)).find_failure(kind)
    if failure is None:
        return None
    return tell_story(evolve(cut_game(found, answers[: failure.answers]), failures=(failure,)), failure)


def cut_game(found: Explored, answers: Answers) -> AnsweredGame:
    """The game that has come so far, and goes no further."""
    played = GameChecker(found.table, len(answers) + 1).play_game(ListedAnswers(answers))
    return AnsweredGame(found.table, answers, tuple(at for at in played.choices if at < len(answers)), ())


def tell_trap(found: Explored, trapped: Sequence[int]) -> Story:
    """The shortest game to a position from which the end cannot be reached."""
    walk = RetracedGame(found).walk_to(trapped[0])
    wait = found.table.waits[walk.S[PC]]
    diagnostic = Diagnostic(
        "no-way-out", message("from here the game cannot end"), wait.node.span, message("add a rule that ends it")
    )
    game = cut_game(found, walk.answers)
    failure = Failure(
        fault_kind(diagnostic), wait.node.span, found.table.to_state(walk.S), len(game.choices), len(walk.answers),
        diagnostic=diagnostic,
    )
    return evolve(tell_story(game, failure), trapped=len(trapped))


def tell_circle(found: Explored, circle: Circle) -> CirclingStory:
    walk = RetracedGame(found).walk_to(circle.positions[0])
    before = len(walk.answers)
    walk.walk_along([*circle.positions[1:], circle.positions[0]])
    game = cut_game(found, walk.answers)
    span = found.table.waits[walk.S[PC]].node.span
    failure = Failure(
        FailureKind("circle", span.file, span.start),
        span,
        found.table.to_state(walk.S),
        len(game.choices),
        len(walk.answers),
    )
    return CirclingStory(tell_story(game, failure), sum(at < before for at in game.choices))
