"""What the end of a game is worth to each player: takes scores and places, gives rewards.

By place and by win what all get together is always the same, whatever the rules say; by score it may be anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulesrun.dsl import ast
from rulesrun.interpreter.model.compile_context import Workbench

SCORE, PLACE, WIN, TEAM = "score", "place", "win", "team"
KINDS_OF_REWARD = (SCORE, PLACE, WIN, TEAM)


def default_reward(bench: Workbench) -> str:
    """The points where most points win, all points together where one plays alone, else the place."""
    if bench.players == 1:
        return SCORE
    rankings = bench.declarations(ast.Ranking)
    criteria = [one for ranking in rankings[:1] for one in ranking.criteria if id(one) not in bench.left_out]
    if not criteria:
        return SCORE
    first = criteria[0]
    is_total = isinstance(first.value, ast.Name) and first.value.text == "total"
    return SCORE if is_total and first.direction == "highest" and first.when is None else PLACE


def rewards_at_end(kind: str, scores: Mapping[int, Any], places: Sequence[Sequence[int]]) -> dict[int, Any]:
    """By player. `places`: players by place, ties together.

    `place`: from 1 for who is alone on the first place down to -1 for who is alone on the last, ties between.
    `win`: 1, shared by all who are first. `team`: what all have together.
    """
    players = sorted(scores)
    match kind:
        case "score":
            return {player: scores[player] for player in players}
        case "team":
            return dict.fromkeys(players, sum(scores.values()))
        case "win":
            return {player: Fraction(1, len(places[0])) if player in places[0] else Fraction(0) for player in players}
        case "place":
            return reward_places(places, len(players))
        case _:
            raise ValueError(f"there is no reward `{kind}`; there are: {', '.join(KINDS_OF_REWARD)}")


def reward_places(places: Sequence[Sequence[int]], players: int) -> dict[int, Fraction]:
    """Better than so many, worse than so many, as a share of all others."""
    found, before = {}, 0
    for group in places:
        behind = players - before - len(group)
        for player in group:
            found[player] = Fraction(behind - before, max(players - 1, 1))
        before += len(group)
    return found


def constant_sum(kind: str, players: int) -> Fraction | None:
    """What all rewards come to in every game, where that follows from what the reward is."""
    if kind == WIN:
        return Fraction(1)
    if kind == PLACE:
        return Fraction(0)
    return None
