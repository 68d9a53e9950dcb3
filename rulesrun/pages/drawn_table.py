"""A position drawn as a table: every place with what lies in it. A table and a position in, markup out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from rulesrun.dsl.text.messages import Names
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.play.position_changes import Position, format_variable_value, zone_slots
from rulesrun.interpreter.reference.table import Table
from rulesrun.locale.language import say, say_plural, spoken_language
from rulesrun.pages.markup import Markup, element

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
