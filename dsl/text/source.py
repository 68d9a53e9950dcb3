"""The text of a file and places in it. The only module that counts lines and columns."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Protocol

from attrs import define, field, frozen


@frozen
class Span:
    """A stretch of a source: offsets in characters, `end` not included."""

    file: str
    start: int
    end: int


class Located(Protocol):
    """What stands at a place in a file: all that a message about it, or a table keyed by it, asks for."""

    @property
    def span(self) -> Span: ...


class Titled(Located, Protocol):
    """A piece that has a title: an example, a property, a small table."""

    @property
    def title(self) -> str: ...


@define(eq=False)
class Source:
    """A file's name (as it was given) and its text."""

    file: str
    text: str
    _starts: list[int] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._starts = [0, *accumulate(len(line) + 1 for line in self.text.split("\n")[:-1])]

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def text_of_line(self, number: int) -> str:
        """The text of a line (from 1) without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r")

    def count_lines(self) -> int:
        return len(self._starts)
