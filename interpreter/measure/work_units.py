"""A unit of work: a range of numbers of games at one table. Plain data in, exact totals and rows out.

Whoever does the work, and in whatever parts, the totals of all ranges add up to the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Protocol

from attrs import define, field

from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.measure.common_random_numbers import OptionLots
from rulesrun.interpreter.measure.declared_figures import Key
from rulesrun.interpreter.measure.measured_game import GameMeasurer
from rulesrun.interpreter.measure.record import GameRecord
from rulesrun.interpreter.measure.totals import Totals
from rulesrun.interpreter.model.figure_terms import PARTS_OF_A_GAME
from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.reference.table import Table

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
