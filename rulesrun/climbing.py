"""Who plays the games of a ladder: this process or several. Takes rungs, fills them; alike for any number of jobs."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from attrs import define, field, frozen

from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.ladder import Outcome, Rung, climb, outcome
from rulesrun.interpreter.bots.seats import bot_named
from rulesrun.interpreter.bots.thought import Think
from rulesrun.interpreter.bots.worth import Judge
from rulesrun.interpreter.table import Table
from rulesrun.kept_sums import KeptSums
from rulesrun.minds import is_native, make_ready, think_at
from rulesrun.ranges import Crew, Order, table_of

CHUNK = 4  # games that a process is sent to play


@frozen
class Pair:
    """Two kinds of players by name, and the table at which they play."""

    order: Order
    player: str
    against: str
    engine: str


_known: dict[object, tuple[Table, Think]] = {}


def play_pair(pair: Pair, first: int, games: int) -> tuple[list[Outcome], bool]:
    """In another process: games by their numbers; and whether machine code has thought."""
    key = pair.order.files, pair.order.players, repr(sorted(pair.order.options.items())), pair.engine
    if key not in _known:
        table = table_of(pair.order)
        _known[key] = (table, think_at(table, pair.engine))
        make_ready(_known[key][1])
    table, think = _known[key]
    player, against = (bot_named(table, name, think) for name in (pair.player, pair.against))
    numbers = range(first, first + games)
    return [outcome(table, player, against, pair.order.seed, number) for number in numbers], is_native(think)


@define(eq=False)
class Climbers:
    """Plays rung after rung; what does not fit into the time is left out."""

    table: Table
    order: Order
    engine: str
    crew: Crew
    kept: KeptSums
    has_compiled: bool = False
    is_common: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.is_common = Judge(self.table).is_common

    def climb(self, rung: Rung, until: float) -> None:
        """Goes on where an earlier run stopped."""
        name = f"{written(rung.player)} {written(rung.against)}"
        rung.is_common = self.is_common
        self.kept.known(name, rung.go_on_from)
        try:
            self._climb(rung, until, lambda: self.kept.note(name, rung.to_plain))
        finally:
            self.kept.note(name, rung.to_plain, now=True)

    def _climb(self, rung: Rung, until: float, noted: Callable[[], None]) -> None:
        if self.crew.jobs == 1:
            climb(self.table, rung, self.order.seed, until, noted)
            return
        pair = Pair(self.order, written(rung.player), written(rung.against), self.engine)
        while not rung.is_done and (rung.games < self.table.players or monotonic() < until):
            last = rung.played + rung.wanted - rung.games
            ranges = [(at, min(CHUNK, last - at)) for at in range(rung.played, last, CHUNK)]
            for _, _, (outcomes, has_compiled) in self.crew.answers(play_pair, pair, ranges):
                self.has_compiled |= has_compiled
                for one in outcomes:
                    rung.note(one)
                noted()
                if rung.is_done or (monotonic() >= until and rung.games >= self.table.players):
                    return


def written(bot: Bot) -> str:
    """As it is written on the command line."""
    return bot.name.replace("always ", "always:")
