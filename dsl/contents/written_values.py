"""The values of options as far as the text alone tells them, and what kind of values a number, a marker or an option
has. Nothing is checked, and no table is set up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulesrun.dsl import ast

MOST_NUMBERS = 20  # of a range that are listed one by one


def list_written_values(games: Sequence[ast.Game]) -> Iterator[tuple[str, str]]:
    """Each option with each of its values; with no text where they cannot be counted up."""
    enumerations = {piece.name.text: piece for game in games for piece in game.pieces(ast.Values)}
    for option in (one for game in games for one in game.options):
        yield from ((option.name.text, value) for value in _list_values(option, enumerations))


def _list_values(option: ast.Option, enumerations: Mapping[str, ast.Values]) -> list[str]:
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


# ---- kinds of values


def kind_of_values(written: ast.TypeExpr) -> str:
    match written:
        case ast.RangeType():
            return "number"
        case ast.NamedType(name):
            return name.text
        case ast.TruthType():
            return "truth"
        case ast.PlayerType():
            return "player"
        case ast.Optional(item):
            return kind_of_values(item)
        case ast.OrderType(item) | ast.RowType(item):
            return f"several {kind_of_values(item)}"
        case _:
            return "word"
