"""What an exploration found, as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesrun.dsl import ast
from rulesrun.files.excerpts import excerpt, place_text
from rulesrun.interpreter.explore.breadth_first import Explored, Finding
from rulesrun.interpreter.explore.endings import longest_game_length
from rulesrun.interpreter.explore.lengths import LengthCheck
from rulesrun.interpreter.explore.never_happened import NeverHappened
from rulesrun.interpreter.search.endless import MAY_GO_ON
from rulesrun.interpreter.stories.story import Story
from rulesrun.records.complaints import diagnostics_text
from rulesrun.services.explore import Exploration, SiteReport
from rulesrun.services.explored_properties import assurance_lines, judge_unwritten_at
from rulesrun.services.implicit_properties import CAN_END, ENDS
from rulesrun.services.play import property_words
from rulesrun.services.stories import StoryReport, headline, move_text, speaker_text, story_lines
from rulesrun.terminal.output import BOLD, GREEN, RED, YELLOW, pad_label, paint_text
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
    lines = [paint_text(reading.name, BOLD) + f"  {reading.title}"]
    if complaints := diagnostics_text(reading):
        lines.append(complaints.rstrip("\n"))
    number = 1
    for site in report.sites:
        lines += site_lines(report, site, number)
        number += len(site.stories)
    lines += [labelled_row("", line) for line in report.said]
    if report.holds:
        lines += [labelled_row(label, text) for label, text in assurance_lines(report)]
        lines += not_reached_lines(report)
    lines.append(verdict_line(report))
    return "".join(f"{line}\n" for line in lines)


def labelled_row(label: str, text: str) -> str:
    return f"  {pad_label(label, 11)}{text}"


def coloured_row(label: str, paint: str, text: str) -> str:
    return labelled_row(paint_text(label, paint), text)


def site_lines(report: Exploration, site: SiteReport, number: int) -> Iterator[str]:
    yield from head_lines(site)
    yield from symmetry_lines(site)
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
            yield from story_lines(make_story_report(report, finding, story), at)
    yield from circle_lines(site)


def head_lines(site: SiteReport) -> Iterator[str]:
    found, table = site.found, site.site.table
    players = f"{table.players} player{'s' * (table.players != 1)}"
    yield labelled_row("table", f"{site.site.name}, {players}")
    yield from (labelled_row("", line) for line in site.site.shrunk)
    kinds = f"{found.decisions:,} decisions, {found.chances:,} chance events, {found.overs:,} ends"
    yield labelled_row("positions", f"{found.size:,}: {kinds}")
    yield labelled_row("", f"{found.transitions:,} transitions, up to {found.depth:,} steps from the start")
    pace = f"{found.seconds:.1f} s, {found.size / max(found.seconds, 1e-6):,.0f} positions a second"
    if found.is_complete:
        yield labelled_row("complete", f"every position that can be reached was looked at; {pace}")
        return
    left = found.size - found.expanded
    yield coloured_row("partial", YELLOW, f"{STOPS.get(found.stopped or '', found.stopped)}; {pace}")
    yield labelled_row(
        "", f"all that can happen in {complete_depth(found)} steps was looked at; {left:,} positions wait"
    )


def complete_depth(found: Explored) -> int:
    """The distance up to which every position has been followed."""
    reached, depth = 0, 0
    for depth, amount in enumerate(found.levels):
        reached += amount
        if reached > found.expanded:
            return depth
    return depth


def symmetry_lines(site: SiteReport) -> Iterator[str]:
    found = site.found
    is_idle = bool(found.group.members) and found.is_complete and found.whole == len(found.parents)
    for line in () if is_idle else found.group.said:
        yield labelled_row("alike", line)
    if found.group.members and not is_idle:
        yield labelled_row("", f"told apart they would be {found.whole:,} positions")
    for proved in site.proved:
        yield labelled_row("alike", "; ".join(proved.says))
        which = "choices and ends" if proved.from_choice else "positions"
        yield labelled_row("", f"{proved.positions:,} {which} up to this (proved by trying it on every one of them)")


def property_lines(report: Exploration, site: SiteReport) -> Iterator[str]:
    """Every written property: broken, or not; on a complete table that is a proof."""
    broken = {finding.title for finding in site.found.findings if finding.kind == "property"}
    measured = {one.declaration: one for one in site.lengths}
    for piece in site.site.table.program.game.declarations:
        if not isinstance(piece, ast.Property) or piece.word in {"can happen", "at most", "at least"}:
            continue
        what = f'{property_words(piece)} "{piece.title}" ({node_place(report, piece)})'
        if piece.title in broken:
            broken.discard(piece.title)
            yield coloured_row("fails", RED, what)
        elif piece in measured:
            yield length_line(what, measured[piece])
        elif piece in site.unjudged:
            yield labelled_row("not judged", f"{what}: {unjudged_reason(site, piece)}")
        else:
            yield labelled_row("holds" if site.found.is_complete else "not broken", what)
    yield from (coloured_row("fails", RED, title) for title in sorted(broken))
    for finding in site.found.findings:
        if finding.kind == "fault":
            yield coloured_row("stuck", RED, f"{finding.message} [{finding.title}]")


def unwritten_lines(site: SiteReport) -> Iterator[str]:
    """What fails is told with its message; whether games end has lines of its own."""
    for one in judge_unwritten_at(site):
        if one.verdict != "fails" and one.title not in {ENDS, CAN_END}:
            yield labelled_row(one.verdict, f"{one.title} ({one.note or 'not written'})")


def length_line(what: str, found: LengthCheck) -> str:
    longest = counted(found.longest, found.unit.removesuffix("s"))
    if found.is_known:
        return labelled_row("holds", f"{what}: the longest game has {longest}")
    return labelled_row("not broken", f"{what}: of what was looked at, the longest has {longest}")


def unjudged_reason(site: SiteReport, piece: ast.Property) -> str:
    if piece.bound is None:
        return "it asks how often a position has come"
    return "this was interrupted" if site.found.size else "no game gets as far as its first choice"


def unsure_lines(site: SiteReport) -> Iterator[str]:
    """Of a table that was not looked at whole nothing is sure: a few numbers are enough."""
    amount = sum(isinstance(one, ast.Property) and one.word != "can happen" for one in declarations_of(site))
    if amount:
        yield labelled_row("not broken", f"none of {amount} properties, as far as was looked")
    if site.nevers:
        yield labelled_row(
            "not seen", f"{len(site.nevers)} of the actions, lines of the rules and things that can happen"
        )


def declarations_of(site: SiteReport) -> tuple[ast.AnyDeclaration, ...]:
    return site.site.table.program.game.declarations


def node_place(report: Exploration, node: ast.Node) -> str:
    return place_text(node.span, report.reading.name, report.reading.sources)


def end_lines(site: SiteReport) -> Iterator[str]:
    if site.trapped:
        yield coloured_row(
            "endless",
            RED,
            f"from {count_represented(site, site.trapped):,} positions the end cannot be reached any more",
        )
    elif site.found.is_complete and not site.found.overs:
        yield coloured_row("ends", RED, "no game comes to its end: something goes wrong before")
    elif site.found.is_complete:
        yield labelled_row("ends", "the end can be reached from every position")
    if site.circle is not None:
        again = counted(site.circle.members, "position")
        yield labelled_row(MAY_GO_ON, f"{again} can come again and again, if that is what the players choose")
    elif not site.found.size:
        return
    elif site.found.is_complete and len(site.found.edges) > MOST_EDGES:
        yield labelled_row("", "no position can come twice: every game comes to an end")
    elif site.found.is_complete:
        longest = longest_game_length(site.found)
        yield labelled_row("", f"no position can come twice: every game is over after {longest:,} steps at most")


def count_represented(site: SiteReport, positions: list[int]) -> int:
    """With all that they stand for."""
    return sum(site.found.sizes[number] for number in positions)


def happening_lines(report: Exploration, site: SiteReport) -> Iterator[str]:
    """What can happen, and how soon."""
    for piece in declarations_of(site):
        number = site.found.happened.get(piece.title) if isinstance(piece, ast.Property) else None
        if number is not None and isinstance(piece, ast.Property) and piece.word == "can happen":
            soon = f"after {counted(site.found.distance_of(number), 'step')} at the soonest"
            yield labelled_row("happens", f'"{piece.title}" ({node_place(report, piece)}): {soon}')


def never_lines(report: Exploration, site: SiteReport) -> Iterator[str]:
    """What never happens: with all positions looked at, never; else, not yet."""
    label = "never" if site.found.is_complete else "not seen"
    for never in site.nevers[:MOST_LINES]:
        at = place_text(never.span, report.reading.name, report.reading.sources)
        what = f'"{never.name}"' if never.kind == "can happen" else never.name
        if never.kind == "line":
            what = f"`{excerpt(never.span, report.reading.sources)}`"
        yield coloured_row(label, YELLOW, f"{never.kind} {what} ({at})")
    if len(site.nevers) > MOST_LINES:
        yield labelled_row("", f"and {len(site.nevers) - MOST_LINES} more")
    for piece in site.unjudged:
        if piece.word == "can happen":
            yield labelled_row("not judged", f'can happen "{piece.title}": {unjudged_reason(site, piece)}')


def circle_lines(site: SiteReport) -> Iterator[str]:
    circling = site.circling
    if circling is None or len(circling.story.moves) > MOST_LINES:
        return
    yield labelled_row("", "for example:")
    for number, move in enumerate(circling.story.moves, 1):
        mark = "   (from here on again and again)" if number == circling.until + 1 else ""
        yield f"    {number:>3}. {speaker_text(move)} {move_text(move)}{mark}"


def make_story_report(report: Exploration, finding: Finding | None, story: Story) -> StoryReport:
    program = report.reading.program
    assert program is not None
    titled = (one for one in program.game.declarations if isinstance(one, ast.Property))
    word = next((one.word for one in titled if finding is not None and one.title == finding.title), "")
    return StoryReport(headline(story.failure, word), story, report.reading, True)


NOT_PROVED = (
    ("change", "at these tables the following comes to the same as in the base, so nothing is proved of it:"),
    ("property", "the sizes of these tables alone settle the following, so nothing is proved of it:"),
)
UNTOLD = {kind for kind, _ in NOT_PROVED}


def not_reached_lines(report: Exploration) -> Iterator[str]:
    """What the tables that were looked at whole say nothing about."""
    if not report.not_reached:
        return
    reached = [one for one in report.not_reached if one.kind not in UNTOLD]
    yield from unproved_lines(
        report, reached, "no position of these tables reaches the following, so nothing is proved of it:"
    )
    for kind, says in NOT_PROVED:
        yield from unproved_lines(report, [one for one in report.not_reached if one.kind == kind], says)
    may = "reach it" if reached else "tell"
    yield labelled_row(
        "", f"a larger `small` table in the rules may {may}; random games at the whole table are evidence"
    )


def unproved_lines(report: Exploration, nevers: Sequence[NeverHappened], says: str) -> Iterator[str]:
    if not nevers:
        return
    reading = report.reading
    yield coloured_row("not proved", YELLOW, says)
    for never in nevers[:MOST_LINES]:
        at = place_text(never.span, reading.name, reading.sources)
        yield labelled_row("", f"{unproved_text(report, never)} ({at})")
    if len(nevers) > MOST_LINES:
        yield labelled_row("", f"and {len(nevers) - MOST_LINES} more")


def unproved_text(report: Exploration, never: NeverHappened) -> str:
    match never.kind:
        case "line":
            return f"line `{excerpt(never.span, report.reading.sources)}`"
        case "change":
            return f"{never.name}: `{excerpt(never.span, report.reading.sources)}`"
        case "property":
            return f'property "{never.name}"'
        case _:
            return f"{never.kind} {never.name}"


def verdict_line(report: Exploration) -> str:
    if not report.holds:
        return f"  {paint_text('does not hold', RED)}: see the stories above; each is the shortest game that shows it"
    complete = report.complete_sites
    if not complete:
        return (
            f"  {paint_text('nothing broken so far', GREEN)}: evidence, no proof, for not every position was looked at"
        )
    names = " and ".join(site.site.name for site in complete)
    if report.not_reached:
        missing = names_text(report.not_reached)
        says = "says nothing of" if any(one.kind in UNTOLD for one in report.not_reached) else "never reaches"
        return f"  {paint_text('nothing broken', YELLOW)}: {names} {says} {missing}, so nothing is proved of them"
    partial = [site.site.name for site in report.sites if not site.found.is_complete]
    beyond = "; of larger tables it is evidence only" if any(site.site.shrunk for site in complete) else ""
    beyond += f"; not looked at whole: {' and '.join(partial)}" if partial else ""
    return f"  {paint_text('everything holds', GREEN)}: proved for {names}{beyond}"


def names_text(missing: Sequence[NeverHappened]) -> str:
    """Some of the names, for one line."""
    named = [f"`{never.name}`" for never in missing if never.kind != "line"][:3]
    rest = len(missing) - len(named)
    others = f"{rest} other rule{'s' * (rest != 1)}" if named else f"{rest} line{'s' * (rest != 1)} of the rules"
    return " and ".join([*([", ".join(named)] if named else []), *([others] if rest else [])])
