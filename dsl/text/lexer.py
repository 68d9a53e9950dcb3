"""A stretch of text as words: names, numbers, texts in quotes, signs. Takes characters, gives words and comments.

What is a keyword is not decided here: that depends on where a word stands.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

MOST_WORDS = 2000  # on a line
MOST_REMEMBERED = 8_000  # lines
LONGEST_REMEMBERED = 300  # characters

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: sign for sign, close in OPENING.items()}

PATTERN = re.compile(
    r"""
      (?P<space>   [^\S\n\u00a0\u202f\u2007]+ )
    | (?P<comment> \#[^\n]* )
    | (?P<string>  "[^"\n]*" )
    | (?P<number>  [0-9]+ (?![.][0-9]) )
    | (?P<word>    [^\W\d_]\w* )
    | (?P<slip>    ==|!=|<>|:=|=>|=<|&&|\|\||->|\+\+|--|\+=|-=|\*\*|[0-9]+[.][0-9]+|\.\.\.+ )
    | (?P<sign>    \.\.|<=|>=|[-+*/=<>()\[\]{},:] )
    | (?P<odd>     . )
    """,
    re.VERBOSE,
)


class Word(NamedTuple):
    """One word of a line. `kind`: word, number, string, sign, or slip and odd for what the language does not know."""

    kind: str
    text: str
    start: int
    end: int


class ScannedLine(NamedTuple):
    """A physical line: its words, and where its comment starts, if it has one."""

    words: list[Word]
    comment: int | None
    is_cut: bool  # there were more words than a line may have


def scan_line(text: str, start: int, end: int) -> ScannedLine:
    """Lines are read again and again while a text is edited: each is taken apart once."""
    if end - start > LONGEST_REMEMBERED:
        return _scan_anew(text, start, end)
    found = _scan_alone(text[start:end])
    words = [Word(kind, said, first + start, last + start) for kind, said, first, last in found.words]
    return ScannedLine(words, None if found.comment is None else found.comment + start, found.is_cut)


@lru_cache(maxsize=MOST_REMEMBERED)
def _scan_alone(line: str) -> ScannedLine:
    return _scan_anew(line, 0, len(line))


def _scan_anew(text: str, start: int, end: int) -> ScannedLine:
    words: list[Word] = []
    at = start
    while at < end:
        found = PATTERN.match(text, at, end)
        if found is None:  # cannot be: the last alternative fits any character
            break
        kind = found.lastgroup or "odd"
        if kind == "comment":
            return ScannedLine(words, at, False)
        stop = found.end()
        if kind == "word":
            stop = _find_name_end(text, stop, end)
            words.append(Word("word", unicodedata.normalize("NFC", text[at:stop]), at, stop))
        elif kind != "space":
            words.append(Word(kind, found.group(), at, stop))
        if len(words) > MOST_WORDS:
            return ScannedLine(words, None, True)
        at = stop
    return ScannedLine(words, None, False)


def _find_name_end(text: str, at: int, end: int) -> int:
    """Vowel signs and accents that stand apart belong to the name, in scripts that need them."""
    while at < end and (text[at].isalnum() or text[at] == "_" or unicodedata.category(text[at]) in ("Mn", "Mc")):
        at += 1
    return at
