"""Games that are told nowhere, for weights to be found on: their deals are other deals than those that are told.

Takes a table and the luck it shares with another, gives records with the luck of their choices: the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import define, field

from rulesrun.interpreter.measuring.choices import ChoiceWatcher, Row
from rulesrun.interpreter.measuring.luck import OptionLots
from rulesrun.interpreter.measuring.outlook import Blur, Outlook
from rulesrun.interpreter.measuring.record import Record
from rulesrun.interpreter.measuring.steadying import Game
from rulesrun.interpreter.random import JSON_SAFE, MASK, Streams, game_seed, mix
from rulesrun.interpreter.table import Table


def nothing() -> None:
    """Nobody wants to know."""


@define(eq=False)
class Rehearsal:
    """A player of measured games with the luck of their choices."""

    table: Table
    lots: OptionLots
    seed: int
    tell: Callable[[], None] = nothing  # after each game
    outlook: Outlook = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.outlook = Outlook(self.table)

    def play(self, blur: Blur, first: int, games: int) -> Iterator[tuple[Record, Row]]:
        watcher = ChoiceWatcher(self.table, lots=self.lots, outlook=self.outlook, blur=blur)
        for number in range(first, first + games):
            record = watcher.play(Streams(game_seed(self.seed, number)), number)
            yield record, watcher.choices.row

    def games(self, blur: Blur, games: int) -> list[Game | None]:
        """None where a game got stuck."""
        return list(told(self.play(blur, 0, games), self.tell))


def told(played: Iterable[tuple[Record, Row]], tell: Callable[[], None]) -> Iterator[Game | None]:
    for record, row in played:
        tell()
        yield None if record.stuck is not None else (record.values, row)


def seed_of_rehearsal(seed: int) -> int:
    """Its games are none of those that the seed itself gives."""
    return mix(mix(seed & MASK) ^ MASK) & JSON_SAFE
