"""`ahead(s)`: the neighbours of a place in the next row, as player 1 sees a board from row 1, and player 2 from the
other side. Takes a game, gives a game in which it is a definition.
"""

from __future__ import annotations

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.expansion.opponents import is_for_two
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Span

AHEAD = "ahead"


def spell_out_ahead(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where nobody asks so, or where the rules call something else so."""
    if any(getattr(getattr(piece, "name", None), "text", None) == AHEAD for piece in game.declarations):
        return game, []
    calls = [node for piece in game.declarations for node in walk(piece)
             if isinstance(node, ast.Call) and node.name.text == AHEAD]  # fmt: skip
    boards = [one for one in game.declarations if isinstance(one, ast.Components) and one.board is not None]
    if not calls or not boards:
        return game, []
    span = calls[0].name.span
    if not is_for_two(game) or len(boards) > 1:
        sentence = message("`ahead` is for two players on one board, who sit at its two ends")
        hint = message("define it: `define ahead(s {board}) = neighbours(s) where row = row of s + 1`",
                       board=boards[0].name.text)  # fmt: skip
        return game, [Diagnostic("not-a-board", sentence, span, hint)]
    return evolve(game, declarations=(*game.declarations, declare_ahead(boards[0].name.text, span))), []


def declare_ahead(board: str, span: Span) -> ast.Define:
    def name(text: str) -> ast.Name:
        return ast.Name(text, span=span)

    def number(value: int) -> ast.Number:
        return ast.Number(value, span=span)

    upwards = ast.Compare("=", name("player"), number(1), span=span)
    step = ast.IfElse(upwards, number(1), ast.Negate(number(1), span=span), span=span)
    following = ast.Arithmetic("+", ast.Of(name("row"), name("place"), span=span), step, span=span)
    beside = ast.Call(name("neighbours"), (name("place"),), span=span)
    value = ast.Filter(beside, ast.Compare("=", name("row"), following, span=span), span=span)
    parameter = ast.Parameter(name("place"), ast.NamedType(name(board), span=span), span=span)
    return ast.Define(name(AHEAD), (parameter,), value, span=span)
