"""A few games with each option changed alone, for people will play them: what gets stuck there is reported, too."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

from attrs import evolve

from rulesrun.arguments import Request
from rulesrun.contrasts import options_of, values_of
from rulesrun.interpreter.random import Streams, game_seed
from rulesrun.interpreter.simulate import Simulated, one_game
from rulesrun.interpreter.table import Table, set_up
from rulesrun.interpreter.values import RefusedTable
from rulesrun.playing import patience, repeat_command
from rulesrun.reports import FaultReport, FileReport
from rulesrun.stories import shown
from rulesrun.tables import Seating

GAMES = 2  # of each table
MOST_VALUES = 12  # of an option: the lowest and the highest, and others between
DECISIONS = 10_000  # in all
SECONDS = 2.0
LONGEST = 2_000  # decisions of a game; whether it would end is not asked here
TOO_LONG = "too-long"


def try_other_options(report: FileReport, seating: Seating, request: Request) -> None:
    """Only where the rules hold as they stand. What properties say may be meant for the defaults alone; that a game can
    be played is not."""
    until = process_time() + SECONDS * patience(request)
    found = Simulated()
    for name, value in _changed(report, seating.tables[0]):
        changed = evolve(request, settings={**request.settings, name: shown(value)})
        for table in _tables(report, seating, {name: value}):
            if found.decisions > DECISIONS or process_time() > until:
                return
            _play(report, table, changed, found)


def _changed(report: FileReport, table: Table) -> Iterator[tuple[str, object]]:
    assert report.reading.program is not None
    for option in options_of(report.reading.program):
        name = option.name.text
        values = [value for value in values_of(table, option) if value != table.options[name]]
        step = -(-len(values) // MOST_VALUES) or 1
        yield from ((name, value) for value in dict.fromkeys([*values[::step], *values[-1:]]))


def _tables(report: FileReport, seating: Seating, setting: dict[str, object]) -> Iterator[Table]:
    """The smallest and the largest number of players, where the rules allow this setting."""
    assert report.reading.program is not None
    counts = [table.players for table in seating.tables]
    for players in sorted({min(counts), max(counts)}):
        try:
            yield set_up(report.reading.program, players, setting)
        except RefusedTable:
            continue


def _play(report: FileReport, table: Table, request: Request, found: Simulated) -> None:
    for number in range(GAMES):
        seed = game_seed(request.number("seed") or 0, number)
        known = len(found.faults)
        one_game(table, Streams(seed), number, None, found, LONGEST)
        for _, diagnostic, _ in found.faults[known:]:
            if diagnostic.code != TOO_LONG and not any(one.is_same(diagnostic) for one in report.faults):
                report.faults.append(FaultReport(diagnostic, 0, repeat_command(report, table, request, number)))
                report.failing.append((table, seed))
