"""A game on a small table. Takes a whole game and one of its `small` pieces, gives the game changed there.

Examples and labels stay behind: they speak of the whole game.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.completeness import completeness
from rulesrun.dsl.pieces import has_lines_below, key_of
from rulesrun.dsl.source import Span
from rulesrun.dsl.variants import Assembled, Book

EDITS = ast.ChangePiece | ast.RemovePiece | ast.ChangeRow | ast.ChangeLine | ast.Fix


def small_game(game: ast.Game, small: ast.Small) -> Assembled:
    """The pieces below `small` take the places of those with their names; others are added."""
    return changed_game(game, small.pieces, small.span)


def changed_game(game: ast.Game, pieces: Iterable[ast.AnyDeclaration], whole: Span) -> Assembled:
    kept: list[ast.AnyDeclaration] = [
        piece for piece in game.declarations if not isinstance(piece, ast.Example | ast.Words)
    ]
    book = Book(kept, [0, 0], turn=1)
    for piece in pieces:
        book.apply_piece(as_change(piece, kept))
    found = book.found or list(completeness(book.declarations, whole))
    return Assembled(evolve(game, declarations=tuple(book.declarations), smalls=()), tuple(found))


def as_change(piece: ast.AnyDeclaration, kept: list[ast.AnyDeclaration]) -> ast.AnyDeclaration:
    """What is there already is changed; only its first line, when nothing stands below the new one."""
    if isinstance(piece, EDITS) or key_of(piece) not in [key_of(old) for old in kept]:
        return piece
    return ast.ChangePiece(piece, not has_lines_below(piece), span=piece.span)
