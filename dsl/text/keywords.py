"""Which words and signs of the surface language make which terminals of the grammar. Data alone.

A word may stand for several terminals; the parser's state decides, and where it accepts none of
them the word is a name. Another surface language is another pair of tables.
"""

from __future__ import annotations

import re
from string import ascii_lowercase


def split_words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SIGNS: dict[str, tuple[str, ...]] = {
    ",": ("COMMA",),
    ":": ("COLON",),
    "=": ("EQUAL",),
    "(": ("LPAR",),
    ")": ("RPAR",),
    "[": ("LSQB",),
    "]": ("RSQB",),
    "{": ("LBRACE",),
    "}": ("RBRACE",),
    "+": ("PLUS",),
    "-": ("MINUS",),
    "*": ("PRODUCT",),
    "/": ("PRODUCT",),
    "..": ("DOTS",),
    "<": ("COMPARISON",),
    "<=": ("COMPARISON",),
    ">": ("COMPARISON",),
    ">=": ("COMPARISON",),
}

# Words whose terminal is the word itself in capitals.
PLAIN_WORDS = split_words("""
    action after all and as ask at because becomes before board by can cannot chances change choose chooses clamped
    clear count define die distinct do each else empty end example except figure from game games given has hexagonal
    if in into is item let line look loses marker mean memory move moves needs next no nobody not nothing number of
    one opponent option or otherwise over persona phase player players points ranking reading record remove repeat
    require result rings roll round rounds rule rules score secret set setup show shuffle skipping small sorted
    starter step still swap table team teams then through times to todo top turn turns until values variant when where
    wins with without words yes zone
""")

# Words that belong to a family, and the families.
FAMILIES: dict[str, str] = {
    "NOUN": "card token tile piece",
    "KIND": "pile row set place",
    "SIDE": "left right",
    "VISIBILITY": "hidden private public",
    "RESET": "round turn",
    "MOMENT": "turn round game",
    "PART": "turn phase round game",
    "PROPERTY": "always never",
    "UNIT": "turns rounds decisions",
    "DEALING": "deal draw",
    "CHANGING": "increases decreases",
    "CHOICE_WORD": "from in",
    "PREFERENCE": "prefer avoid",
    "QUANTIFIER": "some every",
    "AGGREGATE": "sum highest lowest list sorted",
    "BEST": "the those",
    "DIRECTION": "highest lowest",
    "PRODUCT": "div mod",
    "PIECE": (
        "game players teams rounds values card token tile piece die board component option reading require zone number"
        " marker memory table define setup phase step action score ranking result figure property always never"
        " after example small persona words look row line examples"
    ),
}

# Several words that make one terminal, where the grammar accepts it.
PHRASES: dict[str, tuple[str, ...]] = {
    "how often": ("HOW_OFTEN",),
    "seen by": ("SEEN_BY",),
    "public except": ("SEEN_BY",),
    "up to": ("UP_TO",),
    "teams for": ("TEAMS_FOR",),
    "look at": ("LOOK_AT",),
    "draw lots for": ("DRAW_LOTS",),
    "if possible": ("IF_POSSIBLE",),
    ", always possible": ("ALWAYS_POSSIBLE",),
    ", else": ("OR_ELSE",),
    ", after": ("LINE_PLACE",),
    ", before": ("LINE_PLACE",),
    ", in place of": ("LINE_PLACE",),
    ", without": ("LINE_PLACE",),
    ", next": ("NEXT_TURN",),
    ", at most": ("TURN_LIMIT",),
    ", until": ("ASKED_UNTIL",),
    ", to the left": ("TURN_SIDE",),
    ", to the right": ("TURN_SIDE",),
    "in order of": ("IN_ORDER_OF",),
    "in reverse order of": ("IN_REVERSE_ORDER_OF",),
    "order of": ("ORDER_OF",),
    "row of": ("ROW_OF",),
    "set of": ("SET_OF",),
    "combinations of": ("COMBINATIONS",),
    "ties share": ("TIES_SHARE",),
    "the first": ("THE_FIRST",),
    "of each": ("OF_EACH",),
    "line of": ("LINE_OF",),
    "is a": ("IS_A",),
    "is an": ("IS_A",),
    "is not a": ("IS_A",),
    "is not an": ("IS_A",),
    "the game is over": ("GAME_STATE",),
    "the game goes on": ("GAME_STATE",),
    "can happen": ("PROPERTY", "PIECE"),
    "ends within": ("ENDS_WITHIN", "PIECE"),
    "at most": ("SHARE", "PIECE"),
    "at least": ("SHARE", "PIECE"),
    "change row": ("EDIT_ROW",),
    "add row": ("EDIT_ROW",),
    "change line": ("EDIT_LINE",),
    "add line": ("EDIT_LINE",),
    "setup round": ("PIECE",),
    "score each round": ("PIECE",),
    "score at end": ("PIECE",),
    "at end": ("PIECE",),
    "at end of turn": ("PIECE",),
    "at end of round": ("PIECE",),
    "at end of game": ("PIECE",),
}

