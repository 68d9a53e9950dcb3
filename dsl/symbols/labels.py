"""What names are called in other languages, and those that cannot be called otherwise. Of all files of a chain."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.symbols.rules_text import RulesText
from rulesrun.dsl.symbols.uses import Symbol, Use


def list_labels(rules: RulesText) -> dict[str, dict[str, str]]:
    """By language, or aspect of how it is drawn, and name."""
    labels: dict[str, dict[str, str]] = {}
    for piece in rules.list_all_pieces():
        if isinstance(piece, ast.Words):
            labels.setdefault(piece.language.text, {}).update({word.name.text: word.text for word in piece.items})
    return labels


def list_labels_beside(rules: RulesText, label: Use) -> dict[str, str]:
    """Those of the same block, that one included."""
    blocks = (piece.items for piece in rules.pieces if isinstance(piece, ast.Words))
    return next(({word.name.text: word.text for word in items} for items in blocks if label.declares in items), {})


def is_coordinate(rules: RulesText, symbol: Symbol) -> bool:
    """A place whose name is where it lies: another name would be another place."""
    return symbol.kind == "row" and any(
        isinstance(piece, ast.Components) and piece.name.text == symbol.owner
        and piece.board is not None and bool(piece.attributes)
        for piece in rules.list_all_pieces()
    )
