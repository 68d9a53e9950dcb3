"""What an exploration found, as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesrun.dsl import ast
from rulesrun.files.excerpts import excerpt, where
from rulesrun.interpreter.explore.breadth_first import Explored, Finding
from rulesrun.interpreter.explore.endings import longest_game
from rulesrun.interpreter.explore.lengths import Length
from rulesrun.interpreter.explore.never_happened import Never
from rulesrun.interpreter.search.endless import MAY_GO_ON
from rulesrun.interpreter.stories.story import Story
from rulesrun.records.complaints import complaints_text
from rulesrun.services.explore import Exploration, SiteReport
from rulesrun.services.explored_properties import assurance, unwritten_of
from rulesrun.services.implicit_properties import CAN_END, ENDS
from rulesrun.services.play import property_words
from rulesrun.services.stories import StoryReport, headline, said, story_lines, who
from rulesrun.terminal.output import BOLD, GREEN, RED, YELLOW, padded, painted
from rulesrun.terminal.plurals import counted

MOST_LINES = 12
MOST_EDGES = 2_000_000  # that are gone through for the longest game
STOPS = {
    "limit": "stopped at the limit of positions (`--limit N` allows more)",
    "time": "stopped when the time was over",
    "memory": "stopped when the memory for positions was full (`--memory MB` allows more)",
    "interrupted": "interrupted",
}


def exploration_text(report: Exploration) -> str:
    reading = report.reading
    lines = [painted(reading.name, BOLD) + f"  {reading.title}"]
    if complaints := complaints_text(reading):
        lines.append(complaints.rstrip("\n"))
    number = 1
    for site in report.sites:
        lines += site_lines(report, site, number)
        number += len(site.stories)
    lines += [row("", line) for line in report.said]
    if report.holds:
        lines += [row(label, text) for label, text in assurance(report)]
        lines += not_reached_lines(report)
    lines.append(verdict(report))
    return "".join(f"{line}\n" for line in lines)


def row(label: str, text: str) -> str:
    return f"  {padded(label, 11)}{text}"


def coloured_row(label: str, paint: str, text: str) -> str:
    return row(painted(label, paint), text)


def site_lines(report: Exploration, site: SiteReport, number: int) -> Iterator[str]:
    yield from head_lines(site)
    yield from alike_lines(site)
    if site.found.is_complete or not site.holds:
        yield from property_lines(report, site)
        yield from unwritten_lines(site)
        yield from end_lines(site)
        yield from happening_lines(report, site)
        yield from never_lines(report, site)
    else:
        yield from unsure_lines(site)
    for at, (finding, story) in enumerate(site.stories, number):
        if story is not None:
            yield from story_lines(story_report(report, finding, story), at)
    yield from circle_lines(site)


def head_lines(site: SiteReport) -> Iterator[str]:
    found, table = site.found, site.site.table
    players = f"{table.players} player{'s' * (table.players != 1)}"
    yield row("table", f"{site.site.name}, {players}")
    yield from (row("", line) for line in site.site.shrunk)
    kinds = f"{found.decisions:,} decisions, {found.chances:,} chance events, {found.overs:,} ends"
    yield row("positions", f"{found.size:,}: {kinds}")
    yield row("", f"{found.transitions:,} transitions, up to {found.depth:,} steps from the start")
    pace = f"{found.seconds:.1f} s, {found.size / max(found.seconds, 1e-6):,.0f} positions a second"
    if found.is_complete:
        yield row("complete", f"every position that can be reached was looked at; {pace}")
        return
    left = found.size - found.expanded
    yield coloured_row("partial", YELLOW, f"{STOPS.get(found.stopped or '', found.stopped)}; {pace}")
    yield row("", f"all that can happen in {sure_depth(found)} steps was looked at; {left:,} positions wait")


def sure_depth(found: Explored) -> int:
    """The distance up to which every position has been followed."""
    reached, depth = 0, 0
    for depth, amount in enumerate(found.levels):
        reached += amount
        if reached > found.expanded:
            return depth
    return depth


def alike_lines(site: SiteReport) -> Iterator[str]:
    found = site.found
    is_idle = bool(found.group.members) and found.is_complete and found.whole == len(found.parents)
    for line in () if is_idle else found.group.said:
        yield row("alike", line)
    if found.group.members and not is_idle:
        yield row("", f"told apart they would be {found.whole:,} positions")
    for proved in site.proved:
        yield row("alike", "; ".join(proved.says))
        which = "choices and ends" if proved.from_choice else "positions"
        yield row("", f"{proved.positions:,} {which} up to this (proved by trying it on every one of them)")


def property_lines(report: Exploration, site: SiteReport) -> Iterator[str]:
    """Every written property: broken, or not; on a complete table that is a proof."""
    broken = {finding.title for finding in site.found.findings if finding.kind == "property"}
    measured = {one.declaration: one for one in site.lengths}
    for piece in site.site.table.program.game.declarations:
        if not isinstance(piece, ast.Property) or piece.word in {"can happen", "at most", "at least"}:
            continue
        what = f'{property_words(piece)} "{piece.title}" ({place(report, piece)})'
        if piece.title in broken:
            broken.discard(piece.title)
            yield coloured_row("fails", RED, what)
        elif piece in measured:
            yield length_line(what, measured[piece])
        elif piece in site.unjudged:
            yield row("not judged", f"{what}: {why_unjudged(site, piece)}")
        else:
            yield row("holds" if site.found.is_complete else "not broken", what)
    yield from (coloured_row("fails", RED, title) for title in sorted(broken))
    for finding in site.found.findings:
        if finding.kind == "fault":
            yield coloured_row("stuck", RED, f"{finding.message} [{finding.title}]")


def unwritten_lines(site: SiteReport) -> Iterator[str]:
    """What fails is told with its message; whether games end has lines of its own."""
    for one in unwritten_of(site):
        if one.verdict != "fails" and one.title not in {ENDS, CAN_END}:
            yield row(one.verdict, f"{one.title} ({one.note or 'not written'})")


def length_line(what: str, found: Length) -> str:
    longest = counted(found.longest, found.unit.removesuffix("s"))
    if found.is_known:
        return row("holds", f"{what}: the longest game has {longest}")
    return row("not broken", f"{what}: of what was looked at, the longest has {longest}")


def why_unjudged(site: SiteReport, piece: ast.Property) -> str:
    if piece.bound is None:
        return "it asks how often a position has come"
    return "this was interrupted" if site.found.size else "no game gets as far as its first choice"


def unsure_lines(site: SiteReport) -> Iterator[str]:
    """Of a table that was not looked at whole nothing is sure: a few numbers are enough."""
    amount = sum(isinstance(one, ast.Property) and one.word != "can happen" for one in declarations(site))
    if amount:
        yield row("not broken", f"none of {amount} properties, as far as was looked")
    if site.nevers:
        yield row("not seen", f"{len(site.nevers)} of the actions, lines of the rules and things that can happen")


def declarations(site: SiteReport) -> tuple[ast.AnyDeclaration, ...]:
    return site.site.table.program.game.declarations


def place(report: Exploration, node: ast.Node) -> str:
    return where(node.span, report.reading.name, report.reading.sources)


def end_lines(site: SiteReport) -> Iterator[str]:
    if site.trapped:
        yield coloured_row(
            "endless", RED, f"from {amount(site, site.trapped):,} positions the end cannot be reached any more"
        )
    elif site.found.is_complete and not site.found.overs:
        yield coloured_row("ends", RED, "no game comes to its end: something goes wrong before")
    elif site.found.is_complete:
        yield row("ends", "the end can be reached from every position")
    if site.circle is not None:
        again = counted(site.circle.members, "position")
        yield row(MAY_GO_ON, f"{again} can come again and again, if that is what the players choose")
    elif not site.found.size:
        return
    elif site.found.is_complete and len(site.found.edges) > MOST_EDGES:
        yield row("", "no position can come twice: every game comes to an end")
    elif site.found.is_complete:
        longest = longest_game(site.found)
        yield row("", f"no position can come twice: every game is over after {longest:,} steps at most")


def amount(site: SiteReport, positions: list[int]) -> int:
    """With all that they stand for."""
    return sum(site.found.sizes[number] for number in positions)


def happening_lines(report: Exploration, site: SiteReport) -> Iterator[str]:
    """What can happen, and how soon."""
    for piece in declarations(site):
        number = site.found.happened.get(piece.title) if isinstance(piece, ast.Property) else None
        if number is not None and isinstance(piece, ast.Property) and piece.word == "can happen":
            soon = f"after {counted(site.found.distance(number), 'step')} at the soonest"
            yield row("happens", f'"{piece.title}" ({place(report, piece)}): {soon}')


def never_lines(report: Exploration, site: SiteReport) -> Iterator[str]:
    """What never happens: with all positions looked at, never; else, not yet."""
    label = "never" if site.found.is_complete else "not seen"
    for never in site.nevers[:MOST_LINES]:
        at = where(never.span, report.reading.name, report.reading.sources)
        what = f'"{never.name}"' if never.kind == "can happen" else never.name
        if never.kind == "line":
            what = f"`{excerpt(never.span, report.reading.sources)}`"
        yield coloured_row(label, YELLOW, f"{never.kind} {what} ({at})")
    if len(site.nevers) > MOST_LINES:
        yield row("", f"and {len(site.nevers) - MOST_LINES} more")
    for piece in site.unjudged:
        if piece.word == "can happen":
            yield row("not judged", f'can happen "{piece.title}": {why_unjudged(site, piece)}')


def circle_lines(site: SiteReport) -> Iterator[str]:
    circling = site.circling
    if circling is None or len(circling.story.moves) > MOST_LINES:
        return
    yield row("", "for example:")
    for number, move in enumerate(circling.story.moves, 1):
        mark = "   (from here on again and again)" if number == circling.until + 1 else ""
        yield f"    {number:>3}. {who(move)} {said(move)}{mark}"


def story_report(report: Exploration, finding: Finding | None, story: Story) -> StoryReport:
    program = report.reading.program
    assert program is not None
    titled = (one for one in program.game.declarations if isinstance(one, ast.Property))
    word = next((one.word for one in titled if finding is not None and one.title == finding.title), "")
    return StoryReport(headline(story.failure, word), story, report.reading, True)


def not_reached_lines(report: Exploration) -> Iterator[str]:
    """What the tables that were looked at whole say nothing about."""
    if not report.not_reached:
        return
    reading = report.reading
    says = "no position of these tables reaches the following, so nothing is proved of it:"
    yield coloured_row("not proved", YELLOW, says)
    for never in report.not_reached[:MOST_LINES]:
        at = where(never.span, reading.name, reading.sources)
        what = f"`{excerpt(never.span, reading.sources)}`" if never.kind == "line" else never.name
        yield row("", f"{never.kind} {what} ({at})")
    if len(report.not_reached) > MOST_LINES:
        yield row("", f"and {len(report.not_reached) - MOST_LINES} more")
    yield row("", "a larger `small` table in the rules may reach it; random games at the whole table are evidence")


def verdict(report: Exploration) -> str:
    if not report.holds:
        return f"  {painted('does not hold', RED)}: see the stories above; each is the shortest game that shows it"
    complete = report.complete
    if not complete:
        return f"  {painted('nothing broken so far', GREEN)}: evidence, no proof, for not every position was looked at"
    names = " and ".join(site.site.name for site in complete)
    if report.not_reached:
        missing = listed(report.not_reached)
        return f"  {painted('nothing broken', YELLOW)}: {names} never reaches {missing}, so nothing is proved of them"
    partial = [site.site.name for site in report.sites if not site.found.is_complete]
    beyond = "; of larger tables it is evidence only" if any(site.site.shrunk for site in complete) else ""
    beyond += f"; not looked at whole: {' and '.join(partial)}" if partial else ""
    return f"  {painted('everything holds', GREEN)}: proved for {names}{beyond}"


def listed(missing: Sequence[Never]) -> str:
    """Some of the names, for one line."""
    named = [f"`{never.name}`" for never in missing if never.kind != "line"][:3]
    rest = len(missing) - len(named)
    others = f"{rest} other rule{'s' * (rest != 1)}" if named else f"{rest} line{'s' * (rest != 1)} of the rules"
    return " and ".join([*([", ".join(named)] if named else []), *([others] if rest else [])])
