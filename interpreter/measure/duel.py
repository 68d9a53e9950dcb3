"""The same deals at two tables: takes both, gives the pairs of records of any range of games, added up."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

from attrs import define, evolve, field

from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.match import OutOfTime
from rulesrun.interpreter.measure.catalogue import list_figures
from rulesrun.interpreter.measure.declared_figures import Event, Key, declared_figure
from rulesrun.interpreter.measure.measured_game import GameMeasurer, make_option_lots
from rulesrun.interpreter.measure.pairs import PairTotals
from rulesrun.interpreter.measure.record import GameRecord
from rulesrun.interpreter.measure.work_units import WATCHED
from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.endless import GoingOn, judge_long_game

Bots = tuple[Bot, ...] | None


@define(eq=False)
class Duel:
    """`back`: the names of the right table as the left one has them, where only names differ; `watched`: of so many
    first deals it is looked whether the properties hold."""

    left: Table
    right: Table
    seed: int
    back: Mapping[str, str] = field(factory=dict)
    bots: tuple[Bots, Bots] = (None, None)
    watched: int = WATCHED
    pairs: PairTotals = field(init=False, factory=PairTotals)
    watchers: tuple[GameMeasurer, GameMeasurer] = field(init=False)
    guards: tuple[PropertyGuard, PropertyGuard] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.watchers = GameMeasurer(self.left, bots=self.bots[0]), GameMeasurer(self.right, bots=self.bots[1])
        self.watchers[0].lots, self.watchers[1].lots = (
            make_option_lots(self.left),
            make_option_lots(self.right, self.to_left_name),
        )
        self.guards = PropertyGuard(self.left), PropertyGuard(self.right)

    def play_deal(self, number: int) -> tuple[GameRecord, GameRecord]:
        """One deal, both ways; added to the pairs."""
        found = []
        for watcher, guard in zip(self.watchers, self.guards, strict=True):
            watcher.guard = guard if number < self.watched else None
            found.append(watcher.play_game(Streams(game_seed(self.seed, number)), number))
        left, right = found
        if self.back:
            right = evolve(right, values={self.to_left_key(key): value for key, value in right.values.items()})
        self.pairs.add_pair(left, right)
        return left, right

    def play_range(self, first: int, games: int) -> PairTotals:
        """The pairs of a range of deals alone."""
        kept, self.pairs = self.pairs, PairTotals()
        try:
            for number in range(first, first + games):
                self.play_deal(number)
            return self.pairs
        finally:
            self.pairs = kept

    def judge_long_game(self, side: int, patience: float) -> GoingOn | None:
        """Whether games of this side that were so long may go on for ever, or must: asked of the first of them, which
        is played again. Nothing where players think for longer than so many seconds."""
        number, watcher = self.pairs.first_long[side], self.watchers[side]
        if number is None:
            return None
        watcher.guard = None
        if watcher.bots is not None:
            watcher.until = monotonic() + patience
        try:
            watcher.play_game(Streams(game_seed(self.seed, number)), number)
        except OutOfTime:
            return None
        finally:
            watcher.until = float("inf")
        return None if watcher.stopped is None else judge_long_game(watcher.table, watcher.stopped)

    def to_left_name(self, text: str) -> str:
        """Also the parts of a component's name, `red-7`, and of `in PHASE`."""
        if not self.back:
            return text
        known = self.back.get(text)
        if known is not None:
            return known
        mark = "-" if "-" in text else " "
        return mark.join(self.back.get(part, part) for part in text.split(mark))

    def to_left_key(self, key: Key) -> Key:
        return (key[0], *(self.to_left_name(word) for word in key[1:]))

    def list_figures(self) -> list[Key]:
        """The figures of both, those of the left table first; of those that the rules declare, what both declare."""
        ours, theirs = list_figures(self.left), [self.to_left_key(key) for key in list_figures(self.right)]
        in_both = {*ours} & {*theirs}
        return [
            key for key in dict.fromkeys([*ours, *theirs])
            if declared_figure(key).event is not Event.MOMENT or key in in_both
        ]  # fmt: skip
