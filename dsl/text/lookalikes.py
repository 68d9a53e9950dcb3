"""Letters of other scripts that look like Latin ones. Takes a word, gives the word it looks like."""

from __future__ import annotations

from collections.abc import Collection

from rulesrun.dsl.text.messages import message

LOOKS_LIKE = str.maketrans(
    "аеорсухіјѕԁһԛԝАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαν",
    "aeopcyxijsdhqwABEKMHOPCTYXIJSABEZHIKMNOPTYXoav",
)


def suggest_latin_word(text: str, known: Collection[str]) -> str | None:
    """`Сard` with a Cyrillic first letter → a hint that says which letter it is; None where it is no such thing."""
    latin = text.translate(LOOKS_LIKE)
    if latin == text or latin not in known:
        return None
    odd = next(sign for sign, like in zip(text, latin, strict=True) if sign != like)
    return message(
        "write `{latin}` in Latin letters: its `{odd}` (U+{ord:04X}) only looks like one",
        latin=latin,
        odd=odd,
        ord=ord(odd),
    )
