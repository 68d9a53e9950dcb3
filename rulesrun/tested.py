"""One rules file as a list of tests with a verdict each: a file's name in, tests out. Knows nothing of pytest."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import define, evolve, field, frozen

from rulesrun.arguments import Request
from rulesrun.dsl import ast
from rulesrun.dsl.program import Program
from rulesrun.excerpts import line_of, where
from rulesrun.findings import complaints_text
from rulesrun.interpreter.examples import ExampleResult, ExampleRunner
from rulesrun.interpreter.table import Table
from rulesrun.loading import Reading, read_rules
from rulesrun.playing import Clock, play_tables, property_words, written_properties
from rulesrun.reports import FaultReport, FileReport, PropertyReport, report_text
from rulesrun.seeking import seek
from rulesrun.tables import Seating, seat_all
from rulesrun.trouble import Trouble, Unplayable
from rulesrun.worked import example_report

GAMES = 30
SECONDS = 1.0
PATIENCE = 0.5  # of the time that the plain form takes to look further

Verdict = tuple[str, str]  # holds | open | fails, and the report or the reason
HOLDS: Verdict = ("holds", "")


@frozen(eq=False)
class RulesTest:
    name: str
    line: int
    run: Callable[[], Verdict]


@define(eq=False)
class TestedRules:
    """`games`: how many at each table; None: as many as a second allows, thirty at most."""

    __test__ = False  # the name is no test class of pytest

    name: str
    games: int | None = None
    seed: int = 0
    _runner: ExampleRunner | None = field(init=False, default=None)
    _played: dict[int, FileReport] = field(init=False, factory=dict)
    _reading: Reading | None = field(init=False, default=None)

    def tests(self) -> Iterator[RulesTest]:
        """A file with errors has one test, which fails."""
        try:
            reading = self._reading = read_rules(self.name)
            seating = seat_all(reading, Request("test")) if reading.program is not None else None
        except Unplayable as refusal:
            told = report_text(FileReport(refusal.reading), True)
            yield RulesTest("check", 1, lambda: ("fails", told))
            return
        except Trouble as trouble:
            sentence = str(trouble)
            yield RulesTest("check", 1, lambda: ("fails", sentence))
            return
        yield RulesTest("check", 1, self.check)
        if reading.program is None or seating is None:
            return
        self._runner = ExampleRunner(reading.program)
        yield from self._example_tests(reading)
        for table in seating.tables:
            yield RulesTest(f"games with {table.players} player{'s' * (table.players != 1)}", 1, self._games_of(table))
        yield RulesTest("rare games and secrets", 1, lambda: self.run_search(seating))
        yield from self._property_tests(reading, seating.tables)

    @property
    def reading(self) -> Reading:
        assert self._reading is not None
        return self._reading

    @property
    def program(self) -> Program:
        assert self.reading.program is not None
        return self.reading.program

    def check(self) -> Verdict:
        if self.reading.has_errors:
            return "fails", complaints_text(self.reading)
        return HOLDS

    # ---- examples

    def _example_tests(self, reading: Reading) -> Iterator[RulesTest]:
        assert reading.program is not None
        for piece in reading.program.game.declarations:
            if isinstance(piece, ast.Example):
                line = line_of(piece.span, reading.sources) if piece.span.file == reading.name else 1
                yield RulesTest(f"example: {piece.title}", line, self._example_of(piece))

    def _example_of(self, example: ast.Example) -> Callable[[], Verdict]:
        return lambda: self.run_example(example)

    def run_example(self, example: ast.Example) -> Verdict:
        assert self._runner is not None
        result: ExampleResult = self._runner.run(example)
        if result.verdict == "todo":
            return "open", "to do"
        if result.verdict == "passed":
            return HOLDS
        told = example_report(self.reading, result, "rulesrun test " + self.name)
        return "fails", report_text(FileReport(self._plain(), examples=[told]), True)

    # ---- games

    def _games_of(self, table: Table) -> Callable[[], Verdict]:
        return lambda: self.run_games(table)

    def played(self, table: Table) -> FileReport:
        """The random games of one table, played when they are first asked for."""
        if table.players not in self._played:
            report = FileReport(self._plain())
            chosen: dict[str, object] = {"quiet": True, "seed": self.seed, "games": self.games or GAMES}
            clock = Clock(None if self.games is not None else SECONDS)
            play_tables(report, Seating((table,)), Request("test", [self.name], chosen), clock)
            if report.is_partial:
                raise KeyboardInterrupt
            self._played[table.players] = report
        return self._played[table.players]

    def run_games(self, table: Table) -> Verdict:
        """What must hold without being written: nobody is stuck, nothing vanishes, no number leaves its range."""
        report = self.played(table)
        written = {piece.title for piece in self._properties()}
        others = [one for one in report.properties if one.title not in written]
        return self._judged(evolve(report, properties=others, examples=[], stories=[]), table)

    def run_search(self, seating: Seating) -> Verdict:
        """Games that lean towards what is rare, and games in which what is unseen is dealt anew."""
        report = FileReport(self._plain(), properties=written_properties(self.reading))
        seek(report, seating.tables, self.seed, PATIENCE)
        if report.is_partial:
            raise KeyboardInterrupt
        return HOLDS if report.holds else ("fails", report_text(report, True))

    def _property_tests(self, reading: Reading, tables: tuple[Table, ...]) -> Iterator[RulesTest]:
        for piece in self._properties():
            line = line_of(piece.span, reading.sources) if piece.span.file == reading.name else 1
            yield RulesTest(f"{property_words(piece)}: {piece.title}", line, self._property_of(piece, tables))

    def _property_of(self, piece: ast.Property, tables: tuple[Table, ...]) -> Callable[[], Verdict]:
        return lambda: self.run_property(piece, tables)

    def run_property(self, piece: ast.Property, tables: tuple[Table, ...]) -> Verdict:
        if piece.share is not None:
            return self.run_share(piece, tables)
        games, met = 0, 0
        for table in tables:
            report = self.played(table)
            own = [one for one in report.properties if self._is_of(one, piece)]
            games, met = games + report.games, met + sum(one.games for one in own)
            if any(one.is_broken for one in own):
                return self._judged(evolve(report, properties=own, faults=[], examples=[], stories=[]), table)
            if met and piece.word == "can happen":
                return HOLDS
        if piece.word == "can happen" and not met:
            return "open", f"not met in {games:,} random games; that proves nothing"
        return HOLDS

    def run_share(self, piece: ast.Property, tables: tuple[Table, ...]) -> Verdict:
        """How often something happens is judged over the games of all tables together."""
        reports = [self.played(table) for table in tables]
        own = [one for report in reports for one in report.properties if self._is_of(one, piece)]
        games, finished = sum(one.games for one in own), sum(one.finished for one in own)
        whole = evolve(own[0], games=games, finished=finished)
        told = report_text(FileReport(self._plain(), properties=[whole]), whole.verdict == "broken")
        if whole.verdict == "broken":
            return "fails", told
        return HOLDS if whole.verdict == "holds" else ("open", f"not known yet after {finished:,} random games")

    def _is_of(self, found: PropertyReport, piece: ast.Property) -> bool:
        sources = self.reading.sources
        place = where(piece.span, self.reading.name, sources)
        return (found.word, found.title, found.where) == (property_words(piece), piece.title, place)

    def _properties(self) -> list[ast.Property]:
        return [piece for piece in self.program.game.declarations if isinstance(piece, ast.Property)]

    def _judged(self, report: FileReport, table: Table) -> Verdict:
        """A report of failures alone, with the smallest game that shows each."""
        if report.holds:
            return HOLDS
        told = evolve(report, properties=list(report.properties), faults=list(report.faults))
        seek(told, (table,), self.seed, 0)
        stories = [one for one in told.stories if is_about(one.what, report)]
        return "fails", report_text(evolve(report, stories=stories), True)

    def _plain(self) -> Reading:
        """The warnings are told by the check alone."""
        return evolve(self.reading, diagnostics=())


def is_about(headline: str, report: FileReport) -> bool:
    titles = [one.title for one in report.properties if one.is_broken]
    faults: list[FaultReport] = report.faults
    return any(title in headline for title in titles) or any(one.diagnostic.message in headline for one in faults)
