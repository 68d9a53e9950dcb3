"""All that one section of the page tells of: a reading and a request in, verdicts, figures and comparisons out."""

from __future__ import annotations

import os
import shlex
from time import monotonic

from attrs import define, evolve, field

from rulesrun.files.checkpoints import KeptSums
from rulesrun.files.loading import Reading
from rulesrun.interpreter.measure.course import ActionCourse, measure_course
from rulesrun.interpreter.measure.measured_game import GameMeasurer
from rulesrun.interpreter.reference.table import Table
from rulesrun.pages.probing import ProbeResult, probe_rules
from rulesrun.run.engines import is_compiler_installed
from rulesrun.run.ranges import Crew
from rulesrun.run.seats import make_bots
from rulesrun.services.compare import Comparison, compare_rulebooks
from rulesrun.services.examination import examined
from rulesrun.services.measure import MeasuredFile, MeasuredTable, measure_rules
from rulesrun.services.reports import FileReport
from rulesrun.terminal.arguments import Request
from rulesrun.terminal.trouble import Trouble

ALL_SECONDS, FILE_SECONDS = 95, 60  # of all files, of one at most, unless games or a precision are asked for
MOST_SECONDS = 20  # of figures, a file
COMPARING_SECONDS = 15
LONG = 10
NATIVE_GAMES = 10_000  # at each table
FIGURES = 0.4  # of the time of a file that its verdicts leave
SHORT_PROBING = 1.5  # seconds
COURSE_SECONDS = 2.0
COURSE_GAMES = 200


@define(eq=False)
class CollectedFile:
    """Of one file. What could not be played has no figures."""

    reading: Reading
    request: Request
    report: FileReport
    measured: MeasuredFile | None = None
    courses: dict[int, ActionCourse] = field(factory=dict)
    comparisons: list[Comparison] = field(factory=list)
    probed: ProbeResult | None = None
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
        seats = self.request.text("seats")
        words = ["--players", str(one.table.players), "--seed", str(seed_of(self.request))]
        words += ["--games", str(games or max(one.totals.games, 1))]
        return self.format_command("simulate", *words, *(["--seats", seats] if seats else []))


def seed_of(request: Request) -> int:
    return request.number("seed") or 0


def collect_file(reading: Reading, request: Request, variants: list[Reading], until: float) -> CollectedFile:
    """`until`: when this file should be done. Ctrl-C ends it with what is known by then."""
    found = CollectedFile(reading, request, examined(reading, request_for(request, "run")))
    if reading.program is None or found.report.is_partial or not found.report.tables:
        return found
    try:
        add_figures(found, variants, until)
    except KeyboardInterrupt:
        found.is_cut_short = True
    return found


def measure_within(reading: Reading, request: Request, until: float) -> MeasuredFile:
    """In machine code so many games that they are the same every time; without it, as many as there is time for."""
    if is_compiler_installed() and not request.chosen.keys() & {"games", "within", "seconds", "seats", "engine"}:
        chosen = {**request.chosen, "engine": "native", "games": NATIVE_GAMES, "jobs": os.cpu_count() or 1}
        try:
            return measure_rules(reading, evolve(request, command="simulate", chosen=chosen))
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
    found.probed = probe_rules(reading, request, tables, probing_seconds(request, until))
    if found.probed.weighing is not None and found.probed.weighing.is_partial:
        found.is_cut_short = True
        return
    seconds = (request.number("seconds") or COMPARING_SECONDS) / max(len(variants), 1)
    for variant in variants:
        asked = request_for(request, "compare")
        found.comparisons.append(compare_rulebooks(reading, variant, asked, seconds, Crew(1), KeptSums(None, {})))
        if found.comparisons[-1].is_partial:
            break


def request_for(request: Request, command: str) -> Request:
    """The same question to another command. How many games are played for figures says nothing of verdicts."""
    left_out = {"html", "compare", "within", *(("games",) if command == "run" else ())}
    chosen = {name: value for name, value in request.chosen.items() if name not in left_out}
    return evolve(request, command=command, chosen=chosen)


def with_budget(request: Request, until: float) -> Request:
    """As many games as the time that is left allows, unless something else was asked for; on all cores."""
    chosen = dict(request.chosen)
    if not chosen.keys() & {"games", "within", "seconds"}:
        chosen["seconds"] = max(1, min(MOST_SECONDS, int((until - monotonic() - COURSE_SECONDS) * FIGURES)))
    asked = evolve(request, command="simulate", chosen=chosen)
    if (asked.number("seconds") or LONG) >= LONG:  # in a shorter time processes would hardly have started
        chosen.setdefault("jobs", os.cpu_count() or 1)
    return asked


def probing_seconds(request: Request, until: float) -> float:
    """What is left of the file's time; less where few games are asked for."""
    if request.chosen.keys() & {"games", "within"}:
        return SHORT_PROBING
    return max(until - monotonic(), 2.0)


def add_courses(found: CollectedFile) -> None:
    assert found.measured is not None
    tables = [one.table for one in found.measured.tables]
    for table in tables:
        found.courses[table.players] = measure_table_course(table, found.request, COURSE_SECONDS / len(tables))


def measure_table_course(table: Table, request: Request, seconds: float) -> ActionCourse:
    watcher = GameMeasurer(table, bots=make_bots(request.text("seats"), table))
    games = min(request.number("games") or COURSE_GAMES, COURSE_GAMES)
    return measure_course(watcher, seed_of(request), games, monotonic() + seconds)
