"""Dead weight: a rulebook in, for each of its rules and components what changes without it, on the same deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.arguments import Request
from rulesrun.interpreter.measuring.duel import Duel
from rulesrun.interpreter.measuring.estimates import FEWEST
from rulesrun.interpreter.measuring.fixed_conditions import Asked
from rulesrun.interpreter.measuring.paired import Effect, clear_effects, effects
from rulesrun.interpreter.measuring.suspects import Suspect, suspects
from rulesrun.interpreter.measuring.totals import Totals, from_plain, sum_of
from rulesrun.interpreter.measuring.watching import Watcher
from rulesrun.interpreter.play import MOST_DECISIONS
from rulesrun.interpreter.random import Streams, game_seed
from rulesrun.interpreter.table import Table, set_up
from rulesrun.interpreter.values import Fault, RefusedTable
from rulesrun.loading import Reading
from rulesrun.output import complain
from rulesrun.pairing import PairOrder, add_pairs, duel_of, parts
from rulesrun.progress import Progress
from rulesrun.ranges import Crew, CrewLost, order_of, play_range
from rulesrun.seats import bots_of
from rulesrun.tables import seat_all

if TYPE_CHECKING:
    from rulesrun.cluster import ClusterCrew

SECONDS = 30
LOOKED = 6  # of the time, one part of so many goes into looking which conditions are ever met
GOOD = 4  # and one of so many into what good players do
GOOD_PLAYERS = "greedy"  # unless others are asked for
ENOUGH_GOOD = 200  # games
ENDLESS, FEWEST_DECISIONS = 10, 500  # a game so many times as long as usual is not over without the rule
RULE, COMPONENT = 4, 1  # how much of the time one of them gets


@define(eq=False)
class Weighed:
    """One rule. `met`, `unmet`: games in which the condition was true, was false at some time."""

    suspect: Suspect
    met: int = 0
    unmet: int = 0
    duel: Duel | None = None
    clear: list[Effect] = field(factory=list)
    refused: str = ""
    is_decided: bool = False  # by the options: then the options are what to ask about

    @property
    def is_never_met(self) -> bool:
        """It was never what it is not without the rule: then nothing can change."""
        return self.suspect.is_condition and not (self.unmet if self.suspect.value else self.met)

    @property
    def verdict(self) -> str:
        if self.is_decided:
            return "decided by options"
        if self.refused:
            return "refused"
        if self.is_never_met:
            return "never met"
        if self.duel is None or not self.duel.pairs.games:
            return "not played"
        pairs = self.duel.pairs
        if pairs.stuck[1] > pairs.stuck[0]:
            return "needed"
        if pairs.finished < FEWEST:
            return "too few deals"
        if not pairs.differing:
            return "no difference"
        return "effect" if self.clear else "no measurable effect"


@define(eq=False)
class Weighing:
    reading: Reading
    table: Table
    games: int = 0  # in which it was looked what is met
    totals: Totals = field(factory=Totals)
    good: Totals = field(factory=Totals)  # of good players
    weighed: list[Weighed] = field(factory=list)
    seconds: float = 0.0
    is_partial: bool = False

    @property
    def all_games(self) -> int:
        good = self.good.games if self.good is not self.totals else 0
        return self.games + good + sum(2 * one.duel.pairs.games for one in self.weighed if one.duel is not None)


def weigh(reading: Reading, request: Request, crew: Crew | ClusterCrew) -> Weighing:
    """At the smallest table asked for. Ctrl-C leaves what is known by then."""
    assert reading.program is not None
    table = seat_all(reading, request).tables[0]
    found = Weighing(reading, table, weighed=[Weighed(one) for one in suspects(reading.program, table)])
    progress = Progress(reading.name, not (request.json or request.quiet))
    began = monotonic()
    asked = request.number("games")
    seconds = float("inf") if asked is not None else request.number("seconds") or SECONDS
    try:
        look(found, request, began + seconds / LOOKED, asked, progress)
        good_players(found, request, crew, monotonic() + seconds / GOOD, asked)
        for one, until in shares_of_time(found, began + seconds):
            without(found, one, request, crew, until, asked, progress)
    except KeyboardInterrupt:
        found.is_partial = True
    except CrewLost as lost:
        complain(f"rulesrun: {lost}; what was played before is told")
        found.is_partial = True
    finally:
        progress.close()
        found.seconds = monotonic() - began
    return found


def shares_of_time(found: Weighing, end: float) -> Iterator[tuple[Weighed, float]]:
    """What is still to be played, each with the moment when the next one's turn comes."""
    left = [one for one in found.weighed if not (one.is_never_met or one.is_decided)]
    weights = [COMPONENT if one.suspect.is_component else RULE for one in left]
    for at, one in enumerate(left):
        now = monotonic()
        if at and now > end:
            return
        yield one, now + max(end - now, 0.0) * weights[at] / sum(weights[at:])


def look(found: Weighing, request: Request, until: float, games: int | None, progress: Progress) -> None:
    """Which conditions are ever true, ever false; how often everything is used."""
    program = found.reading.program
    assert program is not None
    by_node = {id(one.suspect.node): one for one in found.weighed if one.suspect.is_condition}
    notes = Asked(set(by_node))
    table = set_up(program, found.table.players, found.table.options, notes)
    watcher = Watcher(table, bots=bots_of(request.text("seats"), table))
    seed = request.number("seed") or 0
    counts: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    while (games is None or found.games < games) and (found.games == 0 or monotonic() < until):
        notes.true.clear()
        notes.false.clear()
        found.totals.add(watcher.play(Streams(game_seed(seed, found.games)), found.games))
        counts[0].update(notes.true)
        counts[1].update(notes.false)
        found.games += 1
        progress.tell(found.games)
    for node, one in by_node.items():
        one.met, one.unmet, one.is_decided = counts[0][node], counts[1][node], node in notes.decided


def good_players(
    found: Weighing, request: Request, crew: Crew | ClusterCrew, until: float, games: int | None
) -> None:
    """What they do; a game of theirs may take seconds."""
    if request.text("seats") is not None:
        found.good = found.totals
        return
    order = order_of(found.reading, found.table, request.number("seed") or 0, GOOD_PLAYERS, ())
    most = ENOUGH_GOOD if games is None else min(games, ENOUGH_GOOD)
    for _, _, (totals, _, _) in crew.answers(play_range, order, ((number, 1) for number in range(most))):
        found.good = sum_of(found.good, from_plain(totals))
        if monotonic() > until:
            return


def without(
    found: Weighing, one: Weighed, request: Request, crew: Crew | ClusterCrew, until: float, games: int | None,
    progress: Progress,
) -> None:  # fmt: skip
    """The same deals with the rule and without it."""
    program, table = found.reading.program, found.table
    assert program is not None
    try:
        other = one.suspect.table(program, table.players, table.options)
    except (RefusedTable, Fault) as refusal:
        one.refused = str(refusal)
        return
    side = order_of(found.reading, table, request.number("seed") or 0, request.text("seats"), ())
    mean = found.totals.decisions // max(found.totals.games, 1)
    limit = min(max(ENDLESS * mean, FEWEST_DECISIONS), MOST_DECISIONS)
    order = PairOrder(side, side, without=found.weighed.index(one), limit=limit)
    duel = one.duel = duel_of(order, table, other)
    add_pairs(duel, parts(crew, order, duel, games), until, progress)
    if duel.pairs.finished > 1:
        one.clear = clear_effects(effects(duel.pairs, duel.keys(), table.players))
