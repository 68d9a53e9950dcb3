"""Names and types of a whole game. Takes a game and its declared names, gives the side tables and the complaints."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.components import count_components
from rulesrun.dsl.typing.declared import type_of, values_type
from rulesrun.dsl.typing.dependency_order import order_by_dependency
from rulesrun.dsl.typing.expressions import infer_expression
from rulesrun.dsl.typing.intervals import LIMIT
from rulesrun.dsl.typing.mixed_kinds import unite_kinds
from rulesrun.dsl.typing.names import DeclaredNames
from rulesrun.dsl.typing.notebook import TOP, Notebook, TooManyComplaints
from rulesrun.dsl.typing.pieces import choices_scope, infer_piece
from rulesrun.dsl.typing.program import Meaning
from rulesrun.dsl.typing.types import NumberOf, Type

MOST_PLAYERS = 100


@frozen(eq=False)
class InferredTypes:
    """`kinds`: how many components of each kind there are, at least and at most. `united`: those that may lie
    together."""

    meanings: Mapping[ast.Node, Meaning]
    types: Mapping[ast.Node, Type]
    declared: Mapping[ast.Node, Type]
    kinds: Mapping[str, NumberOf]
    players: NumberOf
    diagnostics: tuple[Diagnostic, ...]
    united: tuple[tuple[str, ...], ...]


def infer_types(game: ast.Game, names: DeclaredNames) -> InferredTypes:
    book = Notebook(game, names, infer_expression)
    try:
        _infer_game(book)
    except TooManyComplaints:
        at = book.diagnostics[-1].span
        book.diagnostics.append(
            Diagnostic("too-many-errors", message("these are the first mistakes; there may be more"), at)
        )
    return InferredTypes(
        book.meanings, book.types, book.declared, book.kind_counts, book.players, tuple(book.diagnostics),
        unite_kinds(book),
    )


def _infer_game(book: Notebook) -> None:
    """What others rest on comes first: the table, options, components; then definitions, then all pieces."""
    infer_declared_types(book)
    for piece in book.game.declarations:
        infer_piece(book, piece)


def infer_declared_types(book: Notebook) -> None:
    """All that pieces need of each other."""
    names = book.names
    _infer_player_count(book)
    for option in names.things.values():
        if isinstance(option, ast.Option | ast.Values):
            type_of(book, option, option) if isinstance(option, ast.Option) else values_type(book, option)
    for components in names.components():
        count_components(book, components)
    _infer_rounds(book)
    for thing in order_by_dependency(names):
        type_of(book, thing, thing.name)
    for action in names.actions.values():
        choices_scope(book, action)


def _infer_player_count(book: Notebook) -> None:
    """How many may play."""
    for piece in book.game.declarations:
        if isinstance(piece, ast.Players):
            low, high = book.require_number(piece.low, TOP), book.require_number(piece.high, TOP)
            if not 1 <= low.low <= high.high <= MOST_PLAYERS:
                book.report(
                    "wrong-players",
                    message("players are 1..{most_players}, the smaller number first", most_players=MOST_PLAYERS),
                    piece,
                )
            else:
                book.players = NumberOf(low.low, high.high)
            return
    if book.game.declarations:
        title = next(iter(book.game.pieces(ast.Title)), book.game)
        end = title.span.end
        below = (Edit(end, end, "\nplayers 2..4"),) if isinstance(title, ast.Title) else ()
        book.report(
            "missing-players",
            message("the file does not say how many can play"),
            title,
            message("write `players 2..4`"),
            edits=below,
        )


def _infer_rounds(book: Notebook) -> None:
    book.rounds = NumberOf(1, 1)
    for piece in book.game.declarations:
        if isinstance(piece, ast.Rounds):
            counted = book.require_number(piece.count, TOP) if piece.count is not None else NumberOf(1, LIMIT)
            book.rounds = NumberOf(1, max(1, counted.high))
