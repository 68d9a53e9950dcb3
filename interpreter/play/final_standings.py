"""Whether the final places agree with scores, tie-breaks and result. Takes a finished game, gives what does not agree.

Worked out pair by pair, apart from the module that ranks: who of two is ahead is said by the first criterion that tells
them apart.
"""

from __future__ import annotations

from typing import Any

from rulesrun.interpreter.model.values import PLACES, PLAYER, RESULT, Run, Slots
from rulesrun.interpreter.reference.score_lookups import place_of
from rulesrun.interpreter.reference.table import Table

AGREE = "scores and final places agree"

Key = tuple[tuple[Any, bool], ...]  # for every criterion that applies what it gives, and whether the highest is best


def find_disagreement(table: Table, S: Slots) -> str | None:
    """What is wrong, in words; None: nothing is."""
    places = S[PLACES]
    seats = range(1, table.players + 1)
    if sorted(seat for group in places for seat in group) != list(seats):
        return "not every player has one place"
    keys = {seat: ranking_key(table, S, seat) for seat in seats}
    for one in seats:
        for other in range(one + 1, table.players + 1):
            expected, found = compare_keys(keys[one], keys[other]), place_of(places, other) - place_of(places, one)
            if (expected > 0) != (found > 0) or (expected < 0) != (found < 0):
                return f"the places of {one} and {other} are not as their scores and tie-breaks say"
    tells_apart = table.scoring.ranking is not None and not table.scoring.ranking.ties_share
    if tells_apart and not all(map(table.scoring.is_team, places)):
        return "a place is shared, though ties do not share"
    return None if S[RESULT] == expected_result(table, S) else "the result is not the first outcome that holds"


def ranking_key(table: Table, S: Slots, seat: int) -> Key:
    return tuple(
        (evaluate_for_player(S, one.value, seat), one.is_highest_first)
        for one in table.scoring.criteria
        if one.when is None or one.when(S)
    )


def evaluate_for_player(S: Slots, value: Run, seat: int) -> Any:
    kept, S[PLAYER] = S[PLAYER], seat
    found = value(S)
    S[PLAYER] = kept
    return found


def compare_keys(one: Key, other: Key) -> int:
    """Positive: the one is better; negative: the other; 0: nothing tells them apart."""
    for (own, is_highest), (theirs, _) in zip(one, other, strict=True):
        if own != theirs:
            return 1 if (own > theirs) is is_highest else -1
    return 0


def expected_result(table: Table, S: Slots) -> str | None:
    result = table.scoring.result
    if result is None:
        return None
    for declared, holds in zip(result.outcomes, table.scoring.outcomes, strict=True):
        if holds(S):
            return declared.word.text
    return result.otherwise.text
