"""The five rulebooks as texts and as tables: how long they are, which options there are to combine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, product
from pathlib import Path

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import read_rules

GAMES = Path(__file__).resolve().parents[2] / "games"
FIVE = ("collection", "hourglass", "the_game", "tokens", "zero")
VARIANTS = sorted(path.stem for path in (GAMES / "variants").glob("*.rules"))

NO_RULES = re.compile(r"(example|words|table|small) ")
COMPONENT_ROW = re.compile(r"  \w+: ")
COMPONENTS = re.compile(r"(card|token|tile|piece) ")

Settings = Mapping[str, object]
RANGES = {"goal_count": (1, 2, 3, 4, 5), "matches": (1, 2)}


def rule_lines(text: str) -> list[str]:
    """The lines that say what the rules are: no tables of data, small tables, examples, notes, labels, blank lines."""
    found, head = [], ""
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line.startswith(" "):
            head = line
        is_row = COMPONENTS.match(head) is not None and COMPONENT_ROW.match(line) is not None
        if not NO_RULES.match(head) and not is_row:
            found.append(line)
    return found


@cache
def program_of(name: str) -> Program:
    reading = read_rules(str(GAMES / f"{name}.rules"))
    assert reading.program is not None, reading.diagnostics
    return reading.program


def pieces(name: str, kind: type[ast.AnyDeclaration]) -> list[ast.AnyDeclaration]:
    return [piece for piece in program_of(name).game.declarations if isinstance(piece, kind)]


def players_of(name: str) -> range:
    (piece,) = pieces(name, ast.Players)
    assert isinstance(piece, ast.Players)
    assert isinstance(piece.low, ast.Number)
    assert isinstance(piece.high, ast.Number)
    return range(piece.low.value, piece.high.value + 1)


def options_of(name: str) -> dict[str, tuple[object, ...]]:
    """Each option and reading with its values as they are written outside."""
    found: dict[str, tuple[object, ...]] = {}
    for piece in pieces(name, ast.Option):
        assert isinstance(piece, ast.Option)
        match piece.type:
            case ast.WordsType(words):
                found[piece.name.text] = tuple(word.text for word in words)
            case ast.TruthType():
                found[piece.name.text] = ("no", "yes")
            case _:
                found[piece.name.text] = RANGES[piece.name.text]
    return found


def one_at_a_time(name: str) -> Iterator[dict[str, object]]:
    """The defaults, and each value of each option beside them."""
    yield {}
    for option, values in options_of(name).items():
        for value in values:
            yield {option: value}


def pairwise(name: str) -> list[dict[str, object]]:
    """Settings in which every two values of two options meet, if the rules allow them together."""
    options = options_of(name)
    every = [dict(zip(options, values, strict=True)) for values in product(*options.values())]
    every = [settings for settings in every if is_sensible(settings)]
    chosen: list[dict[str, object]] = []
    missing = {pair for settings in every for pair in pairs(settings)}
    while missing:
        best = max(every, key=lambda settings: len(pairs(settings) & missing))
        chosen.append(best)
        missing -= pairs(best)
    return chosen


def pairs(settings: Settings) -> set[tuple[tuple[str, object], tuple[str, object]]]:
    return set(combinations(sorted(settings.items(), key=str), 2))


def is_sensible(settings: Settings) -> bool:
    """What the rulebook itself excludes: fewer than three goals for the whole game."""
    return settings.get("goals") != "fixed" or int(str(settings["goal_count"])) >= 3
