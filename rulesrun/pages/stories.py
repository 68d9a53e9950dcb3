"""Stories of what is broken: the shortest game to each failure, step by step, the table drawn before and after."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from rulesrun.dsl.text.messages import Names
from rulesrun.files.excerpts import excerpt, place_text, values_text
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.play.position_changes import Position, format_variable_value, zone_slots
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.candidates import unusual_options
from rulesrun.interpreter.stories.story import LAST_MOVES, StoryMove
from rulesrun.locale.language import say, say_plural, spoken_language, translate
from rulesrun.pages.markup import Markup, element, heading, paragraph, text_with_code
from rulesrun.services.stories import StoryReport, ending_text, lack_lines, move_text, player_text, value_text
from rulesrun.terminal.plurals import count_moves, count_players

# ---- drawn table
# A position drawn as a table: every place with what lies in it. A table and a position in, markup out.


MOST_NAMED = 12  # different components of a place
MOST_PLACES = 24
MOST_VALUES = 16


def draw_position(table: Table, position: Position, title: str, named: Collection[str] = ()) -> Markup:
    """Everything lies open here, as it never does for a player. `named`: components that are marked."""
    places = [draw_place(name, list(components), named) for name, components in list_contents(table, position)]
    values = [draw_value(name, value) for name, value in list_values_of(table, position)]
    return element(
        "figure",
        element("figcaption", title),
        element("div", *shorten_list(places, MOST_PLACES), class_="places"),
        element("p", *shorten_list(values, MOST_VALUES), class_="values") if values else None,
        class_="table-now",
    )


def shorten_list(drawn: list[Markup], most: int) -> list[Markup]:
    if len(drawn) <= most:
        return drawn
    return [*drawn[: most - 1], element("span", say("and {more} more", more=len(drawn) - most + 1), class_="more")]


def list_contents(table: Table, position: Position) -> Iterator[tuple[str, Iterator[str]]]:
    """What lies anywhere, in its order."""
    for slot, (room, name) in zone_slots(table).items():
        content = flatten_content(position[slot])
        if content:
            yield name, (room.kinds.names[kind] for kind in content)


def list_values_of(table: Table, position: Position) -> Iterator[tuple[str, str]]:
    """Numbers and markers that have a value."""
    for room in table.bench.variables.values():
        for number, name in enumerate(room.names):
            value = position[room.base + number]
            if value is not None:
                yield name, format_variable_value(table, room, value)


def draw_place(name: str, components: list[str], named: Collection[str]) -> Markup:
    """Of many, those that are marked come first."""
    counts = Counter(components)
    order = sorted(counts, key=lambda one: one not in named) if len(counts) > MOST_NAMED else list(counts)
    chips = [
        element(
            "span", Names(component), element("b", f" ×{counts[component]}") if counts[component] > 1 else None,
            class_="chip marked" if component in named else "chip",
        )
        for component in order[:MOST_NAMED]
    ]  # fmt: skip
    more = sum(counts[component] for component in order[MOST_NAMED:])
    if more:
        chips.append(element("span", say("and {more} more", more=more), class_="more"))
    amount = element("small", say_plural("{count} piece", "{count:,} pieces", len(components)))
    return element("div", element("b", label_place(name)), amount, *chips, class_="place")


def draw_value(name: str, value: str) -> Markup:
    return element("span", label_place(name), " ", element("b", Names(value)), class_="value")


def label_place(name: str) -> str:
    """`hand[2]` with the name that the rules give it in the language that is spoken."""
    plain, bracket, keys = name.partition("[")
    return spoken_language().label(plain) + bracket + keys


# ---- stories


QUOTED = re.compile(r"`([^`]+)`")


def story_block(report: StoryReport, anchor: str) -> Markup:
    """`anchor`: where a link to this story leads."""
    story = report.story
    table, named = story.game.table, frozenset(list_named(report))
    return element(
        "div",
        heading(4, element("a", translate(report.what), href=f"#{anchor}")),
        paragraph(*size_words(report), class_="note"),
        draw_position(table, story.first.slots, say("The table at the first choice"), named),
        *course_words(report),
        element("ol", *move_items(report), class_="moves", start=first_move(report) + 1) if story.moves else None,
        paragraph(element("b", say("Then")), ": ", text_with_code(translate(ending_text(story)))),
        *reasons(report),
        draw_position(table, story.failure.state.slots, say("The table then"), named) if story.moves else None,
        *rule_lines(report),
        class_="story", id=anchor,
    )  # fmt: skip


def list_named(report: StoryReport) -> Iterator[str]:
    """What the story speaks of: components by these names are marked on the table."""
    story = report.story
    yield from QUOTED.findall(ending_text(story))
    for move in story.moves:
        yield from (str(value) for _, value in move.option.arguments)


def size_words(report: StoryReport) -> Iterator[str]:
    story = report.story
    players = story.game.table.players
    yield translate([count_players(players), count_moves(len(story.moves))])
    for name, value in unusual_options(story.game.table).items():
        yield f"; {name} = {value_text(value)}"
    if report.site is not None:
        yield "; " + say("on {table}", table=report.site.name)
    if not report.is_smallest:
        yield "; " + say("there may be a shorter one")


def first_move(report: StoryReport) -> int:
    """The number of moves that are told as a sum."""
    return len(report.story.moves) - LAST_MOVES if report.story.courses else 0


def course_words(report: StoryReport) -> Iterator[Markup]:
    for course in report.story.courses:
        sizes = "; ".join(f"{translate(Names(name))}: {before} → {after}" for name, before, after in course.sizes)
        words = say("Round {round}: {moves}", round=course.round, moves=count_moves(course.moves))
        yield paragraph(words, f" ({sizes})" if sizes else None)


def move_items(report: StoryReport) -> Iterator[Markup]:
    for move in report.story.moves[first_move(report) :]:
        yield element("li", move_words(move))


def move_words(move: StoryMove) -> Markup:
    changes = element("ul", *(element("li", translate(change)) for change in move.changes)) if move.changes else None
    chosen = element("code", translate(move_text(move)), class_="chosen")
    return element("div", element("b", translate(player_text(move.player))), " ", chosen, changes)


def reasons(report: StoryReport) -> Iterator[Markup]:
    """The values that decided, and why nothing could be chosen."""
    story = report.story
    values = list(values_text(story.values, report.sources))
    lacks = [line for lack in story.lacks for line in lack_lines(lack, report.sources)]
    if values or lacks:
        shown = map(translate, (*values, *lacks))
        yield element("ul", *(element("li", element("code", line.strip())) for line in shown))


def rule_lines(report: StoryReport) -> Iterator[Markup]:
    for span in report.story.fault_lines:
        place = place_text(span, report.reading.name, report.sources)
        yield paragraph(
            element("b", say("Rule")), ": ", element("code", excerpt(span, report.sources)), " ",
            element("small", place), class_="rule",
        )  # fmt: skip
