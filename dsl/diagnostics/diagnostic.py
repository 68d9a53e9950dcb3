"""What the checker found, as data. No text for people is laid out here."""

from __future__ import annotations

import re

from attrs import evolve, field, frozen

from rulesrun.dsl.text.messages import Message
from rulesrun.dsl.text.source import Span

LONGEST_WORD = 100


def shorten_long_words(text: str) -> str:
    """A word of the file may be as long as the file; what is quoted of it may not."""
    if isinstance(text, Message):
        return text.map_texts(shorten_long_words) if len(text) > LONGEST_WORD else text
    return re.sub(rf"\S{{{LONGEST_WORD + 1},}}", lambda word: f"{word[0][:40]}…{word[0][-40:]}", text)


def shorten_hint(hint: str | None) -> str | None:
    return None if hint is None else shorten_long_words(hint)


@frozen
class Edit:
    """What stands from `start` to `end` (offsets, `end` not included) is replaced."""

    start: int
    end: int
    text: str


@frozen
class Related:
    """Another place that belongs to the finding."""

    message: str = field(converter=shorten_long_words)
    span: Span


@frozen
class Diagnostic:
    code: str
    message: str = field(converter=shorten_long_words)
    span: Span
    hint: str | None = field(default=None, converter=shorten_hint)
    severity: str = "error"  # error | warning | note
    related: tuple[Related, ...] = ()
    edits: tuple[Edit, ...] = ()  # what the hint says, done: in the file of the span

    def with_replacement(self, text: str) -> Diagnostic:
        """The whole of what is meant is replaced."""
        return self.with_edits(Edit(self.span.start, self.span.end, text))

    def with_edits(self, *edits: Edit) -> Diagnostic:
        return evolve(self, edits=edits)
