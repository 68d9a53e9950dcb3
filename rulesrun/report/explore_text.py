"""What an exploration found, as text for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulesrun.dsl.contents.told_pieces import property_words
from rulesrun.dsl.text.messages import Message, Names, join_and, join_messages, message, plural, template
from rulesrun.dsl.text.source import Located
from rulesrun.files.excerpts import excerpt, place_text
from rulesrun.interpreter.explore.breadth_first import Explored, Finding
from rulesrun.interpreter.explore.findings import LengthCheck, longest_game_length
from rulesrun.interpreter.explore.never_happened import NeverHappened
from rulesrun.interpreter.search.endless import MAY_GO_ON
from rulesrun.interpreter.stories.story import Story
from rulesrun.locale.language import say, say_plural, translate, use_words
from rulesrun.records.complaints import diagnostics_text
from rulesrun.services.explore import Exploration, SiteReport, assurance_lines, judge_unwritten_at
from rulesrun.services.implicit_properties import CAN_END, ENDS
from rulesrun.services.reports import head_line
from rulesrun.services.stories import StoryReport, headline, move_line, story_lines
from rulesrun.terminal.output import GREEN, RED, YELLOW, labelled_row, paint_text
from rulesrun.terminal.plurals import count_decisions, count_players

MOST_LINES = 12
MOST_EDGES = 2_000_000  # that are gone through for the longest game
STOPS = {
    "limit": message("stopped at the limit of positions (allow more with `--limit N`)"),
    "time": message("stopped because time ran out"),
    "memory": message("stopped because the memory for positions was full (allow more with `--memory MB`)"),
    "interrupted": message("interrupted"),
}


def exploration_text(report: Exploration) -> str:
    reading = report.reading
    use_words(reading.game)
    lines = [head_line(reading)]
    if complaints := diagnostics_text(reading):
        lines.append(complaints.rstrip("\n"))
    number = 1
    for site in report.sites:
        lines += site_lines(report, site, number)
        number += len(site.stories)
    lines += [labelled_row("", translate(line)) for line in report.said]
    if report.holds:
        lines += [labelled_row(label, translate(text)) for label, text in assurance_lines(report)]
        lines += not_reached_lines(report)
    lines.append(verdict_line(report))
    return "".join(f"{line}\n" for line in lines)


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
    yield labelled_row("table", translate(join_messages([site.site.name, count_players(table.players)])))
    yield from (labelled_row("", translate(line)) for line in site.site.shrunk)
    counts = (
        count_decisions(found.decisions),
        plural("{count:,} chance event", "{count:,} chance events", found.chances),
        plural("{count:,} end", "{count:,} ends", found.overs),
    )
    yield labelled_row("positions", say(
        "{positions:,}: {counts}", positions=found.size, counts=join_messages(counts)
    ))  # fmt: skip
    far = plural("{count:,} step", "{count:,} steps", found.depth)
    yield labelled_row("", say_plural(
        "{count:,} transition; the farthest position is {steps} from the start",
        "{count:,} transitions; the farthest position is {steps} from the start", found.transitions, steps=far,
    ))  # fmt: skip
    pace = message(
        "{seconds:.1f} s, {pace:,.0f} positions a second", seconds=found.seconds,
        pace=found.size / max(found.seconds, 1e-6),
    )  # fmt: skip
    if found.is_complete:
        yield labelled_row("complete", say("every reachable position was checked; {pace}", pace=pace))
        return
    left = found.size - found.expanded
    yield labelled_row(
        "partial", f"{translate(STOPS.get(found.stopped or '', found.stopped))}; {translate(pace)}", YELLOW
    )
    yield labelled_row("", say_plural(
        "everything that can happen within {count} step was checked; {left:,} positions are left",
        "everything that can happen within {count} steps was checked; {left:,} positions are left",
        complete_depth(found), left=left,
    ))  # fmt: skip


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
        yield labelled_row("symmetry", translate(line))
    if found.group.members and not is_idle:
        yield labelled_row("", say("without symmetries there would be {positions:,} positions", positions=found.whole))
    for proved in site.proved:
        yield labelled_row("symmetry", translate(join_messages(proved.says, "; ")))
        sentence = template(
            "{positions:,} choices and ends up to this symmetry (proved by trying it on each of them)"
        ) if proved.from_choice else template(
            "{positions:,} positions up to this symmetry (proved by trying it on each of them)"
        )
        yield labelled_row("", say(sentence, positions=proved.positions))


def property_lines(report: Exploration, site: SiteReport) -> Iterator[str]:
    """Every written property: broken, or not; on a complete table that is a proof."""
    broken = {finding.title for finding in site.found.findings if finding.kind == "property"}
    measured = {one.declaration: one for one in site.lengths}
    for piece in site.site.table.bench.properties:
        if piece.word in {"can happen", "at most", "at least"}:
            continue
        what = f'{translate(property_words(piece))} "{piece.title}" ({translate(node_place(report, piece))})'
        if piece.title in broken:
            broken.discard(piece.title)
            yield labelled_row("fails", what, RED)
        elif piece in measured:
            yield length_line(what, measured[piece])
        elif piece.title in site.unjudged:
            yield labelled_row("not judged", f"{what}: {translate(unjudged_reason(site, piece.bound is not None))}")
        else:
            yield labelled_row("holds" if site.found.is_complete else "not broken", what)
    yield from (labelled_row("fails", title, RED) for title in sorted(broken))
    for finding in site.found.findings:
        if finding.kind == "fault":
            yield labelled_row("stuck", f"{translate(finding.message)} [{finding.title}]", RED)


def unwritten_lines(site: SiteReport) -> Iterator[str]:
    """What fails is told with its message; whether games end has lines of its own."""
    for one in judge_unwritten_at(site):
        if one.verdict != "fails" and one.title not in {ENDS, CAN_END}:
            yield labelled_row(one.verdict, f"{translate(one.title)} ({translate(one.note) or say('built-in')})")


def length_line(what: str, found: LengthCheck) -> str:
    longest = UNITS[found.unit](found.longest)
    if found.is_known:
        return labelled_row("holds", say("{what}: the longest game has {length}", what=what, length=longest))
    return labelled_row(
        "not broken", say("{what}: the longest game checked so far has {length}", what=what, length=longest)
    )


def count_turns(amount: int) -> Message:
    return plural("{count:,} turn", "{count:,} turns", amount)


def count_rounds(amount: int) -> Message:
    return plural("{count:,} round", "{count:,} rounds", amount)


UNITS: dict[str, Callable[[int], Message]] = {
    "turns": count_turns, "rounds": count_rounds, "decisions": count_decisions
}


def unjudged_reason(site: SiteReport, is_bounded: bool) -> Message:
    if not is_bounded:
        return message("it asks how often a position has come")
    if site.found.size:
        return message("this was interrupted")
    return message("no game gets as far as its first choice")


def unsure_lines(site: SiteReport) -> Iterator[str]:
    """Of a table that was not looked at whole nothing is sure: a few numbers are enough."""
    amount = sum(one.word != "can happen" for one in site.site.table.bench.properties)
    if amount:
        yield labelled_row("not broken", say_plural(
            "{count} property, among the positions checked", "{count} properties, among the positions checked", amount
        ))  # fmt: skip
    if site.nevers:
        yield labelled_row(
            "not seen",
            say("{amount} of the actions, lines and `can happen` properties", amount=len(site.nevers)),
        )


def node_place(report: Exploration, node: Located) -> str:
    return place_text(node.span, report.reading.name, report.reading.sources)


def end_lines(site: SiteReport) -> Iterator[str]:
    if site.trapped:
        yield labelled_row("endless", say(
            "{positions:,} positions can no longer reach the end",
            positions=count_represented(site, site.trapped),
        ), RED)  # fmt: skip
    elif site.found.is_complete and not site.found.overs:
        yield labelled_row("ends", say("no game ends: something goes wrong first"), RED)
    elif site.found.is_complete:
        yield labelled_row("ends", say("every position can still reach the end"))
    if site.circle is not None:
        yield labelled_row(MAY_GO_ON, say_plural(
            "players can return to {count:,} position again and again, if they want to",
            "players can return to {count:,} positions again and again, if they want to", site.circle.members,
        ))  # fmt: skip
    elif not site.found.size:
        return
    elif site.found.is_complete and len(site.found.edges) > MOST_EDGES:
        yield labelled_row("", say("no position can repeat, so every game ends"))
    elif site.found.is_complete:
        longest = longest_game_length(site.found)
        yield labelled_row("", say_plural(
            "no position can repeat, so every game ends within {count:,} step",
            "no position can repeat, so every game ends within {count:,} steps", longest,
        ))  # fmt: skip


def count_represented(site: SiteReport, positions: list[int]) -> int:
    """With all that they stand for."""
    return sum(site.found.sizes[number] for number in positions)


def happening_lines(report: Exploration, site: SiteReport) -> Iterator[str]:
    """What can happen, and how soon."""
    for piece in site.site.table.bench.properties:
        number = site.found.happened.get(piece.title)
        if number is not None and piece.word == "can happen":
            yield labelled_row("happens", say_plural(
                '"{title}" ({place}): after {count:,} step at the earliest',
                '"{title}" ({place}): after {count:,} steps at the earliest', site.found.distance_of(number),
                title=piece.title, place=node_place(report, piece),
            ))  # fmt: skip


def never_lines(report: Exploration, site: SiteReport) -> Iterator[str]:
    """What never happens: with all positions looked at, never; else, not yet."""
    label = "never" if site.found.is_complete else "not seen"
    for never in site.nevers[:MOST_LINES]:
        at = place_text(never.span, report.reading.name, report.reading.sources)
        yield labelled_row(label, f"{translate(never_text(report, never))} ({translate(at)})", YELLOW)
    if len(site.nevers) > MOST_LINES:
        yield labelled_row("", say("and {amount} more", amount=len(site.nevers) - MOST_LINES))
    for piece in site.site.table.bench.properties:
        if piece.title in site.unjudged and piece.word == "can happen":
            reason = unjudged_reason(site, piece.bound is not None)
            yield labelled_row("not judged", say('can happen "{title}": {reason}', title=piece.title, reason=reason))


NEVERS = {
    "action": template("action {name}"), "phase": template("phase {name}"), "score line": template("score line {name}"),
    "can happen": template('can happen "{name}"'), "line": template("line `{name}`"),
    "property": template('property "{name}"'), "rule": template("rule {name}"),
}  # fmt: skip


def never_text(report: Exploration, never: NeverHappened) -> Message:
    """What kind of a thing, and which."""
    name: str = Names(never.name)
    if never.kind == "line":
        name = excerpt(never.span, report.reading.sources)
    elif never.kind in {"can happen", "property"}:
        name = never.name
    known = NEVERS.get(never.kind)
    return join_messages([never.kind, never.name], " ") if known is None else message(known, name=name)


def circle_lines(site: SiteReport) -> Iterator[str]:
    circling = site.circling
    if circling is None or len(circling.story.moves) > MOST_LINES:
        return
    yield labelled_row("", say("for example:"))
    for number, move in enumerate(circling.story.moves, 1):
        mark = "   " + say("(this repeats from here)") if number == circling.until + 1 else ""
        yield f"    {number:>3}. {move_line(move)}{mark}"


def make_story_report(report: Exploration, finding: Finding | None, story: Story) -> StoryReport:
    program = report.reading.program
    assert program is not None
    titled = program.game.properties
    word = next((one.word for one in titled if finding is not None and one.title == finding.title), "")
    return StoryReport(headline(story.failure, word), story, report.reading, True)


NOT_PROVED = (
    ("change", message(
        "at these tables the following works exactly as in the base, so nothing is proved about it:"
    )),
    ("removed", message(
        "at these tables the base never does the following, so nothing is proved about a house rule that leaves it out:"
    )),
    ("property", message("the following holds only because these tables are small, so nothing is proved about it:")),
)
UNTOLD = {kind for kind, _ in NOT_PROVED}


def not_reached_lines(report: Exploration) -> Iterator[str]:
    """What the tables that were looked at whole say nothing about."""
    if not report.not_reached:
        return
    reached = [one for one in report.not_reached if one.kind not in UNTOLD]
    yield from unproved_lines(
        report, reached, message("no position of these tables reaches the following, so nothing is proved about it:")
    )
    for kind, says in NOT_PROVED:
        yield from unproved_lines(report, [one for one in report.not_reached if one.kind == kind], says)
    if reached:
        yield labelled_row("", say(
            "declare a larger `small` table in the rules, or rely on random games at the full table as evidence"
        ))  # fmt: skip
    else:
        yield labelled_row("", say(
            "declare a larger `small` table in the rules, or rely on random games at the full table as evidence"
        ))  # fmt: skip


def unproved_lines(report: Exploration, nevers: Sequence[NeverHappened], says: Message) -> Iterator[str]:
    if not nevers:
        return
    reading = report.reading
    yield labelled_row("not proved", translate(says), YELLOW)
    for never in nevers[:MOST_LINES]:
        at = place_text(never.span, reading.name, reading.sources)
        yield labelled_row("", f"{translate(unproved_text(report, never))} ({translate(at)})")
    if len(nevers) > MOST_LINES:
        yield labelled_row("", say("and {amount} more", amount=len(nevers) - MOST_LINES))


def unproved_text(report: Exploration, never: NeverHappened) -> Message:
    if never.kind in {"change", "removed"}:
        text = excerpt(never.span, report.reading.sources)
        return join_messages([never.name, f"`{text}`"], ": ")
    return never_text(report, never)


def verdict_line(report: Exploration) -> str:
    if not report.holds:
        why = say("the stories above show how, each in the shortest game")
        return f"  {paint_text(say('does not hold'), RED)}: {why}"
    complete = report.complete_sites
    if not complete:
        why = say("this is evidence, not proof: not every position was checked")
        return f"  {paint_text(say('nothing broken so far'), GREEN)}: {why}"
    names = join_and([site.site.name for site in complete])
    if report.not_reached:
        return f"  {paint_text(say('nothing broken'), YELLOW)}: {not_reached_sentence(report, names)}"
    partial = [site.site.name for site in report.sites if not site.found.is_complete]
    beyond = say("; for larger tables this is only evidence") if any(site.site.shrunk for site in complete) else ""
    beyond += say("; not checked completely: {tables}", tables=join_and(partial)) if partial else ""
    return f"  {paint_text(say('everything holds'), GREEN)}: {say('proved for {tables}', tables=names)}{beyond}"


def not_reached_sentence(report: Exploration, names: Message) -> str:
    missing = missing_text(report.not_reached)
    if any(one.kind in UNTOLD for one in report.not_reached):
        return say("{tables} says nothing about {rules}, so nothing is proved there", tables=names, rules=missing)
    return say("not reached at {tables}, so nothing is proved about {rules}", tables=names, rules=missing)


def missing_text(missing: Sequence[NeverHappened]) -> Message:
    """Some of the names, for one line."""
    named = [f"`{never.name}`" for never in missing if never.kind != "line"][:3]
    rest = len(missing) - len(named)
    if not named:
        return plural("{count} line of the rules", "{count} lines of the rules", rest)
    listed = [join_messages(named)]
    return join_and([*listed, plural("{count} other rule", "{count} other rules", rest)] if rest else listed)
