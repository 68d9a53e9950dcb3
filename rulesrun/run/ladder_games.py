"""Who plays the games of a ladder: this process or several. Takes rungs, fills them; alike for any number of jobs."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from attrs import define, field, frozen

from rulesrun.files.checkpoints import KeptSums
from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.bot_names import find_bot
from rulesrun.interpreter.bots.deliberation import Think
from rulesrun.interpreter.bots.evaluation import Judge
from rulesrun.interpreter.bots.match import OutOfTime
from rulesrun.interpreter.measure.ladder import LONGEST_GAME, GameOutcome, Rung, play_numbered_game, play_rung
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.bot_engines import compile_think_now, has_thought_natively, make_think
from rulesrun.run.ranges import Crew, WorkOrder, set_up_ordered_table

CHUNK = 4  # games that a process is sent to play


@frozen
class LadderPair:
    """Two kinds of players by name, and the table at which they play."""

    order: WorkOrder
    player: str
    against: str
    engine: str
    until: float  # by the clock that all processes of a machine share
    longest: float


_known: dict[object, tuple[Table, Think]] = {}


def play_pair(pair: LadderPair, first: int, games: int) -> tuple[list[GameOutcome], bool]:
    """In another process: games by their numbers, fewer when one takes too long; whether machine code has thought."""
    key = pair.order.files, pair.order.players, repr(sorted(pair.order.options.items())), pair.engine
    if key not in _known:
        table = set_up_ordered_table(pair.order)
        _known[key] = (table, make_think(table, pair.engine))
        compile_think_now(_known[key][1])
    table, think = _known[key]
    player, against = (find_bot(table, name, think) for name in (pair.player, pair.against))
    found: list[GameOutcome] = []
    for number in range(first, first + games):
        last = max(pair.until, monotonic() + pair.longest)
        try:
            found.append(play_numbered_game(table, player, against, pair.order.seed, number, last))
        except OutOfTime:
            break
    return found, has_thought_natively(think)


@define(eq=False)
class LadderPlayer:
    """Plays rung after rung; what does not fit into the time is left out."""

    table: Table
    order: WorkOrder
    engine: str
    crew: Crew
    kept: KeptSums
    has_compiled: bool = False
    longest: float = LONGEST_GAME  # once somebody has waited so long in vain, nobody waits again
    in_points: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.in_points = Judge(self.table).in_points

    def play_rung(self, rung: Rung, until: float) -> None:
        """Goes on where an earlier run stopped."""
        name = f"{command_line_name(rung.player)} {command_line_name(rung.against)}"
        rung.in_points = self.in_points
        self.kept.read_sums(name, rung.resume_from)
        try:
            self._play_rung(rung, until, lambda: self.kept.note_sums(name, rung.to_json))
        finally:
            self.kept.note_sums(name, rung.to_json, now=True)

    def _play_rung(self, rung: Rung, until: float, noted: Callable[[], None]) -> None:
        if self.crew.jobs == 1:
            if play_rung(self.table, rung, self.order.seed, until, noted, self.longest):
                self.longest = 0.0
            return
        names = command_line_name(rung.player), command_line_name(rung.against)
        pair = LadderPair(self.order, *names, self.engine, until, self.longest)
        while rung.goes_on(self.table.players, until):
            last = rung.games_played + rung.wanted - rung.games
            ranges = [(at, min(CHUNK, last - at)) for at in range(rung.games_played, last, CHUNK)]
            for _, games, (outcomes, has_compiled) in self.crew.play_ranges(play_pair, pair, ranges):
                self.has_compiled |= has_compiled
                for one in outcomes:
                    rung.add_outcome(one)
                noted()
                if len(outcomes) < games:
                    self.longest = 0.0
                    return
                if not rung.goes_on(self.table.players, until):
                    return


def command_line_name(bot: Bot) -> str:
    """As it is written on the command line."""
    return bot.name.replace("always ", "always:")
