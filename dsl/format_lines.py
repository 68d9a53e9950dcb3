"""One logical line as physical ones. Takes its text, breaks it where the language lets a line go on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from attrs import frozen

WIDTH = 110
SHORTEST = 24
INDENT = "  "

# Words that may begin the next line, ends that promise one; the best first. `True`: broken at each of them or at none.
BREAKS = (
    (re.compile(r" (?=because )"), True),
    (re.compile(r" (?=else )"), True),
    (re.compile(r"(?<=,) "), False),
    (re.compile(r" (?=or )"), True),
    (re.compile(r" (?=then )"), True),
    (re.compile(r" (?=and )"), True),
    (re.compile(r"(?<= over) |(?<= where) |(?<= has) "), False),
    (re.compile(r"(?<= [-+*/<>=]) |(?<= [<>]=) "), False),
)
SKIPPED = re.compile(r'"[^"]*"?|[(\[{]|[)\]}]')


@frozen(order=True)
class Place:
    """Where a line may be broken: how deep in brackets, at which kind of break, where."""

    depth: int
    kind: int
    at: int


def fold(text: str, depth: int) -> list[str]:
    """At most `WIDTH` wide where that can be done; what goes on stands two levels deeper."""
    room = WIDTH - len(INDENT * (depth + 2))
    if len(text) <= WIDTH - len(INDENT * depth):
        return [INDENT * depth + text]
    places = sorted(places_to_break(text))
    lines: list[str] = []
    to_do = [(0, len(text))]
    while to_do:
        start, end = to_do.pop()
        inner = [place for place in places if start < place.at < end]
        cuts = cuts_between(inner, start, room) if end - start > room else []
        if cuts:
            ends = [*cuts, end]
            to_do += reversed([(at + 1 if index else start, ends[index]) for index, at in enumerate([start, *cuts])])
        else:
            lines.append(INDENT * (depth + 2 if lines else depth) + text[start:end])
    return lines


def cuts_between(places: list[Place], start: int, room: int) -> list[int]:
    """As little inside of brackets as can be: at all breaks of a kind, or at the last one before the line is full."""
    for _, group in groupby(places, key=lambda place: (place.depth, place.kind)):
        ends = list(group)
        if BREAKS[ends[0].kind][1]:
            return [place.at for place in ends]
        fitting = [place.at for place in ends if SHORTEST <= place.at - start <= room]
        if fitting:
            return fitting[-1:]
    return [min(place.at for place in places)] if places else []


def places_to_break(text: str) -> Iterator[Place]:
    depths = bracket_depths(text)
    for kind, (pattern, _) in enumerate(BREAKS):
        for match in pattern.finditer(text):
            depth = depths[match.start()]
            if depth is not None:
                yield Place(depth, kind, match.start())


def bracket_depths(text: str) -> list[int | None]:
    """For each character how many brackets are open; None inside of quotes."""
    depths: list[int | None] = []
    depth = 0
    for match in SKIPPED.finditer(text):
        depths.extend([depth] * (match.start() - len(depths)))
        if match[0].startswith('"'):
            depths.extend([None] * len(match[0]))
        else:
            depth += 1 if match[0] in "([{" else -1
            depths.append(depth)
    return [*depths, *[depth] * (len(text) - len(depths))]
