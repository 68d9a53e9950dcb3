"""A failing game told to people: a short numbered game in the game's own words. Takes a Story, gives text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from attrs import frozen

from rulesrun.dsl.text.source import Source
from rulesrun.files.excerpts import excerpt, line_of, place_text, values_text
from rulesrun.files.loading import Reading
from rulesrun.interpreter.search.answered_games import Failure
from rulesrun.interpreter.search.plainer_tables import unusual_options
from rulesrun.interpreter.secrecy.leaks import Leak
from rulesrun.interpreter.stories.no_legal_option import Lack
from rulesrun.interpreter.stories.story import LAST_MOVES, Story, StoryMove
from rulesrun.records.traces import option_json, value_to_json
from rulesrun.services.small_tables import Site

MOST_ROUNDS = 6  # that are summed up one by one
MOST_SIZES = 6
MOST_VALUES = 6
MOST_REFUSED = 8
MOST_LACK_VALUES = 4
MOST_EXCHANGED = 4
MOST_SHRUNK = 8  # lines of a small table

Thing = TypeVar("Thing")


@frozen(eq=False)
class StoryReport:
    """One failure with the smallest game that was found for it."""

    what: str
    story: Story
    reading: Reading
    is_smallest: bool  # nothing more could be taken away
    site: Site | None = None  # the small table it is told on, where that is not the one that the rules describe
    whole: Story | None = None  # then, the longer story on the table as it is

    @property
    def sources(self) -> Mapping[str, Source]:
        return self.reading.sources

    @property
    def whole_table_story(self) -> Story:
        """The story that everybody can play again by the rules as they are, where there is one."""
        return self.whole or self.story

    @property
    def is_on_whole_table(self) -> bool:
        return self.site is None or self.whole is not None


def headline(failure: Failure, word: str = "") -> str:
    if failure.leak is not None:
        whom = f"player {failure.leak.player}" if failure.leak.player else "the team"
        return f"what {whom} may choose tells what lies hidden [{failure.kind.name}]"
    if failure.diagnostic is not None:
        return f"{failure.diagnostic.message} [{failure.diagnostic.code}]"
    return f'{word or "always"} "{failure.title}"'


def story_lines(report: StoryReport, number: int) -> Iterator[str]:
    story = report.story
    players, moves = story.game.table.players, len(story.moves)
    yield f"  story {number}    {report.what}"
    amount = f"{players} players, " if players > 1 else ""
    size = f"{amount}{moves} move{'s' * (moves != 1)}"
    for name, value in unusual_options(story.game.table).items():
        size += f", {name}={value_text(value)}"
    yield f"    {size}{'' if report.is_smallest else ' (enough was tried: it may go shorter)'}"
    if report.site is not None:
        longer = f"; on the table as it is, {len(report.whole.moves)} moves were needed" if report.whole else ""
        yield f"    on {report.site.name}{longer}"
        yield from (f"      {line}" for line in report.site.shrunk[:MOST_SHRUNK])
        if len(report.site.shrunk) > MOST_SHRUNK:
            yield f"      and {len(report.site.shrunk) - MOST_SHRUNK} more lines"
    yield from (f"      {line}" for line in story.deal)
    yield from course_lines(story)
    first = moves - LAST_MOVES if story.courses else 0
    for at, move in enumerate(story.moves[first:], first + 1):
        yield f"    {at:>3}. {speaker_text(move)} {move_text(move)}"
        yield from (f"           {change}" for change in move.changes)
    yield from outcome_lines(report)


def course_lines(story: Story) -> Iterator[str]:
    """The moves that are summed up, round by round, and the table after them."""
    if not story.courses:
        return
    several = len({course.round for course in story.courses}) > 1
    hidden = range(MOST_ROUNDS - 1, len(story.courses) - 1) if len(story.courses) > MOST_ROUNDS else range(0)
    for number, course in enumerate(story.courses):
        if number in hidden:
            if number == hidden[0]:
                moves = sum(story.courses[at].moves for at in hidden)
                yield f"    … {len(hidden)} rounds more, {moves} moves"
            continue
        sizes = ", ".join(f"{name} {before} to {after}" for name, before, after in course.sizes[:MOST_SIZES])
        when = f"round {course.round}: " if several else ""
        yield f"    {when}{course.moves} move{'s' * (course.moves != 1)}" + (f"; {sizes}" if sizes else "")
    yield "    now"
    yield from (f"      {line}" for line in story.later)


def outcome_lines(report: StoryReport) -> Iterator[str]:
    story = report.story
    yield f"    then {ending_text(story)}"
    yield from (f"           {line}" for line in values_text(story.values, report.sources)[:MOST_VALUES])
    for lack in story.lacks:
        yield from (f"      {line}" for line in lack_lines(lack, report.sources))
    yield from drawn_lines(report)
    for span in story.fault_lines:
        place = place_text(span, report.reading.name, report.sources)
        yield f"    rule {place}: {excerpt(span, report.sources)}"


def lack_lines(lack: Lack, sources: Mapping[str, Source]) -> Iterator[str]:
    """What an action lacks: `lay: nothing to choose from: card from hand`."""
    refused = ", ".join(lack.refused[:MOST_REFUSED])
    more = len(lack.refused) - MOST_REFUSED
    refused += f" and {more} more" if more > 0 else ""
    what = excerpt(lack.span, sources)
    if lack.is_empty:
        yield f"{lack.action}: nothing to choose from: {what}" + (f" (with {refused})" if refused else "")
    else:
        because = f' because "{lack.because}"' if lack.because else ""
        yield f"{lack.action}: fails: {what}{because}" + (f" (for {refused})" if refused else "")
    yield from (f"     {line}" for line in values_text(lack.values, sources)[:MOST_LACK_VALUES])


def lack_json(lack: Lack, sources: Mapping[str, Source]) -> dict[str, object]:
    return {
        "action": lack.action, "text": excerpt(lack.span, sources), "empty": lack.is_empty,
        "refused": list(lack.refused), "values": list(values_text(lack.values, sources)),
    }  # fmt: skip


def drawn_lines(report: StoryReport) -> Iterator[str]:
    """Where a pile went that has run out, as a sum: `6 + 48 + 6`."""
    drawn = report.story.drawn
    if not drawn:
        return
    total = sum(one.components for one in drawn)
    yield f"      drawn so far: {' + '.join(str(one.components) for one in drawn)} = {total}; no more are there"
    for one in drawn:
        place = place_text(one.span, report.reading.name, report.sources)
        yield f"        {one.components} by {place}: {excerpt(one.span, report.sources)}"


def ending_text(story: Story) -> str:
    failure = story.failure
    if story.circles is not None:
        return f"everything is as it was after move {story.circles}: so it can go on for ever"
    if story.trapped is not None:
        return f"the end can no longer be reached: none of the {story.trapped:,} positions that can follow is the end"
    if failure.leak is not None:
        return leak_text(failure.leak)
    if failure.diagnostic is not None:
        return failure.diagnostic.message
    return f'"{failure.title}" does not hold'


def leak_text(leak: Leak) -> str:
    """What the player learns from being offered something, or not."""
    whom = f"player {leak.player}" if leak.player else "the team"
    told, otherwise = told_difference(leak)
    changes = [
        *exchanged_text(leak),
        *(f"`{name}` were {then}, not {now}" for name, now, then in first_things(leak.values)),
    ]
    nobody = "nobody" if leak.from_all else whom
    cannot = "can" if leak.from_all else "cannot"
    return f"{whom} {told}, and {otherwise} if {' and '.join(changes)}; {nobody} {cannot} see which of the two is so"


def told_difference(leak: Leak) -> tuple[str, str]:
    """What is so, and what would be so otherwise."""
    if leak.option is None:
        return "is asked here", "would not be"
    option = f"`{option_text(leak.option.action, dict(leak.option.arguments))}`"
    return (f"may {option}", "could not") if leak.is_offered else (f"may not {option}", "could")


def exchanged_text(leak: Leak) -> list[str]:
    """Which components would lie elsewhere: two in each other's place, or more of them dealt otherwise."""
    if not leak.swapped:
        return [] if leak.values else ["what lies hidden were otherwise"]
    if len(leak.swapped) == 2:
        (one, here), (other, there) = leak.swapped
        if here == there:
            return [f"`{one}` and `{other}` had changed places within `{here}`"]
        return [f"`{one}` in `{here}` and `{other}` in `{there}` had changed places"]
    places = " and ".join(
        f"`{place}`" for place in first_things(list(dict.fromkeys(place for _, place in leak.swapped)))
    )
    return [f"other components lay in {places}"]


