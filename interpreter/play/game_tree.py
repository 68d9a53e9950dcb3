"""The exact size of a small game's tree: takes a table, goes through every history, gives the counts, and what is to be
expected of random play.

A chance event with one outcome is not a node; choices made at the same moment are one node.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import gcd
from typing import Any

from attrs import define, evolve, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model.moments import TIE, WIN, JudgedProperty, compile_term, parts_of_a_win
from rulesrun.interpreter.model.values import (
    EVENTS,
    FIGURES,
    OPTIONS,
    PLACES,
    PLAYER,
    Slots,
    fault,
    simplify_number,
)
from rulesrun.interpreter.play.game_loop import MOST_BY_CHANCE, endless_chance_fault
from rulesrun.interpreter.play.player_memory import PlayerMemories
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table

MOST_DEPTH = 300
MANY_SUMS = 1 << 16  # by different denominators; then they are put together


@frozen
class Expectation:
    """Of random play, exactly. `shares`: of games in which a property that speaks of some games is true, by title.
    `figures`: those of the rules, by name; None where there is never a value.
    """

    scores: dict[int, Fraction]
    decisions: Fraction  # what everybody chooses at the same moment counts one by one
    win_shares: dict[int, Fraction]  # a shared win is shared out; partners win together
    ties: Fraction
    shares: dict[str, Fraction]
    figures: dict[str, Fraction | None] = field(factory=dict)


def compute_expectation(table: Table, sums: list[Fraction]) -> Expectation:
    """From the values of `ending`, each times its odds, added up."""
    seats = range(1, table.players + 1)
    left = iter(sums)
    scores, wins = ({seat: next(left) for seat in seats} for _ in range(2))
    ties, decisions = next(left), next(left)
    titles = [one.declaration.title for one in properties_of_some_games(table)]
    shares = {title: next(left) for title in titles}
    values = {one.declaration.name.text: (next(left), next(left)) for one in table.watches.figures}
    figures = {name: total / times if times else None for name, (total, times) in values.items()}
    return Expectation(scores, decisions, wins, ties, shares, figures)


@cache
def win_values(players: int, size: int, winners: tuple[int, ...]) -> list[Any]:
    """By seat the share of the win, and whether it is shared."""
    parts, known = parts_of_a_win(players), {"winners": len(winners), "team": size}
    known["parts"], share = parts * size, compile_term(WIN)
    wins = [share(known | {"won": seat in winners}) for seat in range(1, players + 1)]
    return [*(simplify_number(Fraction(won, parts)) for won in wins), int(compile_term(TIE)(known))]


def properties_of_some_games(table: Table) -> list[JudgedProperty]:
    """`can happen`, `at most|at least A/B of games`."""
    return [
        one for one in table.watches.properties
        if one.declaration.word == "can happen" or one.declaration.share is not None
    ]  # fmt: skip


@define(eq=False)
class TreeCount:
    decisions: int = 0
    chance: int = 0
    together: int = 0
    terminals: int = 0
    max_depth: int = 0
    information_sets: dict[int, int] = field(factory=dict)
    expectation: Expectation | None = None  # of the whole tree
    is_complete: bool = True

    @property
    def expected_scores(self) -> dict[int, Fraction]:
        return self.expectation.scores if self.expectation is not None else {}

    @property
    def histories(self) -> int:
        return self.decisions + self.chance + self.together + self.terminals


def count_tree(table: Table, most: int | None = None) -> TreeCount:
    """Stops, incomplete, after `most` histories."""
    return TreeCounter(table, most).count_tree()


@frozen
class HistoryOdds:
    """Of a history: its odds, `weight` over `total`; how many decisions were made; what has been true, a bit each."""

    weight: int = 1
    total: int = 1
    decisions: int = 0
    happened: int = 0

    def multiply_odds(self, weight: int, total: int) -> HistoryOdds:
        weight, total = self.weight * weight, self.total * total
        common = gcd(weight, total)
        return evolve(self, weight=weight // common, total=total // common)


@define(eq=False)
class TreeCounter:
    table: Table
    most: int | None
    found: TreeCount = field(init=False, factory=TreeCount)
    memories: PlayerMemories = field(init=False)
    seen: dict[int, set[int]] = field(init=False)
    _sums: dict[int, list[Any]] = field(init=False)  # of what endings are worth, by denominator
    _possible: list[tuple[int, JudgedProperty]] = field(init=False)  # looked at at every decision, and at the end
    _shares: list[tuple[int, JudgedProperty]] = field(init=False)  # at the end alone

    def __attrs_post_init__(self) -> None:
        self.memories = PlayerMemories(self.table)
        self.seen = {player: set() for player in range(1, self.table.players + 1)}
        known = [(1 << at, one) for at, one in enumerate(properties_of_some_games(self.table))]
        self._possible = [entry for entry in known if entry[1].declaration.share is None]
        self._shares = [entry for entry in known if entry[1].declaration.share is not None]
        self._sums = {1: [0] * (2 * len(self.seen) + 2 + len(known) + 2 * len(self.table.watches.figures))}

    def count_tree(self) -> TreeCount:
        S = self.table.new_slots()
        S[EVENTS], S[FIGURES] = None, self.table.watches.empty_figures()
        is_whole = self.count_history(S, self.memories.empty_memories(), 0, HistoryOdds())
        self.found.information_sets = {player: len(sets) for player, sets in self.seen.items()}
        if is_whole:
            self.combine_sums()
            self.found.expectation = compute_expectation(self.table, [Fraction(one) for one in self._sums[1]])
        return self.found

    def count_history(self, S: Slots, known: tuple[int, ...], depth: int, way: HistoryOdds) -> bool:
        """Counts what comes from here on; not when it is too much."""
        found, table = self.found, self.table
        if depth > MOST_DEPTH:
            raise fault("too-deep", message("this game's tree is too deep to count"), table.program.game.span)
        if self.most is not None and found.histories >= self.most:
            found.is_complete = False
            return False
        wait, known = self.memories.run_to_question(S, known)
        certain = 0
        while isinstance(wait, ChanceWait):
            certain += 1
            if certain > MOST_BY_CHANCE:
                raise endless_chance_fault(wait.node.span)
            outcomes = wait.outcomes(S)
            if len(outcomes) > 1:
                return self.count_chance(S, wait, outcomes, known, depth, way)
            wait.apply_answer(S, outcomes[0][0])
            wait, known = self.memories.run_to_question(S, known)
        found.max_depth = max(found.max_depth, depth)
        if isinstance(wait, TogetherWait):
            return self.count_together(S, wait, known, depth, way)
        if isinstance(wait, DecisionWait):
            return self.count_decision(S, wait, known, depth, way)
        found.terminals += 1
        self.count_ending(S, way)
        return True

    def count_chance(
        self,
        S: Slots,
        wait: ChanceWait,
        outcomes: list[tuple[Any, int]],
        known: tuple[int, ...],
        depth: int,
        way: HistoryOdds,
    ) -> bool:
        self.found.chance += 1
        total = wait.total_weight(S)
        for value, weight in outcomes:
            branch = S.copy()
            wait.apply_answer(branch, value)
            if not self.count_history(branch, known, depth + 1, way.multiply_odds(weight, total)):
                return False
        return True

    def count_decision(
        self, S: Slots, wait: DecisionWait, known: tuple[int, ...], depth: int, way: HistoryOdds
    ) -> bool:
        self.found.decisions += 1
        player, options = wait.chooser(S), S[OPTIONS]
        asked = self.memories.remember_options(known, options)
        choosers = (player,) if player else tuple(self.seen)
        for chooser in choosers:
            self.seen[chooser].add(asked[chooser - 1])
        following = self.odds_after_question(S, way).multiply_odds(1, len(options))
        for option in options:
            branch = S.copy()
            wait.apply_answer(branch, option)
            remembered = self.memories.remember_choice(known, asked, choosers, wait, option)
            if not self.count_history(branch, remembered, depth + 1, following):
                return False
        return True

    def count_together(
        self, S: Slots, wait: TogetherWait, known: tuple[int, ...], depth: int, way: HistoryOdds
    ) -> bool:
        """One node; its branches are the joint choices."""
        self.found.together += 1
        return all(
            self.count_history(branch, known_then, depth + 1, way_then)
            for branch, known_then, way_then in self.joint_choices(S, wait, known, way)
        )

    def joint_choices(
        self, S: Slots, wait: TogetherWait, known: tuple[int, ...], way: HistoryOdds
    ) -> list[tuple[Slots, tuple[int, ...], HistoryOdds]]:
        """Everyone's choices on the same position, put together seat by seat."""
        ways = [(S, known, way)]
        for number in range(len(S[wait.seats])):
            following = []
            for position, known_there, way_there in ways:
                following.extend(self.own_choices(position, wait, known, known_there, number, way_there))
            ways = following
        return ways

    def own_choices(
        self,
        S: Slots,
        wait: TogetherWait,
        known: tuple[int, ...],
        known_there: tuple[int, ...],
        number: int,
        way: HistoryOdds,
    ) -> list[tuple[Slots, tuple[int, ...], HistoryOdds]]:
        """The choices of one of them; each knows only what was known before all of them."""
        player, options = S[PLAYER], S[OPTIONS]
        asked = self.memories.remember_options(known, options)
        self.seen[player].add(asked[player - 1])
        after, following = self.odds_after_question(S, way).multiply_odds(1, len(options)), []
        for option in options:
            branch = S.copy()
            wait.apply_answer(branch, option)
            if number + 1 < len(S[wait.seats]):
                self.table.run_to_question(branch)
            following.append((branch, self.memories.remember_own_choice(known_there, asked, player, option), after))
        return following

    # ---- what is to be expected

    def odds_after_question(self, S: Slots, way: HistoryOdds) -> HistoryOdds:
        """Somebody chooses: properties are looked at."""
        happened = self.update_happened(S, way.happened, self._possible)
        return evolve(way, decisions=way.decisions + 1, happened=happened)

    def update_happened(self, S: Slots, happened: int, properties: list[tuple[int, JudgedProperty]]) -> int:
        for bit, one in properties:
            if not happened & bit and self.table.evaluate(one.code.run, S, one.declaration):
                happened |= bit
        return happened

    def count_ending(self, S: Slots, way: HistoryOdds) -> None:
        happened = self.update_happened(S, way.happened, self._possible + self._shares)
        own = self.ending_values(S, way.decisions, happened)
        sums = self._sums.get(way.total, [0] * len(own))
        self._sums[way.total] = [one + way.weight * value for one, value in zip(sums, own, strict=True)]
        if len(self._sums) > MANY_SUMS:
            self.combine_sums()

    def ending_values(self, S: Slots, decisions: int, happened: int) -> list[Any]:
        """Scores and shares of the win by seat, whether it is shared, decisions, whether each property was true,
        figures of the rules."""
        wins = win_values(self.table.players, self.table.bench.team_size, S[PLACES][0])
        titles = len(self._possible) + len(self._shares)
        return [*self.table.scoring.scores(S).values(), *wins, decisions,
                *(happened >> at & 1 for at in range(titles)), *S[FIGURES]]  # fmt: skip

    def combine_sums(self) -> None:
        """One sum of all."""
        columns = zip(*([Fraction(one) / total for one in sums] for total, sums in self._sums.items()), strict=True)
        self._sums = {1: [sum(column, Fraction(0)) for column in columns]}
