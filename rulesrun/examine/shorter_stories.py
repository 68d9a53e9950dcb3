"""A failure that took long to come, told in fewer moves on a small table. Takes its story, gives a shorter one.

The small tables that the rules declare are gone through, the nearest positions first, until the same failure comes;
where there are none, the table as it is, then a few that are proposed. So many positions of each, and no clock decides.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from rulesrun.dsl.contents.proposals import find_dimensions, make_proposal
from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import Reading
from rulesrun.interpreter.explore.breadth_first import Enough, Explored, Finding
from rulesrun.interpreter.explore.findings import tell_finding, tell_trap
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import LEAK, FailureKind
from rulesrun.interpreter.stories.story import Story
from rulesrun.interpreter.symmetry.symmetries import find_symmetry_group
from rulesrun.run.explore_engines import make_explorer
from rulesrun.services.small_tables import Site, make_declared_site, play_trial, seat_or_none
from rulesrun.terminal.requests import ExploreRequest, Request
from rulesrun.terminal.trouble import Trouble

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
