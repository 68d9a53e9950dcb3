"""All that one section of the page tells of: a reading and a request in, verdicts, figures and comparisons out."""

from __future__ import annotations

import os
import shlex
from contextlib import suppress
from time import monotonic
from typing import Any

from attrs import define, field

from rulesrun.examine.examination import examined
from rulesrun.files.checkpoints import KeptSums
from rulesrun.files.loading import Reading
from rulesrun.interpreter.bots.bot import Bot, RandomBot
from rulesrun.interpreter.measure.course import ActionCourse, measure_course
from rulesrun.interpreter.measure.ladder import LONGEST_GAME, Rung, play_rung
from rulesrun.interpreter.measure.measured_game import GameMeasurer
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.bounds import NoAnswer
from rulesrun.interpreter.solve.solve import Solution, solve_game
from rulesrun.run.engine_choice import is_compiler_installed
from rulesrun.run.ranges import Crew
from rulesrun.run.seats import make_bots
from rulesrun.services.assess import WORK_A_SECOND, Assessment, assess_rules
from rulesrun.services.compare import Comparison, compare_rulebooks
from rulesrun.services.deadweight import Weighing, weigh_rules
from rulesrun.services.measure import MeasuredFile, MeasuredTable, measure_rules
from rulesrun.services.reports import FileReport
from rulesrun.terminal.requests import (
    AssessRequest,
    CompareRequest,
    DeadweightRequest,
    ReportRequest,
    RunRequest,
    SimulateRequest,
)
from rulesrun.terminal.trouble import Trouble

# ---- probing
# What a page tells beyond single games: who beats whom, dead weight, the exact answer. A reading and seconds in.


GAMES = 40  # of players that think, one kind against another
HABIT_GAMES = 200
SEARCH = "mcts:50"
SOLVING_SECONDS = 2.0
WITHIN = 0.02  # the equilibrium of a page: a best response wins no more
MOST_HABITS = 6
SKILL, WEIGHT = 0.3, 0.7  # parts of the time
LONG_PROBING = 4  # seconds; in a shorter time processes would hardly have started


@define(eq=False)
class ProbeResult:
    """At one table, the smallest of two players or more."""

    table: Table
    thinking: list[Rung] = field(factory=list)
    personas: list[Rung] = field(factory=list)
    habits: list[Rung] = field(factory=list)
    weighing: Weighing | None = None
    answer: Solution | None = None

    @property
    def rungs(self) -> list[Rung]:
        return [*self.thinking, *self.personas, *self.habits]


def probe_rules(reading: Reading, request: ReportRequest, tables: list[Table], seconds: float) -> ProbeResult:
    """Filled as far as the time goes; Ctrl-C ends it."""
    several = [table for table in tables if table.players > 1]
    found = ProbeResult((several or tables)[0])
    add_solution(found, min(SOLVING_SECONDS, seconds / 4))
    if several:
        add_rungs(found)
        play_rungs(found, request, seconds * SKILL)
    asked = DeadweightRequest(
        files=request.files, variants=request.variants, settings=request.settings, seed=request.seed,
        seats=request.seats, players=str(found.table.players), seconds=max(int(seconds * WEIGHT), 1), json=True,
    )  # fmt: skip
    jobs = (os.cpu_count() or 1) if seconds >= LONG_PROBING else 1
    with Crew(jobs) as crew:
        found.weighing = weigh_rules(reading, asked, crew)
    return found


def add_solution(found: ProbeResult, seconds: float) -> None:
    """Where there is no exact answer in the time, or a game gets stuck, the page goes without."""
    with suppress(NoAnswer, Fault):
        found.answer = solve_game(found.table, WITHIN, seconds)


def add_rungs(found: ProbeResult) -> None:
    table, anybody = found.table, RandomBot()
    greedy, search = make_bot("greedy", table), make_bot(SEARCH, table)
    found.thinking = [Rung(greedy, anybody, GAMES), Rung(search, anybody, GAMES), Rung(search, greedy, GAMES)]
    found.personas = [
        Rung(make_bot(one.name.text, table), other, GAMES)
        for one in table.program.game.personas for other in (anybody, greedy)
    ]
    names = ["first", *(f"always:{action.name.text}" for action in table.bench.actions[:MOST_HABITS])]
    found.habits = [Rung(make_bot(name, table), anybody, HABIT_GAMES) for name in names]


