"""The book of a solved game: which page fits to what a player remembers, and how to choose there.

Takes a solution, gives what `bots.solution` plays by. A game is followed with positions of its own, from the answers
alone, so nobody else's position is touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from rulesrun.interpreter.model.values import EVENTS, OPTIONS, PC, PLAYER, Slots
from rulesrun.interpreter.play.player_memory import Known, PlayerMemories, is_asked_after_others
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.solve.backward_induction import BackwardInduction, Position, copy_after_answer
from rulesrun.interpreter.solve.game_tree import GameTreeBuilder


@define(eq=False)
class StrategyBook:
    """Of a game with hidden information: a page for each information set."""

    builder: GameTreeBuilder
    strategies: Sequence[Sequence[float]]

    def open(self) -> MemoryReader:
        return MemoryReader(self.builder.memories, self.builder.found)

    def shares_at(self, place: int) -> Sequence[float]:
        return self.strategies[place]


@define(eq=False)
class MemoryReader:
    """Keeps what every player remembers, as the builder of the tree does."""

    memories: PlayerMemories
    numbers: dict[tuple[int, int], int]
    slots: Slots = field(init=False)
    known: Known = field(init=False)
    joint: Known | None = field(init=False, default=None)
    asked: Known = field(init=False, default=())
    before: Known = field(init=False, default=())
    wait: Wait = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.slots, self.known = self.memories.table.new_slots(), self.memories.empty_memories()
        self.slots[EVENTS] = None
        self.run_to_question()

    def run_to_question(self) -> None:
        self.wait, self.known = self.memories.run_to_question(self.slots, self.known)
        wait = self.wait
        if isinstance(wait, DecisionWait):
            is_later = self.joint is not None and is_asked_after_others(wait, self.slots)
            self.before = self.joint if is_later and self.joint is not None else self.known
            self.asked = self.memories.remember_options(self.before, self.slots[OPTIONS])

    @property
    def place(self) -> int:
        assert isinstance(self.wait, DecisionWait)
        player = self.wait.chooser(self.slots)
        return self.numbers[player, self.asked[player - 1]]

    def note_answer(self, value: Any) -> None:
        S, wait = self.slots, self.wait
        if isinstance(wait, DecisionWait):
            if isinstance(wait, TogetherWait):
                self.known = self.memories.remember_own_choice(self.known, self.asked, S[PLAYER], value)
                self.joint = self.before
            else:
                player = wait.chooser(S)
                self.known = self.memories.remember_choice(self.known, self.asked, (player,), wait, value)
                self.joint = None
        else:
            assert isinstance(wait, ChanceWait)
            self.joint = self.joint if len(wait.outcomes(S)) == 1 else None
        wait.apply_answer(S, value)
        self.run_to_question()


@define(eq=False)
class PositionBook:
    """Of a game in which everything lies open: a page for each position."""

    solved: BackwardInduction
    _pages: list[Slots] = field(init=False, factory=list)
    _numbers: dict[Position, int] = field(init=False, factory=dict)
    _shares: dict[int, Sequence[float]] = field(init=False, factory=dict)

    def open(self) -> PositionReader:
        return PositionReader(self)

    def find_page(self, S: Slots) -> int:
        key = tuple(S[: len(self.solved.table.blank)])
        number = self._numbers.setdefault(key, len(self._pages))
        if number == len(self._pages):
            self._pages.append(S.copy())
        return number

    def shares_at(self, place: int) -> Sequence[float]:
        """All best options alike."""
        if place not in self._shares:
            S = self._pages[place]
            wait = self.solved.table.waits[S[PC]]
            assert isinstance(wait, DecisionWait)
            worths = [self.solved.compute_worths(copy_after_answer(S, wait, option))[wait.chooser(S) - 1]
                      for option in S[OPTIONS]]
            best = worths.count(max(worths))
            self._shares[place] = [(worth == max(worths)) / best for worth in worths]
        return self._shares[place]


@define(eq=False)
class PositionReader:
    book: PositionBook
    slots: Slots = field(init=False)
    wait: Wait = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.slots = self.book.solved.table.new_slots()
        self.slots[EVENTS] = None
        self.wait = self.book.solved.table.run_to_question(self.slots)

    @property
    def place(self) -> int:
        return self.book.find_page(self.slots)

    def note_answer(self, value: Any) -> None:
        assert isinstance(self.wait, DecisionWait | ChanceWait)
        self.wait.apply_answer(self.slots, value)
        self.wait = self.book.solved.table.run_to_question(self.slots)
