"""What is wrong with a line, in the author's words. Takes its words and Lark's complaint, gives a mistake."""

from __future__ import annotations

from lark.exceptions import UnexpectedToken
from attrs import frozen

from rulesrun.dsl.lexer import Word


@frozen
class Mistake:
    code: str
    message: str
    start: int
    end: int
    hint: str | None = None


def mistake_in_words(words: list[Word]) -> Mistake | None:
    for word in words:
        if word.kind in ("slip", "odd"):
            return Mistake("unknown-sign", f"`{word.text}` is not a sign of the language", word.start, word.end)
    return None


def unexpected(error: UnexpectedToken, words: list[Word], kind: str) -> Mistake:
    token = error.token
    if token.type == "$END":
        return Mistake("unfinished-line", f"something is missing here: {sorted(error.expected)}", words[-1].end, words[-1].end)
    return Mistake("unexpected-word", f"did not expect `{token}` here: {sorted(error.expected)}", token.start_pos or 0, token.end_pos or 0)