def make_bot(name: str, table: Table) -> Bot:
    bots = make_bots(name, table)
    assert bots is not None
    return bots[0]


def play_rungs(found: ProbeResult, request: ReportRequest, seconds: float) -> None:
    seed = request.seed
    play_rung(found.table, Rung(found.rungs[0].player, RandomBot(), 1), seed, monotonic())  # makes them ready to think
    until, longest = monotonic() + seconds, LONGEST_GAME
    most = request.games
    for at, rung in enumerate(found.rungs):
        rung.wanted = min(rung.wanted, most or rung.wanted)
        share = max(until - monotonic(), 0.0) / (len(found.rungs) - at)
        if play_rung(found.table, rung, seed, monotonic() + share, longest=longest):
            longest = 0.0


def seed_words(request: ReportRequest) -> list[str]:
    return ["--seed", str(request.seed)]


def section_command(found: ProbeResult, reading: Reading, request: ReportRequest, verb: str, *words: str) -> str:
    """What shows this section alone."""
    told = ["rulesrun", verb, reading.name, "--players", str(found.table.players)]
    told += [word for name in request.variants for word in ("--with", name)]
    told += [word for name, value in request.settings.items() for word in ("--set", f"{name}={value}")]
    return shlex.join([*told, *words])


# ---- collecting


ALL_SECONDS, FILE_SECONDS = 95, 60  # of all files, of one at most, unless games or a precision are asked for
MOST_SECONDS = 20  # of figures, a file
COMPARING_SECONDS = 15
LONG_FIGURES = 10  # seconds, as `LONG_PROBING`
NATIVE_GAMES = 10_000  # at each table
FIGURES = 0.4  # of the time of a file that its verdicts leave
SHORT_PROBING = 1.5  # seconds
ASSESSING_SECONDS = 40.0  # of work, for all files
SHORT_ASSESSING = 1.0
ASSESSING = 0.7  # of the time of a file that is left then
COURSE_SECONDS = 2.0
COURSE_GAMES = 200


@define(eq=False)
class CollectedFile:
    """Of one file. What could not be played has no figures."""

    reading: Reading
    request: ReportRequest
    report: FileReport
    measured: MeasuredFile | None = None
    courses: dict[int, ActionCourse] = field(factory=dict)
    comparisons: list[Comparison] = field(factory=list)
    probed: ProbeResult | None = None
    assessment: Assessment | None = None
    is_cut_short: bool = False

    @property
    def holds(self) -> bool:
        return self.is_faultless and not self.report.base_examples

    @property
    def is_faultless(self) -> bool:
        """Examples of the base are no faults of a variant that breaks them."""
        return (
            self.report.is_faultless
            and (self.measured is None or self.measured.holds)
            and all(one.holds for one in self.comparisons)
        )

    @property
    def is_partial(self) -> bool:
        return (
            self.is_cut_short
            or self.report.is_partial
            or (self.measured is not None and self.measured.is_partial)
            or any(one.is_partial for one in self.comparisons)
        )

    @property
    def games(self) -> int:
        return 0 if self.measured is None else sum(one.totals.games for one in self.measured.tables)

    def format_command(self, verb: str, *words: str) -> str:
        """What repeats a figure: the verb, the file and what was asked for, then the words."""
        told = ["rulesrun", *([verb] if verb else []), self.reading.name]
        told += [word for name in self.request.variants for word in ("--with", name)]
        told += [word for name, value in self.request.settings.items() for word in ("--set", f"{name}={value}")]
        return shlex.join([*told, *words])

    def repeat_command(self, one: MeasuredTable, games: int | None = None) -> str:
        """Plays the same games of one table again, or the first of them: totals hang on seed and number alone."""
        seats = self.request.seats
        words = ["--players", str(one.table.players), "--seed", str(seed_of(self.request))]
        words += ["--games", str(games or max(one.totals.games, 1))]
        return self.format_command("simulate", *words, *(["--seats", seats] if seats else []))


def seed_of(request: ReportRequest) -> int:
    return request.seed


def collect_file(reading: Reading, request: ReportRequest, variants: list[Reading], until: float) -> CollectedFile:
    """`until`: when this file should be done. Ctrl-C ends it with what is known by then."""
    found = CollectedFile(reading, request, examined(reading, request.as_request(RunRequest, games=None)))
    if reading.program is None or found.report.is_partial or not found.report.tables:
        return found
    try:
        add_figures(found, variants, until)
    except KeyboardInterrupt:
        found.is_cut_short = True
    return found


