"""Reading the score sheets that have been filled in: `total of p`, `counted(line)`, `latest(line)`, `place of p`.

A sheet is (number of the `score`, round, for every player the values of its lines).
"""

from __future__ import annotations

from typing import Any

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.model.core import Points
from rulesrun.interpreter.model.values import PLACES, PLAYER, SHEETS, Code, Slots, fault, simplify_number


def total_points(sheets: tuple[Any, ...], player: int) -> Any:
    return simplify_number(sum([sum(sheet[2][player - 1]) for sheet in sheets]))


def compile_total() -> Code:
    return Code(lambda S: total_points(S[SHEETS], S[PLAYER]))


def place_of(places: tuple[tuple[int, ...], ...], player: int, team_size: int = 1) -> int:
    """The place of a player: one more than those, or the teams, who are better."""
    better = 0
    for group in places:
        if player in group:
            return better // team_size + 1
        better += len(group)
    return 0


def compile_place(node: Located, team_size: int) -> Code:
    def run(S: Slots) -> int:
        if S[PLACES] is None:
            raise fault("not-over-yet", message("places are known only when the game is over"), node.span)
        return place_of(S[PLACES], S[PLAYER], team_size)

    return Code(run)


def compile_points(asked: Points) -> Code:
    """`counted(points)`: in all countings together; `latest(points)`: in the last one alone."""
    if asked.line is None:
        return compile_latest_total() if asked.is_latest else compile_total()
    return compile_latest_line(*asked.line) if asked.is_latest else compile_line_total(*asked.line)


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
