"""Whether games end: takes the positions and what follows each, gives those from which no end can be reached,
and the shortest way of coming back to where one was."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence

from attrs import frozen

from rulesrun.interpreter.explore.breadth_first import Explored

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
