"""Places in a text as editors count them: lines from 0, and in a line the units of UTF-16. Offsets are ours."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from attrs import define, field, frozen

LINE_END = re.compile(r"\r\n|\n|\r")
WIDE = re.compile(r"[\U00010000-\U0010ffff]")


@frozen(order=True)
class Position:
    """`character` counts the units of UTF-16: an emoji is two, a Cyrillic letter is one."""

    line: int
    character: int


@frozen(order=True)
class Range:
    """`end` is not included."""

    start: Position
    end: Position


@frozen
class TextEdit:
    """What stands in the range is replaced."""

    range: Range
    text: str


@define(eq=False)
class TextLines:
    """A text by its lines. Knows offsets (in characters of Python) from positions, and back."""

    text: str
    _starts: list[int] = field(init=False, repr=False)
    _ends: list[int] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        breaks = [(found.start(), found.end()) for found in LINE_END.finditer(self.text)]
        self._starts = [0, *(end for _, end in breaks)]
        self._ends = [*(start for start, _ in breaks), len(self.text)]

    def count_lines(self) -> int:
        return len(self._starts)

    def text_of_line(self, line: int) -> str:
        return self.text[self._starts[line] : self._ends[line]] if 0 <= line < len(self._starts) else ""

    def start_of_line(self, line: int) -> int:
        return self._starts[min(max(line, 0), len(self._starts) - 1)]

    def find_offset(self, position: Position) -> int:
        """Beyond the end of a line is its end, beyond the end of the text the end of the text."""
        if position.line < 0:
            return 0
        if position.line >= len(self._starts):
            return len(self.text)
        line = self.text_of_line(position.line)
        return self._starts[position.line] + _count_signs(line, max(position.character, 0))

    def find_position(self, offset: int) -> Position:
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[line] : min(offset, self._ends[line])]
        return Position(line, count_units(before))

    def make_range(self, start: int, end: int) -> Range:
        return Range(self.find_position(start), self.find_position(max(start, end)))

    def find_span(self, range: Range) -> tuple[int, int]:
        start, end = self.find_offset(range.start), self.find_offset(range.end)
        return min(start, end), max(start, end)


def count_units(text: str) -> int:
    """The units of UTF-16 that a text takes."""
    return len(text) if text.isascii() else len(text) + len(WIDE.findall(text))


def _count_signs(line: str, units: int) -> int:
    """How many characters lie within so many units; one that is cut in two counts as a whole."""
    if line.isascii() or not WIDE.search(line):
        return min(units, len(line))
    taken = 0
    for at, sign in enumerate(line):
        if taken >= units:
            return at
        taken += 2 if ord(sign) > 0xFFFF else 1
    return len(line)


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """All edits speak of the text as it is; they do not overlap."""
    lines = TextLines(text)
    spans = sorted((*lines.find_span(edit.range), at, edit.text) for at, edit in enumerate(edits))
    parts, last = [], 0
    for start, end, _, new in spans:
        parts += [text[last : max(start, last)], new]
        last = max(end, last)
    return "".join([*parts, text[last:]])
