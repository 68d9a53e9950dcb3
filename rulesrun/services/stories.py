"""A failing game told to people: a short numbered game in the game's own words. Takes a Story, gives text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from attrs import frozen

from rulesrun.dsl.contents.told_pieces import PROPERTY_WORDS
from rulesrun.dsl.text.messages import Message, Names, join_and, join_messages, message, template
from rulesrun.dsl.text.source import Source
from rulesrun.files.excerpts import excerpt, line_of, place_text, values_text
from rulesrun.files.loading import Reading
from rulesrun.interpreter.search.answered_games import Failure
from rulesrun.interpreter.search.candidates import unusual_options
from rulesrun.interpreter.secrecy.leaks import Leak
from rulesrun.interpreter.stories.story import LAST_MOVES, Lack, Story, StoryMove
from rulesrun.locale.language import say, translate
from rulesrun.records.traces import option_json, value_to_json
from rulesrun.services.small_tables import Site
from rulesrun.terminal.plurals import count_moves, count_players

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


def headline(failure: Failure, word: str = "") -> Message:
    if failure.leak is not None:
        return message(
            "the options of {who} give away what is hidden [{code}]", who=player_text(failure.leak.player),
            code=failure.kind.name,
        )  # fmt: skip
    if failure.diagnostic is not None:
        return join_messages([failure.diagnostic.message, f"[{failure.diagnostic.code}]"], " ")
    return join_messages([word or PROPERTY_WORDS["always"], f'"{failure.title}"'], " ")


def player_text(player: int) -> Message:
    return message("player {player}", player=player) if player else message("the team")


def story_lines(report: StoryReport, number: int) -> Iterator[str]:
    story = report.story
    players, moves = story.game.table.players, len(story.moves)
    yield "  " + say("story {number}    {what}", number=number, what=report.what)
    size: list[str] = [*([count_players(players)] if players > 1 else []), count_moves(moves)]
    size += [f"{name}={value_text(value)}" for name, value in unusual_options(story.game.table).items()]
    enough = "" if report.is_smallest else say(" (there may be a shorter one)")
    yield f"    {translate(size)}{enough}"
    yield from site_lines(report)
    yield from (f"      {translate(line)}" for line in story.deal)
    yield from course_lines(story)
    first = moves - LAST_MOVES if story.courses else 0
    for at, move in enumerate(story.moves[first:], first + 1):
        yield f"    {at:>3}. {move_line(move)}"
        yield from (f"           {translate(change)}" for change in move.changes)
    yield from outcome_lines(report)


def site_lines(report: StoryReport) -> Iterator[str]:
    """On which table it is told, where that is a small one."""
    if report.site is None:
        return
    if report.whole:
        yield "    " + say(
            "on {table}; on the full table it takes {moves} moves", table=report.site.name,
            moves=len(report.whole.moves),
        )  # fmt: skip
    else:
        yield "    " + say("on {table}", table=report.site.name)
    yield from (f"      {translate(line)}" for line in report.site.shrunk[:MOST_SHRUNK])
    if len(report.site.shrunk) > MOST_SHRUNK:
        yield "      " + say("and {amount} more lines", amount=len(report.site.shrunk) - MOST_SHRUNK)


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
                yield "    " + say("… {rounds} more rounds, {moves} moves", rounds=len(hidden), moves=moves)
            continue
        sizes = [
            message("{zone} {before} to {after}", zone=Names(name), before=before, after=after)
            for name, before, after in course.sizes[:MOST_SIZES]
        ]
        when = say("round {round}: ", round=course.round) if several else ""
        yield f"    {when}{translate(count_moves(course.moves))}" + (f"; {translate(sizes)}" if sizes else "")
    yield "    " + say("now")
    yield from (f"      {translate(line)}" for line in story.later)


def outcome_lines(report: StoryReport) -> Iterator[str]:
    story = report.story
    yield "    " + say("then {what}", what=ending_text(story))
    yield from (f"           {translate(line)}" for line in values_text(story.values, report.sources)[:MOST_VALUES])
    for lack in story.lacks:
        yield from (f"      {translate(line)}" for line in lack_lines(lack, report.sources))
    yield from drawn_lines(report)
    for span in story.fault_lines:
        place = place_text(span, report.reading.name, report.sources)
        yield "    " + say("rule {place}: {text}", place=place, text=excerpt(span, report.sources))


def lack_lines(lack: Lack, sources: Mapping[str, Source]) -> Iterator[Message]:
    """What an action lacks: `lay: nothing to choose from: card from hand`."""
    refused = [Names(one) for one in lack.refused[:MOST_REFUSED]]
    more = len(lack.refused) - MOST_REFUSED
    listed = message("{values} and {amount} more", values=refused, amount=more) if more > 0 else join_messages(refused)
    what, action = excerpt(lack.span, sources), Names(lack.action)
    if lack.is_empty and refused:
        yield message("{action}: nothing to choose for {text} (with {values})", action=action, text=what,
                      values=listed)  # fmt: skip
    elif lack.is_empty:
        yield message("{action}: nothing to choose for {text}", action=action, text=what)
    else:
        head = message("{action}: not allowed: {text}", action=action, text=what) if not lack.because else message(
            '{action}: not allowed: {text} because "{because}"', action=action, text=what, because=lack.because
        )
        yield message("{head} (for {values})", head=head, values=listed) if refused else head
    yield from (join_messages(["     ", line], "") for line in values_text(lack.values, sources)[:MOST_LACK_VALUES])


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
    added = " + ".join(str(one.components) for one in drawn)
    yield "      " + say("drawn so far: {added} = {total}; there are no more", added=added, total=total)
    for one in drawn:
        yield "        " + say(
            "{amount} by {place}: {text}", amount=one.components,
            place=place_text(one.span, report.reading.name, report.sources), text=excerpt(one.span, report.sources),
        )  # fmt: skip


def ending_text(story: Story) -> str:
    failure = story.failure
    if story.circles is not None:
        return message(
            "the table is exactly as it was after move {move}, so this can go on for ever",
            move=story.circles)
    if story.trapped is not None:
        return message(
            "the game cannot end any more: none of the {positions:,} positions that can follow is the end",
            positions=story.trapped,
        )  # fmt: skip
    if failure.leak is not None:
        return leak_text(failure.leak)
    if failure.diagnostic is not None:
        return failure.diagnostic.message
    return message('"{title}" does not hold', title=failure.title)


LEAKS = {
    "asked": template("{who} is offered a choice here, but would not be if {change}; {who} cannot see which is true"),
    "may": template("{who} may `{option}`, but could not if {change}; {who} cannot see which is true"),
    "may not": template("{who} may not `{option}`, but could if {change}; {who} cannot see which is true"),
}  # fmt: skip
LEAKS_FROM_ALL = {
    "asked": template("{who} is offered a choice here, but would not be if {change}; nobody can see which is true"),
    "may": template("{who} may `{option}`, but could not if {change}; nobody can see which is true"),
    "may not": template("{who} may not `{option}`, but could if {change}; nobody can see which is true"),
}  # fmt: skip


def leak_text(leak: Leak) -> Message:
    """What the player learns from being offered something, or not."""
    changes = [
        *exchanged_text(leak),
        *(
            message("`{name}` were {then}, not {now}", name=name, then=then, now=now)
            for name, now, then in first_things(leak.values)
        ),
    ]
    change = join_and(changes)
    kind = "asked" if leak.option is None else "may" if leak.is_offered else "may not"
    option = "" if leak.option is None else option_text(leak.option.action, dict(leak.option.arguments))
    sentence = (LEAKS_FROM_ALL if leak.from_all else LEAKS)[kind]
    return message(sentence, who=player_text(leak.player), option=Names(option), change=change)


def exchanged_text(leak: Leak) -> list[Message]:
    """Which components would lie elsewhere: two in each other's place, or more of them dealt otherwise."""
    if not leak.swapped:
        return [] if leak.values else [message("the hidden components were different")]
    if len(leak.swapped) == 2:
        (one, here), (other, there) = leak.swapped
        values = {"first": Names(one), "second": Names(other), "place": Names(here), "other": Names(there)}
        if here == there:
            values.pop("other")
            return [message("`{first}` and `{second}` had changed places within `{place}`", **values)]
        return [message("`{first}` in `{place}` and `{second}` in `{other}` had changed places", **values)]
    places = first_things(list(dict.fromkeys(place for _, place in leak.swapped)))
    quoted = join_and([join_messages(["`", Names(place), "`"], "") for place in places])
    return [message("other components lay in {places}", places=quoted)]


def first_things(things: Sequence[Thing]) -> Sequence[Thing]:
    return things[:MOST_EXCHANGED]


def move_line(move: StoryMove) -> str:
    """`player 2: lay(card red-7)`"""
    return f"{translate(player_text(move.player))}: {translate(move_text(move))}"


def move_text(move: StoryMove) -> Names:
    return Names(option_text(move.option.action, dict(move.option.arguments)))


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
