"""The places of a board, and which of them an example is likely to speak of next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from rulesrun.dsl import ast
from rulesrun.dsl.ast.boards import is_grid, place_name, read_place_name
from rulesrun.dsl.ast.walk import walk
from rulesrun.editing.trials import Trial

USUAL_SIZE, USUAL_RINGS = 8, 3
MOST_PLACES = 12  # in a row or column, as many as can be looked through
NEIGHBOUR, ALIGNED = 3.0, 1.5


def list_places(board: ast.Components) -> list[str]:
    """Where a formula says the size of a grid, as many as are usual."""
    if not is_grid(board):
        return [row.name.text for row in board.rows]
    if board.board is not None and board.board.rings is not None:
        rings = board.board.rings.value if isinstance(board.board.rings, ast.Number) else USUAL_RINGS
        return [place_name(row, column) for row, column in _list_on_rings(min(MOST_PLACES // 2, rings))]
    sizes = [one.type.high for one in board.attributes[:2] if isinstance(one.type, ast.RangeType)]
    rows, columns = (min(MOST_PLACES, size.value if isinstance(size, ast.Number) else USUAL_SIZE) for size in sizes)
    return [place_name(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]


def _list_on_rings(rings: int) -> Iterator[tuple[int, int]]:
    """The corners and the middle of the sides of each ring."""
    for row in range(-rings, rings + 1):
        for column in range(-rings, rings + 1):
            if (row or column) and (abs(row) == abs(column) or not row or not column):
                yield row + rings + 1, column + rings + 1


def rate_places(trial: Trial, board: ast.Components, places: Sequence[str]) -> Mapping[str, float] | None:
    """What speaks for each in an example: that it lies beside those of the same line, or beside what was named last.
    What has been given already is left out. None where the hole is in no example.
    """
    example = trial.hole.parents[-1]
    if not isinstance(example, ast.Example) or len(trial.hole.parents) < 2:
        return None
    own = trial.hole.parents[-2]
    at = next((at for at, line in enumerate(example.lines) if line is own), len(example.lines))
    known = set(places)
    here = _list_named([own], known)
    above = _list_named(example.lines[:at], known)
    below = _list_named(example.lines[at + 1 :], known)
    given = _list_given(example, own, known)
    anchors = here or above[-1:] or below[:1]
    ways = Ways(board)
    return {
        text: max((ways.rate(anchor, text) for anchor in anchors), default=0.0)
        + ALIGNED * (text in above) + (text in below)
        for text in places
        if text not in given
    }  # fmt: skip


def _list_named(lines: Sequence[ast.Node], known: set[str]) -> list[str]:
    return [node.text for line in lines for node in walk(line) if isinstance(node, ast.Name) and node.text in known]


def _list_given(example: ast.Example, own: ast.Node, known: set[str]) -> set[str]:
    """Nothing is given twice."""
    target = own.target if isinstance(own, ast.GivenValue) else None
    if not isinstance(target, ast.Index) or len(target.keys) != 1:
        return set()
    return {
        text
        for line in example.lines
        if line is not own and isinstance(line, ast.GivenValue) and isinstance(line.target, ast.Index)
        and line.target.name.text == target.name.text
        for text in _list_named([line.target], known)
    }  # fmt: skip


class Ways:
    """How near places of a board are to each other."""

    def __init__(self, board: ast.Components) -> None:
        lines = board.board.lines if board.board is not None else ()
        self.lines = [[name.text for name in line.names] for line in lines]
        self.steps = {frozenset(pair) for line in self.lines for pair in pairwise(line)}

    def rate(self, one: str, other: str) -> float:
        if one == other:
            return 0.0
        if self.lines:
            is_aligned = any(one in line and other in line for line in self.lines)
            return NEIGHBOUR if {one, other} in self.steps else ALIGNED if is_aligned else 0.0
        distances = _measure(one, other)
        if distances is None:
            return 0.0
        rows, columns = distances
        is_aligned = rows == 0 or columns == 0 or rows == columns
        return (ALIGNED if is_aligned else 0.0) + (NEIGHBOUR - ALIGNED) / max(rows, columns)


def _measure(one: str, other: str) -> tuple[int, int] | None:
    first, second = read_place_name(one), read_place_name(other)
    if first is None or second is None:
        return None
    return abs(first[0] - second[0]), abs(first[1] - second[1])
