"""Where the grammar stopped reading a line, the word and what could have stood there; and what is told of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from attrs import evolve, frozen

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.expected_words import texts_of_terminals
from rulesrun.dsl.text.declared_words import NOTHING_DECLARED, DeclaredWords
from rulesrun.dsl.text.lexer import Word
from rulesrun.dsl.text.messages import message


@frozen
class Mistake:
    """What is wrong, from one character of the text to another."""

    code: str
    message: str
    start: int
    end: int
    hint: str | None = None
    edits: tuple[Edit, ...] = ()  # what the hint says, done

    def with_replacement(self, text: str) -> Mistake:
        """The whole of what is meant is replaced."""
        return self.with_edits(Edit(self.start, self.end, text))

    def with_edits(self, *edits: Edit) -> Mistake:
        return evolve(self, edits=edits)


BEFORE_BRACKETS = re.compile(r"\b(?!(?:and|or|not|if|in|of|over|is|then|else|where|has|by|to|from|until) )(\w+) \(")


def join_texts(texts: Sequence[str]) -> str:
    """As they would be written: without the blanks around brackets, dots and commas that words are parted by."""
    text = BEFORE_BRACKETS.sub(r"\1(", " ".join(texts))
    return re.sub(r" ([,)\]}])|([(\[{]) | ?(\[) ?| (\.\.) ", r"\1\2\3\4", text)


@frozen
class StoppingPlace:
    """`at` counts words from 0; after the last one the line ended too early."""

    words: list[Word]
    at: int
    expected: frozenset[str]
    kind: str  # of line: a start symbol of the grammar
    margin: int = 0  # where its first line begins, blanks included
    above: str = ""  # the first word of the piece above
    depth: int = 2  # how deep the lines of that piece stand
    declared: DeclaredWords = NOTHING_DECLARED  # in the whole text

    @property
    def word(self) -> Word | None:
        return self.words[self.at] if self.at < len(self.words) else None

    @property
    def text(self) -> str:
        return self.words[self.at].text if self.at < len(self.words) else ""

    @property
    def first_word(self) -> str:
        return self.words[0].text

    def make_mistake(self, code: str, sentence: str, hint: str | None = None) -> Mistake:
        word = self.words[min(self.at, len(self.words) - 1)]
        start = word.start if self.word else word.end
        return Mistake(code, sentence, start, word.end, hint)

    def make_mistake_at_start(self, code: str, sentence: str, hint: str | None = None) -> Mistake:
        return Mistake(code, sentence, self.words[0].start, self.words[0].end, hint)

    def write_line(self, code: str, sentence: str, line: str) -> Mistake:
        """The whole line is to be written like this, where all of it is known; it is said of its first word."""
        found = self.make_mistake_at_start(code, sentence, message("write `{line}`", line=line))
        return found if "…" in line else found.with_edits(Edit(self.words[0].start, self.words[-1].end, line))

    def write_words(self, first: int, last: int, code: str, sentence: str, written: str) -> Mistake:
        """The words from the first to the last one are to be written like this."""
        start, end = self.words[first].start, self.words[last].end
        return Mistake(code, sentence, start, end, message("write `{line}`", line=written)).with_replacement(written)

    def insert_before(self, text: str) -> Edit:
        """At the place itself; at the end of a line that ends too early."""
        if self.word is None:
            end = self.words[-1].end
            return Edit(end, end, f" {text}")
        return Edit(self.word.start, self.word.start, f"{text} ")

    def move_below(self, *pieces: str) -> tuple[Edit, ...]:
        """The line goes to those of the piece above, where that is one of these."""
        return (Edit(self.margin, self.words[0].start, " " * self.depth),) if self.above in pieces else ()

    def leave_out(self, first: int, last: int) -> Edit:
        """Words from the first to the last one, with the blanks before them."""
        start = self.words[first - 1].end if first else self.words[0].start
        end = self.words[last].end
        if not first and last + 1 < len(self.words):
            end = self.words[last + 1].start
        return Edit(start, end, "")

    def begin_line_below(self, first: int, last: int) -> Edit:
        """What begins with the last of these words stands on a line of its own, deeper; the others are left out."""
        indent = self.words[0].start - self.margin + 2
        start = self.words[first - 1].end
        if last >= len(self.words):
            return Edit(start, self.words[-1].end, "")
        return Edit(start, self.words[last].start, "\n" + " " * indent)

    def text_before(self, count: int = 1) -> str:
        """The word so many words to the left."""
        return self.words[self.at - count].text if self.at >= count else ""

    def text_after(self) -> str:
        return self.words[self.at + 1].text if self.at + 1 < len(self.words) else ""

    def can_be(self, text: str) -> bool:
        return text in texts_of_terminals(self.expected)

    def similar_words(self) -> list[str]:
        """Words the grammar would take here that look like what stands here: `players`, `fron`."""
        if self.word is None or self.word.kind != "word":
            return []
        return get_close_matches(self.text[:40].lower(), texts_of_terminals(self.expected), n=1, cutoff=0.7)
