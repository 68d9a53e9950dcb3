"""The exact size of a small game's tree: takes a table, goes through every history, gives the counts.

A chance event with one outcome is not a node; choices made at the same moment are one node.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attrs import define, field

from rulesrun.interpreter.chance import ChanceWait
from rulesrun.interpreter.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.play import MOST_BY_CHANCE, chance_without_end
from rulesrun.interpreter.player_memory import Memories
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import EVENTS, OPTIONS, PLAYER, Slots, fault

MOST_DEPTH = 300


@define(eq=False)
class TreeCount:
    decisions: int = 0
    chance: int = 0
    together: int = 0
    terminals: int = 0
    max_depth: int = 0
    information_sets: dict[int, int] = field(factory=dict)
    expected_scores: dict[int, Fraction] = field(factory=dict)
    is_complete: bool = True

    @property
    def histories(self) -> int:
        return self.decisions + self.chance + self.together + self.terminals


def count_tree(table: Table, most: int | None = None) -> TreeCount:
    """Stops, incomplete, after `most` histories."""
    return Counting(table, most).count()


@define(eq=False)
class Counting:
    table: Table
    most: int | None
    found: TreeCount = field(init=False, factory=TreeCount)
    memories: Memories = field(init=False)
    seen: dict[int, set[int]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.memories = Memories(self.table)
        self.seen = {player: set() for player in range(1, self.table.players + 1)}

    def count(self) -> TreeCount:
        S = self.table.fresh()
        S[EVENTS] = None
        values = self.history(S, self.memories.nothing(), 0)
        self.found.information_sets = {player: len(sets) for player, sets in self.seen.items()}
        if values is not None:
            self.found.expected_scores = {number: Fraction(value) for number, value in enumerate(values, start=1)}
        return self.found

    def history(self, S: Slots, known: tuple[int, ...], depth: int) -> list[Any] | None:
        """The expected scores from here on; None when it was too much."""
        found, table = self.found, self.table
        if depth > MOST_DEPTH:
            raise fault("too-deep", "this game's tree is too deep to count", table.program.game.span)
        if self.most is not None and found.histories >= self.most:
            found.is_complete = False
            return None
        wait, known = self.memories.run(S, known)
        certain = 0
        while isinstance(wait, ChanceWait):
            certain += 1
            if certain > MOST_BY_CHANCE:
                raise chance_without_end(wait.node.span)
            outcomes = wait.outcomes(S)
            if len(outcomes) > 1:
                return self.by_chance(S, wait, outcomes, known, depth)
            wait.settle(S, outcomes[0][0])
            wait, known = self.memories.run(S, known)
        found.max_depth = max(found.max_depth, depth)
        if isinstance(wait, TogetherWait):
            return self.at_once(S, wait, known, depth)
        if isinstance(wait, DecisionWait):
            return self.by_player(S, wait, known, depth)
        found.terminals += 1
        return list(table.scoring.scores(S).values())

    def by_chance(
        self, S: Slots, wait: ChanceWait, outcomes: list[tuple[Any, int]], known: tuple[int, ...], depth: int
    ) -> list[Any] | None:
        self.found.chance += 1
        sums: list[Any] = [0] * self.table.players
        for value, weight in outcomes:
            branch = S.copy()
            wait.settle(branch, value)
            scores = self.history(branch, known, depth + 1)
            if scores is None:
                return None
            sums = [one + weight * score for one, score in zip(sums, scores, strict=True)]
        return shared(sums, wait.total(S))

    def by_player(
        self, S: Slots, wait: DecisionWait, known: tuple[int, ...], depth: int
    ) -> list[Any] | None:
        self.found.decisions += 1
        player, options = wait.chooser(S), S[OPTIONS]
        asked = self.memories.asked(known, options)
        choosers = (player,) if player else tuple(self.seen)
        for chooser in choosers:
            self.seen[chooser].add(asked[chooser - 1])
        sums: list[Any] = [0] * self.table.players
        for option in options:
            branch = S.copy()
            wait.settle(branch, option)
            scores = self.history(branch, self.memories.chosen(known, asked, choosers, wait, option), depth + 1)
            if scores is None:
                return None
            sums = [one + score for one, score in zip(sums, scores, strict=True)]
        return shared(sums, len(options))

    def at_once(self, S: Slots, wait: TogetherWait, known: tuple[int, ...], depth: int) -> list[Any] | None:
        """One node; its branches are the joint choices."""
        self.found.together += 1
        sums: list[Any] = [0] * self.table.players
        branches = self.joint_choices(S, wait, known)
        for branch, known_then in branches:
            scores = self.history(branch, known_then, depth + 1)
            if scores is None:
                return None
            sums = [one + score for one, score in zip(sums, scores, strict=True)]
        return shared(sums, len(branches))

    def joint_choices(
        self, S: Slots, wait: TogetherWait, known: tuple[int, ...]
    ) -> list[tuple[Slots, tuple[int, ...]]]:
        """Everyone's choices on the same position, put together seat by seat."""
        ways = [(S, known)]
        for number in range(len(S[wait.seats])):
            following = []
            for position, known_there in ways:
                following.extend(self.own_choices(position, wait, known, known_there, number))
            ways = following
        return ways

    def own_choices(
        self, S: Slots, wait: TogetherWait, known: tuple[int, ...], known_there: tuple[int, ...], number: int
    ) -> list[tuple[Slots, tuple[int, ...]]]:
        """The choices of one of them; each knows only what was known before all of them."""
        player, options = S[PLAYER], S[OPTIONS]
        asked = self.memories.asked(known, options)
        self.seen[player].add(asked[player - 1])
        following = []
        for option in options:
            branch = S.copy()
            wait.settle(branch, option)
            if number + 1 < len(S[wait.seats]):
                self.table.run(branch)
            following.append((branch, self.memories.own(known_there, asked, player, option)))
        return following


def shared(sums: list[Any], weight: int) -> list[Any]:
    return [Fraction(one) / weight for one in sums]
