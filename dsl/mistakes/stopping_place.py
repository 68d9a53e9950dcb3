"""Where the grammar stopped reading a line: the word, and what could have stood there. Gives mistakes their spans."""

from __future__ import annotations

from difflib import get_close_matches

from attrs import frozen

from rulesrun.dsl.mistakes.expected_words import texts_of_terminals
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.lexer import Word


@frozen
class StoppingPlace:
    """`at` counts words from 0; after the last one the line ended too early."""

    words: list[Word]
    at: int
    expected: frozenset[str]
    kind: str  # of line: a start symbol of the grammar

    @property
    def word(self) -> Word | None:
        return self.words[self.at] if self.at < len(self.words) else None

    @property
    def text(self) -> str:
        return self.words[self.at].text if self.at < len(self.words) else ""

    @property
    def first_word(self) -> str:
        return self.words[0].text

    def make_mistake(self, code: str, message: str, hint: str | None = None) -> Mistake:
        word = self.words[min(self.at, len(self.words) - 1)]
        start = word.start if self.word else word.end
        return Mistake(code, message, start, word.end, hint)

    def make_mistake_at_start(self, code: str, message: str, hint: str | None = None) -> Mistake:
        return Mistake(code, message, self.words[0].start, self.words[0].end, hint)

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
