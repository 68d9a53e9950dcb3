"""Exact totals of pairs of games: records of the same deal at two tables in, sums that any split adds up to alike."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Any

from attrs import define, field, frozen

from rulesrun.interpreter.measure.declared_figures import Key, declared_figure, denominator_of
from rulesrun.interpreter.measure.estimates import (
    FEWEST,
    LEVEL,
    Estimate,
    Exact,
    compute_variance,
    estimate_around,
    estimate_share,
    normal_of_student,
    normal_quantile,
    two_sided_p_value,
    widen_share,
)
from rulesrun.interpreter.measure.record import GameRecord
from rulesrun.interpreter.measure.totals import (
    Sums,
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


# ---- paired
# Two rulebooks side by side: totals of pairs of games in, the difference of every figure out.
#
# What both games have in common falls out of a difference, so its interval is narrower than that of two separate runs.


FAMILY = 0.001  # how often any figure at all may be called changed where nothing is
POWER = 0.8  # an effect of the size told would have been seen so often


@frozen
class Effect:
    """`difference`: right minus left. Half widths: `unpaired`, what two separate runs would give; `least`, what is left
    of it under whatever pairing, for the two sides spread differently (Cauchy and Schwarz)."""

    key: Key
    left: float
    right: float
    difference: Estimate
    unpaired: float
    chance: float  # how often a difference like this comes where there is none
    moved: int  # pairs in which the figure differs
    smallest: float  # the effect that would have been seen
    least: float = 0.0

    def is_clear(self, family: int) -> bool:
        return self.chance * family < FAMILY


@frozen
class SideValues:
    """Both values of a figure, their difference, its error, half the width of an interval without pairing."""

    left: float = 0.0
    right: float = 0.0
    difference: float = 0.0
    error: float = 0.0
    unpaired: float = 0.0
    least: float = 0.0


def compute_effect(pairs: PairTotals, key: Key, players: int) -> Effect:
    cross, games = pairs.crosses.get(key, CrossSums()), pairs.finished
    sides = (
        compare_ratios(pairs, key, cross)
        if declared_figure(key).is_ratio
        else compare_means(pairs, key, cross, declared_figure(key).unit(players))
    )
    value, error = sides.difference, sides.error
    if cross.moved < FEWEST:
        difference = Estimate(value, *bound_unseen(key, cross, games), games)
        half = difference.half_width
        return Effect(key, sides.left, sides.right, difference, sides.unpaired, 1.0, cross.moved, half, sides.least)
    smallest = error * (normal_quantile((1 + LEVEL) / 2) + normal_quantile(POWER))
    chance = two_sided_p_value(normal_of_student(value / error, games - 1)) if error else float(value == 0)
    difference = estimate_around(value, error, games)
    if declared_figure(key).is_bounded:
        difference = bound_difference(difference, error)
    return Effect(key, sides.left, sides.right, difference, sides.unpaired, chance, cross.moved, smallest, sides.least)


def compare_means(pairs: PairTotals, key: Key, cross: CrossSums, parts: int) -> SideValues:
    one, other, games = pairs.left.sums.get(key, Sums()), pairs.right.sums.get(key, Sums()), pairs.finished
    if games < 2:
        return SideValues()
    squares = one.squares + other.squares - 2 * cross.both
    error = sqrt(max(compute_variance(other.total - one.total, squares, games), 0.0) / games) / parts
    alone = [compute_variance(sums.total, sums.squares, games) / games for sums in (one, other)]
    left, right = (Fraction(sums.total) / games / parts for sums in (one, other))
    unpaired, least = (half / parts for half in half_widths(*alone))
    return SideValues(float(left), float(right), float(right - left), error, unpaired, least)


def compare_ratios(pairs: PairTotals, key: Key, cross: CrossSums) -> SideValues:
    """What each game adds to either ratio, put together exactly."""
    against = denominator_of(key)
    assert against is not None
    one, other = pairs.left.sums.get(key, Sums()), pairs.right.sums.get(key, Sums())
    below, beyond = pairs.left.sums.get(against), pairs.right.sums.get(against)
    if below is None or beyond is None or pairs.finished < 2:
        return SideValues()
    left, right = Fraction(one.total) / Fraction(below.total), Fraction(other.total) / Fraction(beyond.total)
    own = one.squares - 2 * left * one.product + left**2 * below.squares
    others = other.squares - 2 * right * other.product + right**2 * beyond.squares
    mixed = (
        cross.both - right * cross.own_by_other - left * cross.other_by_own
        + left * right * pairs.crosses.get(against, CrossSums()).both
    )  # fmt: skip
    a, b = Fraction(below.total), Fraction(beyond.total)
    squares = float(own / a**2 + others / b**2 - 2 * mixed / (a * b))
    unpaired, least = half_widths(float(own / a**2), float(others / b**2))
    return SideValues(float(left), float(right), float(right - left), sqrt(max(squares, 0.0)), unpaired, least)


def half_widths(left: float, right: float) -> tuple[float, float]:
    """Half widths from the variances of both means: of two separate runs, and the least that any pairing can leave."""
    z = normal_quantile((1 + LEVEL) / 2)
    return z * sqrt(left + right), z * abs(sqrt(max(left, 0.0)) - sqrt(max(right, 0.0)))


def bound_difference(found: Estimate, error: float) -> Estimate:
    """No share changes by more than all; where every game changed alike, the next one need not."""
    if not error:
        return widen_share(Estimate((found.value + 1) / 2, None, None, found.games)).scale(2).shift(-1)
    assert found.low is not None
    assert found.high is not None
    return Estimate(found.value, max(found.low, -1.0), min(found.high, 1.0), found.games)


def bound_unseen(key: Key, cross: CrossSums, games: int) -> tuple[float | None, float | None]:
    """Few games differ, or none: a share moves no further than in the games that may differ unseen."""
    if games < FEWEST or not declared_figure(key).is_bounded:
        return None, None
    reach = estimate_share(cross.moved, games).high or 1.0
    return -reach, reach


def compute_effects(pairs: PairTotals, keys: list[Key], players: int) -> list[Effect]:
    return [compute_effect(pairs, key, players) for key in keys]


def select_clear_effects(found: list[Effect]) -> list[Effect]:
    """Holm's way: the clearest figure against all, the next against one less, until one is not clear."""
    told: list[Effect] = []
    candidates = sorted(
        found, key=lambda one: (one.chance, one.difference.half_width / max(abs(one.difference.value), 1e-9))
    )
    for number, one in enumerate(candidates):
        if not one.is_clear(len(candidates) - number):
            break
        told.append(one)
    return told