def measure_within(reading: Reading, request: ReportRequest, until: float) -> MeasuredFile:
    """In machine code so many games that they are the same every time, as long as there is time; without it, as many as
    there is time for."""
    if is_compiler_installed() and not (is_bounded(request) or request.seconds or request.seats or request.engine):
        seconds = seconds_for_figures(until)
        jobs = os.cpu_count() or 1
        asked = simulate_request(request, engine="native", games=NATIVE_GAMES, seconds=seconds, jobs=jobs)
        try:
            return measure_rules(reading, asked)
        except Trouble:  # these rules cannot be compiled
            pass
    return measure_rules(reading, with_budget(request, until))


def add_figures(found: CollectedFile, variants: list[Reading], until: float) -> None:
    reading, request = found.reading, found.request
    found.measured = measure_within(reading, request, until)
    if found.measured.is_partial:
        return
    add_courses(found)
    tables = [one.table for one in found.measured.tables]
    if not found.report.faults:  # games that get stuck, or never end, have nothing to say of good play
        found.assessment = assess_within(reading, request, tables, until)
    found.probed = probe_rules(reading, request, tables, probing_seconds(request, until))
    if found.probed.weighing is not None and found.probed.weighing.is_partial:
        found.is_cut_short = True
        return
    seconds = (request.seconds or COMPARING_SECONDS) / max(len(variants), 1)
    for variant in variants:
        asked = request.as_request(CompareRequest, within=None)
        found.comparisons.append(compare_rulebooks(reading, variant, asked, seconds, Crew(1), KeptSums(None, {})))
        if found.comparisons[-1].is_partial:
            break


def assess_within(reading: Reading, request: ReportRequest, tables: list[Table], until: float) -> Assessment | None:
    """By counted work, the same on every machine as long as there is time: less where many files share the page, or few
    games are asked for."""
    several = [table for table in tables if table.players > 1]
    asked = request.as_request(AssessRequest, players=str((several or tables)[0].players), seconds=None)
    seconds = ASSESSING_SECONDS / len(request.files)
    ends = monotonic() + max(ASSESSING * (until - monotonic()), SHORT_ASSESSING)
    if is_bounded(request):
        seconds, ends = SHORT_ASSESSING, float("inf")
    try:
        found = assess_rules(reading, asked, max(seconds, SHORT_ASSESSING) * WORK_A_SECOND, ends)
    except Trouble:  # no game comes to its end: the verdicts say why
        return None
    found.longer_by = ""
    return found


def is_bounded(request: ReportRequest) -> bool:
    """Whether it was said how many games are to be played, or how exactly figures are to be known."""
    return request.games is not None or request.within is not None


def simulate_request(request: ReportRequest, **changes: Any) -> SimulateRequest:
    return request.as_request(SimulateRequest, out=None, cluster=None, **changes)


def seconds_for_figures(until: float) -> int:
    return max(1, min(MOST_SECONDS, int((until - monotonic() - COURSE_SECONDS) * FIGURES)))


def with_budget(request: ReportRequest, until: float) -> SimulateRequest:
    """As many games as the time that is left allows, unless something else was asked for; on all cores."""
    seconds = request.seconds if is_bounded(request) else seconds_for_figures(until)
    jobs = request.jobs
    if (seconds or LONG_FIGURES) >= LONG_FIGURES:
        jobs = jobs or os.cpu_count() or 1
    return simulate_request(request, seconds=seconds, jobs=jobs)


def probing_seconds(request: ReportRequest, until: float) -> float:
    """What is left of the file's time; less where few games are asked for."""
    if is_bounded(request):
        return SHORT_PROBING
    return max(until - monotonic(), 2.0)


def add_courses(found: CollectedFile) -> None:
    assert found.measured is not None
    tables = [one.table for one in found.measured.tables]
    for table in tables:
        found.courses[table.players] = measure_table_course(table, found.request, COURSE_SECONDS / len(tables))


def measure_table_course(table: Table, request: ReportRequest, seconds: float) -> ActionCourse:
    watcher = GameMeasurer(table, bots=make_bots(request.seats, table))
    games = min(request.games or COURSE_GAMES, COURSE_GAMES)
    return measure_course(watcher, seed_of(request), games, monotonic() + seconds)
