"""The places of a board, and which of them an example is likely to speak of next."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.ast.boards import is_grid
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.completion.trials import Trial
from rulesrun.dsl.text.place_names import place_name, read_place_name

USUAL_SIZE = 8
MOST_PLACES = 13  # in a row or column, as many as can be looked through
NEIGHBOUR, ALIGNED = 3.0, 1.5
OF_NUMBERS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "div": operator.floordiv, "mod": operator.mod,
}  # fmt: skip
OF_TWO: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "is not": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
Value = int | bool | str


def list_places(trial: Trial, board: ast.Components) -> list[str]:
    """Those that there are with the options of the example, elsewhere with those that hold where nothing is said. Where
    it is not known how large a grid is, as many as are usual.
    """
    if not is_grid(board):
        return [row.name.text for row in board.rows]
    known = _choose_options(trial)
    sizes = [_evaluate(one.type.high, known) for one in board.attributes[:2] if isinstance(one.type, ast.RangeType)]
    rows, columns = (min(MOST_PLACES, size if isinstance(size, int) else USUAL_SIZE) for size in sizes)
    return [
        place_name(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)
        if board.condition is None
        or _evaluate(board.condition, {**known, "row": row, "column": column}) is not False
    ]  # fmt: skip


def _choose_options(trial: Trial) -> dict[str, Value]:
    """What each option is, and how many play at least."""
    example = trial.hole.parents[-1]
    known: dict[str, Value] = {word: word for word in trial.names.words}
    lines = example.lines if isinstance(example, ast.Example) else ()
    said = (
        *(("players", one.low) for one in trial.game.pieces(ast.Players)),
        *((one.name.text, one.default) for one in trial.game.options),
        *((one.name.text, one.value) for one in lines if isinstance(one, ast.Set)),
    )
    values = ((name, _evaluate(value, known)) for name, value in said)
    return known | {name: value for name, value in values if value is not None}


def _evaluate(node: ast.Expr, known: Mapping[str, Value]) -> Value | None:
    """What an expression comes to before the game; None where more has to be known."""
    match node:
        case ast.Number(value=value) | ast.Truth(value=value):
            return value
        case ast.Name(text=text):
            return known.get(text)
        case ast.Not(value=part):
            found = _evaluate(part, known)
            return None if found is None else not found
        case ast.And(parts=parts) | ast.Or(parts=parts):
            decisive = isinstance(node, ast.Or)
            values = [_evaluate(part, known) for part in parts]
            return decisive if decisive in values else None if None in values else not decisive
        case ast.IfElse(condition=condition, then=then, otherwise=otherwise):
            is_so = _evaluate(condition, known)
            return None if is_so is None else _evaluate(then if is_so else otherwise, known)
        case ast.Arithmetic(left=left, right=right) | ast.Compare(left=left, right=right):
            return _combine(node.operator, _evaluate(left, known), _evaluate(right, known))
        case _:
            return None


def _combine(sign: str, left: Value | None, right: Value | None) -> Value | None:
    if left is None or right is None:
        return None
    if isinstance(left, str) or isinstance(right, str):
        return OF_TWO[sign](left, right) if sign in ("=", "is not") else None
    if sign in OF_TWO:
        return OF_TWO[sign](left, right)
    is_by_nothing = sign in ("div", "mod") and not right
    return OF_NUMBERS[sign](left, right) if sign in OF_NUMBERS and not is_by_nothing else None


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
