"""Signs that the language does not know, and brackets that do not fit. Takes the words of a line."""

from __future__ import annotations

import unicodedata
from fractions import Fraction

from attrs import frozen

from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.lexer import CLOSING, OPENING, Word


@frozen
class Mistake:
    """What is wrong, from one character of the text to another."""

    code: str
    message: str
    start: int
    end: int
    hint: str | None = None


# What people write who know other languages, and what it is called here.
SLIPS: dict[str, str] = {
    "==": "`=` compares",
    "!=": "write `is not`",
    "<>": "write `is not`",
    "≠": "write `is not`",
    "≤": "write `<=`",
    "=<": "write `<=`",
    "≥": "write `>=`",
    "=>": "write `>=`",
    ":=": "to change something, write `becomes`",
    "->": "to change something, write `becomes`",
    "+=": "write `increases by`",
    "-=": "write `decreases by`",
    "++": "write `increases by 1`",
    "--": "write `decreases by 1`",
    "&&": "write `and`",
    "&": "write `and`",
    "||": "write `or`",
    "|": "write `or`",
    "!": "write `not`",
    "**": "write the product out",
    "^": "write the product out",
    "×": "write `*`",
    "·": "write `*`",
    "÷": "write `div` (rounded down) or `/` (exact)",
    "%": "write `mod` for the remainder",
    ";": "a line ends by itself",
    "…": "a range is written `1..5`",
    "'": 'a text stands in straight double quotes: `"…"`',
    "`": 'a text stands in straight double quotes: `"…"`',
    "?": "write `if … then … else …`",
    ".": "a text for people is a comment: put `#` before it",
    "•": "a text for people is a comment: put `#` before it",
}
CURLY = frozenset("“”„‟«»‹›‘’‚‛＂")
DASHES = frozenset("‐‑‒–—―−")
SPACES = frozenset("\u00a0\u202f\u2007")
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")


def diagnose_words(words: list[Word]) -> Mistake | None:
    numbered = _diagnose_numbered_line(words)
    if numbered is not None:
        return numbered
    for at, word in enumerate(words):
        if word.kind == "string" and not word.text.isprintable():
            found = _diagnose_unseen_sign(word)
            if found is not None:
                return found
        if word.kind in ("slip", "odd"):
            return _diagnose_wrong_sign(words, at)
        if word.text == "/" and at + 1 < len(words) and words[at + 1].text in ("/", "*"):
            text = f"/{words[at + 1].text}"
            hint = "a comment begins with `#` and goes to the end of its line"
            return Mistake("wrong-sign", f"`{text}` begins no comment", word.start, words[at + 1].end, hint)
        if word.kind == "word" and not word.text.isascii() and _is_ligature(word.text):
            return _diagnose_pasted_sign(
                word, f"`{word.text}` holds letters joined into one sign", "write the letters one by one"
            )
    return _diagnose_brackets(words)


def _diagnose_numbered_line(words: list[Word]) -> Mistake | None:
    """`1. shuffle stock`, `2) shuffle stock`."""
    if len(words) < 3 or words[0].kind != "number" or words[1].text not in (".", ")"):
        return None
    hint = f"leave `{words[0].text}{words[1].text}` out: lines are done in their order"
    return Mistake("wrong-sign", "lines are not numbered", words[0].start, words[1].end, hint)


def _diagnose_unseen_sign(word: Word) -> Mistake | None:
    """Signs that steer a terminal, or turn around how a line is read: what is shown would not be what is written."""
    for at, sign in enumerate(word.text, word.start):
        if sign in TURNING or (unicodedata.category(sign) in ("Cc", "Zl", "Zp") and sign != "\t"):
            message = f"`U+{ord(sign):04X}` cannot be seen and cannot stand in a text"
            return Mistake("wrong-sign", message, at, at + 1, "delete it")
    return None


def _is_ligature(text: str) -> bool:
    return any("\ufb00" <= sign <= "\ufb06" for sign in text)


