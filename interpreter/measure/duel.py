"""The same deals at two tables: takes both, gives the pairs of records of any range of games, added up."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

from attrs import define, evolve, field

from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.match import OutOfTime
from rulesrun.interpreter.measure.catalogue import catalogue
from rulesrun.interpreter.measure.measured_game import Watcher, lots_of
from rulesrun.interpreter.measure.pairs import Pairs
from rulesrun.interpreter.measure.record import Key, Record
from rulesrun.interpreter.measure.work_units import WATCHED
from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.play.properties import Guard
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
    pairs: Pairs = field(init=False, factory=Pairs)
    watchers: tuple[Watcher, Watcher] = field(init=False)
    guards: tuple[Guard, Guard] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.watchers = Watcher(self.left, bots=self.bots[0]), Watcher(self.right, bots=self.bots[1])
        self.watchers[0].lots, self.watchers[1].lots = lots_of(self.left), lots_of(self.right, self.renamed)
        self.guards = Guard(self.left), Guard(self.right)

    def play(self, number: int) -> tuple[Record, Record]:
        """One deal, both ways; added to the pairs."""
        found = []
        for watcher, guard in zip(self.watchers, self.guards, strict=True):
            watcher.guard = guard if number < self.watched else None
            found.append(watcher.play(Streams(game_seed(self.seed, number)), number))
        left, right = found
        if self.back:
            right = evolve(right, values={self.key(key): value for key, value in right.values.items()})
        self.pairs.add(left, right)
        return left, right

    def range(self, first: int, games: int) -> Pairs:
        """The pairs of a range of deals alone."""
        kept, self.pairs = self.pairs, Pairs()
        try:
            for number in range(first, first + games):
                self.play(number)
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
            watcher.play(Streams(game_seed(self.seed, number)), number)
        except OutOfTime:
            return None
        finally:
            watcher.until = float("inf")
        return None if watcher.stopped is None else judge_long_game(watcher.table, watcher.stopped)

    def renamed(self, text: str) -> str:
        """Also the parts of a component's name, `red-7`, and of `in PHASE`."""
        if not self.back:
            return text
        known = self.back.get(text)
        if known is not None:
            return known
        mark = "-" if "-" in text else " "
        return mark.join(self.back.get(part, part) for part in text.split(mark))

    def key(self, key: Key) -> Key:
        return (key[0], *(self.renamed(word) for word in key[1:]))

    def keys(self) -> list[Key]:
        """The figures of both, those of the left table first."""
        return list(dict.fromkeys([*catalogue(self.left), *(self.key(key) for key in catalogue(self.right))]))
