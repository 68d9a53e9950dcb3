"""What a text declares, read off its lines however wrong they are: which words may stand before `of`, and which names
there are. Takes text, gives words. A mistake in one line does not hide what the others say.
"""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import frozen

from rulesrun.dsl.text.keywords import RESERVED, split_words

PIECE = re.compile(r"^[ ]*(?:change +|add +)?([a-z]+) +([^\W\d_]\w*)([^#\n]*)", re.MULTILINE)
ATTRIBUTE = re.compile(r"[:,] *([^\W\d_]\w*) +[\w(]")
LINE = re.compile(r"^ +([^\W\d_]\w*) *=", re.MULTILINE)
BOUND = re.compile(r"\b(?:let|each|some|every|no|the|those) +([^\W\d_]\w*) +(?:=|in\b)")
PARAMETER = re.compile(r"[(,] *(?:[\d.]+ +)?([^\W\d_]\w*) +\w")
WORD = re.compile(r"[^\W\d_]\w*")
NOUNS = split_words("card token tile piece die board")
VARIABLES = split_words("zone number marker")
ALWAYS_BEFORE_OF = frozenset(split_words("""
    count sum highest lowest list sorted top bottom first last left right total place item
"""))  # fmt: skip
ALWAYS_KNOWN = frozenset(split_words("player players opponents starter round phase it"))


@frozen
class DeclaredWords:
    """`before_of`: attributes, what every player or component has, words of the language. `known`: all other names."""

    before_of: frozenset[str]
    known: frozenset[str]
    steps: frozenset[str]

    def make_sense(self, before: str, behind: str) -> bool:
        """Whether `BEFORE of BEHIND` may be meant."""
        return before in self.before_of or (behind in self.before_of and before in self.known)


@lru_cache(maxsize=4)
def find_declared_words(text: str) -> DeclaredWords:
    before, known, steps = {*ALWAYS_BEFORE_OF}, {*ALWAYS_KNOWN}, set()
    before.update(LINE.findall(text))
    known.update(BOUND.findall(text))
    for piece, name, rest in PIECE.findall(text):
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
    return DeclaredWords(frozenset(before - RESERVED | ALWAYS_BEFORE_OF), frozenset(known - RESERVED), frozenset(steps))


NOTHING_DECLARED = find_declared_words("")
