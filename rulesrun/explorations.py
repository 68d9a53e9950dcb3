"""Which tables are explored, and what was found at each. Takes a Reading and a Request, gives data for the report."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, evolve, field, frozen

from rulesrun.arguments import Request
from rulesrun.dsl import ast
from rulesrun.dsl.check import check
from rulesrun.dsl.program import Program
from rulesrun.dsl.small import small_game
from rulesrun.interpreter.exploring.breadth import MOST_POSITIONS, Explored, Finding, explore
from rulesrun.interpreter.exploring.by_trial import Proved, symmetries
from rulesrun.interpreter.exploring.endings import Circle, circle, without_end
from rulesrun.interpreter.exploring.never import Never, never_happened
from rulesrun.interpreter.exploring.proposing import proposals
from rulesrun.interpreter.exploring.relevance import unjudged
from rulesrun.interpreter.exploring.renaming import group_of_words
from rulesrun.interpreter.exploring.telling import Circling, story_of, story_of_circle, story_without_end
from rulesrun.interpreter.searching.story import Story
from rulesrun.interpreter.simulate import simulate
from rulesrun.interpreter.table import Table
from rulesrun.loading import Reading
from rulesrun.progress import Progress
from rulesrun.tables import seat_one
from rulesrun.trouble import Trouble, Unplayable

FIRST_LOOK = 20_000  # positions of a whole table, before a smaller one is proposed
TRIAL_GAMES = 20
TRIAL_LIMIT = 500


@frozen(eq=False)
class Site:
    """A table, what it is called, and how it was made smaller than the rules say."""

    name: str
    table: Table
    shrunk: tuple[str, ...] = ()


@define(eq=False)
class SiteReport:
    site: Site
    found: Explored
    stories: list[tuple[Finding | None, Story | None]] = field(factory=list)
    trapped: list[int] = field(factory=list)
    circle: Circle | None = None
    circling: Circling | None = None
    nevers: tuple[Never, ...] = ()
    unjudged: tuple[ast.Property, ...] = ()
    proved: tuple[Proved, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.found.findings and not self.trapped


@define(eq=False)
class Exploration:
    reading: Reading
    sites: list[SiteReport] = field(factory=list)
    is_interrupted: bool = False
    said: list[str] = field(factory=list)

    @property
    def holds(self) -> bool:
        return all(site.holds for site in self.sites)


def explored(reading: Reading, request: Request) -> Exploration:
    """Every table that is to be looked at, one after the other; what is known when it is interrupted."""
    exploration = Exploration(reading)
    assert reading.program is not None
    smalls = reading.program.game.smalls
    if smalls and not request.has("whole"):
        for small in smalls:
            if not exploration.is_interrupted:
                look(exploration, declared(reading, small, request), request, limit_of(request))
        return exploration
    site = Site("the table as it is", seat_one(reading, request))
    may_shrink = not request.has("whole") and request.number("limit") is None
    look(exploration, site, request, FIRST_LOOK if may_shrink else limit_of(request))
    if may_shrink and exploration.sites[-1].found.stopped == "limit":
        look_smaller(exploration, request)
    return exploration


def limit_of(request: Request) -> int:
    return request.number("limit") or MOST_POSITIONS


def declared(reading: Reading, small: ast.Small, request: Request) -> Site:
    assert reading.program is not None
    game = small_game(reading.program.game, small).game
    program = check(game, reading.program.sources)
    assert isinstance(program, Program)
    table = seat_one(evolve(reading, game=game, program=program), request)
    return Site(f'the small table "{small.title}"', table, texts(reading, small.pieces))


def texts(reading: Reading, pieces: tuple[ast.AnyDeclaration, ...]) -> tuple[str, ...]:
    """The first lines of what a small table changes."""
    sources = reading.sources
    whole = [sources[one.span.file].text[one.span.start : one.span.end].split("\n") for one in pieces]
    return tuple(lines[0] + (" …" if len(lines) > 1 else "") for lines in whole)


# ---- a table that nobody declared


def look_smaller(exploration: Exploration, request: Request) -> None:
    """The largest of the smaller tables of which all positions can be looked at; else as much as the limit allows."""
    best: SiteReport | None = None
    first = exploration.sites[0].found.table
    for site in smaller(exploration.reading, request):
        if len(site.table.bench.blank) > len(first.bench.blank):
            break
        report = look_at(site, request, limit_of(request))
        if best is not None and not report.found.is_complete:
            break
        best = report
        exploration.is_interrupted = report.found.stopped == "interrupted"
        if not report.found.is_complete or not report.holds or report.found.seconds > request_seconds(request):
            break
    if best is None:
        exploration.said.append("no smaller table could be proposed that plays as the rules mean it")
        return
    exploration.sites.append(best)


def request_seconds(request: Request) -> float:
    return 1.0 if request.has("quick") else 3.0


def smaller(reading: Reading, request: Request) -> Iterator[Site]:
    assert reading.program is not None
    for proposal in proposals(reading.program):
        try:
            table = seat_one(evolve(reading, game=proposal.program.game, program=proposal.program), request)
        except (Trouble, Unplayable):
            continue
        if plays(table):
            yield Site("a smaller table, proposed", table, proposal.shrunk)


def plays(table: Table) -> bool:
    """Whether some random games come to their end there, with nothing broken that is not broken on a whole table."""
    found = simulate(table, 0, TRIAL_GAMES, limit=TRIAL_LIMIT)
    return not found.faulty_games and not found.broken_games


# ---- one table


def look(exploration: Exploration, site: Site, request: Request, limit: int) -> None:
    report = look_at(site, request, limit)
    exploration.sites.append(report)
    exploration.is_interrupted = report.found.stopped == "interrupted"


def look_at(site: Site, request: Request, limit: int) -> SiteReport:
    progress = Progress(site.name, not (request.json or request.quiet))
    try:
        group = None if request.has("no-symmetry") else group_of_words(site.table)
        found = explore(site.table, limit, group=group, tell=progress.tell)
    finally:
        progress.close()
    report = SiteReport(site, found, unjudged=unjudged(site.table))
    report.trapped = without_end(found)
    report.circle = circle(found)
    report.nevers = never_happened(found)
    report.proved = () if request.has("no-symmetry") else symmetries(found)
    report.stories = [(finding, story_of(found, finding)) for finding in found.findings]
    if report.trapped:
        report.stories.append((None, story_without_end(found, report.trapped)))
    elif report.circle is not None:
        report.circling = story_of_circle(found, report.circle)
    return report
