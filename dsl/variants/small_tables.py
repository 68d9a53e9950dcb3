"""A game on a small table. Takes a whole game and one of its `small` pieces, gives the game changed there.

Examples and labels stay behind: they speak of the whole game. A variant may leave a small table of its base behind,
too: where it changes rules that the table words anew, or where the table no longer fits.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import has_lines_below, key_of
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.variants.extend import AssembledGame, VariantMerger, check_completeness

SIZES = ast.Players | ast.Teams | ast.Rounds | ast.Values | ast.Components | ast.Table | ast.Option | ast.Variable
EDITS = ast.ChangePiece | ast.RemovePiece | ast.ChangeRow | ast.ChangeLine | ast.ChangeLines | ast.Fix


def build_small_game(game: ast.Game, small: ast.Small) -> AssembledGame:
    """The pieces below `small` take the places of those with their names; others are added."""
    return build_changed_game(game, small.pieces, small.span)


def build_changed_game(game: ast.Game, pieces: Iterable[ast.AnyDeclaration], whole: Span) -> AssembledGame:
    kept: list[ast.AnyDeclaration] = [
        piece for piece in game.declarations if not isinstance(piece, ast.Example | ast.Words)
    ]
    book = VariantMerger(kept, [0, 0], turn=1)
    changes = [wrap_as_change(piece, kept) for piece in pieces]
    for piece in changes:
        book.apply_piece(piece)
    found = [*book.found, *(empty_body_diagnostic(piece) for piece in changes if is_without_lines(piece))]
    found = found or list(check_completeness(book.declarations, whole))
    return AssembledGame(evolve(game, declarations=tuple(book.declarations), smalls=()), tuple(found))


def is_about_old_pieces(game: ast.Game, small: ast.Small) -> bool:
    """Whether the rules that it words anew, sizes aside, are still those of the file in which it stands."""
    meant = {key_of(piece) for piece in small.pieces if not isinstance(piece, SIZES)} - {None}
    return all(piece.span.file == small.span.file for piece in game.declarations if key_of(piece) in meant)


def wrap_as_change(piece: ast.AnyDeclaration, kept: list[ast.AnyDeclaration]) -> ast.AnyDeclaration:
    """What is there already is changed; only its first line, when nothing stands below the new one."""
    if isinstance(piece, EDITS) or key_of(piece) not in [key_of(old) for old in kept]:
        return piece
    return ast.ChangePiece(piece, not has_lines_below(piece), span=piece.span)


def is_without_lines(piece: ast.AnyDeclaration) -> bool:
    """Only what takes the place of another piece may leave its lines to that one."""
    return isinstance(piece, ast.Setup | ast.Phase | ast.Step | ast.Score | ast.Persona) and not has_lines_below(piece)


def empty_body_diagnostic(piece: ast.AnyDeclaration) -> Diagnostic:
    hint = message("write its lines below it; only a piece that the rules already have can go without")
    return Diagnostic("empty-body", message("nothing follows below this line"), piece.span, hint)
