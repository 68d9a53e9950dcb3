"""What the end of a game is worth to each player: takes scores and places, gives rewards.

By place and by win what all get together is always the same, whatever the rules say; by score it may be anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulesrun.interpreter.model.compile_context import Workbench

SCORE, PLACE, WIN, TEAM = "score", "place", "win", "team"
KINDS_OF_REWARD = (SCORE, PLACE, WIN, TEAM)


def default_reward(bench: Workbench) -> str:
    """What all have together where one plays alone or the rules have a word for how all of them did; the score where
    most points win; else the place."""
    if bench.players == 1 or bench.results:
        return TEAM
    ranked, is_always = first_criterion(bench)
    return SCORE if is_always and ranked in ("highest total", "") else PLACE


def first_criterion(bench: Workbench) -> tuple[str, bool]:
    """By what players are ranked first, if the rules say it, and whether it is looked at whatever has happened."""
    criteria = [one for ranking in bench.rankings[:1] for one in ranking.criteria if id(one) not in bench.left_out]
    if not criteria:
        return "", True
    first = criteria[0]
    return f"{first.direction} {'total' if first.is_total else 'value'}", first.when is None


def team_sign(bench: Workbench) -> int:
    """-1 where few points are good."""
    return -1 if first_criterion(bench)[0] == "lowest total" else 1


def rewards_at_end(kind: str, sign: int, scores: Mapping[int, Any], places: Sequence[Sequence[int]]) -> dict[int, Any]:
    """By player. `places`: players by place, ties together. `sign`: as `team_sign` gives it.

    `place`: from 1 for who is alone on the first place down to -1 for who is alone on the last, ties between.
    `win`: 1, shared by all who are first. `team`: what all have together, less where few points are good.
    """
    players = sorted(scores)
    match kind:
        case "score":
            return {player: scores[player] for player in players}
        case "team":
            return dict.fromkeys(players, sign * sum(scores.values()))
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
