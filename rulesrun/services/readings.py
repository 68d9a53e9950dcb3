"""The alternatives of a reading, played against each other: a checked file in, counts and the shortest games out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from rulesrun.dsl.text.source import Span
from rulesrun.files.loading import Reading
from rulesrun.interpreter.measure.first_difference import Ending, OutOfTime, Parting
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.play.properties import Share
from rulesrun.interpreter.reference.table import Table, list_option_values, set_up_table, usual_option
from rulesrun.interpreter.search.endless import GoingOn, judge_long_game
from rulesrun.run.measure_engines import ContrastEngines, DealContrasts
from rulesrun.services.play import game_seed
from rulesrun.services.tables import seat_all
from rulesrun.services.unfinished_games import is_fault
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import ReadingsRequest

if TYPE_CHECKING:
    from rulesrun.interpreter.native.measure.first_difference import SeenDifference

MOST_VALUES = 5  # of one reading, and of another option that is tried beside it
MOST_SURROUNDINGS = 24
SECONDS = 20.0

Setting = Mapping[str, object]


@frozen
class DifferingGame:
    """A game that differs, the shortest so far. `decisions`: how long the longer of the two is."""

    players: int
    seed: int
    decisions: int
    parting: Parting
    tables: tuple[Table, Table]


@define
class Surrounding:
    """One choice of the other options, at which two alternatives were played against each other."""

    setting: Setting  # what is not at its default
    games: int = 0
    differed: int = 0
    scores: int = 0
    winner: int = 0
    unfinished: int = 0  # stopped by the clock
    stuck: list[int] = field(factory=lambda: [0, 0])
    long: list[int] = field(factory=lambda: [0, 0])  # games that were not over after very long
    going_on: list[GoingOn | None] = field(factory=lambda: [None, None])  # what is known of the first of them
    players: dict[int, tuple[int, int, int]] = field(factory=dict)  # games, differed, winner by number of players
    shortest: DifferingGame | None = None
    shortest_winner: DifferingGame | None = None

    @property
    def has_faults(self) -> bool:
        """Whether games got stuck, or went on and on and nobody knows that they only may."""
        long = zip(self.long, self.going_on, strict=True)
        return any(self.stuck) or any(games and is_fault(found) for games, found in long)

    def note_ending(self, at: int, ending: Ending, table: Table) -> None:
        if ending.stopped is None:
            self.stuck[at] += ending.stuck is not None
            return
        self.long[at] += 1
        if self.going_on[at] is None:
            self.going_on[at] = judge_long_game(table, ending.stopped)

    def shares(self) -> tuple[Share, Share, Share]:
        return Share(self.differed, self.games), Share(self.scores, self.games), Share(self.winner, self.games)


@define
class ReadingPair:
    """Two alternatives of one reading. The first surrounding is what was asked for, all else at its default."""

    left: object
    right: object
    surroundings: list[Surrounding] = field(factory=list)

    @property
    def first(self) -> Surrounding:
        return self.surroundings[0]

    @property
    def others(self) -> list[Surrounding]:
        return self.surroundings[1:]


@define
class ReadingReport:
    name: str
    span: Span
    sentence: str | None
    examples: int  # how many examples set it
    values: tuple[object, ...] = ()
    default: object = None
    is_cut: bool = False  # more values than are compared
    pairs: list[ReadingPair] = field(factory=list)


@define
class ContrastReport:
    reading: Reading
    readings: list[ReadingReport] = field(factory=list)
    looking: ContrastEngines = field(factory=ContrastEngines)
    seconds: float = 0.0
    is_partial: bool = False

    @property
    def games(self) -> int:
        """Every deal counts twice: once for each alternative."""
        return sum(2 * one.games for one in self._all_surroundings())

    @property
    def is_stuck(self) -> bool:
        """Whether a game has come to something that the rules give no meaning to."""
        return any(one.has_faults for one in self._all_surroundings())

    def _all_surroundings(self) -> Iterator[Surrounding]:
        return (one for reading in self.readings for pair in reading.pairs for one in pair.surroundings)


def list_readings(reading: Reading, request: ReadingsRequest) -> ContrastReport:
    """The readings of a file with nothing played yet."""
    program = reading.program
    assert program is not None
    table = seat_all(reading, request).tables[0]
    report = ContrastReport(reading, looking=ContrastEngines(request.engine or "auto"))
    for option in program.game.options:
        if option.is_reading:
            examples = sum(option.name.text in one.options_set for one in program.game.examples)
            found = ReadingReport(option.name.text, option.span, option.sentence, examples)
            report.readings.append(_fill_in(found, table))
    return report


def _fill_in(report: ReadingReport, table: Table) -> ReadingReport:
    """Its values, the usual one first, and which are compared."""
    report.values, report.default = list_option_values(table, report.name), usual_option(table, report.name)
    few = tuple(sorted(report.values, key=lambda value: value != report.default))[:MOST_VALUES]
    report.is_cut = len(few) < len(report.values)
    report.pairs = [ReadingPair(left, right) for left, right in combinations(few, 2)]
    return report


# ---------------------------------------------------------------- playing


def play_contrasts(report: ContrastReport, request: ReadingsRequest, progress: Progress) -> None:
    """Fills in the report within its time; Ctrl-C leaves what is known by then, marked as partial."""
    began = monotonic()
    wanted = request.games
    until = began + SECONDS if wanted is None else float("inf")
    try:
        _play_all_pairs(report, request, progress, wanted, until)
    except KeyboardInterrupt:
        report.is_partial = True
    finally:
        report.seconds = monotonic() - began
        progress.close()


def _play_all_pairs(
    report: ContrastReport, request: ReadingsRequest, progress: Progress, wanted: int | None, until: float
) -> None:
    work = [(reading, pair, one) for reading in report.readings for pair in reading.pairs
            for one in _list_surroundings(report, reading, pair, request)]  # fmt: skip
    weights = [4 if one is pair.first else 1 for _, pair, one in work]
    for at, (reading, pair, one) in enumerate(work):
        now = monotonic()
        share = now + (until - now) * weights[at] / sum(weights[at:]) if wanted is None else until
        match = ReadingMatch(report.reading, request, reading.name, pair, one, report.looking)
        _play_match(report, match, wanted, share, progress)


def _list_surroundings(
    report: ContrastReport, reading: ReadingReport, pair: ReadingPair, request: ReadingsRequest
) -> Sequence[Surrounding]:
    """As asked for, then every other option changed alone: a reading may matter only where another option is set."""
    assert report.reading.program is not None
    table = seat_all(report.reading, request).tables[0]
    pair.surroundings = [Surrounding({})]
    for option in report.reading.program.game.options:
        name = option.name.text
        if name != reading.name and name not in request.settings:
            others = [value for value in list_option_values(table, option.name.text) if value != table.options[name]]
            pair.surroundings += [Surrounding({name: value}) for value in others[: MOST_VALUES - 1]]
    del pair.surroundings[MOST_SURROUNDINGS:]
    return pair.surroundings


@define(eq=False)
class ReadingMatch:
    """Two alternatives in one surrounding; its tables are set up when they are first needed."""

    reading: Reading
    request: ReadingsRequest
    name: str
    pair: ReadingPair
    surrounding: Surrounding
    looking: ContrastEngines
    _deals: dict[int, DealContrasts | None] = field(factory=dict)

    def deals_for(self, players: int) -> DealContrasts | None:
        if players not in self._deals:
            try:
                both = self._set_up_table(players, self.pair.left), self._set_up_table(players, self.pair.right)
                self._deals[players] = DealContrasts(both, self.looking)
            except RefusedTable:
                self._deals[players] = None
        return self._deals[players]

    def _set_up_table(self, players: int, value: object) -> Table:
        assert self.reading.program is not None
        options = {**self.request.settings, **self.surrounding.setting, self.name: value}
        return set_up_table(self.reading.program, players, options)


def _play_match(
    report: ContrastReport, match: ReadingMatch, wanted: int | None, until: float, progress: Progress
) -> None:
    counts = [table.players for table in seat_all(match.reading, match.request).tables]
    seed = match.request.seed
    for number, players in _number_deals(counts, wanted):
        deals = match.deals_for(players)
        if monotonic() > until and match.surrounding.games:
            return
        if deals is None:
            if all(match.deals_for(one) is None for one in counts):
                return
            continue
        own = game_seed(seed, number)
        left = (until - monotonic()) / len(counts) if wanted is None else deals.choice.pace * (wanted - number)
        try:
            _note_deal(match.surrounding, deals, players, own, left, max(until, monotonic() + 0.5))
        except OutOfTime:
            match.surrounding.unfinished += 1
            return
        progress.update(report.games)


def _number_deals(counts: Sequence[int], wanted: int | None) -> Iterator[tuple[int, int]]:
    """Number of the game and of the players: every table in turn."""
    number = 0
    while wanted is None or number < wanted:
        for players in counts:
            yield number, players
        number += 1


def _note_deal(one: Surrounding, deals: DealContrasts, players: int, seed: int, left: float, until: float) -> None:
    """One more deal; machine code says what differs, unless the game is to be told: then the reference plays it."""
    seen = deals.look_at_deal(seed, left)
    if seen is not None and not _is_shorter(one, seen):
        _count_deal(one, players, seen.differs, seen.changes_the_scores, seen.changes_the_winner)
        return
    found = deals.contrast_by_reference(seed, until)
    _count_deal(one, players, found.parting is not None, found.changes_the_scores, found.changes_the_winner)
    for at, ending in enumerate(found.endings):
        one.note_ending(at, ending, deals.tables[at])
    if found.parting is None:
        return
    game = DifferingGame(players, seed, max(found.decisions), found.parting, deals.tables)
    one.shortest = _shorter_game(one.shortest, game)
    if found.changes_the_winner:
        one.shortest_winner = _shorter_game(one.shortest_winner, game)


def _is_shorter(one: Surrounding, seen: SeenDifference) -> bool:
    """Whether it is shorter than what is told now."""
    told = [one.shortest, *([one.shortest_winner] if seen.changes_the_winner else [])]
    length = seen.decisions, seen.shared
    return seen.differs and any(game is None or length < (game.decisions, game.parting.decisions) for game in told)


def _count_deal(one: Surrounding, players: int, differs: bool, scores: bool, winner: bool) -> None:
    one.games += 1
    one.differed += differs
    one.scores += scores
    one.winner += winner
    games, before, won = one.players.get(players, (0, 0, 0))
    one.players[players] = (games + 1, before + differs, won + winner)


def _shorter_game(known: DifferingGame | None, new: DifferingGame) -> DifferingGame:
    """Fewest decisions, then the earliest parting."""
    if known is None:
        return new
    return min(known, new, key=lambda game: (game.decisions, game.parting.decisions))
