"""Reading the score sheets that have been filled in: `total of p`, `counted(line)`, `latest(line)`, `place of p`.

A sheet is (number of the `score`, round, for every player the values of its lines).
"""

from __future__ import annotations

from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import BuiltinMeaning
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.values import PLACES, PLAYER, SHEETS, Code, Slots, fault, simplify_number


def total_points(sheets: tuple[Any, ...], player: int) -> Any:
    return simplify_number(sum([sum(sheet[2][player - 1]) for sheet in sheets]))


def compile_total() -> Code:
    return Code(lambda S: total_points(S[SHEETS], S[PLAYER]))


def place_of(places: tuple[tuple[int, ...], ...], player: int) -> int:
    """The place of a player: one more than those who are better."""
    better = 0
    for group in places:
        if player in group:
            return better + 1
        better += len(group)
    return 0


def compile_place(node: ast.Node) -> Code:
    def run(S: Slots) -> int:
        if S[PLACES] is None:
            raise fault("not-over-yet", "places are known when the game is over", node.span)
        return place_of(S[PLACES], S[PLAYER])

    return Code(run)


def compile_score_line(bench: Workbench, word: str, node: ast.Call) -> Code:
    """`counted(points)`: in all countings together; `latest(points)`: in the last one alone."""
    name = node.arguments[0]
    meaning = bench.meaning(name) if isinstance(name, ast.Name) else None
    if isinstance(meaning, BuiltinMeaning):
        return compile_latest_total() if word == "latest" else compile_total()
    for number, score in enumerate(bench.declarations(ast.Score)):
        for column, one in enumerate(score.lines):
            if one is meaning:
                return compile_line_total(number, column) if word == "counted" else compile_latest_line(number, column)
    raise bench.refusal("no-value", "this asks for a line of the score", node)


def compile_line_total(number: int, column: int) -> Code:
    def run(S: Slots) -> Any:
        player = S[PLAYER]
        return simplify_number(sum([sheet[2][player - 1][column] for sheet in S[SHEETS] if sheet[0] == number]))

    return Code(run)


def compile_latest_line(number: int, column: int) -> Code:
    def run(S: Slots) -> Any:
        player = S[PLAYER]
        for sheet in reversed(S[SHEETS]):
            if sheet[0] == number:
                return sheet[2][player - 1][column]
        return 0

    return Code(run)


def compile_latest_total() -> Code:
    def run(S: Slots) -> Any:
        return simplify_number(sum(S[SHEETS][-1][2][S[PLAYER] - 1])) if S[SHEETS] else 0

    return Code(run)
