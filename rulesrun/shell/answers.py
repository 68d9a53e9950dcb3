"""What the rules on a command line know: values of their options, who may sit at a table, titles. A line each.

Asked for while somebody types, so trouble is no trouble: a file that cannot be read has no answers.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.files.loading import Reading, read_rules
from rulesrun.locale.language import known_languages
from rulesrun.terminal.trouble import Trouble

MOST_NUMBERS = 20  # of a range that are listed one by one
BOTS = ("random", "greedy", "mcts")


def list_answers(subject: str, files: tuple[str, ...]) -> list[str]:
    readings = list(_read_all(files))
    pieces = [piece for reading in readings if reading.game for piece in reading.game.declarations]
    match subject:
        case "set":
            enumerations = {piece.name.text: piece for piece in pieces if isinstance(piece, ast.Values)}
            options = [piece for piece in pieces if isinstance(piece, ast.Option)]
            return [f"{option.name.text}={value}" for option in options for value in _list_values(option, enumerations)]
        case "seats":
            return [*BOTS, *(piece.name.text for piece in pieces if isinstance(piece, ast.Persona))]
        case "small":
            return [small.title for reading in readings if reading.game for small in reading.game.smalls]
        case "example":
            return [piece.title for piece in pieces if isinstance(piece, ast.Example)]
        case "lang":
            return known_languages(reading.game for reading in readings)
        case _:
            return []


def _read_all(files: tuple[str, ...]) -> Iterator[Reading]:
    for name in files:
        if name != "-":
            try:
                yield read_rules(name)
            except Trouble:
                continue


def _list_values(option: ast.Option, enumerations: dict[str, ast.Values]) -> list[str]:
    """Empty text where the values cannot be counted up: the name alone is offered."""
    match option.type:
        case ast.WordsType(words=words):
            return [word.text for word in words]
        case ast.TruthType():
            return ["yes", "no"]
        case ast.RangeType(listed=(_, *_) as listed):
            return [str(number) for number in listed]
        case ast.RangeType(low=ast.Number(value=low), high=ast.Number(value=high)) if high - low < MOST_NUMBERS:
            return [str(number) for number in range(low, high + 1)]
        case ast.NamedType(name=name) if name.text in enumerations:
            return [one.name.text for one in enumerations[name.text].items] or [""]
        case _:
            return [""]
