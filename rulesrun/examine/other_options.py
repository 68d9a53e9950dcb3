"""A few games with each option changed alone, then with two changed together, for people will play them.

What gets stuck there is reported, and what can no longer end. What properties say may be meant for the defaults alone;
that a game can be played, and comes to an end, is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product, zip_longest
from time import process_time

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import Message, message
from rulesrun.examine.failure_search import trap_diagnostic
from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import Table, list_option_values, set_up_table
from rulesrun.interpreter.search.answered_games import AnsweredGame, GameChecker, SeededAnswers
from rulesrun.interpreter.search.effort import Effort
from rulesrun.interpreter.search.endless import can_reach_end, find_trap
from rulesrun.services.play import effort_scale, repeat_command
from rulesrun.services.reports import FaultReport, FileReport, OptionsReport
from rulesrun.services.stories import value_text
from rulesrun.services.tables import Seating
from rulesrun.terminal.requests import RunRequest

GAMES = 2  # of each table where one option is changed; one where two are
MOST_VALUES = 12  # of an option: the lowest and the highest, and others between
FEW_VALUES = 3  # of an option of which every value is tried with every value of another; else the ends of its range
MOST_PAIRS = 120
DECISIONS = 15_000  # in all games with one option changed, and again with two
LONGEST = 2_000  # decisions of a game; then it is asked whether it can end
MOST_ANSWERS = 4 * LONGEST  # of players and chance
ENDLESS_EFFORT, ENDLESS_SECONDS = 6_000, 1.0
MOST_ASKED = 2  # games of either part of which it is asked whether they can end, and nothing comes of it
MOST_CUT = 5  # games of either part that are cut: those after them would take as long and tell as little
SECONDS = 1.0  # of work, for either part, whatever was tried by then

Setting = dict[str, object]


@frozen
class Tried:
    """What was tried, as plain data; `notable`: games in which something was found, each by the number of its setting,
    its players and its own number."""

    report: OptionsReport
    notable: tuple[tuple[int, int, int], ...]
    is_interrupted: bool = False


def try_values(reading: Reading, seating: Seating, request: RunRequest) -> Tried:
    """One option changed, the others as they are."""
    settings = list(single_changes(reading, seating.tables[0]))
    report, trying = OptionsReport(of_values=len(settings)), begin_trying(reading, seating, request)
    try:
        for number, setting in enumerate(settings):
            if trying.is_over:
                break
            report.values += trying.try_setting(setting, GAMES, number)
    except KeyboardInterrupt:
        return Tried(report, tuple(trying.notable), True)
    return Tried(report, tuple(trying.notable))


def try_pairs(reading: Reading, seating: Seating, request: RunRequest) -> Tried:
    settings = list(pair_changes(reading, seating.tables[0]))
    report, trying = OptionsReport(of_pairs=len(settings)), begin_trying(reading, seating, request)
    try:
        for number, setting in enumerate(settings):
            if trying.is_over or number >= MOST_PAIRS * trying.scale:
                report.left.append(", ".join(f"{name}={value_text(value)}" for name, value in setting.items()))
            elif trying.try_setting(setting, 1, number, at_both_ends=False):
                report.pairs += 1
            else:
                report.of_pairs -= 1  # the rules forbid it
    except KeyboardInterrupt:
        return Tried(report, tuple(trying.notable), True)
    return Tried(report, tuple(trying.notable))


def add_tried(report: FileReport, seating: Seating, request: RunRequest, values: Tried, pairs: Tried) -> None:
    """Fills in what was tried, and adds what got stuck: those games are played once more."""
    first, second = values.report, pairs.report
    report.options = OptionsReport(first.values, first.of_values, second.pairs, second.of_pairs, second.left)
    table = seating.tables[0]
    for tried, settings in (
        (values, list(single_changes(report.reading, table))), (pairs, list(pair_changes(report.reading, table)))
    ):  # fmt: skip
        trying = OptionTrials(report, seating, request, effort_scale(request))
        for number, players, game in tried.notable:
            trying.play_again(settings[number], players, game)
    if values.is_interrupted or pairs.is_interrupted:
        raise KeyboardInterrupt


def begin_trying(reading: Reading, seating: Seating, request: RunRequest) -> OptionTrials:
    return OptionTrials(FileReport(reading), seating, request, effort_scale(request))


def single_changes(reading: Reading, table: Table) -> Iterator[Setting]:
    """A value of each option, then another of each."""
    assert reading.program is not None
    settings: list[list[Setting]] = []
    for option in reading.program.game.options:
        values = other_values(table, option.name.text)
        step = -(-len(values) // MOST_VALUES) or 1
        settings.append([{option.name.text: value} for value in dict.fromkeys([*values[::step], *values[-1:]])])
    return interleave_settings(settings)


def pair_changes(reading: Reading, table: Table) -> Iterator[Setting]:
    """The values of two options, both changed: of a long range its ends. A pair of values of any two, then another."""
    assert reading.program is not None
    settings: list[list[Setting]] = []
    for one, other in combinations(reading.program.game.options, 2):
        values = product(few_values(table, one.name.text), few_values(table, other.name.text))
        settings.append([{one.name.text: value, other.name.text: another} for value, another in values])
    return interleave_settings(settings)


def interleave_settings(settings: list[list[Setting]]) -> Iterator[Setting]:
    """The first of each list, then the second of each; so that a list that takes long keeps none out."""
    return (setting for row in zip_longest(*settings) for setting in row if setting is not None)


def few_values(table: Table, option: str) -> list[object]:
    values = other_values(table, option)
    return values if len(values) <= FEW_VALUES else [values[0], values[-1]]


def other_values(table: Table, option: str) -> list[object]:
    return [value for value in list_option_values(table, option) if value != table.options[option]]


def setting_text(request: RunRequest, usual: RunRequest) -> Message:
    changed = {name: value for name, value in request.settings.items() if usual.settings.get(name) != value}
    return message("with {settings}", settings=[f"{name}={value}" for name, value in changed.items()])


@define(eq=False)
class OptionTrials:
    report: FileReport
    seating: Seating
    request: RunRequest
    scale: float  # of the usual work
    _decisions: int = field(init=False, default=0)
    _asked: int = field(init=False, default=0)
    _cut: int = field(init=False, default=0)
    _until: float = field(init=False)
    notable: list[tuple[int, int, int]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self._until = process_time() + SECONDS * max(self.scale, 1)

    @property
    def is_over(self) -> bool:
        enough = max(self.scale, 1)
        is_much = self._decisions > DECISIONS * self.scale or self._cut >= MOST_CUT * enough
        return is_much or process_time() > self._until

    def try_setting(self, setting: Setting, games: int, number: int, at_both_ends: bool = True) -> bool:
        """Whether there is a table for it. `number`: of the setting."""
        request, is_allowed = self.request_for(setting), False
        for table in self.tables_with(setting):
            is_allowed = True
            for game in range(games):
                known = len(self.report.faults)
                self.play_game(table, request, game)
                if len(self.report.faults) > known:
                    self.notable.append((number, table.players, game))
            if not at_both_ends:
                break
        return is_allowed

    def request_for(self, setting: Setting) -> RunRequest:
        written = {name: value_text(value) for name, value in setting.items()}
        return self.request.but(settings={**self.request.settings, **written})

    def play_again(self, setting: Setting, players: int, number: int) -> None:
        assert self.report.reading.program is not None
        self.play_game(set_up_table(self.report.reading.program, players, setting), self.request_for(setting), number)

    def tables_with(self, setting: Setting) -> Iterator[Table]:
        """The smallest and the largest number of players, where the rules allow this setting."""
        assert self.report.reading.program is not None
        counts = [table.players for table in self.seating.tables]
        for players in sorted({min(counts), max(counts)}):
            try:
                yield set_up_table(self.report.reading.program, players, setting)
            except RefusedTable:
                continue

    def play_game(self, table: Table, request: RunRequest, number: int) -> None:
        seed = game_seed(request.seed, number)
        player = GameChecker(table, LONGEST)
        player.guard.leave_out_properties([judged.declaration for judged in table.watches.properties])
        game = player.play_game(SeededAnswers(Streams(seed)), most=MOST_ANSWERS)
        self._decisions += len(game.choices)
        again, under = repeat_command(self.report, table, request, number), setting_text(request, self.request)
        for failure in game.failures:
            if failure.diagnostic is None or any(one.is_same(failure.diagnostic) for one in self.report.faults):
                continue
            self.report.faults.append(FaultReport(failure.diagnostic, 0, again, under))
            self.report.failing.append((table, seed))
        self._cut += game.is_cut
        if game.is_cut and self._asked < MOST_ASKED * max(self.scale, 1):
            self.check_endless_game(game, again, under)

    def check_endless_game(self, game: AnsweredGame, again: str, under: str) -> None:
        """Nobody says anything where it may go on: who plays on may come to the end, or nothing is known."""
        self._asked += 1
        state = game.stopped_at
        if state is None or can_reach_end(game.table, state):
            return
        found = find_trap(game, Effort(int(ENDLESS_EFFORT * min(self.scale, 1)), ENDLESS_SECONDS))
        if found is None:
            return
        diagnostic = trap_diagnostic(found)
        if not any(one.is_same(diagnostic) for one in self.report.faults):
            self.report.faults.append(FaultReport(diagnostic, 0, again, under))
            self.report.traps.append(found)
