"""Pairs of games with steadied figures in machine code: the sums of a `SteadyDuel`, to the last digit.

Plain figures are those of a `NativeDuel`; beside it each deal is played again, with the luck of its choices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

import numpy
from attrs import define, field

from rulesrun.interpreter.measuring.choices import UNIT
from rulesrun.interpreter.measuring.duel import Duel
from rulesrun.interpreter.measuring.pairs import Pairs, Steady
from rulesrun.interpreter.measuring.record import Key
from rulesrun.interpreter.measuring.rehearsing import Rehearsal, nothing
from rulesrun.interpreter.measuring.steady_duel import SteadyDuel, rehearsals
from rulesrun.interpreter.measuring.steadying import COARSER, WEIGHT, Weights, weights_of_both
from rulesrun.interpreter.native.engine import Engine
from rulesrun.interpreter.native.machine_code import Cache
from rulesrun.interpreter.native.rehearsing_natively import Machines, NativeRehearsal, machines_for
from rulesrun.interpreter.native.statistics import shared
from rulesrun.interpreter.native.statistics_pairs import NativeDuel, native_duel

AT_ONCE = 64  # deals
SHIFT = COARSER.bit_length() - 1


@define(eq=False)
class SteadySide:
    """One of the two tables; `keys`: the steadied figures as it calls them."""

    rehearsal: NativeRehearsal
    weights: Weights
    keys: list[Key]
    _columns: list[int] = field(init=False)  # of the figures; -1: no game has it
    _places: Any = field(init=False)  # of the numbers of luck that are needed
    _weights: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        figures, width = self.rehearsal.worker.form.figures.keys, self.rehearsal.outlook.width
        self._columns = [figures.get(key, -1) for key in self.keys]
        own = [self.weights.figures.get(key, {}) for key in self.keys]
        places = sorted({place for one in own for place in one})
        self._places = numpy.array([at * width + step for at, step in places], dtype=numpy.int64)
        weights = [[one.get(place, 0) for one in own] for place in places]
        self._weights = numpy.array(weights, dtype=numpy.int64).reshape(len(places), len(self.keys))

    def begin(self) -> None:
        self.rehearsal.blur(self.weights.blur)

    def row(self, number: int) -> tuple[Any, Any] | None:
        found = self.rehearsal.numbers_of(number)
        if found is None:
            return None
        figures, luck = found
        values = [int(figures[at]) if at >= 0 else 0 for at in self._columns]
        return values, luck.reshape(-1)[self._places]

    def steadied(self, rows: list[tuple[Any, Any]]) -> Any:
        """A row a game. What is too large on the way comes back in the end: words go round."""
        values = numpy.array([one for one, _ in rows], dtype=numpy.int64)
        luck = numpy.array([one for _, one in rows], dtype=numpy.int64).reshape(len(rows), len(self._places))
        return (values * (UNIT * WEIGHT) - luck @ self._weights) >> SHIFT


@define(eq=False)
class SteadyNativeDuel(NativeDuel):
    """Plays ranges of deals as `SteadyDuel.range` does; `duel` plays plainly, where the machine cannot."""

    steady: SteadyDuel = field(kw_only=True)
    sides: list[tuple[SteadySide, SteadySide]] = field(kw_only=True)  # a pair a thread
    _turn: Any = field(init=False, factory=Lock)  # the reference plays one deal at a time

    def range(self, first: int, games: int) -> Pairs:
        found = super().range(first, games)
        shares = shared(first, games, len(self.sides))
        if len(shares) == 1:
            parts = [self.share(self.sides[0], first, games)]
        else:
            with ThreadPoolExecutor(len(shares)) as pool:
                both = zip(self.sides, shares, strict=False)
                tasks = [pool.submit(self.share, sides, *share) for sides, share in both]
                parts = [task.result() for task in tasks]
        for part in parts:
            found.merge(part)
        return found

    def share(self, sides: tuple[SteadySide, SteadySide], first: int, games: int) -> Pairs:
        """The steadied sums alone, of what one thread plays."""
        found = Pairs()
        for side in sides:
            side.begin()
        for at in numbers_from(first, games, AT_ONCE):
            self.add(found, sides, at, min(AT_ONCE, first + games - at))
        return found

    def add(self, found: Pairs, sides: tuple[SteadySide, SteadySide], first: int, games: int) -> None:
        rows = []
        for number in numbers_from(first, games):
            left, right = sides[0].row(number), sides[1].row(number)
            if left is None or right is None:
                with self._turn:
                    found.merge(Pairs(steady=self.steady.range(number, 1).steady))
            else:
                rows.append((left, right))
        if not rows:
            return
        ours, theirs = (side.steadied([row[at] for row in rows]) for at, side in enumerate(sides))
        for at, (name, _) in enumerate(self.steady.steadied):
            own, others = ours[:, at].tolist(), theirs[:, at].tolist()
            steady = found.steady.setdefault(name, Steady())
            for one, other in zip(own, others, strict=True):
                steady.add(one, other)


def numbers_from(first: int, games: int, step: int = 1) -> Sequence[int]:
    return range(first, first + games, step)


def steady_native_duel(
    duel: SteadyDuel, jobs: int = 1, cache: Cache | None = None, care: int = 2, left: Engine | None = None
) -> SteadyNativeDuel:
    """Raises `CannotCompile` with the reason when it cannot be."""
    plain = native_duel(duel.plain(), jobs, cache, care, left)
    machines = machines_of(duel, cache)
    keys = [name for name, _ in duel.steadied], [own for _, own in duel.steadied]
    threads = []
    for _ in range(jobs):
        players = [Rehearsal(watcher.table, watcher.lots, duel.seed) for watcher in duel.watchers if watcher.lots]
        one, other = (
            SteadySide(NativeRehearsal(player, made), weights, own)
            for player, made, weights, own in zip(players, machines, duel.weights, keys, strict=True)
        )
        threads.append((one, other))
    return SteadyNativeDuel(plain.duel, plain.threads, steady=duel, sides=threads)


def machines_of(duel: Duel, cache: Cache | None = None) -> tuple[Machines, Machines]:
    left, right = (machines_for(rehearsal, cache) for rehearsal in rehearsals(duel))
    return left, right


def weights_natively(
    duel: Duel, cache: Cache | None = None, tell: Callable[[], None] = nothing
) -> tuple[Weights, Weights]:
    """Those of the reference; raises `CannotCompile` with the reason when it cannot be."""
    players = zip(rehearsals(duel, tell), machines_of(duel, cache), strict=True)
    left, right = (NativeRehearsal(rehearsal, made) for rehearsal, made in players)
    return weights_of_both(left, right, duel.key)
