"""One rules file as a list of tests with a verdict each: a file's name in, tests out. Knows nothing of pytest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from attrs import define, evolve, field, frozen

from rulesrun.dsl.contents.told_pieces import property_words
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import Program
from rulesrun.examine.examples import example_report
from rulesrun.examine.failure_search import FailureSearch, search_for_failures
from rulesrun.files.excerpts import line_of, place_text
from rulesrun.files.loading import Reading, read_rules
from rulesrun.interpreter.examples.examples import ExampleRunner
from rulesrun.interpreter.search.answered_games import Failure, fault_kind
from rulesrun.interpreter.search.endless import MAY_GO_ON
from rulesrun.records.complaints import diagnostics_text
from rulesrun.services.implicit_properties import judge_unwritten
from rulesrun.services.play import DECISIONS, PlayBounds, play_tables
from rulesrun.services.reports import FaultReport, FileReport, PropertyReport, failure_text, report_text
from rulesrun.services.tables import Seating, seat_all
from rulesrun.terminal.plurals import count_games, count_random_games
from rulesrun.terminal.requests import TestRequest
from rulesrun.terminal.trouble import Trouble, Unplayable

GAMES = 30
SECONDS = 4.0  # of work, for the games of a table
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
    """`games`: how many at each table; None: thirty, fewer where they are long."""

    __test__ = False  # the name is no test class of pytest

    name: str
    games: int | None = None
    seed: int = 0
    _runner: ExampleRunner | None = field(init=False, default=None)
    _seating: Seating | None = field(init=False, default=None)
    _watched: FileReport | None = field(init=False, default=None)
    _seeking: FailureSearch | None = field(init=False, default=None)
    _reading: Reading | None = field(init=False, default=None)

    def list_tests(self) -> Iterator[RulesTest]:
        """A file with errors has one test, which fails."""
        try:
            reading = self._reading = read_rules(self.name)
            seating = seat_all(reading, TestRequest()) if reading.program is not None else None
        except Unplayable as refusal:
            told = report_text(FileReport(refusal.reading), True)
            yield RulesTest("check", 1, lambda: ("fails", told))
            return
        except Trouble as trouble:
            sentence = str(trouble)
            yield RulesTest("check", 1, lambda: ("fails", sentence))
            return
        yield RulesTest("check", 1, self.run_check)
        if reading.program is None or seating is None:
            return
        self._runner = ExampleRunner(reading.program)
        yield from self._example_tests(reading)
        self._seating = seating
        for one in judge_unwritten(FileReport(reading)):
            yield RulesTest(f"unwritten: {one.title}", 1, self._unwritten_runner(one.title))
        yield from self._property_tests(reading)

    @property
    def reading(self) -> Reading:
        assert self._reading is not None
        return self._reading

    @property
    def program(self) -> Program:
        assert self.reading.program is not None
        return self.reading.program

    def run_check(self) -> Verdict:
        if self.reading.has_errors:
            return "fails", diagnostics_text(self.reading)
        return HOLDS

    # ---- examples

    def _example_tests(self, reading: Reading) -> Iterator[RulesTest]:
        assert reading.program is not None
        for piece in reading.program.game.examples:
            line = line_of(piece.span, reading.sources) if piece.span.file == reading.name else 1
            yield RulesTest(f"example: {piece.title}", line, partial(self.run_example, piece.title))

    def run_example(self, title: str) -> Verdict:
        assert self._runner is not None
        result = self._runner.run_titled(title)
        if result.verdict == "todo":
            return "open", message("to do")
        if result.verdict == "passed":
            return HOLDS
        told = example_report(self.reading, result, "rulesrun test " + self.name)
        return "fails", failure_text(FileReport(self._without_warnings(), examples=[told]))

    # ---- games

    def watch_games(self) -> FileReport:
        """Random games at every table, then games that lean towards what is rare and games in which what is unseen is
        dealt anew. Played when the first test asks for them, for all.
        """
        if self._watched is None:
            assert self._seating is not None
            tables = self._seating.tables
            report = FileReport(self._without_warnings())
            request = TestRequest(files=(self.name,), quiet=True, seed=self.seed, games=self.games or GAMES)
            bounds = PlayBounds(DECISIONS, SECONDS * len(tables)) if self.games is None else PlayBounds(None)
            play_tables(report, self._seating, request, bounds)
            if not report.is_partial:
                self._seeking = search_for_failures(report, tables, request, PATIENCE)
                self._seeking.tell_endless()
            if report.is_partial:
                raise KeyboardInterrupt
            self._watched = report
        return self._watched

    def _unwritten_runner(self, title: str) -> Callable[[], Verdict]:
        return lambda: self.run_unwritten(title)

    def run_unwritten(self, title: str) -> Verdict:
        """What must hold without being written."""
        report = self.watch_games()
        found = next(one for one in judge_unwritten(report) if one.title == title)
        if found.verdict == "not known":
            return "open", message("not known after {games}", games=count_games(found.games))
        if found.verdict == MAY_GO_ON:
            return "open", message("players can go on for ever if they want to, but nobody has to")
        return HOLDS if found.verdict == "holds" else self._failure_verdict([*found.properties], [*found.faults])

    def _property_tests(self, reading: Reading) -> Iterator[RulesTest]:
        for piece in self.program.game.properties:
            line = line_of(piece.span, reading.sources) if piece.span.file == reading.name else 1
            words, place = property_words(piece), place_text(piece.span, reading.name, reading.sources)
            run = partial(self.run_property, words, piece.title, place)
            yield RulesTest(f"{words}: {piece.title}", line, run)

    def run_property(self, words: str, title: str, place: str) -> Verdict:
        report, told = self.watch_games(), (words, title, place)
        found = next(one for one in report.properties if (one.word, one.title, one.where) == told)
        if found.is_broken:
            return self._failure_verdict([found], [])
        if found.can_happen and not found.games and not found.searched:
            return "open", message(
                "never in {games}; it may be rare, or impossible", games=count_random_games(report.games)
            )
        if found.share is not None and found.verdict != "holds":
            return "open", message("not yet known after {games}", games=count_random_games(found.finished))
        return HOLDS

    def _failure_verdict(self, properties: list[PropertyReport], faults: list[FaultReport]) -> Verdict:
        """The report of these failures alone, with the smallest game that shows each."""
        report = self.watch_games()
        told = evolve(report, properties=properties, faults=faults, examples=[], stories=[])
        told.stories += (story for story in report.stories if is_about(story.story.failure, told))
        if self._seeking is not None and not told.stories:
            seeking = evolve(self._seeking, report=told)
            for kind, game in seeking.found.found.items():
                failure = game.find_failure(kind)
                if failure is not None and is_about(failure, told):
                    seeking.tell_failure(kind, game)
        return "fails", failure_text(told)

    def _without_warnings(self) -> Reading:
        """The warnings are told by the check alone."""
        return evolve(self.reading, diagnostics=())


def is_about(failure: Failure, report: FileReport) -> bool:
    """Whether this failure is one of those of the report."""
    if failure.title:
        return any(one.title == failure.title and one.is_broken for one in report.properties)
    return any(fault_kind(fault.diagnostic) == failure.kind for fault in report.faults)
