"""Exact totals of pairs of games: records of the same deal at two tables in, sums that any split adds up to alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field

from rulesrun.interpreter.measure.declared_figures import Key, denominator_of
from rulesrun.interpreter.measure.estimates import Exact
from rulesrun.interpreter.measure.record import GameRecord
from rulesrun.interpreter.measure.totals import (
    Totals,
    number_from_json,
    number_to_json,
    totals_from_json,
    totals_to_json,
)


@define
class CrossSums:
    """Sums of products over pairs: figure by figure, and each with the other's measure."""

    both: Exact = 0
    own_by_other: Exact = 0  # the left figure, the right measure
    other_by_own: Exact = 0  # the left measure, the right figure
    moved: int = 0  # pairs in which the figure differs

    def merge(self, other: CrossSums) -> None:
        self.both += other.both
        self.own_by_other += other.own_by_other
        self.other_by_own += other.other_by_own
        self.moved += other.moved


@define
class PairTotals:
    left: Totals = field(factory=Totals)
    right: Totals = field(factory=Totals)
    crosses: dict[Key, CrossSums] = field(factory=dict)
    games: int = 0
    stuck: tuple[int, int] = (0, 0)  # games that did not come to their end, whyever
    long: tuple[int, int] = (0, 0)  # of these: stopped because they were so long
    first_long: tuple[int | None, int | None] = (None, None)  # the number of the first of them
    differing: int = 0  # pairs of finished games in which anything differs

    def add_pair(self, left: GameRecord, right: GameRecord) -> None:
        self.games += 1
        if left.stuck is not None or right.stuck is not None:
            self.stuck = self.stuck[0] + (left.stuck is not None), self.stuck[1] + (right.stuck is not None)
            self.note_long(left.is_too_long, right.is_too_long, left.number)
            return
        self.left.add_record(left)
        self.right.add_record(right)
        is_same = True
        for key in left.values.keys() | right.values.keys():
            one: Exact = left.values.get(key, 0)
            other: Exact = right.values.get(key, 0)
            cross = self.crosses.setdefault(key, CrossSums())
            cross.both += one * other
            if one != other:
                is_same = False
                cross.moved += 1
            against = denominator_of(key)
            if against is not None:
                cross.own_by_other += one * right.values.get(against, 0)
                cross.other_by_own += left.values.get(against, 0) * other
        self.differing += not is_same

    def note_long(self, left: bool, right: bool, number: int) -> None:
        self.long = self.long[0] + left, self.long[1] + right
        before = self.first_long
        self.first_long = (
            earlier(before[0], number if left else None), earlier(before[1], number if right else None)
        )

    @property
    def finished(self) -> int:
        return self.left.finished

    def merge(self, other: PairTotals) -> None:
        """Whatever the ranges were, their pairs add up to the same."""
        self.left.merge(other.left)
        self.right.merge(other.right)
        for key, cross in other.crosses.items():
            self.crosses.setdefault(key, CrossSums()).merge(cross)
        self.games += other.games
        self.stuck = self.stuck[0] + other.stuck[0], self.stuck[1] + other.stuck[1]
        self.long = self.long[0] + other.long[0], self.long[1] + other.long[1]
        ours, theirs = self.first_long, other.first_long
        self.first_long = earlier(ours[0], theirs[0]), earlier(ours[1], theirs[1])
        self.differing += other.differing


def earlier(one: int | None, other: int | None) -> int | None:
    return min((number for number in (one, other) if number is not None), default=None)


def merge_pairs(one: PairTotals, other: PairTotals) -> PairTotals:
    found = PairTotals()
    found.merge(one)
    found.merge(other)
    return found


# ---- as plain data, to be sent


def pairs_to_json(pairs: PairTotals) -> dict[str, Any]:
    return {
        "left": totals_to_json(pairs.left),
        "right": totals_to_json(pairs.right),
        "crosses": [
            [
                *key,
                number_to_json(one.both),
                number_to_json(one.own_by_other),
                number_to_json(one.other_by_own),
                one.moved,
            ]
            for key, one in sorted(pairs.crosses.items())
        ],
        "games": pairs.games,
        "stuck": list(pairs.stuck),
        "long": list(pairs.long),
        "first_long": list(pairs.first_long),
        "differing": pairs.differing,
    }


def pairs_from_json(document: Mapping[str, Any]) -> PairTotals:
    left, right = totals_from_json(document["left"]), totals_from_json(document["right"])
    pairs = PairTotals(left, right, games=document["games"], differing=document["differing"])
    pairs.stuck = document["stuck"][0], document["stuck"][1]
    pairs.long = tuple(document.get("long", pairs.long))
    pairs.first_long = tuple(document.get("first_long", pairs.first_long))
    for *key, both, own_by_other, other_by_own, moved in document["crosses"]:
        pairs.crosses[tuple(key)] = CrossSums(
            number_from_json(both), number_from_json(own_by_other), number_from_json(other_by_own), moved
        )
    return pairs
