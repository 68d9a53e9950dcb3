"""Random games of one file at all its tables, within a time; tables in, the parts of a report out."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from time import monotonic, process_time

from attrs import define, evolve, field

from rulesrun.dsl.contents.told_pieces import property_words
from rulesrun.dsl.text.source import Span
from rulesrun.files.excerpts import line_of, place_text, values_text
from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.random import game_seed as game_seed
from rulesrun.interpreter.play.properties import BrokenProperty, PropertyGuard
from rulesrun.interpreter.play.random_games import SimulationResult
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.information_flow import find_laid_open
from rulesrun.interpreter.secrecy.open_choices import prove_open_choices
from rulesrun.run.random_games import RandomGamesRunner
from rulesrun.services.reports import FaultReport, FileReport, Openness, PropertyReport, TableReport
from rulesrun.services.tables import Seating
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import RunRequest

GAMES = 200
SECONDS = 10.0  # of work, for the games of a file
DECISIONS = 100_000  # in all games of a file
FIRST_GAMES = 10  # of a table: they show how long games are
MANY_FILES = 8
DEEP = 10  # times the usual work, for who asks for it


def effort_scale(request: RunRequest) -> float:
    """How much of the usual work is done for each file, so that many files do not take for ever."""
    return min(1.0, MANY_FILES / len(request.files)) * (DEEP if request.deep else 1)


@define(eq=False)
class PlayBounds:
    """How much may be played for a file: so many decisions, whatever machine it is; the clock is an outer bound, of the
    time that this process works. None: as long as it takes."""

    decisions: int | None
    seconds: float | None = None
    began: float = field(factory=process_time)

    def table_deadline(self, tables_left: int) -> float:
        """The moment until which the next table may go on, when all get alike."""
        if self.seconds is None:
            return float("inf")
        now = process_time()
        return now + max(self.began + self.seconds - now, 0.02) / tables_left

    def game_limit(self, tables: int, played: int, decisions: int) -> int | None:
        """How many games a table may have of which some have been played; None: as many as are wanted."""
        if self.decisions is None or not decisions:
            return None
        return max(self.decisions * played // (decisions * tables), FIRST_GAMES)


def usual_bounds(request: RunRequest) -> PlayBounds:
    """Of games that nobody has counted; many files get less each."""
    if request.games is not None:
        return PlayBounds(None)
    return PlayBounds(int(DECISIONS * effort_scale(request)), SECONDS * max(effort_scale(request), 1))


def play_tables(
    report: FileReport,
    seating: Seating,
    request: RunRequest,
    bounds: PlayBounds,
    after_each: Callable[[], None] | None = None,
) -> None:
    """Fills in the games of a report. Ctrl-C leaves what is known by then, marked as partial. `after_each`: table."""
    assert report.reading.program is not None
    report.properties = list_properties(report.reading)
    report.refused = list(seating.refused)
    report.openness = judge_openness(seating.tables)
    report.laid_open = list(dict.fromkeys(one for table in seating.tables for one in find_laid_open(table)))
    wanted = request.games or GAMES * (DEEP if request.deep else 1)
    progress = Progress(report.reading.name, not (request.json or request.quiet))
    try:
        for at, table in enumerate(seating.tables):
            played = TableReport(table.players, wanted)
            report.tables.append(played)
            _play_table(report, played, table, request, (bounds, len(seating.tables), at), progress)
            if after_each is not None:
                after_each()
    except KeyboardInterrupt:
        report.is_partial = True
    finally:
        progress.close()


def judge_openness(tables: Sequence[Table]) -> Openness:
    """What is proved of the secrets at all these tables."""
    proofs = [prove_open_choices(table) for table in tables]
    return Openness(
        max(one.choices for one in proofs), min(len(one.proved) for one in proofs), all(one.flow for one in proofs)
    )


def _play_table(
    report: FileReport, played: TableReport, table: Table, request: RunRequest, share: tuple[PlayBounds, int, int],
    progress: Progress,
) -> None:
    """`share`: the bounds of the file, how many tables there are, how many of them were played."""
    found = SimulationResult()
    playing = RandomGamesRunner(table, request, PropertyGuard(table), found)
    began, (bounds, tables, before) = monotonic(), share
    until, most = bounds.table_deadline(tables - before), played.wanted
    try:
        while played.games < most and not playing.has_enough:
            left = until - process_time()
            if played.games and left < 0:
                played.is_late = True
                break
            is_trial = bounds.decisions is not None and played.games < FIRST_GAMES
            some = min(FIRST_GAMES, most) if is_trial else most
            ahead = most - played.games
            played.games += playing.play_some(played.games, some - played.games, ahead, monotonic() + left)
            if is_trial and played.games == FIRST_GAMES:
                most = min(most, bounds.game_limit(tables, played.games, found.decisions) or most)
            progress.update(report.games)
    finally:
        played.seconds = monotonic() - began - playing.choice.compiling
        played.engine = playing.engine
        played.decisions = found.decisions
        played.finished, played.longest = sum(found.places.values()), max(found.lengths, default=0)
        _note_failures(report, table, request, found)


def _note_failures(report: FileReport, table: Table, request: RunRequest, found: SimulationResult) -> None:
    for number, broken in found.broken:
        entry = _find_entry(report, broken)
        if not entry.repeat:
            entry.players = table.players
            entry.values = values_text(broken.values, report.reading.sources)
            entry.repeat = repeat_command(report, table, request, number)
            report.failing.append((table, game_seed(request.seed, number)))
    for entry in report.properties:
        entry.games += (found.happened if entry.is_counted else found.broken_games)[entry.title]
        entry.finished += sum(found.places.values())
    for number, diagnostic, _ in found.faults:
        games = found.faulty_games[diagnostic.code]
        known = next((one for one in report.faults if one.is_same(diagnostic)), None)
        if known is not None:
            known.games += games
            continue
        report.faults.append(FaultReport(diagnostic, games, repeat_command(report, table, request, number)))
        report.failing.append((table, game_seed(request.seed, number)))


def list_properties(reading: Reading) -> list[PropertyReport]:
    """Every property of the rules, in the order of the file, nothing known of it yet."""
    assert reading.program is not None
    return [
        evolve(_make_property_report(reading, property_words(piece), piece.title, piece.span), share=piece.share)
        for piece in reading.program.game.properties
    ]


def _make_property_report(reading: Reading, word: str, title: str, span: Span) -> PropertyReport:
    """A property of which no game has told anything yet."""
    return PropertyReport(word, title, line_of(span, reading.sources), place_text(span, reading.name, reading.sources))


def _find_entry(report: FileReport, broken: BrokenProperty) -> PropertyReport:
    """The entry of a property; a new one for what holds without being written."""
    for entry in report.properties:
        if entry.title == broken.title and not entry.can_happen:
            return entry
    entry = _make_property_report(report.reading, "always", broken.title, broken.span)
    report.properties.append(entry)
    return entry


def repeat_command(report: FileReport, table: Table, request: RunRequest, number: int) -> str:
    """The command that plays just this game again."""
    words = ["rulesrun", report.reading.name]
    words += [word for name in request.variants for word in ("--with", name)]
    words += ["--players", str(table.players)]
    words += [word for name, value in request.settings.items() for word in ("--set", f"{name}={value}")]
    words += ["--seed", str(game_seed(request.seed, number)), "--games", "1"]
    return shlex.join(words)
