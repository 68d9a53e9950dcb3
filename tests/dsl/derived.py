"""Files derived from the grammar itself: sentences of every kind of line, put below each other as pieces.

What the grammar derives and the parser does not accept (a name that is a word there) is left out, line by line.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from random import Random

from lark.exceptions import UnexpectedToken
from lark.grammar import Symbol

from rulesrun.dsl.mistakes.expected_words import TEXTS
from rulesrun.dsl.parsing.blocks import LineReader, read_blocks
from rulesrun.dsl.parsing.grammar import ParsedLine, load_parser
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source

NAMES = (
    "a", "b", "c", "p", "hand", "player", "players", "rank", "it", "red", "row", "play", "points", "turns", "Card",
    "show", "rounds", "left", "a_rather_long_name_of_a_thing", "another_name_that_takes_much_room_on_its_line", "карта",
)  # fmt: skip
NUMBERS = ("0", "1", "2", "3", "12")
TITLES = ('"a title"', '"one, two and three or four = five"', '"x"', '"where the red ones (and no others) lie then"')
COMMENTS = ("# a remark", "#b", "## a note")
KINDS_BELOW = {
    "card": "component_line", "token": "component_line", "tile": "component_line", "piece": "component_line",
    "board": "board_line",
    "option": "sentence", "reading": "sentence", "table": "entries", "setup": "statement", "phase": "statement",
    "step": "statement", "action": "statement", "score": "score_line", "example": "example_line",
    "persona": "persona_line", "words": "words_line", "look": "words_line", "small": "declaration",
}  # fmt: skip
HEADERS = ("if", "otherwise", "each", "turns", "one", "repeat")
ELSEWHERE = ("needs", "otherwise", "rules")  # only in places of their own
MUST_HAVE_LINES = ("setup", "phase", "step", "score", "small", "persona", *HEADERS)


@cache
def expansions() -> dict[str, list[tuple[Symbol, ...]]]:
    found = defaultdict(list)
    for rule in load_parser().rules:
        found[rule.origin.name].append(tuple(rule.expansion))
    return dict(found)


@cache
def least_lengths() -> dict[str, int]:
    """The fewest words that each symbol can come to."""
    lengths: dict[str, int] = {}
    while True:
        again = {
            name: min(sum(1 if one.is_term else lengths.get(one.name, 10_000) for one in way) for way in ways)
            for name, ways in expansions().items()
        }
        if again == lengths:
            return lengths
        lengths = again


def length_of(way: tuple[Symbol, ...]) -> int:
    return sum(1 if symbol.is_term else least_lengths()[symbol.name] for symbol in way)


class Deriver:
    """Derives sentences by a source of chance, so that the same source gives the same file."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.left = 0

    def sentence(self, start: str, size: int) -> str:
        self.left = size
        ways = expansions()[start]
        first = self.chance.choice(sorted({way[0].name for way in ways}))  # optional parts make many ways of one line
        return " ".join(self.derived(self.chance.choice([way for way in ways if way[0].name == first])))

    def words(self, name: str) -> list[str]:
        ways = expansions()[name]
        if self.left <= 0:
            shortest = min(map(length_of, ways))
            ways = [way for way in ways if length_of(way) == shortest]
        return self.derived(self.chance.choice(ways))

    def derived(self, way: tuple[Symbol, ...]) -> list[str]:
        words: list[str] = []
        for symbol in way:
            words += [self.word(symbol.name)] if symbol.is_term else self.words(symbol.name)
        return words

    def word(self, terminal: str) -> str:
        self.left -= 1
        match terminal:
            case "NAME":
                return self.chance.choice(NAMES)
            case "INT":
                return self.chance.choice(NUMBERS)
            case "STRING":
                return self.chance.choice(TITLES)
            case _:
                return self.chance.choice(TEXTS[terminal])

    def piece(self) -> list[str]:
        """A piece with the lines below it, and a remark here and there."""
        return self.block("declaration", 0, 3)

    def block(self, kind: str, depth: int, levels: int) -> list[str]:
        first = self.accepted_sentence(kind, () if levels else HEADERS)
        lines = [*self.remarks(depth), "  " * depth + first]
        words = [word for word in first.split() if word != "change"]
        below = KINDS_BELOW.get(words[0]) if kind == "declaration" else "statement" if words[0] in HEADERS else None
        if below is None or levels == 0:
            return lines
        for _ in range(self.chance.choice((0, 1, 2, 4)) or words[0] in MUST_HAVE_LINES):
            lines += self.block(below, depth + 1, levels - 1)
        return lines

    def accepted_sentence(self, kind: str, without: tuple[str, ...]) -> str:
        while True:
            sentence = self.sentence(kind, self.chance.choice((2, 6, 12, 30, 60)))
            if sentence.split()[0] not in (*ELSEWHERE, *without) and is_line(sentence, kind):
                return sentence

    def remarks(self, depth: int) -> list[str]:
        return ["  " * depth + self.chance.choice(COMMENTS)] if self.chance.random() < 0.1 else []


def is_line(sentence: str, kind: str) -> bool:
    """Whether the parser takes it for a line of this kind."""
    source = Source("a.rules", f"{sentence}\n")
    (block,) = read_blocks(source).top
    try:
        load_parser().parse(ParsedLine(block.words), start=kind)  # the reader, where it fails, works out a hint
    except UnexpectedToken:
        return False
    return LineReader(source).read_line(block, kind) is not None


def accepted(lines: list[str]) -> bool:
    return not parse_source(Source("a.rules", "\n".join(("rules 1", *lines, "")))).diagnostics


def derived_file(chance: Random, size: int) -> str:
    """So many pieces, each accepted alone."""
    deriver = Deriver(chance)
    text = ["rules 1"]
    while size:
        piece = deriver.piece()
        if accepted(piece):
            text += piece
            size -= 1
    return "\n".join(text) + "\n"
