"""One logical line as physical ones. Takes its text, breaks it where the language lets a line go on."""

from __future__ import annotations

import re
from collections.abc import Iterator

WIDTH = 110
SHORTEST = 24
INDENT = "  "

# Words that may begin the next line, and ends that promise one; the first kind of break is the best.
BREAKS = (
    re.compile(r" (?=because )"),
    re.compile(r" (?=(?:or|then|else) )|(?<=,) "),
    re.compile(r" (?=and )"),
    re.compile(r"(?<= over) |(?<= where) |(?<= has) |(?<= [-+=]) "),
)
SKIPPED = re.compile(r'"[^"]*"?|[(\[{]|[)\]}]')


def fold(text: str, depth: int) -> list[str]:
    """At most `WIDTH` wide where that can be done; what goes on stands two levels deeper."""
    if len(INDENT * depth) + len(text) <= WIDTH:
        return [INDENT * depth + text]
    places = sorted(places_to_break(text))
    lines: list[str] = []
    indent, start = INDENT * depth, 0
    while len(indent) + len(text) - start > WIDTH:
        at = best_break([place for place in places if place[2] > start], start, WIDTH - len(indent))
        if at is None:
            break
        lines.append(indent + text[start:at])
        indent, start = INDENT * (depth + 2), at + 1
    return [*lines, indent + text[start:]]


def best_break(places: list[tuple[int, int, int]], start: int, room: int) -> int | None:
    """The last good place that leaves a line that fits: as little inside of brackets as can be."""
    fitting = [place for place in places if SHORTEST <= place[2] - start <= room]
    if not fitting:
        return min((at for _, _, at in places if at - start > room), default=None)
    best = fitting[0][:2]
    return max(at for depth, kind, at in fitting if (depth, kind) == best)


def places_to_break(text: str) -> Iterator[tuple[int, int, int]]:
    """How deep in brackets, which kind, where."""
    depths = bracket_depths(text)
    for kind, pattern in enumerate(BREAKS):
        for match in pattern.finditer(text):
            depth = depths[match.start()]
            if depth is not None:
                yield depth, kind, match.start()


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
