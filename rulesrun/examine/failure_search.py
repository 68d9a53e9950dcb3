"""Looks further than plainly random games, and finds for every failure of a file the smallest game that shows it.

Fills in the searches and stories of a report; adds failures that only the search has found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import process_time

from attrs import define, evolve, field, frozen

from rulesrun.dsl.contents.small_tables import find_dimensions, make_proposal
from rulesrun.dsl.contents.told_pieces import PROPERTY_WORDS
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import message
from rulesrun.files.excerpts import line_of, place_text
from rulesrun.files.loading import Reading
from rulesrun.interpreter.explore.breadth_first import Enough, Explored, Finding
from rulesrun.interpreter.explore.findings import tell_finding, tell_trap
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import (
    LEAK,
    AnsweredGame,
    Failure,
    FailureKind,
    GameChecker,
    SeededAnswers,
    fault_kind,
)
from rulesrun.interpreter.search.biased_search import SearchResult, search_failures
from rulesrun.interpreter.search.effort import Effort
from rulesrun.interpreter.search.endless import (
    TRIES,
    Trap,
    count_games_to_the_end,
    find_chosen_circle,
    find_game_circle,
    find_trap,
    shrink_trap,
)
from rulesrun.interpreter.search.shrink import shrink_game
from rulesrun.interpreter.secrecy.seat_knowledge import has_secrets
from rulesrun.interpreter.stories.story import Story, tell_story
from rulesrun.interpreter.symmetry.symmetries import find_symmetry_group
from rulesrun.run.compiled import CompiledTables
from rulesrun.run.explore_engines import make_explorer
from rulesrun.run.search_engines import AllJudges, search_tables
from rulesrun.services.reports import FaultReport, FileReport, LastingReport, PropertyReport, SearchReport
from rulesrun.services.small_tables import Site, make_declared_site, play_trial, seat_or_none
from rulesrun.services.stories import StoryReport, headline, leak_text
from rulesrun.terminal.requests import ExploreRequest, Request, RunRequest
from rulesrun.terminal.trouble import Trouble

# ---- shorter stories
# A failure that took long to come, told in fewer moves on a small table. Takes its story, gives a shorter one.
#
# The small tables that the rules declare are gone through, the nearest positions first, until the same failure comes;
# where there are none, the table as it is, then a few that are proposed. So many positions of each, and no clock
# decides.


SHORT = 4  # moves: nobody needs fewer
LONG = 12  # moves: worth proposing a table
LONGER = 1.5  # times as long as on the small table: else the table as it is tells it
MOST_POSITIONS = 20_000
SHARES = (0.0, 0.125, 0.25, 0.5)  # of what was made smaller, how much is given back
FEW = 8  # exchanges
RAN_OUT = "empty-zone"  # how many components there are is the point: another table has others
SECONDS = 10.0  # of work, for one table at most


@frozen(eq=False)
class ShorterStory:
    """The same failure, told on another table."""

    site: Site
    story: Story


def find_shorter_story(reading: Reading, request: Request, kind: FailureKind, story: Story) -> ShorterStory | None:
    """The shortest on the small tables that are declared, else the first one; None when it is not much shorter."""
    moves = len(story.moves)
    if moves <= SHORT or kind.name in {LEAK, RAN_OUT}:
        return None
    found: list[ShorterStory] = []
    for site, is_declared in candidate_sites(reading, request, story):
        told = tell_at_site(site, request, kind)
        if told is not None and LONGER * len(told.moves) < moves:
            found.append(ShorterStory(site, told))
            if not is_declared:
                break
    return min(found, key=lambda one: len(one.story.moves), default=None)


def candidate_sites(reading: Reading, request: Request, story: Story) -> Iterator[tuple[Site, bool]]:
    assert reading.program is not None
    some = False
    for small in reading.program.game.smalls:
        try:
            yield make_declared_site(reading, small, request), True
            some = True
        except Trouble:
            continue
    if some:
        return
    table = story.game.table
    yield Site(message("the full table"), table), False
    if len(story.moves) > LONG:
        asked = type(request)(files=request.files, players=str(table.players), settings=request.settings)
        yield from ((site, False) for site in propose_sites(reading, asked, table, story.failure.kind))


def propose_sites(reading: Reading, request: Request, whole: Table, kind: FailureKind) -> Iterator[Site]:
    """All that may be smaller as small as can be, then less so. A table on which every game fails like this one says
    something of its size alone, if that is not so on the whole table."""
    assert reading.program is not None
    always = not can_go_well(whole, kind)
    for share in SHARES:
        sizes = {one.name: one.least + int((one.whole - one.least) * share) for one in find_dimensions(reading.program)}
        made = make_proposal(reading.program, whole.players, sizes)
        table = seat_or_none(reading, made.program, request) if made is not None else None
        if made is not None and table is not None and (always or can_go_well(table, kind)):
            yield Site(message("a smaller table, proposed"), table, made.shrunk)


def can_go_well(table: Table, kind: FailureKind) -> bool:
    found = play_trial(table)
    return found.games > found.broken_games[kind.name] + found.faulty_games.total()


def tell_at_site(site: Site, request: Request, kind: FailureKind) -> Story | None:
    """The shortest game of this table that fails alike, when it comes soon enough. Games in machine code may be asked
    for where positions cannot be gone through by it.
    """
    is_endless = kind.name == "no-way-out"
    seeking = make_explorer(
        request.as_request(ExploreRequest), seconds=SECONDS, enough=None if is_endless else stop_when_found(kind)
    )
    seeking = evolve(seeking, engine="auto") if seeking.engine == "native" else seeking
    group = find_symmetry_group(site.table, FEW) if site.shrunk else None
    found, ends = seeking.explore(site.table, MOST_POSITIONS, group)
    if found.is_interrupted:
        raise KeyboardInterrupt
    if is_endless:
        return tell_trap(found, ends.trapped) if ends.trapped else None
    finding = first_finding(found, kind)
    return tell_finding(found, finding) if finding is not None else None


def stop_when_found(kind: FailureKind) -> Enough:
    return lambda found: first_finding(found, kind) is not None


def first_finding(found: Explored, kind: FailureKind) -> Finding | None:
    return next((one for one in found.findings if finding_kind(one) == kind), None)


def finding_kind(finding: Finding) -> FailureKind:
    return FailureKind(finding.title, finding.span.file, finding.span.start)


# ---- failure search


LEAK_EFFORT, LEAK_SECONDS = 8_000, 6.0
SHRINK_EFFORT, SHRINK_SECONDS, LEAK_SHRINK_SECONDS = 60_000, 6.0, 6.0
LEAK_SHRINK_EFFORT = 10_000  # for all stories of leaks together
ENDLESS_EFFORT, ENDLESS_SECONDS = 20_000, 4.0
MOST_STORIES = 5
ALL_STORIES_EFFORT, ALL_STORIES_SECONDS = 80_000, 8.0
LEAST_EFFORT, LEAST_SECONDS = 2_000, 0.5
NO_WAY_OUT, TOO_LONG = "no-way-out", "too-long"

Ahead = Callable[[], tuple[SearchResult, SearchResult]]  # for what is rare, for leaks


@define(eq=False)
class FailureSearch:
    report: FileReport
    tables: tuple[Table, ...]
    found: SearchResult
    request: RunRequest
    judge_circle: Callable[[], LastingReport | None]
    code: CompiledTables = field(init=False)
    judges: AllJudges = field(init=False)
    long_games: list[AnsweredGame] = field(init=False, factory=list)  # random games that were not over after very long

    def __attrs_post_init__(self) -> None:
        self.code = CompiledTables(self.request.engine or "auto")
        self.judges = AllJudges(self.code)

    def replay_failures(self) -> None:
        """The games that failed, played once more with their answers written down."""
        for table, seed in self.report.failing:
            game = GameChecker(table, MOST_DECISIONS).play_game(SeededAnswers(Streams(seed)))
            self.found.add_game(game)
            if game.is_cut:
                self.long_games.append(game)

    def search_failures(self, seed: int, patience: float, ahead: Ahead | None = None) -> None:
        if ahead is None:
            games = search_tables(self.tables, seed, patience, self.code)
            looked = search_leaks(self.tables, seed, patience) if not games.is_interrupted else SearchResult()
        else:
            games, looked = ahead()
        for one in (games, looked):
            for kind, game in one.found.items():
                self.found.found.setdefault(kind, game)
            self.found.happened += one.happened
            self.found.endless = self.found.endless or (one.endless if one is games else None)
        is_late, seconds = games.is_late or looked.is_late, games.seconds + looked.seconds
        self.report.search = SearchReport(games.games, looked.games, looked.looked, looked.open, seconds, is_late)
        if games.is_interrupted or looked.is_interrupted:
            raise KeyboardInterrupt

    # ---- what was not known

    def add_failures(self) -> None:
        for entry in self.report.properties:
            if entry.can_happen and not entry.games:
                entry.searched = self.found.happened[entry.title]
        for kind, game in self.found.found.items():
            failure = game.find_failure(kind)
            assert failure is not None
            if failure.diagnostic is None and failure.leak is None:
                self.add_property(failure, game)
            else:
                self.add_fault(failure_diagnostic(failure))

    def add_property(self, failure: Failure, game: AnsweredGame) -> None:
        for entry in self.report.properties:
            if entry.title == failure.title and not entry.can_happen:
                if not entry.games:
                    entry.searched, entry.players = 1, game.table.players
                return
        sources = self.report.reading.sources
        line, place = line_of(failure.span, sources), place_text(failure.span, self.report.reading.name, sources)
        players = game.table.players
        self.report.properties.append(
            PropertyReport(PROPERTY_WORDS["always"], failure.title, line, place, players=players, searched=1)
        )

    def add_fault(self, diagnostic: Diagnostic) -> None:
        if not any(one.is_same(diagnostic) for one in self.report.faults):
            self.report.faults.append(FaultReport(diagnostic, 0, ""))

    # ---- stories

    def tell_stories(self) -> None:
        left, until = ALL_STORIES_EFFORT, process_time() + ALL_STORIES_SECONDS
        left_for_leaks = LEAK_SHRINK_EFFORT
        for kind, game in list(self.found.found.items())[:MOST_STORIES]:
            most = min(left, left_for_leaks) if kind.name == LEAK else left
            spent = self.tell_failure(kind, game, most, until - process_time())
            left -= spent
            left_for_leaks -= spent if kind.name == LEAK else 0
        self.tell_endless()

    def tell_as_found(self) -> None:
        """What has no story yet gets the game that was found first: nobody waits for a smaller one."""
        told = {one.story.failure.kind for one in self.report.stories}
        for kind, game in list(self.found.found.items())[:MOST_STORIES]:
            failure = game.find_failure(kind)
            if kind not in told and failure is not None:
                failure = with_diagnostic(failure)
                story = tell_story(cut_game_at(game, failure), failure)
                self.report.stories.append(StoryReport(self.headline_of(failure), story, self.report.reading, False))

    def headline_of(self, failure: Failure) -> str:
        word = next((one.word for one in self.report.properties if one.title == failure.title), "")
        return headline(failure, word)

    def tell_failure(
        self, kind: FailureKind, game: AnsweredGame, most: int = SHRINK_EFFORT, seconds: float = SHRINK_SECONDS
    ) -> int:
        """Gives the effort that it took."""
        usual, longest = SHRINK_EFFORT, SHRINK_SECONDS
        if kind.name == LEAK:
            usual, longest = LEAK_SHRINK_EFFORT, LEAK_SHRINK_SECONDS
        effort = Effort(min(usual, max(most, LEAST_EFFORT)), min(longest, max(seconds, LEAST_SECONDS)))
        smaller = [table for table in self.tables if table.players < game.table.players]
        small, is_smallest = shrink_game(game, kind, smaller, effort, self.judges.make_judge)
        failure = small.find_failure(kind)
        assert failure is not None
        failure = with_diagnostic(failure)
        self.note_story(self.headline_of(failure), tell_story(small, failure), is_smallest)
        return effort.spent

    def note_story(self, what: str, story: Story, is_smallest: bool = True) -> None:
        """The story, told on a small table where that is much shorter."""
        told = StoryReport(what, story, self.report.reading, is_smallest)
        self.report.stories.append(told)  # known, should somebody interrupt what follows
        found = find_shorter_story(self.report.reading, self.request, story.failure.kind, story)
        if found is not None:
            on = evolve(told, story=found.story, is_smallest=True, site=found.site, whole=story)
            self.report.stories[-1] = on

    def tell_endless(self) -> None:
        """Games that go on very long: they must, which is proved; or they may; or nobody knows."""
        for found in self.report.traps:
            self.tell_trap(found)
        for game in self.long_games or ([self.found.endless] if self.found.endless is not None else []):
            state = game.stopped_at
            ends = count_games_to_the_end(game.table, state) if state is not None else 0
            if not ends:
                self.tell_without_end(game)
                return
            self.note_lasting(ends)
        self.note_circle()

    def tell_without_end(self, game: AnsweredGame) -> None:
        """Nobody who went on from where it was stopped came to the end."""
        found = find_trap(game, Effort(ENDLESS_EFFORT, ENDLESS_SECONDS))
        if found is None:
            self.tell_circle()
            return
        self.report.faults = [one for one in self.report.faults if one.diagnostic.code != TOO_LONG]
        self.tell_trap(found)

    def tell_trap(self, found: Trap) -> None:
        found = shrink_trap(found, Effort(ENDLESS_EFFORT, ENDLESS_SECONDS))
        failure = trap_failure(found)
        assert failure.diagnostic is not None
        self.add_fault(failure.diagnostic)
        self.note_story(headline(failure), evolve(tell_story(found.game, failure), trapped=found.positions))

    def note_lasting(self, ends: int) -> None:
        """The end was reached from where a long game was stopped: it may go on, nobody must."""
        long = [one for one in self.report.faults if one.diagnostic.code == TOO_LONG]
        if long:
            games = sum(one.games for one in long)
            self.report.faults = [one for one in self.report.faults if one not in long]
            self.report.lasting = LastingReport(games, self.report.games, ends, TRIES)

    def note_circle(self) -> None:
        """Whether players who choose so come back to where they were; asked of all rules, that of any two the same is
        said."""
        if self.report.lasting is None:
            self.report.lasting = self.judge_circle()

    def tell_circle(self) -> None:
        """A game that was too long, and no proof that it has no end: one way to go on for ever."""
        too_long = next((one for one in self.report.faults if one.diagnostic.code == TOO_LONG), None)
        found = find_game_circle(self.tables[0]) if too_long is not None else None
        if found is None or too_long is None:
            return
        diagnostic = too_long.diagnostic
        amount = len(found.game.choices), len(found.game.answers)
        failure = Failure(fault_kind(diagnostic), diagnostic.span, found.state, *amount, diagnostic=diagnostic)
        told = evolve(tell_story(found.game, failure), circles=found.until)
        self.note_story(headline(failure), told)


def search_leaks(tables: Sequence[Table], seed: int, patience: float) -> SearchResult:
    several = tuple(table for table in tables if has_secrets(table))
    effort = Effort(int(LEAK_EFFORT * patience), LEAK_SECONDS * max(patience, 1))
    return search_failures(several, seed, effort, leaks=True) if several else SearchResult()


def judge_lasting_by_choice(table: Table) -> LastingReport | None:
    """Players may come back to where they were, and from there to the end."""
    found = find_chosen_circle(table)
    if found is None:
        return None
    ends = count_games_to_the_end(table, found.state)
    return LastingReport(0, 0, ends, TRIES, len(found.game.choices), found.until) if ends else None


def cut_game_at(game: AnsweredGame, failure: Failure) -> AnsweredGame:
    """The game as far as it had come when it failed."""
    choices = tuple(at for at in game.choices if at < failure.answers)
    return evolve(game, answers=game.answers[: failure.answers], choices=choices)


def trap_diagnostic(found: Trap) -> Diagnostic:
    wait = found.game.table.waits[found.state.slots[0]]
    return Diagnostic(
        NO_WAY_OUT, message("from here the game cannot end"), wait.node.span, message("add a rule that ends it"),
        "error",
    )


def trap_failure(found: Trap) -> Failure:
    game, diagnostic = found.game, trap_diagnostic(found)
    return Failure(
        fault_kind(diagnostic),
        diagnostic.span,
        found.state,
        len(game.choices),
        len(game.answers),
        diagnostic=diagnostic,
    )


def with_diagnostic(failure: Failure) -> Failure:
    return failure if failure.leak is None else evolve(failure, diagnostic=failure_diagnostic(failure))


def failure_diagnostic(failure: Failure) -> Diagnostic:
    if failure.leak is None:
        assert failure.diagnostic is not None
        return failure.diagnostic
    return Diagnostic(LEAK, leak_text(failure.leak), failure.span, None, "error")


def search_for_failures(
    report: FileReport, tables: tuple[Table, ...], request: RunRequest, patience: float, ahead: Ahead | None = None,
    judge_circle: Callable[[], LastingReport | None] | None = None,
) -> FailureSearch:
    """What fails, not told yet. `patience`: how much further than the games that were played, as a part of the usual;
    0: not at all. `ahead` and `judge_circle` give what was found before.
    """
    judge_circle = judge_circle or partial(judge_lasting_by_choice, tables[0])
    seeking = FailureSearch(report, tables, SearchResult(), request, judge_circle)
    try:
        seeking.replay_failures()
        if patience and not report.is_partial:
            seeking.search_failures(request.seed, patience, ahead)
    except KeyboardInterrupt:
        report.is_partial = True
    seeking.add_failures()
    return seeking


def search_and_tell(
    report: FileReport, tables: tuple[Table, ...], request: RunRequest, patience: float,
    before_stories: Callable[[], None] | None = None, ahead: Ahead | None = None,
    judge_circle: Callable[[], LastingReport | None] | None = None,
) -> None:
    """As `search_for_failures`, with a story of each failure; of a report that was interrupted as it was found.

    `before_stories`: what else adds to the report, and has stories of its own for what is not known by then.
    """
    seeking = search_for_failures(report, tables, request, patience, ahead, judge_circle)
    try:
        if before_stories is not None and not report.is_partial:
            before_stories()
        if not report.is_partial:
            seeking.tell_stories()
    except KeyboardInterrupt:
        report.is_partial = True
    if report.is_partial:
        seeking.tell_as_found()
