"""What examples and random games reached of one file: takes a checked file, gives every part with who reached it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from time import monotonic

from attrs import define, field, frozen

from rulesrun.dsl.contents.rule_parts import RulePart, find_parts
from rulesrun.files.excerpts import excerpt, line_of, place_text
from rulesrun.files.loading import Reading
from rulesrun.interpreter.coverage.coverage import CoverageNotes, new_notes, note_examples, note_game
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import Table, list_option_values, set_up_table
from rulesrun.services.play import game_seed
from rulesrun.services.tables import allowed_players, seat_all, smallest_table
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import TestRequest

SECONDS = 4.0
MOST_VALUES = 12
MOST_TRIED = 60  # settings of one other option, beside a value that is refused alone
LONGEST_GAME = 5.0


@frozen
class CoverageSide:
    """One thing that can be seen of a part: it was done, asked, true, false; or a value of an option was played."""

    what: str
    side: str  # done | asked | true | false | played
    text: str
    line: int
    file: str
    where: str
    by_examples: bool
    by_games: bool
    part: RulePart | None = None

    @property
    def is_met(self) -> bool:
        return self.by_examples or self.by_games


@define
class Coverage:
    reading: Reading
    sides: list[CoverageSide] = field(factory=list)
    games: int = 0
    seconds: float = 0.0
    is_partial: bool = False
    notes: tuple[CoverageNotes, CoverageNotes] | None = None

    def share(self, by: str = "") -> float:
        """In percent: by examples, by games, by either."""
        named = {"examples": "by_examples", "games": "by_games", "": "is_met"}
        met = sum(getattr(side, named[by]) for side in self.sides)
        return 100.0 * met / len(self.sides) if self.sides else 100.0

    @property
    def never_met(self) -> list[CoverageSide]:
        return [side for side in self.sides if not side.is_met]


def measure_coverage(reading: Reading, request: TestRequest) -> Coverage:
    """Plays the examples, then random games at every table and with every option changed once."""
    assert reading.program is not None
    coverage = Coverage(reading)
    parts = find_parts(reading.program)
    tables = seat_all(reading, request).tables
    began = monotonic()
    examples, games = new_notes(parts), new_notes(parts)
    progress = Progress(reading.name, not (request.json or request.quiet))
    try:
        examples = note_examples(reading.program, parts)
        _play_games(coverage, games, tables, request, progress)
    except KeyboardInterrupt:
        coverage.is_partial = True
    finally:
        progress.close()
    games.note_fixed_conditions(parts)
    coverage.seconds = monotonic() - began
    coverage.notes = examples, games
    coverage.sides = [
        *_part_sides(reading, parts, examples, games),
        *_option_sides(reading, tables[0], examples, games),
    ]
    return coverage


def _play_games(
    coverage: Coverage, notes: CoverageNotes, tables: tuple[Table, ...], request: TestRequest, progress: Progress
) -> None:
    settings = [{}, *_changed_options(coverage.reading, tables[0], request)]
    counts = [table.players for table in tables]
    wanted = request.games
    began = monotonic()
    for at, setting in enumerate(settings):
        now = monotonic()
        share = now + max(began + SECONDS - now, 0.0) / (len(settings) - at)
        _play_setting(coverage, notes, {**request.settings, **setting}, counts, request, share, wanted)
        progress.update(coverage.games)


def _play_setting(
    coverage: Coverage, notes: CoverageNotes, setting: Mapping[str, object], counts: list[int], request: TestRequest,
    until: float, wanted: int | None,
) -> None:  # fmt: skip
    """Every number of players in turn; each at least once."""
    tables = [
        table for players in counts if (table := _set_up_noted_table(coverage, notes, players, setting)) is not None
    ]
    number = 0
    while tables and (number < wanted if wanted is not None else number == 0 or monotonic() < until):
        for table in tables:
            seed = game_seed(request.seed, number)
            note_game(notes, table, seed, monotonic() + LONGEST_GAME)
            coverage.games += 1
        number += 1


def _set_up_noted_table(
    coverage: Coverage, notes: CoverageNotes, players: int, setting: Mapping[str, object]
) -> Table | None:
    assert coverage.reading.program is not None
    try:
        return notes.set_up_table(coverage.reading.program, players, setting)
    except RefusedTable:
        return None


def _changed_options(reading: Reading, table: Table, request: TestRequest) -> Iterator[dict[str, object]]:
    """Every option and reading at each of its other values, one at a time."""
    assert reading.program is not None
    for option in reading.program.game.options:
        name = option.name.text
        if name not in request.settings:
            for value in list_option_values(table, option.name.text)[:MOST_VALUES]:
                if value != table.options[name]:
                    yield {name: value}


# ---------------------------------------------------------------- what was met


def coverable_lines(reading: Reading) -> Iterator[tuple[str, int]]:
    """Files and lines on which stands something that can be met."""
    assert reading.program is not None
    for part in find_parts(reading.program):
        yield part.span.file, line_of(part.span, reading.sources)
    for option in reading.program.game.options:
        yield option.name.span.file, line_of(option.name.span, reading.sources)


def _part_sides(
    reading: Reading, parts: tuple[RulePart, ...], examples: CoverageNotes, games: CoverageNotes
) -> Iterator[CoverageSide]:
    for part in parts:
        if part.is_condition:
            yield _make_side(reading, part, "true", part.is_among(examples.true), part.is_among(games.true))
            yield _make_side(reading, part, "false", part.is_among(examples.false), part.is_among(games.false))
        else:
            side = "asked" if part.role == "value" else "done"
            yield _make_side(reading, part, side, part.is_among(examples.done), part.is_among(games.done))


def can_be_played(reading: Reading, name: str, value: object) -> bool:
    """Whether some table has this value of an option; alone, or with another option changed."""
    assert reading.program is not None
    table = smallest_table(reading.program)
    others = [
        {option.name.text: other} for option in reading.program.game.options if option.name.text != name
        for other in (list_option_values(table, option.name.text)[:MOST_VALUES] if table is not None else ())
    ]  # fmt: skip
    for setting in ({}, *others)[:MOST_TRIED]:
        for players in allowed_players(reading.program):
            with suppress(RefusedTable):
                set_up_table(reading.program, players, {**setting, name: value})
                return True
    return len(others) >= MOST_TRIED


def _make_side(reading: Reading, part: RulePart, side: str, by_examples: bool, by_games: bool) -> CoverageSide:
    sources = reading.sources
    return CoverageSide(
        part.what, side, excerpt(part.span, sources), line_of(part.span, sources), part.span.file,
        place_text(part.span, reading.name, sources), by_examples, by_games, part,
    )  # fmt: skip


def _option_sides(
    reading: Reading, table: Table, examples: CoverageNotes, games: CoverageNotes
) -> Iterator[CoverageSide]:
    assert reading.program is not None
    sources = reading.sources
    for option in reading.program.game.options:
        span, name = option.name.span, option.name.text
        for value in list_option_values(table, option.name.text)[:MOST_VALUES]:
            key = (name, repr(value))
            if key not in examples.settings | games.settings and not can_be_played(reading, name, value):
                continue
            yield CoverageSide(
                "reading" if option.is_reading else "option", "played", f"{name} = {value}", line_of(span, sources),
                span.file, place_text(span, reading.name, sources), key in examples.settings, key in games.settings,
            )  # fmt: skip
