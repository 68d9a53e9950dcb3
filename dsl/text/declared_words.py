"""What a text declares, read off its lines however wrong they are: which words may stand before `of`, and which names
there are. Takes text, gives words. A mistake in one line does not hide what the others say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from attrs import field, frozen

from rulesrun.dsl.text.keywords import RESERVED, split_words

PIECE = re.compile(r"^[ ]*(?:change +|add +)?([a-z]+) +([^\W\d_]\w*)([^#\n]*)", re.MULTILINE)
ATTRIBUTE = re.compile(r"[:,] *([^\W\d_]\w*) +[\w(]")
LINE = re.compile(r"^ +([^\W\d_]\w*) *=", re.MULTILINE)
BOUND = re.compile(r"\b(?:let|each|some|every|no|the|those) +([^\W\d_]\w*) +(?:=|in\b)")
PARAMETER = re.compile(r"[(,] *(?:[\d.]+ +)?([^\W\d_]\w*) +\w")
WORD = re.compile(r"[^\W\d_]\w*")
VALUES = re.compile(r"^[ ]*values +([^\W\d_]\w*) *:([^\n#]*)", re.MULTILINE)
TYPED = re.compile(r"[:,] *([^\W\d_]\w*) +([^\W\d_]\w*)")
KEY = re.compile(r" *\[ *([^\W\d_]\w*) *\]")
OF_KIND = re.compile(r"\bof +([^\W\d_]\w*) *(?:,|$)")
EACH = re.compile(r"(\d+) of each")
NOUNS = split_words("card token tile piece die board")
VARIABLES = split_words("zone number marker")
ALWAYS_BEFORE_OF = frozenset(split_words("""
    count sum highest lowest list sorted top bottom first last left right total place item
"""))  # fmt: skip
ALWAYS_KNOWN = frozenset(split_words("player players opponents starter round phase it"))


@frozen
class DeclaredThings:
    """What a hint can name: each in the order of the text. Components without dice and boards."""

    actions: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    piles: tuple[str, ...] = ()  # hidden: what is drawn from
    hands: tuple[str, ...] = ()  # a zone of each player
    cups: tuple[str, ...] = ()  # zones of dice; those of a player only where there are no others
    kinds: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    dice_of_each: int = 1
    boards: tuple[str, ...] = ()
    on_boards: tuple[str, ...] = ()  # markers and numbers that are kept for places
    counted: tuple[str, ...] = ()  # a number of each player
    truths: tuple[str, ...] = ()  # markers that say yes or no
    variables: tuple[str, ...] = ()  # numbers and markers
    rows: tuple[str, ...] = ()  # zones whose order is seen
    contents: Mapping[str, str] = field(factory=dict)  # by the zone: what is said behind its name
    starts: Mapping[str, str] = field(factory=dict)  # by the number: what it begins with
    attribute_of: Mapping[str, str] = field(factory=dict)  # by the word that is its value: `colour` of `red`
    kind_of: Mapping[str, str] = field(factory=dict)  # by the word: `Colour` of `red`


@frozen
class DeclaredWords:
    """`before_of`: attributes, what every player or component has, words of the language. `known`: all other names."""

    before_of: frozenset[str]
    known: frozenset[str]
    steps: frozenset[str]
    things: DeclaredThings = DeclaredThings()

    def make_sense(self, before: str, behind: str) -> bool:
        """Whether `BEFORE of BEHIND` may be meant."""
        return before in self.before_of or (behind in self.before_of and before in self.known)


def find_only(names: tuple[str, ...]) -> str:
    """The one that can be meant; nothing where there are several."""
    return names[0] if len(names) == 1 else ""


@lru_cache(maxsize=4)
def find_declared_words(text: str) -> DeclaredWords:
    before, known, steps = {*ALWAYS_BEFORE_OF}, {*ALWAYS_KNOWN}, set()
    before.update(LINE.findall(text))
    known.update(BOUND.findall(text))
    pieces = PIECE.findall(text)
    for piece, name, rest in pieces:
        if piece in NOUNS:
            before.update(("face",) if piece == "die" else ("row", "column") if piece == "board" else ())
            before.update(ATTRIBUTE.findall(rest))
        elif piece in VARIABLES:
            (before if rest.startswith(" of ") else known).add(name)
        elif piece in ("values", "option", "reading"):
            known.update(WORD.findall(rest))
        elif piece == "step":
            steps.add(name)
        elif piece == "define" and not rest.startswith("("):
            before.add(name)
        if piece in (*NOUNS, "values", "option", "reading", "define", "table"):
            known.add(name)
        if piece in ("define", "table", "step", "action"):
            known.update(PARAMETER.findall(rest))
    things = find_things(pieces, VALUES.findall(text))
    return DeclaredWords(
        frozenset(before - RESERVED | ALWAYS_BEFORE_OF), frozenset(known - RESERVED), frozenset(steps), things
    )


def find_things(pieces: list[tuple[str, str, str]], values: list[tuple[str, str]]) -> DeclaredThings:
    def named(*wanted: str, like: str = "", unlike: str = "") -> tuple[str, ...]:
        found = (name for piece, name, rest in pieces if piece in wanted and like in rest
                 and not (unlike and unlike in rest))  # fmt: skip
        return tuple(dict.fromkeys(found))

    dice, boards = named("die"), named("board")
    owned = tuple(name for piece, name, rest in pieces if piece == "zone" and rest.startswith(" of player"))
    cups = tuple(dict.fromkeys(name for piece, name, rest in pieces
                               if piece == "zone" and (kind := OF_KIND.search(rest)) and kind[1] in dice))  # fmt: skip
    each = next((EACH.search(rest) for piece, _, rest in pieces if piece == "die"), None)
    on_boards = (name for piece, name, rest in pieces
                 if piece in VARIABLES and (key := KEY.match(rest)) and key[1] in boards)  # fmt: skip
    counted = (name for piece, name, rest in pieces if piece == "number" and rest.startswith(" of player"))
    return DeclaredThings(
        named("action"), named("zone"), named("zone", like="hidden", unlike=" of player"), tuple(dict.fromkeys(owned)),
        tuple(name for name in cups if name not in owned) or cups, named("card", "token", "tile", "piece"), dice,
        int(each[1][:4]) if each is not None else 1, boards, tuple(dict.fromkeys(on_boards)),
        tuple(dict.fromkeys(counted)), named("marker", like=" yes or no"), named("number", "marker"),
        named("zone", like=": row of "), {name: rest for piece, name, rest in pieces if piece == "zone"},
        {name: start for piece, name, rest in pieces if piece == "number" and (start := _read_start(rest))},
        dict(find_attributes_of_words(pieces, values)),
        {word: name for name, listed in values for word in WORD.findall(listed)},
    )  # fmt: skip


def _read_start(rest: str) -> str:
    """`0` of `of player: 0..30`, `20` of `: 0..30 = 20`, where it is a number."""
    typed, _, start = rest.partition(":")[2].partition("=")
    first = (start.split(",") if start else typed.split(".."))[0].strip()
    return first if first.isdigit() else ""


def find_attributes_of_words(
    pieces: list[tuple[str, str, str]], values: list[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """`red` and `colour`, where components have a `colour Colour`."""
    typed = {kind: name for piece, _, rest in pieces if piece in NOUNS for name, kind in TYPED.findall(rest)}
    for name, listed in values:
        if name in typed:
            yield from ((word, typed[name]) for word in WORD.findall(listed))


NOTHING_DECLARED = find_declared_words("")