def _diagnose_wrong_sign(words: list[Word], at: int) -> Mistake:
    word = words[at]
    sign = word.text
    if sign == '"':
        hint = 'a text ends on the line where it begins, with a second `"`'
        return Mistake("unclosed-text", "this text has no end", word.start, words[-1].end, hint)
    if sign in CURLY and not (sign == "\u2019" and at + 1 < len(words) and words[at + 1].text in ("s", "t")):
        return Mistake("curly-quotes", f"`{sign}` is not a straight quote", word.start, word.end, 'write `"`')
    if sign in DASHES:
        return _diagnose_pasted_sign(word, f"`{sign}` is a dash, not a minus", "write `-`; in a name, `_`")
    if sign in SPACES or sign in INVISIBLE:
        name = unicodedata.name(sign, "sign").lower()
        message = f"here stands {with_article(name)}, which cannot be seen"
        return _diagnose_pasted_sign(word, message, "delete it, or write an ordinary space")
    if word.kind == "slip" and sign[0].isdigit():
        return _diagnose_decimal(word)
    if sign == "." and 0 < at < len(words) - 1 and words[at + 1].kind == "word":
        hint = f"write `{words[at + 1].text} of {words[at - 1].text}`"
        return Mistake("wrong-sign", "nothing is reached by a dot", word.start, word.end, hint)
    if sign in ("'", "\u2019") and 0 < at < len(words) - 1 and words[at + 1].text in ("s", "t"):
        return _diagnose_apostrophe(words, at)
    if sign == "%" and at and words[at - 1].kind == "number" and (at + 1 == len(words) or words[at + 1].text == "of"):
        return _diagnose_percent(words[at - 1], word)
    if sign.startswith("..."):
        return Mistake("wrong-sign", f"`{sign}` has too many dots", word.start, word.end, "a range is written `1..5`")
    shown = sign if sign.isprintable() else f"U+{ord(sign[0]):04X}"
    return Mistake("wrong-sign", f"`{shown}` is not a sign of the language", word.start, word.end, SLIPS.get(sign))


FULL = {"isn": "is not", "can": "cannot", "aren": "is not", "hasn": "not … has"}


def _diagnose_apostrophe(words: list[Word], at: int) -> Mistake:
    """`leader's tricks`; `led isn't red`."""
    owner, last = words[at - 1], words[at + 1]
    if last.text == "t":
        hint = f"write `{FULL.get(owner.text, 'not')}`"
        return Mistake("wrong-sign", "words are written in full", owner.start, last.end, hint)
    thing = words[at + 2].text if at + 2 < len(words) and words[at + 2].kind == "word" else "…"
    hint = f"write `{thing} of {owner.text}`"
    return Mistake("wrong-sign", "whose it is stands behind `of`", owner.start, last.end, hint)


def _diagnose_percent(number: Word, sign: Word) -> Mistake:
    """`at most 50% of games`."""
    share = Fraction(int(number.text[:9]), 100)
    hint = f"write `{share.numerator}/{share.denominator}`"
    return Mistake("wrong-sign", "shares are fractions", number.start, sign.end, hint)


def _diagnose_pasted_sign(word: Word, message: str, hint: str) -> Mistake:
    return Mistake("pasted-sign", message, word.start, word.end, f"{hint} (text pasted from a PDF brings such signs)")


def _diagnose_decimal(word: Word) -> Mistake:
    whole, digits = word.text.split(".", 1)
    hint = "numbers are exact: write a fraction"
    if len(word.text) <= 9:
        value = Fraction(int(whole + digits), 10 ** len(digits))
        hint += f", `{value.numerator} / {value.denominator}`"
    return Mistake("decimal-number", f"`{word.text}` is not a number of the language", word.start, word.end, hint)


def _diagnose_brackets(words: list[Word]) -> Mistake | None:
    still_open: list[Word] = []
    for word in words:
        if word.kind != "sign":
            continue
        if word.text in OPENING:
            still_open.append(word)
        elif word.text in CLOSING:
            if not still_open:
                return _diagnose_unopened(word)
            begin = still_open.pop()
            if OPENING[begin.text] != word.text:
                message = f"`{begin.text}` is closed by `{word.text}`"
                return Mistake("unclosed-bracket", message, begin.start, begin.end, f"write `{OPENING[begin.text]}`")
    return _diagnose_unclosed(still_open[-1]) if still_open else None


def _diagnose_unopened(word: Word) -> Mistake:
    message = f"this `{word.text}` closes nothing"
    if word.text == "}":
        hint = "what belongs together is indented, without `{` and `}`"
    else:
        hint = f"leave it out, or write the `{CLOSING[word.text]}`"
    return Mistake("unclosed-bracket", message, word.start, word.end, hint)


def _diagnose_unclosed(begin: Word) -> Mistake:
    hint = f"write `{OPENING[begin.text]}` where it ends"
    if begin.text == "{":
        hint = "write `}` where the set ends; lines that belong together are indented, without `{` and `}`"
    return Mistake("unclosed-bracket", f"this `{begin.text}` is never closed", begin.start, begin.end, hint)