def first_things(things: Sequence[Thing]) -> Sequence[Thing]:
    return things[:MOST_EXCHANGED]


def speaker_text(move: StoryMove) -> str:
    return f"player {move.player}:" if move.player else "the team:"


def move_text(move: StoryMove) -> str:
    return option_text(move.option.action, dict(move.option.arguments))


def option_text(action: str, arguments: Mapping[str, object]) -> str:
    inner = ", ".join(f"{name} {value_text(value)}" for name, value in arguments.items())
    return f"{action}({inner})" if inner else action


def value_text(value: object) -> str:
    return "{" + ", ".join(str(one) for one in value) + "}" if isinstance(value, list | tuple) else str(value)


def story_json(report: StoryReport) -> dict[str, object]:
    story, table = report.story, report.story.game.table
    return {
        "what": report.what,
        "code": story.failure.kind.name if story.failure.diagnostic is not None else None,
        "players": table.players,
        "table": report.site.name if report.site is not None else None,
        "shrunk": list(report.site.shrunk) if report.site is not None else [],
        "options": dict(table.options),
        "deal": list(story.deal),
        "moves": [
            {"player": move.player, "chosen": option_json(move.option), "changes": list(move.changes)}
            for move in story.moves
        ],
        "then": ending_text(story),
        "values": list(values_text(story.values, report.sources)),
        "lacks": [lack_json(lack, report.sources) for lack in story.lacks],
        "drawn": [
            {"line": line_of(one.span, report.sources), "components": one.components} for one in story.drawn
        ],
        "rules": [
            {"file": span.file, "line": line_of(span, report.sources), "text": excerpt(span, report.sources)}
            for span in story.fault_lines
        ],
        "answers": value_to_json(list(story.game.answers)),
        "smallest": report.is_smallest,
    }
