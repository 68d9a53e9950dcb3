"""What is known of a board once a table is set up: a board is its straight lines.

Takes the kinds of a board, gives tables of its places: who lies beside whom, what lies between two, how far it is.
Neighbours follow each other on a straight line; what is between two stands between them on one. On a grid the lines
run along rows, columns and diagonals; where rows are shifted by half a place, along rows and along the two ways up; a
line ends where a place is missing. Where lines are written out, these are the lines. Of rings the sides are lines, and
what joins them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Concatenate, ParamSpec, TypeVar

from rulesrun.dsl.text.messages import Message, message
from rulesrun.interpreter.model.components import Kinds

Places = tuple[int, ...]

SQUARE = ((0, 1), (1, 0), (1, 1), (1, -1))
HEXAGONAL = ((0, 1), (1, 0), (1, -1))

Given = ParamSpec("Given")
Found = TypeVar("Found")


def keep_with_board(
    work_out: Callable[Concatenate[Kinds, Given], Found],
) -> Callable[Concatenate[Kinds, Given], Found]:
    """Worked out once for a board, and forgotten with it."""

    def look_up(board: Kinds, /, *given: Given.args, **named: Given.kwargs) -> Found:
        key = (work_out.__name__, *given)
        if key not in board.worked_out:
            board.worked_out[key] = work_out(board, *given, **named)
        found: Found = board.worked_out[key]
        return found

    return look_up


@keep_with_board
def straight_lines(board: Kinds) -> tuple[Places, ...]:
    """As long as they go; each once."""
    written = board.declaration.board
    assert written is not None
    if written.lines:
        return tuple(tuple(board.names.index(one.text) for one in line.names) for line in written.lines)
    at = {place: kind for kind, place in enumerate(board.written)}
    if written.rings is not None:
        return tuple(list_ring_lines(at))
    steps = HEXAGONAL if written.is_hexagonal else SQUARE
    return tuple(line for step in steps for line in lines_along(at, step))


def list_ring_lines(at: dict[tuple[int, int], int]) -> Iterator[Places]:
    """The sides of all rings, and in the middle, from ring to ring, what joins them: nothing leads over the centre."""
    size = max(row for row, _ in at)
    middle = (size + 1) // 2
    for across in (False, True):
        for one in range(1, size + 1):
            places = [(one, other) if across else (other, one) for other in range(1, size + 1)]
            halves = (places[: middle - 1], places[middle:]) if one == middle else (places,)
            for half in halves:
                line = tuple(at[place] for place in half if place in at)
                if len(line) > 1:
                    yield line


def lines_along(at: dict[tuple[int, int], int], step: tuple[int, int]) -> Iterator[Places]:
    down, across = step
    for row, column in at:
        if (row - down, column - across) in at:
            continue  # it began before
        line = []
        while (row, column) in at:
            line.append(at[row, column])
            row, column = row + down, column + across
        if len(line) > 1:
            yield tuple(line)


@keep_with_board
def list_neighbours(board: Kinds) -> tuple[Places, ...]:
    """For every place those beside it, in declared order."""
    return list_steps_away(board, 1)


@keep_with_board
def list_rays(board: Kinds) -> tuple[Places, ...]:
    """For every place all those on a straight line with it, in declared order."""
    found: list[set[int]] = [set() for _ in range(len(board))]
    for line in straight_lines(board):
        for one in line:
            found[one].update(other for other in line if other != one)
    return tuple(tuple(sorted(places)) for places in found)


@keep_with_board
def list_steps_away(board: Kinds, steps: int) -> tuple[Places, ...]:
    """For every place those so many steps from it on a straight line, in declared order."""
    found: list[set[int]] = [set() for _ in range(len(board))]
    for line in straight_lines(board):
        for one, other in zip(line, line[steps:], strict=False) if steps > 0 else ():
            found[one].add(other)
            found[other].add(one)
    return tuple(tuple(sorted(places)) for places in found)


def list_near(board: Kinds, what: str, steps: int = 1) -> tuple[Places, ...]:
    return list_steps_away(board, steps) if what == "neighbours" else list_rays(board)


@keep_with_board
def list_between(board: Kinds) -> dict[tuple[int, int], Places]:
    """For two places of a straight line what lies between them; of all others nothing does."""
    found: dict[tuple[int, int], Places] = {}
    for line in straight_lines(board):
        for first, one in enumerate(line):
            for last in range(first + 2, len(line)):
                inner = tuple(sorted(line[first + 1 : last]))
                found.setdefault((one, line[last]), inner)
                found.setdefault((line[last], one), inner)
    return found


@keep_with_board
def list_distances(board: Kinds) -> tuple[Places, ...]:
    """The steps from every place to every other one; where there is no way, as many as there are places."""
    return tuple(distances_from(board, start) for start in range(len(board)))


def distances_from(board: Kinds, start: int) -> Places:
    neighbours, found = list_neighbours(board), {start: 0}
    waiting = [start]
    for one in waiting:  # it grows meanwhile
        for other in neighbours[one]:
            if other not in found:
                found[other] = found[one] + 1
                waiting.append(other)
    return tuple(found.get(place, len(board)) for place in range(len(board)))


@keep_with_board
def list_lines(board: Kinds, length: int) -> tuple[Places, ...]:
    """All stretches of so many places that follow each other on a straight line; each once."""
    if length == 1:
        return tuple((place,) for place in range(len(board)))
    found = (
        tuple(sorted(line[first : first + length]))
        for line in straight_lines(board)
        for first in range(len(line) - length + 1)
    )
    return tuple(dict.fromkeys(found)) if length > 1 else ()


@keep_with_board
def list_lines_through(board: Kinds, length: int) -> tuple[tuple[Places, ...], ...]:
    """For every place the lines that it stands on."""
    lines = list_lines(board, length)
    return tuple(tuple(line for line in lines if place in line) for place in range(len(board)))


def find_connected(board: Kinds, start: Places, among: Places) -> Places:
    """Those among some places that can be reached from the first of them, step by step among them."""
    neighbours, free = list_neighbours(board), set(among)
    reached = free.intersection(start)
    edge = list(reached)
    while edge:
        for other in neighbours[edge.pop()]:
            if other in free and other not in reached:
                reached.add(other)
                edge.append(other)
    return tuple(sorted(reached))


# ---- turning a board

Shape = Callable[[int, int], tuple[int, int]]
SHAPES: tuple[tuple[Message, Shape], ...] = (
    (message("turned by a quarter"), lambda row, column: (column, -row)),
    (message("turned by a half"), lambda row, column: (-row, -column)),
    (message("turned by three quarters"), lambda row, column: (-column, row)),
    (message("left and right mirrored"), lambda row, column: (row, -column)),
    (message("top and bottom mirrored"), lambda row, column: (-row, column)),
    (message("rows and columns exchanged"), lambda row, column: (column, row)),
    (message("rows and columns exchanged, turned by a half"), lambda row, column: (-column, -row)),
)


def list_turns(board: Kinds) -> list[tuple[Message, Places]]:
    """The ways to turn or mirror a board that leave all its places and lines where some were: for every place the one
    that it comes to."""
    if not board.written or len(board.written[0]) < 2:
        return []
    lines = {frozenset(line) for line in straight_lines(board)}
    found = []
    for says, shape in SHAPES:
        moved = [shape(*place[:2]) for place in board.written]
        down, across = min(row for row, _ in moved), min(column for _, column in moved)
        first = min(row for row, *_ in board.written), min(column for _, column, *_ in board.written)
        at = {place[:2]: kind for kind, place in enumerate(board.written)}
        targets = [at.get((row - down + first[0], column - across + first[1])) for row, column in moved]
        order = tuple(place for place in targets if place is not None)
        if len(set(order)) == len(board) and {frozenset(order[one] for one in line) for line in lines} == lines:
            found.append((says, order))
    return found
