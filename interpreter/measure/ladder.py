"""Does thinking pay? Takes a table and pairs of bots, gives shares with intervals.

One bot of a kind sits among others of another kind; the same deal is played with it at each seat in turn. Where
players play for points, those are counted. Where all win or lose together the whole table is of one kind, and the
scores of the same deals are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, sqrt
from time import monotonic, perf_counter
from typing import Any

from attrs import define, field, frozen

from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.evaluation import Judge
from rulesrun.interpreter.bots.match import NotOver, OutOfTime, play_match
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.measure.estimates import TOLERANCE
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.properties import NORMAL_95, wilson_interval
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.endless import GoingOn, judge_long_game

FEW = 10  # fewer games say nothing
MOST_TO_KNOW = 1_000_000  # an edge that asks for more games is none
LONGEST_GAME = 20.0  # seconds, where no time is left
PLAYED: Mapping[str, Callable[[Any], Any]] = {
    "games": int, "won": float, "faults": int, "seconds": float, "choices": int, "gains": list, "long": int,
    "ends": int, "positions": int,
}  # fmt: skip
"""What is known of the games of a rung."""


@define
class TimedBot:
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

    @property
    def listens(self) -> bool:
        return self.bot.listens

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
    in_points: bool = False  # what is won is counted in points
    games: int = 0
    won: float = 0.0
    faults: int = 0  # games that did not come to their end, whyever
    long: int = 0  # of these: stopped because they were so long
    ends: int = -1  # what is known of the first of them, as in `GoingOn`; -1: nothing
    positions: int = -1
    seconds: float = 0.0
    choices: int = 0
    gains: list[float] = field(factory=list)  # what the better score is better by, or points won

    @property
    def share(self) -> float:
        return self.won / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """95 %: of the share of games won (Wilson; a shared first place counts in part), or of the gain in points."""
        if not self.in_points:
            return wilson_interval(self.won, self.games)
        if self.games < FEW:
            return float("-inf"), float("inf")
        mean = self.gain
        spread = sqrt(sum((one - mean) ** 2 for one in self.gains) / (self.games - 1))
        half = NORMAL_95 * spread / sqrt(self.games)
        return mean - half, mean + half

    @property
    def gain(self) -> float:
        return sum(self.gains) / len(self.gains) if self.gains else 0.0

    @property
    def games_played(self) -> int:
        return self.games + self.faults

    @property
    def is_done(self) -> bool:
        """A game that gets stuck is played another time, but not for ever, and not where no game comes to its end."""
        return self.games >= self.wanted or self.faults > self.wanted or self.is_hopeless

    @property
    def is_hopeless(self) -> bool:
        return not self.games and self.faults >= FEW

    def goes_on(self, players: int, until: float) -> bool:
        """Until the time is over; one deal goes round the table, however long that takes."""
        return not self.is_done and (self.games_played < players or monotonic() < until)

    def add_outcome(self, one: GameOutcome) -> None:
        """Games are noted in the order of their numbers; what is too many is left out."""
        if self.is_done:
            return
        self.seconds, self.choices = self.seconds + one.seconds, self.choices + one.choices
        if one.worth is None:
            self.faults += 1
            if one.going_on is not None:
                self.note_long(one.going_on)
            return
        self.games += 1
        if self.in_points:
            self.gains.append(one.worth)
        else:
            self.won += one.worth

    def note_long(self, found: GoingOn) -> None:
        self.long += 1
        if self.long == 1:
            self.ends, self.positions = found.ends, -1 if found.positions is None else found.positions

    @property
    def going_on(self) -> GoingOn | None:
        """What is known of games that were not over after very long."""
        if self.ends < 0:
            return None
        return GoingOn(self.ends, None if self.positions < 0 else self.positions)

    @property
    def stuck(self) -> int:
        return self.faults - self.long

    def verdict(self, teams: int) -> str:
        """Alike is what nobody would notice; of points nobody says what that is. Of so few games nothing is known,
        however they went: all three won in three come by chance too."""
        low, high = self.interval
        if self.games < FEW:
            return "not known"
        fair = 0.0 if self.in_points else 1 / teams
        if low > fair or high < fair:
            return "better" if low > fair else "worse"
        is_alike = not self.in_points and fair - TOLERANCE <= low and high <= fair + TOLERANCE
        return "alike" if is_alike else "not known"

    def games_to_know(self, teams: int) -> int | None:
        """In how many games in all the edge seen so far would be clear; None: nobody is seen to be better.

        An interval of Wilson leaves the fair share out when the edge is more standard errors of a fair game than it
        asks for; one of a mean leaves nothing out when the mean is as many of its own.
        """
        if not self.games or (self.in_points and self.games < FEW):
            return None
        if self.in_points:
            edge, low = self.gain, self.interval[0]
            spread = (edge - low) * sqrt(self.games)
        else:
            fair = 1 / teams
            edge, spread = self.share - fair, NORMAL_95 * sqrt(fair * (1 - fair))
        if abs(edge) * sqrt(MOST_TO_KNOW) < spread:
            return None
        return max(ceil((spread / edge) ** 2), self.games + 1, FEW)

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in PLAYED}

    def resume_from(self, played: Mapping[str, Any]) -> None:
        """The games of an earlier run."""
        for name, kind in PLAYED.items():
            setattr(self, name, kind(played.get(name, getattr(self, name))))


@frozen
class GameOutcome:
    """Of one game: the share of the first place, or what the better score is better by, or the points won; nothing when
    it got stuck or was not over after very long. Then `going_on` says whether it may go on, or must."""

    worth: float | None
    choices: int = 0
    seconds: float = 0.0
    going_on: GoingOn | None = None


def play_numbered_game(
    table: Table, player: Bot, against: Bot, seed: int, number: int, until: float = float("inf")
) -> GameOutcome:
    """The game of this number: it hangs on nothing else, so any split gives the same. Raises OutOfTime."""
    timed = TimedBot(player)
    watched: Bot = timed if player.looks else player
    deal, seat = divmod(number, table.players)
    try:
        if Judge(table).is_common:
            worth = compare_whole_tables(table, watched, against, Streams(seed, number), until)
        else:
            worth = play_among_others(table, watched, against, Streams(seed, deal), seat, until)
    except NotOver as problem:
        return GameOutcome(None, going_on=judge_long_game(table, problem.state))
    except Fault:
        return GameOutcome(None)
    return GameOutcome(worth, timed.choices, timed.seconds)


def play_rung(
    table: Table, rung: Rung, seed: int, until: float, noted: Callable[[], None] | None = None,
    longest: float = LONGEST_GAME,
) -> bool:  # fmt: skip
    """Plays the games of a rung; stops when the time is over, but not before one deal has been round the table: for
    that a game may take so long. Gives whether one would have taken longer."""
    rung.in_points = Judge(table).in_points
    while rung.goes_on(table.players, until):
        last = max(until, monotonic() + longest)
        try:
            rung.add_outcome(play_numbered_game(table, rung.player, rung.against, seed, rung.games_played, last))
        except OutOfTime:
            return True
        if noted is not None:
            noted()
    return False


def play_among_others(table: Table, player: Bot, against: Bot, streams: Streams, seat: int, until: float) -> float:
    bots: Sequence[Bot] = [player if at == seat else against for at in range(table.players)]
    found, judge = play_match(table, bots, streams, until=until), Judge(table)
    return judge.sign * float(found.scores[seat]) if judge.has_stakes else found.win_share(seat + 1)


def compare_whole_tables(table: Table, player: Bot, against: Bot, streams: Streams, until: float) -> float:
    same = Streams(streams.seed, streams.game)
    ours = play_match(table, [player] * table.players, streams, until=until).scores[0]
    theirs = play_match(table, [against] * table.players, same, until=until).scores[0]
    return Judge(table).sign * float(ours - theirs)
