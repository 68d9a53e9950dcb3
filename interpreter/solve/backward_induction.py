"""Exact values where nothing is hidden: takes a table, goes through every position once, from the ends back.

A hidden pile is no secret as long as all else lies open: what is in it can be counted, its order is chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.values import EVENTS, OPTIONS, PC, Slots
from rulesrun.interpreter.play.visibility import can_see
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, TogetherWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.bounds import NoAnswer, SolvingBounds

MOST_POSITIONS = 250_000

Position = tuple[Any, ...]
Worths = tuple[Any, ...]  # by player, exact numbers unless somebody else says what an end is worth


Forbids = Callable[[int, OptionKey], bool]  # what a player may not choose, as long as there is anything else


def allowed_options(forbids: Forbids | None, player: int, options: Sequence[OptionKey]) -> tuple[OptionKey, ...]:
    left = () if forbids is None else tuple(option for option in options if not forbids(player, option))
    return left or tuple(options)


class HiddenInformation(Exception):
    """Something is hidden, or chosen at the same moment."""


@define
class ExpandedPosition:
    """A position on the way: whose choice it is (0: chance), how it goes on, and the odds."""

    key: Position
    whose: int
    options: tuple[OptionKey, ...]
    odds: tuple[Fraction, ...]
    following: list[Slots]
    worths: list[Worths] = field(factory=list)


@define(eq=False)
class BackwardInduction:
    table: Table
    bounds: SolvingBounds = field(factory=lambda: SolvingBounds(MOST_POSITIONS))
    ends: Callable[[Slots], Sequence[Any]] | None = None  # what an end is worth to each player, when not the score
    forbids: Forbids | None = None
    worth: dict[Position, Worths] = field(init=False, factory=dict)  # by player
    choices: int = field(init=False, default=0)
    first: ExpandedPosition | None = field(init=False, default=None)  # the first choice somebody has
    _hidden: list[tuple[int, list[int]]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        table = self.table
        if not has_open_information(table):
            raise HiddenInformation
        for kinds in table.bench.kinds.values():
            hidden = {
                room.base + number for room in table.bench.zones.values() for number in range(room.amount)
                if room.declaration.visibility in {"hidden", "public top"} and room.kinds is kinds
            }
            box = table.bench.boxes[id(kinds.declaration)]
            self._hidden.append((box, [slot for slot in all_zone_slots(table.bench, kinds) if slot in hidden]))

    def compute_worths(self, start: Slots | None = None) -> Worths:
        """What the game, or a position, is worth to every player when all play as well as they can."""
        S = self.table.new_slots() if start is None else start.copy()
        S[EVENTS] = None
        key = self.run_to_question(S)
        path, on_path = [], set()
        if key not in self.worth:
            path.append(self.expand_position(key, S))
            on_path.add(key)
        while path:
            top = path[-1]
            if len(top.worths) == len(top.following):
                self.worth[top.key] = self.combine_worths(top)
                on_path.discard(path.pop().key)
                continue
            following = top.following[len(top.worths)]
            after = self.run_to_question(following)
            if after in self.worth:
                top.worths.append(self.worth[after])
            elif after in on_path:
                raise NoAnswer(message("positions of this game can repeat, so the game has no value of its own"))
            else:
                path.append(self.expand_position(after, following))
                on_path.add(after)
        return self.worth[key]

    def run_to_question(self, S: Slots) -> Position:
        """The next question; the worth of an end is known at once."""
        wait = self.table.run_to_question(S)
        key = tuple(S[: len(self.table.blank)])
        if not isinstance(wait, DecisionWait | ChanceWait) and key not in self.worth:
            self.worth[key] = self.worth_at_end(S)
        return key

    def worth_at_end(self, S: Slots) -> Worths:
        if self.ends is not None:
            return tuple(self.ends(S))
        scores = tuple(Fraction(score) for score in self.table.scoring.scores(S).values())
        self.bounds.check_constant_sum(sum(scores))
        return scores

    def expand_position(self, key: Position, S: Slots) -> ExpandedPosition:
        self.bounds.check_size(len(self.worth))
        wait = self.table.waits[S[PC]]
        if isinstance(wait, ChanceWait):
            total = wait.total_weight(S)
            found = wait.outcomes(S)
            odds = tuple(Fraction(weight, total) for _, weight in found)
            return ExpandedPosition(key, 0, (), odds, [copy_after_answer(S, wait, value) for value, _ in found])
        assert isinstance(wait, DecisionWait)
        self.check_nothing_hidden(S)
        self.choices += 1
        options = allowed_options(self.forbids, wait.chooser(S), S[OPTIONS])
        opened = ExpandedPosition(
            key, wait.chooser(S), options, (), [copy_after_answer(S, wait, option) for option in options]
        )
        self.first = self.first or opened
        return opened

    def check_nothing_hidden(self, S: Slots) -> None:
        for box, hidden in self._hidden:
            filled = [slot for slot in hidden if S[slot]]
            if len(filled) + bool(S[box] and filled) > 1 or any(len(S[slot]) > 1 for slot in filled):
                raise HiddenInformation

    def values_by_starter(self) -> list[tuple[int, Fraction, Worths]]:
        """For each player who may have the first choice of all: how likely that is, and what the game is worth then.
        Asked when all positions have their worths."""
        S = self.table.new_slots()
        S[EVENTS] = None
        self.run_to_question(S)
        found: dict[int, list[tuple[Fraction, Worths]]] = {}
        left, most = [(S, Fraction(1))], len(self.worth)
        while left:
            S, chance = left.pop()
            most -= 1
            if most < 0:  # the ways to the first choice come together again: nobody follows each of them
                return []
            wait = self.table.waits[S[PC]]
            if isinstance(wait, ChanceWait):
                total = wait.total_weight(S)
                for value, weight in wait.outcomes(S):
                    following = copy_after_answer(S, wait, value)
                    self.run_to_question(following)
                    left.append((following, chance * Fraction(weight, total)))
            elif isinstance(wait, DecisionWait):
                worths = self.worth[tuple(S[: len(self.table.blank)])]
                found.setdefault(wait.chooser(S), []).append((chance, worths))
        return [(who, sum((chance for chance, _ in ways), Fraction(0)), mean_worths(ways))
                for who, ways in sorted(found.items())]

    def combine_worths(self, opened: ExpandedPosition) -> Worths:
        if opened.whose == 0:
            return tuple(
                sum(share * worth[at] for share, worth in zip(opened.odds, opened.worths, strict=True))
                for at in range(self.table.players)
            )
        return max(opened.worths, key=lambda worth: worth[opened.whose - 1])


def copy_after_answer(S: Slots, wait: ChanceWait | DecisionWait, value: Any) -> Slots:
    branch = S.copy()
    wait.apply_answer(branch, value)
    return branch


def mean_worths(ways: Sequence[tuple[Fraction, Worths]]) -> Worths:
    """What several ways are worth together, each as likely as it says."""
    total = sum(chance for chance, _ in ways)
    return tuple(sum(chance * one for (chance, _), one in zip(ways, column, strict=True)) / total
                 for column in zip(*(worths for _, worths in ways), strict=True))


def has_open_information(table: Table) -> bool:
    """Whether everybody sees everything, but for piles that may turn out to be no secret."""
    if any(isinstance(wait, TogetherWait) or (isinstance(wait, DecisionWait) and wait.is_team)
           for wait in table.waits.values()):
        return False
    if any(room.declaration.visibility in {"private", "seen by"} for room in table.bench.zones.values()):
        return False
    return all(can_see(room, number, 0) for room in table.bench.variables.values() for number in range(room.amount))