# Words that can begin or join an expression: nothing can be called so.
RESERVED = frozenset(
    split_words("""
    and because before can cannot count distinct div else every has highest if in is item list lowest mod
    no not nothing of or otherwise over some sorted sum the then those where with yes
""")
)

# A line that ends with one of these goes on below, and so does one before a deeper line that starts with one of those.
GOES_ON_AFTER = frozenset(
    split_words("= , + - * / < <= > >= .. and or not then else has over where because in is of div mod")
)
GOES_ON_BEFORE = frozenset(("and", "or", "then", "else", "because"))

# The words that begin a statement.
STATEMENTS = split_words("""
    shuffle deal draw move swap roll choose all team if otherwise each repeat turns one do show count record end
    needs let ask look nobody clear
""")

# After these words stands what a statement changes: the word before them is a name, even `show` or `turns`.
CHANGES = frozenset(("becomes", "increases", "decreases", "chooses"))


def _map_words_to_terminals() -> dict[str, tuple[str, ...]]:
    terminals: dict[str, tuple[str, ...]] = {word: (word.upper(),) for word in PLAIN_WORDS}
    for family, words in FAMILIES.items():
        for word in words.split():
            terminals[word] = (*terminals.get(word, ()), family)
    return terminals


def _group_phrases_by_first_word() -> dict[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]]:
    """For each first word its phrases, the longest first."""
    phrases = [(split_words(text), names) for text, names in PHRASES.items()]
    phrases.sort(key=lambda entry: -len(entry[0]))
    return {words[0]: tuple(entry for entry in phrases if entry[0][0] == words[0]) for words, _ in phrases}


WORDS = _map_words_to_terminals()
PHRASES_BY_FIRST_WORD = _group_phrases_by_first_word()


# ---- zone names
# Beginnings of the names of zones that no author writes: there are blanks in them.


BOX = "box of "  # where the faces of dice lie that are not shown
ASIDE = "top of "  # where what is looked at lies for a moment


# ---- place names
# What a place of a board is called: its column by a letter, its row by a number. Numbers in, names out, and back.


PLACE = re.compile(r"([a-z]{1,2})([1-9][0-9]?)")


def place_name(row: int, column: int) -> str:
    """As players say it: the column by its letter, then the row. `z` is followed by `aa`."""
    return column_name(column) + str(row)


def column_name(column: int) -> str:
    first, last = divmod(column - 1, len(ascii_lowercase))
    return (ascii_lowercase[first - 1] if first else "") + ascii_lowercase[last]


def read_place_name(text: str) -> tuple[int, int] | None:
    """Row and column of what is called like a place; None for other names."""
    found = PLACE.fullmatch(text)
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * len(ascii_lowercase) + ascii_lowercase.index(letter) + 1
    return int(found[2]), column
