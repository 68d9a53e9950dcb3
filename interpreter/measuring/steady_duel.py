"""The same deals at two tables, with figures that are steadied: a `Duel` and the weights of both sides.

Takes both tables and the weights; gives the pairs of a `Duel`, to which the sums of the steadied figures are added.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from rulesrun.interpreter.measuring.catalogue import catalogue
from rulesrun.interpreter.measuring.choices import ChoiceWatcher
from rulesrun.interpreter.measuring.duel import Duel
from rulesrun.interpreter.measuring.outlook import Outlook
from rulesrun.interpreter.measuring.pairs import Pairs, Steady
from rulesrun.interpreter.measuring.record import Key, Record
from rulesrun.interpreter.measuring.rehearsing import Rehearsal, nothing, seed_of_rehearsal
from rulesrun.interpreter.measuring.steadying import Weights, weights_of_both


@define(eq=False)
class SteadyDuel(Duel):
    weights: tuple[Weights, Weights] = field(kw_only=True)
    steadied: list[tuple[Key, Key]] = field(init=False)  # figures, as the left and as the right table calls them

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.watchers = self._watcher(0), self._watcher(1)
        figures = self.weights[1].figures
        own = {self.key(key): key for key in (*catalogue(self.right), *figures)}
        names = sorted({*self.weights[0].figures, *map(self.key, figures)})
        self.steadied = [(name, own.get(name, name)) for name in names]

    def _watcher(self, side: int) -> ChoiceWatcher:
        plain = self.watchers[side]
        table = plain.table
        return ChoiceWatcher(table, lots=plain.lots, outlook=Outlook(table), blur=self.weights[side].blur)

    def play(self, number: int) -> tuple[Record, Record]:
        left, right = super().play(number)
        if left.stuck is None and right.stuck is None:
            self.add_steady(self.pairs, left, right)
        return left, right

    def add_steady(self, pairs: Pairs, left: Record, right: Record) -> None:
        """Of the deal that was played last; both records have the left table's names."""
        ours, theirs = self.watchers
        assert isinstance(ours, ChoiceWatcher)
        assert isinstance(theirs, ChoiceWatcher)
        for name, own in self.steadied:
            values = {own: right.values.get(name, 0)}
            one = self.weights[0].steadied(name, (left.values, ours.choices.row))
            other = self.weights[1].steadied(own, (values, theirs.choices.row))
            pairs.steady.setdefault(name, Steady()).add(one, other)

    def plain(self) -> Duel:
        """Without steadying."""
        found = Duel(self.left, self.right, self.seed, self.back)
        for watcher, own in zip(found.watchers, self.watchers, strict=True):
            watcher.limit = own.limit
        return found


def rehearsals(duel: Duel, tell: Callable[[], None] = nothing) -> tuple[Rehearsal, Rehearsal]:
    """The players of games for the weights of either side: the same deals."""
    seed = seed_of_rehearsal(duel.seed)
    found = []
    for watcher in duel.watchers:
        assert watcher.lots is not None
        found.append(Rehearsal(watcher.table, watcher.lots, seed, tell))
    return found[0], found[1]


def weights_by_reference(duel: Duel, tell: Callable[[], None] = nothing) -> tuple[Weights, Weights]:
    return weights_of_both(*rehearsals(duel, tell), duel.key)
