"""What kind of values a number, a marker or an option has, as one word: truths, players, a declared type."""

from __future__ import annotations

from rulesrun.dsl import ast


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
