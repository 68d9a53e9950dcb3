"""Dead weight: a rulebook in, for each of its rules and components what changes without it, on the same deals."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, evolve, field

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import Reading
from rulesrun.interpreter.measure.duel import Duel
from rulesrun.interpreter.measure.estimates import FEWEST
from rulesrun.interpreter.measure.pairs import (
    Effect,
    PairTotals,
    compute_effects,
    merge_pairs,
    pairs_from_json,
    select_clear_effects,
)
from rulesrun.interpreter.measure.suspects import Suspect, find_suspects
from rulesrun.interpreter.measure.totals import Totals, merge_totals, totals_from_json
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.endless import ENDLESS, MAY_GO_ON, NOT_OVER, GoingOn
from rulesrun.run.engine_choice import QUICKLY, require_compiled
from rulesrun.run.measure_engines import try_compile_duel
from rulesrun.run.pair_ranges import WeighOrder, count_met_conditions, play_without
from rulesrun.run.ranges import Crew, CrewLost, Plain, Range, WorkOrder, make_order, play_range
from rulesrun.run.shared_work import ROUNDS, TimeShares, plan_rounds
from rulesrun.services.assess import WORK_A_SECOND, Assessment, weigh_choices
from rulesrun.services.measure import make_crew
from rulesrun.services.tables import seat_all
from rulesrun.services.unfinished_games import going_on_word
from rulesrun.terminal.output import print_error
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import DeadweightRequest

if TYPE_CHECKING:
    from rulesrun.run.cluster import ClusterCrew

SECONDS = 30
LOOKED = 6  # of the time, one part of so many goes into looking which conditions are ever met
GOOD = 4  # and one of so many at most into what good players do
LEAST_GOOD = 1.0  # seconds
GOOD_PLAYERS = "greedy"  # unless others are asked for
ENOUGH_GOOD = 200  # games
ENOUGH_LOOKED = 200  # when everything was met in them
SOME = 8  # games in a range that is looked at
TIMES_AS_LONG, FEWEST_DECISIONS = 10, 500  # a game so many times as long as usual is not over without the rule
RULE, LESS = 4, 1  # how much of the time one gets; less a component, and what was never met
SETTLED = {  # more deals would not say another thing
    "decided by options", "refused", "needed", MAY_GO_ON, ENDLESS, NOT_OVER, "effect",
}  # fmt: skip
CHOICES_PART = 0.3  # so much work more for what good players lose
WORK_A_GAME = 10_000.0  # the same, where a number of games is asked for
LONG = 8  # seconds; in a shorter time processes would hardly have started


@define(eq=False)
class WeighedRule:
    """One rule. `met`, `unmet`: games in which the condition was true, was false at some time."""

    suspect: Suspect
    met: int = 0
    unmet: int = 0
    pairs: PairTotals = field(factory=PairTotals)
    clear: list[Effect] = field(factory=list)
    going_on: GoingOn | None = None  # of games without the rule that were not over after very long
    refused: str = ""
    is_decided: bool = False  # by the options: then the options are what to ask about

    @property
    def is_never_met(self) -> bool:
        """It was never what it is not without the rule, and nothing has changed."""
        was_met = self.unmet if self.suspect.value else self.met
        is_same = not self.pairs.differing and self.pairs.stuck[0] == self.pairs.stuck[1]
        return self.suspect.is_condition and not was_met and is_same

    @property
    def stuck(self) -> tuple[int, int]:
        """Games with the rule and without it that got stuck; those that were only long have a word of their own."""
        return self.pairs.stuck[0] - self.pairs.long[0], self.pairs.stuck[1] - self.pairs.long[1]

    @property
    def verdict(self) -> str:
        if self.is_decided:
            return "decided by options"
        if self.refused:
            return "refused"
        if self.is_never_met:
            return "never met"
        pairs = self.pairs
        if not pairs.games:
            return "not played"
        if self.stuck[1] > self.stuck[0]:
            return "needed"
        if pairs.long[1] > pairs.long[0]:
            return going_on_word(self.going_on)
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
    weighed: list[WeighedRule] = field(factory=list)
    engine: str = "reference"
    pace: float = 0.0  # seconds of a deal by the reference
    seconds: float = 0.0
    is_partial: bool = False
    choices: Assessment | None = None  # what good players lose who do without an action, a value, a component

    @property
    def random_totals(self) -> Totals:
        """Of games as the rules are: of those that were looked at, or the ones set against games without some rule,
        if these are more and none was left out."""
        known = [self.totals, *(one.pairs.left for one in self.weighed if not any(one.pairs.stuck))]
        return max(known, key=lambda totals: totals.finished)

    @property
    def all_games(self) -> int:
        good = self.good.games if self.good is not self.totals else 0
        return self.games + good + sum(2 * one.pairs.games for one in self.weighed)


def job_count(request: DeadweightRequest) -> int:
    """All cores, where there is time enough for processes to start."""
    asked = request.jobs
    is_long = request.games is None and (request.seconds or SECONDS) >= LONG
    return asked or (os.cpu_count() or 1 if is_long else 1)


def weigh_all_rules(reading: Reading, request: DeadweightRequest) -> Weighing:
    with make_crew(request, job_count(request)) as crew:
        return weigh_rules(reading, request, crew)


def weigh_rules(reading: Reading, request: DeadweightRequest, crew: Crew | ClusterCrew) -> Weighing:
    """At the smallest table asked for. Ctrl-C leaves what is known by then."""
    assert reading.program is not None
    table = seat_all(reading, request).tables[0]
    found = Weighing(reading, table, weighed=[WeighedRule(one) for one in find_suspects(reading.program, table)])
    engine, seats, seed = request.engine or "auto", request.seats, request.seed
    if engine == "native":
        require_compilable(table, seats)
    side = make_order(reading, table, seed, seats, (), engine)
    progress = Progress(reading.name, not (request.json or request.quiet))
    began = monotonic()
    asked = request.games
    seconds = float("inf") if asked is not None else request.seconds or SECONDS
    try:
        watch_conditions(found, side, crew, began + seconds / LOOKED, asked, progress)
        threads = 1 if request.jobs or not isinstance(crew, Crew) or crew.jobs > 1 else os.cpu_count() or 1
        order = WeighOrder(side, asked, decision_limit(found.totals), found.pace, threads)
        turns = plan_rounds(lambda: time_weights(found), began + seconds, crew.jobs)
        play_without_each(found, order, crew, islice(turns, 1), progress)
        left = max((began + seconds - monotonic()) / 2, LEAST_GOOD)
        watch_good_players(found, side, crew, monotonic() + min(seconds / GOOD, left), asked)
        play_without_each(found, order, crew, turns, progress)
        if seats is None:
            work = asked * WORK_A_GAME if asked is not None else seconds * WORK_A_SECOND * CHOICES_PART
            found.choices = weigh_choices(reading, table, request, work)
    except KeyboardInterrupt:
        found.is_partial = True
    except CrewLost as lost:
        print_error(message("rulesrun: {lost}; what was played before is told", lost=lost))
        found.is_partial = True
    finally:
        progress.close()
        found.seconds = monotonic() - began
    return found


def require_compilable(table: Table, seats: str | None) -> None:
    """`--engine native` needs rules that can be compiled, and players at random."""
    reason = message("players that think need the reference engine")
    compiled = reason if seats is not None else try_compile_duel(Duel(table, table, 0), 1, QUICKLY)
    require_compiled(compiled)


def watch_conditions(
    found: Weighing, side: WorkOrder, crew: Crew | ClusterCrew, until: float, games: int | None, progress: Progress
) -> None:
    """Which conditions are ever true, ever false; how often everything is used. Until all were met, or time is over."""
    seconds, began = 0.0, monotonic()
    for _, amount, seen in crew.play_ranges(count_met_conditions, WeighOrder(side), split_games(games)):
        if not found.games:  # processes need some time to start
            until = max(until, monotonic() + (until - began) / 2)
        found.totals, found.games = merge_totals(found.totals, totals_from_json(seen["totals"])), found.games + amount
        for number, times in seen["true"]:
            found.weighed[number].met += times
        for number, times in seen["false"]:
            found.weighed[number].unmet += times
        for number in seen["decided"]:
            found.weighed[number].is_decided = True
        seconds += seen["seconds"]
        found.pace = 2 * seconds / found.games
        progress.update(found.games)
        is_all_met = not any(one.is_never_met for one in found.weighed if not one.is_decided)
        if monotonic() > until or (games is None and is_all_met and found.games >= ENOUGH_LOOKED):
            return


def split_games(games: int | None) -> Iterator[Range]:
    at = 0
    while games is None or at < games:
        amount = min(SOME if at else 1, SOME if games is None else games - at)
        yield at, amount
        at += amount


def watch_good_players(
    found: Weighing, side: WorkOrder, crew: Crew | ClusterCrew, until: float, games: int | None
) -> None:
    """What they do; a game of theirs may take seconds."""
    if side.seats is not None:
        found.good = found.totals
        return
    order = evolve(side, seats=GOOD_PLAYERS, engine="reference")
    most = ENOUGH_GOOD if games is None else min(games, ENOUGH_GOOD)
    for _, _, (totals, _, _) in crew.play_ranges(play_range, order, ((number, 1) for number in range(most))):
        found.good = merge_totals(found.good, totals_from_json(totals))
        if monotonic() > until:
            return


def decision_limit(totals: Totals) -> int:
    """The decisions after which a game without a rule is taken to go on for ever."""
    mean = totals.decisions // max(totals.games, 1)
    return min(max(TIMES_AS_LONG * mean, FEWEST_DECISIONS), MOST_DECISIONS)


def play_without_each(
    found: Weighing, order: WeighOrder, crew: Crew | ClusterCrew, all_turns: Iterable[TimeShares], progress: Progress
) -> None:
    """The same deals with each rule and without it; in every round, deals that were not played before."""
    looks = ROUNDS if order.deals is None else 1
    for turns in all_turns:
        played = tuple(one.pairs.games for one in found.weighed)
        for number, _, answer in crew.play_ranges(play_without, evolve(order, played=played), turns.time_slices()):
            turns.left.pop(number)
            note_answer(found, found.weighed[number], answer, looks)
            progress.update(len(found.weighed) - len(turns.left), len(found.weighed))


def time_weights(found: Weighing) -> dict[int, int]:
    """What part of the time each rule gets of which not all is said."""
    return {
        number: LESS if one.suspect.is_component or one.is_never_met else RULE
        for number, one in enumerate(found.weighed) if one.verdict not in SETTLED
    }  # fmt: skip


def note_answer(found: Weighing, one: WeighedRule, answer: Plain, looks: int) -> None:
    """`looks`: how often it is asked what is clear; no more is claimed by all of them together than by one."""
    if "refused" in answer:
        one.refused = answer["refused"]
        return
    one.pairs = merge_pairs(one.pairs, pairs_from_json(answer["pairs"]))
    if one.going_on is None and answer["going_on"] is not None:
        one.going_on = GoingOn(*answer["going_on"])
    if answer["engine"] == "native":
        found.engine = "native"
    if one.pairs.finished > 1:
        keys = [tuple(key) for key in answer["keys"]]
        telling = [key for key in keys if not one.suspect.is_said_by(key)]
        all_effects = compute_effects(one.pairs, telling, found.table.players)
        one.clear = select_clear_effects(all_effects)
        while one.clear and not one.clear[-1].is_clear(looks * (len(all_effects) - len(one.clear) + 1)):
            one.clear.pop()
