"""What has which colour, as regular expressions in one dialect. Every highlighter gets the same ones, in this order.

In the dialect `\\>` is the end of a word, `NAME` is any name, `UPPER` one with a capital, and what must stand before is
a list of texts, each of its own length: some engines look back over a fixed length only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

from attrs import frozen

from rulesrun.dsl.parsing.grammar import list_first_terminals
from rulesrun.dsl.text.keywords import CHANGES, FAMILIES, PHRASES, RESERVED, WORDS, split_words


class Colour(StrEnum):
    """What a stretch of text is to the eye."""

    NOTE = "note"
    COMMENT = "comment"
    TEXT = "text"
    NUMBER = "number"
    PIECE = "piece"  # a keyword that begins a piece
    KEYWORD = "keyword"
    CONSTANT = "constant"
    DEFINED = "defined"  # the name that a piece gives
    TYPE = "type"
    CALLED = "called"
    NAME = "name"
    OPERATOR = "operator"
    PUNCTUATION = "punctuation"


KEYWORDS = frozenset((Colour.PIECE, Colour.KEYWORD, Colour.CONSTANT))


@frozen
class Pattern:
    """Text of one colour. `behind`: what may stand before it, expressions of fixed length; none: anything."""

    colour: Colour
    text: str
    behind: tuple[str, ...] = ()


@frozen
class Place:
    """Where some words are keywords: behind one of these texts, and before what fits `ahead`."""

    words: str
    behind: tuple[str, ...] = ()
    ahead: str = ""


DEEPEST = 8  # levels of indentation
LINE_START = tuple("^" + "  " * level for level in range(DEEPEST))
AFTER_EDIT = ("change ", "remove ")
AFTER_ELSE = ("else ",)
CONSTANTS = split_words("yes no nothing empty")

# A line that begins so is about a thing which is called like a keyword.
NOT_A_NAME = rf"(?! *(?:[:=\[]|(?:{'|'.join(sorted(CHANGES))})\>))"

# A word of the language that is free to be a name is a keyword in these places and nowhere else. A word
# that is not listed is one everywhere; one that begins lines does so in the places that `_list_opening_words` gives it.
PLACES = (
    Place("left right", ("moves ",)),
    Place("pile row set place", (": ",), " of"),
    Place("row line", ("add ", *AFTER_EDIT)),
    Place("row", ("",), " of .* up to"),
    Place("starter", (", ",), " moves"),
    Place("moves", ("starter ",)),
    Place("top", ("public ",)),
    Place("turn round game phase", ("each ", "^end ", " end ", "end of ", "setup ", "one ")),
    Place("turn", ("given ",), " of"),
    Place("phase", ("given ",), " NAME"),
    Place("round", ("setup ",)),
    Place("player", ("each ", "or ", ": ")),
    Place("player", ("of ",), r"(?:[:,]| *:)"),
    Place("player", (r"\w ",), r"[,)]"),
    Place("points", ("count ",)),
    Place("times", ("",), r" *(?:#|$)"),
    Place("turns rounds decisions", ("[0-9] ",), ' *"'),
    Place("turns", (": ",), " from"),
    Place("repeat one", (": ",)),
    Place("team", ("then ", "when "), "(?: can| cannot| *:)"),
    Place("team", LINE_START, " chooses"),
    Place("games", ("of ",), ' *"'),
    Place("next", LINE_START, ":"),
    Place("ranking result", (*LINE_START, *AFTER_EDIT), "(?: *:| *$| *#)"),
    Place("rule", (*LINE_START, ", ", ": "), " NAME"),
    Place("secret clamped", (", ",)),
    Place("hidden private public", (", ",)),
    Place("still", ("then ",)),
    Place("chances", ("with ",)),
    Place("after", (*LINE_START, *AFTER_EDIT), ' (?:NAME *)?"'),
    Place("always never", (*LINE_START, *AFTER_EDIT), ' *"'),
)

# Words that begin some lines and stand inside of others.
ALSO_INSIDE = frozenset(split_words("all each when choose"))

IS_ONE_PIECE = frozenset(
    word for family in ("PIECE", "NOUN", "PROPERTY") for word in split_words(FAMILIES[family])
) | frozenset(("rules", "variant"))


def list_patterns() -> tuple[Pattern, ...]:
    """All of them, the first that fits wins."""
    return (
        Pattern(Colour.NOTE, r"##[^\n]*"),
        Pattern(Colour.COMMENT, r"#[^\n]*"),
        Pattern(Colour.TEXT, r'"[^"\n]*"?'),
        *_list_phrases(),
        *_list_placed_words(),
        *_list_opening_words(),
        *_list_words_of_everywhere(),
        Pattern(Colour.DEFINED, r"NAME\>", _list_naming_words()),
        Pattern(Colour.TYPE, r"UPPER\>"),
        Pattern(Colour.CALLED, r"NAME\>(?= ?\()"),
        Pattern(Colour.NAME, r"NAME\>"),
        Pattern(Colour.NUMBER, "[0-9]+"),
        Pattern(Colour.OPERATOR, r"\.\.|<=|>=|[-+*/=<>]"),
        Pattern(Colour.PUNCTUATION, r"[()\[\]{},:]"),
    )


def _list_phrases() -> Iterator[Pattern]:
    """Several words that are one: those that begin lines, and the others. A comma before them is a sign like any."""
    edits = ("EDIT_ROW", "EDIT_LINE")
    opening = [text for text, terminals in PHRASES.items() if not {"PIECE", *edits}.isdisjoint(terminals)]
    inside = [text.removeprefix(", ") for text in PHRASES if text not in opening and text != ", else"]
    yield Pattern(Colour.PIECE, _alternatives(opening) + NOT_A_NAME, (*LINE_START, *AFTER_EDIT))
    yield Pattern(Colour.KEYWORD, _alternatives(inside))


def _list_placed_words() -> Iterator[Pattern]:
    for place in PLACES:
        colour = Colour.PIECE if place.behind[: len(LINE_START)] == LINE_START else Colour.KEYWORD
        ahead = f"(?={place.ahead})" if place.ahead else ""
        yield Pattern(colour, _alternatives(place.words.split()) + ahead, tuple(text for text in place.behind if text))


def _list_opening_words() -> Iterator[Pattern]:
    """Those that the grammar lets begin a line; pieces also behind `change` and `remove`, statements behind `else`."""
    placed = {word for place in PLACES for word in place.words.split() if place.behind[: len(LINE_START)] == LINE_START}
    first = list_first_terminals()
    pieces = _spell(first["declaration"]) | IS_ONE_PIECE - {"row", "line"}
    others = frozenset[str]().union(*(_spell(first[kind]) for kind in first if kind != "declaration")) - ALSO_INSIDE
    free = pieces - RESERVED - placed
    yield Pattern(Colour.PIECE, _alternatives(free) + NOT_A_NAME, (*LINE_START, *AFTER_EDIT))
    yield Pattern(
        Colour.KEYWORD, _alternatives(others - RESERVED - free - placed) + NOT_A_NAME, (*LINE_START, *AFTER_ELSE)
    )


def _list_words_of_everywhere() -> Iterator[Pattern]:
    bound = {word for place in PLACES for word in place.words.split()}
    first = _spell(frozenset[str]().union(*list_first_terminals().values())) - RESERVED
    free = frozenset(WORDS) - (bound | first | IS_ONE_PIECE) | ALSO_INSIDE
    yield Pattern(Colour.CONSTANT, _alternatives(CONSTANTS))
    yield Pattern(Colour.KEYWORD, _alternatives((free | RESERVED) - set(CONSTANTS)))


def _list_naming_words() -> tuple[str, ...]:
    """After which the name stands that a piece gives."""
    unnamed = {"rules", "game", "players", "rounds", "require", "setup", "score", "ranking", "result", "row", "line"}
    titled = {"always", "never", "example", "small", "variant"}
    return tuple(f"{word} " for word in sorted(IS_ONE_PIECE - unnamed - titled))


def _spell(terminals: frozenset[str]) -> frozenset[str]:
    """The words that make these terminals."""
    return frozenset(word for word, names in WORDS.items() if not terminals.isdisjoint(names))


def _alternatives(words: Iterable[str]) -> str:
    """The longest first, so that `at end of turn` is not read as `at end`."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return rf"(?:{'|'.join(re.escape(word).replace(chr(92) + ' ', ' ') for word in ordered)})\>"
