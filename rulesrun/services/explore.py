"""Which tables are explored, and what was found at each. A reading and a request in, data for the report out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from attrs import define, field, frozen

from rulesrun.dsl.contents.rule_changes import find_rule_changes
from rulesrun.dsl.contents.settled_properties import find_settled_properties
from rulesrun.dsl.text.messages import Message, join_and, join_messages, message, plural
from rulesrun.dsl.text.source import Titled
from rulesrun.dsl.variants.extend import assemble_game
from rulesrun.files.loading import Reading
from rulesrun.interpreter.explore.breadth_first import MOST_POSITIONS, Explored, Finding
from rulesrun.interpreter.explore.findings import (
    Circle,
    CirclingStory,
    LengthCheck,
    check_lengths,
    tell_circle,
    tell_finding,
    tell_length,
    tell_trap,
)
from rulesrun.interpreter.explore.never_happened import (
    NeverHappened,
    Rule,
    find_never_happened,
    find_rules_reached,
    find_unreached_rules,
    rules_possible,
)
from rulesrun.interpreter.explore.observed_symmetries import ProvedSymmetries, find_observed_symmetries
from rulesrun.interpreter.explore.variant_changes import changed_and_not_reached
from rulesrun.interpreter.model.relevance import unjudged
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.play.properties import AGREE
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.interpreter.search.endless import MAY_GO_ON
from rulesrun.interpreter.secrecy.open_choices import prove_open_choices
from rulesrun.interpreter.stories.story import Story
from rulesrun.interpreter.symmetry.renaming import MOST_MEMBERS
from rulesrun.interpreter.symmetry.symmetries import find_symmetry_group
from rulesrun.run.explore_engines import make_explorer
from rulesrun.services import implicit_properties
from rulesrun.services.small_tables import Site, make_declared_site, propose_smaller_sites
from rulesrun.services.tables import seat_one
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import ExploreRequest
from rulesrun.terminal.trouble import Trouble

FIRST_LOOK = 20_000  # positions of a whole table, before a smaller one is proposed
FEW = 8  # exchanges, at a first look
ENOUGH = 20_000  # positions: no larger table is tried
LONGEST = 60.0  # seconds for one of them, on a slow machine


@define(eq=False)
class SiteReport:
    site: Site
    found: Explored
    stories: list[tuple[Finding | None, Story | None]] = field(factory=list)
    trapped: list[int] = field(factory=list)
    circle: Circle | None = None
    circling: CirclingStory | None = None
    nevers: tuple[NeverHappened, ...] = ()
    unjudged: frozenset[str] = frozenset()  # titles of properties that positions say nothing of
    proved: tuple[ProvedSymmetries, ...] = ()
    lengths: list[LengthCheck] = field(factory=list)
    is_cut: bool = False  # interrupted when all positions had been looked at

    @property
    def is_interrupted(self) -> bool:
        return self.is_cut or self.found.is_interrupted

    @property
    def holds(self) -> bool:
        return not self.found.findings and not self.trapped

    @property
    def does_not_fit(self) -> bool:
        """A small table of the base may not fit what a variant changes: properties that are broken there say nothing of
        the variant, so that nothing is left to say. That somebody gets stuck does."""
        broken = [one.kind for one in self.found.findings]
        return not self.site.is_own and not self.trapped and bool(broken) and set(broken) == {"property"}


@define(eq=False)
class Exploration:
    reading: Reading
    sites: list[SiteReport] = field(factory=list)
    is_interrupted: bool = False
    said: list[str] = field(factory=list)
    not_reached: tuple[NeverHappened, ...] = ()  # rules of the whole table that no small one looked at reaches

    @property
    def holds(self) -> bool:
        return all(site.holds for site in self.sites)

    @property
    def complete_sites(self) -> list[SiteReport]:
        return [site for site in self.sites if site.found.is_complete]


def explore_rules(reading: Reading, request: ExploreRequest) -> Exploration:
    """Every table that is to be looked at, one after the other; what is known when it is interrupted."""
    exploration = Exploration(reading)
    try:
        explore_sites(exploration, request)
        exploration.not_reached = find_unproved_rules(exploration, request)
    except KeyboardInterrupt:
        exploration.is_interrupted = True
        if not exploration.sites:
            exploration.said.append(message("interrupted before any position was looked at"))
    return exploration


def explore_sites(exploration: Exploration, request: ExploreRequest) -> None:
    reading = exploration.reading
    assert reading.program is not None
    smalls = reading.program.game.smalls
    exploration.said += lost_small_tables(reading, smalls)
    if not request.whole:
        for site in fitting_sites(exploration, smalls, request):
            if not exploration.is_interrupted:
                add_site(exploration, site, request, position_limit(request))
    if exploration.sites or exploration.is_interrupted:
        return
    site = Site(message("the full table"), seat_one(reading, request))
    may_shrink = not request.whole and request.limit is None
    if not may_shrink:
        add_site(exploration, site, request, position_limit(request))
        return
    add_site(exploration, site, request, FIRST_LOOK, FEW)
    if exploration.sites[-1].found.stopped == "limit" and not exploration.is_interrupted:
        explore_smaller(exploration, request)


def find_unproved_rules(exploration: Exploration, request: ExploreRequest) -> tuple[NeverHappened, ...]:
    """What the tables that were looked at whole prove nothing about, though it may happen at the whole table or is what
    a house rule changes; and properties that their sizes alone settle. A whole table leaves nothing open."""
    complete = exploration.complete_sites
    if not complete or any(site.site.is_whole for site in complete):
        return ()
    reading = exploration.reading
    assert reading.program is not None
    wanted: set[Rule] = set()
    for players in {site.site.table.players for site in complete}:
        with suppress(RefusedTable):
            whole = set_up_table(reading.program, players, dict(request.settings))
            wanted |= find_rules_reached(whole) | rules_possible(whole)
    changed_in = {link.source.file for link in reading.chain[1:]}
    missing = find_unreached_rules(wanted, changed_in, [site.found for site in complete])
    known = {(one.kind, one.name) for one in missing}
    changed = changed_not_reached(reading, complete)
    settled = find_settled_properties(reading.program, [site.site.table.program for site in complete])
    return (
        *missing, *(one for one in changed if (one.kind, one.name) not in known),
        *(NeverHappened("property", one.title, one.span) for one in settled),
    )


def changed_not_reached(reading: Reading, complete: list[SiteReport]) -> tuple[NeverHappened, ...]:
    """What a house rule says otherwise than its base, be it a definition, a table or a range."""
    if len(reading.chain) == 1 or reading.program is None:
        return ()
    base = assemble_game(reading.name, [(link.source, link.parsed) for link in reading.chain[:1]]).game
    changes = find_rule_changes(base, reading.program.written)
    return changed_and_not_reached(changes, [site.site.table for site in complete])


def fitting_sites(exploration: Exploration, smalls: Sequence[Titled], request: ExploreRequest) -> Iterator[Site]:
    """The small tables for as many players, and with such options, as are asked for."""
    for small in smalls:
        try:
            yield make_declared_site(exploration.reading, small, request)
        except Trouble as reason:
            exploration.said.append(left_out(small, reason))


def left_out(small: Titled, reason: Trouble) -> Message:
    return message('the small table "{title}" is left out: {reason}', title=small.title, reason=str(reason))


def lost_small_tables(reading: Reading, kept: Sequence[Titled]) -> list[str]:
    """Small tables of the base that do not fit what a variant made of it."""
    gone = [small.title for small in (reading.game.smalls if reading.game else ()) if small not in kept]
    return [
        message('the small table "{title}" of the base does not fit the changes and is left out', title=title)
        for title in gone
    ]


def position_limit(request: ExploreRequest) -> int:
    return request.limit or MOST_POSITIONS


# ---- a table that nobody declared


def explore_smaller(exploration: Exploration, request: ExploreRequest) -> None:
    """The largest of the smaller tables of which all positions can be looked at. Where nobody can do there what can be
    done in the rules, as much as the limit allows of a larger one, too."""
    best: SiteReport | None = None
    beyond: SiteReport | None = None
    first = exploration.sites[0].found.table
    for site in propose_smaller_sites(exploration.reading, request, first):
        if len(site.table.bench.blank) > len(first.bench.blank):
            break
        report = explore_site(site, request, position_limit(request), seconds=LONGEST)
        if not report.found.is_complete and report.holds:
            exploration.is_interrupted = report.is_interrupted
            beyond = report
            break
        best = report
        exploration.is_interrupted = report.is_interrupted
        if not report.found.is_complete or not report.holds or report.found.size > ENOUGH:
            break
    if best is not None:
        exploration.sites.append(best)
    if beyond is not None and (best is None or any(never.kind == "action" for never in best.nevers)):
        exploration.sites.append(beyond)
    elif best is None:
        exploration.said.append(
            message("no table was found that is small enough and still plays; declare one with `small` in the rules")
        )


# ---- one table


def add_site(
    exploration: Exploration, site: Site, request: ExploreRequest, limit: int, members: int = MOST_MEMBERS
) -> None:
    report = explore_site(site, request, limit, members)
    exploration.is_interrupted = report.is_interrupted
    if report.does_not_fit:
        broken = join_and([join_messages([f'"{one.title}"']) for one in report.found.findings])
        exploration.said.append(
            message(
                "{table} of the base is left out: it may not fit the changes, and breaks {titles}", table=site.name,
                titles=broken,
            )
        )
        return
    exploration.sites.append(report)


def explore_site(
    site: Site, request: ExploreRequest, limit: int, members: int = MOST_MEMBERS, seconds: float | None = None,
    proves: bool = True,
) -> SiteReport:
    """`proves`: whether exchanges are tried on all that was found, which takes as long again."""
    progress = Progress(site.name, not (request.json or request.quiet))
    try:
        group = None if request.no_symmetry else find_symmetry_group(site.table, members)
        found, ends = make_explorer(request, progress.update, seconds).explore(site.table, limit, group)
    finally:
        progress.close()
    unasked = frozenset(one.title for one in unjudged(site.table.bench))
    report = SiteReport(site, found, unjudged=unasked, trapped=ends.trapped, circle=ends.circle)
    try:
        complete_report(report, proves and not request.no_symmetry)
    except KeyboardInterrupt:
        report.is_cut = True
    return report


def complete_report(report: SiteReport, proves: bool) -> None:
    """All that follows from what was found, the stories first."""
    found = report.found
    for finding in found.findings.copy():
        report.stories.append((finding, tell_finding(found, finding)))
    report.lengths = check_lengths(found)
    for one in (length for length in report.lengths if length.is_broken):
        finding = Finding("property", one.declaration.title, message("this does not hold"), one.declaration.span, 0, ())
        found.findings.append(finding)
        report.stories.append((finding, tell_length(found, one)))
    if report.trapped:
        report.stories.append((None, tell_trap(found, report.trapped)))
    elif report.circle is not None:
        report.circling = tell_circle(found, report.circle)
    report.nevers = find_never_happened(found)
    report.proved = find_observed_symmetries(found) if proves else ()


# ---- explored properties
# What holds without being written, at a table of which positions were looked at; and what of it all is proof.
#
# Takes what was found at a table, gives a verdict for each such property, and lines that say how far it reaches.


COUNTED_APART = {"at most", "at least"}  # shares of games: positions say nothing of them


@frozen
class UnwrittenAtSite:
    """`verdict`: holds (at every position), not broken (as far as was looked), fails, not known, not judged."""

    title: str
    verdict: str
    note: str = ""


def judge_unwritten_at(site: SiteReport) -> Iterator[UnwrittenAtSite]:
    found, game = site.found, site.site.table.program.game
    codes = {one.title for one in found.findings if one.kind == "fault"}
    titles = {one.title for one in found.findings if one.kind == "property"}

    def judged(title: str, is_broken: bool) -> UnwrittenAtSite:
        return UnwrittenAtSite(title, "fails" if is_broken else "holds" if found.is_complete else "not broken")

    for kind in (one for one in game.components if one.board is None):
        is_broken = f"no {kind.name.text} appears or vanishes" in titles
        yield judged(implicit_properties.say_conserved(kind.name.text), is_broken)
    if game.variables:
        yield judged(implicit_properties.IN_RANGE, bool(codes & implicit_properties.RANGE))
    yield judged(implicit_properties.CAN_CHOOSE, bool(codes & implicit_properties.EMPTY))
    others = codes - implicit_properties.RANGE - implicit_properties.EMPTY - implicit_properties.ENDLESS
    yield judged(implicit_properties.SAY_WHAT_HAPPENS, bool(others))
    yield judged(implicit_properties.CAN_END, bool(site.trapped))
    yield judge_endings(site)
    yield judge_secrets(site)
    yield judged(implicit_properties.SCORES_AGREE, AGREE in titles)


def judge_endings(site: SiteReport) -> UnwrittenAtSite:
    """By themselves, whatever the players choose."""
    if site.trapped or "endless" in {one.title for one in site.found.findings}:
        return UnwrittenAtSite(implicit_properties.ENDS, "fails")
    if site.circle is not None:
        return UnwrittenAtSite(implicit_properties.ENDS, MAY_GO_ON, message("players can go round in a cycle"))
    return UnwrittenAtSite(implicit_properties.ENDS, "holds" if site.found.is_complete else "not broken")


def judge_secrets(site: SiteReport) -> UnwrittenAtSite:
    """Read off the rules; where that is no proof, games in which the unseen is dealt anew look for leaks."""
    proofs = prove_open_choices(site.site.table)
    if proofs.flow and len(proofs.proved) == proofs.choices:
        return UnwrittenAtSite(implicit_properties.SECRETS, "holds", message("proved from the text of the rules"))
    return UnwrittenAtSite(
        implicit_properties.SECRETS, "not judged", message(
            "positions alone cannot show this; random games look for leaks"
        ),
    )


def assurance_lines(report: Exploration) -> Iterator[tuple[str, Message]]:
    """Of rules in which nothing was broken: what is proved, for which tables, and what is evidence."""
    settled = {one.name for one in report.not_reached if one.kind == "property"}
    for site in report.sites:
        written = count_judged(site, settled)
        free = sum(one.verdict in {"holds", "not broken"} for one in judge_unwritten_at(site))
        which = plural(
            "{count} property and {unwritten} built-in checks",
            "{count} properties and {unwritten} built-in checks", written, unwritten=free,
        ) if written else plural("{count} built-in check", "{count} built-in checks", free)  # fmt: skip
        if site.found.is_complete:
            yield "proved", message(
                "{table}: {properties} hold at every one of its {positions:,} "
                "positions", table=site.site.name, properties=which,
                positions=site.found.size,
            )  # fmt: skip
        else:
            yield "evidence", message(
                "{table}: {properties} hold at {positions:,} positions; there are more", table=site.site.name,
                properties=which, positions=site.found.expanded,
            )  # fmt: skip
    if any(site.found.is_complete for site in report.sites):
        is_small = any(site.site.shrunk for site in report.sites)
        yield "evidence", message(
            "for every other table: larger ones, other numbers of players, other options"
        ) if is_small else message("for every other table: other numbers of players, other options")
    if not report.reading.name.startswith("-"):
        yield "next", message(
            "play random games at the full table and look for leaks: rulesrun {file}", file=report.reading.name
        )


def count_judged(site: SiteReport, settled: Collection[str]) -> int:
    """How many properties were looked at there; `settled`: titles of others."""
    return sum(
        one.word not in {"can happen", *COUNTED_APART} and one.title not in settled
        and (one.title not in site.unjudged or (one.bound is not None and bool(site.lengths)))
        for one in site.site.table.bench.properties
    )  # fmt: skip
