"""Who plays the games of a ladder: this process or several. Takes rungs, fills them; alike for any number of jobs."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from attrs import define, field, frozen

from rulesrun.files.checkpoints import KeptSums
from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.bot_names import bot_named
from rulesrun.interpreter.bots.deliberation import Think
from rulesrun.interpreter.bots.evaluation import Judge
from rulesrun.interpreter.bots.match import OutOfTime
from rulesrun.interpreter.measure.ladder import LONGEST_GAME, Outcome, Rung, climb, outcome
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.bot_engines import is_native, make_ready, think_at
from rulesrun.run.ranges import Crew, Order, table_of

CHUNK = 4  # games that a process is sent to play


@frozen
class Pair:
    """Two kinds of players by name, and the table at which they play."""

    order: Order
    player: str
    against: str
    engine: str
    until: float  # by the clock that all processes of a machine share
    longest: float


_known: dict[object, tuple[Table, Think]] = {}


def play_pair(pair: Pair, first: int, games: int) -> tuple[list[Outcome], bool]:
    """In another process: games by their numbers, fewer when one takes too long; whether machine code has thought."""
    key = pair.order.files, pair.order.players, repr(sorted(pair.order.options.items())), pair.engine
    if key not in _known:
        table = table_of(pair.order)
        _known[key] = (table, think_at(table, pair.engine))
        make_ready(_known[key][1])
    table, think = _known[key]
    player, against = (bot_named(table, name, think) for name in (pair.player, pair.against))
    found: list[Outcome] = []
    for number in range(first, first + games):
        last = max(pair.until, monotonic() + pair.longest)
        try:
            found.append(outcome(table, player, against, pair.order.seed, number, last))
        except OutOfTime:
            break
    return found, is_native(think)


@define(eq=False)
class Climbers:
    """Plays rung after rung; what does not fit into the time is left out."""

    table: Table
    order: Order
    engine: str
    crew: Crew
    kept: KeptSums
    has_compiled: bool = False
    longest: float = LONGEST_GAME  # once somebody has waited so long in vain, nobody waits again
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
            if climb(self.table, rung, self.order.seed, until, noted, self.longest):
                self.longest = 0.0
            return
        names = written(rung.player), written(rung.against)
        pair = Pair(self.order, *names, self.engine, until, self.longest)
        while rung.goes_on(self.table.players, until):
            last = rung.played + rung.wanted - rung.games
            ranges = [(at, min(CHUNK, last - at)) for at in range(rung.played, last, CHUNK)]
            for _, games, (outcomes, has_compiled) in self.crew.answers(play_pair, pair, ranges):
                self.has_compiled |= has_compiled
                for one in outcomes:
                    rung.note(one)
                noted()
                if len(outcomes) < games:
                    self.longest = 0.0
                    return
                if not rung.goes_on(self.table.players, until):
                    return


def written(bot: Bot) -> str:
    """As it is written on the command line."""
    return bot.name.replace("always ", "always:")
