"""What the grammar could take at a place, in the author's words. Takes names of terminals, gives phrases."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulesrun.dsl.text.keywords import PHRASES, SIGNS, WORDS, split_words
from rulesrun.dsl.text.messages import message

# Where all of these can stand, any type or any value can.
STARTS_OF_TYPES = frozenset(("PLAYER", "ORDER_OF"))
ONLY_IN_TYPES = frozenset(("PLAYER", "ORDER_OF", "ROW_OF"))
STARTS_OF_VALUES = frozenset(("INT", "NAME", "LPAR", "COUNT"))
ONLY_IN_VALUES = frozenset(
    split_words("""
    INT NAME YES NO NOTHING COUNT AGGREGATE ITEM BEST THE_FIRST CAN BEFORE LPAR LBRACE MINUS NOT IF QUANTIFIER DISTINCT
    COMBINATIONS
""")
)
# What can follow every value, and says nothing about this place.
AFTER_VALUES = frozenset(
    split_words("""
    PLUS MINUS PRODUCT OF COMPARISON IS IS_A NOT AND OR WHERE DOTS LPAR LSQB IN
""")
)
IN_WORDS = {
    "INT": message("a number"),
    "NAME": message("a name"),
    "STRING": message('a text in quotes `"…"`'),
    "PIECE": message("the word for a piece"),
    "$END": message("the end of the line"),
}
MOST_PHRASES = 6


def _group_texts_by_terminal() -> dict[str, tuple[str, ...]]:
    texts: dict[str, tuple[str, ...]] = {}
    for table in (SIGNS, WORDS, PHRASES):
        for text, terminals in table.items():
            for terminal in terminals:
                texts[terminal] = (*texts.get(terminal, ()), text)
    return texts


TEXTS = _group_texts_by_terminal()


def texts_of_terminals(terminals: Collection[str]) -> tuple[str, ...]:
    """The words and signs that could be written, without names, numbers and texts."""
    return tuple(dict.fromkeys(text for terminal in sorted(terminals) for text in TEXTS.get(terminal, ())))


def describe_terminals(terminals: Collection[str]) -> str | None:
    """`:` or a name. None where too much is possible to be of help."""
    left = set(terminals)
    phrases: list[str] = []
    if left >= STARTS_OF_TYPES:
        phrases.append(message("a type"))
        left -= ONLY_IN_VALUES | ONLY_IN_TYPES
    elif left >= STARTS_OF_VALUES:
        phrases.append(message("a value"))
        left -= ONLY_IN_VALUES
    elif "COMPARISON" in left:
        left -= AFTER_VALUES | {"EQUAL"}
    elif "PLUS" in left:
        left -= AFTER_VALUES - {"IN"}
    phrases += [IN_WORDS[name] for name in ("NAME", "INT", "STRING", "PIECE") if name in left]
    left.discard("PIECE")
    phrases += [f"`{text}`" for text in texts_of_terminals(left)]
    phrases += [IN_WORDS["$END"]] if "$END" in left else []
    return join_phrases(phrases) if 0 < len(phrases) <= MOST_PHRASES else None


def join_phrases(phrases: Sequence[str]) -> str:
    return phrases[0] if len(phrases) == 1 else ", ".join(phrases[:-1]) + " or " + phrases[-1]
