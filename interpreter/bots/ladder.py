"""Does thinking pay? Takes a table and pairs of bots, gives shares with intervals.

One bot of a kind sits among others of another kind; the same deal is played with it at each seat in turn. Where all
win or lose together the whole table is of one kind, and the scores of the same deals are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from time import monotonic, perf_counter

from attrs import define, field

from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.match import play_match
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.worth import Judge
from rulesrun.interpreter.random import Streams
from rulesrun.interpreter.shares import NORMAL_95, wilson
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import Fault

FEW = 10  # of so few scores the spread cannot be told


@define
class Timed:
    """A bot with a clock."""

    bot: Bot
    choices: int = 0
    seconds: float = 0.0

    @property
    def name(self) -> str:
        return self.bot.name

    @property
    def looks(self) -> bool:
        return self.bot.looks

    def choose(self, seen: Observation) -> int:
        began = perf_counter()
        index = self.bot.choose(seen)
        self.choices += 1
        self.seconds += perf_counter() - began
        return index


@define(eq=False)
class Rung:
    """One kind of player against another, and how it went."""

    player: Bot
    against: Bot
    wanted: int
    is_common: bool = False
    games: int = 0
    won: float = 0.0
    faults: int = 0
    seconds: float = 0.0
    choices: int = 0
    gains: list[float] = field(factory=list)  # where all win together: what the better score is better by

    @property
    def share(self) -> float:
        return self.won / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """95 %: of the share of games won (Wilson; a shared first place counts in part), or of the gain in points."""
        if not self.is_common:
            return wilson(self.won, self.games)
        if self.games < FEW:
            return float("-inf"), float("inf")
        mean = self.gain
        spread = sqrt(sum((one - mean) ** 2 for one in self.gains) / (self.games - 1))
        half = NORMAL_95 * spread / sqrt(self.games)
        return mean - half, mean + half

    @property
    def gain(self) -> float:
        return sum(self.gains) / len(self.gains) if self.gains else 0.0

    def verdict(self, players: int) -> str:
        low, high = self.interval
        fair = 0.0 if self.is_common else 1 / players
        return "better" if low > fair else "worse" if high < fair else "not known"


def climb(table: Table, rung: Rung, seed: int, until: float) -> None:
    """Plays the games of a rung; stops when the time is over, but not before one deal has been round the table."""
    rung.is_common = Judge(table).is_common
    timed = Timed(rung.player)
    player: Bot = timed if rung.player.looks else rung.player
    while rung.games < rung.wanted and (rung.games < table.players or monotonic() < until):
        deal, seat = divmod(rung.games + rung.faults, table.players)
        try:
            if rung.is_common:
                together(table, rung, player, seed, deal * table.players + seat)
            else:
                among(table, rung, player, seed, deal, seat)
        except Fault:
            rung.faults += 1
            if rung.faults > rung.wanted:
                return
            continue
        rung.games += 1
        rung.seconds, rung.choices = timed.seconds, timed.choices


def among(table: Table, rung: Rung, player: Bot, seed: int, deal: int, seat: int) -> None:
    bots: Sequence[Bot] = [player if at == seat else rung.against for at in range(table.players)]
    rung.won += play_match(table, bots, Streams(seed, deal)).share(seat + 1)


def together(table: Table, rung: Rung, player: Bot, seed: int, deal: int) -> None:
    sign = Judge(table).sign
    ours = play_match(table, [player] * table.players, Streams(seed, deal)).scores[0]
    theirs = play_match(table, [rung.against] * table.players, Streams(seed, deal)).scores[0]
    rung.gains.append(sign * float(ours - theirs))
