"""The same deals at two tables: takes both, gives the pairs of records of any range of games, added up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import monotonic
from typing import Any, ClassVar, Protocol

from attrs import define, evolve, field

from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.match import OutOfTime
from rulesrun.interpreter.measure.catalogue import list_figures
from rulesrun.interpreter.measure.common_random_numbers import OptionLots
from rulesrun.interpreter.measure.declared_figures import Event, Key, declared_figure
from rulesrun.interpreter.measure.measured_game import GameMeasurer, make_option_lots
from rulesrun.interpreter.measure.pairs import PairTotals
from rulesrun.interpreter.measure.record import GameRecord
from rulesrun.interpreter.measure.totals import Totals
from rulesrun.interpreter.model.moments import PARTS_OF_A_GAME
from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.endless import GoingOn, judge_long_game

# ---- work units
# A unit of work: a range of numbers of games at one table. Plain data in, exact totals and rows out.
#
# Whoever does the work, and in whatever parts, the totals of all ranges add up to the same.


WATCHED = 200  # the first games of a table are watched for broken properties, too

Row = dict[str, Any]


class Measurer(Protocol):
    """Plays any range of games of one table with all statistics; whichever engine does, they come out the same.

    `rulesrun.run.engines.make_measurer` chooses the engine.
    """

    name: ClassVar[str]  # of the engine

    @property
    def table(self) -> Table: ...

    def records(self, first: int, games: int) -> Iterator[GameRecord]:
        """What every game showed, in order."""

    def totals(self, first: int, games: int) -> Totals:
        """The sums of all games."""

    def totals_and_rows(self, first: int, games: int, columns: list[str]) -> tuple[Totals, list[Row]]:
        """Those, and a row a game for a file."""


@define(eq=False)
class ReferenceMeasurer:
    """Plays any range of games of one table: the reference."""

    table: Table
    seed: int
    bots: tuple[Bot, ...] | None = None  # seat by seat; None: everybody plays at random
    lots: OptionLots | None = None  # for luck that is coupled with that of another table
    name: ClassVar[str] = "reference"
    _watcher: GameMeasurer = field(init=False)
    _guard: PropertyGuard = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._watcher, self._guard = GameMeasurer(self.table, bots=self.bots, lots=self.lots), PropertyGuard(self.table)

    def records(self, first: int, games: int) -> Iterator[GameRecord]:
        watcher = self._watcher
        for number in range(first, first + games):
            streams = Streams(game_seed(self.seed, number))
            watcher.guard = self._guard if number < WATCHED else None
            yield watcher.play_game(streams, number)

    def totals(self, first: int, games: int) -> Totals:
        totals = Totals()
        for record in self.records(first, games):
            totals.add_record(record)
        return totals

    def totals_and_rows(self, first: int, games: int, columns: list[str]) -> tuple[Totals, list[Row]]:
        totals, rows = Totals(), []
        for record in self.records(first, games):
            totals.add_record(record)
            rows.append(make_row(record, self.table, self.seed, columns))
        return totals, rows


NUMBERS: dict[str, Key] = {
    "decisions": ("length", "decisions"), "turns": ("length", "turns"), "rounds": ("length", "rounds"),
    "options": ("options",), "forced": ("forced",), "margin": ("margin",), "lead_changes": ("lead changes",),
    "settled": ("settled",),
}  # fmt: skip


def column_types(tables: list[Table]) -> dict[str, str]:
    """The columns of a file of games with their types; seats as many as the largest table has."""
    most, first = max(table.players for table in tables), tables[0]
    points = "float" if any(table.program.has_fractions for table in tables) else "int"
    found = {"players": "int", "game": "int", "seed": "int", "stuck": "text", "winners": "text", "result": "text"}
    found |= {name: "float" if name == "settled" else "int" for name in NUMBERS}
    for seat in range(1, most + 1):
        found |= {f"score_{seat}": points, f"place_{seat}": "int"}
    for action in first.bench.actions:
        found[f"action_{action.name.text}"] = "int"
    return found


def make_row(record: GameRecord, table: Table, seed: int, columns: list[str]) -> Row:
    """One game as one row; what a stuck game does not have is empty."""
    known: Row = {"players": table.players, "game": record.number, "seed": game_seed(seed, record.number)}
    known |= {"stuck": record.stuck, "decisions": record.decisions}
    if record.stuck is None:
        values = record.values
        known |= {name: values.get(key, 0) for name, key in NUMBERS.items()}
        known["settled"] = values.get(("settled",), 0) / PARTS_OF_A_GAME
        known["winners"] = " ".join(str(seat) for seat in record.places[0])
        known["result"] = record.result
        place = 1
        for group in record.places:
            for seat in group:
                known[f"place_{seat}"] = place
                known[f"score_{seat}"] = values.get(("score", str(seat)), 0)
            place += len(group)
        for name in columns:
            if name.startswith("action_"):
                known[name] = values.get(("action", name.removeprefix("action_")), 0)
    return {name: known.get(name) for name in columns}


# ---- duel


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
